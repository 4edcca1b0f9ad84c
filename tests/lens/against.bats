load helper.bash

# --against: a kernel, and what it was before it was changed.

# versions : writes a transposition without local memory, and one with it, in both languages.
versions() {
    kernel old.cl 'kernel void transpose(global const float *in, global float *out, uint n) {
    const uint x = get_global_id(0), y = get_global_id(1);
    out[x * n + y] = in[y * n + x];
}'
    kernel new.cl 'kernel __attribute__((reqd_work_group_size(16, 16, 1))) void
transpose(global const float *in, global float *out, uint n, local float *tile) {
    const uint i = get_local_id(0), j = get_local_id(1);
    const uint x = get_group_id(0) * 16, y = get_group_id(1) * 16;
    tile[j * 16 + i] = in[(y + j) * n + x + i];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[(x + j) * n + y + i] = tile[i * 16 + j];
}'
    kernel new.cu 'template <int N> __global__ void transpose(const float *in, float *out, unsigned n) {
    __shared__ float tile[N * N];
    const int i = threadIdx.x, j = threadIdx.y, x = blockIdx.x * N, y = blockIdx.y * N;
    tile[j * N + i] = in[(y + j) * n + x + i];
    __syncthreads();
    out[(x + j) * n + y + i] = tile[i * N + j];
}'
    cd "$BATS_TEST_TMPDIR"
}

@test "against: the table has both versions, and sums of the launch say what has changed" {
    versions
    run -0 lens kernel new.cl 'transpose(in[n*n], out[n*n], n=128, tile[256])' \
        --global 128,128 --against old.cl
    [[ $output == 'launch   transpose('*$'\nbefore   old.cl\n         transpose(in[16384]=random, out[16384]=0, n=128) --global 128,128 --local 16,16\nafter    new.cl\n'* ]]
    grep -qE '^before +16 +4 +32\.0$' <<< "$output"
    grep -qE '^after +4 +all +8 +1 +32\.0 +1$' <<< "$output"
    # 512 warps load 4 sectors each; they store 16, or 4; 8 passes for a load, 1 for a store.
    grep -qE '^In all +before +after +after/before$' <<< "$output"
    grep -qE '^bytes moved +327,680 +131,072 +0\.40$' <<< "$output"
    grep -qE '^passes of local memory +0 +4,608$' <<< "$output"
    grep -qx 'Unchanged: requests (1,024)' <<< "$output"
    [[ $output == *"The worst access: transpose, line 7 of new.cl"* ]] # not that of the old file
}

@test "against: what is the same is said once" {
    versions
    run -0 lens kernel old.cl --global 64,64 --local 16,16 --against old.cl
    [[ $output == *$'\nbefore   old.cl\nafter    old.cl\n\nWhat 32 lanes'* ]] # one launch
    [[ $output == *$'\nNo sum has changed.\nUnchanged: requests (256), bytes moved (81,920)\n'* ]]
    [[ $output != *"after/before"* ]]
}

@test "against: groups differ only if the kernel before requires that" {
    versions
    run -0 lens kernel old.cl --global 64,64 --local 8,8 --against new.cl
    grep -qE '^before +64x64 in 16x16 +4 +all ' <<< "$output"
    grep -qE '^after +64x64 in 8x8 +8 +4 ' <<< "$output"
    says 2 '24 work-items are no multiple of groups of 16' \
        lens kernel old.cl --global 24,24 --against new.cl
}

@test "against: a kernel in CUDA and its twin in OpenCL C have the same counts" {
    versions
    local call='transpose<16>(in[n*n], out[n*n], n=128)'
    run -0 lens kernel new.cu "$call" --grid 8,8 --block 16,16 --against new.cl
    [[ $output == *$'\nNo sum has changed.\nUnchanged: requests (1,024), bytes moved (131,072), passes of shared memory (4,608)\n'* ]]
    run -0 lens kernel new.cu "$call" --grid 8,8 --block 16,16 --against old.cl
    grep -qE '^bytes moved +327,680 +131,072 +0\.40$' <<< "$output"
}

@test "against: both get the same data, by the names of their arguments" {
    kernel old.cl 'kernel void pick(global const uint *at, global uint *to) {
    to[at[get_global_id(0)]] = 1;
}'
    kernel new.cl 'kernel void pick(global uint *to, global const uint *at) {
    to[at[get_global_id(0)]] = 1;
}'
    run -0 lens kernel "$BATS_TEST_TMPDIR/new.cl" 'pick(at=random)' --against "$BATS_TEST_TMPDIR/old.cl"
    [[ $output == *$'\nNo sum has changed.\n'* ]]
    run -0 lens kernel "$BATS_TEST_TMPDIR/new.cl" 'pick(at=index)' --against "$BATS_TEST_TMPDIR/old.cl"
    [[ $output == *$'\nUnchanged: requests (64), bytes moved (8,192)\n'* ]]
}

@test "against: branches, atomics and the least time are compared, in a sample as well" {
    kernel old.cl 'kernel void count(global const float *x, global uint *sums, uint n) {
    const uint i = get_global_id(0);
    if (i % 2 && x[i] >= 0.0f)
        atomic_inc(&sums[0]);
    else
        atomic_inc(&sums[1]);
}'
    kernel new.cl 'kernel void count(global const float *x, global uint *sums, uint n) {
    const uint i = get_global_id(0);
    if (x[i] >= 0.0f && i < n / 2)
        atomic_inc(&sums[0]);
}'
    run -0 lens kernel "$BATS_TEST_TMPDIR/new.cl" 'count(x[n], sums[2], n)' --global 4194304 \
        --local 256 --against "$BATS_TEST_TMPDIR/old.cl"
    grep -qE '^In all \(scaled\) +before' <<< "$output"
    grep -qE '^atomics +4,194,304 +[12],[0-9,]+ +0\.[0-9]+$' <<< "$output"
    grep -qE '^branches that diverge +[1-9][0-9.]+ % +0\.0 % +0$' <<< "$output"
    grep -qE '^least time on an NVIDIA H200 +[0-9.]+ ms +[0-9.]+ ms +0\.[0-9]+$' <<< "$output"
}

@test "against: a mistake in either file is shown, and nothing is compared" {
    versions
    kernel wrong.cl 'kernel void transpose(global const float *in, global float *out, uint n) {
    out[get_global_id(0) + 4096] = in[n];
}'
    local call='transpose(in[4096], out[4096], n=64)'
    run -1 lens kernel wrong.cl "$call" --global 64 --against old.cl
    [[ $output == *'error: transpose: out-of-bounds access: out'* ]]
    [[ $output != *'nothing is compared'* && $output != *'before   old.cl'* ]]
    run -1 lens kernel old.cl "$call" --global 8,8 --against wrong.cl
    [[ $output == *'error: transpose: out-of-bounds access: out'*'the mistake is in wrong.cl: nothing is compared'* ]]
    [[ $output != *'What 32 lanes'* ]]
}

@test "against: other arguments, and options that compare otherwise, are refused" {
    versions
    kernel whole.cl 'kernel void transpose(global const int *in, global float *out, uint n) {}'
    kernel fewer.cl 'kernel void transpose(global const float *in, global float *out) {}'
    kernel other.cl 'kernel void turn(global const float *in, global float *out) {}'
    says 2 'in is of type float* in old.cl, and of type int* in whole.cl' lens kernel old.cl --against whole.cl
    says 2 'transpose of old.cl has an argument uint n, and that of fewer.cl has none' \
        lens kernel old.cl --against fewer.cl
    says 2 'transpose of old.cl has an argument uint n' lens kernel fewer.cl --against old.cl
    says 2 'other.cl has no kernel transpose' lens kernel old.cl --against other.cl
    says 2 'cannot read /nowhere' lens kernel old.cl --against /nowhere
    says 2 'old.cl has no kernel x' lens kernel old.cl x --against old.cl
    for option in --races --all-sizes --all '--kernel transpose' '--format json' '--html x.html'; do
        says 2 'is not possible here' lens kernel old.cl $option --against new.cl
    done
    says 2 'warps of one width' lens kernel old.cl --lanes 32,64 --against new.cl
    says 2 '--against is not possible here' lens --against old.cl true
}

@test "against: docs/cllens.md shows what its example prints" {
    local before=$BATS_TEST_TMPDIR/before.cl page
    page=$(< docs/cllens.md)
    sed 's/BLOCK + 1/BLOCK/' kernels/step13b_transpose.cl > "$before"
    run -0 lens kernel kernels/step13b_transpose.cl \
        'transpose_padded(in[512*512], out[512*512], pitch=512)' --global 512,128 --local 32,8 --against "$before"
    output=${output//$before//tmp/before.cl}
    local table=${output%%$'\nIn a pass'*} sums=${output#*$'\nIn all'}
    [[ $page == *"before   ${table#*before   }"* ]]
    [[ $page == *"In all${sums%%$'\nEvery load'*}"* ]]
}
