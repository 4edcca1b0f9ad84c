load helper.bash

# Data races that the lens finds in tests/lens/races.cl, and where it is silent.

@test "races: a missing barrier" {
    caught "data race: t in local memory, bytes 128 to 131 of 256" \
        no_barrier_before 64 64 f64 f1
    at 't[l] = in[get_global_id(0)];' 't[l] += t[l + s];'
    caught "data race: t in local memory" no_barrier_inside 64 64 f64 f1
    at 't[l] += t[l + s];'
    caught "data race: t in local memory" one_barrier_of_two 64 64 f64 f64
    at 'const float before' 't[l] += before;'
    caught "data race: bins in local memory" histogram_no_barrier 64 64 i64 i64
    at 'atomic_inc(&bins' 'counts[get_global_id(0)] = bins[l];'
}

@test "races: several items write one element" {
    caught "data race: out in global memory, bytes 0 to 3 of 4" all_add_to_one 64 64 f1
    at 'out[0] = out[0] + 1.0f;'
    caught "data race: out in global memory, bytes 0 to 3 of 256" two_write_one 64 64 f64 f64
    at 'out[i / 2] = in[i];'
    [[ $output != *"same value"* ]]
    caught "data race: x in global memory, bytes 4 to 7 of 256" moves_in_place 64 64 f64
    at 'x[i] = x[i + 1];'
}

@test "races: one value from all items is a note if it must be one, and a mistake if it need not" {
    local value="  value   all write the same value" file=$ROOT/tests/lens/races.cl
    run -0 lens --quiet --races "$BATS_FILE_TMPDIR/launch" "$file" \
        all_write_one_value 64 64 f64 z1 , all_write_one_value 64 64 f64 z2 , \
        all_write_an_argument 128 64 z1 n=7
    [ "$(grep -c "^note: all_write_one_value: data race: found in global memory" <<< "$output")" -eq 1 ]
    [[ $output == *"$value, and must: most devices forgive that, "* ]]
    [[ $output == *"note: all_write_an_argument: data race: found in global memory"* ]]
    [[ $output == *"no mistake found in 3 launches" && $output != *error:* ]]
    caught "data race: found in global memory" all_write_what_they_read 64 64 z64 z1
    [[ $output == *"$value here: most devices forgive that, "* ]]
    caught "data race: found in global memory" two_arguments 64 64 z1 n=7 n=7
    [[ $output == *"$value here: "* ]]
    run -1 lens --quiet --races --strict "$BATS_FILE_TMPDIR/launch" "$file" \
        all_write_one_value 64 64 f64 z1
    [[ ${lines[0]} == "error: all_write_one_value: data race: found in global memory"* ]]
}

@test "races: between groups, behind a barrier for other memory, without a fence" {
    caught "data race: out in global memory" groups_add_to_same 128 64 f128 f64
    at 'out[l] = in[get_global_id(0)] + out[l];'
    [[ $output == *"of group 1 "*"of group 0 "* ]]
    caught "data race: shared in global memory" wrong_fence 64 64 f64 f64 f64
    [[ $output == *"lacks the fence flag of this memory"* ]]
    at 'shared[i] = in[i];' 'out[i] = shared[i ^ 1];'
    caught "data race: sums in global memory" last_group_no_fence 256 64 f256 f4 z1 f1
    at 'sums[get_group_id(0)] = in' 'total += sums[g];'
    [[ $output == *"missing fence: "* ]]
}

@test "races: a plain access beside atomics, also those of the item itself" {
    caught "data race: count in local memory" reads_after_own_atomic 64 64 z1
    at 'atomic_inc(&count);' 'out[get_group_id(0)] = count;'
    caught "data race: h in local memory" clears_before_atomics 64 64 z64
    at 'h[l] = 0;' 'atomic_inc(&h[l ^ 1]);'
    caught "data race: count in local memory" clears_one_count 32 32 z1
    at 'count = 0;' 'atomic_inc(&count);'
    caught "data race: count in global memory" reads_count_of_groups 128 64 z1 z2
    at 'atomic_inc(count);' 'out[get_group_id(0)] = *count;'
    caught "data race: flag in global memory" writes_beside_exchange 64 64 z1 z64
    caught "data race: flag in global memory" writes_beside_failed_exchange 64 64 z1 z64
    caught "data race: sum in global memory" one_group_without_atomics 128 64 z1
    caught "data race: count in local memory" reads_between_atomics 64 64 z1
    caught "data race: count in global memory" clears_for_all_groups 128 64 z1
    [[ $output == *" item 0 of group 1 does an atomic "*" item 0 of group 0 writes "* ]]
}

@test "races: an access that the compiler removes is looked at all the same, and not counted" {
    caught "data race: last in local memory, bytes 0 to 3 of 4" stores_unread 64 64 z64
    at 'last = get_local_id(0);'
    caught "in in global memory, bytes 256 to 259 of 256" loads_unused 64 64 i64 z64
    [[ $output == *"return in[i];"* ]]
    run -0 lens --quiet --format tsv "$BATS_FILE_TMPDIR/launch" "$ROOT/tests/lens/races.cl" \
        stores_unread 64 64 z64 , loads_unused 64 64 i64 z64
    [ "$(grep -c ^store <<< "$output")" -eq 2 ]
    run -1 grep -E $'^load\t|\tlast\t' <<< "$output"
}

@test "races: of a large launch, between groups that are neighbours, in x and in y" {
    caught "data race: p in global memory, bytes 4096 to 4099 " \
        writes_next_groups_first 1048576 1024 z1048577
    [[ $output == *"of group 1 "*"of group 0 "* ]]
    caught "data race: p in global memory, bytes 8192 to 8195 " \
        writes_next_row 2048x512 1024x1 z1050624
    [[ $output == *"of group 2 "*"of group 0 "* ]]
}

# again [OPTIONS] -- KERNEL ... : what --races says of these launches of races.cl.
again() {
    run lens_on launch races.cl --races "$@"
}

@test "races: of launches with equal arguments those with other data are looked at, too" {
    local same=(, scatter 64 64 b0 z64) many
    again -- scatter 64 64 i64 z64 "${same[@]}" "${same[@]}"
    [ "$status" -eq 0 ] # what scatter writes to is not what it reads
    [ "$output" = "no mistake found in 3 launches (1 replayed, the others equal to one of these)" ]
    again -- scatter 64 64 i64 z64 , join_pairs 64 64 b0 , scatter 64 64 b0 z64
    [ "$status" -eq 1 ]
    [[ ${lines[0]} == "error: scatter: data race: out in global memory, bytes 0 to 3 of 256" ]]
    again -- scatter 64 64 i64 z64 , add_to_all 64 64 b0 n=1 , scatter 64 64 b0 z64
    [ "$status" -eq 1 ]
    [[ ${lines[0]} == "error: scatter: out-of-bounds access: out in global memory, bytes 256 to "* ]]
    # With new data each time, and so much to do, there is an end of it, unless all is asked for.
    many=(takes_long 64 64 z64 n=100000 , takes_long 64 64 b0 n=100000 , takes_long 64 64 b0 n=100000)
    again -- "${many[@]}"
    [ "$output" = "no mistake found in 2 of 3 launches; --all-launches looks at all" ]
    again --all-launches -- "${many[@]}"
    [ "$output" = "no mistake found in 3 launches" ]
}

@test "lens: counts that differ because of other data are shown if all launches are" {
    local launches=(scatter 64 64 i64 z64 , scatter 64 64 b0 z64 , join_pairs 64 64 b0 ,
        scatter 64 64 b0 z64)
    run --separate-stderr -0 lens --quiet --table --kernel scatter "$BATS_FILE_TMPDIR/launch" \
        "$ROOT/tests/lens/races.cl" "${launches[@]}"
    [ "$(grep -c '^scatter ' <<< "$output")" -eq 1 ]
    grep -qE '^scatter +4 +all +32\.0' <<< "$output" # of the first: a launch whose data differ is left out
    run --separate-stderr -0 lens --quiet --all-launches --format json --kernel scatter \
        "$BATS_FILE_TMPDIR/launch" "$ROOT/tests/lens/races.cl" "${launches[@]}"
    [ "$(grep -c '"row":"launch"' <<< "$output")" -eq 2 ]
    [[ $output == *'"name":"out","accesses":2,"lanes":32.00,"sectors":4.00'* ]]
    [[ $output == *'"name":"out","accesses":2,"lanes":32.00,"sectors":2.00'* ]]
    [ -z "$stderr" ]
}

@test "lens: a kernel that takes long is no mistake: what was counted stays, and a note says so" {
    local launch=("$BATS_FILE_TMPDIR/launch" "$ROOT/tests/lens/races.cl" takes_long 64 64 z64)
    run --separate-stderr -0 lens --quiet --races "${launch[@]}" n=3000000
    [[ $stderr == "note: takes_long: step limit exceeded: after 67108864 steps of one group "* ]]
    [ "$output" = "of 1 launch the lens saw only the beginning; apart from that, no mistake found in 1 launch" ]
    run --separate-stderr -77 timeout 60 lens --quiet --kernel takes_long --give-up \
        "${launch[@]}" n=4294967295
    [[ $stderr == "note: takes_long: step limit exceeded: "* && $output != *error* ]]
    [[ $output == *"64 items in groups of 64: 32.0 of 32 lanes busy"*"the last one was not seen to its end"* ]]
    [[ $output == *"branch "*" 0 of 2"[0-9]*" diverged"* ]]
}

@test "races: silent on right kernels" {
    run -0 lens --races --quiet "$BATS_FILE_TMPDIR/launch" "$ROOT/tests/lens/races.cl" \
        tree 128 64 f128 f2 , tree_in_argument 128 64 f128 f2 l256 , \
        histogram 128 64 i128 z64 , counter 128 64 i128 z1 , \
        float_add 128 64 f128 z1 , ping_pong 128 64 f128 f128 , \
        bytes 64 64 i16 i16 , in_place 64 64 f64 , \
        right_fence 64 64 f64 f64 f64 , branch_of_group 256 64 f256 f256 , \
        reads_own 32 32 f32 f32 , failed_exchange 64 64 z1 z64 , count_in_order 64 64 z64 , \
        sets_by_exchange 128 64 e128 i128
    [ "$output" = "no mistake found in 14 launches" ]
}

@test "races: silent on a last group that adds up behind a fence" {
    run -0 lens --races --quiet "$BATS_FILE_TMPDIR/launch" "$ROOT/tests/lens/races.cl" \
        last_group 256 64 f256 f4 z1 f1
    [ "$output" = "no mistake found in 1 launch" ]
}
