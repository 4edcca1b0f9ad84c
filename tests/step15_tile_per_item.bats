load helper.bash

@test "step15: the triad and every tile are right, also after the timed launches" {
    quickly
    right --all --size 100003 --seed 2 --format csv
    [ "${#lines[@]}" -eq 18 ] # the heading, 16 rows, the headline
    [[ $output == *'"triad, a float4 each"'*'"1x1"'*'"blocked 32x32"'*'"interleaved 32x32"'* ]]
    [[ $output == *'"32x32, 2 rows at a time"'*'"blocked 32x32, 4 passes"'*'"interleaved 24x6"'* ]]
}

@test "step15: one element, less than a tile, sides that no tile divides, smaller groups" {
    quickly
    for size in 1 2 31 1003; do
        right --all --size $size --seed $size
    done
    for group in 16 100; do
        LOCKSTEP_MAX_GROUP=$group right --size 10007
    done
    [[ $output == *"interleaved 8x8 against plain C on one core, by the host's clock:"* ||
        $output == *"blocked 8x8 against plain C on one core, by the host's clock:"* ]]
}

@test "step15: a size beyond the device's memory is an error" {
    says 2 "are too many for" "$STEM" --size 1000000000000
}

@test "step15: lens: blocked, a larger tile means more sectors: 4, 16, 32; interleaved always 4" {
    quickly
    counts 262144 "tile_1 (factor=0.875 width=512 height=512), 512 x 512 items in groups of 32 x 8" \
        "lanes 16.00 sectors (ideal 4.00) 4.00 lines 25.0 % used" \
        "lanes 32.00 sectors (ideal 4.00) 8.00 lines 12.5 % used" \
        "tile_interleaved_16 (factor=0.875 width=512 height=512), 32 x 32 items in groups of 32 x 8" \
        "lanes 4.00 sectors (ideal 4.00) 1.00 lines 100.0 % used"
    # 1x1, two that are interleaved, and one that holds four rows: two loads and a store each
    [[ $(grep -c '  4\.00 sectors (ideal 4\.00)' <<< "$output") -eq 12 ]]
}

@test "step15: strips that overlap are right where there is only one" {
    quickly
    right --size 900 --kernel "$(mistake overlapping_strips)"
}

@test "step15: no race in any kernel" {
    quickly
    no_races --all --size 5000
}

@test "step15: every known mistake is refused, and told from all others" {
    mistakes_refused
}

@test "step15: exercise: begins right but scattered, and ours passes with margin" {
    exercise_begins 'NOT YET'
    exercise_solved
}

@test "step15: exercise: what knows one answer does not pass" {
    cheats_fail
}

@test "step15: exercise: predictions and hints" {
    predictions_hold
    hints_help
}
