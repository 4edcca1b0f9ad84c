load helper.bash

# Kernels in CUDA, without a program.
setup_file() {
    begin
    cat > "$BATS_FILE_TMPDIR/k.cu" <<'EOF'
#include <cassert>
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cstdio>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <vector>

__constant__ float weights[4] = {1, 2, 3, 4};

struct shape {
    int n;
    float by;
};

__global__ void saxpy(int n, float a, const float *x, float *y) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = a * x[i * 2] + y[i];
}

template <typename T, unsigned N>
__global__ void __launch_bounds__(N) reduce(const T *__restrict__ in, T *out, int n) {
    __shared__ T t[N];
    const unsigned i = threadIdx.x, g = blockIdx.x * blockDim.x + i;
    t[i] = g < n ? in[g] : T(0);
    __syncthreads();
    for (unsigned s = blockDim.x / 2; s > 0; s /= 2) {
        if (i < s)
            t[i] += t[i + s];
        __syncthreads();
    }
    if (i == 0)
        atomicAdd(out, t[0]);
}

extern __shared__ float tile[];
static __device__ float twice(float x) { return 2 * x; }
__global__ void turn(const float *x, float *y) {
    tile[threadIdx.x] = x[blockIdx.x * blockDim.x + threadIdx.x];
#ifndef UNSAFE
    __syncthreads();
#endif
    y[blockIdx.x * blockDim.x + threadIdx.x] = twice(tile[blockDim.x - 1 - threadIdx.x]);
}

__global__ void lanes(int *down, unsigned *odd, int n) {
    const int i = threadIdx.x;
    if (i >= n)
        return;
    int s = i;
    if (i < 16)
        s += __shfl_down_sync(0xffff, i, 1, 8);
    down[i] = s;
    odd[i] = __ballot_sync(0xffffffff, i % 2);
}

__global__ void halves(const half *x, half2 *y) {
    const half2 both = __halves2half2(x[2 * threadIdx.x], x[2 * threadIdx.x + 1]);
    y[threadIdx.x] = __hfma2(both, both, __float2half2_rn(1)) + both;
}

namespace cg = cooperative_groups;
__global__ void tiles(int *y) {
    cg::thread_block block = cg::this_thread_block();
    auto tile = cg::tiled_partition<8>(block);
    const int sum = cg::reduce(tile, (int)block.thread_rank(), cg::plus<int>());
    block.sync();
    y[block.thread_rank()] = 1000 * tile.ballot(tile.thread_rank() > 6) + sum;
}

__global__ void swapped(uint4 *y) {
    const unsigned i = threadIdx.x;
    y[i] = cg::tiled_partition<32>(cg::this_thread_block()).shfl_xor(make_uint4(i, 2 * i, 3 * i, 4 * i), 1);
}

__global__ void half_a_warp(int *y) {
    int s = threadIdx.x;
    if (threadIdx.x < 16)
        s += __shfl_xor_sync(0xffffffff, s, 1);
    y[threadIdx.x] = s;
}

namespace deep {
template <typename T> __global__ void weigh(T *y, shape s) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < s.n)
        y[i] = weights[i % 4] * s.by + fmaxf(0.0f, sinf(0.0f)) + std::max(1, 2);
    if (i == 3)
        printf("item %d has %g\n", i, y[i]);
    assert(i < 40);
}
}

int main() {
    std::vector<float> v(4);
    deep::weigh<float><<<dim3(1), 32>>>(v.data(), shape{1, 2});
    return cudaDeviceSynchronize() != cudaSuccess;
}
EOF
}

# cuda CALL OPTION ... : what is said of a kernel of this file.
cuda() {
    run lens kernel "$BATS_FILE_TMPDIR/k.cu" "$@"
}

@test "cuda: the counts are those of the same kernel in OpenCL C, and so is the place" {
    cat > "$BATS_TEST_TMPDIR/k.cl" <<'EOF'
kernel void saxpy(int n, float a, global const float *x, global float *y) {
    const int i = get_global_id(0);
    if (i < n)
        y[i] = a * x[i * 2] + y[i];
}
EOF
    local call='saxpy(n=1024, a=2, x[2048]=random, y[1024]=1)'
    run -0 lens kernel "$BATS_TEST_TMPDIR/k.cl" "$call" --global 1024 --local 256
    local opencl=$output
    cuda "$call" --grid 4 --block 256
    [ "$status" -eq 0 ]
    [[ $output == *"saxpy, line 19 of $BATS_FILE_TMPDIR/k.cu, loads x"* ]]
    local theirs
    theirs=$(sed 's/--grid 4 --block/--global 1024 --local/; s/a thread/a work-item/' <<< "$output")
    diff <(grep -v -e ' of /' -e '^ *4  y' <<< "$opencl") <(grep -v -e ' of /' -e '^ *19  y' <<< "$theirs")
}

@test "cuda: templates, shared memory, atomics; of the right sizes, and found wrong at others" {
    cuda 'reduce<float, 256>(in=1, out[1]=0, n=1000)' --grid 4 --block 256 --check --races
    [[ $status -eq 0 && $output == *$'\nout[1]: 1000\n'*'no mistake found in 1 launch'* ]]
    cuda 'reduce<int, 128>(in=2, out[1]=0, n=512)' --grid 4 --block 128 --check
    [[ $output == *$'\nout[1]: 1024\n'* && $output == *$'\nreduce<int, 128>\n'* ]]
    cuda 'reduce<float, 256>(in[n]=random, out[1]=0, n)' --all-sizes --quick
    [[ $status -eq 0 && $output == *"no data race, out-of-bounds access or uninitialised read"* ]]
    cuda 'saxpy(n, a=2, x[n], y[n])' --all-sizes --quick
    [[ $status -eq 1 && $output == *"the smallest case that fails: n=2, "*"out-of-bounds access: x in global memory, bytes 8 to 11 of 8"* ]]
}

@test "cuda: of an array without a size the launch says how large it is; a missing barrier is a race" {
    cuda 'turn()' --grid 2 --block 64
    [[ $status -eq 77 && $output == *"how large tile is, only a launch says: --shared BYTES"* ]]
    cuda 'turn(x=index)' --grid 2 --block 64 --shared 256 --check --races
    [[ $status -eq 0 && $output == *$'\ny[128]: 126 124 122 '* ]]
    cuda 'turn(x=index)' --grid 2 --block 64 --shared 252 --races
    [[ $status -eq 1 && $output == *"tile in shared memory, bytes 252 to 255 of 252"* ]]
    cuda 'turn(x=index)' --grid 2 --block 64 --shared 256 --races -D UNSAFE
    [[ $status -eq 1 && $output == *"error: turn: data race: tile in shared memory"* ]]
    [[ $output == *"thread 0 of block 0 reads"*"hint    put __syncthreads() between them, or use atomics"* ]]
    [[ $output == "launch   turn(x[128]=index, y[128]=0) --grid 2 --block 64"* ]]
}

@test "cuda: shuffles stay in their segment, votes see all lanes that are there" {
    cuda 'lanes(down[32], odd[32], n=20)' --grid 1 --block 32 --check --races
    [ "$status" -eq 0 ]
    [[ $output == *$'\ndown[32]: 1 3 5 7 9 11 13 14 ...\nodd[32]: 699050 '* ]] # 0xaaaaa
    cuda 'tiles(y[64])' --grid 1 --block 64 --check --races
    [[ $status -eq 0 && $output == *$'\ny[64]: 128028 128028 '* ]] # 0 + 1 + ... + 7
    cuda 'swapped(y[32])' --grid 1 --block 32 --check
    [[ $output == *$'\ny[32]: 1 2 3 4 0 0 0 0 3 6 9 12 '* ]]
    cuda 'half_a_warp(y[32])' --grid 1 --block 32 --races
    [[ $status -eq 1 && $output == *"half_a_warp: mask of lanes that do not come: 0xffffffff names lane 16"* ]]
}

@test "cuda: an array in constant memory is counted there, also a constant one" {
    cat > "$BATS_TEST_TMPDIR/c.cu" <<'EOF'
__constant__ float weights[4] = {1, 2, 3, 4};
static __constant__ const float powers[2] = {2, 4};
__device__ float table[2] = {1, 2};
__global__ void look(float *y) {
    y[threadIdx.x] = weights[threadIdx.x % 4] + powers[threadIdx.x % 2] + table[threadIdx.x % 2];
}
EOF
    run -0 lens kernel "$BATS_TEST_TMPDIR/c.cu" 'look(y[32])' --grid 1 --block 32 --all --check
    [[ $output == *"load weights        1 x 32.0 lanes   4.00 addresses (ideal 1.00)"* ]]
    [[ $output == *"load powers         1 x 32.0 lanes   2.00 addresses (ideal 1.00)"* ]]
    [[ $output == *"load table          1 x 32.0 lanes   1.00 sectors"* && $output == *"In all: 2 requests "* ]]
    [[ $output == *"y[32]: 4 8 6 10 4 "* ]]
}

@test "cuda: numbers of 16 bits, also as elements of a buffer and on their way to another lane" {
    cat > "$BATS_TEST_TMPDIR/small.cu" <<'EOF'
#include <cuda_bf16.h>
#include <cuda_fp16.h>
__global__ void small(const __nv_bfloat16 *x, __nv_bfloat16 *y, half *h, __nv_bfloat162 *z) {
    const int i = threadIdx.x;
    y[i] = x[i] * x[i] + __float2bfloat16(1.0f);
    y[i] += (nv_bfloat16)0.501f;
    h[i] = hrsqrt(__float2half(4)) + __shfl_xor_sync(0xffffffff, (half)i, 1);
    const __nv_bfloat162 both = __floats2bfloat162_rn(i, 2);
    z[i] = __hmax2(both, __shfl_down_sync(0xffffffff, both, 1) * __bfloat162bfloat162(x[i]));
}
EOF
    run -0 lens kernel "$BATS_TEST_TMPDIR/small.cu" 'small(x[32]=3, y, h, z)' --grid 1 --block 32 --check --races
    # 10.501 has 8 bits for 10.5; 3 (i + 1) and 3 * 2, each lane with the number of the next.
    [[ $output == *$'\ny[32]: 10.5 10.5 '*$'\nh[32]: 1.5 0.5 3.5 2.5 '*$'\nz[32]: 3 6 6 6 9 6 '* ]]
    run -0 lens kernel "$BATS_TEST_TMPDIR/small.cu" 'small(x[32]=0.1, y, h, z)' --grid 1 --block 32 --check
    [[ $output == *$'\ny[32]: 1.50781 1.50781 '* ]] # 1 + 0.01 + 0.5, of 8 bits each
}

@test "cuda: names of C's headers and of the device, without including them" {
    cat > "$BATS_TEST_TMPDIR/names.cu" <<'EOF'
__global__ void names(float *f, int *c) {
    const int i = threadIdx.x;
    int exponent;
    double whole;
    int32_t n = max(i, 3u) + (int)min(2.0, 1.0f);
    f[i] = isnan(NAN) && isinf(INFINITY) && isfinite(FLT_MAX) && NULL == 0 ? (float)M_PI : 0;
    f[i] = __ldcs(f + i) + frexpf(48.0f, &exponent) + exponent + modf(-3.25, &whole) + whole;
    __stcs(f + i, f[i] + n);
    c[i] = __syncthreads_count(i < 20) + 1000 * __syncthreads_or(i == 40);
    c[i] += 2000 * __syncthreads_and(i < 63) + 4000 * __syncthreads_and(i < 64);
    c[i] += 10000 * __popc(__match_any_sync(0xffffffff, i / 8));
}
EOF
    run -0 lens kernel "$BATS_TEST_TMPDIR/names.cu" 'names(f, c)' --grid 1 --block 64 --check --races
    # pi + 0.75 + 6 - 0.25 - 3 + (3 + 1); 20 + 1000 + 0 + 4000 + 80000.
    [[ $output == *$'\nf[64]: 10.641593 10.641593 '*$'\nc[64]: 85020 85020 '* ]]
}

@test "cuda: the lanes that are together are a group, and the grid has its ranks" {
    cat > "$BATS_TEST_TMPDIR/together.cu" <<'EOF'
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
__global__ void together(int *y) {
    const unsigned i = cg::this_grid().thread_rank();
    y[i] = cg::inclusive_scan(cg::tiled_partition<16>(cg::this_thread_block()), 1);
    if (i % 3)
        return;
    const auto group = cg::coalesced_threads();
    y[i] = 100 * cg::reduce(group, (int)group.thread_rank(), cg::plus<int>()) + group.shfl(i, 1);
}
EOF
    run -0 lens kernel "$BATS_TEST_TMPDIR/together.cu" 'together(y[64])' --grid 2 --block 32 --check --races
    [[ $output == *$'\ny[64]: 5503 2 3 5503 5 6 5503 8 '* ]] # 0 + ... + 10; the second of 11 lanes is 3
}

# A file whose host part is full of what is not here.
host_file() {
    cat > "$BATS_TEST_TMPDIR/host.cuh" <<'EOF'
#pragma once
#include <torch/extension.h>
inline void check(blasStatus_t status) { /* of a library that
    is not here */ if (status) exit(1); }
struct shape { int n; };
struct context { torch::Tensor x; };
#define LAUNCH(name) \
    void launch_##name(torch::Tensor x) { name<<<1, 32>>>(x.data()); }
EOF
    cat > "$BATS_TEST_TMPDIR/host.cu" <<'EOF'
#include "host.cuh"
static context all;
constexpr int ELEMENTS = 2;
template <typename T> struct traits { static const int by = 3; };
template <> struct traits<float> { static const int by = 5; };
__global__ void wanted(float *y, shape s) {
    if (threadIdx.x < s.n)
        y[threadIdx.x] = ELEMENTS * traits<float>::by;
}
LAUNCH(wanted)
__global__ void matrices(float *y) {
    nvcuda::wmma::fragment<nvcuda::wmma::accumulator, 16, 16, 16, float> c;
}
PYBIND11_MODULE(NAME, m) {
    m.def("wanted", &launch_wanted, "it's {");
}
EOF
}

@test "cuda: host code that does not compile is left out, which is said, and the kernel stays what it was" {
    host_file
    run -0 lens kernel "$BATS_TEST_TMPDIR/host.cu" 'wanted(y[32], s=(20))' --grid 1 --block 32 --check
    [[ $output == *$'\ny[32]: 10 10 '* ]]
    [[ $output == *"left out lines 2, 10 to 16; lines 3 to 4, 6 of $BATS_TEST_TMPDIR/host.cuh, which the kernel does not need; torch/extension.h, which is not found"* ]]
    [[ $output == *"wanted, line 7 of $BATS_TEST_TMPDIR/host.cu"* ]]
    # What the kernel needs is never left out: of a type, of one for float alone, of a constant.
    local wrong
    for wrong in 's/int n;/int n; none x;/' 's/by = 5/by = none/' 's/ELEMENTS = 2/ELEMENTS = none()/'; do
        sed "$wrong" "$BATS_TEST_TMPDIR/host.cuh" > "$BATS_TEST_TMPDIR/wrong.cuh"
        sed "$wrong; s/host.cuh/wrong.cuh/" "$BATS_TEST_TMPDIR/host.cu" > "$BATS_TEST_TMPDIR/wrong.cu"
        run -2 lens kernel "$BATS_TEST_TMPDIR/wrong.cu" 'wanted(y[32], s=(20))' --grid 1 --block 32
        [[ $output == *"wrong.cu"*": error: "*"'none'"* ]]
    done
}

@test "cuda: what is not modelled is refused by name, with its line" {
    host_file
    run -77 lens kernel "$BATS_TEST_TMPDIR/host.cu" 'matrices(y[32])' --grid 1 --block 32
    [[ $output == *"matrix operations of a warp (wmma) are not modelled:"*"host.cu:12:5: error: "* ]]
    cat > "$BATS_TEST_TMPDIR/lacks.cu" <<'EOF'
#include <cooperative_groups.h>
#include <cuda/pipeline>
__global__ void textures(cudaTextureObject_t t, float *y) {
    y[0] = tex2D<float>(t, 0, 0);
}
__global__ void child(int *y) {
    y[0] = 1;
}
__global__ void parent(int *y) {
    child<<<1, 1>>>(y);
}
__global__ void grid(int *y) {
    cooperative_groups::this_grid().sync();
}
__global__ void copies(int *y) {
    cuda::pipeline<cuda::thread_scope_thread> p = cuda::make_pipeline();
}
__device__ int lane() {
    int x;
    asm("mov.u32 %0, %%laneid;" : "=r"(x));
    return x;
}
__global__ void ptx(int *y) {
    y[0] = lane();
}
EOF
    local lacks
    while IFS='|' read -r kernel line lacks; do
        run -77 lens kernel "$BATS_TEST_TMPDIR/lacks.cu" "$kernel" --grid 1 --block 32
        [[ $output == *"$lacks"* && $output == *"$line"* ]]
    done <<'EOF'
textures|lacks.cu:3:|textures and surfaces are not modelled
parent|lacks.cu:10:|a kernel that launches another one (dynamic parallelism) is not modelled
grid|lacks.cu:13:|a barrier of the whole grid is not modelled
copies|lacks.cu:16:|asynchronous copies, pipelines, barriers as objects
ptx|line 20 of |inline PTX (asm), which is not modelled
EOF
    run -0 lens kernel "$BATS_TEST_TMPDIR/lacks.cu" child --grid 1 --block 1 --check
    [[ $output == *$'\ny[1]: 1\n'* ]]
}

@test "cuda: a structure, a constant, printf, an assertion; and host code around them" {
    cuda 'deep::weigh<float>(y[64], s=(40, 0.5))' --grid 1 --block 32 --check
    [[ $status -eq 0 && $output == *$'printed\nitem 3 has 4\n\ny[64]: 2.5 3 3.5 4 2.5 '* ]]
    cuda 'halves(x=3, y)' --grid 1 --block 32 --check
    [[ $status -eq 0 && $output == *': 13 13 13 13 '* ]] # 3 x 3 + 1 + 3
    cuda 'deep::weigh<float>(y[64], s=(60, 0.5))' --grid 2 --block 32 --races
    [[ $status -eq 1 && $output == *"deep::weigh<float>: failed assertion: i < 40"*"times   24"* ]]
}

@test "cuda: what is wrong is said with its line, and the kernels that there are" {
    cuda 'saxp()'
    [[ $status -eq 2 && $output == *"k.cu has no kernel saxp"*"did you mean saxpy?"* ]]
    cuda 'reduce<256>()'
    [[ $status -eq 2 && $output == *"has no kernel reduce<256>"* ]]
    cuda 'reduce<256()'
    [[ $status -eq 2 && $output == *"a '>' is missing"* ]]
    cuda
    [[ $status -eq 2 && $output == *"has several kernels"*"saxpy, turn, lanes, halves, tiles, swapped, half_a_warp, weigh<float>"* ]]
    sed 's/y\[i\] = a \*/y[i] = b */' "$BATS_FILE_TMPDIR/k.cu" > "$BATS_TEST_TMPDIR/wrong.cu"
    run -2 lens kernel "$BATS_TEST_TMPDIR/wrong.cu" 'saxpy()'
    [[ $output == *"wrong.cu:19:16: error: use of undeclared identifier 'b'"* ]]
}

@test "cuda: a launch has one size, said once and in CUDA's words" {
    local call='saxpy(n=64, a=2, x[2048]=1, y[2048]=1)'
    run -0 lens "$BATS_FILE_TMPDIR/k.cu" turn --block 32 --grid 1 --shared 50000
    [[ $output == *"note: turn: a block has 32 threads and 50000 bytes of shared memory"*"CUDA allows 49152 bytes"* ]]
    cuda "$call" --block 2000 --grid 1
    [[ $status -eq 2 && $output == *"a block of 2000 threads is too large"*"CUDA allows 1024"* ]]
    cuda "$call" --block 2,2,65 --grid 1
    [[ $status -eq 2 && $output == *"a block of 65 threads in z is too large"*"CUDA allows 64 in z"* ]]
    cuda "$call" --block 8 --grid 1,70000
    [[ $status -eq 2 && $output == *"a grid of 70000 blocks in y is too large"* ]]
    cuda "$call" --block 8 --local 8
    [[ $status -eq 2 && $output == *"--block excludes --local"* ]]
    cuda "$call" --grid 8 --global 64
    [[ $status -eq 2 && $output == *"--grid excludes --global"* ]]
    cuda "$call" --grid 8 --all-sizes
    [[ $status -eq 2 && $output == *"--grid is not possible here"* ]]
    cuda "$call" --grid 0
    [[ $status -eq 2 && $output == *"--grid cannot be '0'"*"sizes in blocks"* ]]
    cuda "$call" --global 10 --block 4
    [[ $status -eq 2 && $output == *"10 threads are no multiple of blocks of 4"*"give --grid"* ]]
    run -2 lens kernel "$ROOT/kernels/step03_dot_coalesced.cl" dot_coalesced --shared 64
    [[ $output == *"--shared is not possible here"*"it is for kernels in CUDA"* ]]
}

@test "cuda: docs/cllens.md has a kernel that can be looked at as the page says" {
    awk '/^```cuda$/ { inside = 1; next } /^```$/ { inside = 0 } inside' "$ROOT/docs/cllens.md" > "$BATS_TEST_TMPDIR/reduce.cu"
    local call
    call=$(sed -n "s|^cllens kernel /tmp/reduce.cu '\(.*\)' --grid 16 --block 256$|\1|p" "$ROOT/docs/cllens.md")
    [ -n "$call" ]
    run -0 lens kernel "$BATS_TEST_TMPDIR/reduce.cu" "$call" --grid 16 --block 256
    grep -qE '^reduce<256> +4 +all +1 +all +30\.2 +96 of 2,304 +9 +16 +all$' <<< "$output"
    grep -F 'reduce<256> ' <<< "$output" | head -n 1 | grep -qxFf - "$ROOT/docs/cllens.md"
}

# row FILE CALL OPTION ... : what the table counts of a kernel.
row() {
    run -0 lens kernel --table --as none "$@"
    awk '/^kernel / { inside = 1; next } inside && NF { $1 = ""; print; exit }' <<< "$output"
}

# twins STEM KERNEL CALL BLOCKS THREADS [SHARED [ARGUMENT]] : the same counts of a step's kernel and
# of the one in tests/lens/cuda/.  BLOCKS and THREADS have a size or two; OpenCL is given SHARED bytes
# for this argument, or for t.
twins() {
    local stem=$1 kernel=$2 call=$3 grid=$4 block=$5 shared=${6:-} argument=${7:-t} theirs ours global
    global=$(awk -v grid="$grid" -v block="$block" 'BEGIN {
        n = split(grid, g, ","); split(block, b, ",")
        for (i = 1; i <= n; i++) printf "%s%d", (i > 1 ? "," : ""), g[i] * b[i] }')
    ours=$(row "$ROOT/kernels/$stem.cl" "$kernel($call${shared:+, $argument=$shared})" --global "$global" --local "$block")
    theirs=$(row "$ROOT/tests/lens/cuda/$stem.cu" "$kernel($call)" --grid "$grid" --block "$block" \
        ${shared:+--shared "$shared"})
    echo "$kernel:$ours"
    # Of the lanes that are busy there is up to a quarter more or less, where indices are of another width.
    printf '%s\n%s\n' "$ours" "$theirs" | awk -v apart="${busy_lanes_apart:-0.25}" '
        NR == 1 { split($0, ours); count = NF; next }
        { for (i = 1; i <= NF; i++)
              bad += ours[i] != $i && !($i ~ /[.]/ && (ours[i] - $i)^2 < apart^2) }
        END { exit bad || count < 4 || NF != count }'
}

@test "cuda: kernels of the steps have the counts of their twins in OpenCL C" {
    twins step03_dot_coalesced dot_coalesced 'n=1003' 1 32
    twins step05_dot_strided dot_coalesced 'n=20003' 16 256
    twins step05_dot_strided dot_contiguous 'n=20003' 16 256
    twins step05_dot_strided dot_strided 'n=20003, stride=4' 16 64
    twins step06_reduce_local reduce_local_divergent 'n=1000' 4 256 1024
    twins step06_reduce_local reduce_local_dense 'n=1000' 4 256 1024
    twins step06_reduce_local reduce_local_sequential 'n=700' 7 100 400
    twins step07_reduce_simd reduce_simd_tree 'n=1000' 4 256 1024
    twins step07_reduce_simd reduce_simd_tree 'n=700' 7 100 400
    twins step13b_transpose transpose_rows 'pitch=128' 4,16 32,8
    twins step13b_transpose transpose_local 'pitch=128' 4,4 32,8
    twins step13b_transpose transpose_padded 'pitch=128' 4,4 32,8
    twins step18_matmul matmul_naive 'm=70, n=40, k=30' 3,5 32,8
    twins step18_matmul matmul_padded 'm=64, n=40, k=32' 2,5 32,8
    twins step18_matmul matmul_coalesced 'm=40, n=70, k=30' 3,5 32,8
    twins step18_matmul matmul_local 'm=40, n=70, k=30' 5,3 16,16
    twins step18_matmul matmul_column 'm=100, n=70, k=30' 3,2 32,8
    twins step18_matmul matmul_square 'm=150, n=140, k=20' 2,2 16,16
    # With a ragged edge there are more branches: of four times as many instructions, because a float4
    # is four numbers here, clang does not unroll the loop over DEPTH.
    twins step18_matmul matmul_vectors 'm=128, n=256, k=16' 2,1 16,16
}

@test "cuda: where lanes exchange values, only the lanes that are busy differ from OpenCL's" {
    # A sum of a warp is one call there, and five shuffles and additions here, by all lanes.
    busy_lanes_apart=5 twins step07_reduce_simd reduce_simd_float 'n=1000' 4 256 32 slots
    busy_lanes_apart=5 twins step07_reduce_simd reduce_simd_float 'n=700' 7 128 16 slots
    busy_lanes_apart=5 twins step07_reduce_simd reduce_simd_in_flight 'n=20003' 4 128 16 slots
}

@test "cuda: what has a form in CUDA's words is said somewhere in OpenCL's" {
    python3 - <<'PYTHON'
import pathlib
import re

LENS = pathlib.Path("common/lens")
LIST = LENS / "base" / "vocabulary.c"


def joined(path):
    """A file whose texts over several lines are one."""
    return re.sub(r'"\s+"', "", path.read_text())


said = "\n".join(joined(path) for path in LENS.rglob("*.c") if path != LIST)
terms = re.findall(r'\{("[^"]+"),', joined(LIST))
lost = [term for term in terms if term not in said]
assert len(terms) > 20 and not lost, lost
PYTHON
}

@test "cuda: a float4 is one access, also where its numbers are used one by one" {
    cat > "$BATS_TEST_TMPDIR/v.cu" <<'EOF'
#include <cuda_fp16.h>
struct __align__(16) mixed {
    double a;
    float b, c;
};
template <typename T, int N> struct alignas(sizeof(T) * N) vec {
    T v[N];
};
__global__ void array(const half *in, half *out) {
    vec<half, 8> x = reinterpret_cast<const vec<half, 8> *>(in)[threadIdx.x];
    for (int i = 0; i < 8; i++)
        x.v[i] = x.v[i] + x.v[i];
    reinterpret_cast<vec<half, 8> *>(out)[threadIdx.x] = x;
}
__device__ float4 twice(float4 v) {
    return make_float4(2 * v.x, 2 * v.y, 2 * v.z, 2 * v.w);
}
__global__ void apart(const float *in, float *out) {
    __shared__ float t[128];
    const unsigned i = threadIdx.x;
    const float4 v = reinterpret_cast<const float4 *>(in)[i];
    t[i] = v.x, t[i + 32] = v.y, t[i + 64] = v.z, t[i + 96] = v.w;
    __syncthreads();
    reinterpret_cast<float4 *>(out)[i] = make_float4(t[i], t[i + 32], t[i + 64], t[i + 96]);
}
__global__ void call(const float4 *in, float4 *out) {
    out[threadIdx.x] = twice(in[threadIdx.x]);
}
__global__ void swap(const short4 *in, short4 *out) {
    const short4 v = in[threadIdx.x];
    out[threadIdx.x] = make_short4(v.w, v.z, v.y, v.x);
}
#define FETCH(x) (*(float4 *)&(x))
__global__ void cast(float *in, float *out) {
    __shared__ float t[128];
    float r[4];
    FETCH(r[0]) = FETCH(in[4 * threadIdx.x]);
    for (int i = 0; i < 4; i++)
        r[i] *= 2;
    FETCH(t[4 * threadIdx.x]) = FETCH(r[0]);
    __syncthreads();
    FETCH(out[4 * threadIdx.x]) = FETCH(t[4 * (31 - threadIdx.x)]);
}
__global__ void members(const mixed *in, mixed *out) {
    mixed m = in[threadIdx.x];
    m.b += 1;
    out[threadIdx.x] = m;
}
EOF
    local name moved
    for moved in 'apart 32.0 lanes  16.00 sectors (ideal 16.00)' 'call 32.0 lanes  16.00 sectors (ideal 16.00)' \
                 'cast 32.0 lanes  16.00 sectors (ideal 16.00)' \
                 'array 32.0 lanes  16.00 sectors (ideal 16.00)' \
                 'swap 32.0 lanes   8.00 sectors (ideal 8.00)'; do
        name=${moved%% *}
        run -0 lens kernel "$BATS_TEST_TMPDIR/v.cu" "$name(in=(1,2,3,4))" --grid 1 --block 32 --all --check
        [[ $output == *"load in            1 x ${moved#* }"* ]]
        [[ $output == *"store out          1 x ${moved#* }"* ]]
    done
    [[ $output == *"out[32]: 4 3 2 1 4 3 2 1"* ]]
    run -0 lens kernel "$BATS_TEST_TMPDIR/v.cu" 'apart(in=index)' --grid 1 --block 32 --races --check
    [[ $output == *"out[128]: 0 1 2 3 4 5 6 7 ..."*"no mistake found"* ]]
    run -0 lens kernel "$BATS_TEST_TMPDIR/v.cu" 'array(in[256]=index)' --grid 1 --block 32 --races --check
    [[ $output == *"out[256]: 0 2 4 6 8 10 12 14 ..."*"no mistake found"* ]]
    run -0 lens kernel "$BATS_TEST_TMPDIR/v.cu" 'cast(in[128]=index)' --grid 1 --block 32 --all --check
    [[ $output == *"out[128]: 248 250 252 254 240 "*"load t             1 x 32.0 lanes   4.00 passes (ideal 4.00)"* ]]
    # Numbers of two sizes are no vector: NVIDIA's compiler takes these apart as well.
    run -0 lens kernel "$BATS_TEST_TMPDIR/v.cu" members --grid 1 --block 32 --all
    [[ $output == *"load in            3 x 32.0 lanes"* ]]
}

@test "cuda: what lanes of one warp write by one instruction is no mistake if it is the same" {
    cat > "$BATS_TEST_TMPDIR/s.cu" <<'EOF'
__global__ void must(const int *x, int *any) {
    if (x[threadIdx.x] > 0)
        *any = 1;
}
__global__ void here(const int *x, int *y) { y[threadIdx.x / 4] = x[threadIdx.x / 4]; }
__global__ void differ(const int *x, int *y) { y[threadIdx.x / 4] = x[threadIdx.x]; }
__global__ void rounds(const int *x, int *y) {
    for (int i = 0; i < 2; i++)
        if (threadIdx.x % 2 == i)
            y[0] = x[0];
}
EOF
    raced() {
        run "$1" lens kernel "$BATS_TEST_TMPDIR/s.cu" "$2(x=index)" --grid 1 --block "$3" --races "${@:4}"
    }
    raced -0 must 32
    [[ $output != *"note"* ]]
    [[ $output != *"race"* ]]
    raced -1 must 32 --strict
    raced -0 must 64 # two warps
    [[ $output == *"note: must: data race: any"*"all write the same value, and must"* ]]
    raced -0 here 64
    [[ $output == *"note: here: data race: y"*"all write the same value here: CUDA allows that in one instruction of a warp, and nowhere else"* ]]
    raced -1 differ 32
    [[ $output == *"error: differ: data race: y"*"any of the values may stay: let one thread write, or use an atomic"* ]]
    [[ $output != *"__syncthreads"* ]]
    raced -0 rounds 32 # two instructions: a place of the kernel that stores what is the launch's
    [[ $output == *"note: rounds: data race: y"* ]]
}

@test "cuda: HIP has its names, masks of 64 bits and warps of 64 lanes" {
    cat > "$BATS_TEST_TMPDIR/k.hip" <<'EOF'
#include <hip/hip_runtime.h>

__global__ void sum(const int *x, int *out, int n) {
    const int i = hipBlockIdx_x * hipBlockDim_x + hipThreadIdx_x;
    int s = i < n ? x[i] : 0;
    for (int by = warpSize / 2; by > 0; by /= 2)
        s += __shfl_down(s, by);
    if (__lane_id() == 0)
        atomicAdd(out, s);
}

__global__ void votes(unsigned long long *out) {
    HIP_DYNAMIC_SHARED(unsigned long long, t)
    t[threadIdx.x] = __ballot(threadIdx.x % 2);
    __syncthreads();
    out[threadIdx.x] = t[threadIdx.x] + __popcll(__activemask());
}

__global__ void half_a_warp(int *y) {
    int s = threadIdx.x;
    if (threadIdx.x < 32)
        s += __shfl_xor_sync(0xffffffffffull, s, 1);
    y[threadIdx.x] = s;
}

int main() {
    int *x;
    if (hipMalloc(&x, 64) != hipSuccess)
        return 1;
    hipLaunchKernelGGL(sum, dim3(1), dim3(64), 0, 0, x, x, 16);
    return hipDeviceSynchronize() != hipSuccess;
}
EOF
    hip() {
        run "$1" lens kernel "$BATS_TEST_TMPDIR/k.hip" "${@:2}"
    }
    hip -0 'sum(x=2, out[1]=0, n=256)' --grid 2 --block 128 --check
    [[ $output == *"out[1]: 512"*"of 64"*"4 atomics"* ]]
    hip -0 'sum(x=2, out[1]=0, n=256)' --grid 2 --block 128 --check --lanes 32
    [[ $output == *"out[1]: 512"*"of 32"*"8 atomics"* ]]
    hip -0 'votes(out[64])' --grid 1 --block 64 --shared 512 --check
    [[ $output == *"out[64]: 12297829382473034474 "* ]] # 0xaaaaaaaaaaaaaaaa + 64
    hip -1 'half_a_warp(y[64])' --grid 1 --block 64 --races
    [[ $output == *"0xffffffffff names lane 32"* ]]
    hip -0 'sum(x=1, out[1]=0, n)' --all-sizes --quick
    [[ $output == *"warps of 32, 64 lanes"* && $output != *"note"* ]]
}

@test "cuda: all sizes are tried with the warps that CUDA has" {
    cuda 'saxpy(x[2*n], y[n], n, a=1)' --all-sizes --quick
    [[ $status -eq 0 && $output == *"warps of 32 lanes; "* ]]
}

@test "cuda: the page has CUDA's words" {
    command -v chromium || skip "no chromium"
    local page=$BATS_TEST_TMPDIR/page.html
    cuda 'reduce<float, 256>(n=2000)' --grid 8 --block 256 --html "$page"
    [ "$status" -eq 0 ]
    run -0 chromium --headless --no-sandbox --disable-gpu --user-data-dir="$BATS_TEST_TMPDIR/chromium" \
        --dump-dom "file://$page"
    [[ $output == *"2,048 threads in blocks of 256. This is block "* ]]
    [[ $output == *">All warps of the <span data-word=\"\">block</span>"* ]]
    [[ $output == *"executes one <span data-word=\"\">thread</span>"* ]]
    [[ $output == *"The words of <span data-word=\"\">shared memory</span>"* ]]
}

@test "cuda: what the lens says of other projects' kernels is stored as it says it" {
    host_file
    mkdir -p "$BATS_TEST_TMPDIR/docs/results/cuda" "$BATS_TEST_TMPDIR/clones"
    ln -s "$BATS_TEST_TMPDIR" "$BATS_TEST_TMPDIR/clones/one"
    ln -s "$ROOT/build" "$BATS_TEST_TMPDIR/build"
    cd "$BATS_TEST_TMPDIR"
    sed '/threadIdx.x < s.n/d' host.cu > all.cu
    printf '%s\t%s\t%s\t%s\n' project owner commit options one none 0 '' > docs/results/cuda/projects.tsv
    { printf 'project\tfile\tcall\toptions\tline\tsectors\tpasses\twhy\n'
      printf 'one\t%s\t%s\t--grid 1 --block 32\t%s\t4\t\t\n' host.cu 'wanted(y[32], s=(20))' 8 \
          all.cu 'wanted(y[20], s=(20))' '' host.cu 'matrices(y[32])' ''
    } > docs/results/cuda/calls.tsv
    run -0 python3 "$ROOT/common/commands/foreign.py" clones
    run -0 cut -f 2,3,5,7,9 docs/results/cuda/kernels.tsv
    [ "${lines[1]}" = $'wanted(y[32], s=(20))\tshown\t3\t3\t' ]
    [ "${lines[2]}" = $'wanted(y[20], s=(20))\tstopped\t\t\tout-of-bounds access (line 7)' ]
    [ "${lines[3]}" = $'matrices(y[32])\trefused\t\t\tmatrix operations of a warp (wmma) are not modelled' ]
}
