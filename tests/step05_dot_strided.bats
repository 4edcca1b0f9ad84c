load helper.bash

@test "step05: coalesced, contiguous, and right at every stride" {
    right --size 1000000 --format csv
    [ "${#lines[@]}" -eq 9 ] # the heading, seven rows, the headline
}

@test "step05: --all shows strides 1 and 64 and fewer work-items, all right" {
    right --all --size 300007 --repeats 1 --format csv
    [[ $output == *'"stride 64"'*'"stride 1"'*'"4096 items, coalesced"'*'"32768 items, contiguous"'* ]]
}

@test "step05: a stride without a full round says so" {
    right --size 5000 --repeats 1 --format csv
    [[ $output == *'"stride 32"'*'"not one round"'* || $output == *'"stride 32"'*-bound* ]]
}

@test "step05: size 1, fewer than a group, and sizes that nothing divides" {
    for size in 1 31 1003 4194303; do
        right --size $size
    done
}

@test "step05: lens: 4 sectors if coalesced, 32 if contiguous, more with each stride" {
    counts 1048576 "load x 8192 x 32.0 lanes 4.00 sectors (ideal 4.00) 1.00 lines" \
        "load x 8192 x 32.0 lanes 32.00 sectors (ideal 4.00) 32.00 lines 12.5 % used" \
        "[0.......] [1.......] [2.......] [3.......]" \
        "load x 8192 x 32.0 lanes 8.00 sectors (ideal 4.00)" \
        "stride=4), 32768 items in groups of 256: 32.0 of 32 lanes busy; line 55, load x: 16.00" \
        "stride=8), 32768 items in groups of 256: 32.0 of 32 lanes busy; line 55, load x: 32.00" \
        "stride=32), 32768 items in groups of 256: 32.0 of 32 lanes busy; line 55, load x: 32.00"
}

@test "step05: every known mistake is refused, and told from all others" {
    mistakes_refused
}

@test "step05: exercise: begins right but scattered, and ours passes with margin" {
    exercise_begins 'NOT YET'
    exercise_solved
}

@test "step05: exercise: what knows one answer does not pass" {
    cheats_fail
}

@test "step05: exercise: predictions and hints" {
    predictions_hold
    hints_help
}
