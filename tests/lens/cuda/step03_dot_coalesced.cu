/* Step 03's kernel in CUDA. */
__global__ void dot_coalesced(const float *x, const float *y, float *sums, unsigned n) {
    const unsigned item = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned items = gridDim.x * blockDim.x;
    float sum = 0.0f;
    for (unsigned i = item; i < n; i += items)
        sum += x[i] * y[i];
    sums[item] = sum;
}
