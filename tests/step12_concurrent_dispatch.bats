load helper.bash

# rows RESULT : how many of the rows of $output have this result.
rows() { grep -c "\"[a-z ]*, [123] images*\",.*\"$1\"" <<< "$output"; }

@test "step12: every way is right, with 1 to 3 images, and two timelines are drawn" {
    run -0 "$STEM" --repeats 3 --size 250000 --timeline "$BATS_TEST_TMPDIR/ways.svg"
    [[ $output == *"in order, 1 image"*"a queue each, 2 images"*"barriers, 3 images"*"Speed: "* ]]
    [[ $output == *"WWDC22"*$'\nin order:\n  image 1 '*$'\na queue each:\n'*"  image 3 "* ]]
    [[ $output != *WRONG* ]]
    [[ $(< "$BATS_TEST_TMPDIR/ways.svg") == *"<svg"*barriers*"</svg>"* ]]
    right --all --size 1003 --format csv --timeline "$BATS_TEST_TMPDIR/ways.json"
    [ "$(rows ok)" -eq 9 ]
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

# wrong_without WAIT HELD VARIANT ... : these rows are wrong if WAIT does not wait for HELD.
wrong_without() {
    needs_wait "$1" "$2" --all --size 1003 --format csv
    for variant in "${@:3}"; do
        grep "\"$variant\",.*\"WRONG\"" <<< "$output"
    done
}

# The same kernel makes rows and mean: of two images the host launches rows, rows, mean, mean
# unless they are in order.
@test "step12: each wait is needed: events, and the order in a queue" {
    local all=("in order, 1 image" "a queue each, 2 images" "events, 2 images")
    wrong_without blur_down blur_across "${all[@]}"
    wrong_without mean_of_rows:1/2 blur_down "${all[@]}"
    wrong_without mean_of_rows:2/2 mean_of_rows:1/2 "${all[0]}"
    wrong_without mean_of_rows:1/4 mean_of_rows:3/4 "${all[@]:1}"
    [[ $output == *"wrong: mean[0] is"* ]]
}

@test "step12: the barriers are needed, and by no other way" {
    needs_wait barrier blur_down --all --size 1003 --format csv
    grep '"barriers, 2 images",.*"WRONG"' <<< "$output"
    [ "$(rows WRONG)" -eq "$(grep -c '"barriers, .*"WRONG"' <<< "$output")" ]
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
    no_races --size 10007 --groups 7
}

@test "step12: every known mistake is refused, and told from all others" {
    mistakes_refused
}

@test "step12: exercise: begins right but with images that wait for each other, and ours passes with margin" {
    exercise_begins 'NOT YET'
    exercise_solved
}

@test "step12: exercise: what knows one answer does not pass" {
    cheats_fail
}

@test "step12: exercise: predictions and hints" {
    predictions_hold
    hints_help
}
