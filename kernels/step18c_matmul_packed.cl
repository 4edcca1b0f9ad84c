/* Step 18c: C = A B on a CPU, where a work-item is what a thread runs, alone.
 *
 * A is m x k, B is k x n and C is m x n, row after row.  m is a multiple of ROWS and n
 * one of COLUMNS, so that all tiles are whole; k is any number.
 *
 * A core has vector registers: 32 of them with 16 floats each, if it has AVX-512.  One
 * instruction multiplies 16 floats and adds the products to 16 sums. */

#define ROWS 12
#define COLUMNS 32 /* two vectors */
#define STRIP 16   /* what a work-item packs of a row of A */

/* The order of the textbook: an element of C after the other.  A work-item has a row
 * of C.  It walks down a column of B, from one row of B to the next. */
kernel void matmul_ijk(global const float *restrict A, global const float *restrict B,
                       global float *restrict C, uint m, uint n, uint k) {
    const uint row = get_global_id(0);
    if (row >= m)
        return;
    for (uint j = 0; j < n; j++) {
        float sum = 0.0f;
        for (uint i = 0; i < k; i++)
            sum = fma(A[row * k + i], B[i * n + j], sum);
        C[row * n + j] = sum;
    }
}

/* The two inner loops change places: now the work-item walks along a row of B, and a
 * row of C, 16 elements at a time.  But each of these sums is loaded and stored for
 * each multiply-add. */
kernel void matmul_ikj(global const float *restrict A, global const float *restrict B,
                       global float *restrict C, uint m, uint n, uint k) {
    const uint row = get_global_id(0);
    if (row >= m)
        return;
    for (uint j = 0; j < n / 16; j++)
        vstore16((float16)0.0f, j, C + row * n);
    for (uint i = 0; i < k; i++)
        for (uint j = 0; j < n / 16; j++) {
            const float16 sums = vload16(j, C + row * n);
            const float16 b = vload16(j, B + i * n);
            vstore16(fma((float16)A[row * k + i], b, sums), j, C + row * n);
        }
}

/* 1 x 32 sums stay in two registers until they are complete.  A work-item has these
 * alone, and its neighbour has the row below. */
kernel void matmul_row(global const float *restrict A, global const float *restrict B,
                       global float *restrict C, uint m, uint n, uint k) {
    const uint row = get_global_id(0), left = get_global_id(1) * COLUMNS;
    if (row >= m)
        return;
    float16 near = 0.0f, far = 0.0f;
    for (uint i = 0; i < k; i++) {
        near = fma((float16)A[row * k + i], vload16(0, B + i * n + left), near);
        far = fma((float16)A[row * k + i], vload16(1, B + i * n + left), far);
    }
    vstore16(near, 0, C + row * n + left);
    vstore16(far, 1, C + row * n + left);
}

/* 12 x 32 sums in 24 registers.  What is loaded of B is used for 12 rows.  The loops
 * over r must be unrolled: a register has no index. */
kernel void matmul_tile(global const float *restrict A, global const float *restrict B,
                        global float *restrict C, uint m, uint n, uint k) {
    const uint top = get_global_id(0) * ROWS, left = get_global_id(1) * COLUMNS;
    if (top >= m)
        return;
    /* exercise { */
    float16 sums[ROWS][2] = {{0.0f}};
    for (uint i = 0; i < k; i++) {
        const float16 near = vload16(0, B + i * n + left);
        const float16 far = vload16(1, B + i * n + left);
#pragma unroll
        for (uint r = 0; r < ROWS; r++) {
            sums[r][0] = fma((float16)A[(top + r) * k + i], near, sums[r][0]);
            sums[r][1] = fma((float16)A[(top + r) * k + i], far, sums[r][1]);
        }
    }
#pragma unroll
    for (uint r = 0; r < ROWS; r++) {
        vstore16(sums[r][0], 0, C + (top + r) * n + left);
        vstore16(sums[r][1], 1, C + (top + r) * n + left);
    }
    /* } exercise */
}

/* B in panels of 32 columns, one behind the other: what is needed one after the other
 * lies one after the other.  With panels of 2 columns:
 *
 *     B  1 2 3 4    panels  1 2 5 6    3 4 7 8
 *        5 6 7 8
 *
 * A work-item packs a row of B, which it reads from its first element to its last. */
kernel void matmul_pack_b(global const float *restrict B, global float *restrict panels,
                          uint n, uint k) {
    const uint i = get_global_id(0);
    if (i >= k)
        return;
    for (uint left = 0; left < n; left += COLUMNS) {
        global float *to = panels + left * k + i * COLUMNS;
        vstore16(vload16(0, B + i * n + left), 0, to);
        vstore16(vload16(1, B + i * n + left), 1, to);
    }
}

/* The same tile, but row i of its panel of B lies behind row i - 1. */
kernel void matmul_packed_b(global const float *restrict A,
                            global const float *restrict panels,
                            global float *restrict C, uint m, uint n, uint k) {
    const uint top = get_global_id(0) * ROWS, left = get_global_id(1) * COLUMNS;
    if (top >= m)
        return;
    global const float *b = panels + left * k;
    float16 sums[ROWS][2] = {{0.0f}};
    for (uint i = 0; i < k; i++, b += COLUMNS) {
        const float16 near = vload16(0, b), far = vload16(1, b);
#pragma unroll
        for (uint r = 0; r < ROWS; r++) {
            sums[r][0] = fma((float16)A[(top + r) * k + i], near, sums[r][0]);
            sums[r][1] = fma((float16)A[(top + r) * k + i], far, sums[r][1]);
        }
    }
#pragma unroll
    for (uint r = 0; r < ROWS; r++) {
        vstore16(sums[r][0], 0, C + (top + r) * n + left);
        vstore16(sums[r][1], 1, C + (top + r) * n + left);
    }
}

/* A in panels of 12 rows: a column of a panel behind the other.  With 2 rows:
 *
 *     A  1 2 3    panels  1 4 2 5 3 6    7 1 8 2 9 3
 *        4 5 6
 *        7 8 9
 *        1 2 3
 *
 * A work-item packs 16 columns of a panel, so 16 elements of each row at once. */
kernel void matmul_pack_a(global const float *restrict A, global float *restrict panels,
                          uint k) {
    const uint top = get_global_id(1) * ROWS, first = get_global_id(0) * STRIP;
    for (uint i = first; i < min(first + STRIP, k); i++)
#pragma unroll
        for (uint r = 0; r < ROWS; r++)
            panels[top * k + i * ROWS + r] = A[(top + r) * k + i];
}

/* Asks for the cache line of an address that is loaded later.  OpenCL's own prefetch()
 * may be ignored, so on these processors the compiler's is taken. */
#if defined(__x86_64__) || defined(__aarch64__)
#define FETCH(address) __builtin_prefetch((private const void *)(ulong)(address))
#else
#define FETCH(address) prefetch(address, 16)
#endif
#define AHEAD 32 /* steps along k: some 400 clocks */

/* Both packed: the loop reads two streams, without a gap.  What it needs soon of both
 * is on its way from a slower cache meanwhile. */
kernel void matmul_packed(global const float *restrict a_panels,
                          global const float *restrict b_panels,
                          global float *restrict C, uint m, uint n, uint k) {
    const uint top = get_global_id(0) * ROWS, left = get_global_id(1) * COLUMNS;
    if (top >= m)
        return;
    global const float *a = a_panels + top * k, *b = b_panels + left * k;
    float16 sums[ROWS][2] = {{0.0f}};
    for (uint i = 0; i < k; i++, a += ROWS, b += COLUMNS) {
        const float16 near = vload16(0, b), far = vload16(1, b);
        FETCH(a + AHEAD * ROWS);
        FETCH(b + AHEAD * COLUMNS);
        FETCH(b + AHEAD * COLUMNS + 16);
#pragma unroll
        for (uint r = 0; r < ROWS; r++) {
            sums[r][0] = fma((float16)a[r], near, sums[r][0]);
            sums[r][1] = fma((float16)a[r], far, sums[r][1]);
        }
    }
#pragma unroll
    for (uint r = 0; r < ROWS; r++) {
        vstore16(sums[r][0], 0, C + (top + r) * n + left);
        vstore16(sums[r][1], 1, C + (top + r) * n + left);
    }
}
