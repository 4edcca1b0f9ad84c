load helper.bash

# The banks of local memory and of the L1: what tests/lens/banks.cl works out by hand, and
# what a GPU's profiler has counted.

# passes CALL TEXT NUMBER ... : the access behind each source text takes that many passes.
passes() {
    local call=$1 found
    run -0 lens kernel --quiet --kernel '*' "$ROOT/tests/lens/banks.cl" "$call" \
        --global 32 --local 32
    shift
    while [ $# -gt 0 ]; do
        found=$(awk -v text="$1" '
            /^ +[0-9]+  / { here = index($0, text) > 0 }
            here && /^ +(load|store) / { sub(/ (L1 )?passes.*/, ""); print $NF; exit }' \
            <<< "$output")
        [ "$found" = "$2" ] || { echo "$1: $found, not $2"; return 1; }
        shift 2
    done
}

@test "banks: 16 bytes for each lane take 4 passes, and 2 where neighbours want the same" {
    passes 'loads_of_16(t[64], out[32])' 't[k] = k' 4.00 'own = ' 4.00 'pairs = ' 2.00 \
        'one = ' 2.00 'halves = ' 4.00 'seconds = ' 8.00
}

@test "banks: 8 bytes for each lane take 2 passes, and 1 where neighbours want the same" {
    passes 'loads_of_8(t[32], out[32])' 't[i] = i' 2.00 'own = ' 2.00 'seconds = ' 1.00 \
        'fourths = ' 2.00 'first_half = ' 2.00
}

@test "banks: stores in one place take a pass for each 128 bytes of the lanes" {
    passes 'stores_in_one_place(t[1], u[1], out[32])' 't[0] = 1' 4.00 'u[0] = 2' 2.00
}

@test "banks: the L1 has those of local memory, and looks up four lines at a time" {
    passes 'loads_through_l1(x[1024], out[32])' 'rows = ' 32.00 'padded = ' 8.00
    [[ $output == *'1.00 lines  100.0 % used'$'\n'* ]] # a coalesced load says no more
    run -0 lens kernel --quiet --format json "$ROOT/tests/lens/banks.cl" \
        'loads_through_l1(x[1024], out[32])' --global 32 --local 32
    [[ $output == *'"l1_passes":1.00,"ideal_l1_passes":1.00'* ]]
    [[ $output == *'"l1_passes":32.00,"ideal_l1_passes":1.00'* ]]
    ! grep -F '"row":"store"' <<< "$output" | grep -F l1_passes || return 1
}

@test "banks: the picture has a row for each pass, part by part" {
    run -0 lens kernel --quiet --kernel '*' "$ROOT/tests/lens/banks.cl" \
        'loads_of_16(t[64], out[32])' --global 32 --local 32
    [[ $output == *'load t: 32 lanes, 8 passes'*'pass 8  ssss....tttt....uuuu....vvvv'* ]]
}

@test "banks: every case that a GPU was measured for takes as many passes there" {
    "${CC:-cc}" -std=c11 -iquote "$ROOT/common/lens" -o "$BATS_TEST_TMPDIR/banks" \
        "$ROOT/tests/lens/banks.c" "$ROOT/common/lens/watch/banks.c"
    for file in "$ROOT"/docs/results/*/banks.csv; do
        run -0 "$BATS_TEST_TMPDIR/banks" "$file"
        [[ $output =~ ^([0-9]+)' of '([0-9]+)' agree'$ ]]
        [ "${BASH_REMATCH[2]}" -ge 400 ]
    done
}
