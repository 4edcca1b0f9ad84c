load helper.bash

@test "step06: every rung and every finish is right, small and large" {
    right --format csv
    [ "${#lines[@]}" -eq 19 ]
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

@test "step06: refuses a tree that loses the odd one out" {
    refuses power_of_two_group
}

@test "step06: refuses a tree whose odd one out adds an old value" {
    refuses odd_one_from_before
}

@test "step06: refuses a lost second load" {
    refuses lost_second_load
}

@test "step06: refuses a lost tail behind the last tile" {
    refuses lost_tile_tail
}

@test "step06: refuses a last group that leaves out a sum" {
    refuses lost_last_group
}

@test "step06: refuses a last group that is never forgotten" {
    refuses finished_not_reset
}

@test "step06: the classic last warp without barriers is a race" {
    races_refuses last_warp_without_barrier
}

@test "step06: a missing barrier after the first store is a race" {
    races_refuses no_barrier_after_store
}

@test "step06: a missing barrier between the rounds is a race" {
    races_refuses no_barrier_in_rounds
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
