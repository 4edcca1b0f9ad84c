/* Wrong on purpose: beside A there are no zeros, but the next row, or nothing. */
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
        a[y][x] = A[row * k + first + x];
        b[y][x] = element(B, first + y, column, k, n);
        barrier(CLK_LOCAL_MEM_FENCE);
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

/* ---- Registers that are filled ahead ----
 *
 * While one column of A and one row of B are multiplied the next are on their way from
 * local memory, and while a slab is multiplied the next is on its way from global
 * memory: nobody waits for either.  And 8 x 16 sums want 24 numbers for 128 products.
 * (NVIDIA's CUTLASS calls that software pipelining: "Efficient GEMM in CUDA".)
 *
 * All is whole here: m and n are multiples of SIDE, k is one of DEPTH.  What is not is
 * resized before, and after. */

#define AHEAD 128 /* work-items of a group; a warp of 32 has a quarter of its tile */
#define COLUMNS_AHEAD 16
#define STRIPE 8 /* tiles one below the other, whose groups come first */

typedef local float4 (*slab_a)[TURNED / 4];
typedef local float4 (*slab_b)[SIDE / 4];

/* What a work-item has in registers: numbers of A and B, now and next; its sums; and
 * its part of the next slab, on its way to local memory. */
struct registers {
    float a[2][EACH], b[2][COLUMNS_AHEAD];
    float sums[EACH][COLUMNS_AHEAD];
    float4 to_a[2], to_b[2];
};

INLINE void take(struct registers *r, uint which, slab_a a, slab_b b, uint i, uint y,
                 uint x, uint rows) {
#pragma unroll
    for (uint q = 0; q < rows / 4; q++)
        vstore4(a[i][y + 8 * q], q, r->a[which]);
#pragma unroll
    for (uint q = 0; q < COLUMNS_AHEAD / 4; q++)
        vstore4(b[i][x + 4 * q], q, r->b[which]);
}

/* To and fro: each product shares a number with the one before, which need not be read
 * from its register again (S. Gray, "SGEMM", notes to the assembler maxas). */
INLINE void add_products(struct registers *r, uint which, uint rows) {
#pragma unroll
    for (uint column = 0; column < COLUMNS_AHEAD; column++)
#pragma unroll
        for (uint i = 0; i < rows; i++) {
            const uint row = column % 2 == 0 ? i : rows - 1 - i;
            r->sums[row][column] = fma(r->a[which][row], r->b[which][column],
                                       r->sums[row][column]);
        }
}

INLINE void fetch_ahead(struct registers *r, global const float *a,
                        global const float *b, uint n, uint k, uint rows) {
#pragma unroll
    for (uint q = 0; q < rows / 4; q++)
        r->to_a[q] = *(global const float4 *)(a + q * (AHEAD / 2) * k);
#pragma unroll
    for (uint q = 0; q < 2; q++)
        r->to_b[q] = *(global const float4 *)(b + q * (DEPTH / 2) * n);
}

INLINE void put_ahead(const struct registers *r, slab_a a, slab_b b, uint id,
                      uint rows) {
    local float *to = (local float *)a[id % 2 * 4] + id / 2;
#pragma unroll
    for (uint q = 0; q < rows / 4; q++, to += AHEAD / 2) {
        to[0] = r->to_a[q].x;
        to[TURNED] = r->to_a[q].y;
        to[2 * TURNED] = r->to_a[q].z;
        to[3 * TURNED] = r->to_a[q].w;
    }
#pragma unroll
    for (uint q = 0; q < 2; q++)
        b[id / 32 + q * (DEPTH / 2)][id % 32] = r->to_b[q];
}

/* Multiplies a slab.  Before its last products, the next slab is put in place. */
INLINE void multiply_ahead(struct registers *r, slab_a a, slab_b b, slab_a next_a,
                           slab_b next_b, bool more, uint id, uint y, uint x,
                           uint rows) {
#pragma unroll
    for (uint i = 0; i < DEPTH; i++) {
        if (i + 1 < DEPTH)
            take(r, (i + 1) % 2, a, b, i + 1, y, x, rows);
        else if (more) {
            put_ahead(r, next_a, next_b, id, rows);
            barrier(CLK_LOCAL_MEM_FENCE);
            take(r, 0, next_a, next_b, 0, y, x, rows);
        }
        add_products(r, i % 2, rows);
    }
}

/* `rows` x 16 for each work-item.  Groups go down stripes of eight tiles, so that those
 * which run at the same time need the same parts of A and B. */
INLINE void product_ahead(global const float *A, global const float *B, global float *C,
                          uint m, uint n, uint k, local float4 (*a)[DEPTH][TURNED / 4],
                          local float4 (*b)[DEPTH][SIDE / 4], uint rows) {
    const uint id = get_local_id(0), lane = id % 32, warp = id / 32;
    const uint y = warp / 2 * (2 * rows) + lane / 4, x = warp % 2 * 16 + lane % 4;
    const uint tall = 16 * rows, wide = n / SIDE;
    const uint stripe = get_group_id(0) / (STRIPE * wide) * STRIPE;
    const uint high = min((uint)STRIPE, m / tall - stripe);
    const uint inside = get_group_id(0) % (STRIPE * wide);
    const uint top = (stripe + inside % high) * tall, left = inside / high * SIDE;
    global const float *from_a = A + (size_t)top * k, *from_b = B + left;
    const uint at_a = id / 2 * k + id % 2 * 4, at_b = id / 32 * n + id % 32 * 4;

    struct registers r;
#pragma unroll
    for (uint row = 0; row < rows; row++)
#pragma unroll
        for (uint column = 0; column < COLUMNS_AHEAD; column++)
            r.sums[row][column] = 0.0f;
    fetch_ahead(&r, from_a + at_a, from_b + at_b, n, k, rows);
    from_a += DEPTH;
    from_b += DEPTH * n;
    put_ahead(&r, a[0], b[0], id, rows);
    barrier(CLK_LOCAL_MEM_FENCE);
    take(&r, 0, a[0], b[0], 0, y, x, rows);

    const uint slabs = k / DEPTH;
    for (uint slab = 1; slab < slabs; slab += 2) {
        fetch_ahead(&r, from_a + at_a, from_b + at_b, n, k, rows);
        from_a += DEPTH;
        from_b += DEPTH * n;
        multiply_ahead(&r, a[0], b[0], a[1], b[1], true, id, y, x, rows);
        if (slab + 1 == slabs)
            break;
        fetch_ahead(&r, from_a + at_a, from_b + at_b, n, k, rows);
        from_a += DEPTH;
        from_b += DEPTH * n;
        multiply_ahead(&r, a[1], b[1], a[0], b[0], true, id, y, x, rows);
    }
    const uint last = (slabs - 1) % 2;
    multiply_ahead(&r, a[last], b[last], a[0], b[0], false, id, y, x, rows);

#pragma unroll
    for (uint row = 0; row < rows; row++) {
        const uint in_c = top + y * 4 + row / 4 * 32 + row % 4;
        global float4 *to = (global float4 *)(C + (size_t)in_c * n + left) + x;
#pragma unroll
        for (uint q = 0; q < COLUMNS_AHEAD / 4; q++)
            to[4 * q] = vload4(q, r.sums[row]);
    }
}

kernel GROUP(AHEAD, 1) void matmul_ahead(global const float *restrict A,
                                         global const float *restrict B,
                                         global float *restrict C, uint m, uint n,
                                         uint k) {
    local float4 a[2][DEPTH][TURNED / 4], b[2][DEPTH][SIDE / 4];
    product_ahead(A, B, C, m, n, k, a, b, EACH);
}

/* Half as many sums for each, and twice as many groups: for a C of few tiles. */
kernel GROUP(AHEAD, 1) void matmul_ahead_half(global const float *restrict A,
                                              global const float *restrict B,
                                              global float *restrict C, uint m, uint n,
                                              uint k) {
    local float4 a[2][DEPTH][TURNED / 4], b[2][DEPTH][SIDE / 4];
    product_ahead(A, B, C, m, n, k, a, b, EACH / 2);
}

/* Copies what fits of a matrix to one with other numbers of rows and columns, and zeros
 * to the rest of that. */
kernel void matmul_resize(global const float *from, global float *to, uint rows,
                          uint columns, uint to_rows, uint to_columns) {
    const uint row = get_global_id(1), column = get_global_id(0);
    if (row < to_rows && column < to_columns)
        to[row * to_columns + column] = element(from, row, column, rows, columns);
}

/* ---- What a CPU core likes: no local memory, no barrier, long vectors ---- */

/* A comes in panels of ROWS rows, B in panels of COLUMNS columns, so that what is
 * needed together lies together.  Beside the matrix its last row (or column) is
 * repeated: what comes of that is not stored.
 *
 *     A  1 2 3    panels, of 2 rows:  1 4  2 5  3 6    7 7  8 8  9 9
 *        4 5 6
 *        7 8 9                                                       */
#define ROWS 12
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

/* ROWS x COLUMNS of C for each work-item, in 24 vectors of 16: they all have to stay in
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
