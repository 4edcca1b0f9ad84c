load helper.bash

@test "step02: the sum is right by every clock" {
    right --format csv
    [ "${#lines[@]}" -eq 7 ]
}

@test "step02: size 1, and sizes in between" {
    for size in 1 33 100003; do
        right --size $size
    done
}

@test "step02: prints pi" {
    right
    [[ $output == *"pi is about 3.141"* ]]
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
