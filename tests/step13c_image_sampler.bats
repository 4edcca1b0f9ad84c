load helper.bash

@test "step13c: two ways by a buffer and three by an image are right" {
    right --size 1000 --format csv
    [ "${#lines[@]}" -eq 7 ] # the heading, five rows, the headline
    [[ $output == *'"buffer, nearest"'*'"buffer, bilinear by hand"'*'"image, nearest"'* ]]
    [[ $output == *'"image, bilinear by hand"'*'"image, bilinear sampler"'*'sampler, not bilinear by hand'* ]]
}

@test "step13c: one pixel, one row, one column, odd shapes, another seed" {
    for size in 1 31 1003 100003; do
        right --size $size --seed $size
    done
    right --size 1003 --width 1
    right --size 1003 --width 1003
}

@test "step13c: other angles, and smaller groups" {
    for angle in 0 45 90 180 359; do
        right --size 5003 --angle $angle
    done
    LOCKSTEP_MAX_GROUP=100 right --size 5003
    LOCKSTEP_MAX_GROUP=7 right --size 5003
    says 2 "--angle" "$STEM" --size 9 --angle 360
}

@test "step13c: what is written can be read; after four turns by 90 degrees it is the same" {
    cd "$BATS_TEST_TMPDIR"
    right --size 4096 --width 64 --angle 0 --output 0.png
    right --input 0.png --angle 90 --output 1.png
    run -1 cmp -s 0.png 1.png
    for turn in 1 2 3; do
        right --input $turn.png --angle 90 --output $((turn + 1)).png
    done
    cmp 0.png 4.png
    says 2 "has a size of its own" "$STEM" --input 0.png --width 3
    says 2 "cannot read no-such.png" "$STEM" --input no-such.png
    says 2 "cannot write /: Is a directory" "$STEM" --size 9 --repeats 1 --output /
}

@test "step13c: lens: four scattered loads, or a read of four texels for each lane" {
    counts 129600 \
        "buffer_bilinear (width=480 height=270 cosine=0.866025 sine=0.5), 480 x 272 items in groups of 32 x 8: 32.0 of 32" \
        "load in 16200 x 32.0 lanes 15.54 sectors (ideal 3.97) 14.08 lines" \
        "12.52 sectors (ideal 3.97) 7.09 lines" \
        "load in (image) 4050 x 32.0 lanes 32.00 texels, 29.24 of them different" \
        "load in (image) 4050 x 32.0 lanes 128.00 texels, 65.29 of them different" \
        "store out 4050 x 32.0 lanes 4.00 sectors (ideal 4.00)"
}

# nearest ANGLE KERNEL TEXT ... : the lens's report on a turn of a square has each text.
nearest() {
    run -0 lens --quiet --all "$BUILT/$STEM" --repeats 1 --size 147456 --width 384 --angle "$1"
    local report
    report=$(tr -s ' \n' ' ' <<< "${output#*"$2 ("}")
    report=${report%%store out*} # of the first launch of this kernel
    for text in "${@:3}"; do
        [[ $report == *"$text"* ]] || { echo "not there: $text"; return 1; }
    done
}

@test "step13c: lens: rows and columns, in a buffer and in an image" {
    nearest 0 buffer_nearest "load in 4096 x 32.0 lanes 4.00 sectors (ideal 4.00) 1.00 lines"
    nearest 0 image_nearest "32.00 of them different 8.00 sectors (ideal 4.00) 4.00 lines"
    nearest 90 buffer_nearest "load in 4096 x 32.0 lanes 32.00 sectors (ideal 4.00) 32.00 lines"
    nearest 90 image_nearest "32.00 of them different 16.00 sectors (ideal 4.00) 8.00 lines"
    nearest 30 buffer_nearest "load in 4096 x 32.0 lanes 16.98 sectors (ideal 3.89) 15.71 lines"
    nearest 30 image_nearest "12.90 sectors (ideal 3.89) 7.29 lines"
}

@test "step13c: no race in any kernel" {
    no_races --size 5000
}

@test "step13c: every known mistake is refused, and told from all others" {
    mistakes_refused
}

@test "step13c: exercise: begins right, but reads four times, and ours passes with margin" {
    exercise_begins 'NOT YET'
    exercise_solved
}

@test "step13c: exercise: what knows one answer does not pass" {
    cheats_fail
}

@test "step13c: exercise: predictions and hints" {
    predictions_hold
    hints_help
}
