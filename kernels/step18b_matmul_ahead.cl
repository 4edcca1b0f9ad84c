/* Step 18b: C = A B, from tiles of 128 x 128.  What does the arithmetic still wait for?
 *
 *     vectors       step 18's last kernel: two barriers for each slab of 8
 *     two buffers   the next slab has a place of its own: one barrier
 *     ahead         registers are filled one column ahead, and 8 x 16 sums are kept
 *     shares        every group has equally many slabs to multiply
 *     tiny          two buffers for eight work-items, to do by hand
 *
 * m and n are multiples of 128, k of 8.  A slab is 128 x 8 of A and 8 x 128 of B. */

/* Inlined, so that with PoCL 3.1 each group keeps local memory of its own. */
#define INLINE static inline __attribute__((always_inline))
#define GROUP(items) __attribute__((reqd_work_group_size(items, 1, 1)))

#define SIDE 128 /* rows, and columns, of C for a group */
#define DEPTH 8  /* columns of A and rows of B that are in local memory at a time */
#define EACH 8   /* rows of C for a work-item */
#define ITEMS 16 /* work-items in a row of a group, and in a column, for 8 x 8 each */

/* A is transposed as it is stored, so that a work-item reads 4 rows of a column at
 * once. In rows that are longer by 4, neighbours store to different banks. */
#define A_ROW (SIDE + 4)

typedef local float4 (*slab_a)[A_ROW / 4];
typedef local float4 (*slab_b)[SIDE / 4];

/* ---- 8 x 8 sums for each of 256 work-items ---- */

/* Work-item `id` stores four numbers of a slab of A, and four of one of B. */
INLINE void put(slab_a a, slab_b b, uint id, float4 of_a, float4 of_b) {
    local float *to = (local float *)a[id % 2 * 4] + id / 2; /* 2 float4s in a row */
    to[0] = of_a.x;
    to[A_ROW] = of_a.y;
    to[2 * A_ROW] = of_a.z;
    to[3 * A_ROW] = of_a.w;
    b[id / 32][id % 32] = of_b; /* 32 float4s in a row */
}

/* The 8 x 8 are four squares of 4 x 4, one in each quarter of the tile, so that
 * neighbours read neighbouring float4s. */
INLINE void multiply(slab_a a, slab_b b, uint x, uint y, float4 sums[EACH][2]) {
#pragma unroll
    for (uint i = 0; i < DEPTH; i++) {
        float of_a[EACH];
        vstore4(a[i][y], 0, of_a);
        vstore4(a[i][ITEMS + y], 1, of_a);
        const float4 near = b[i][x], far = b[i][ITEMS + x];
#pragma unroll
        for (uint r = 0; r < EACH; r++) {
            sums[r][0] += of_a[r] * near;
            sums[r][1] += of_a[r] * far;
        }
    }
}

INLINE void store(global float *C, uint n, uint x, uint y, float4 sums[EACH][2]) {
#pragma unroll
    for (uint r = 0; r < EACH; r++) {
        const uint row = r / 4 * (SIDE / 2) + y * 4 + r % 4;
        global float4 *to = (global float4 *)(C + (size_t)row * n);
        to[x] = sums[r][0];
        to[ITEMS + x] = sums[r][1];
    }
}

kernel GROUP(256) void matmul_vectors(global const float *restrict A,
                                      global const float *restrict B,
                                      global float *restrict C, uint n, uint k) {
    local float4 a[DEPTH][A_ROW / 4], b[DEPTH][SIDE / 4];
    const uint id = get_local_id(0), x = id % ITEMS, y = id / ITEMS, wide = n / SIDE;
    const size_t top = get_group_id(0) / wide * SIDE;
    const size_t left = get_group_id(0) % wide * SIDE;
    global const float *from_a = A + (top + id / 2) * k + id % 2 * 4;
    global const float *from_b = B + id / 32 * n + left + id % 32 * 4;

    float4 sums[EACH][2] = {{0.0f}};
    for (uint slab = 0; slab < k / DEPTH; slab++) {
        put(a, b, id, *(global const float4 *)from_a, *(global const float4 *)from_b);
        barrier(CLK_LOCAL_MEM_FENCE); /* the slab is there */
        from_a += DEPTH;
        from_b += DEPTH * n;
        multiply(a, b, x, y, sums);
        barrier(CLK_LOCAL_MEM_FENCE); /* the slab may be replaced */
    }
    store(C + top * n + left, n, x, y, sums);
}

/* ---- Two buffers: the next slab is on its way while this one is multiplied ---- */

kernel GROUP(256) void matmul_buffers(global const float *restrict A,
                                      global const float *restrict B,
                                      global float *restrict C, uint n, uint k) {
    const uint id = get_local_id(0), x = id % ITEMS, y = id / ITEMS, wide = n / SIDE;
    const size_t top = get_group_id(0) / wide * SIDE;
    const size_t left = get_group_id(0) % wide * SIDE;
    global const float *from_a = A + (top + id / 2) * k + id % 2 * 4;
    global const float *from_b = B + id / 32 * n + left + id % 32 * 4;

    float4 sums[EACH][2] = {{0.0f}};
    /* exercise { */
    local float4 a[2][DEPTH][A_ROW / 4], b[2][DEPTH][SIDE / 4];
    put(a[0], b[0], id, *(global const float4 *)from_a, *(global const float4 *)from_b);
    barrier(CLK_LOCAL_MEM_FENCE);
    uint now = 0;
    for (uint slab = 1; slab < k / DEPTH; slab++) {
        from_a += DEPTH;
        from_b += DEPTH * n;
        const float4 of_a = *(global const float4 *)from_a;
        const float4 of_b = *(global const float4 *)from_b;
        multiply(a[now], b[now], x, y, sums);
        now = 1 - now;
        put(a[now], b[now], id, of_a, of_b);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    multiply(a[now], b[now], x, y, sums);
    /* } exercise */
    store(C + top * n + left, n, x, y, sums);
}

/* ---- Registers ahead: 8 x 16 sums (or 8 x 8) for each of 128 work-items ----
 *
 * While one column of A and one row of B are multiplied, the next ones are on their
 * way from local memory; while a slab is multiplied, the next one is on its way from
 * global memory.  (NVIDIA's CUTLASS calls that software pipelining.)  `columns` is
 * 16 or 8, and a constant wherever these functions are inlined: a tile has 8 x
 * columns rows, and 128 columns. */

#define IN_GROUP 128 /* work-items of a group */
#define COLUMNS 16
#define STRIPE 8 /* tiles one below the other, whose groups come first */

/* What a work-item has in registers: numbers of A and B, now and next; its sums; and
 * its part of the next slab, on its way to local memory. */
struct registers {
    float a[2][EACH], b[2][COLUMNS];
    float sums[EACH][COLUMNS];
    float4 to_a[2], to_b[2];
};

/* A part of the product: `slabs` slabs of a tile, from `from_a` and `from_b` on.  The
 * work-item's own rows and columns are those of the float4s y and x of the tile. */
struct part {
    global const float *from_a, *from_b;
    uint at_a, at_b, slabs, x, y;
};

INLINE void take(struct registers *r, uint which, slab_a a, slab_b b, uint i,
                 const struct part *part, uint columns) {
#pragma unroll
    for (uint q = 0; q < EACH / 4; q++)
        vstore4(a[i][part->y + 8 * q], q, r->a[which]);
#pragma unroll
    for (uint q = 0; q < columns / 4; q++)
        vstore4(b[i][part->x + 4 * q], q, r->b[which]);
}

/* To and fro: each product shares a number with the last one, and this number need
 * not be read from its register again (S. Gray, "SGEMM", notes to the assembler
 * maxas). */
INLINE void add_products(struct registers *r, uint which, uint columns) {
#pragma unroll
    for (uint column = 0; column < columns; column++)
#pragma unroll
        for (uint i = 0; i < EACH; i++) {
            const uint row = column % 2 == 0 ? i : EACH - 1 - i;
            r->sums[row][column] =
                fma(r->a[which][row], r->b[which][column], r->sums[row][column]);
        }
}

INLINE void fetch_ahead(struct registers *r, struct part *part, uint n, uint k,
                        uint columns) {
#pragma unroll
    for (uint q = 0; q < columns / 8; q++)
        r->to_a[q] = *(global const float4 *)(part->from_a + part->at_a + q * 64 * k);
#pragma unroll
    for (uint q = 0; q < 2; q++)
        r->to_b[q] = *(global const float4 *)(part->from_b + part->at_b + q * 4 * n);
    part->from_a += DEPTH;
    part->from_b += DEPTH * n;
}

INLINE void put_ahead(const struct registers *r, slab_a a, slab_b b, uint id,
                      uint columns) {
    local float *to = (local float *)a[id % 2 * 4] + id / 2;
#pragma unroll
    for (uint q = 0; q < columns / 8; q++, to += 64) {
        to[0] = r->to_a[q].x;
        to[A_ROW] = r->to_a[q].y;
        to[2 * A_ROW] = r->to_a[q].z;
        to[3 * A_ROW] = r->to_a[q].w;
    }
#pragma unroll
    for (uint q = 0; q < 2; q++)
        b[id / 32 + q * 4][id % 32] = r->to_b[q];
}

/* Multiplies the slab in a and b.  Before its last products, the next slab (if there
 * are `more`) is put in its place, and its first numbers are taken. */
INLINE void multiply_ahead(struct registers *r, slab_a a, slab_b b, slab_a next_a,
                           slab_b next_b, bool more, uint id, const struct part *part,
                           uint columns) {
#pragma unroll
    for (uint i = 0; i < DEPTH; i++) {
        if (i + 1 < DEPTH)
            take(r, (i + 1) % 2, a, b, i + 1, part, columns);
        else if (more) {
            put_ahead(r, next_a, next_b, id, columns);
            barrier(CLK_LOCAL_MEM_FENCE);
            take(r, 0, next_a, next_b, 0, part, columns);
        }
        add_products(r, i % 2, columns);
    }
}

/* Tile number `tile`, from its slab `first` on.  Tiles are numbered down stripes of
 * eight, so that groups which run at the same time need the same parts of A and B. */
INLINE struct part find_part(global const float *A, global const float *B, uint tile,
                             uint first, uint slabs, uint m, uint n, uint k,
                             uint columns, uint *top, uint *left) {
    const uint id = get_local_id(0), lane = id % 32, warp = id / 32;
    const uint tall = 8 * columns, wide = n / SIDE, across = 32 / columns;
    const uint stripe = tile / (STRIPE * wide) * STRIPE;
    const uint high = min((uint)STRIPE, m / tall - stripe);
    const uint inside = tile % (STRIPE * wide);
    *top = (stripe + inside % high) * tall;
    *left = inside / high * SIDE;
    struct part part = {.slabs = slabs};
    part.from_a = A + (size_t)*top * k + first * DEPTH;
    part.from_b = B + (size_t)first * DEPTH * n + *left;
    part.at_a = id / 2 * k + id % 2 * 4;
    part.at_b = id / 32 * n + id % 32 * 4;
    /* A warp's 8 rows of 4 work-items are 16 float4s high and `columns` wide.  Lanes i
     * and i ^ 1 are in one row and load the same of A, and lanes i and i ^ 2 are in one
     * column and load the same of B.  Local memory serves such lanes together. */
    part.y = warp / across * 16 + lane / 8 * 2 + lane / 2 % 2;
    part.x = warp % across * columns + lane / 4 % 2 * 2 + lane % 2;
    return part;
}

INLINE void multiply_part(struct registers *r, struct part part,
                          local float4 (*a)[DEPTH][A_ROW / 4],
                          local float4 (*b)[DEPTH][SIDE / 4], uint n, uint k,
                          uint columns) {
    const uint id = get_local_id(0);
#pragma unroll
    for (uint row = 0; row < EACH; row++)
#pragma unroll
        for (uint column = 0; column < columns; column++)
            r->sums[row][column] = 0.0f;
    fetch_ahead(r, &part, n, k, columns);
    barrier(CLK_LOCAL_MEM_FENCE); /* an earlier part is no longer read */
    put_ahead(r, a[0], b[0], id, columns);
    barrier(CLK_LOCAL_MEM_FENCE);
    take(r, 0, a[0], b[0], 0, &part, columns);
    uint now = 0;
    for (uint slab = 1; slab < part.slabs; slab++) {
        fetch_ahead(r, &part, n, k, columns);
        multiply_ahead(r, a[now], b[now], a[1 - now], b[1 - now], true, id, &part,
                       columns);
        now = 1 - now;
    }
    multiply_ahead(r, a[now], b[now], a[now], b[now], false, id, &part, columns);
}

INLINE void store_tile(global float *C, uint top, uint left, uint n,
                       const struct registers *r, const struct part *part,
                       uint columns) {
#pragma unroll
    for (uint row = 0; row < EACH; row++) {
        const uint in_c = top + part->y * 4 + row / 4 * 32 + row % 4;
        global float4 *to = (global float4 *)(C + (size_t)in_c * n + left) + part->x;
#pragma unroll
        for (uint q = 0; q < columns / 4; q++)
            to[4 * q] = vload4(q, r->sums[row]);
    }
}

/* A group for each tile. */
kernel GROUP(IN_GROUP) void matmul_ahead(global const float *restrict A,
                                         global const float *restrict B,
                                         global float *restrict C, uint n, uint k,
                                         uint m) {
    local float4 a[2][DEPTH][A_ROW / 4], b[2][DEPTH][SIDE / 4];
    struct registers r;
    uint top, left;
    const struct part part =
        find_part(A, B, get_group_id(0), 0, k / DEPTH, m, n, k, COLUMNS, &top, &left);
    multiply_part(&r, part, a, b, n, k, COLUMNS);
    store_tile(C, top, left, n, &r, &part, COLUMNS);
}

/* ---- Equal shares: the slabs of all tiles in one line, cut into equal pieces ----
 *
 *     slabs    | tile 0        | tile 1        | tile 2        |
 *     groups   | 0         | 1         | 2         | 3         |
 *
 * Group 1 has the end of tile 0, so it waits for the sums that group 0 leaves, adds
 * them, and stores the tile.  (M. Osama and others, "Stream-K", PPoPP 2023.) */

/* Where a work-item of group `group` leaves its sums: neighbours leave theirs next to
 * each other. */
INLINE volatile global float4 *left_by(volatile global float4 *sums, uint group,
                                       uint columns) {
    return sums + (size_t)group * EACH * columns / 4 * IN_GROUP + get_local_id(0);
}

/* The sums first, then the flag: the number of the launch, so that no launch takes the
 * flags of an earlier one for its own. */
INLINE void leave_sums(volatile global float4 *sums, volatile global uint *flags,
                       uint group, uint launch, const struct registers *r,
                       uint columns) {
    volatile global float4 *to = left_by(sums, group, columns);
#pragma unroll
    for (uint row = 0; row < EACH; row++)
#pragma unroll
        for (uint q = 0; q < columns / 4; q++)
            to[(row * columns / 4 + q) * IN_GROUP] = vload4(q, r->sums[row]);
    write_mem_fence(CLK_GLOBAL_MEM_FENCE);
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (get_local_id(0) == 0)
        atomic_xchg(&flags[group], launch);
}

/* Each work-item waits for another one of the groups from `first` to `group` - 1. */
INLINE void wait_for(volatile global uint *flags, uint first, uint group, uint launch) {
    for (uint other = first + get_local_id(0); other < group; other += IN_GROUP)
        while (atomic_or(&flags[other], 0) != launch)
            ;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    read_mem_fence(CLK_GLOBAL_MEM_FENCE);
}

INLINE void add_sums(volatile global float4 *sums, uint group, struct registers *r,
                     uint columns) {
    volatile global float4 *from = left_by(sums, group, columns);
#pragma unroll
    for (uint row = 0; row < EACH; row++)
#pragma unroll
        for (uint q = 0; q < columns / 4; q++)
            vstore4(vload4(q, r->sums[row]) + from[(row * columns / 4 + q) * IN_GROUP],
                    q, r->sums[row]);
}

/* Of `all` slabs, group `group` has those from share_of(group) up to
 * share_of(group + 1). */
INLINE uint share_of(uint group, uint groups, uint all) {
    return (uint)((ulong)all * group / groups);
}

/* From its last tile to its first, so that what others wait for is left at once. Groups
 * take numbers as they begin: a group waits only for lower numbers, which run. */
INLINE void multiply_share(global const float *A, global const float *B,
                           global float *C, volatile global float4 *sums,
                           volatile global uint *flags, uint m, uint n, uint k,
                           local float4 (*a)[DEPTH][A_ROW / 4],
                           local float4 (*b)[DEPTH][SIDE / 4], local uint *number,
                           uint columns) {
    const uint groups = get_num_groups(0), slabs = k / DEPTH;
    const uint all = n / SIDE * (m / (8 * columns)) * slabs;
    if (get_local_id(0) == 0)
        *number = atomic_inc(&flags[groups]); /* never set back: launches differ */
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint group = *number % groups, launch = *number / groups + 1;
    const uint begin = share_of(group, groups, all);
    uint end = share_of(group + 1, groups, all);
    while (end > begin) {
        const uint tile = (end - 1) / slabs, first = max(begin, tile * slabs);
        struct registers r;
        uint top, left;
        const struct part part = find_part(A, B, tile, first - tile * slabs,
                                           end - first, m, n, k, columns, &top, &left);
        multiply_part(&r, part, a, b, n, k, columns);
        if (end < (tile + 1) * slabs)
            leave_sums(sums, flags, group, launch, &r, columns);
        else {
            uint other = group; /* the first that has slabs of this tile */
            while (share_of(other, groups, all) > tile * slabs)
                other--;
            if (other < group)
                wait_for(flags, other, group, launch);
            for (; other < group; other++)
                add_sums(sums, other, &r, columns);
            store_tile(C, top, left, n, &r, &part, columns);
        }
        end = first;
    }
}

kernel GROUP(IN_GROUP) void matmul_shares(global const float *restrict A,
                                          global const float *restrict B,
                                          global float *restrict C, uint n, uint k,
                                          uint m, volatile global float4 *sums,
                                          volatile global uint *flags) {
    local float4 a[2][DEPTH][A_ROW / 4], b[2][DEPTH][SIDE / 4];
    local uint number;
    multiply_share(A, B, C, sums, flags, m, n, k, a, b, &number, COLUMNS);
}

/* The same with 8 x 8 sums for each, in tiles of 64 x 128: fewer registers, so that a
 * unit has room for three groups, and twice as many tiles. */
kernel GROUP(IN_GROUP) void matmul_shares_half(global const float *restrict A,
                                               global const float *restrict B,
                                               global float *restrict C, uint n, uint k,
                                               uint m, volatile global float4 *sums,
                                               volatile global uint *flags) {
    local float4 a[2][DEPTH][A_ROW / 4], b[2][DEPTH][SIDE / 4];
    local uint number;
    multiply_share(A, B, C, sums, flags, m, n, k, a, b, &number, COLUMNS / 2);
}

/* ---- By hand: two buffers, and eight work-items for a tile of 4 x 2 ----
 *
 * A has 4 rows and B has 2 columns.  A slab is 4 x 2 of A and 2 x 2 of B.  Each
 * work-item loads one number of A, the first four load one of B, and each has one
 * sum. */

INLINE float multiply_tiny(local float (*a)[2], local float (*b)[2], uint x, uint y) {
    return a[y][0] * b[0][x] + a[y][1] * b[1][x];
}

kernel GROUP(8) void matmul_tiny(global const float *restrict A,
                                 global const float *restrict B,
                                 global float *restrict C, uint k) {
    local float a[2][4][2], b[2][2][2];
    const uint id = get_local_id(0), x = id % 2, y = id / 2;

    a[0][y][x] = A[y * k + x];
    if (y < 2)
        b[0][y][x] = B[id];
    barrier(CLK_LOCAL_MEM_FENCE);
    float sum = 0.0f;
    uint now = 0;
    for (uint slab = 1; slab < k / 2; slab++) {
        const float of_a = A[y * k + 2 * slab + x];
        const float of_b = y < 2 ? B[4 * slab + id] : 0.0f;
        sum += multiply_tiny(a[now], b[now], x, y);
        now = 1 - now;
        a[now][y][x] = of_a;
        if (y < 2)
            b[now][y][x] = of_b;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    sum += multiply_tiny(a[now], b[now], x, y);
    C[id] = sum;
}

// lens: matmul_vectors(A[n * k], B[k * n], C[n * n], n=128, k=32) --global 256
// lens: matmul_buffers(A[n * k], B[k * n], C[n * n], n=128, k=32) --global 256
// lens: matmul_ahead(A[m * k], B[k * n], C[m * n], n=128, k=32, m=128) --global 128
// lens: matmul_shares(A[m * k], B[k * n], C[m * n], n=128, k=32, m=128, sums[4096 * groups], flags[groups + 1]) --global 256
// lens: matmul_shares_half(A[m * k], B[k * n], C[m * n], n=128, k=32, m=128, sums[2048 * groups], flags[groups + 1]) --global 384
// lens: matmul_tiny(A[4 * k], B[2 * k], C[8], k=8) --global 8
