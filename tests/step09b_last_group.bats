load helper.bash

@test "step09b: four ways to finish are right, and fixed point has one answer" {
    right
    [ "$(grep -cE '  right(, |$)' <<< "$output")" -eq 4 ] # behind it, a doubt
    [[ $output == *"two launches 1, last group 1,"*"fixed point 1."* ]]
}

@test "step09b: --all takes the dot product to its end, too" {
    right --all --size 1048576
    [[ $output == *"dot product, last group"* ]]
    [ "$(grep -cE '  right(, |$)' <<< "$output")" -eq 5 ]
}

@test "step09b: size 1, fewer than a group, and sizes that nothing divides" {
    for size in 1 31 1003 100003; do
        right --all --size $size
    done
}

@test "step09b: groups of 100, and more groups than a group has work-items" {
    LOCKSTEP_MAX_GROUP=100 right --all --size 100003
    LOCKSTEP_MAX_GROUP=7 right --all --size 100003
}

@test "step09b: 32 bits are too few for the fixed point sum of a work-item" {
    local file=$BATS_TEST_TMPDIR/narrow.cl
    sed 's/long sum = sum4/int sum = sum4/' "$ROOT/kernels/$STEM.cl" > "$file"
    run ! cmp "$ROOT/kernels/$STEM.cl" "$file"
    LOCKSTEP_MAX_GROUP=1 run -1 "$STEM" --repeats 1 --size 1048576 --kernel "$file" # 512 each
    [[ $output == *"fixed point atomics"*WRONG* ]]
}

@test "step09b: no race in any kernel" {
    no_races --all --size 270003
    LOCKSTEP_MAX_GROUP=100 no_races --all --size 20003
}

@test "step09b: lens: an atomic for each of 8 groups, and one read of 8 sums" {
    counts 262144 "8 in all, 8 on one address" \
        "load x 512 x 32.0 lanes 16.00 sectors (ideal 16.00)" \
        "load sums 1 x 8.0 lanes 1.00 sectors (ideal 1.00)" \
        "barrier 9.00 per group" "barrier 10.12 per group"
}

@test "step09b: races: a missing fence is called by its name" {
    LOCKSTEP_MAX_GROUP=100 races_refuses no_write_fence --size 100003
    [[ $output == *"last_group: data race: sums in global memory"*"missing fence: "* ]]
}

@test "step09b: every known mistake is refused, and told from all others" {
    mistakes_refused
}

@test "step09b: exercise: begins with a race, and ours passes with margin" {
    exercise_begins RACE
    exercise_solved
}

@test "step09b: exercise: what knows one answer does not pass" {
    cheats_fail
}

@test "step09b: exercise: predictions and hints" {
    predictions_hold
    hints_help
}
