load helper.bash

sizes='0 1 9 10 14 15 16 99 100 101 999 1000 10001 100003 1000001'

# What a helper of this file, text_of or writes, has left there.
table() {
    cat "$BATS_TEST_TMPDIR/table"
}

# text_of ARGUMENTS : what the step writes; its table is kept.
text_of() {
    "$STEM" "$@" 2> "$BATS_TEST_TMPDIR/table"
}

# wanted FIRST COUNT : keeps these lines, for several comparisons.
wanted() {
    fizzbuzz "$1" "$2" > "$BATS_TEST_TMPDIR/wanted"
}

# is_wanted : so is the text on stdin, to the last byte.
is_wanted() {
    cmp - "$BATS_TEST_TMPDIR/wanted"
}

# slowly : a reader who sleeps first, and so each worker has time for a piece.
slowly() {
    sleep 0.5
    cat
}

@test "step21: right, and every way to share is: to the host and kept there" {
    right --format csv
    local all
    all=$(grep -o '"all [0-9]*, to' <<< "$output" | tr -cd 0-9)
    # The text, a row for each device and one for all, twice, and the headline, if they are two.
    [ "$(grep -c '"ok"' <<< "$output")" -eq $((1 + 2 * (all + 1) + (all > 1))) ]
    writes 1 20
}

@test "step21: the text is awk's, from line 1" {
    for size in $sizes; do
        writes 1 "$size"
    done
}

@test "step21: the text is awk's, from line 0" {
    for size in $sizes; do
        writes 0 "$size" --first 0
    done
}

@test "step21: the same from one device, from parts, and from more parts than there are" {
    for size in 1 16 1000 100003; do
        wanted 1 $size
        for parts in 1 2 4 16; do
            text_of --split $parts --size $size | is_wanted
        done
    done
}

@test "step21: seven compute units in two, three and four parts" {
    wanted 1 1000001
    for parts in 2 3 4; do
        POCL_MAX_PTHREAD_COUNT=7 text_of --split $parts --size 1000001 | is_wanted
        if table | grep -q '^device 1, '; then
            [ "$(table | grep -c '^device ')" -eq $parts ]
        fi
    done
}

@test "step21: a device that cannot be divided writes it all" {
    wanted 1 100003
    POCL_MAX_PTHREAD_COUNT=1 text_of --split 2 --size 100003 | is_wanted
}

@test "step21: from any line, also where the digits become more, or those above ten" {
    for from in 2 9 14 98 1199 4799 99990 4294967290; do
        writes $from 100 --from $from
    done
    for from in 999999000 9999999000 19999999000 999999999000 1000000000000; do
        writes $from 20000 --from $from
        writes $from 20000 --from $from --split 4
    done
}

# The sum is that of the same lines by seq and sed.
@test "step21: ten million lines have the right SHA-256" {
    local sum=049663924ef63e4ac6dc67fb319745b8e2122bcb2e7231928c23d4c628962bf9
    for parts in 1 2 4; do
        [ "$(text_of --split $parts --size 10000000 | sha256sum)" = "$sum  -" ]
    done
}

@test "step21: whoever is first, the lines come in order" {
    wanted 1 1000000
    for i in 1 2 3 4 5; do
        text_of --split 2 --size 1000000 | is_wanted
    done
    for i in 1 2 3; do
        text_of --split 2 --size 1000000 | slowly | is_wanted
    done
}

@test "step21: every line is taken once" {
    text_of --split 2 --size 1000000 > /dev/null
    local lines
    lines=$(table | sed -n 's/^device .*: \([0-9]*\) lines$/\1/p' | paste -sd+)
    [ $((lines)) -eq 1000000 ]
}

@test "step21: one device fails: nothing is lost, nothing comes twice, and it is said" {
    wanted 1 4000000
    for one in 0 1; do
        DEVICE=cpu text_of --split 2 --size 4000000 --break $one | slowly | is_wanted
        table
        if table | grep -q '^device 1, '; then
            table | grep -q "^device $one failed: CL_OUT_OF_RESOURCES"
            [ "$(table | grep -c failed)" -eq 1 ]
        fi
    done
    for size in 1 1000 100003; do
        DEVICE=cpu writes 1 $size --split 2 --break 0
        DEVICE=cpu writes 1 $size --split 2 --break 1
    done
}

@test "step21: all devices fail: the host writes what is left" {
    wanted 1 1000001
    DEVICE=cpu text_of --split 1 --size 1000001 --break 0 | is_wanted
    table | grep -q "^device 0 failed: CL_OUT_OF_RESOURCES"
    for i in 1 2 3; do
        writes 1000000000 100003 --from 1000000000 --split 1 --break 0
    done
}

@test "step21: a device that failed is not compared with others" {
    run -0 "$STEM" --output none --split 2 --break 0 --size 1000000 --device cpu
    [[ $output == *"device 0 failed: CL_OUT_OF_RESOURCES"* ]]
    [[ $output != *"to the host"* && $output != *"kept there"* ]]
}

@test "step21: on stdout is the text alone, through make too" {
    cd "$ROOT"
    unset MAKEFLAGS MFLAGS MAKELEVEL FLAGS
    make SETUP=no step21 run ARGS="--size 100" \
        > "$BATS_TEST_TMPDIR/text" 2> "$BATS_TEST_TMPDIR/table"
    [ "$(tail -1 "$BATS_TEST_TMPDIR/text")" = Buzz ]
    fizzbuzz 1 100 | cmp - "$BATS_TEST_TMPDIR/text"
    table | grep -q "text, by all .* ok"
    table | grep -q "^device 0, [0-9]* units* of "
}

@test "step21: no text with --output none: each device's rows, and those of all" {
    run -0 --separate-stderr "$STEM" --output none --size 10000 --repeats 2 --split 1 \
        --device cpu --format csv
    [ "${#lines[@]}" -eq 5 ]
    [[ ${lines[1]} == *'"device 0, to the host"'*'"GB/s"'*'"ok"'* ]]
    [[ ${lines[2]} == *'"all 1, to the host"'*'"ok"'* ]]
    [[ ${lines[3]} == *'"device 0, kept there"'*'"ok"'* ]]
    [[ ${lines[4]} == *'"all 1, kept there"'*'"ok"'* ]]
    POCL_MAX_PTHREAD_COUNT=2 run -0 --separate-stderr "$STEM" --output none \
        --size 10000 --repeats 1 --split 2 --device cpu --format json
    [[ $output == *'"all 2, to the host"'*'"all 2, kept there"'* || ${#lines[@]} -eq 4 ]]
    [ "$(grep -c '"result": "ok"' <<< "$output")" -eq "${#lines[@]}" ]
    run -0 --separate-stderr "$STEM" --output none --size 10000 --repeats 1
    [[ ${lines[0]} == "$STEM on "* && $output == *"against the best alone: "* ]]
}

@test "step21: a reader who leaves is no error" {
    set -o pipefail
    for size in 1000 100000 1000000 100000000; do
        text_of --size $size | head -3 > "$BATS_TEST_TMPDIR/text"
        fizzbuzz 1 3 | cmp - "$BATS_TEST_TMPDIR/text"
    done
    [ -z "$(table)" ]
}

@test "step21: a full disk is an error" {
    [ -w /dev/full ] || skip "no /dev/full here"
    to_full_disk() { "$STEM" --size "$1" > /dev/full; }
    for size in 20 100000 10000000; do
        says 2 "cannot write the text" to_full_disk $size
    done
}

@test "step21: options that are no good have a message and a hint" {
    says 2 "--output wants write or none, not 'vmsplice'" "$STEM" --output vmsplice
    says 2 "--split needs a whole number from 1 to 16, not '0'" "$STEM" --split 0
    says 2 "not '17'" "$STEM" --split 17
    says 2 "--break needs a whole number from 0 to 15, not 'x'" "$STEM" --break x
    says 2 "--first needs a whole number from 0 to 1, not '2'" "$STEM" --first 2
    says 2 "--from needs a whole number from 0 to 1000000000000, not" \
        "$STEM" --from 1000000000001
    says 2 "1000000000001 lines are too many" "$STEM" --size 1000000000001
    run -0 "$STEM" --help
    [[ $output == *--first*--from*--output*--split*--break* ]]
}

@test "step21: no such device, and no such kernel file" {
    says 2 "no device matches 'nosuch'" "$STEM" --device nosuch
    DEVICE=nosuch says 2 "no device matches 'nosuch'" "$STEM"
    says 2 "cannot open the kernel file nosuch.cl" "$STEM" --kernel nosuch.cl
}

@test "step21: no such device to break, and no such kernel in the file" {
    says 2 "there is no device 15 to break" "$STEM" --device cpu --break 15
    says 2 "there is no kernel fizzbuzz_devices" "$STEM" \
        --kernel "$ROOT/kernels/step20_fizzbuzz_uniform.cl"
}

@test "step21: a kernel that does not compile: the compiler's own words" {
    local file=$BATS_TEST_TMPDIR/broken.cl
    echo 'kernel void fizzbuzz_devices(global uint4 *text) { *text = nonsense; }' > "$file"
    says 2 "$file does not compile for" "$STEM" --kernel "$file"
    [[ $stderr == *nonsense* ]]
    [ -z "$output" ]
}

@test "step21: from another folder, and from one with a blank in its name" {
    mkdir "$BATS_TEST_TMPDIR/a folder"
    cd "$BATS_TEST_TMPDIR/a folder"
    cp "$ROOT/kernels/$STEM.cl" "my kernel.cl"
    writes 1 1000
    writes 1 1000 --kernel "my kernel.cl"
}

# lens_counts TEXT ... : under the lens, with the arguments in the step's first comment,
# the report has these lines.
lens_counts() {
    run -0 lens --quiet --kernel '*' "$BUILT/$STEM" --repeats 1 --size 9600 --from 100000000 \
        --output none --split 1
    local report
    report=$(tr -s ' ' <<< "$output")
    for text in "$@"; do
        [[ $report == *"$text"* ]] || { echo "not there: $text"; return 1; }
    done
}

# A page is 595 times 16 bytes: 18 warps of 32 lanes and one of 19, in each of two groups.
@test "step21: lens: no branch diverges, and 31.3 of 32 lanes write" {
    lens_counts "1190 items in groups of 595: 31.4 of 32 lanes busy" \
        "2 groups of 19 warps; 1.00 barriers in each" \
        "store parts 48 x 32.0 lanes 1.00 passes (ideal 1.00)" \
        "load fixed 38 x 31.3 lanes 15.68 sectors (ideal 15.68)" \
        "load windows 38 x 31.3 lanes 3.95 sectors (ideal 3.95)" \
        "load parts 152 x 31.3 lanes 1.32 passes (ideal 1.00)" \
        "store text 152 x 31.3 lanes 16.16 sectors (ideal 15.68)"
    [[ $output == *" 0 of "*" diverged"* ]]
    none_diverged "$output"
}

@test "step21: lens: launches of several devices at once are not mixed up" {
    POCL_MAX_PTHREAD_COUNT=2 run -0 lens --quiet --compare "$BUILT/$STEM" --repeats 1 \
        --size 200000 --output none --split 2
    [[ $output == *"the replay's results are the device's"* ]]
    wanted 1 300000
    lens --races "$BUILT/$STEM" --split 2 --size 300000 \
        > "$BATS_TEST_TMPDIR/report" 2> "$BATS_TEST_TMPDIR/text"
    grep -q "no mistake found" "$BATS_TEST_TMPDIR/report"
    head -n 300000 "$BATS_TEST_TMPDIR/text" | is_wanted
}

@test "step21: refuses a tenth digit that is forgotten" {
    quickly
    right --from 999980000 --size 20000 --kernel "$(mistake digit_change)"
    refuses digit_change --from 999999000 --size 2000 --output none
}

@test "step21: refuses a last group that stays idle" {
    for size in 1000 4801 100003; do
        refuses lost_last_block --size $size
    done
}

@test "step21: refuses a last page that is left out" {
    quickly
    right --size 4599 --kernel "$(mistake lost_last_page)"
    refuses lost_last_page --size 4600
    refuses lost_last_page --size 1000001
}

@test "step21: a page taken for 1000 lines is right up to 1000 lines" {
    quickly
    right --size 1000 --kernel "$(mistake page_offset)"
}

# Lines 1000 to 9999 are the first launch of two groups.
@test "step21: refuses groups that all write the first one's digits" {
    quickly
    right --size 5799 --kernel "$(mistake group_offset)"
    for size in 5900 20000 1000001; do
        refuses group_offset --size $size
        refuses group_offset --size $size --output none
    done
}

@test "step21: the first page's digits on the others are right up to 1000 lines" {
    quickly
    right --size 1000 --kernel "$(mistake first_page_again)"
}

@test "step21: refuses what is right for large groups alone" {
    quickly
    export LOCKSTEP_MAX_GROUP=100
    writes 1 100003
}

@test "step21: zeros before short numbers are right where all are long" {
    quickly
    right --from 1000000000 --size 1000 --kernel "$(mistake unused_zeros)"
}

@test "step21: a wrong text is not begun, on any device" {
    quickly
    for parts in 1 2; do
        run -1 --separate-stderr "$STEM" --split $parts --size 1000 \
            --kernel "$(mistake byte_phase)"
        [ -z "$output" ]
        [[ $stderr == *WRONG* ]]
    done
}

@test "step21: a missing barrier is a race" {
    races_refuses no_barrier --size 9600 --output none --split 1
}

@test "step21: no race in the kernel" {
    no_races --size 9600 --from 100000000 --output none --split 1
    no_races --size 20000 --split 1
    no_races --size 20000 --from 999999990000 --split 2
}

@test "step21: every known mistake is refused, and told from all others" {
    mistakes_refused
}

@test "step21: exercise: begins right but scattered, and ours passes" {
    exercise_begins SHAPE
    exercise_solved
}

@test "step21: exercise: what knows one answer does not pass" {
    cheats_fail
}

@test "step21: exercise: predictions and hints" {
    predictions_hold
    hints_help
}
