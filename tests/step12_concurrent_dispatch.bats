load helper.bash

@test "step12: every way is right, with 1 to 4 images" {
    right --format csv
    [ "${#lines[@]}" -eq 18 ] || [ "${#lines[@]}" -eq 14 ] # where nothing is out of order
    for line in "${lines[@]:1}"; do
        [[ $line == *'"ok"'* ]]
    done
    [[ $output == *"in order, 1 image"*"interleaved, 2 images"*"a queue each, 4 images"* ]]
}

@test "step12: size 1, narrower than a group, and sizes that nothing divides" {
    for size in 1 2 31 257 1003 100003; do
        right --size $size
    done
    says 2 "too many" "$STEM" --size 99999999999
}

@test "step12: one group, or more than there are rows" {
    for groups in 1 3 1000; do
        right --size 10007 --groups $groups
    done
    says 2 "--groups needs a whole number from 1" "$STEM" --groups 0
}

@test "step12: draws who ran when, and writes it for trace viewers" {
    right --size 10007 --trace "$BATS_TEST_TMPDIR/trace.json"
    [[ $output == *"in order, "*" kernels at a time:"*"  image 3 "*"a queue each, "* ]]
    [[ $(< "$BATS_TEST_TMPDIR/trace.json") == *traceEvents*across*paint* ]]
    says 2 "cannot write" "$STEM" --repeats 1 --size 1 --trace /nowhere/trace.json
}

@test "step12: any kernel that forgets to wait is noticed" {
    before=across
    for kernel in down edges rows mean paint; do
        run -1 "$STEM" --size 65536 --forget $kernel
        [[ $output == *WRONG*"'$kernel' did not wait for '$before'."* ]]
        before=$kernel
    done
    says 2 "not 'across'" "$STEM" --forget across
    [[ $stderr == *"down, edges, rows, mean, paint"* ]]
}

@test "step12: lens: neighbours across share 4.70 sectors, neighbours down 4" {
    counts 65536 "32.0 lanes 4.70 sectors (ideal 4.00) 1.70 lines" \
        "32.0 lanes 4.88 sectors (ideal 4.00) 1.88 lines" \
        "32.0 lanes 4.00 sectors (ideal 4.00) 1.00 lines" \
        "mean_of_rows (width=256 height=1)"
}

@test "step12: a lost tail of a row is no mistake up to a group's width" {
    right --size 65536 --kernel "$(mistake lost_tail)"
}

@test "step12: the global index in place of the local one is right for one group" {
    right --size 10007 --groups 1 --kernel "$(mistake global_index)"
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
