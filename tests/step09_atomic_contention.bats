load helper.bash

@test "step09: every way is right, small and large, and so is every histogram" {
    right --format csv
    [ "${#lines[@]}" -ge 29 ]
    [[ $output == *"by SIMD group"*"by exchange"*"no atomic"*"4096 bins, by group"* ]]
}

@test "step09: size 1, fewer than a group, and sizes that nothing divides" {
    for size in 1 31 257 1003 100003; do
        right --size $size
    done
}

@test "step09: SIMD groups of 4 to 128 lanes" {
    right --size 10007 --lanes 64
    quickly
    for lanes in 4 8 16 128; do
        right --size 10007 --lanes $lanes
    done
}

@test "step09: says how many atomics there are" {
    right --size 1048576
    [[ $output == *": 1048576 by element, 32768 by SIMD group (if of 32 lanes)"*"4096 by group, 256 by"* ]]
    right --size 1003 --lanes 8
    [[ $output == *": 1003 by element, 128 by SIMD group (if of 8 lanes)"*"4 by group, 1 by group"* ]]
}

# all_groups KERNEL TEXT ... : replayed to the last of 4096 groups, the launches of this
# kernel have these counts.
all_groups() {
    run -0 lens --quiet --all --groups 4096 --kernel "$1" "$BUILT/$STEM" --repeats 1 \
        --size 1048576
    local report
    report=$(tr -s ' ' <<< "$output")
    for text in "${@:2}"; do
        [[ $report == *"$text"* ]] || { echo "not there: $text"; return 1; }
    done
}

@test "step09: lens: 1,048,576 atomics by element, 32,768 by SIMD group, 4,096 by group" {
    all_groups add_each "1048576 in all, 1048576 on one address; 32.0 lanes on one"
    all_groups add_simd "32768 in all, 32768 on one address; 1.0 lanes on one"
    all_groups add_local "32768 in all, 8 on one address; 1.0 lanes on one" \
        "4096 in all, 4096 on one address" "256 in all, 256 on one address"
}

@test "step09: lens: as many in local memory as there are SIMD groups" {
    counts 65536 "add_local (n=65536), 4096 items in groups of 256" \
        "128 in all, 8 on one address; 1.0 lanes on one" \
        "16 in all, 16 on one address; 1.0 lanes on one"
}

@test "step09: lens: of 256 work-items that compare-exchange 255 try again" {
    counts 256 "32896 in all, 32896 on one address"
}

@test "step09: refuses a cell that nobody sets to 0: local memory is new to every group" {
    run -1 lens --quiet --races "$BUILT/$STEM" --repeats 1 --size 2053 \
        --kernel "$(mistake not_zeroed)"
    [[ $output == *"uninitialised read: in_group"* ]]
}

@test "step09: no race in any kernel" {
    no_races --size 65536
    no_races --size 10007 --lanes 8
}

@test "step09: every known mistake is refused, and told from all others" {
    mistakes_refused
}

@test "step09: exercise: begins right but with an atomic each, and ours passes with margin" {
    exercise_begins SHAPE
    exercise_solved
}

@test "step09: exercise: what knows one answer does not pass" {
    cheats_fail
}

@test "step09: exercise: predictions and hints" {
    predictions_hold
    hints_help
}
