load helper.bash

@test "step03: one work-item and 32 find the same sum" {
    right --format csv
    [ "${#lines[@]}" -eq 3 ]
}

@test "step03: size 1, fewer than 32, and sizes that 32 does not divide" {
    for size in 1 31 33 100003; do
        right --size $size
    done
}

@test "step03: prints pi" {
    right
    [[ $output == *"pi is about 3.141"* ]]
}

@test "step03: refuses a lost tail" {
    refuses lost_tail --size 100003
}

@test "step03: refuses a missing bounds guard" {
    refuses no_bounds_guard --size 100003
}

@test "step03: refuses a sum that forgets the last work-item" {
    refuses forgets_last_item
}
