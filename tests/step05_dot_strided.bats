load helper.bash

@test "step05: side by side, in chunks and at every stride" {
    right --size 1000000 --format csv
    [ "${#lines[@]}" -eq 14 ]
}

@test "step05: size 1, fewer than a group, and sizes that nothing divides" {
    for size in 1 31 1003 4194303; do
        right --size $size
    done
}

@test "step05: prints pi" {
    right --size 1000000
    [[ $output == *"pi is about 3.1415"* ]]
}

@test "step05: lens: 4 sectors side by side, 32 in chunks, more with each stride" {
    counts 1048576 "load x 8192 x 32.0 lanes 4.00 sectors (ideal 4.00) 1.00 lines" \
        "load x 8192 x 32.0 lanes 32.00 sectors (ideal 4.00) 32.00 lines 12.5 % used" \
        "[0.......] [1.......] [2.......] [3.......]" \
        "stride=2), 16384 items in groups of 256: 32.0 of 32 lanes busy; line 53, load x: 8.00" \
        "stride=4), 16384 items in groups of 256: 32.0 of 32 lanes busy; line 53, load x: 16.00" \
        "stride=8), 16384 items in groups of 256: 32.0 of 32 lanes busy; line 53, load x: 32.00" \
        "stride=64), 16384 items in groups of 256: 32.0 of 32 lanes busy; line 53, load x: 32.00"
}

@test "step05: every known mistake is refused, and told from all others" {
    mistakes_refused
}

@test "step05: exercise: begins right but scattered, and ours passes with margin" {
    exercise_begins SHAPE
    exercise_solved
}

@test "step05: exercise: what knows one answer does not pass" {
    cheats_fail
}

@test "step05: exercise: predictions and hints" {
    predictions_hold
    hints_help
}
