load helper.bash

@test "step10: more and more work-items, on some of the units, and four chains in each" {
    right --format csv
    [[ $output == *'"1 work-item"'*'"256 work-items"'*'"1 of '*' units"'*', ideal 1'*', 4 chains each"'*'"32 KiB reserved"'*'"headline: all compute units, not one"'* ]]
}

@test "step10: --all shows every power of two, with small groups, too" {
    LOCKSTEP_MAX_GROUP=100 right --all --size 300 --seed 5 --format csv
    [[ $output == *'"2 work-items"'*'"128 work-items"'*'"300 work-items"'*'"75, 4 chains each"'* ]]
}

@test "step10: size 1, fewer than a group, and sizes that nothing divides" {
    for size in 1 31 1003 100003; do
        right --size $size
    done
}

@test "step10: nothing is said to be enough after a single launch of each" {
    right --size 256
    [[ $output == *"Enough: no verdict"* ]]
}

@test "step10: more chains than a device has room for" {
    says 2 "elements are too many" "$STEM" --size 1000000000000
}

@test "step10: lens: all lanes are busy, and four chains take a quarter of the branches" {
    local units=()
    right --size 1
    [[ $output != *"this CPU's own answer"* ]] || # some of the units: one group each, whatever n is
        units=("rounds=459), 32 items in groups of 32: 32.0 of 32 lanes busy")
    counts 256 "${units[@]}" "work_distribution (n=1 rounds=459), 32 items in groups of 32: 1.0 of 32 lanes busy" \
        "branch 0 of 460 diverged" \
        "work_distribution_four (n=256 rounds=459), 64 items in groups of 32: 32.0 of 32 lanes busy" \
        "load start 2 x 32.0 lanes 16.00 sectors (ideal 16.00)" "branch 0 of 920 diverged" \
        "work_distribution (n=256 rounds=459), 256 items in groups of 32: 32.0 of 32 lanes busy"
}

@test "step10: no race in any kernel" {
    no_races --size 203
}

@test "step10: every known mistake is refused, and told from all others" {
    mistakes_refused
}

@test "step10: exercise: begins right but one chain after the other, and ours passes" {
    exercise_begins 'NOT YET'
    exercise_solved
}

@test "step10: exercise: what knows one answer does not pass" {
    cheats_fail
}

@test "step10: exercise: predictions and hints" {
    predictions_hold
    hints_help
}
