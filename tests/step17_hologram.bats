load helper.bash

@test "step17: all variants are right, also at sizes that nothing divides, and in small groups" {
    right --size 1003 --all --format csv
    [ "${#lines[@]}" -eq 10 ] # the heading, eight rows, the headline
    [[ $output == *'"nothing but sines"'*'"sin, cos of radians"'*'"points in local memory"'* ]]
    [[ $output == *'"8 pixels each"'*'"split between units"'*'"vectors, polynomials"'* ]]
    for size in 1 31 1003; do
        right --size $size --seed $size
    done
    LOCKSTEP_MAX_GROUP=100 right --size 1003 --all
}

# sides FILE : width and height, as a PNG file has them.
sides() {
    od -An -tu1 -j16 -N8 "$1" | awk '{ print $3 * 256 + $4, $7 * 256 + $8 }'
}

@test "step17: small errors, points of a file as near as they may be, and a picture" {
    cd "$BATS_TEST_TMPDIR"
    right --size 5003 # each row takes longer than a launch
    small_errors 5
    right --size 1003 --output hologram.png
    [ "$(sides hologram.png)" = "42 23" ]
    echo "0.1 -0.05 8.1" > points.txt
    right --size 1003 --points points.txt
    [[ $output == *"42 x 23 pixels, 1 points about 8.1 mm away"* ]]
}

# with_points TEXT : the step with these lines for points.
with_points() {
    printf "%b" "$1" > points.txt
    "$STEM" --size 40000 --repeats 1 --points points.txt
}

@test "step17: points that cannot be: where, and why" {
    cd "$BATS_TEST_TMPDIR"
    says 2 "points.txt:2: not three numbers: '1 2'" with_points "0 0 200\n1 2\n"
    says 2 "points.txt:1: not three numbers: '0 0 200 1'" with_points "0 0 200 1"
    says 2 "points.txt:1: this point is beside the picture" with_points "1.1 0 200\n"
    says 2 "points.txt:1: this point is beside the picture" with_points "0 nan 200\n"
    says 2 "points.txt:3: z is 40 mm" with_points "0 0 200\n0 0 300\r\n0.5 0 40\n"
    [[ $stderr == *"this point needs 47.04 mm"* ]]
    says 2 "points.txt:1: z is inf mm" with_points "0 0 inf\n"
    says 2 "points.txt:2: z is 2e+06 mm" with_points "0 0 200\n0 0 2e6\n"
    [[ $stderr == *"at most 1000000 mm are possible"* ]]
    says 2 "points.txt:1: z is 40 mm" with_points "\\xef\\xbb\\xbf0.5 0 40\n" # a byte order mark
    says 2 "points.txt has no points" with_points ""
    says 2 "cannot read missing.txt" "$STEM" --points missing.txt
    says 2 "has no points" "$STEM" --points .
    yes "0 0 200" | head -n 262145 > points.txt
    says 2 "points.txt:262145: too many points" "$STEM" --size 40000 --points points.txt
}

@test "step17: options that cannot be" {
    says 2 "are too many for" "$STEM" --size 1000000000000
    says 2 "pixels are too many" "$STEM" --size 20000000
    says 2 "cannot write" "$STEM" --size 31 --output /nowhere/hologram.png
}

@test "step17: lens: a point is one sector, and a batch of them is read once for 8 pixels" {
    counts 5184 "hologram_direct (count=648 width=96 height=54), 96 x 56 items" \
        "load points 9072 x 32.0 lanes 1.00 sectors (ideal 1.00) 1.00 lines" \
        "load batch 10368 x 32.0 lanes 2.00 passes (ideal 2.00)"
}

@test "step17: no race in any kernel" {
    no_races --size 2103 --all
}

@test "step17: every known mistake is refused, and told from all others" {
    mistakes_refused
}

@test "step17: exercise: begins right but split by lanes, and ours passes with margin" {
    exercise_begins 'NOT YET'
    exercise_solved
}

@test "step17: exercise: what knows one answer does not pass" {
    cheats_fail
}

@test "step17: exercise: predictions and hints" {
    predictions_hold
    hints_help
}
