/* Step 18's kernels in CUDA: C = A B; A has m x k numbers, B k x n, C m x n. */
enum { TILE = 16, EACH = 8, DEPTH = 8, TALL = 64, WIDE = 32, SIDE = 128, ITEMS = SIDE / EACH };

__global__ void matmul_naive(const float *A, const float *B, float *C, unsigned m,
                             unsigned n, unsigned k) {
    const unsigned row = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned column = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= m || column >= n)
        return;
    float sum = 0.0f;
    for (unsigned i = 0; i < k; i++)
        sum += A[row * k + i] * B[i * n + column];
    C[row * n + column] = sum;
}

__global__ void matmul_padded(const float *A, const float *B, float *C, unsigned m,
                              unsigned n, unsigned k) {
    const unsigned row = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned column = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= m || column >= n)
        return;
    float sum = 0.0f;
    for (unsigned i = 0; i < k; i++)
        sum += A[row * (k + 1) + i] * B[i * n + column];
    C[row * n + column] = sum;
}

__global__ void matmul_coalesced(const float *A, const float *B, float *C, unsigned m,
                                 unsigned n, unsigned k) {
    const unsigned row = blockIdx.y * blockDim.y + threadIdx.y;
    const unsigned column = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= m || column >= n)
        return;
    float sum = 0.0f;
    for (unsigned i = 0; i < k; i++)
        sum += A[row * k + i] * B[i * n + column];
    C[row * n + column] = sum;
}

__global__ void __launch_bounds__(TILE * TILE)
matmul_local(const float *A, const float *B, float *C, unsigned m, unsigned n,
             unsigned k) {
    __shared__ float a[TILE][TILE], b[TILE][TILE];
    const unsigned x = threadIdx.x, y = threadIdx.y;
    const unsigned row = blockIdx.y * blockDim.y + y, column = blockIdx.x * blockDim.x + x;
    float sum = 0.0f;
    for (unsigned slab = 0; slab < k; slab += TILE) {
        a[y][x] = row < m && slab + x < k ? A[row * k + slab + x] : 0.0f;
        b[y][x] = slab + y < k && column < n ? B[(slab + y) * n + column] : 0.0f;
        __syncthreads();
        for (unsigned i = 0; i < TILE; i++)
            sum += a[y][i] * b[i][x];
        __syncthreads();
    }
    if (row < m && column < n)
        C[row * n + column] = sum;
}

__global__ void __launch_bounds__(WIDE * TALL / EACH)
matmul_column(const float *A, const float *B, float *C, unsigned m, unsigned n,
              unsigned k) {
    __shared__ float a[TALL][DEPTH], b[DEPTH][WIDE];
    const unsigned x = threadIdx.x, y = threadIdx.y, id = y * WIDE + x;
    const unsigned top = blockIdx.y * TALL, left = blockIdx.x * WIDE;
    float sums[EACH] = {0.0f};
    for (unsigned slab = 0; slab < k; slab += DEPTH) {
        for (unsigned i = id; i < TALL * DEPTH; i += TALL / EACH * WIDE) {
            const unsigned row = top + i / DEPTH, column = slab + i % DEPTH;
            a[i / DEPTH][i % DEPTH] =
                row < m && column < k ? A[row * k + column] : 0.0f;
        }
        b[y][x] = slab + y < k && left + x < n ? B[(slab + y) * n + left + x] : 0.0f;
        __syncthreads();
        for (unsigned i = 0; i < DEPTH; i++) {
            const float of_b = b[i][x];
#pragma unroll
            for (unsigned r = 0; r < EACH; r++)
                sums[r] += a[y * EACH + r][i] * of_b;
        }
        __syncthreads();
    }
#pragma unroll
    for (unsigned r = 0; r < EACH; r++)
        if (top + y * EACH + r < m && left + x < n)
            C[(top + y * EACH + r) * n + left + x] = sums[r];
}

__global__ void __launch_bounds__(ITEMS * ITEMS)
matmul_square(const float *A, const float *B, float *C, unsigned m, unsigned n,
              unsigned k) {
    __shared__ float a[SIDE][DEPTH], b[DEPTH][SIDE];
    const unsigned x = threadIdx.x, y = threadIdx.y, id = y * ITEMS + x;
    const unsigned top = blockIdx.y * SIDE, left = blockIdx.x * SIDE;
    float sums[EACH][EACH] = {{0.0f}};
    for (unsigned slab = 0; slab < k; slab += DEPTH) {
        for (unsigned i = id; i < SIDE * DEPTH; i += ITEMS * ITEMS) {
            const unsigned row = top + i / DEPTH, column = slab + i % DEPTH;
            a[i / DEPTH][i % DEPTH] =
                row < m && column < k ? A[row * k + column] : 0.0f;
        }
        for (unsigned i = id; i < DEPTH * SIDE; i += ITEMS * ITEMS) {
            const unsigned row = slab + i / SIDE, column = left + i % SIDE;
            b[i / SIDE][i % SIDE] = row < k && column < n ? B[row * n + column] : 0.0f;
        }
        __syncthreads();
        for (unsigned i = 0; i < DEPTH; i++) {
            float of_a[EACH], of_b[EACH];
#pragma unroll
            for (unsigned e = 0; e < EACH; e++) {
                of_a[e] = a[y * EACH + e][i];
                of_b[e] = b[i][x * EACH + e];
            }
#pragma unroll
            for (unsigned r = 0; r < EACH; r++)
#pragma unroll
                for (unsigned c = 0; c < EACH; c++)
                    sums[r][c] += of_a[r] * of_b[c];
        }
        __syncthreads();
    }
#pragma unroll
    for (unsigned r = 0; r < EACH; r++)
#pragma unroll
        for (unsigned c = 0; c < EACH; c++)
            if (top + y * EACH + r < m && left + x * EACH + c < n)
                C[(top + y * EACH + r) * n + left + x * EACH + c] = sums[r][c];
}

__device__ void put(float4 from, float *to) {
    to[0] = from.x, to[1] = from.y, to[2] = from.z, to[3] = from.w;
}

__device__ float4 four_of(const float *from) {
    return make_float4(from[0], from[1], from[2], from[3]);
}

__device__ void add_products(float4 &sums, float by, float4 of) {
    sums.x += by * of.x, sums.y += by * of.y;
    sums.z += by * of.z, sums.w += by * of.w;
}

__global__ void __launch_bounds__(ITEMS * ITEMS)
matmul_vectors(const float *A, const float *B, float *C, unsigned m, unsigned n,
               unsigned k) {
    __shared__ float4 a[DEPTH][SIDE / 4 + 1], b[DEPTH][SIDE / 4];
    float *const a_floats = (float *)a;
    const unsigned x = threadIdx.x, y = threadIdx.y, id = y * ITEMS + x;
    const unsigned top = blockIdx.y * SIDE, left = blockIdx.x * SIDE;
    const bool whole =
        top + SIDE <= m && left + SIDE <= n && n % 4 == 0 && k % DEPTH == 0;
    float4 sums[EACH][2] = {};
    for (unsigned slab = 0; slab < k; slab += DEPTH) {
        const unsigned a_row = top + id / 2, a_column = slab + id % 2 * 4;
        const unsigned b_row = slab + id / 32, b_column = left + id % 32 * 4;
        float of_a[4], of_b[4];
        if (whole) {
            put(*(const float4 *)(A + a_row * k + a_column), of_a);
            put(*(const float4 *)(B + b_row * n + b_column), of_b);
        } else
#pragma unroll
            for (unsigned e = 0; e < 4; e++) {
                of_a[e] =
                    a_row < m && a_column + e < k ? A[a_row * k + a_column + e] : 0.0f;
                of_b[e] =
                    b_row < k && b_column + e < n ? B[b_row * n + b_column + e] : 0.0f;
            }
#pragma unroll
        for (unsigned e = 0; e < 4; e++)
            a_floats[(id % 2 * 4 + e) * (SIDE + 4) + id / 2] = of_a[e];
        b[id / 32][id % 32] = four_of(of_b);
        __syncthreads();
#pragma unroll
        for (unsigned i = 0; i < DEPTH; i++) {
            float rows[EACH];
            put(a[i][y], rows);
            put(a[i][SIDE / 8 + y], rows + 4);
            const float4 near = b[i][x], far = b[i][SIDE / 8 + x];
#pragma unroll
            for (unsigned r = 0; r < EACH; r++) {
                add_products(sums[r][0], rows[r], near);
                add_products(sums[r][1], rows[r], far);
            }
        }
        __syncthreads();
    }
#pragma unroll
    for (unsigned r = 0; r < EACH; r++)
#pragma unroll
        for (unsigned side = 0; side < 2; side++) {
            const unsigned row = top + r / 4 * (SIDE / 2) + y * 4 + r % 4;
            const unsigned column = left + side * (SIDE / 2) + x * 4;
            if (whole)
                *(float4 *)(C + row * n + column) = sums[r][side];
            else {
                float four[4];
                put(sums[r][side], four);
                for (unsigned e = 0; e < 4; e++)
                    if (row < m && column + e < n)
                        C[row * n + column + e] = four[e];
            }
        }
}
