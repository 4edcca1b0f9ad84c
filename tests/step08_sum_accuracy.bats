load helper.bash

# note NAME : what stands behind the first row of that name in $output, a csv.
note() {
    awk -F '"' -v name="$1" '$4 == name { print $(NF - 1); exit }' <<< "$output"
}

@test "step08: every way to add gives the host's bits" {
    right --format csv
    [ "${#lines[@]}" -ge 13 ]
}

@test "step08: the article's three sums" {
    right --size 1048576 --format csv
    [ "$(note "one after another")" = 1165568.5 ]
    [ "$(note "32 x 32, then the rest")" = 1153421.75 ]
    [ "$(note "tree, then the rest")" = 1153421.75 ]
    [ "$(note "tree to the end")" = 1153433.625 ]
}

@test "step08: size 1, fewer than a group, and sizes that nothing divides" {
    for size in 1 2 31 255 1003 1025 100003; do
        right --size $size
    done
}

@test "step08: ten million numbers" {
    right --size 10000000
}

@test "step08: with care, half an ulp is all that is lost" {
    right --size 1048576
    for way in Neumaier "float pairs" "fixed point" double; do
        grep -E "^$way +0\.[0-4][0-9] +0\.[0-4][0-9] +0\.[0-4][0-9]$" <<< "$output" ||
            grep "no $way" <<< "$output"
    done
}

@test "step08: fixed point gives one answer in any order" {
    right --size 1048576 --format csv
    [ "$(note "fixed point, any order")" = "1 answer in 10 runs" ]
    [[ $(note "floats, any order") == *" in 10 runs" ]]
}

@test "step08: the plot fits 80 columns, and belongs to the table" {
    right --size 1048576
    [[ $output == *"    n = 16 "*" 1048576"* ]]
    [ -z "$(grep -A 30 'n random numbers' <<< "$output" | grep -E '^.{81}| $')" ]
    right --size 65536 --format json
    [ "$(grep -vc '^{.*}$' <<< "$output")" -eq 0 ]
}

@test "step08: refuses a lost carry" {
    refuses lost_carry --size 100003
    [[ $output == *"WRONG, 1 answer in 10 runs"* ]]
}

@test "step08: lens: 65536 additions one after another, 32 and 32, 8 barriers, 1 atomic" {
    counts 65536 "load x 65536 x 1.0 lanes" \
        "load x 2048 x 32.0 lanes 4.00 sectors (ideal 4.00)" \
        "load stage 2048 x 32.0 lanes 1.00 passes (ideal 1.00)" \
        "barrier 8.00 per group" \
        "64 in all, 64 on one address" \
        "1024 in all, 1024 on one address"
}

@test "step08: races: none, but for a tree without barriers" {
    run -0 lens --races --quiet "$BUILT/$STEM" --repeats 1 --size 65536
    [[ $output == "no mistake found in "* ]]
    run -1 lens --races --quiet "$BUILT/$STEM" --repeats 1 --size 65536 \
        --kernel "$(mistake missing_barrier)"
    [[ $output == *"data race: tree in local memory"* ]]
}

@test "step08: every known mistake is refused, and told from all others" {
    mistakes_refused
}

@test "step08: exercise: begins as a plain sum, and ours passes with margin" {
    exercise_begins WRONG
    exercise_solved
}

@test "step08: exercise: what knows one answer does not pass" {
    cheats_fail
}

@test "step08: exercise: predictions and hints" {
    predictions_hold
    hints_help
}
