load helper.bash

# note NAME : what stands behind the row of that name in $output, a csv.
note() {
    awk -F '"' -v name="$1" '$4 == name { print $(NF - 1); exit }' <<< "$output"
}

@test "step08b: every way gives the host's bits; four of them lose nothing at all" {
    right --format csv --size 1048576 --seed 5
    [ "${#lines[@]}" -ge 7 ]
    for way in Neumaier double-float "fixed point" double; do
        [[ $(note "$way") == "0 ulp off" || $(note "$way") != *ulp* ]] # or a doubt
    done
    [ "$(note Kahan)" != "0 ulp off" ]
}

@test "step08b: size 1, fewer than a group, and sizes that nothing divides" {
    for size in 1 31 1003 100003; do
        right --size $size
    done
    LOCKSTEP_MAX_GROUP=7 right --size 100003
}

@test "step08b: lens: all read 4 sectors with 32 lanes, and no branch diverges" {
    counts 65536 "sum_plain (n=65536), 1024 items in groups of 64: 32.0 of 32 lanes busy" \
        "sum_neumaier (n=65536), 1024 items in groups of 64: 32.0 of 32 lanes busy" \
        "load x 2048 x 32.0 lanes 4.00 sectors (ideal 4.00) 1.00 lines 100.0 % used"
}

@test "step08b: races: none" {
    no_races --size 10007
}

@test "step08b: every known mistake is refused, and told from all others" {
    mistakes_refused
}

@test "step08b: exercise: begins as a plain sum, and ours passes with margin" {
    exercise_begins WRONG
    exercise_solved
}

@test "step08b: exercise: what knows one answer does not pass" {
    cheats_fail
}

@test "step08b: exercise: predictions and hints" {
    predictions_hold
    hints_help
}
