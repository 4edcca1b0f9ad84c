load helper.bash

@test "step10b: every row is right at an odd size, and csv has nothing but rows" {
    right --size 20011 --format csv
    [ "${#lines[@]}" -eq 12 ] # the heading, ten rows, the headline
    [[ $output == *'"1 x units groups"'*'"3 x units + 1 groups"'*'"uneven, small groups"'*'"sum by groups"'*'"launches: 2"'*'"sum by halving"'*'"launches: 15"'* ]]
}

@test "step10b: size 1, fewer than a group, more groups than one, and other widths" {
    right --size 1
    right --size 31 --seed 4
    right --size 1003 --lanes 8
    right --size 100003 --lanes 64
    right --size 1003 --all
    [[ $output == *"uneven, half as large"*"groups of 512"* ]]
}

@test "step10b: one group more is compared with a count, if the clock tells them apart" {
    right --size 3 --repeats 3
    [[ $output == *"N groups on N units"*"A sum in few launches: "* ]]
    [[ $output == *"x, by count 2.00"* || $output == *"not told apart"* ]]
}

@test "step10b: draws which unit was busy, as text, as a picture and for trace viewers" {
    right --size 31 --timeline "$BATS_TEST_TMPDIR/units.svg"
    [[ $output == *"  unit "*" ggg"*"eee"* || $output == *"no clock"* ]]
    grep -q '<svg' "$BATS_TEST_TMPDIR/units.svg"
    right --size 31 --timeline "$BATS_TEST_TMPDIR/units.json"
    grep -q '"name":"uneven, large groups"' "$BATS_TEST_TMPDIR/units.json"
    says 2 "cannot write" "$STEM" --repeats 1 --size 1 --timeline "$BATS_TEST_TMPDIR/none/x.svg"
}

@test "step10b: lens: one tree for 4096 numbers, and tiny launches in the end" {
    counts 8192 "sum_groups (n=8192 each=16), 512 items in groups of 256: 31.5 of 32 lanes busy" \
        "2 groups of 8 warps; 9.00 barriers in each" \
        "halve (n=8192), 4096 items in groups of 256: 32.0 of 32 lanes busy" \
        "halve (n=2), 256 items in groups of 256"
}

@test "step10b: no race in any kernel" {
    no_races --size 5003
}

@test "step10b: every known mistake is refused, and told from all others" {
    mistakes_refused
}

@test "step10b: exercise: begins right but with many trees, and ours passes with margin" {
    exercise_begins SHAPE
    exercise_solved
}

@test "step10b: exercise: what knows one answer does not pass" {
    cheats_fail
}

@test "step10b: exercise: predictions and hints" {
    predictions_hold
    hints_help
}
