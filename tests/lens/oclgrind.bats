load helper.bash

# A second witness, where it is installed.

needs_oclgrind() {
    command -v oclgrind > /dev/null || skip "no oclgrind here"
}

# witness OPTION KERNEL ... : Oclgrind's messages on launches of races.cl.
witness() {
    needs_oclgrind
    run -0 oclgrind --max-errors 5 "$1" "$BATS_FILE_TMPDIR/launch" \
        "$ROOT/tests/lens/races.cl" "${@:2}"
}

@test "oclgrind: sees the same races" {
    for launch in 'no_barrier_before 64 64 f64 f1' 'no_barrier_inside 64 64 f64 f1' \
        'one_barrier_of_two 64 64 f64 f64' 'all_add_to_one 64 64 f1' \
        'two_write_one 64 64 f64 f64' 'moves_in_place 64 64 f64' \
        'groups_add_to_same 128 64 f128 f64' 'wrong_fence 64 64 f64 f64 f64' \
        'histogram_no_barrier 64 64 i64 i64' \
        'last_group_no_fence 256 64 f256 f4 z1 f1'; do
        # shellcheck disable=SC2086 # its words are meant
        witness --data-races $launch
        [[ $output == *"data race at "*"Kernel: ${launch%% *}"* ]]
    done
}

@test "oclgrind: sees the same out-of-bounds accesses, uninitialised reads and barriers" {
    for launch in 'reads_past_end 64 64 f64 f64' 'reads_before_begin 64 64 f64 f64' \
        'writes_past_end 64 64 f64 f64' 'reaches_past_end 16 16 f64 f64' \
        'past_local_argument 64 64 l256 f64' 'past_private_array 64 64 i64 i64'; do
        # shellcheck disable=SC2086
        witness --data-races $launch
        [[ $output == *"Invalid "*" of size "*"Kernel: ${launch%% *}"* ]]
    done
    for launch in 'reads_unwritten_local 64 64 f64 f64' \
        'reads_unwritten_buffer 64 64 e64 f64'; do
        # shellcheck disable=SC2086
        witness --uninitialized $launch
        [[ $output == *"Uninitialized value"*"Kernel: ${launch%% *}"* ]]
    done
    for launch in 'barrier_in_branch 64 64 f64' 'barrier_after_return 64 64 f64'; do
        # shellcheck disable=SC2086
        witness --data-races $launch
        [[ $output == *"divergence detected (barrier)"* ]]
    done
}

# It does not know what a fence and an atomic, or a volatile read, stand for.
@test "oclgrind: is silent on right kernels, but for float_add and last_group" {
    witness --data-races tree 128 64 f128 f2 , tree_in_argument 128 64 f128 f2 l256 , \
        histogram 128 64 i128 z64 , counter 128 64 i128 z1 , \
        ping_pong 128 64 f128 f128 , bytes 64 64 i16 i16 , in_place 64 64 f64 , \
        right_fence 64 64 f64 f64 f64 , branch_of_group 256 64 f256 f256
    [ -z "$output" ]
}

@test "oclgrind: counts as many loads and stores as the lens" {
    needs_oclgrind
    local launches=(coalesced 64 64 f64 f64 , strides 64 64 f2048 f64 ,
        tree_interleaved 256 256 f256 f1 , tree_sequential 256 256 f256 f1)
    oclgrind --inst-counts "$BATS_FILE_TMPDIR/launch" "$ROOT/tests/lens/counts.cl" \
        "${launches[@]}" |
        awk '/^Instructions/ { split($0, part, "\047"); kernel = part[2] }
            $2 == "-" && $4 ~ /global|local/ && $3 ~ /load|store/ {
                print kernel, $3, $4, $1
            }' | sort > "$BATS_TEST_TMPDIR/oclgrind"
    lens --quiet --format tsv "$BATS_FILE_TMPDIR/launch" "$ROOT/tests/lens/counts.cl" \
        "${launches[@]}" |
        awk -F '\t' 'FNR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
            $at["row"] ~ /^(load|store)$/ {
                sum[$at["kernel"] " " $at["row"] " " $at["memory"]] += $at["accesses"] * $at["lanes"]
            }
            END {
                for (what in sum)
                    print what, sum[what]
            }' | sort > "$BATS_TEST_TMPDIR/lens"
    [ "$(wc -l < "$BATS_TEST_TMPDIR/lens")" -eq 12 ]
    diff "$BATS_TEST_TMPDIR/oclgrind" "$BATS_TEST_TMPDIR/lens"
}
