load helper.bash

@test "step04: every number of groups, and every kernel, is right" {
    right --size 262144 --format csv
    [[ $output == *'"1 group of 32"'*'"8192 groups of 32"'*'float4'*'one block for each core'* ]]
    [ "${#lines[@]}" -eq 14 ] # the heading, twelve rows, the headline
}

@test "step04: --all shows every number of groups and every size of a group, all right" {
    right --all --size 262144 --repeats 1 --format csv
    [[ $output == *'"1 work-item"'*'"2048 groups of 32"'*'"4096 groups of 64"'*'"1024 of 256, float4"'* ]]
    [ "${#lines[@]}" -gt 20 ]
}

@test "step04: right at its default" {
    right --repeats 1
}

@test "step04: size 1, fewer than a group, and sizes that nothing divides" {
    for size in 1 31 1003 100003; do
        right --size $size
    done
}

@test "step04: lens: 4 sectors for floats, 16 for float4, and both are ideal" {
    counts 1048576 "load x 32768 x 32.0 lanes 4.00 sectors (ideal 4.00)" \
        "lanes 16.00 sectors (ideal 16.00) 4.00 lines 100.0 % used" \
        "[00001111][22223333][44445555][66667777]"
}

@test "step04: every known mistake is refused, and told from all others" {
    mistakes_refused
}

@test "step04: exercise: begins right but asks in each round, and ours passes with margin" {
    exercise_begins 'NOT YET'
    exercise_solved
}

@test "step04: exercise: what knows one answer does not pass" {
    cheats_fail
}

@test "step04: exercise: predictions and hints" {
    predictions_hold
    hints_help
}
