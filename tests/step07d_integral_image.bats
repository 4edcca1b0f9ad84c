load helper.bash

@test "step07d: five orders and the boxes are right, with one headline" {
    right --size 40009 --format csv
    [ "${#lines[@]}" -eq 8 ] # the heading, six rows, the headline
    for name in "diagonals in diagonals" "diagonals of tiles" "lane rows, lane columns" \
        "group rows, lane columns" "group rows, group strips" "box sums from the table"; do
        [[ $output == *"\"$name\""* ]]
    done
}

@test "step07d: one pixel, a row, less than a tile, sides that no tile divides, another seed" {
    for size in 1 2 31 1003 100003; do
        right --size $size --seed $size
    done
}

@test "step07d: SIMD groups of 3, 8 and 64 lanes, smaller groups, and groups too small for a tile" {
    right --size 40009 --lanes 3
    right --size 40009 --lanes 8
    right --size 40009 --lanes 64
    LOCKSTEP_MAX_GROUP=100 right --size 10007
    LOCKSTEP_MAX_GROUP=16 says 77 "this step needs groups of at least 32 work-items" \
        "$STEM" --size 31 --repeats 1
}

@test "step07d: boxes of one pixel, larger than a tile, and larger than the image" {
    for radius in 0 1 40 500 65536; do
        right --size 20003 --radius $radius
    done
    says 2 "--radius needs a whole number from 0 to 65536" "$STEM" --radius 65537
}

# 256 x 128 pixels are 8 x 4 tiles, and 11 diagonals of 1, 2, 3, 4, 4, 4, 4, 4, 3, 2 and 1 of them.
@test "step07d: lens: how many tiles a diagonal has, and how many lanes are busy" {
    run -0 lens --quiet --kernel integral_image_lanes "$BUILT/$STEM" --repeats 1 --size 32768
    local report=$output
    [ "$(grep -o '^integral_image_lanes (.*), [0-9]* items' <<< "$report" | sed 's/.*, \([0-9]*\) items/\1/' | xargs)" \
        = "32 64 96 128 128 128 128 128 96 64 32" ]
    [[ $(tr -s ' ' <<< "$report") == *"load tile 63 x 16.3 lanes 1.00 passes (ideal 1.00)"* ]]
    [[ $report == *"64.00 barriers in each"* ]]
    run -0 lens --quiet --kernel integral_image_tiles "$BUILT/$STEM" --repeats 1 --size 32768
    [[ $output == *"2.00 barriers in each"* ]]
}

@test "step07d: lens: rows are scattered for a lane each, and coalesced for a group each" {
    counts 32768 "load image 1024 x 32.0 lanes 32.00 sectors (ideal 4.00)" \
        "load image 1024 x 32.0 lanes 4.00 sectors (ideal 4.00)" \
        "load table 3840 x 31.0 lanes 4.25 sectors"
    run -0 lens --quiet --kernel integral_image_column_each "$BUILT/$STEM" --repeats 1 --size 32768
    [[ $(tr -s ' ' <<< "$output") == *"load table 1024 x 32.0 lanes 4.00 sectors (ideal 4.00)"* ]]
    [[ $output == *"256 items in groups of 64"* ]]
    run -0 lens --quiet --kernel integral_image_columns "$BUILT/$STEM" --repeats 1 --size 32768
    [[ $output == *"8 groups of 8 warps; 4.00 barriers in each"* ]]
}

@test "step07d: lens: a box takes four elements, whatever its radius" {
    run -0 lens --quiet --kernel integral_image_boxes "$BUILT/$STEM" --repeats 1 --size 32768 --radius 0
    [[ $(tr -s ' ' <<< "$output") =~ 'load table '(40[0-9][0-9])' x ' ]]
    run -0 lens --quiet --kernel integral_image_boxes "$BUILT/$STEM" --repeats 1 --size 32768 --radius 40
    [[ $(tr -s ' ' <<< "$output") =~ 'load table '(3[0-9][0-9][0-9])' x ' ]]
}

@test "step07d: no race, also with several stretches and other widths" {
    no_races --size 40009
    no_races --size 10007 --lanes 8
    LOCKSTEP_MAX_GROUP=100 no_races --size 10007
}

@test "step07d: the replay's results are the device's" {
    run -0 lens --quiet --compare "$BUILT/$STEM" --repeats 1 --size 5003
    [[ $output == *"the replay's results are the device's"* ]]
}

@test "step07d: the trap: right as long as the sum of the image fits, and not beyond that" {
    right --size 100003 --kernel "$(mistake saturated)"
    refuses saturated --size 500000
}

@test "step07d: every known mistake is refused, and told from all others" {
    mistakes_refused
}

@test "step07d: exercise: begins right but reads too much, and ours passes with margin" {
    exercise_begins 'NOT YET'
    exercise_solved
}

@test "step07d: exercise: what knows one answer does not pass" {
    cheats_fail
}

@test "step07d: exercise: predictions and hints" {
    predictions_hold
    hints_help
}
