load helper.bash

@test "step09c: every table is right, global and private, and so are skewed data" {
    right --size 300007 --format csv
    [ "${#lines[@]}" -eq 12 ] # the heading, ten rows, the headline
    [[ $output == *'"1 bin, global"'*'"4096 bins, private"'*'"256 bins skewed, private"'* ]]
}

@test "step09c: --all shows 1000 bins, and other numbers of elements for each work-item" {
    right --all --size 100003 --seed 5 --format csv
    [[ $output == *'"1000 bins, private"'*'"4096, 16 each, private"'*'"4096, 1024 each, private"'* ]]
}

@test "step09c: size 1, fewer than a group, and sizes that nothing divides" {
    for size in 1 31 1003; do
        right --all --size $size
    done
}

@test "step09c: groups of 100" {
    LOCKSTEP_MAX_GROUP=100 right --all --size 100003
}

@test "step09c: counts are right after the timed launches, too" {
    right --size 262144 --repeats 3
    [[ $output != *"only the first"* ]]
}

@test "step09c: lens: an atomic for each element, or for each bin of each group" {
    counts 131072 "histogram_global (n=131072 bins=1), 512 items in groups of 256" \
        "32768 in all, 32768 on one address; 32.0 lanes on one at a time" \
        "line 25, atomic counts: 20.44 sectors (ideal 4.00)"
    run -0 lens --quiet --all --kernel histogram_private "$BUILT/$STEM" --repeats 1 --size 131072
    local report
    report=$(tr -s ' ' <<< "$output")
    [[ $report == *"bins=256)"*"atomic group_counts 1024 x 32.0 lanes 3.14 passes (ideal 1.00)"* ]]
    for bins in 1 16 256 4096; do # in groups of 256, so 2 groups
        [[ $report == *"bins=$bins)"*" $((2 * bins)) in all, 2 on one address"* ]]
    done
    [[ $report == *"bins=256)"*"atomic counts 16 x 32.0 lanes 4.00 sectors (ideal 4.00)"* ]]
}

@test "step09c: no race in any kernel" {
    no_races --size 200003
}

@test "step09c: every known mistake is refused, and told from all others" {
    mistakes_refused
}

@test "step09c: exercise: begins right but with an atomic for each element, ours passes" {
    exercise_begins 'NOT YET'
    exercise_solved
}

@test "step09c: exercise: what knows one answer does not pass" {
    cheats_fail
}

@test "step09c: exercise: predictions and hints" {
    predictions_hold
    hints_help
}
