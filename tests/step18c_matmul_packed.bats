load helper.bash

@test "step18c: six ways to multiply are right, and what packs is named" {
    right --size 10000 --format csv
    [ "${#lines[@]}" -eq 8 ] # the heading, six rows, the headline
    [[ $output == *'"ijk"'*'"ikj, vectors"'*'"1 x 32 in registers"'*'"12 x 32 in registers"'*'"B packed"'* ]]
    # On a busy machine an empty launch may take as long: that is said in the note's place.
    [[ ${lines[6]} == *'"A and B packed"'*'pack '*' %",'* || ${lines[6]} == *'"launch-bound",'* ]]
}

@test "step18c: one element, sides that no tile divides, another seed, smaller groups" {
    for size in 1 31 1003 100003; do
        right --size $size --seed $size
    done
    LOCKSTEP_MAX_GROUP=100 right --size 5000
}

@test "step18c: what takes seconds is left out, and said so" {
    right --size 360000
    [[ $output != *$'\nijk  '* && $output == *"ijk takes seconds here: left out."* ]]
}

@test "step18c: lens: loads of B for 12 rows, and what packing stores" {
    counts 2304 "matmul_ijk (m=48 n=64 k=48), 48 x 1 items in groups of 16 x 1" \
        "load B 9216 x 16.0 lanes 1.00 sectors" "load C 576 x 16.0 lanes 32.00 sectors" \
        "load B 288 x 16.0 lanes 2.00 sectors (ideal 2.00)" \
        "load B 96 x 4.0 lanes 2.00 sectors (ideal 2.00)" \
        "load A 1152 x 4.0 lanes 4.00 sectors" "load panels 96 x 4.0 lanes 2.00 sectors" \
        "load a_panels 1152 x 4.0 lanes" "load b_panels 96 x 4.0 lanes 2.00 sectors"
}

@test "step18c: vectors of 8 floats, for AVX2, and of 2, for an example by hand" {
    local kernels=$ROOT/kernels/step18c_matmul_packed.cl
    run -0 lens kernel "$kernels" -D WIDTH=8 \
        'matmul_tile(A[12]=index, B[32]=1, C[96], m=6, n=16, k=2)' --global 1,1 --check
    [[ $output == *"C[96]: 1 1 1 1 1 1 1 1 ..."* ]]
    run -0 lens kernel "$kernels" -D WIDTH=2 \
        'matmul_tile(A[6]=index, B[16]=index, C[24], m=3, n=8, k=2)' --global 1,2 --check
    [[ $output == *"C[24]: 8 9 10 11 12 13 14 15 ..."* ]]
}

@test "step18c: no race in any kernel" {
    no_races --size 5000
}

@test "step18c: every known mistake is refused, and told from all others" {
    mistakes_refused
}

@test "step18c: exercise: begins right but row by row, and ours passes with margin" {
    exercise_begins 'NOT YET'
    exercise_solved
}

@test "step18c: exercise: what knows one answer does not pass" {
    cheats_fail
}

@test "step18c: exercise: predictions and hints" {
    predictions_hold
    hints_help
}
