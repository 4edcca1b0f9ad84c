load helper.bash

# What `lens kernel --races` tries out after a race: a barrier, and other widths and orders.
# The kernels lie in tests/lens/trials.cl.

# tries CALL OPTIONS ... : looks for races in a kernel there, of which there is one.
tries() {
    run -1 lens kernel --races "$ROOT/tests/lens/trials.cl" "$@"
    echo "$output"
}

# behind TEXT : the number of the line that has this text.
behind() {
    grep -nF -m1 -- "$1" "$ROOT/tests/lens/trials.cl" | cut -d: -f1
}

@test "trials: a barrier is tried, and where it removes all reports, its line is said" {
    tries 'tree(x[128], sums[2])' --global 128 --local 64
    [[ $output == *$'\n'"  hint    a barrier behind line $(behind '/* head */') removes all 2 reports"$'\n'* ]]
    tries 'tree_of_warp(x[128], sums[4])' --global 128 --local 32
    [[ $output == *"  hint    a barrier behind line $(($(behind '// a round') + 2)) removes this report"* ]]
    tries 'halves(x[64], y[128])' --global 128 --local 64
    [[ $output == *"  hint    a barrier behind line $(behind '/* the other half */') removes all 2 reports"* ]]
    tries 'calls(x[128], y[128])' --global 128 --local 64
    [[ $output == *"  hint    a barrier behind line $(behind '/* of all */') removes this report"* ]]
}

@test "trials: two barriers are tried where one is not enough" {
    tries 'tiles(x[256], y[128], n=256)' --global 128 --local 64
    [[ $output == *"  hint    barriers behind lines $(behind '/* loaded */') and $(behind '/* used') remove all 2 reports"* ]]
    tries 'two_kinds(x[128], y[64])' --global 128 --local 64
    [[ $output == *"  hint    a barrier behind line $(behind '/* mine */') removes 1 of 2 reports"* ]]
}

@test "trials: no barrier is proposed that does not help, or that not all may reach" {
    local call
    for call in 'tree_without_braces(x[128], sums[2])' 'scan_in_place(x[128], y[128])' 'guarded(x[128], y[128], n=128)' 'between_groups(y[64])' \
        'histogram(x[128], bins[4])' 'other_flag(x[64], y[128])'; do
        tries "$call" --global 128 --local 64
        [[ $output == *"error: "*" data race: "* && $output != *"behind line"* ]]
    done
    run -0 lens kernel --races "$ROOT/kernels/wild/tree_rounds.cl" 'row_sum(x[64], sums[1], part[64])' \
        --global 64 --local 64
    [[ $output != *"behind line"* && $output != *"  tried "* ]]
}

@test "trials: with the barrier as reference, it is said where the results are right" {
    tries 'tree_of_warp(x[128], sums[4])' --global 128 --local 32
    # (At 16 lanes one warp adds up all, and what the other one has written lies before a barrier.)
    [[ $output == *$'\n  tried   right at 16, 32 and 64 lanes, wrong in some orders at 4 and 8 lanes' ]]
    tries 'tree(x[128], sums[2])' --global 128 --local 64 --lanes 16
    [[ $output == *$'\n  tried   right at 64 lanes, wrong in some orders at 4, 8, 16 and 32 lanes' ]]
    tries 'halves(x[64], y[128])' --global 128 --local 64
    [[ $output == *$'\n  tried   right at 64 lanes, wrong in some orders at 4, 8, 16 and 32 lanes' ]]
}

@test "trials: without a reference, it is said what the results depend on" {
    tries 'between_groups(y[64])' --global 128 --local 64
    [[ $output == *$'\n  tried   the result depends on the order of warps and groups' ]]
    tries 'histogram(x[64], bins[4])' --global 64 --local 64 --order turns
    [[ $output == *$'\n  tried   the result depends on the width '* ]]
    tries 'guarded(x[128], y[128], n=128)' --global 128 --local 64
    [[ $output == *$'\n  tried   the same result at all widths and in all orders, but it is a race' ]]
    tries 'places(x[128], y[128], count[1]=0)' --global 128 --local 64
    [[ $output == *"a barrier behind line $(behind '/* theirs */') removes "* ]]
    [[ $output == *$'\n  tried   the result depends on the width and the order of warps and groups' ]]
}

@test "trials: they print nothing, change nothing, and end soon" {
    tries 'talks(x[128], y[128])' --global 128 --local 64
    [[ $output == *"a barrier behind line $(behind '/* said */') removes "* ]]
    [ "$(grep -c '^group [01]$' <<< "$output")" = 2 ]
    run --separate-stderr -1 lens kernel --races --format json "$ROOT/tests/lens/trials.cl" \
        'tree(x[128], sums[2])' --global 128 --local 64
    [[ $stderr == *"a barrier behind line "* && $output != *"behind line"* ]]
    [ "$(grep -c '"row": *"mistake"' <<< "$output")" = 2 ]
    local SECONDS=0
    tries 'tiles(x[65536], y[4096], n=65536)' --global 4096 --local 64
    [[ $output != *"behind line"* && $output != *"  tried "* ]]
    [ "$SECONDS" -lt 20 ]
}

@test "trials: in CUDA the barrier has CUDA's name" {
    kernel rev.cu 'template <int N> __device__ void load(float *t, const float *x) {
    t[threadIdx.x] = x[blockIdx.x * N + threadIdx.x];
}
template <int N> __global__ void rev(const float *x, float *y) {
    __shared__ float t[N];
    load<N>(t, x);
    y[blockIdx.x * N + threadIdx.x] = t[N - 1 - threadIdx.x];
}'
    run -1 lens kernel --races "$BATS_TEST_TMPDIR/rev.cu" 'rev<64>(x, y)' --grid 2 --block 64
    [[ $output == *$'\n  hint    __syncthreads() behind line 2 removes this report\n'* ]]
    [[ $output == *$'\n  tried   right at 64 lanes, wrong in some orders at 4, 8, 16 and 32 lanes' ]]
}
