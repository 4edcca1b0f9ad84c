load helper.bash

@test "step02: the sum is right by every clock" {
    right --format csv
    [ "${#lines[@]}" -eq 8 ] # the heading, six rows, the headline
}

@test "step02: size 1, and sizes in between" {
    for size in 1 33 100003; do
        right --size $size
    done
}

@test "step02: refuses a lost head" {
    refuses lost_head
}

@test "step02: refuses a loop that reads too far" {
    refuses too_far
}

@test "step02: refuses a kernel that writes nothing" {
    refuses nothing_written
}

@test "step02: lens: one lane of 32 works, a sector for each element" {
    counts 1000 "1.0 of 32 lanes busy" \
        "load x 1000 x 1.0 lanes 1.00 sectors (ideal 1.00) 1.00 lines 12.5 % used"
}

@test "step02: refuses sums of whole or rounded numbers, an old sum, and a second cell" {
    refuses whole_sum
    refuses rounds_products
    refuses second_cell
    refuses carries_on
}

@test "step02: exercise: begins with the wrong clock, and ours passes with margin" {
    exercise_begins WRONG
    exercise_solved
}

@test "step02: exercise: what knows one answer does not pass" {
    cheats_fail
}

@test "step02: exercise: predictions and hints" {
    predictions_hold
    hints_help
}
