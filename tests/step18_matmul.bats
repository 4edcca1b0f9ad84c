load helper.bash

@test "step18: every rung is right, and so are plain C's rows" {
    right --format csv
    [[ $output == *'"naive"'*'"coalesced"'*'"local tile"'* ]]
    [[ $output == *'"plain C, host clock"'* ]]
    [ -z "$("$STEM" --repeats 1 --size 400 --format csv | grep -v '^step,\|^"step18')" ]
}

@test "step18: size 1, and sides that no tile divides" {
    for size in 1 30 10007 16641; do
        right --size $size
    done
}

@test "step18: any m, n and k: a row, a column, one slab and a bit, tiles and their edges" {
    right --m 1 --n 300 --k 7
    right --m 300 --n 1 --k 129
    right --m 129 --n 260 --k 12
    right --m 128 --n 256 --k 20
    right --m 2 --n 3 --k 1048576
}

@test "step18: says how near it comes to the paper's share, and where it stands" {
    right --size 10000
    [[ $output == *"100 x 100 times 100 x 100:"* ]]
    [[ $output == *"largest error: "*" of |A| |B|; "*" is allowed"* ]]
    [[ $output == *"Plain C computed "*"against it, by the host's clock: "* ]]
    [[ $output == *"flop/byte"* || $output == *"No roofline"* ]]
}

@test "step18: a peer is checked, and timed in turn with our best" {
    "${CC:-cc}" -O2 -shared -fPIC -o "$BATS_TEST_TMPDIR/plain.so" \
        "$ROOT/tests/peers/matmul_plain.c"
    right --size 10007 --peer "$BATS_TEST_TMPDIR/plain.so" --format csv
    [[ $output == *'"C in blocks, host clock"'*'"'*', host clock"'* ]]
    [[ $(grep 'host clock' <<< "$output" | tail -n 1) =~ times\ (faster|slower)\ \(|not\ told\ apart|launch-bound ]]
}

@test "step18: a peer that is wrong is WRONG" {
    sed 's/first < depth; first/first + BLOCK <= depth; first/' \
        "$ROOT/tests/peers/matmul_plain.c" > "$BATS_TEST_TMPDIR/lost.c"
    "${CC:-cc}" -O2 -shared -fPIC -iquote "$ROOT/tests/peers" \
        -o "$BATS_TEST_TMPDIR/lost.so" "$BATS_TEST_TMPDIR/lost.c"
    run -1 "$STEM" --repeats 1 --m 20 --n 30 --k 200 --peer "$BATS_TEST_TMPDIR/lost.so"
    [[ $output == *"C in blocks, host clock"*WRONG* ]]
}

@test "step18: says what is wrong with an option" {
    echo 'int nothing;' | "${CC:-cc}" -shared -fPIC -x c - -o "$BATS_TEST_TMPDIR/none.so"
    says 2 "cannot load ./nosuch.so" "$STEM" --peer nosuch.so
    says 2 "cannot load $ROOT/README.md" "$STEM" --peer "$ROOT/README.md"
    says 2 "has no peer_name" "$STEM" --peer "$BATS_TEST_TMPDIR/none.so"
    says 2 "--m needs a whole number from 1 to 1048576" "$STEM" --m 0
    says 2 "--k needs a whole number from 1 to 1048576" "$STEM" --k 1048577
    says 2 "--rung wants the name of a row" "$STEM" --rung nosuch
    says 2 "are too many" "$STEM" --size 1000000000000
}

@test "step18: lens: sectors of A and B, then passes of local memory" {
    counts 16384 "matmul_naive (m=128 n=128 k=128), 128 x 128 items in groups of 32 x 8" \
        "load A 8192 x 32.0 lanes 32.00 sectors (ideal 4.00) 32.00 lines 12.5 % used" \
        "load A 8192 x 32.0 lanes 1.00 sectors (ideal 1.00)" \
        "load B 8192 x 32.0 lanes 4.00 sectors (ideal 4.00) 1.00 lines 100.0 % used" \
        "load a 32768 x 32.0 lanes 1.00 passes (ideal 1.00)" \
        "load b 8192 x 32.0 lanes 4.00 passes (ideal 1.00)" \
        "load b 1024 x 32.0 lanes 2.00 passes (ideal 2.00)" \
        "1 group of 8 warps; 32.00 barriers in each" \
        "1 group of 8 warps; 16.00 barriers in each"
}

@test "step18: no race in any kernel, at the edges and inside" {
    no_races --size 16384
    no_races --m 131 --n 34 --k 20
}

@test "step18: every known mistake is refused, and told from all others" {
    mistakes_refused
}

@test "step18: exercise: begins right but each for itself, and ours passes with margin" {
    exercise_begins SHAPE
    exercise_solved
}

@test "step18: exercise: what knows one answer does not pass" {
    cheats_fail
}

@test "step18: exercise: predictions and hints" {
    predictions_hold
    hints_help
}
