load helper.bash

@test "step18: seven rows are right, at sides that no tile divides" {
    right --size 1003 --format csv
    [ "${#lines[@]}" -eq 9 ] # the heading, seven rows, the headline
    [[ $output == *'"naive"'*'"naive, padded"'*'"coalesced"'*'"local tile"'*'"8 of a column"'*'"8 x 8"'*'"vectors"'* ]]
    [[ $output == *'"headline: 8 x 8 sums per item, not 1"'* ]]
}

@test "step18: one element, sizes that no group divides, other seeds" {
    for size in 1 31 10007; do
        right --size $size --seed $size
    done
}

@test "step18: any m, n and k: a row, a column, a slab and a bit, whole tiles and their edges" {
    right --m 1 --n 300 --k 7
    right --m 300 --n 1 --k 129
    right --m 129 --n 260 --k 12
    right --m 128 --n 256 --k 24
    right --m 2 --n 3 --k 65536 --rung naive
    [[ $output == *"Here 2 x 65536 times 65536 x 3."* ]]
    right --m 2 --n 3 --k 8192
}

@test "step18: groups that are too large for a device are left out" {
    LOCKSTEP_MAX_GROUP=100 right --size 1003
    [[ $output == *"local tile is left out: it needs groups of 256, not of 100."* ]]
    [[ $output == *coalesced* ]]
}

@test "step18: says what is wrong with an option" {
    says 2 "--m needs a whole number from 1 to 1048576" "$STEM" --m 0
    says 2 "--k needs a whole number from 1 to 65536" "$STEM" --k 65537
    says 2 "no row is named 'nosuch'" "$STEM" --size 1 --rung nosuch
    says 2 "are too many" "$STEM" --size 1000000000000
}

@test "step18: lens: sectors of A and B, then passes of local memory" {
    counts 16384 "matmul_naive (m=128 n=128 k=128), 128 x 128 items in groups of 32 x 8" \
        "load A 8192 x 32.0 lanes 32.00 sectors (ideal 4.00) 32.00 lines 12.5 % used" \
        "load A 8192 x 32.0 lanes 1.00 sectors (ideal 1.00)" \
        "load B 8192 x 32.0 lanes 4.00 sectors (ideal 4.00) 1.00 lines 100.0 % used" \
        "load a 32768 x 32.0 lanes 1.00 passes (ideal 1.00)" \
        "load b 8192 x 32.0 lanes 4.00 passes (ideal 1.00)" \
        "load a 1024 x 32.0 lanes 2.00 passes (ideal 2.00)" \
        "load b 1024 x 32.0 lanes 4.00 passes (ideal 4.00)" \
        "1 group of 8 warps; 32.00 barriers in each"
}

@test "step18: lens: 32 numbers in one bank of the L1 cache, and with padded rows 32 lines" {
    counts 16384 "matmul_padded (m=128 n=128 k=128), 128 x 128 items in groups of 32 x 8" \
        "32.00 lines 12.5 % used 32.00 L1 passes (ideal 1.00)" \
        "32.00 lines 12.5 % used 8.00 L1 passes (ideal 1.00)"
}

@test "step18: no race in any kernel, at the edges and inside" {
    no_races --m 128 --n 128 --k 16
    no_races --m 131 --n 34 --k 20
}

@test "step18: every known mistake is refused, and told from all others" {
    mistakes_refused
}

@test "step18: exercise: begins right but each for itself, and ours passes with margin" {
    exercise_begins 'NOT YET'
    exercise_solved
}

@test "step18: exercise: what knows one answer does not pass" {
    cheats_fail
}

@test "step18: exercise: predictions and hints" {
    predictions_hold
    hints_help
}
