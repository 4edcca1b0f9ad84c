load helper.bash

@test "step10: every part is right at its default, and csv has nothing but rows" {
    right --format csv
    [ "${#lines[@]}" -ge 20 ]
    [[ $output == *'"1 item"'*'"uneven, groups of'*'"told, groups of'*'"3 x '*'"halving"'* ]]
    for line in "${lines[@]}"; do
        [[ $line == step,* || $line == '"step10_work_distribution",'* ]]
    done
}

@test "step10: size 1, fewer than a group, and sizes that nothing divides" {
    for size in 1 7 1003; do
        right --size $size
    done
}

@test "step10: says what is enough, small enough, one too many, and too few in the end" {
    right --size 200
    [[ $output == *"Enough: "*"Small enough: "*"against one group more: "*"by count"*"The sum of 32768 numbers, in 15 launches"* ]]
}

@test "step10: more items than a device has room for" {
    says 2 "elements are too many" "$STEM" --size 1000000000000
}

@test "step10: lens: a group of less than 32 leaves lanes idle, a larger one does not" {
    counts 256 "work_distribution (n=256), 256 items in groups of 64: 32.0 of 32 lanes busy" \
        "halve, 32768 items in groups of 256: 32.0 of 32 lanes busy" \
        "halve, 8 items in groups of 8: 8.0 of 32 lanes busy" \
        "halve, 1 item in groups of 1: 1.0 of 32 lanes busy"
}

@test "step10: no race in any kernel" {
    no_races --size 257
}

@test "step10: every known mistake is refused, and told from all others" {
    mistakes_refused
}

@test "step10: exercise: begins right but with many trees, and ours passes with margin" {
    exercise_begins SHAPE
    exercise_solved
}

@test "step10: exercise: what knows one answer does not pass" {
    cheats_fail
}

@test "step10: exercise: predictions and hints" {
    predictions_hold
    hints_help
}
