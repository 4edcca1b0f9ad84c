load helper.bash

# note NAME : what stands behind the row of that name in $output, a csv, and behind a doubt.
note() {
    awk -F '"' -v name="$1" '$4 == name { print $(NF - 1); exit }' <<< "$output" | sed 's/^[a-z]*-bound, //'
}

@test "step08: the article's three sums, and every order gives the host's bits" {
    right --format csv --seed 5
    [ "${#lines[@]}" -eq 10 ] # the heading, eight rows, the headline
    [ "$(note "one after another, 1.1f")" = 1165568.5 ]
    [ "$(note "blocked, 32 x 32, 1.1f")" = 1153421.75 ]
    [ "$(note "pairwise, 1.1f")" = 1153433.625 ]
    [[ $(note "pairwise, 0..1") == "error 0."*" ulp" ]]
    right --format csv --size 1000003 # then the same numbers are timed, with the same bits
    [[ $(note "time: pairwise") == "$(note "pairwise, 0..1")" || $(note "time: pairwise") != error* ]]
}

@test "step08: the screen says how far the article's sums are off" {
    right
    [[ $output == *"1048576 times 1.100000024 is 1153433.625: 97079, 95, 0 ulp off."* ]]
}

# The headline compares two orders, so nothing else may differ.
@test "step08: what is timed against each other has equally many work-items and elements" {
    run -0 lens --quiet --format tsv "$BUILT/$STEM" --repeats 1 --size 70001
    [ "$(awk -F '\t' '$1 == "launch" && $2 ~ /sum_(blocked|pairwise)/ { print $3, $4, $5 }' <<< "$output" |
        sort -u)" = "n=70001 2208x1x1 32x1x1" ]
}

@test "step08: --all shows how errors grow, and none is larger than its bound" {
    right --all --size 5003 --format csv
    [ "${#lines[@]}" -eq 25 ] # and 15 rows, for 16, 64 ... 4096
    pages plots --data step08-errors <(echo "$output") > "$BATS_TEST_TMPDIR/errors"
    [ "$(grep -c '^[0-9]' "$BATS_TEST_TMPDIR/errors")" -eq 5 ]
    awk '!/^[0-9]/ { next } { seen++; for (i = 2; i <= 4; i++) bad = bad || !($i <= $(i + 3)) }
        END { exit bad || !seen }' "$BATS_TEST_TMPDIR/errors"
}

@test "step08: size 1, fewer than a group, and sizes that nothing divides" {
    for size in 1 31 1003 100003 1048579; do
        right --size $size
    done
}

@test "step08: a sum that ends at 2^20 elements is right there, and refused behind" {
    local capped=$BATS_TEST_TMPDIR/capped.cl
    sed 's/i < n; i++/i < min(n, 1u << 20); i++/' "$ROOT/kernels/$STEM.cl" > "$capped"
    right --kernel "$capped"
    run -1 "$STEM" --repeats 1 --kernel "$capped" --size 1048579
    [[ $output == *WRONG* ]]
}

@test "step08: lens: one lane adds 65536 numbers, 32 lanes do, and a tree has 10 barriers" {
    counts 65536 "load x 65536 x 1.0 lanes" \
        "load x 2048 x 32.0 lanes 4.00 sectors (ideal 4.00)" \
        "load lane_sums 2048 x 1.0 lanes 1.00 passes (ideal 1.00)" \
        "sum_single (n=65536), 1 item in groups of 1: 1.0 of 32 lanes busy" \
        "sum_pairwise (n=65536), 2048 items in groups of 32: 30.2 of 32 lanes busy" \
        "barrier 10.00 per group"
}

@test "step08: races: none" {
    no_races --size 10007
}

@test "step08: every known mistake is refused, and told from all others" {
    mistakes_refused
}

@test "step08: exercise: begins in order, and ours passes with margin" {
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
