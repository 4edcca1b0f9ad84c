/* Step 05's kernels in CUDA. */
__global__ void dot_coalesced(const float *x, const float *y, float *sums, unsigned n) {
    const unsigned item = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned items = gridDim.x * blockDim.x, rounds = n / items;

    float sum = 0.0f;
    unsigned i = item;
    for (unsigned round = 0; round < rounds; round++, i += items)
        sum += x[i] * y[i];
    if (i < n) /* what no full round covers */
        sum += x[i] * y[i];
    sums[item] = sum;
}

__global__ void dot_contiguous(const float *x, const float *y, float *sums,
                               unsigned n) {
    const unsigned item = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned items = gridDim.x * blockDim.x, rounds = n / items;

    float sum = 0.0f;
    unsigned i = item * rounds;
    for (unsigned round = 0; round < rounds; round++, i++)
        sum += x[i] * y[i];
    i = rounds * items + item;
    if (i < n) /* what no chunk covers */
        sum += x[i] * y[i];
    sums[item] = sum;
}

__global__ void dot_strided(const float *x, const float *y, float *sums, unsigned n,
                            unsigned stride) {
    const unsigned item = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned items = gridDim.x * blockDim.x, rounds = n / (items * stride);

    float sum = 0.0f;
    for (unsigned first = 0; first < stride; first++) {
        unsigned i = item * stride + first;
        for (unsigned round = 0; round < rounds; round++, i += items * stride)
            sum += x[i] * y[i];
    }
    for (unsigned i = rounds * items * stride + item; i < n; i += items)
        sum += x[i] * y[i]; /* what no full round covers */
    sums[item] = sum;
}
