load helper.bash

@test "step07b: tiles and blocks, all right, with one headline" {
    right --size 100003 --format csv
    [ "${#lines[@]}" -eq 4 ] # the heading, two rows, the headline
    for name in "three launches, tiles" "three launches, blocks"; do
        [[ $output == *"\"$name\""* ]]
    done
}

@test "step07b: size 1, fewer than a lane has, a whole tile, and sizes that nothing divides" {
    for size in 1 3 4 31 1003 4096 100003; do
        right --size $size --seed $size
    done
}

@test "step07b: SIMD groups of 8 and 64 lanes, and groups that they do not divide" {
    right --size 20003 --lanes 8
    right --size 20003 --lanes 64
    LOCKSTEP_MAX_GROUP=100 right --size 20003
    LOCKSTEP_MAX_GROUP=7 right --size 40003 # several tiles of totals
}

@test "step07b: no race, also in groups that nothing divides" {
    no_races --size 20003
    no_races --size 20003 --lanes 8
    LOCKSTEP_MAX_GROUP=100 no_races --size 20003
    LOCKSTEP_MAX_GROUP=7 no_races --size 40003
}

@test "step07b: lens: full sectors, two barriers for a tile, one lane for a block" {
    counts 65536 "load x 512 x 32.0 lanes 16.00 sectors (ideal 16.00)" \
        "16 groups of 8 warps; 2.00 barriers in each"
    run -0 lens --quiet --kernel prefix_sum_blocks "$BUILT/$STEM" --repeats 1 --size 65536
    [[ $(tr -s ' ' <<< "$output") == *" x 1.0 lanes "* ]] # one lane of each warp
}

@test "step07b: the replay's results are the device's" {
    run -0 lens --quiet --compare "$BUILT/$STEM" --repeats 1 --size 5003
    [[ $output == *"the replay's results are the device's"* ]]
}

@test "step07b: the trap: right with 32 lanes, and with 8 by luck, but wrong with 64" {
    right --size 20003 --lanes 32 --kernel "$(mistake lane_31_carried)"
    right --size 20003 --lanes 8 --kernel "$(mistake lane_31_carried)"
    refuses lane_31_carried --size 20003 --lanes 64
}

@test "step07b: every known mistake is refused, and told from all others" {
    mistakes_refused
}

@test "step07b: exercise: begins right but with one work-item, and ours passes with margin" {
    exercise_begins 'NOT YET'
    exercise_solved
}

@test "step07b: exercise: what knows one answer does not pass" {
    cheats_fail
}

@test "step07b: what the cheat knows is the sum of the first tile" {
    local sum
    sum=$(awk 'BEGIN {
        for (number = 1; i < 4096; i++) {
            number = (number * 1664525 + 1013904223) % 4294967296
            sum = (sum + number) % 4294967296
        }
        printf "%.0f", sum
    }')
    grep -qF " = ${sum}u;" "$ROOT/tests/cheats/$STEM.md"
}

@test "step07b: exercise: predictions and hints" {
    predictions_hold
    hints_help
}
