load helper.bash

@test "step07c: three launches and three times one launch, all right, with one headline" {
    right --size 100003 --format csv
    [ "${#lines[@]}" -eq 6 ] # the heading, four rows, the headline
    for name in "three launches, tiles" "one launch, chained" "one launch, look-back" "one launch, fallback"; do
        [[ $output == *"\"$name\""* ]]
    done
}

@test "step07c: size 1, fewer than a lane has, a whole tile, and sizes that nothing divides" {
    for size in 1 3 4 31 1003 4096 100003; do
        right --size $size --seed $size
    done
}

@test "step07c: SIMD groups of 8 and 64 lanes, and groups that they do not divide" {
    right --size 20003 --lanes 8
    right --size 20003 --lanes 64
    LOCKSTEP_MAX_GROUP=100 right --size 20003
    LOCKSTEP_MAX_GROUP=7 right --size 40003 # several looks back
}

@test "step07c: no race, also where tiles look back several times" {
    no_races --size 20003
    no_races --size 20003 --lanes 8
    LOCKSTEP_MAX_GROUP=100 no_races --size 20003
    LOCKSTEP_MAX_GROUP=7 no_races --size 40003
}

@test "step07c: lens: full sectors, barriers, atomics by hand" {
    counts 65536 "load x 512 x 32.0 lanes 16.00 sectors (ideal 16.00)" \
        "16 groups of 8 warps; 4.00 barriers in each" "16 groups of 8 warps; 5.81 barriers in each"
    run -0 lens --quiet --table "$BUILT/$STEM" --repeats 1 --size 65536
    local chained='prefix_sum_chained 16 all 1 all [0-9.]+ [0-9,]+ of [0-9,]+ 4 47 16 '
    [[ $(tr -s ' \n' ' ' <<< "$output") =~ $chained ]]
}

@test "step07c: the replay's results are the device's" {
    run -0 lens --quiet --compare "$BUILT/$STEM" --repeats 1 --size 5003
    [[ $output == *"the replay's results are the device's"* ]]
    # 45 tiles, of which the last comes second: the fallback adds up 43 of them
    LOCKSTEP_MAX_GROUP=7 run -0 lens --quiet --compare "$BUILT/$STEM" --repeats 1 --size 5003
    [[ $output == "the replay's results are the device's" ]]
}

# in_order ORDER KERNEL OPTION ... : 40 tiles of ones, of which the groups of a warp take one each.
in_order() {
    lens kernel --order "$1" --check --races --global 1280 --local 32 "${@:3}" \
        "$ROOT/kernels/$STEM.cl" "$2(x[20480]:uint=1, words[41]=0, sums[20480]=unset, n=20480, slots[32])"
}

@test "step07c: in each order of the groups all kernels end; without numbers, the fallback alone" {
    local own_number=(-D 'atom_inc(x)=get_group_id(0)') order kernel
    for order in turns first last random; do
        for kernel in prefix_sum_{chained,look_back,fall_back}; do
            run -0 in_order $order $kernel
            [[ $output == *"sums[20480]: 1 2 3 4 "*"no mistake found"* ]]
        done
        run -0 in_order $order prefix_sum_fall_back "${own_number[@]}"
        [[ $output == *"sums[20480]: 1 2 3 4 "*"no mistake found"* ]]
    done
    for order in turns last random; do
        for kernel in prefix_sum_{chained,look_back}; do
            run -1 in_order $order $kernel "${own_number[@]}"
            [[ $output == *"endless loop"*"it waits for another group"* ]]
        done
    done
}

@test "step07c: the trap: right in 25 tiles, wrong in 128" {
    right --size 100003 --kernel "$(mistake one_look)"
    refuses one_look --size 524288
}

@test "step07c: every known mistake is refused, and told from all others" {
    mistakes_refused
}

@test "step07c: exercise: begins wrong, and ours passes with margin" {
    exercise_begins WRONG
    exercise_solved
}

@test "step07c: exercise: what knows one answer does not pass" {
    cheats_fail
}

# The look-back is checked third, so it has the third 20,003 numbers.
@test "step07c: what the cheat knows is the sum of the first tile" {
    local sum
    sum=$(awk 'BEGIN {
        for (number = 1; i < 3 * 20003; i++) {
            number = (number * 1664525 + 1013904223) % 4294967296
            if (i >= 2 * 20003 && i < 2 * 20003 + 4096)
                sum = (sum + number) % 4294967296
        }
        printf "%.0f", sum
    }')
    grep -qF " = ${sum}u;" "$ROOT/tests/cheats/$STEM.md"
}

@test "step07c: exercise: predictions and hints" {
    predictions_hold
    hints_help
}
