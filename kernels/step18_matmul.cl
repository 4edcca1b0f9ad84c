/* Step 18: C = A B, all in rows: A has m x k numbers, B k x n, C m x n.
 *
 *                  k            n
 *             +---------+   +-------+       +-------+
 *           m | A - - - | k | B   | |  =  m |       |    each number of A is needed
 *             +---------+   |     | |       |     o |    n times, each of B m times
 *                           +-------+       +-------+
 *
 * Where are they kept meanwhile?  `slab` is a piece of k: so many columns of A and rows
 * of B are in local memory at a time.  Beside a matrix there are zeros. */
#define GROUP(x, y) __attribute__((reqd_work_group_size(x, y, 1)))

/* One element of C for each work-item.  Neighbouring lanes go down a column of C: each
 * reads a row of A of its own, and writes to a row of C of its own. */
kernel void matmul_naive(global const float *A, global const float *B, global float *C,
                         uint m, uint n, uint k) {
    const uint row = get_global_id(0), column = get_global_id(1);
    if (row >= m || column >= n)
        return;
    float sum = 0.0f;
    for (uint i = 0; i < k; i++)
        sum += A[row * k + i] * B[i * n + column];
    C[row * n + column] = sum;
}

/* The same, but the rows of A are k + 1 numbers apart, so that the numbers of a column
 * are in different banks of the L1 cache.  The last number of a row is never read. */
kernel void matmul_padded(global const float *A, global const float *B, global float *C,
                          uint m, uint n, uint k) {
    const uint row = get_global_id(0), column = get_global_id(1);
    if (row >= m || column >= n)
        return;
    float sum = 0.0f;
    for (uint i = 0; i < k; i++)
        sum += A[row * (k + 1) + i] * B[i * n + column];
    C[row * n + column] = sum;
}

/* As naive, but neighbouring lanes go along a row of C: all of them need the same
 * number of A, and neighbouring ones of B. */
kernel void matmul_coalesced(global const float *A, global const float *B,
                             global float *C, uint m, uint n, uint k) {
    const uint row = get_global_id(1), column = get_global_id(0);
    if (row >= m || column >= n)
        return;
    float sum = 0.0f;
    for (uint i = 0; i < k; i++)
        sum += A[row * k + i] * B[i * n + column];
    C[row * n + column] = sum;
}

#define TILE 16

/* exercise { */
/* Together a group loads a square of A and a square of B into local memory, where each
 * number is used TILE times. */
GROUP(TILE, TILE)
kernel void matmul_local(global const float *A, global const float *B, global float *C,
                         uint m, uint n, uint k) {
    local float a[TILE][TILE], b[TILE][TILE];
    const uint x = get_local_id(0), y = get_local_id(1);
    const uint row = get_global_id(1), column = get_global_id(0);
    float sum = 0.0f;
    for (uint slab = 0; slab < k; slab += TILE) {
        a[y][x] = row < m && slab + x < k ? A[row * k + slab + x] : 0.0f;
        b[y][x] = slab + y < k && column < n ? B[(slab + y) * n + column] : 0.0f;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint i = 0; i < TILE; i++)
            sum += a[y][i] * b[i][x];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    /* } exercise */
    if (row < m && column < n)
        C[row * n + column] = sum;
}

#define EACH 8  /* sums of a work-item in a column, and in a row */
#define DEPTH 8 /* of a slab */

/* A group has a tile of TALL x WIDE of C, and each work-item has EACH sums of a column
 * in registers: a number of B that is read from local memory is used EACH times. */
#define TALL 64
#define WIDE 32
GROUP(WIDE, TALL / EACH)
kernel void matmul_column(global const float *A, global const float *B, global float *C,
                          uint m, uint n, uint k) {
    local float a[TALL][DEPTH], b[DEPTH][WIDE];
    const uint x = get_local_id(0), y = get_local_id(1), id = y * WIDE + x;
    const uint top = get_group_id(1) * TALL, left = get_group_id(0) * WIDE;
    float sums[EACH] = {0.0f};
    for (uint slab = 0; slab < k; slab += DEPTH) {
        for (uint i = id; i < TALL * DEPTH; i += TALL / EACH * WIDE) {
            const uint row = top + i / DEPTH, column = slab + i % DEPTH;
            a[i / DEPTH][i % DEPTH] =
                row < m && column < k ? A[row * k + column] : 0.0f;
        }
        b[y][x] = slab + y < k && left + x < n ? B[(slab + y) * n + left + x] : 0.0f;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint i = 0; i < DEPTH; i++) {
            const float of_b = b[i][x];
#pragma unroll
            for (uint r = 0; r < EACH; r++)
                sums[r] += a[y * EACH + r][i] * of_b;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
#pragma unroll
    for (uint r = 0; r < EACH; r++)
        if (top + y * EACH + r < m && left + x < n)
            C[(top + y * EACH + r) * n + left + x] = sums[r];
}

/* A group has a tile of SIDE x SIDE of C, and each work-item has EACH x EACH sums: what
 * is read from local memory, of A and of B, is used EACH times. */
#define SIDE 128
#define ITEMS (SIDE / EACH) /* work-items in a row of the group, and in a column */
GROUP(ITEMS, ITEMS)
kernel void matmul_square(global const float *A, global const float *B, global float *C,
                          uint m, uint n, uint k) {
    local float a[SIDE][DEPTH], b[DEPTH][SIDE];
    const uint x = get_local_id(0), y = get_local_id(1), id = y * ITEMS + x;
    const uint top = get_group_id(1) * SIDE, left = get_group_id(0) * SIDE;
    float sums[EACH][EACH] = {{0.0f}};
    for (uint slab = 0; slab < k; slab += DEPTH) {
        for (uint i = id; i < SIDE * DEPTH; i += ITEMS * ITEMS) {
            const uint row = top + i / DEPTH, column = slab + i % DEPTH;
            a[i / DEPTH][i % DEPTH] =
                row < m && column < k ? A[row * k + column] : 0.0f;
        }
        for (uint i = id; i < DEPTH * SIDE; i += ITEMS * ITEMS) {
            const uint row = slab + i / SIDE, column = left + i % SIDE;
            b[i / SIDE][i % SIDE] = row < k && column < n ? B[row * n + column] : 0.0f;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint i = 0; i < DEPTH; i++) {
            float of_a[EACH], of_b[EACH];
#pragma unroll
            for (uint e = 0; e < EACH; e++) {
                of_a[e] = a[y * EACH + e][i];
                of_b[e] = b[i][x * EACH + e];
            }
#pragma unroll
            for (uint r = 0; r < EACH; r++)
#pragma unroll
                for (uint c = 0; c < EACH; c++)
                    sums[r][c] += of_a[r] * of_b[c];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
#pragma unroll
    for (uint r = 0; r < EACH; r++)
#pragma unroll
        for (uint c = 0; c < EACH; c++)
            if (top + y * EACH + r < m && left + x * EACH + c < n)
                C[(top + y * EACH + r) * n + left + x * EACH + c] = sums[r][c];
}

/* The same 8 x 8, four numbers at a time.  A is transposed when it is stored in local
 * memory, so that its columns can be read by fours; a row of that has 4 floats more
 * than it needs, so that what a warp stores falls into different banks.  And the sums
 * of a work-item are four squares of 4 x 4, one in each quarter of the tile, so that
 * neighbouring lanes read neighbouring float4s.
 *
 * A group whose tile reaches beyond C, or whose rows do not begin where a float4 may,
 * loads and stores one number at a time. */
GROUP(ITEMS, ITEMS)
kernel void matmul_vectors(global const float *A, global const float *B,
                           global float *C, uint m, uint n, uint k) {
    local float4 a[DEPTH][SIDE / 4 + 1], b[DEPTH][SIDE / 4];
    local float *const a_floats = (local float *)a;
    const uint x = get_local_id(0), y = get_local_id(1), id = y * ITEMS + x;
    const uint top = get_group_id(1) * SIDE, left = get_group_id(0) * SIDE;
    const bool whole =
        top + SIDE <= m && left + SIDE <= n && n % 4 == 0 && k % DEPTH == 0;
    float4 sums[EACH][2] = {{0.0f}};
    for (uint slab = 0; slab < k; slab += DEPTH) {
        /* Two work-items load a row of A's 128 x 8, and 32 one of B's 8 x 128. */
        const uint a_row = top + id / 2, a_column = slab + id % 2 * 4;
        const uint b_row = slab + id / 32, b_column = left + id % 32 * 4;
        float of_a[4], of_b[4];
        if (whole) {
            vstore4(*(global const float4 *)(A + a_row * k + a_column), 0, of_a);
            vstore4(*(global const float4 *)(B + b_row * n + b_column), 0, of_b);
        } else
#pragma unroll
            for (uint e = 0; e < 4; e++) {
                of_a[e] =
                    a_row < m && a_column + e < k ? A[a_row * k + a_column + e] : 0.0f;
                of_b[e] =
                    b_row < k && b_column + e < n ? B[b_row * n + b_column + e] : 0.0f;
            }
#pragma unroll
        for (uint e = 0; e < 4; e++)
            a_floats[(id % 2 * 4 + e) * (SIDE + 4) + id / 2] = of_a[e];
        b[id / 32][id % 32] = vload4(0, of_b);
        barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
        for (uint i = 0; i < DEPTH; i++) {
            float rows[EACH];
            vstore4(a[i][y], 0, rows);
            vstore4(a[i][SIDE / 8 + y], 1, rows);
            const float4 near = b[i][x], far = b[i][SIDE / 8 + x];
#pragma unroll
            for (uint r = 0; r < EACH; r++) {
                sums[r][0] += rows[r] * near;
                sums[r][1] += rows[r] * far;
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
#pragma unroll
    for (uint r = 0; r < EACH; r++)
#pragma unroll
        for (uint side = 0; side < 2; side++) {
            const uint row = top + r / 4 * (SIDE / 2) + y * 4 + r % 4;
            const uint column = left + side * (SIDE / 2) + x * 4;
            if (whole)
                *(global float4 *)(C + row * n + column) = sums[r][side];
            else {
                float four[4];
                vstore4(sums[r][side], 0, four);
                for (uint e = 0; e < 4; e++)
                    if (row < m && column + e < n)
                        C[row * n + column + e] = four[e];
            }
        }
}

// lens: matmul_naive(A[m * k], B[k * n], C[m * n], m=64, n=64, k=64) --global 64,64 --local 32,8
// lens: matmul_padded(A[m * (k + 1)], B[k * n], C[m * n], m=64, n=64, k=64) --global 64,64 --local 32,8
// lens: matmul_coalesced(A[m * k], B[k * n], C[m * n], m=64, n=64, k=64) --global 64,64 --local 32,8
// lens: matmul_local(A[m * k], B[k * n], C[m * n], m=64, n=64, k=32) --global 64,64
// lens: matmul_column(A[m * k], B[k * n], C[m * n], m=64, n=64, k=64) --global 64,8
// lens: matmul_square(A[m * k], B[k * n], C[m * n], m=128, n=128, k=32) --global 16,16
// lens: matmul_vectors(A[m * k], B[k * n], C[m * n], m=128, n=128, k=32) --global 16,16
