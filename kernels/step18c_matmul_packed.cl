/* Step 18c: C = A B on a CPU, where a work-item is what a core runs, alone.
 *
 * A is m x k, B is k x n and C is m x n, row after row.  m is a multiple of ROWS and n
 * one of COLUMNS, so that all tiles are whole; k is any number.
 *
 * One instruction multiplies WIDTH floats and adds the products to WIDTH sums.  AVX-512
 * has 32 registers of 16 floats, and AVX2 has 16 of 8.  A tile of C has ROWS x COLUMNS
 * sums, which are 24 registers of AVX-512, and 12 of AVX2.  WIDTH 2 is for examples
 * that fit on a page. */
#ifndef WIDTH
#define WIDTH 16
#endif

#if WIDTH == 16
typedef float16 floats;
#define load vload16
#define store vstore16
#define ROWS 12
#elif WIDTH == 8
typedef float8 floats;
#define load vload8
#define store vstore8
#define ROWS 6
#else
typedef float2 floats;
#define load vload2
#define store vstore2
#define ROWS 3
#endif

#define COLUMNS (2 * WIDTH)
#define STRIP 16 /* what a work-item packs of a row of A */

/* The order of the textbook: one element of C after another.  A work-item has a row of
 * C, and for each element it goes down a column of B. */
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

/* The two inner loops change places: now the work-item goes along a row of B and a
 * row of C, a vector at a time.  But for each multiply-add its sums are loaded and
 * stored. */
kernel void matmul_ikj(global const float *restrict A, global const float *restrict B,
                       global float *restrict C, uint m, uint n, uint k) {
    const uint row = get_global_id(0);
    if (row >= m)
        return;
    for (uint j = 0; j < n / WIDTH; j++)
        store((floats)0.0f, j, C + row * n);
    for (uint i = 0; i < k; i++)
        for (uint j = 0; j < n / WIDTH; j++) {
            const floats sums = load(j, C + row * n);
            const floats b = load(j, B + i * n);
            store(fma((floats)A[row * k + i], b, sums), j, C + row * n);
        }
}

/* A work-item has 1 x 32 sums, which stay in two registers until they are complete. */
kernel void matmul_row(global const float *restrict A, global const float *restrict B,
                       global float *restrict C, uint m, uint n, uint k) {
    const uint row = get_global_id(0), left = get_global_id(1) * COLUMNS;
    if (row >= m)
        return;
    floats near = 0.0f, far = 0.0f;
    for (uint i = 0; i < k; i++) {
        near = fma((floats)A[row * k + i], load(0, B + i * n + left), near);
        far = fma((floats)A[row * k + i], load(1, B + i * n + left), far);
    }
    store(near, 0, C + row * n + left);
    store(far, 1, C + row * n + left);
}

/* A work-item has 12 x 32 sums.  What it loads of B it uses for 12 rows.  The loops
 * over r must be unrolled, because a register has no index. */
kernel void matmul_tile(global const float *restrict A, global const float *restrict B,
                        global float *restrict C, uint m, uint n, uint k) {
    const uint top = get_global_id(0) * ROWS, left = get_global_id(1) * COLUMNS;
    if (top >= m)
        return;
    /* exercise { */
    floats sums[ROWS][2] = {{0.0f}};
    for (uint i = 0; i < k; i++) {
        const floats near = load(0, B + i * n + left);
        const floats far = load(1, B + i * n + left);
#pragma unroll
        for (uint r = 0; r < ROWS; r++) {
            sums[r][0] = fma((floats)A[(top + r) * k + i], near, sums[r][0]);
            sums[r][1] = fma((floats)A[(top + r) * k + i], far, sums[r][1]);
        }
    }
#pragma unroll
    for (uint r = 0; r < ROWS; r++) {
        store(sums[r][0], 0, C + (top + r) * n + left);
        store(sums[r][1], 1, C + (top + r) * n + left);
    }
    /* } exercise */
}

/* B in panels of 32 columns, one after another, in the order in which a tile loads
 * them.  With panels of 2 columns:
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
        store(load(0, B + i * n + left), 0, to);
        store(load(1, B + i * n + left), 1, to);
    }
}

/* The same tile, but in its panel of B row i follows row i - 1 at once. */
kernel void matmul_packed_b(global const float *restrict A,
                            global const float *restrict panels,
                            global float *restrict C, uint m, uint n, uint k) {
    const uint top = get_global_id(0) * ROWS, left = get_global_id(1) * COLUMNS;
    if (top >= m)
        return;
    global const float *b = panels + left * k;
    floats sums[ROWS][2] = {{0.0f}};
    for (uint i = 0; i < k; i++, b += COLUMNS) {
        const floats near = load(0, b), far = load(1, b);
#pragma unroll
        for (uint r = 0; r < ROWS; r++) {
            sums[r][0] = fma((floats)A[(top + r) * k + i], near, sums[r][0]);
            sums[r][1] = fma((floats)A[(top + r) * k + i], far, sums[r][1]);
        }
    }
#pragma unroll
    for (uint r = 0; r < ROWS; r++) {
        store(sums[r][0], 0, C + (top + r) * n + left);
        store(sums[r][1], 1, C + (top + r) * n + left);
    }
}

/* A in panels of 12 rows, and in a panel one column after another.  With 2 rows:
 *
 *     A  1 2 3    panels  1 4 2 5 3 6    7 1 8 2 9 3
 *        4 5 6
 *        7 8 9
 *        1 2 3
 *
 * A work-item packs 16 columns of a panel, 16 elements of each row. */
kernel void matmul_pack_a(global const float *restrict A, global float *restrict panels,
                          uint k) {
    const uint top = get_global_id(1) * ROWS, first = get_global_id(0) * STRIP;
    for (uint i = first; i < min(first + STRIP, k); i++)
#pragma unroll
        for (uint r = 0; r < ROWS; r++)
            panels[top * k + i * ROWS + r] = A[(top + r) * k + i];
}

/* Asks for the cache line of an address that is loaded later.  An implementation may
 * ignore OpenCL's own prefetch(), so these processors get the compiler's function. */
#if defined(__x86_64__) || defined(__aarch64__)
#define FETCH(address) __builtin_prefetch((private const void *)(ulong)(address))
#else
#define FETCH(address) prefetch(address, 16)
#endif
#define AHEAD 32 /* steps along k: some 400 cycles */

/* Both packed: the loop reads two streams without a gap, and asks for what it will need
 * of them before it needs it. */
kernel void matmul_packed(global const float *restrict a_panels,
                          global const float *restrict b_panels,
                          global float *restrict C, uint m, uint n, uint k) {
    const uint top = get_global_id(0) * ROWS, left = get_global_id(1) * COLUMNS;
    if (top >= m)
        return;
    global const float *a = a_panels + top * k, *b = b_panels + left * k;
    floats sums[ROWS][2] = {{0.0f}};
    for (uint i = 0; i < k; i++, a += ROWS, b += COLUMNS) {
        const floats near = load(0, b), far = load(1, b);
        FETCH(a + AHEAD * ROWS);
        FETCH(b + AHEAD * COLUMNS);
        FETCH(b + AHEAD * COLUMNS + WIDTH);
#pragma unroll
        for (uint r = 0; r < ROWS; r++) {
            sums[r][0] = fma((floats)a[r], near, sums[r][0]);
            sums[r][1] = fma((floats)a[r], far, sums[r][1]);
        }
    }
#pragma unroll
    for (uint r = 0; r < ROWS; r++) {
        store(sums[r][0], 0, C + (top + r) * n + left);
        store(sums[r][1], 1, C + (top + r) * n + left);
    }
}

// lens: matmul_ijk(A[m * k], B[k * n], C[m * n], m=72, n=64, k=64) --global 80 --local 16
// lens: matmul_ikj(A[m * k], B[k * n], C[m * n], m=72, n=64, k=64) --global 80 --local 16
// lens: matmul_row(A[m * k], B[k * n], C[m * n], m=72, n=64, k=64) --global 80,2 --local 16,1
// lens: matmul_tile(A[m * k], B[k * n], C[m * n], m=72, n=64, k=64) --global 16,2 --local 16,1
// lens: matmul_pack_b(B[k * n], panels[k * n], n=64, k=64) --global 64 --local 16
// lens: matmul_packed_b(A[m * k], panels[k * n], C[m * n], m=72, n=64, k=64) --global 16,2 --local 16,1
// lens: matmul_pack_a(A[72 * k], panels[72 * k], k=64) --global 16,6 --local 16,1
// lens: matmul_packed(a_panels[m * k], b_panels[k * n], C[m * n], m=72, n=64, k=64) --global 16,2 --local 16,1
