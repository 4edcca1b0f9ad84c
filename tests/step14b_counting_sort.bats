load helper.bash

@test "step14b: every way is right, also keys of 4, 12 and 32 bits, also after the timed launches" {
    right --all --size 100003 --repeats 3 --format csv
    [ "${#lines[@]}" -eq 9 ] # the heading, seven rows, the headline
    [[ $output == *'"blocks, one item each"'*'"counts of warps, sorted"'*'"sorted, 32 bits, 4 x 8"'* ]]
}

@test "step14b: size 1, fewer than a warp, and sizes that nothing divides" {
    for size in 1 31 1003; do
        right --all --size $size --seed $size
    done
}

@test "step14b: pairs whose whole keys are equal keep their order" {
    quickly
    sed 's/= values\[i\];/= values[i + 1 < n \&\& keys[i] == keys[i + 1] ? i + 1 : i];/' \
        "$ROOT/kernels/$STEM.cl" > "$BATS_TEST_TMPDIR/unstable.cl"
    run -1 cmp -s "$ROOT/kernels/$STEM.cl" "$BATS_TEST_TMPDIR/unstable.cl"
    run -1 "$STEM" --repeats 1 --size 1003 --kernel "$BATS_TEST_TMPDIR/unstable.cl"
    [[ $output == *"this is the result after the timed launches"* ]]
}

@test "step14b: SIMD groups of 64 lanes, and groups that they do not divide" {
    quickly # (4 lanes are a line of the exercise)
    LOCKSTEP_MAX_GROUP=100 right --lanes 64 --size 10007
}

@test "step14b: lens: sectors of a store, before and after a tile is sorted" {
    counts 24576 \
        "counting_sort_direct (n=24576 shift=0 bins=256), 1536 items in groups of 384: 32.0 of 32 lanes" \
        "store keys_out 768 x 32.0 lanes 31.91 sectors (ideal 4.00)" \
        "store keys_out 768 x 32.0 lanes 26.97 sectors (ideal 4.00)" \
        "store values_out 384 x 32.0 lanes 30.36 sectors (ideal 4.00)" \
        "store keys_out 384 x 32.0 lanes 5.95 sectors (ideal 4.00)" \
        "load counters 768 x 32.0 lanes 16.00 passes (ideal 1.00)" \
        "4 groups of 12 warps; 6.00 barriers in each"
}

@test "step14b: no race in any kernel" {
    no_races --size 5003
}

@test "step14b: every known mistake is refused, and told from all others" {
    mistakes_refused
}

@test "step14b: exercise: begins right but serial, and ours passes with margin" {
    exercise_begins 'NOT YET'
    exercise_solved
}

@test "step14b: exercise: what knows one answer does not pass" {
    cheats_fail
}

@test "step14b: exercise: predictions and hints" {
    predictions_hold
    hints_help
}
