load helper.bash

@test "step16: every way is right, one pass and all" {
    right --format csv
    [ "${#lines[@]}" -eq 11 ] # the heading, nine rows, the headline
    [[ $output == *'"copy"'*'"1 pixel each"'*'"480 x 32 each, by 16"'*'"1 pixel each, tile"'* ]]
    [[ $output == *'"4 x 12 each"'*'"4 x 12 each, local"'*'"4 passes, 1 per launch"'* ]]
    [[ $output == *'"4 passes, 2 per launch"'*'"4 passes, 4 per launch"'* ]]
}

@test "step16: one pixel, one row, one column, odd shapes, several frames and passes" {
    right --size 1 --format json
    right --size 1 --frames 5 --passes 9
    for size in 5 1003; do
        right --size $size
        right --size $size --width 1
        right --size $size --width $size --passes 3
    done
    right --size 10007 --passes 7
    right --size 30000 --width 1003 --frames 3 --passes 1
    [[ $output == *"1 pass, 1 per launch"* ]]
}

@test "step16: says what is best, draws its roofline, and compares with plain C" {
    step00_device_limits --unless-known > /dev/null # its roofs
    right --size 57600
    [[ $output == *"320 x 180 pixels"*" copies ("*"plain C on one core: "*"host's clock"*" against it: "* ]]
    [[ $output == *"2.88 flop/byte"*"4 passes, 1 per launch"*"11.50 flop/byte"* ]]
}

# merges A B C INTO : three grey pictures become the channels of one in colour.
merges() {
    local program=$BATS_FILE_TMPDIR/merge
    [ -x "$program" ] || "${CC:-cc}" -iquote "$ROOT/common" -DCL_TARGET_OPENCL_VERSION=120 \
        -o "$program" -x c - -x none "$BUILT/common/picture.o" "$BUILT/common/data.o" \
        "$BUILT/common/check.o" -lpng -lm << 'END'
#include "data.h"
#include "picture.h"
int main(int argc, char **argv) {
    struct picture all = picture_read(argv[1]);
    const size_t count = all.width * all.height;
    unsigned char *pixels = allocate(count, 3);
    for (size_t c = 0; c < 3; c++) {
        const struct picture one = picture_read(argv[1 + c]);
        for (size_t i = 0; i < count; i++)
            pixels[3 * i + c] = one.pixels[i];
    }
    all.channels = 3, all.pixels = pixels;
    picture_write(argv[argc - 1], &all);
}
END
    "$program" "$@"
}

@test "step16: what is written is what was read, filtered: grey, and each channel of colour" {
    cd "$BATS_TEST_TMPDIR"
    for passes in 0 1 2 3; do
        right --size 10007 --passes $passes --output own-$passes.png
        [ $passes = 0 ] || ! cmp -s own-0.png own-$passes.png
    done
    right --input own-0.png --passes 3 --output read.png
    cmp own-3.png read.png
    [[ $output == *"133 x 76 pixels"* ]]

    merges own-0.png own-2.png own-1.png before.png
    for grey in 2 1; do
        right --input own-$grey.png --passes 3 --output after-$grey.png
    done
    merges own-3.png after-2.png after-1.png wanted.png
    right --input before.png --passes 3 --frames 2 --output after.png
    cmp after.png wanted.png
    right --input before.png --passes 0 --output same.png
    cmp before.png same.png
}

@test "step16: pictures that cannot be read or written are errors" {
    cd "$BATS_TEST_TMPDIR"
    right --size 300 --passes 0 --output whole.png
    head -c 200 whole.png > broken.png
    echo text > text.png
    says 2 "broken.png is broken" "$STEM" --input broken.png
    says 2 "cannot read text.png" "$STEM" --input text.png
    says 2 "cannot read no-such.png: No such file" "$STEM" --input no-such.png
    says 2 "cannot read ." "$STEM" --input .
    says 2 "cannot write /: Is a directory" "$STEM" --size 9 --repeats 1 --output /
    says 2 "cannot write no/such.png" "$STEM" --size 9 --repeats 1 --output no/such.png
    if [ -e /dev/full ]; then
        says 2 "cannot write /dev/full" "$STEM" --size 9 --repeats 1 --output /dev/full
        [ -c /dev/full ]
    fi
    if [ "$(id -u)" -ne 0 ]; then
        chmod a-w whole.png
        says 2 "cannot write whole.png" "$STEM" --size 9 --repeats 1 --output whole.png
    fi
}

@test "step16: options that cannot be are refused with a hint" {
    says 2 "--passes needs" "$STEM" --passes 1001
    says 2 "--frames needs" "$STEM" --frames 0
    says 2 "--width needs" "$STEM" --size 100 --width 101
    says 2 "has a size of its own" "$STEM" --input some.png --width 3
    says 2 "has a size of its own" "$STEM" --size 3 --input some.png
    says 2 "are too many for" "$STEM" --size 1000000000000
    says 2 "are too many for" "$STEM" --size 100000000 --frames 1000
    run -0 "$STEM" --help
    [[ $output == *"--input"*"--output"*"--passes"*"--width"*"--frames"* ]]
}

@test "step16: a weak sign is right for one pass, as far as a float can tell" {
    quickly
    right --size 10007 --passes 0 --kernel "$(mistake weak_sign)"
}

@test "step16: no race in any kernel" {
    no_races --size 1003 --frames 2 --passes 7
    no_races --size 10007
}

@test "step16: lens: 45 loads for a pixel, or four for 12 x 4 of them and an exchange" {
    counts 129600 \
        "shock_filter_pixel (width=480 height=270 pitch=480), 480 x 272 x 1 items in groups of 32 x 8 x 1: 32.0 of 32" \
        "store out 4050 x 32.0 lanes 4.00 sectors (ideal 4.00)" \
        "groups of 1 x 1 x 1: 1.0 of 32 lanes busy" \
        "load in 1344 x 29.5 lanes 15.50 sectors (ideal 7.50) 4.50 lines" \
        "load in 1344 x 30.0 lanes 15.00 sectors (ideal 15.00) 3.75 lines 100.0 % used" \
        "store lefts 1472 x 30.5 lanes 2.00 passes (ideal 2.00)" \
        "store out 1080 x 30.0 lanes 15.00 sectors (ideal 15.00) 3.75 lines 100.0 % used"
    # 4050 warps load 45 times, or 21 times where clang 18 merges equal loads.
    run -0 lens --quiet --kernel shock_filter_pixel "$BUILT/$STEM" --repeats 1 --size 129600
    [[ $(tr -s ' ' <<< "$output") =~ load\ in\ (182250|85050)\ x\ 32.0\ lanes\ 4.[67] ]]
}

@test "step16: an early return keeps work-items from the barrier" {
    quickly
    run -1 lens --races --quiet "$BUILT/$STEM" --repeats 1 --size 1003 --passes 0 \
        --kernel "$(mistake early_return)"
    [[ $output == *"barrier divergence: not reached by all work-items of the group"* ]]
}

@test "step16: every known mistake is refused, and told from all others" {
    mistakes_refused
}

@test "step16: exercise: begins right but without a tile, and ours passes with margin" {
    exercise_begins SHAPE
    exercise_solved
}

@test "step16: exercise: what knows one answer does not pass" {
    cheats_fail
}

@test "step16: exercise: predictions and hints" {
    predictions_hold
    hints_help
}
