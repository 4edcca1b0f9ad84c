load helper.bash

@test "step14: every order is right, at its default size and with other data" {
    right --format csv
    local more=0 # on a GPU a row for 2^20 hits
    [[ $output != *'"2^20"'* ]] || more=1
    [ "${#lines[@]}" -eq $((9 + more)) ] # the heading, seven rows, the headline
    [[ $output == *'"arrival order"'*'"2^16"'*'"all sorted"'*'"all sorted, stable"'* ]]
    right --size 100003 --seed 5 --lanes 8
}

@test "step14: size 1, fewer than a group, and sizes that no partition divides" {
    for size in 1 2 31 1003; do
        right --size $size
    done
}

@test "step14: groups of 100" {
    LOCKSTEP_MAX_GROUP=100 right --size 1003
}

@test "step14: says and the lens counts what a warp meets, lines and pages" {
    right --size 16000 --lanes 8
    [[ $(tr -s ' ' <<< "$output") == *"2^10 1.04 7.66 1.00"* ]]
    right --size 16000
    # Materials, lines and pages of a warp; sectors of a group, of which the last is half full.
    local met=("arrival order 5.86 1.00 1.00 31.7" "2^8 1.63 7.92 1.00 31.7"
        "2^10 1.15 21.75 1.00 114.6" "2^12 1.04 30.42 4.00 179.0"
        "all sorted 1.01 31.44 14.42 248.2" "all sorted, stable 1.01 6.65 1.18 128.3")
    for line in "${met[@]}"; do
        [[ $(tr -s ' ' <<< "$output") == *"$line"* ]] || { echo "not there: $line"; return 1; }
    done
    run -0 lens --quiet --all "$BUILT/$STEM" --repeats 1 --size 16000
    [ "$(sed -n 's/^ *load x .* lanes *\([0-9.]* sectors\) .*) *\([0-9.]* lines\) .* used .* \([0-9.]* pages\)/\1 \2 \3/p' <<< "$output")" = "4.00 sectors 1.00 lines 1.00 pages
21.91 sectors 7.92 lines 1.00 pages
29.59 sectors 21.75 lines 1.00 pages
31.42 sectors 30.42 lines 4.00 pages
32.00 sectors 31.44 lines 14.42 pages
16.60 sectors 6.65 lines 1.18 pages" ]
    [[ $output == *" 500 of 500 diverged"*"partition=256), "*": 18.9 of 32 lanes busy"*"partition=1024), "*": 27.5 of 32"* ]]
    [ "$(grep -c 'load list .* 4\.00 sectors (ideal 4\.00) ' <<< "$output")" -eq 5 ]
}

@test "step14: the picture is a PNG file, with a pixel for each hit" {
    right --size 10007 --output "$BATS_TEST_TMPDIR/marbles.png"
    [ "$(od -An -tx1 -N8 "$BATS_TEST_TMPDIR/marbles.png" | tr -d ' ')" = 89504e470d0a1a0a ]
    # 101 x 100 pixels: 10007 hits, and 93 that are black.
    [ "$(od -An -tu1 -j16 -N8 "$BATS_TEST_TMPDIR/marbles.png" | tr -s ' ')" = " 0 0 0 101 0 0 0 100" ]
}

@test "step14: what cannot be written, or does not fit, is an error with a hint" {
    says 2 "cannot write" "$STEM" --size 100 --repeats 1 --output "$BATS_TEST_TMPDIR/no/such.png"
    says 2 "cannot write /: Is a directory" "$STEM" --size 100 --repeats 1 --output /
    says 2 "are too many for" "$STEM" --size 100000000000
    [ -e /dev/full ] || skip "no /dev/full here"
    ln -s /dev/full "$BATS_TEST_TMPDIR/full.png"
    says 2 "No space left" "$STEM" --size 20000 --repeats 1 --output "$BATS_TEST_TMPDIR/full.png"
    [ -L "$BATS_TEST_TMPDIR/full.png" ] # an error removes nothing
}

@test "step14: no race in any kernel" {
    no_races --size 3003
}

@test "step14: every known mistake is refused, and told from all others" {
    mistakes_refused
}

@test "step14: exercise: begins right but in arrival order, and ours passes with margin" {
    exercise_begins 'NOT YET'
    exercise_solved
}

@test "step14: exercise: what knows one answer does not pass" {
    cheats_fail
}

@test "step14: exercise: predictions and hints" {
    predictions_hold
    hints_help
}
