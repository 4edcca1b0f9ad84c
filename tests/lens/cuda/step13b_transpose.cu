/* Three kernels of step 13b in CUDA. */
enum { BLOCK = 32 };

__global__ void transpose_rows(const float *__restrict__ in, float *__restrict__ out,
                               unsigned pitch) {
    const unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < pitch)
        out[x * pitch + y] = in[y * pitch + x];
}

template <unsigned WIDTH>
static __device__ void transpose_block(const float *__restrict__ in,
                                       float *__restrict__ out, unsigned pitch) {
    __shared__ float block[BLOCK][WIDTH];
    const unsigned x = blockIdx.x * BLOCK, y = blockIdx.y * BLOCK;
    const unsigned lane = threadIdx.x, rows = blockDim.y;
    for (unsigned row = threadIdx.y; row < BLOCK; row += rows)
        block[row][lane] = in[(y + row) * pitch + x + lane];
    __syncthreads();
    for (unsigned row = threadIdx.y; row < BLOCK; row += rows)
        out[(x + row) * pitch + y + lane] = block[lane][row];
}

__global__ void transpose_local(const float *__restrict__ in, float *__restrict__ out,
                                unsigned pitch) {
    transpose_block<BLOCK>(in, out, pitch);
}

__global__ void transpose_padded(const float *__restrict__ in, float *__restrict__ out,
                                 unsigned pitch) {
    transpose_block<BLOCK + 1>(in, out, pitch);
}
