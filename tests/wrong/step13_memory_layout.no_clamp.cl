/* Wrong on purpose: beside the image nobody stops. */
#define TILE 8   /* pixels in a row of a tile */
#define BLOCK 32 /* pixels in a row of a block: Morton order begins anew in each */
#define EACH 16  /* pixels one below the other for one work-item */
#define SUMS 258 /* of a group's pixels side by side, and one on either side */

#define INLINE static inline __attribute__((always_inline))

INLINE uint at_rows(uint x, uint y, uint pitch) {
    return y * pitch + x;
}

/* Tile after tile, and in each row after row. */
INLINE uint at_tiles(uint x, uint y, uint pitch) {
    const uint tile = y / TILE * (pitch / TILE) + x / TILE;
    return tile * (TILE * TILE) + y % TILE * TILE + x % TILE;
}

/* The bits of n < 256 with gaps: abcd becomes 0a0b0c0d. */
INLINE uint with_gaps(uint n) {
    n = (n | n << 4) & 0x0f0f;
    n = (n | n << 2) & 0x3333;
    return (n | n << 1) & 0x5555;
}

/* Block after block; in each the bits of x and y take turns (G. M. Morton, 1966). */
INLINE uint at_morton(uint x, uint y, uint pitch) {
    const uint block = y / BLOCK * (pitch / BLOCK) + x / BLOCK;
    return block * (BLOCK * BLOCK) +
           (with_gaps(x % BLOCK) | with_gaps(y % BLOCK) << 1);
}

/* Beside the image there is more of its border. */
INLINE uint inside(int x, uint side) {
    return clamp(x, 0, (int)side - 1);
}

/* ---- A blur: the sum of 3 x 3 pixels.  Layouts differ in one function only. ---- */

kernel void memory_layout_blur_rows(global const float *in, global float *out,
                                    uint pitch, uint side) {
    const uint x = get_global_id(0), y = get_global_id(1);
    if (x >= side || y >= side)
        return;
    float sum = 0.0f;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
            sum += in[(int)at_rows(x + dx, y + dy, pitch)];
    out[at_rows(x, y, pitch)] = sum;
}

kernel void memory_layout_blur_tiles(global const float *in, global float *out,
                                     uint pitch, uint side) {
    const uint x = get_global_id(0), y = get_global_id(1);
    if (x >= side || y >= side)
        return;
    float sum = 0.0f;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
            sum += in[at_tiles(inside(x + dx, side), inside(y + dy, side), pitch)];
    out[at_tiles(x, y, pitch)] = sum;
}

kernel void memory_layout_blur_morton(global const float *in, global float *out,
                                      uint pitch, uint side) {
    const uint x = get_global_id(0), y = get_global_id(1);
    if (x >= side || y >= side)
        return;
    float sum = 0.0f;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
            sum += in[at_morton(inside(x + dx, side), inside(y + dy, side), pitch)];
    out[at_morton(x, y, pitch)] = sum;
}

/* ---- A transposition: pixel (x, y) becomes pixel (y, x). ---- */

kernel void memory_layout_transpose_rows(global const float *in, global float *out,
                                         uint pitch, uint side) {
    const uint x = get_global_id(0), y = get_global_id(1);
    if (x < side && y < side)
        out[at_rows(y, x, pitch)] = in[at_rows(x, y, pitch)];
}

kernel void memory_layout_transpose_tiles(global const float *in, global float *out,
                                          uint pitch, uint side) {
    const uint x = get_global_id(0), y = get_global_id(1);
    if (x < side && y < side)
        out[at_tiles(y, x, pitch)] = in[at_tiles(x, y, pitch)];
}

kernel void memory_layout_transpose_morton(global const float *in, global float *out,
                                           uint pitch, uint side) {
    const uint x = get_global_id(0), y = get_global_id(1);
    if (x < side && y < side)
        out[at_morton(y, x, pitch)] = in[at_morton(x, y, pitch)];
}

/* ---- From one layout to another. ---- */

kernel void memory_layout_to_tiles(global const float *in, global float *out,
                                   uint pitch, uint side) {
    const uint x = get_global_id(0), y = get_global_id(1);
    if (x < side && y < side)
        out[at_tiles(x, y, pitch)] = in[at_rows(x, y, pitch)];
}

kernel void memory_layout_to_morton(global const float *in, global float *out,
                                    uint pitch, uint side) {
    const uint x = get_global_id(0), y = get_global_id(1);
    if (x < side && y < side)
        out[at_morton(x, y, pitch)] = in[at_rows(x, y, pitch)];
}

/* ---- Fitted: to the layout, and to each other. ---- */

/* The measuring rod: the same bytes, in the order in which they lie. */
kernel void memory_layout_copy(global const float4 *in, global float4 *out) {
    const uint i = get_global_id(0);
    out[i] = in[i];
}

INLINE float sum_of_3(global const float *in, uint x, int y, uint pitch, uint side) {
    const uint row = at_rows(0, inside(y, side), pitch);
    return in[row + inside(x - 1, side)] + in[row + x] + in[row + inside(x + 1, side)];
}

/* Blur in rows.  A work-item goes down a column and keeps the sums of three rows, so it
 * loads 54 pixels for 16, and not 144.  `restrict`: loads may go ahead of stores. */
kernel void memory_layout_blur_columns(global const float *restrict in,
                                       global float *restrict out, uint pitch,
                                       uint side) {
    const uint x = get_global_id(0), first = get_global_id(1) * EACH;
    if (x >= side)
        return;
    float above = sum_of_3(in, x, (int)first - 1, pitch, side);
    float here = sum_of_3(in, x, first, pitch, side);
#pragma unroll
    for (uint i = 0; i < EACH; i++) {
        const uint y = first + i;
        const float below = sum_of_3(in, x, y + 1, pitch, side);
        if (y < side)
            out[at_rows(x, y, pitch)] = above + here + below;
        above = here;
        here = below;
    }
}

INLINE float pixel(global const float *restrict in, int x, int y, uint pitch,
                   uint side) {
    return in[at_rows(inside(x, side), inside(y, side), pitch)];
}

/* Blur in rows, by way of local memory.  Each load is a request to the cache, hit or
 * not: so a work-item loads its own column only, 18 pixels for 16, adds up threes one
 * above the other, and finds its neighbours' sums in local memory.  Some have those of
 * the two columns beside the group to add up, too. */
kernel void memory_layout_blur_local(global const float *restrict in,
                                     global float *restrict out, uint pitch,
                                     uint side) {
    local float sums[EACH][SUMS];
    const uint x = get_global_id(0), first = get_global_id(1) * EACH;
    const uint id = get_local_id(0), items = get_local_size(0);
    float own[EACH + 2];
#pragma unroll
    for (uint i = 0; i < EACH + 2; i++)
        own[i] = pixel(in, x, (int)(first + i) - 1, pitch, side);
#pragma unroll
    for (uint i = 0; i < EACH; i++)
        sums[i][id + 1] = own[i] = own[i] + own[i + 1] + own[i + 2];

    for (uint i = id; i < 2 * EACH; i += items) {
        const int beside = (int)(x - id) + (i % 2 == 0 ? -1 : (int)items);
        const int y = first + i / 2;
        sums[i / 2][i % 2 * (items + 1)] = pixel(in, beside, y - 1, pitch, side) +
                                           pixel(in, beside, y, pitch, side) +
                                           pixel(in, beside, y + 1, pitch, side);
    }
    barrier(CLK_LOCAL_MEM_FENCE);

#pragma unroll
    for (uint i = 0; i < EACH; i++)
        if (x < side && first + i < side)
            out[at_rows(x, first + i, pitch)] = sums[i][id] + own[i] + sums[i][id + 2];
}

/* Transposition in rows, by way of local memory: rows are read and rows are written,
 * and only local memory is read by columns.  A column's pixels are BLOCK + 1 apart: in
 * BLOCK different banks.  Whole blocks, since rows and columns are padded to them. */
kernel void memory_layout_transpose_local(global const float *in, global float *out,
                                          uint pitch) {
    local float block[BLOCK][BLOCK + 1];
    const uint x = get_group_id(0) * BLOCK, y = get_group_id(1) * BLOCK;
    const uint lane = get_local_id(0), rows = get_local_size(1);
    for (uint row = get_local_id(1); row < BLOCK; row += rows)
        block[row][lane] = in[at_rows(x + lane, y + row, pitch)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint row = get_local_id(1); row < BLOCK; row += rows)
        out[at_rows(y + lane, x + row, pitch)] = block[lane][row];
}

/* Transposition in Morton order: to exchange x and y is to exchange neighbouring bits.
 * The work-items go along that order, too, with 2 x 2 pixels each. */
kernel void memory_layout_transpose_quads(global const float4 *in, global float4 *out,
                                          uint pitch) {
    const uint quads = BLOCK * BLOCK / 4, blocks = pitch / BLOCK;
    const uint block = get_global_id(0) / quads, quad = get_global_id(0) % quads;
    const uint mirrored_block = block % blocks * blocks + block / blocks;
    const uint mirrored_quad = (quad & 0x55) << 1 | (quad & 0xaa) >> 1;
    out[mirrored_block * quads + mirrored_quad] = in[get_global_id(0)].xzyw;
}
