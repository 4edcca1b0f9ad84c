load helper.bash

@test "step14: every order is right, and none has another picture" {
    right --format csv
    [[ $output == *'"arrival order"'*'"2^8, sort"'*'"2^12, both"'*'"all sorted, shade"'* ]]
    right --size 65536 --format json
    [[ $output != *Materials* ]]
    [ "${#lines[@]}" -eq 17 ] # 16 rows, the headline
}

@test "step14: size 1, fewer than a group, and sizes that nothing divides" {
    for size in 1 2 17 255 1003 4095 4097 100003; do
        right --size $size
    done
}

@test "step14: partitions of 2^4 to 2^31, at edges of blocks and of the list" {
    for k in 4 11 12 13 31; do
        right --size 12289 --partition $k
        right --size 32767 --partition $k
    done
}

# says_lines K LANES MATERIALS LINES : what the step itself counts, in partitions of 2^K.
says_lines() {
    right --size 16384 --partition "$1" --lanes "$2"
    [[ $(tr -s ' ' <<< "$output") == *"2^$1 $3 $4 "* ]]
}

@test "step14: says how many materials a warp meets, and how many lines it touches" {
    says_lines 8 32 1.60 5.85
    [[ $(tr -s ' ' <<< "$output") == *"arrival order 5.89 1.00 "*"all sorted 1.01 6.70 400 "* ]]
    says_lines 12 32 1.04 6.68
    says_lines 8 8 1.14 2.28
}

# of_partition P TEXT ... : the lens's report on shading in partitions of P hits.
of_partition() {
    local report
    report=$(awk -v wanted="partition=$1)" \
        '/^sorted_gather/ { inside = index($0, wanted) } inside' <<< "$output" | tr -s ' ')
    for text in "${@:2}"; do
        [[ $report == *"$text"* ]] || { echo "not there: $text"; return 1; }
    done
}

@test "step14: lens: sorted, hardly a warp diverges, and its lines are 7 for 1" {
    run -0 lens --quiet --all --kernel sorted_gather_shade "$BUILT/$STEM" --repeats 1 \
        --size 16384
    of_partition 1 "branch 512 of 512 diverged" \
        "load x 512 x 32.0 lanes 4.00 sectors (ideal 4.00) 1.00 lines"
    of_partition 256 "branch 292 of 512 diverged" \
        "load x 512 x 32.0 lanes 16.00 sectors (ideal 4.00) 5.85 lines"
    of_partition 1024 "branch 77 of 512 diverged" "16.82 sectors (ideal 4.00) 6.68 lines"
    of_partition 4096 "branch 19 of 512 diverged" "16.85 sectors (ideal 4.00) 6.68 lines"
    of_partition 16384 "branch 4 of 512 diverged" "16.83 sectors (ideal 4.00) 6.70 lines" \
        "load order 512 x 32.0 lanes 4.00 sectors (ideal 4.00)"
}

@test "step14: the picture is a PNG file, the same for every list" {
    for k in 4 8 31; do
        right --size 10007 --partition $k --output "$BATS_TEST_TMPDIR/$k.png"
        cmp "$BATS_TEST_TMPDIR/$k.png" "$BATS_TEST_TMPDIR/4.png"
    done
    [ "$(od -An -tx1 -N8 "$BATS_TEST_TMPDIR/4.png" | tr -d ' ')" = 89504e470d0a1a0a ]
    # 101 x 100 pixels: 10007 hits, and 93 that are black.
    [ "$(od -An -tu1 -j16 -N8 "$BATS_TEST_TMPDIR/4.png" | tr -s ' ')" = " 0 0 0 101 0 0 0 100" ]
}

@test "step14: options that cannot be are refused with a hint" {
    says 2 "--partition needs" "$STEM" --partition 3
    says 2 "--partition needs" "$STEM" --partition 32
    says 2 "cannot write" "$STEM" --size 100 --repeats 1 --output "$BATS_TEST_TMPDIR/no/such.png"
    says 2 "cannot write /: Is a directory" "$STEM" --size 100 --repeats 1 --output /
    says 2 "are too many for" "$STEM" --size 100000000000
    run -0 "$STEM" --help
    [[ $output == *"--partition"*"--output"* ]]
}

@test "step14: a picture for which the disk is too full is an error, and removes nothing" {
    [ -e /dev/full ] || skip "no /dev/full here"
    ln -s /dev/full "$BATS_TEST_TMPDIR/full.png"
    says 2 "No space left" "$STEM" --size 20000 --repeats 1 --output "$BATS_TEST_TMPDIR/full.png"
    [ -L "$BATS_TEST_TMPDIR/full.png" ]
}

@test "step14: refuses a sort that is not stable, though its picture would be right" {
    refuses unstable --size 17
}

@test "step14: no race in any kernel" {
    no_races --size 16384
    no_races --size 10007
}

@test "step14: every known mistake is refused, and told from all others" {
    mistakes_refused
}

@test "step14: exercise: begins right but serial, and ours passes with margin" {
    exercise_begins SHAPE
    exercise_solved
}

@test "step14: exercise: what knows one answer does not pass" {
    cheats_fail
}

@test "step14: exercise: predictions and hints" {
    predictions_hold
    hints_help
}
