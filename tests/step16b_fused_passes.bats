load helper.bash

@test "step16b: the copy, and four iterations in four, two and one launch, are right" {
    right --size 1000 --format csv
    [ "${#lines[@]}" -eq 10 ] # the heading, eight rows, the headline
    [[ $output == *'"copy"'*'"sharpen, as step 16"'*'"sharpen, 4 per launch"'*'"blur, 4 per launch"'* ]]
}

@test "step16b: one pixel, one row, one column, odd shapes, several areas, another seed" {
    right --size 1 --seed 2
    right --size 31 --width 31
    right --size 1003 --width 1 --seed 3
    right --size 100003 --width 601 --all
    [[ $output == *"blur, 4, 30 rows high"*"8 blurs, 8 per launch"* ]]
}

@test "step16b: lower groups, and a device whose groups are too small" {
    LOCKSTEP_MAX_GROUP=100 right --size 5000
    LOCKSTEP_MAX_GROUP=96 right --size 31
    LOCKSTEP_MAX_GROUP=95 says 77 "needs groups of at least 96 work-items" "$STEM" --size 31
    LOCKSTEP_MAX_GROUP=192 right --size 31 --all
    LOCKSTEP_MAX_GROUP=191 says 77 "needs groups of at least 192 work-items" "$STEM" --all
    says 2 "--width needs" "$STEM" --width 0
}

@test "step16b: lens: an area is loaded once, and each iteration takes two barriers" {
    counts 129600 \
        "shock_single (width=480 height=270 pitch=480), 122 x 23 items in groups of 122 x 1:" \
        "load in 1472 x 30.5 lanes 15.25 sectors (ideal 15.25)" \
        "23 groups of 4 warps; 1.00 barriers in each" \
        "store area 1472 x 30.5 lanes 2.00 passes (ideal 2.00)" \
        "shock_fused (width=480 height=270 pitch=480 iterations=1), 128 x 30 items in groups of 32 x 6:" \
        "load in 1200 x 32.0 lanes 16.50 sectors (ideal 16.00)" \
        "20 groups of 6 warps; 2.00 barriers in each" \
        "shock_fused (width=480 height=270 pitch=480 iterations=2), 128 x 36 items" \
        "shock_fused (width=480 height=270 pitch=480 iterations=4), 160 x 42 items" \
        "load area 1680 x 32.0 lanes 2.00 passes (ideal 2.00)" \
        "load area 480 x 32.0 lanes 2.00 passes (ideal 2.00)" \
        "blur_fused (width=480 height=270 pitch=480 iterations=4), 160 x 42 items"
}

@test "step16b: no race in any kernel" {
    no_races --size 5000 --width 300
}

@test "step16b: every known mistake is refused, and told from all others" {
    mistakes_refused
}

@test "step16b: exercise: begins right for one iteration alone, and ours passes with margin" {
    exercise_begins WRONG
    exercise_solved
}

@test "step16b: exercise: what knows one answer does not pass" {
    cheats_fail
}

@test "step16b: exercise: predictions and hints" {
    predictions_hold
    hints_help
}
