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

@test "step05: on a CPU it points to the count of sectors" {
    [[ $("$STEM" --devices) == *" cpu "* ]] || skip "no CPU device here"
    DEVICE=cpu right --size 4194304
    [[ $output == *"4 sectors"*docs/step05_dot_strided.md* ]]
}

@test "step05: refuses overlapping chunks" {
    refuses overlapping_chunks --size 1000000
}

@test "step05: refuses a lost tail of a stride" {
    refuses lost_stride_tail --size 1000003
}

@test "step05: refuses the first of each stride alone" {
    refuses first_of_each_stride --size 33554432
}
