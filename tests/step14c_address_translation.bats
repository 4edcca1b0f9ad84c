load helper.bash

@test "step14c: every row is right, also after the timed launches, and csv has nothing but rows" {
    right --all --size 1003 --repeats 3 --format csv
    [ "${#lines[@]}" -eq 12 ] # the heading, four rings of both kinds, a warp's, the headline
    [[ $output == *'"16 lines"'*'"16 pages"'*'"1003 lines"'*'"1003 pages"'*'"a warp, 32 lines"'*'"a warp, 32 pages"'* ]]
}

@test "step14c: size 1, rings of other lengths, pages of one line, of three, and of many" {
    right --size 1
    [[ $output == *"1 pages "* ]]
    right --size 17 --seed 4 --lanes 8
    right --size 65 --page 128
    right --size 103 --page 500 --all
    [[ $output == *"A page: 384 bytes."* ]] # whole lines
    right --size 33 --page 2097152
    LOCKSTEP_MAX_GROUP=7 right --all --size 103
}

@test "step14c: rings grow by a factor of 4 to the last one, and what a load takes can be read" {
    right --size 300
    [ "$(grep -cE '^(16|64|256|300) pages ' <<< "$output")" -eq 4 ]
    [[ $output == *"1203 loads for each work-item: 1 ms is 831 ns a load."* ]]
}

# One launch tells nothing apart.
@test "step14c: without a spread there is no knee" {
    right --size 16384
    [[ $output == *"No knee: "*"A page: 4096 bytes."* ]]
    [[ $output != *", a knee"* ]]
}

@test "step14c: a knee is a quarter more than the plateau before, beyond the noise of both" {
    "${CC:-cc}" -std=c11 -iquote "$ROOT/common" -DCL_TARGET_OPENCL_VERSION=120 \
        -o "$BATS_TEST_TMPDIR/knees" "$ROOT/tests/knees.c" \
        "$BUILT/libcommon.a" -lOpenCL -lpng -lm ${LDFLAGS:-}
    run -0 "$BATS_TEST_TMPDIR/knees"
    [ "$output" = "13 is a knee
16 is a knee" ]
}

@test "step14c: a page has a line, and not more bytes than a device can have" {
    says 2 "--page needs a whole number from 128" "$STEM" --page 127
    says 2 "elements are too many" "$STEM" --size 1000000 --page 67108864
}

@test "step14c: lens: one page or 32 for as many lines, and one line for a lane alone" {
    counts 64 "chase (count=1 apart=1 loads=259), 1 item" \
        "load lines 259 x 1.0 lanes 1.00 sectors (ideal 1.00) 1.00 lines" \
        "chase (count=32 apart=32 loads=259), 32 items"
    run -0 lens --quiet --pages --table --kernel chase "$BUILT/$STEM" --repeats 1 --size 64
    [[ $(tr -s ' ' <<< "$output") == *"
chase count=1 apart=1 1 all 1.00 1.00 1.0 none
chase count=1 apart=32 1 all 1.00 1.00 1.0 none
chase count=32 apart=1 32 4 32.00 1.00 32.0 none
chase count=32 apart=32 32 4 32.00 32.00 32.0 none
"* ]]
}

@test "step14c: no race in any kernel" {
    no_races --size 103
}

@test "step14c: every known mistake is refused, and told from all others" {
    mistakes_refused
}

@test "step14c: exercise: begins with first lines alone, and ours passes with margin" {
    exercise_begins WRONG
    exercise_solved
}

@test "step14c: exercise: what knows one answer does not pass" {
    cheats_fail
}

@test "step14c: exercise: predictions and hints" {
    predictions_hold
    hints_help
}
