load helper.bash

@test "step15: the triad and every tile are right, side by side and turned" {
    right --format csv
    [ "${#lines[@]}" -eq 14 ] # the heading, 12 rows, the headline
    [[ $output == *'"triad"'*'"1x1"'*'"32x32"'*'"32x32, four passes"'*'"32x32, turned"'* ]]
}

@test "step15: one element, less than a tile, and sides that no tile divides" {
    for size in 1 2 31 1003 1024 10007 1210000; do
        right --size $size
    done
    right --size 10007
    [[ $output == *"100 x 100 elements"* ]]
}

@test "step15: says what registers a tile wants, and what plain C takes; not in json" {
    right --size 65536
    [[ $output == *"32x32 "*"wants 2048 registers"*"Plain C on one core takes "*"host's clock"* ]]
    right --size 65536 --format json
    [[ $output == *'"variant": "32x32, turned"'* && $output != *"Plain C"* ]]
}

@test "step15: a size beyond the device's memory is an error" {
    says 2 "are too many for" "$STEM" --size 1000000000000
}

@test "step15: lens: a larger tile means more sectors: 4, 16, 32; turned always 4" {
    counts 1048576 "tile_per_item_1 (factor=0.5 side=1024), 1024 x 1024 items in groups of 32 x 8" \
        "load a 32768 x 32.0 lanes 16.00 sectors (ideal 4.00) 4.00 lines 25.0 % used" \
        "load a 32768 x 32.0 lanes 32.00 sectors (ideal 4.00) 8.00 lines 12.5 % used" \
        "store out 32768 x 32.0 lanes 32.00 sectors (ideal 4.00) 32.00 lines 12.5 % used" \
        "tile_per_item_turned_32 (factor=0.5 side=1024), 32 x 32 items in groups of 32 x 1" \
        "load b 32768 x 32.0 lanes 4.00 sectors (ideal 4.00) 1.00 lines 100.0 % used"
    # 1x1 and the five that are turned: two loads and a store each
    [[ $(grep -c '  4\.00 sectors (ideal 4\.00)' <<< "$output") -eq 18 ]]
}

@test "step15: strips that overlap are right where there is only one" {
    quickly
    right --size 10007 --kernel "$(mistake overlapping_strips)"
}

@test "step15: no race in any kernel" {
    no_races --size 70000
}

@test "step15: every known mistake is refused, and told from all others" {
    mistakes_refused
}

@test "step15: exercise: begins right but scattered, and ours passes with margin" {
    exercise_begins SHAPE
    exercise_solved
}

@test "step15: exercise: what knows one answer does not pass" {
    cheats_fail
}

@test "step15: exercise: predictions and hints" {
    predictions_hold
    hints_help
}
