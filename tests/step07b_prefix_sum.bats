load helper.bash

@test "step07b: three launches and one, all right, with one headline" {
    right --size 100003 --format csv
    [ "${#lines[@]}" -eq 6 ] # the heading, four rows, the headline
    for name in "three launches, tiles" "three launches, blocks" "one launch, chained" "one launch, look-back"; do
        [[ $output == *"\"$name\""* ]]
    done
}

@test "step07b: size 1, fewer than a lane has, and sizes that nothing divides" {
    for size in 1 3 31 1003 100003; do
        right --size $size --seed $size
    done
}

@test "step07b: SIMD groups of 8 and 64 lanes, and groups that they do not divide" {
    right --size 20003 --lanes 8
    right --size 20003 --lanes 64
    LOCKSTEP_MAX_GROUP=100 right --size 20003
    LOCKSTEP_MAX_GROUP=7 right --size 40003 # several looks back, several tiles of totals
}

@test "step07b: no race, also where tiles look back several times" {
    no_races --size 20003
    no_races --size 20003 --lanes 8
    LOCKSTEP_MAX_GROUP=100 no_races --size 20003
    LOCKSTEP_MAX_GROUP=7 no_races --size 40003
}

@test "step07b: lens: full sectors, two barriers for a tile, atomics by hand" {
    counts 65536 "load x 512 x 32.0 lanes 16.00 sectors (ideal 16.00)" \
        "16 groups of 8 warps; 2.00 barriers in each" \
        "16 groups of 8 warps; 4.00 barriers in each" "16 groups of 8 warps; 5.81 barriers in each"
    run -0 lens --quiet --table "$BUILT/$STEM" --repeats 1 --size 65536
    local chained='prefix_sum_chained 16 all 1 all [0-9.]+ [0-9,]+ of [0-9,]+ 4 47 16 '
    [[ $(tr -s ' \n' ' ' <<< "$output") =~ $chained ]]
}

@test "step07b: the replay's results are the device's" {
    run -0 lens --quiet --compare "$BUILT/$STEM" --repeats 1 --size 5003
    [[ $output == *"the replay's results are the device's"* ]]
}

@test "step07b: the trap: right in 25 tiles, wrong in 128" {
    right --size 100003 --kernel "$(mistake one_look)"
    refuses one_look --size 524288
}

@test "step07b: every known mistake is refused, and told from all others" {
    mistakes_refused
}

@test "step07b: exercise: begins wrong, and ours passes with margin" {
    exercise_begins WRONG
    exercise_solved
}

@test "step07b: exercise: what knows one answer does not pass" {
    cheats_fail
}

@test "step07b: exercise: predictions and hints" {
    predictions_hold
    hints_help
}
