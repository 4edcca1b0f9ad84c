load helper.bash

@test "step03: one work-item and 32 find the same sum" {
    right --format csv
    [ "${#lines[@]}" -eq 4 ] # the heading, two rows, the headline
}

@test "step03: size 1, fewer than 32, and sizes that 32 does not divide" {
    for size in 1 31 33 100003; do
        right --size $size
    done
}

@test "step03: lens: 32 neighbouring lanes touch 4 sectors" {
    counts 1000 "dot_coalesced (n=1000), 32 items in groups of 32" "branch 1 of 33 diverged"
    counts 1024 "dot_single (n=1024), 1 item in groups of 1: 1.0 of 32 lanes busy" \
        "load x 32 x 32.0 lanes 4.00 sectors (ideal 4.00) 1.00 lines 100.0 % used" \
        "[01234567][89abcdef][ghijklmn][opqrstuv]"
}

@test "step03: every known mistake is refused, and told from all others" {
    mistakes_refused
}

@test "step03: exercise: begins right but alone, and ours passes with margin" {
    exercise_begins 'NOT YET'
    exercise_solved
}

@test "step03: exercise: what knows one answer does not pass" {
    cheats_fail
}

@test "step03: exercise: predictions and hints" {
    predictions_hold
    hints_help
}
