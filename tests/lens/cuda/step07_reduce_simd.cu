/* Step 07's sums of floats in CUDA; the launch gives the memory that a block shares. */
extern __shared__ float t[];

__global__ void reduce_simd_tree(const float *x, float *sums, unsigned n) {
    const unsigned id = threadIdx.x;
    const unsigned item = blockIdx.x * blockDim.x + threadIdx.x;

    t[id] = item < n ? x[item] : 0.0f;
    __syncthreads();
    for (unsigned rest = blockDim.x; rest > 1;) {
        const unsigned lower = (rest + 1) / 2; /* an odd one out stays where it is */
        if (id + lower < rest)
            t[id] += t[id + lower];
        rest = lower;
        __syncthreads();
    }
    if (id == 0)
        sums[blockIdx.x] = t[0];
}

/* What simd.clh gives to kernels of the step, in CUDA's words. */
static __device__ unsigned simd_lanes_most() {
    return warpSize;
}

static __device__ unsigned simd_lane() {
    return threadIdx.x % simd_lanes_most();
}

static __device__ unsigned simd_group() {
    return threadIdx.x / simd_lanes_most();
}

static __device__ unsigned simd_groups() {
    return (blockDim.x + simd_lanes_most() - 1) / simd_lanes_most();
}

static __device__ unsigned simd_lanes() {
    return min(simd_lanes_most(), blockDim.x - simd_group() * simd_lanes_most());
}

static __device__ float simd_shuffle(float x, unsigned lane) {
    const unsigned mask = ~0u >> (32 - simd_lanes());
    return __shfl_sync(mask, x, min(lane, simd_lanes() - 1));
}

/* Of a whole warp.  OpenCL has a function for it; of floats, CUDA has none. */
static __device__ float simd_sum(float x) {
    x += __shfl_xor_sync(~0u, x, 16);
    x += __shfl_xor_sync(~0u, x, 8);
    x += __shfl_xor_sync(~0u, x, 4);
    x += __shfl_xor_sync(~0u, x, 2);
    x += __shfl_xor_sync(~0u, x, 1);
    return x;
}

__global__ void reduce_simd_float(const float *x, float *sums, unsigned n) {
    float *const slots = t;
    const unsigned item = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned lane = simd_lane(), lanes = simd_lanes();

    float sum = item < n ? x[item] : 0.0f;
    for (unsigned far = 1; far < simd_lanes_most(); far *= 2) {
        const float other = simd_shuffle(sum, lane + far);
        if (lane + far < lanes) /* the others have no partner */
            sum += other;
    }
    if (lane == 0)
        slots[simd_group()] = sum;
    __syncthreads();

    float all = 0.0f; /* one round, unless there are more slots than lanes */
    for (unsigned i = lane; i < simd_groups(); i += lanes)
        all += slots[i];
    all = simd_sum(all);
    if (threadIdx.x == 0)
        sums[blockIdx.x] = all;
}

__global__ void reduce_simd_in_flight(const float4 *x, float *sums, unsigned n) {
    float *const slots = t;
    const unsigned row = blockDim.x, tile = 4 * row, tiles = n / 4 / tile;

    float4 sum4 = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    for (unsigned k = blockIdx.x; k < tiles; k += gridDim.x) {
        const unsigned i = k * tile + threadIdx.x;
        const float4 a = x[i], b = x[i + row], c = x[i + 2 * row], d = x[i + 3 * row];
        sum4.x += (a.x + b.x) + (c.x + d.x);
        sum4.y += (a.y + b.y) + (c.y + d.y);
        sum4.z += (a.z + b.z) + (c.z + d.z);
        sum4.w += (a.w + b.w) + (c.w + d.w);
    }
    float own = sum4.x + sum4.y + sum4.z + sum4.w;
    unsigned rest = tiles * tile * 4 + blockIdx.x * blockDim.x + threadIdx.x;
    for (; rest < n; rest += gridDim.x * blockDim.x) /* what no tile covers */
        own += ((const float *)x)[rest];

    __syncthreads();
    const float sum = simd_sum(own);
    if (simd_lane() == 0)
        slots[simd_group()] = sum;
    __syncthreads();

    float all = 0.0f;
    for (unsigned i = simd_lane(); i < simd_groups(); i += simd_lanes())
        all += slots[i];
    all = simd_sum(all);
    if (threadIdx.x == 0)
        sums[blockIdx.x] = all;
}
