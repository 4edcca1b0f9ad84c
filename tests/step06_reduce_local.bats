load helper.bash

@test "step06: every rung and every finish is right, small and large" {
    right --format csv
    [ "${#lines[@]}" -eq 20 ] # the heading, 18 rows, the headline
    [[ $output == *"interleaved, divergent"*"last adds up"*"dot product"*"one block per core"* ]]
}

@test "step06: size 1, fewer than a group, and sizes that nothing divides" {
    for size in 1 31 1003 100003 1048577; do
        right --size $size
    done
}

@test "step06: the device alone gets to pi" {
    right --size 1048576
    [[ $output == *"pi is about 3.14159"* ]]
}

@test "step06: no race in any kernel" {
    no_races --size 20003
}

@test "step06: lens: 5.4 of 32 lanes, then 4.75 bank passes, then neither" {
    counts 65536 "load t 3040 x 5.4 lanes 1.00 passes" \
        "load t 640 x 25.6 lanes 4.75 passes (ideal 1.00)" \
        "load t 640 x 25.6 lanes 1.00 passes (ideal 1.00)" \
        "9.00 per group" "pass 2 g.h.i.j.k.l.m.n.o.p.q.r.s.t.u.v."
}

@test "step06: every known mistake is refused, and told from all others" {
    mistakes_refused
}

@test "step06: exercise: begins with a race, and ours passes with margin" {
    exercise_begins RACE
    exercise_solved
}

@test "step06: exercise: what knows one answer does not pass" {
    cheats_fail
}

@test "step06: exercise: predictions and hints" {
    predictions_hold
    hints_help
}
