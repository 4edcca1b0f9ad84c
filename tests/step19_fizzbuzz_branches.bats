load helper.bash

sizes='0 1 14 15 16 99 100 101 999 1000 9999 10000 10001 99999 1000001'

@test "step19: both ways are right, small and large, and the text is the first 20 lines" {
    right --format csv
    [ "$(grep -c '"ok"' <<< "$output")" -eq 5 ] # four rows, the headline
    writes 1 20
}

@test "step19: the text is awk's, from line 1 and from line 0" {
    for size in $sizes; do
        writes 1 "$size"
        writes 0 "$size" --first 0
    done
}

@test "step19: from any line, also where the digits or the bits become more" {
    for from in 2 9 14 15 16 98 1919 1920 4294967290; do
        writes $from 100 --from $from
    done
    for from in 999999000 9999999000 999999999000 1000000000000; do
        writes $from 3000 --from $from
    done
}

@test "step19: on stdout is the text alone, through make too" {
    cd "$ROOT"
    unset MAKEFLAGS MFLAGS MAKELEVEL FLAGS
    make SETUP=no step19 run ARGS="--size 100 --repeats 1" \
        > "$BATS_TEST_TMPDIR/text" 2> "$BATS_TEST_TMPDIR/table"
    [ "$(tail -1 "$BATS_TEST_TMPDIR/text")" = Buzz ]
    fizzbuzz 1 100 | cmp - "$BATS_TEST_TMPDIR/text"
    grep -q "15 lines per item" "$BATS_TEST_TMPDIR/table"
}

@test "step19: no text with --output none: then the table is on stdout" {
    run -0 --separate-stderr "$STEM" --repeats 1 --output none --size 100
    [[ ${lines[0]} == "$STEM on "* && $output == *"15 lines per item"*ok* ]]
    [ -z "$stderr" ]
    run -0 --separate-stderr "$STEM" --full --repeats 1 --size 1000 --format csv
    [ "${#lines[@]}" -eq 4 ] # the heading, two rows, the headline
}

@test "step19: no line: neither text nor table" {
    run -0 "$STEM" --size 0
    [ -z "$output" ]
}

@test "step19: a reader who leaves is no error" {
    set -o pipefail
    "$STEM" --repeats 1 --size 1000000 2> "$BATS_TEST_TMPDIR/errors" | head -3 \
        > "$BATS_TEST_TMPDIR/text"
    fizzbuzz 1 3 | cmp - "$BATS_TEST_TMPDIR/text"
    [ ! -s "$BATS_TEST_TMPDIR/errors" ]
}

@test "step19: a full disk is an error" {
    [ -w /dev/full ] || skip "no /dev/full here"
    to_full_disk() { "$STEM" --size 20 --repeats 1 > /dev/full; }
    says 2 "cannot write the text" to_full_disk
}

@test "step19: options that are no good have a message and a hint" {
    says 2 "--first needs a whole number from 0 to 1, not '2'" "$STEM" --first 2
    says 2 "--from needs a whole number from 0 to 1000000000000, not '-1'" "$STEM" --from -1
    says 2 "not '1000000000001'" "$STEM" --from 1000000000001
    says 2 "--output wants write or none, not 'all'" "$STEM" --output all
    says 2 "elements are too many" "$STEM" --size 1000000000000
    run -0 "$STEM" --help
    [[ $output == *--first*--from*--output* ]]
}

# Words are 9 + 5 + 5 steps for each of 60 warps, since all of them have all three.
@test "step19: lens: with if and else every warp parts at all three branches" {
    counts 1920 "fizzbuzz_branches (first=1), 1920 items in groups of 128" \
        $'if (number % 15 == 0)\n branch 60 of 60 diverged' \
        $'else if (number % 3 == 0)\n branch 60 of 60 diverged' \
        $'else if (number % 5 == 0)\n branch 60 of 60 diverged' \
        "store cells 1140 x 4.4 lanes" "store cells 60 x 17.1 lanes"
}

# Lines 0 to 3839 are two groups of 4 warps; in 15 lines, words are 39 bytes.
@test "step19: lens: 15 lines each keep all lanes busy, until one copies alone" {
    counts 1920 "fizzbuzz_fifteen (first=0), 256 items in groups of 128" \
        "store cells 312 x 32.0 lanes" "store cells 64 x 32.0 lanes" \
        $'if (id == 0) {\n branch 2 of 8 diverged' \
        "store text $(fizzbuzz 0 3840 | wc -c) x 1.0 lanes 1.00 sectors"
}

@test "step19: numbers of 32 bits are right where no line goes beyond" {
    quickly
    right --size 1000 --kernel "$(mistake number_of_32_bits)"
}

@test "step19: cells that are too small for long numbers are right for short ones" {
    quickly
    right --size 1000 --kernel "$(mistake small_cells)"
    races_refuses small_cells --from 10000000000 --size 100
}

@test "step19: no race in any kernel" {
    no_races --size 4000
    no_races --from 999999999990 --size 100
}

@test "step19: every known mistake is refused, and told from all others" {
    mistakes_refused
}

@test "step19: exercise: begins right but with lanes that part, and ours passes" {
    exercise_begins SHAPE
    exercise_solved
}

@test "step19: exercise: what knows one answer does not pass" {
    cheats_fail
}

@test "step19: exercise: predictions and hints" {
    predictions_hold
    hints_help
}
