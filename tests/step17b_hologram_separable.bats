load helper.bash

@test "step17b: pairs and factors are right, with small errors, and so is the way back" {
    cd "$BATS_TEST_TMPDIR"
    right --size 10001 # each row takes longer than a launch
    small_errors 5
    right --size 3001 --reconstruction seen.png
    [ "$(grep -cE '  right(,|$)' <<< "$output")" -eq 6 ] # five kernels that make a field, and the way back
    brighter 3
    [ "$(sides seen.png)" = "73 41" ]
    right --size 3001 --reconstruction blurred.png --depth 200
    [[ $output != *"Back at their depth"* ]]
    run -1 cmp -s seen.png blurred.png
}

# sides FILE : width and height, as a PNG file has them.
sides() {
    od -An -tu1 -j16 -N8 "$1" | awk '{ print $3 * 256 + $4, $7 * 256 + $8 }'
}

# brighter FACTOR : in this output, points are more than so many times as bright as all.
brighter() {
    awk -v least="$1" '/^Back at their depth/ { found = $9 > least } END { exit !found }' <<< "$output"
}

@test "step17b: one pixel, fewer than a group, sizes that nothing divides, small groups" {
    for size in 1 31 1003; do
        right --size $size
    done
    right --size 100003 --points <(echo "0 0 100")
    LOCKSTEP_MAX_GROUP=100 right --size 1003
    LOCKSTEP_MAX_GROUP=16 right --size 31
    LOCKSTEP_MAX_GROUP=8 says 77 "this step needs groups of at least 16 work-items" \
        "$STEM" --size 31 --repeats 1
}

@test "step17b: light of one point gathers in one place" {
    echo "-0.0005 0.0005 30" > "$BATS_TEST_TMPDIR/point.txt"
    right --size 5000 --points "$BATS_TEST_TMPDIR/point.txt"
    brighter 100
}

# with_points TEXT ARGUMENTS : the step with these lines for points.
with_points() {
    printf "%b" "$1" > points.txt
    "$STEM" --repeats 1 --points points.txt --size "${2:-40000}"
}

@test "step17b: points that cannot be: where, and why" {
    cd "$BATS_TEST_TMPDIR"
    says 2 "points.txt:2: not three numbers: '1 2'" with_points "0 0 200\n1 2\n"
    says 2 "points.txt:1: not three numbers: '0 0 200 1'" with_points "0 0 200 1"
    says 2 "points.txt:1: this point is beside the picture" with_points "1.1 0 200\n"
    says 2 "points.txt:1: this point is beside the picture" with_points "0 nan 200\n"
    says 2 "points.txt:3: z is 40 mm" with_points "0 0 200\n0 0 300\r\n0.5 0 40\n"
    says 2 "points.txt:1: z is inf mm" with_points "0 0 inf\n"
    says 2 "points.txt has no points" with_points ""
    says 2 "cannot read missing.txt" "$STEM" --points missing.txt
    says 2 "has no points" "$STEM" --points .
    says 2 "point 2 is 500 mm away: too near for Fresnel's phase" with_points "0 0 500\n7 4 500" 2073600
    yes "0 0 200" | head -n 262145 > points.txt
    says 2 "points.txt:262145: too many points" "$STEM" --size 40000 --points points.txt
}

@test "step17b: options that cannot be" {
    says 2 "are too many for" "$STEM" --size 1000000000000
    says 2 "--depth needs" "$STEM" --depth far
    says 2 "cannot write" "$STEM" --size 31 --repeats 1 --reconstruction /nowhere/seen.png
}

@test "step17b: lens: factors are 32 for each point and group, in place of 256 sines" {
    counts 576 "hologram_pairs (count=72 width=32 height=18), 32 x 24 items in groups of 32 x 8" \
        "load points 1296 x 32.0 lanes 1.00 sectors (ideal 1.00) 1.00 lines" \
        "4 groups of 8 warps; 6.00 barriers in each" \
        "load points 288 x 32.0 lanes 1.00 sectors (ideal 1.00)" \
        "store factors 288 x 32.0 lanes 2.00 passes (ideal 2.00)" \
        "load factors 2304 x 32.0 lanes 2.00 passes (ideal 2.00)" \
        "load factors 2304 x 32.0 lanes 1.00 passes (ideal 1.00)" \
        "load column_re 1280 x 32.0 lanes 4.00 passes (ideal 4.00)" \
        "load row_re 640 x 32.0 lanes 2.00 passes (ideal 2.00)"
}

@test "step17b: no race in any kernel" {
    no_races --size 300
}

@test "step17b: every known mistake is refused, and told from all others" {
    mistakes_refused
}

@test "step17b: exercise: begins right but with too many sines, and ours passes with margin" {
    exercise_begins 'NOT YET'
    exercise_solved
}

@test "step17b: exercise: what knows one answer does not pass" {
    cheats_fail
}

@test "step17b: exercise: predictions and hints" {
    predictions_hold
    hints_help
}
