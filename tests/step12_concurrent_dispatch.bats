load helper.bash

# rows RESULT : how many of the rows of $output have this result.
rows() { grep -c "\"[a-z ]*, [123] images*\",.*\"$1\"" <<< "$output"; }

@test "step12: every way is right, with 1 to 3 images, and two timelines are drawn" {
    run -0 "$STEM" --repeats 3 --size 10007 --timeline "$BATS_TEST_TMPDIR/ways.svg"
    [[ $output == *"in order, 3 images"*"barriers, 3 images"*"barriers  "*"WWDC22 session"* ]]
    [[ $output == *$'\nin order:\n  image 1 '*$'\na queue each:\n'*"  image 3 "* ]]
    [[ $output != *WRONG* && $output != *" 2 images"* ]]
    [[ $(< "$BATS_TEST_TMPDIR/ways.svg") == *"<svg"*barriers*"</svg>"* ]]
    right --size 1003 --format csv --timeline "$BATS_TEST_TMPDIR/ways.json"
    [ "$(rows ok)" -eq 12 ] || [ "$(rows ok)" -eq 6 ] # where no queue is out of order
    [[ $(< "$BATS_TEST_TMPDIR/ways.json") == *traceEvents*across*mean* ]]
    says 2 "cannot write" "$STEM" --repeats 1 --size 1 --timeline /nowhere/ways.svg
}

@test "step12: size 1, narrower than a group, and sizes that nothing divides" {
    for size in 1 2 31 257 1003 100003; do
        right --size $size
    done
    says 2 "too many" "$STEM" --size 99999999999
}

@test "step12: one group, more than there are rows, and groups of 99" {
    right --size 10007 --groups 1
    right --size 1003 --groups 1000
    LOCKSTEP_MAX_GROUP=99 right --size 10403 --groups 4
    says 2 "--groups needs a whole number from 1" "$STEM" --groups 0
}

@test "step12: each wait is needed: events, and the order in a queue" {
    local launches=(blur_across blur_down mean_of_rows:1/2 mean_of_rows:2/2)
    for i in 1 2 3; do
        needs_wait "${launches[i]}" "${launches[i - 1]}" --size 1003 --format csv
        for way in "in order" "a queue each" events; do
            grep "\"$way, 1 image\",.*\"WRONG\"" <<< "$output"
        done
    done
}

@test "step12: the barriers are needed, and by no other way" {
    needs_wait barrier blur_down --size 1003 --format csv
    [ "$(rows WRONG)" -eq 3 ]
    [ "$(grep -c '"barriers, .*"WRONG"' <<< "$output")" -eq 3 ]
}

@test "step12: lens: neighbours across share 4.70 sectors, neighbours down 4; one group has the last row" {
    counts 65536 "32.0 lanes 4.70 sectors (ideal 4.00) 1.70 lines" \
        "32.0 lanes 4.00 sectors (ideal 4.00) 1.00 lines" \
        "mean_of_rows (width=256 height=1)" "line 66, load in: 4.00 sectors"
}

@test "step12: a lost tail of a row is no mistake up to a group's width" {
    right --size 65536 --kernel "$(mistake lost_tail)"
    right --size 10007 --groups 1 --kernel "$(mistake global_index)" # right for one group
}

@test "step12: no race in any kernel" {
    no_races --size 10007 --groups 3
}

@test "step12: every known mistake is refused, and told from all others" {
    mistakes_refused
}

@test "step12: exercise: begins right but with one work-item, and ours passes with margin" {
    exercise_begins SHAPE
    exercise_solved
}

@test "step12: exercise: what knows one answer does not pass" {
    cheats_fail
}

@test "step12: exercise: predictions and hints" {
    predictions_hold
    hints_help
}
