load helper.bash

@test "step07: all functions, in int and float, and the prefix sums are right" {
    right --format csv
    for name in sum product min max and or xor "inclusive prefix" "exclusive prefix"; do
        [[ $output == *"\"$name, int\""* ]]
    done
    for name in sum product min max "inclusive prefix" "exclusive prefix"; do
        [[ $output == *"\"$name, float\""* ]]
    done
}

@test "step07: size 1, fewer than a group, and sizes that nothing divides" {
    for size in 1 31 1003 100003; do
        right --size $size
    done
}

@test "step07: SIMD groups of 4, 8 and 128 lanes, through local memory" {
    right --size 20003 --lanes 8
    quickly
    for lanes in 4 8 128; do
        right --size 20003 --lanes $lanes
        [[ $output == *"SIMD groups of $lanes lanes, by way of local memory"* ]]
    done
}

@test "step07: says which way the lanes meet, and compares with one CPU thread" {
    right --size 20003
    [[ $output =~ SIMD\ groups\ of\ [0-9]+\ lanes,\ by\ way\ of ]]
    [[ $output == *"one CPU thread"*"The device against the thread: "* ]]
    says 2 "--lanes needs a whole number from 1 to 1024" step07_reduce_simd --lanes 0
}

@test "step07: by hand: every lane is told, in SIMD groups of any width" {
    quickly
    for lanes in 1 5 32 1024; do
        right --size 2053 --lanes $lanes --format csv
        [[ $output == *'"max by hand, int"'* ]]
    done
}

@test "step07: no race, in sub-groups and through local memory" {
    no_races --size 20003
    no_races --size 20003 --lanes 8
}

@test "step07: the lens's sub-groups and this device's way give the same results" {
    for kernel in sum_float product_int min_float and_int or_int xor_int exclusive_int; do
        run -0 lens --quiet --compare --kernel "reduce_simd_$kernel" "$BUILT/$STEM" \
            --repeats 1 --size 5003
        [[ $output == *"the replay's results are the device's"* ]]
    done
}

@test "step07: lens: one barrier, and a pass of local memory for each SIMD group" {
    counts 65536 "64 groups of 32 warps; 1.00 barriers in each" \
        "store slots 1024 x 1.0 lanes 1.00 passes" "load slots 1024 x 32.0 lanes 1.00 passes"
}

@test "step07: every known mistake is refused, and told from all others" {
    mistakes_refused
}

@test "step07: exercise: begins right but by one lane, and ours passes with margin" {
    exercise_begins SHAPE
    exercise_solved
}

@test "step07: exercise: what knows one answer does not pass" {
    cheats_fail
}

@test "step07: exercise: predictions and hints" {
    predictions_hold
    hints_help
}
