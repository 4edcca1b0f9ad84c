/* Step 13: an image in three layouts, blurred: each pixel becomes the sum of 3 x 3.
 *
 * The places of 8 columns of pixels in memory, and of the first 4 of their rows:
 *
 *     rows, of `pitch` pixels         tiles, of 8 x 8         Morton order
 *      0  1  2  3  4  5  6  7     0  1  2  3  4  5  6  7     0  1  4  5 16 17 20 21
 *      p  .  .  .  .  .  .  .     8  9 10 11 12 13 14 15     2  3  6  7 18 19 22 23
 *     2p  .  .  .  .  .  .  .    16 17 18 19 20 21 22 23     8  9 12 13 24 25 28 29
 *     3p  .  .  .  .  .  .  .    24 25 26 27 28 29 30 31    10 11 14 15 26 27 30 31
 *
 * The image has `side` rows and columns.  Both are padded to whole blocks of 32, so
 * that a row has `pitch` pixels, and `pitch` rows; no kernel touches the padding. */

#define TILE 8   /* pixels in a row of a tile */
#define BLOCK 32 /* pixels in a row of a block: Morton order begins again in each */

static inline uint at_rows(uint x, uint y, uint pitch) {
    return y * pitch + x;
}

/* The baseline: the same pixels, each read once. */
kernel void memory_layout_copy(global const float *in, global float *out, uint pitch,
                               uint side) {
    const uint x = get_global_id(0), y = get_global_id(1);
    if (x < side && y < side)
        out[at_rows(x, y, pitch)] = in[at_rows(x, y, pitch)];
}

/* Beyond the border, the pixels of the border are repeated. */
static inline uint inside(int x, uint side) {
    return clamp(x, 0, (int)side - 1);
}

/* ---- Three blurs, which differ only in the place of pixel (x, y). */

kernel void memory_layout_blur_rows(global const float *in, global float *out,
                                    uint pitch, uint side) {
    const uint x = get_global_id(0), y = get_global_id(1);
    if (x >= side || y >= side)
        return;
    float sum = 0.0f;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
            sum += in[at_rows(inside(x + dx, side), inside(y + dy, side), pitch)];
    out[at_rows(x, y, pitch)] = sum;
}

/* Tile after tile, and in each tile row after row. */
static inline uint at_tiles(uint x, uint y, uint pitch) {
    const uint tile = y / TILE * (pitch / TILE) + x / TILE;
    return tile * (TILE * TILE) + y % TILE * TILE + x % TILE;
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

/* The five bits of n with gaps between them: abcde becomes 0a0b0c0d0e. */
static inline uint with_gaps(uint n) {
    n = (n | n << 4) & 0x0f0f;
    n = (n | n << 2) & 0x3333;
    return (n | n << 1) & 0x5555;
}

/* Block after block; in each block the bits of x and y alternate (G. M. Morton, 1966):
 * a square of 2 x 2, 4 x 4 ... 32 x 32 pixels is one contiguous piece. */
static inline uint at_morton(uint x, uint y, uint pitch) {
    const uint block = y / BLOCK * (pitch / BLOCK) + x / BLOCK;
    return block * (BLOCK * BLOCK) + (with_gaps(x % BLOCK) | with_gaps(y % BLOCK) << 1);
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

/* ---- From rows to tiles: what another layout costs.  Work-items are numbered one
 * after another, so that here the kernel decides which pixel each has, and so what 32
 * lanes touch.  They go along the tiles: 32 lanes have 8 x 4 pixels of one tile. */
kernel void memory_layout_to_tiles(global const float *in, global float *out,
                                   uint pitch, uint side) {
    const uint i = get_global_id(1) * get_global_size(0) + get_global_id(0);
    /* exercise { */
    const uint tile = i / (TILE * TILE), in_tile = i % (TILE * TILE);
    const uint x = tile % (pitch / TILE) * TILE + in_tile % TILE;
    const uint y = tile / (pitch / TILE) * TILE + in_tile / TILE;
    if (x < side && y < side)
        out[i] = in[at_rows(x, y, pitch)];
    /* } exercise */
}

// lens: memory_layout_copy(in[pitch * side], out[pitch * side], pitch=128, side=128) --global 128,128 --local 32,8
// lens: memory_layout_blur_rows(in[pitch * side], out[pitch * side], pitch=128, side=128) --global 128,128 --local 32,8
// lens: memory_layout_blur_tiles(in[pitch * side], out[pitch * side], pitch=128, side=128) --global 128,128 --local 32,8
// lens: memory_layout_blur_morton(in[pitch * side], out[pitch * side], pitch=128, side=128) --global 128,128 --local 32,8
// lens: memory_layout_to_tiles(in[pitch * side], out[pitch * side], pitch=128, side=128) --global 128,128 --local 128,1
