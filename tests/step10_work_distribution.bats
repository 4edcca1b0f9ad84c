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
    [[ $output == *"Enough: "*"Small enough: groups of "*"times as long"*"The sum of 32768 numbers, in 15 launches"* ]]
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

@test "step10: refuses one round less" {
    refuses one_round_less
}

@test "step10: refuses another item's cost" {
    refuses local_cost
}

@test "step10: refuses another item's start" {
    refuses local_start
}

@test "step10: refuses a lost tail" {
    refuses lost_tail
}

@test "step10: refuses items beyond the last" {
    refuses no_bounds_guard
}

@test "step10: refuses two roundings for one" {
    refuses rounded_twice
}

@test "step10: refuses a picture of work that was not done" {
    refuses told_one_group
}

@test "step10: refuses a picture of items that told nothing" {
    refuses told_in_one_place
}

@test "step10: refuses a neighbour that is added twice" {
    refuses next_neighbour
}

@test "step10: refuses a group's sum that is lost" {
    refuses lost_last_group
}

@test "step10: a missing barrier is a race" {
    races_refuses no_barrier
}

@test "step10: no race in any kernel" {
    no_races --size 257
}

@test "step10: refuses numbers that are lost or not one's own, and half a tree" {
    refuses last_number_alone
    refuses local_number
    refuses half_a_tree
}

@test "step10: a tree that begins too early is a race" {
    races_refuses no_barrier_before_tree
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
