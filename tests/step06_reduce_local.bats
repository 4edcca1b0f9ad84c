load helper.bash

@test "step06: six variants, and each group's sum is right" {
    right --size 1048577 --format csv
    [ "${#lines[@]}" -eq 8 ] # the heading, six rows, the headline
    [[ $output == *'"interleaved, divergent"'*'"64, four loads in flight"'* ]]
}

@test "step06: size 1, fewer than a group, sizes that nothing divides, and another seed" {
    for size in 1 31 1003 100003; do
        right --size $size --seed $size
    done
}

@test "step06: a device that allows only small groups" {
    quickly
    LOCKSTEP_MAX_GROUP=100 right --size 30011
    LOCKSTEP_MAX_GROUP=64 right --size 30011 # has no groups of 100, and need not have them
}

@test "step06: what is wrong is named: which group, and groups of how many" {
    quickly
    run -1 "$STEM" --size 1003 --repeats 1 --kernel "$(mistake power_of_two_group)"
    [[ $output == *"wrong: sums["*" is "*", expected "*" (group "*"that was sequential, in groups of 100"* ]]
}

@test "step06: no race in any kernel" {
    no_races --size 20003
}

@test "step06: lens: 5.4 of 32 lanes, then 4.75 bank passes, then neither" {
    counts 65536 "load t 3040 x 5.4 lanes 1.00 passes" \
        "load t 640 x 25.6 lanes 4.75 passes (ideal 1.00)" \
        "load t 640 x 25.6 lanes 1.00 passes (ideal 1.00)" \
        "9.00 per group" "pass 2 g.h.i.j.k.l.m.n.o.p.q.r.s.t.u.v." \
        "reduce_local_two (n=65536), 32768 items in groups of 512" \
        "reduce_local_many (n=65536), 1024 items in groups of 512" \
        "reduce_local_in_flight (n=65536), 1024 items in groups of 512"
}

@test "step06: every known mistake is refused, and told from all others" {
    mistakes_refused
}

@test "step06: exercise: begins with a race, and ours passes with margin" {
    exercise_begins RACE
    exercise_solved
}

@test "step06: exercise: its page's --all-sizes finds the race of the start, and nothing in the other mistake" {
    cd "$ROOT"
    assembled "docs/exercises/$STEM.md"
    command=$(sed -n 's/^    \(build\/lens kernel .*\)\\$/\1/p; s/^ *\(.reduce_local_sequential(.*\)$/\1/p' \
        "docs/exercises/$STEM.md" | paste -s -d ' ' -)
    [[ $command == "build/lens kernel work/$STEM.cl "*" 'reduce_local_sequential("* ]]
    command=${command//work\/$STEM.cl/\'$file\'} command=${command//build\//\'$BUILT\'\/}
    run -1 sh -c "$command"
    [[ $output == *"fails: n=1, --global 3 --local 3; the only smaller one does not"*"data race: t in local memory"* ]]
    sed -i 's/^    for (uint half_size/    barrier(CLK_LOCAL_MEM_FENCE);\n&/' "$file"
    run -0 sh -c "$command"
    [[ $output == *"no data race, out-of-bounds access or uninitialised read in "* ]]
}

@test "step06: exercise: what knows one answer does not pass" {
    cheats_fail
}

@test "step06: exercise: predictions and hints" {
    predictions_hold
    hints_help
}
