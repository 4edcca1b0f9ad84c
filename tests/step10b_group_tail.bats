load helper.bash

@test "step10b: every row is right at an odd size, and csv has nothing but rows" {
    right --size 2011 --format csv
    [ "${#lines[@]}" -eq 12 ] # the heading, ten rows, the headline
    [[ $output == *'"1 x units groups"'*'"3 x units + 1 groups"'*'"uneven, groups of 32"'*'"uneven, groups of 1024"'* ]]
}

@test "step10b: size 1, fewer than a group, more groups than one, and other widths" {
    right --size 1
    right --size 31 --seed 4
    right --size 1003 --lanes 8 --all
    [[ $output == *"uneven, groups of 64 "*"uneven, groups of 128 "*"uneven, groups of 256 "* ]]
    LOCKSTEP_MAX_GROUP=100 right --size 1003 --all
    [[ $output == *"uneven, groups of 64 "* && $output != *"groups of 128"* ]]
    right --size 100003 --lanes 64
}

@test "step10b: one group more is compared with a count, if the clock tells them apart" {
    right --size 3 --repeats 3
    [[ $output == *"N groups on N units"* ]]
    [[ $output == *"er than 1024"* || $output == *"not told apart from 1024"* || $output == *-bound* ]]
    [[ $output == *"x, ideal 2.00"* || $output == *"not told apart"* ]]
}

@test "step10b: draws which unit was busy, as text, as a picture and for trace viewers" {
    right --size 31 --timeline "$BATS_TEST_TMPDIR/units.svg"
    [[ $output == *"  unit "*" ggg"*"eee"* || $output == *"no clock"* ]]
    grep -q '<svg' "$BATS_TEST_TMPDIR/units.svg"
    right --size 31 --timeline "$BATS_TEST_TMPDIR/units.json"
    grep -q '"name":"uneven, groups of 1024"' "$BATS_TEST_TMPDIR/units.json"
    says 2 "cannot write" "$STEM" --repeats 1 --size 1 --timeline "$BATS_TEST_TMPDIR/none/x.svg"
}

@test "step10b: lens: lanes wait only for neighbours, whose chains are nearly as long" {
    local busy="27.2 of 32 lanes busy"
    right --size 1
    [[ $output == *"A core of a CPU "* ]] || busy=27. # a replay of a GPU's kernels has no clock
    counts 4000 "group_tail (n=4000), 4000 items in groups of 32: $busy" \
        "group_tail (n=4000), 4096 items in groups of 1024: $busy"
}

@test "step10b: no race in any kernel" {
    no_races --size 1003
}

@test "step10b: every known mistake is refused, and told from all others" {
    mistakes_refused
}

@test "step10b: exercise: begins right but with lanes that wait, and ours passes" {
    exercise_begins 'NOT YET'
    exercise_solved
}

@test "step10b: exercise: what knows one answer does not pass" {
    cheats_fail
}

@test "step10b: exercise: predictions and hints" {
    predictions_hold
    hints_help
}
