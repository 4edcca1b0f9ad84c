load helper.bash

@test "step10c: every row is right at an odd size, and csv has nothing but rows" {
    right --size 20011 --format csv
    [ "${#lines[@]}" -eq 8 ] # the heading, six rows, the headline
    # (A row too short for the clock has a doubt in place of its note.)
    for row in 'halving;launches: 15' 'halving, then one group;launches: 4' \
        'by groups, 1 each;launches: 2' 'few numbers, halving;' 'few numbers, by groups;'; do
        [[ $output =~ \"${row%;*}\",[^$'\n']*(\"${row#*;}|bound|cache|limit) ]]
    done
}

@test "step10c: size 1, fewer than a group, and sizes that nothing divides" {
    right --size 1
    [[ $output != *"all launches after"* ]] # there are none
    right --size 31 --seed 4
    right --size 1003 --lanes 8
    right --size 100003 --lanes 64
    LOCKSTEP_MAX_GROUP=2 right --all --size 1003
    LOCKSTEP_MAX_GROUP=1 says 77 "this step needs groups of at least 2 work-items" "$STEM"
}

@test "step10c: the last launches of halving, and how long they take, if that is known" {
    right --size 3001 --repeats 3
    [[ $output == *$'\nfew launches, not many\n'* ]]
    [[ $output != *"all launches"* || $output == *"all launches after the first "*"% of the time."* ]]
    [[ $output != *"only the first"* ]]
}

@test "step10c: lens: one tree for 4096 numbers, and tiny launches in the end" {
    counts 8192 "sum_groups (n=8192 each=16), 512 items in groups of 256: 31.5 of 32 lanes busy" \
        "sum_groups (n=4096 each=16), 256 items" "1 group of 8 warps; 9.00 barriers in each" \
        "halve (n=8192), 4096 items in groups of 256: 32.0 of 32 lanes busy" \
        "halve (n=2), 256 items in groups of 256"
}

@test "step10c: no race in any kernel" {
    no_races --size 5003
}

@test "step10c: every known mistake is refused, and told from all others" {
    mistakes_refused
}

@test "step10c: exercise: begins right but with many trees, and ours passes with margin" {
    exercise_begins 'NOT YET'
    exercise_solved
}

@test "step10c: exercise: what knows one answer does not pass" {
    cheats_fail
}

@test "step10c: exercise: predictions and hints" {
    predictions_hold
    hints_help
}
