/* Three trees of step 06 in CUDA; the launch gives the memory that a block shares. */
extern __shared__ float t[];

__global__ void reduce_local_divergent(const float *x, float *sums, unsigned n) {
    const unsigned id = threadIdx.x, size = blockDim.x;
    const unsigned item = blockIdx.x * blockDim.x + threadIdx.x;

    t[id] = item < n ? x[item] : 0.0f;
    __syncthreads();
    for (unsigned far = 1; far < size; far *= 2) {
        if (id % (2 * far) == 0 && id + far < size)
            t[id] += t[id + far];
        __syncthreads();
    }
    if (id == 0)
        sums[blockIdx.x] = t[0];
}

__global__ void reduce_local_dense(const float *x, float *sums, unsigned n) {
    const unsigned id = threadIdx.x, size = blockDim.x;
    const unsigned item = blockIdx.x * blockDim.x + threadIdx.x;

    t[id] = item < n ? x[item] : 0.0f;
    __syncthreads();
    for (unsigned far = 1; far < size; far *= 2) {
        const unsigned i = 2 * far * id;
        if (i + far < size)
            t[i] += t[i + far];
        __syncthreads();
    }
    if (id == 0)
        sums[blockIdx.x] = t[0];
}

static __device__ float group_sum(float mine) {
    const unsigned id = threadIdx.x, size = blockDim.x;

    t[id] = mine;
    __syncthreads();
    for (unsigned rest = size; rest > 1;) {
        const unsigned lower = (rest + 1) / 2; /* an odd one out stays where it is */
        if (id + lower < rest)
            t[id] += t[id + lower];
        rest = lower;
        __syncthreads();
    }
    return t[0];
}

__global__ void reduce_local_sequential(const float *x, float *sums, unsigned n) {
    const unsigned item = blockIdx.x * blockDim.x + threadIdx.x;

    const float sum = group_sum(item < n ? x[item] : 0.0f);
    if (threadIdx.x == 0)
        sums[blockIdx.x] = sum;
}
