/* Wrong on purpose: nobody waits until the tiles are in local memory. */
#define INLINE static inline __attribute__((always_inline))
#define GROUP(x, y) __attribute__((reqd_work_group_size(x, y, 1)))

/* An element of a matrix in rows; beside the matrix there are zeros. */
INLINE float element(global const float *M, uint row, uint column, uint rows,
                     uint columns) {
    return row < rows && column < columns ? M[row * columns + column] : 0.0f;
}

/* ---- One element of C for each work-item ---- */

/* Neighbours go down a column: each has a row of A, and a row of C, of its own. */
kernel GROUP(32, 8) void matmul_naive(global const float *A, global const float *B,
                                      global float *C, uint m, uint n, uint k) {
    const uint row = get_global_id(0), column = get_global_id(1);
    if (row >= m || column >= n)
        return;
    float sum = 0.0f;
    for (uint i = 0; i < k; i++)
        sum += A[row * k + i] * B[i * n + column];
    C[row * n + column] = sum;
}

/* Neighbours go along a row: all need the same number of A, and neighbours of B. */
kernel GROUP(32, 8) void matmul_coalesced(global const float *A, global const float *B,
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

/* Together a group fetches a square of A and a square of B, and uses each number TILE
 * times. */
kernel GROUP(TILE, TILE) void matmul_local(global const float *A, global const float *B,
                                           global float *C, uint m, uint n, uint k) {
    local float a[TILE][TILE], b[TILE][TILE];
    const uint x = get_local_id(0), y = get_local_id(1);
    const uint row = get_global_id(1), column = get_global_id(0);
    float sum = 0.0f;
    for (uint first = 0; first < k; first += TILE) {
        a[y][x] = element(A, row, first + x, m, k);
        b[y][x] = element(B, first + y, column, k, n);
        for (uint i = 0; i < TILE; i++)
            sum += a[y][i] * b[i][x];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (row < m && column < n)
        C[row * n + column] = sum;
}

/* ---- Several elements, whose sums stay in registers ---- */

#define EACH 8  /* rows, and columns, of one work-item */
#define DEPTH 8 /* columns of A and rows of B that are in local memory at a time */
#define TALL 64
#define WIDE 32

/* Each number of B that is read from local memory is used EACH times. */
kernel GROUP(WIDE, TALL / EACH) void matmul_column(global const float *A,
                                                   global const float *B,
                                                   global float *C, uint m, uint n,
                                                   uint k) {
    local float a[TALL][DEPTH], b[DEPTH][WIDE];
    const uint x = get_local_id(0), y = get_local_id(1), id = y * WIDE + x;
    const uint top = get_group_id(1) * TALL, left = get_group_id(0) * WIDE;
    float sums[EACH] = {0.0f};
    for (uint first = 0; first < k; first += DEPTH) {
        for (uint i = id; i < TALL * DEPTH; i += TALL / EACH * WIDE)
            a[i / DEPTH][i % DEPTH] =
                element(A, top + i / DEPTH, first + i % DEPTH, m, k);
        b[y][x] = element(B, first + y, left + x, k, n);
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

#define SIDE 128           /* rows, and columns, of C for a group */
#define ITEMS (SIDE / EACH) /* work-items in a row of the group, and in a column */

/* Each number that is read from local memory is used EACH times. */
kernel GROUP(ITEMS, ITEMS) void matmul_square(global const float *A,
                                              global const float *B, global float *C,
                                              uint m, uint n, uint k) {
    local float a[SIDE][DEPTH], b[DEPTH][SIDE];
    const uint x = get_local_id(0), y = get_local_id(1), id = y * ITEMS + x;
    const uint top = get_group_id(1) * SIDE, left = get_group_id(0) * SIDE;
    float sums[EACH][EACH] = {{0.0f}};
    for (uint first = 0; first < k; first += DEPTH) {
        for (uint i = id; i < SIDE * DEPTH; i += ITEMS * ITEMS) {
            a[i / DEPTH][i % DEPTH] =
                element(A, top + i / DEPTH, first + i % DEPTH, m, k);
            b[i / SIDE][i % SIDE] = element(B, first + i / SIDE, left + i % SIDE, k, n);
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

/* ---- The same 8 x 8, four numbers at a time ---- */

/* A is turned as it is stored, so that its columns can be read by fours.  A row of that
 * is 4 longer than it must be: what neighbours store falls into different banks. */
#define TURNED (SIDE + 4)
#define ALIGNED __attribute__((aligned(16)))

/* Four neighbours of a row; `whole` promises that all are there, and aligned. */
INLINE float4 four(global const float *M, uint row, uint column, uint rows,
                   uint columns, bool whole) {
    if (whole)
        return *(global const float4 *)(M + row * columns + column);
    return (float4)(element(M, row, column, rows, columns),
                    element(M, row, column + 1, rows, columns),
                    element(M, row, column + 2, rows, columns),
                    element(M, row, column + 3, rows, columns));
}

/* Work-item `id` brings four numbers of a slab of A, and four of one of B. */
INLINE float4 fetch_a(global const float *A, uint id, uint top, uint first, uint m,
                      uint k, bool whole) {
    return four(A, top + id / 2, first + id % 2 * 4, m, k, whole);
}

INLINE float4 fetch_b(global const float *B, uint id, uint first, uint left, uint k,
                      uint n, bool whole) {
    return four(B, first + id / 32, left + id % 32 * 4, k, n, whole);
}

INLINE void put(local float (*a)[TURNED], local float (*b)[SIDE], uint id, float4 of_a,
                float4 of_b) {
    const uint row = id / 2, column = id % 2 * 4;
    a[column][row] = of_a.x;
    a[column + 1][row] = of_a.y;
    a[column + 2][row] = of_a.z;
    a[column + 3][row] = of_a.w;
    *(local float4 *)&b[id / 32][id % 32 * 4] = of_b;
}

/* A work-item's 8 x 8 are four squares of 4 x 4, one in each quarter of the tile: so
 * neighbours read neighbouring float4s. */
INLINE void multiply(local const float (*a)[TURNED], local const float (*b)[SIDE],
                     uint x, uint y, float4 sums[EACH][2]) {
#pragma unroll
    for (uint i = 0; i < DEPTH; i++) {
        const float4 upper = *(local const float4 *)&a[i][y * 4];
        const float4 lower = *(local const float4 *)&a[i][SIDE / 2 + y * 4];
        const float4 near = *(local const float4 *)&b[i][x * 4];
        const float4 far = *(local const float4 *)&b[i][SIDE / 2 + x * 4];
        const float of_a[EACH] = {upper.x, upper.y, upper.z, upper.w,
                                  lower.x, lower.y, lower.z, lower.w};
#pragma unroll
        for (uint r = 0; r < EACH; r++) {
            sums[r][0] += of_a[r] * near;
            sums[r][1] += of_a[r] * far;
        }
    }
}

INLINE void store_four(global float *C, uint row, uint column, uint m, uint n,
                       float4 sums, bool whole) {
    const float one[4] = {sums.x, sums.y, sums.z, sums.w};
    if (whole)
        *(global float4 *)(C + row * n + column) = sums;
    else
        for (uint i = 0; i < 4; i++)
            if (row < m && column + i < n)
                C[row * n + column + i] = one[i];
}

INLINE void store(global float *C, uint top, uint left, uint x, uint y, uint m, uint n,
                  float4 sums[EACH][2], bool whole) {
#pragma unroll
    for (uint r = 0; r < EACH; r++) {
        const uint row = top + r / 4 * (SIDE / 2) + y * 4 + r % 4;
        store_four(C, row, left + x * 4, m, n, sums[r][0], whole);
        store_four(C, row, left + SIDE / 2 + x * 4, m, n, sums[r][1], whole);
    }
}

/* Is the group's tile inside C, and do all float4s lie where float4s may?  If not, all
 * its work-items load and store one by one. */
INLINE bool is_whole(uint m, uint n, uint k) {
    return (get_group_id(1) + 1) * SIDE <= m && (get_group_id(0) + 1) * SIDE <= n &&
           n % 4 == 0 && k % DEPTH == 0;
}

kernel GROUP(ITEMS, ITEMS) void matmul_vectors(global const float *A,
                                               global const float *B, global float *C,
                                               uint m, uint n, uint k) {
    local float a[DEPTH][TURNED] ALIGNED, b[DEPTH][SIDE] ALIGNED;
    const uint x = get_local_id(0), y = get_local_id(1), id = y * ITEMS + x;
    const uint top = get_group_id(1) * SIDE, left = get_group_id(0) * SIDE;
    const bool whole = is_whole(m, n, k);
    float4 sums[EACH][2] = {{0.0f}};
    for (uint first = 0; first < k; first += DEPTH) {
        put(a, b, id, fetch_a(A, id, top, first, m, k, whole),
            fetch_b(B, id, first, left, k, n, whole));
        barrier(CLK_LOCAL_MEM_FENCE);
        multiply(a, b, x, y, sums);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    store(C, top, left, x, y, m, n, sums, whole);
}

/* Two slabs in local memory: while one is multiplied the next is on its way, and one
 * barrier for each is enough. */
kernel GROUP(ITEMS, ITEMS) void matmul_buffered(global const float *A,
                                                global const float *B, global float *C,
                                                uint m, uint n, uint k) {
    local float a[2][DEPTH][TURNED] ALIGNED, b[2][DEPTH][SIDE] ALIGNED;
    const uint x = get_local_id(0), y = get_local_id(1), id = y * ITEMS + x;
    const uint top = get_group_id(1) * SIDE, left = get_group_id(0) * SIDE;
    const bool whole = is_whole(m, n, k);
    float4 sums[EACH][2] = {{0.0f}};
    put(a[0], b[0], id, fetch_a(A, id, top, 0, m, k, whole),
        fetch_b(B, id, 0, left, k, n, whole));
    barrier(CLK_LOCAL_MEM_FENCE);
    uint now = 0;
    for (uint next = DEPTH; next < k; next += DEPTH) {
        const float4 of_a = fetch_a(A, id, top, next, m, k, whole);
        const float4 of_b = fetch_b(B, id, next, left, k, n, whole);
        multiply(a[now], b[now], x, y, sums);
        now = 1 - now;
        put(a[now], b[now], id, of_a, of_b);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    multiply(a[now], b[now], x, y, sums);
    store(C, top, left, x, y, m, n, sums, whole);
}

/* ---- What a CPU core likes: no local memory, no barrier, long vectors ---- */

/* A comes in panels of ROWS rows, B in panels of COLUMNS columns, so that what is
 * needed together lies together.  Beside the matrix its last row (or column) is
 * repeated: what comes of that is not stored.
 *
 *     A  1 2 3    panels, of 2 rows:  1 4  2 5  3 6    7 7  8 8  9 9
 *        4 5 6
 *        7 8 9                                                       */
#define ROWS 8
#define COLUMNS 32
#define STRIP 128 /* of k, for a work-item that packs */

kernel void matmul_pack_a(global const float *A, global float *panels, uint m, uint k) {
    const uint top = get_global_id(0) * ROWS, first = get_global_id(1) * STRIP;
    for (uint i = first; i < min(first + STRIP, k); i++)
#pragma unroll
        for (uint r = 0; r < ROWS; r++)
            panels[top * k + i * ROWS + r] = A[min(top + r, m - 1) * k + i];
}

kernel void matmul_pack_b(global const float *B, global float *panels, uint n, uint k) {
    const uint left = get_global_id(0) * COLUMNS, first = get_global_id(1) * STRIP;
    for (uint i = first; i < min(first + STRIP, k); i++) {
        global float *to = panels + left * k + i * COLUMNS;
        global const float *from = B + i * n;
        if (left + COLUMNS <= n) {
            vstore16(vload16(0, from + left), 0, to);
            vstore16(vload16(1, from + left), 1, to);
        } else
            for (uint c = 0; c < COLUMNS; c++)
                to[c] = from[min(left + c, n - 1)];
    }
}

INLINE void store_columns(global float *C, uint columns, float16 near, float16 far) {
    float sums[COLUMNS];
    if (columns == COLUMNS) {
        vstore16(near, 0, C);
        vstore16(far, 1, C);
    } else {
        vstore16(near, 0, sums);
        vstore16(far, 1, sums);
        for (uint c = 0; c < columns; c++)
            C[c] = sums[c];
    }
}

/* ROWS x COLUMNS of C for each work-item, in 16 vectors of 16: they all have to stay in
 * registers.  Neighbours share the panel of B, which stays in the core's cache. */
kernel void matmul_packed(global const float *A, global const float *B, global float *C,
                          uint m, uint n, uint k) {
    const uint top = get_global_id(0) * ROWS, left = get_global_id(1) * COLUMNS;
    if (top >= m || left >= n)
        return;
    global const float *a = A + top * k, *b = B + left * k;
    float16 sums[ROWS][2] = {{0.0f}};
    for (uint i = 0; i < k; i++, a += ROWS, b += COLUMNS) {
        const float16 near = vload16(0, b), far = vload16(1, b);
#pragma unroll
        for (uint r = 0; r < ROWS; r++) {
            sums[r][0] = fma((float16)a[r], near, sums[r][0]);
            sums[r][1] = fma((float16)a[r], far, sums[r][1]);
        }
    }
#pragma unroll
    for (uint r = 0; r < ROWS; r++)
        if (top + r < m)
            store_columns(C + (top + r) * n + left, min((uint)COLUMNS, n - left),
                          sums[r][0], sums[r][1]);
}
