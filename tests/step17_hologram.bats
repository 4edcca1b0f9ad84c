load helper.bash

@test "step17: every rung is right, so are the phase and the way back" {
    right --quick --format csv
    [ "${#lines[@]}" -ge 11 ] # 12 on a CPU
    [[ $output == *'"sin, cos of radians"'*'"split between units"'*'"rows times columns"'* ]]
    [[ $output == *'"nothing but sines"'*'"phase"'*'"back to the points"'* ]]
    right --size 1003 --format json
    [[ $output != *"Gone back"* ]]
}

@test "step17: one pixel, fewer than a group, and sizes that nothing divides" {
    for size in 1 31 1003 10007; do
        right --size $size
    done
}

# sides FILE : width and height, as a PNG file has them.
sides() {
    od -An -tu1 -j16 -N8 "$1" | awk '{ print $3 * 256 + $4, $7 * 256 + $8 }'
}

# brighter FACTOR : in this output, points are more than so many times as bright as all.
brighter() {
    awk -v least="$1" '/^Gone back/ { found = $5 > least } END { exit !found }' <<< "$output"
}

@test "step17: small errors, and both pictures" {
    cd "$BATS_TEST_TMPDIR"
    right --size 5000 --output hologram.png --reconstruction seen.png
    awk -F 'error ' '/native, of radians/ { next }
        NF > 1 && $2 + 0 > 2e-4 { exit 1 }' <<< "$output"
    brighter 3
    [ "$(sides hologram.png) $(sides seen.png)" = "94 53 94 53" ]
    right --size 5000 --reconstruction blurred.png --depth 30
    ! cmp seen.png blurred.png
}

@test "step17: light of one point gathers in one place" {
    echo "-0.0005 0.0005 30" > "$BATS_TEST_TMPDIR/point.txt"
    right --size 5000 --points "$BATS_TEST_TMPDIR/point.txt"
    brighter 100
}

@test "step17: no progress bar where nobody watches" {
    run --separate-stderr "$STEM" --size 1003 --repeats 1
    [ -z "$stderr" ]
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
    says 2 "points.txt has no points" with_points ""
    says 2 "cannot read missing.txt" "$STEM" --points missing.txt
    says 2 "has no points" "$STEM" --points .
    yes "0 0 200" | head -n 262145 > points.txt
    says 2 "points.txt:262145: too many points" "$STEM" --size 40000 --points points.txt
}

@test "step17: options that cannot be" {
    says 2 "are too many for" "$STEM" --size 1000000000000
    says 2 "pixels are too many" "$STEM" --size 20000000
    says 2 "--depth needs" "$STEM" --depth far
    says 2 "cannot write" "$STEM" --size 31 --repeats 1 --output /nowhere/hologram.png
    says 2 "'yes' is not expected here" "$STEM" --quick yes
}

@test "step17: lens: a point is one sector, a batch of them 4 passes, factors 2" {
    counts 5184 "hologram_direct (count=648 width=96 first=0 last=54), 96 x 56 items" \
        "load points 9072 x 32.0 lanes 1.00 sectors (ideal 1.00) 1.00 lines" \
        "load points 42 x 30.9 lanes 15.43 sectors (ideal 15.43)" \
        "load batch 10368 x 32.0 lanes 1.00 passes (ideal 1.00)" \
        "load column_re 10496 x 32.0 lanes 2.00 passes (ideal 2.00)" \
        "load row_re 5248 x 32.0 lanes 1.00 passes (ideal 1.00)"
}

@test "step17: no race in any kernel" {
    no_races --size 5000
}

@test "step17: every known mistake is refused, and told from all others" {
    mistakes_refused
}

@test "step17: exercise: begins right but eight times, and ours passes with margin" {
    exercise_begins SHAPE
    exercise_solved
}

@test "step17: exercise: what knows one answer does not pass" {
    cheats_fail
}

@test "step17: exercise: predictions and hints" {
    predictions_hold
    hints_help
}
