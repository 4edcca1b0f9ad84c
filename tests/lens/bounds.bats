load helper.bash

# What the lens finds in tests/lens/races.cl besides races: accesses outside, uninitialised
# memory, barriers that not all reach.

@test "races: to set components of a vector is not to read it" {
    run -0 lens --quiet --races "$BATS_FILE_TMPDIR/launch" "$ROOT/tests/lens/races.cl" \
        sets_components 64 64 e256
    run -0 lens --quiet --races "$BATS_FILE_TMPDIR/launch" "$ROOT/tests/lens/races.cl" \
        sets_components 64 64 w256
    caught "uninitialised read: out in global memory, bytes 0 to 15 of 1024" \
        turns_components 64 64 e256
}

@test "races: an element that does not lie where its type must" {
    caught "unaligned access: in in global memory, bytes 4 to 19 of 256" \
        casts_to_int4 16 16 z64 z64
    [[ $output == *"  align   to 4 bytes; the type needs 16"* ]]
    caught "unaligned access: in in global memory, bytes 2 to 5 of 256" \
        casts_to_int 16 16 z64 z64
    run -0 lens --quiet --races "$BATS_FILE_TMPDIR/launch" "$ROOT/tests/lens/races.cl" \
        loads_four_anywhere 16 16 z64 z64
}

@test "races: out of bounds of a buffer" {
    caught "in in global memory, bytes 256 to 259 of 256" reads_past_end 64 64 f64 f64
    at 'out[i] = in[i + 1];'
    caught "in in global memory, bytes -4 to -1 of 256" reads_before_begin 64 64 f64 f64
    at 'out[i] = in[i - 1];'
    caught "out in global memory, bytes 256 to 259 of 256" writes_past_end 64 64 f64 f64
    at 'out[i + 1] = in[i];'
}

@test "races: partly out of bounds of a buffer" {
    caught "in in global memory, bytes 248 to 263 of 256" reaches_past_end 16 16 f64 f64
    at 'out[i] = vload4('
}

@test "races: out of bounds of local memory that is an argument" {
    caught "t in local memory, bytes 256 to 259 of 256" past_local_argument 64 64 l256 f64
    at 't[l + 1] = 1.0f;'
}

@test "races: out of bounds of an array in local memory" {
    caught out-of-bounds past_local_array 64 64 f64
    at 't[l + 1] = 1.0f;'
}

@test "races: out of bounds of a private array" {
    caught out-of-bounds past_private_array 64 64 i64 i64
    at 'digits[in[i]] = 1;'
}

@test "races: uninitialised memory" {
    caught "uninitialised read: t in local memory, bytes 252 to 255 of 256" \
        reads_unwritten_local 64 64 f64 f64
    at 'out[l] = t[l];'
    [[ $output == *"  hint    "*"local memory is uninitialised in each group"* ]]
    caught "uninitialised read: in in global memory, bytes 0 to 3 of 256" \
        reads_unwritten_buffer 64 64 e64 f64
    at 'out[i] = in[i];'
    [[ $output == *"  hint    "*"neither the host nor a kernel"* && $output != *"local memory"* ]]
    caught "uninitialised read: flag in local memory" exchanges_unwritten_local 64 64 z64 n=3
    at 'before = atomic_xchg(&flag, i);'
}

@test "races: a barrier that not all work-items reach" {
    caught "barrier divergence: not reached by all work-items of the group (32 of 64)" \
        barrier_in_branch 64 64 f64
    at 'barrier(CLK_LOCAL_MEM_FENCE);'
    caught "barrier divergence: not reached by all work-items of the group (63 of 64)" \
        barrier_after_return 64 64 f64
    at 'barrier(CLK_LOCAL_MEM_FENCE);'
    [[ $output != *constant* ]]
}

@test "races: two barriers instead of one" {
    caught "work-items of the group wait at different barriers" two_barriers 64 64 f64
    at 'barrier(CLK_LOCAL_MEM_FENCE);'
    [[ $output != *"64 of 64"* ]]
}

@test "races: more local memory than the device has, or private arrays than a lane, is an error" {
    echo 'kernel void local_huge(global float *x) {
        local float t[1 << 26];
        t[get_local_id(0)] = x[get_global_id(0)];
        barrier(CLK_LOCAL_MEM_FENCE);
        x[get_global_id(0)] = t[get_local_id(0) ^ 1];
    }
    kernel void private_huge(global float *x) {
        float t[1 << 20];
        for (uint i = 0; i < 1 << 20; i++)
            t[i] = i * x[get_global_id(0)];
        x[get_global_id(0)] = t[(uint)x[0] * 7919];
    }' > "$BATS_TEST_TMPDIR/huge.cl"
    # (PoCL 3.1 tells what a kernel needs, and the step stops; PoCL 6 would give up at the
    # launch, where the lens has seen it already.)
    run --separate-stderr lens --races \
        "$BATS_FILE_TMPDIR/launch" "$BATS_TEST_TMPDIR/huge.cl" local_huge 32 32 f32
    if [ "$status" = 1 ]; then
        [[ $output == *"local_huge: too much local memory: a group needs 268435456 bytes"* ]]
    else
        [ "$status" = 2 ]
        [[ $stderr == *"local_huge needs 268435456 bytes of local memory for each group"* ]]
        [[ $stderr == *"this device has "* ]]
        [ -z "$output" ]
    fi
    says 2 "private_huge has private arrays of more than 262144 bytes" lens --races \
        "$BATS_FILE_TMPDIR/launch" "$BATS_TEST_TMPDIR/huge.cl" private_huge 32 32 f32
    [ -z "$output" ]
}
