load helper.bash

@test "step07: by a tree and by SIMD groups, in float and in int, all are right" {
    right --size 300007 --format csv
    [ "${#lines[@]}" -eq 8 ] # the heading, five rows, the operations, the headline
    for row in "tree, float" "SIMD group, float" "SIMD group, int" "maximum by hand, int" \
        "64, four loads in flight" "7 operations, every lane"; do
        [[ $output == *"\"$row\""*,\"ok\",* || $output == *"\"$row\""*,ok,* ]]
    done
}

@test "step07: size 1, fewer than a group, and sizes that nothing divides" {
    for size in 1 31 1003 100003; do
        right --size $size
    done
}

@test "step07: says in which way lanes exchange values, and in SIMD groups of how many" {
    right --size 1003
    [[ $output =~ SIMD\ groups\ of\ [0-9]+\ lanes,\ by\ way\ of ]]
    says 2 "--lanes needs a whole number from 1 to 1024" step07_reduce_simd --lanes 0
}

@test "step07: SIMD groups of other widths, through local memory, and groups of 100" {
    quickly
    for lanes in 1 5 8 128 1024; do
        right --size 2053 --lanes $lanes
        [[ $output == *"SIMD groups of $lanes lanes, by way of local memory"* ]]
    done
    LOCKSTEP_MAX_GROUP=100 right --size 2053 --seed 5
}

@test "step07: no race, in sub-groups and through local memory" {
    no_races --size 2003
    quickly
    no_races --size 2003 --lanes 8
}

@test "step07: the lens's sub-groups and this device's way give the same results" {
    local kernels=(float int)
    right --size 1 # what every lane receives depends on the number of lanes
    [[ $output != *"SIMD groups of 32 lanes"* ]] || kernels+=(all_int all_float)
    for kernel in "${kernels[@]}"; do
        run -0 lens --quiet --compare --kernel "reduce_simd_$kernel" "$BUILT/$STEM" \
            --repeats 1 --size 5003
        [[ $output == *"the replay's results are the device's"* ]]
    done
}

@test "step07: lens: one barrier where the tree has ten, a slot for each SIMD group" {
    counts 65536 "128 groups of 16 warps; 10.00 barriers in each" \
        "128 groups of 16 warps; 1.00 barriers in each" \
        "128 groups of 16 warps; 11.00 barriers in each" \
        "2 groups of 16 warps; 2.00 barriers in each" \
        "load t 640 x 25.6 lanes 1.00 passes" "store slots 1024 x 1.0 lanes 1.00 passes" \
        "load slots 1024 x 16.0 lanes 1.00 passes"
    quickly
    run -0 lens --quiet --kernel reduce_simd_float "$BUILT/$STEM" --repeats 1 --size 5003 --lanes 8
    [[ $output == *"15.00 barriers in each"* ]]
    run -0 lens --quiet --kernel reduce_simd_float "$BUILT/$STEM" --repeats 1 --size 5003 --lanes 32
    [[ $output == *"23.00 barriers in each"* ]]
}

@test "step07: every known mistake is refused, and told from all others" {
    mistakes_refused
}

@test "step07: exercise: begins right, but with one lane at work, and ours passes with margin" {
    exercise_begins 'NOT YET'
    exercise_solved
}

@test "step07: exercise: what knows one answer does not pass" {
    cheats_fail
}

@test "step07: exercise: predictions and hints" {
    predictions_hold
    hints_help
}
