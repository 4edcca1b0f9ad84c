/* Step 15: out = (a + b) * factor for a matrix, a tile of it for each work-item.
 *
 * Which of 8 work-items has which column, if each has a tile of 4 x 4:
 *
 *     blocked      0 0 0 0 1 1 1 1 2 2 2 2 3 3 3 3 4 4 4 4 5 5 5 5 6 6 6 6 7 7 7 7
 *     interleaved  0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7
 *
 * In lockstep all of them load their first column, then all their second one. */

#define INLINE static inline __attribute__((always_inline))

/* How many neighbours interleave their columns.  The example by hand has 8. */
#ifndef LANES
#define LANES 32
#endif

/* The baseline: the same bytes, 16 of them in each load and store. */
kernel void tile_triad(global const float *restrict a, global const float *restrict b,
                       global float *restrict out, float factor, uint n) {
    const size_t quad = get_global_id(0);
    if (4 * quad + 4 <= n)
        ((global float4 *)out)[quad] =
            (((global const float4 *)a)[quad] + ((global const float4 *)b)[quad]) *
            factor;
    else
        for (size_t i = 4 * quad; i < n; i++)
            out[i] = (a[i] + b[i]) * factor;
}

/* Half as many bytes in flight as the triad. */
kernel void tile_float2(global const float *restrict a, global const float *restrict b,
                        global float *restrict out, float factor, uint n) {
    const size_t pair = get_global_id(0);
    if (2 * pair + 2 <= n)
        ((global float2 *)out)[pair] =
            (((global const float2 *)a)[pair] + ((global const float2 *)b)[pair]) *
            factor;
    else if (2 * pair < n)
        out[2 * pair] = (a[2 * pair] + b[2 * pair]) * factor;
}

/* ---- A tile: which elements of the matrix belong to a work-item. ---- */

struct tile {
    uint columns, rows;
    size_t left, top; /* its first column and its first row */
    size_t apart;     /* the distance from each of its columns to the next one */
};

/* Blocked: the columns of a work-item are neighbours. */
INLINE struct tile blocked(uint columns, uint rows) {
    struct tile tile = {.columns = columns, .rows = rows};
    tile.left = get_global_id(0) * columns;
    tile.top = get_global_id(1) * rows;
    tile.apart = 1;
    return tile;
}

/* exercise { */
/* Interleaved: neighbouring work-items have neighbouring columns.  LANES work-items
 * share a strip of LANES * columns columns.  Lane l has l, l + LANES, l + 2 * LANES ...
 * of its strip. */
INLINE struct tile interleaved(uint columns, uint rows) {
    struct tile tile = {.columns = columns, .rows = rows};
    const size_t strip = get_global_id(0) / LANES, lane = get_global_id(0) % LANES;
    tile.left = strip * LANES * columns + lane;
    tile.top = get_global_id(1) * rows;
    tile.apart = LANES;
    return tile;
}
/* } exercise */

/* ---- What a work-item does with its tile. ---- */

/* A tile that the edge of the matrix cuts: the elements inside, one at a time. */
INLINE void part(global const float *a, global const float *b, global float *out,
                 float factor, uint width, uint height, struct tile tile) {
#pragma unroll 1
    for (uint y = 0; y < tile.rows && tile.top + y < height; y++)
#pragma unroll 1
        for (uint x = 0; x < tile.columns && tile.left + x * tile.apart < width; x++) {
            const size_t at = (tile.top + y) * width + tile.left + x * tile.apart;
            out[at] = (a[at] + b[at]) * factor;
        }
}

/* All elements of `held` rows are loaded into of_a and of_b, and only then added,
 * multiplied and stored; then come the next `held` rows.
 *
 * A private array is kept in registers only if the compiler knows every index, so
 * the loops over x and y are unrolled.  And the kernels do not say `restrict`: as
 * long as `out` might be `a`, no load may be moved after a store in order to save
 * registers. */
INLINE void compute(global const float *a, global const float *b, global float *out,
                    float factor, uint width, uint height, struct tile tile, uint held,
                    float *of_a, float *of_b) {
    if (tile.top + tile.rows > height ||
        tile.left + (tile.columns - 1) * tile.apart >= width) {
        part(a, b, out, factor, width, height, tile);
        return;
    }
    for (size_t row = tile.top; row < tile.top + tile.rows; row += held) {
#pragma unroll
        for (uint y = 0; y < held; y++)
#pragma unroll
            for (uint x = 0; x < tile.columns; x++) {
                const size_t at = (row + y) * width + tile.left + x * tile.apart;
                const uint i = y * tile.columns + x;
                of_a[i] = a[at];
                of_b[i] = b[at];
            }
#pragma unroll
        for (uint y = 0; y < held; y++)
#pragma unroll
            for (uint x = 0; x < tile.columns; x++) {
                const size_t at = (row + y) * width + tile.left + x * tile.apart;
                const uint i = y * tile.columns + x;
                out[at] = (of_a[i] + of_b[i]) * factor;
            }
    }
}

/* ---- Larger and larger tiles. ---- */

kernel void tile_1(global const float *a, global const float *b, global float *out,
                   float factor, uint width, uint height) {
    float of_a[1], of_b[1];
    compute(a, b, out, factor, width, height, blocked(1, 1), 1, of_a, of_b);
}

kernel void tile_blocked_4(global const float *a, global const float *b,
                           global float *out, float factor, uint width, uint height) {
    float of_a[4 * 4], of_b[4 * 4];
    compute(a, b, out, factor, width, height, blocked(4, 4), 4, of_a, of_b);
}

kernel void tile_blocked_8(global const float *a, global const float *b,
                           global float *out, float factor, uint width, uint height) {
    float of_a[8 * 8], of_b[8 * 8];
    compute(a, b, out, factor, width, height, blocked(8, 8), 8, of_a, of_b);
}

kernel void tile_blocked_16(global const float *a, global const float *b,
                            global float *out, float factor, uint width, uint height) {
    float of_a[16 * 16], of_b[16 * 16];
    compute(a, b, out, factor, width, height, blocked(16, 16), 16, of_a, of_b);
}

kernel void tile_blocked_32(global const float *a, global const float *b,
                            global float *out, float factor, uint width, uint height) {
    float of_a[32 * 32], of_b[32 * 32];
    compute(a, b, out, factor, width, height, blocked(32, 32), 32, of_a, of_b);
}

kernel void tile_interleaved_4(global const float *a, global const float *b,
                               global float *out, float factor, uint width,
                               uint height) {
    float of_a[4 * 4], of_b[4 * 4];
    compute(a, b, out, factor, width, height, interleaved(4, 4), 4, of_a, of_b);
}

kernel void tile_interleaved_8(global const float *a, global const float *b,
                               global float *out, float factor, uint width,
                               uint height) {
    float of_a[8 * 8], of_b[8 * 8];
    compute(a, b, out, factor, width, height, interleaved(8, 8), 8, of_a, of_b);
}

kernel void tile_interleaved_16(global const float *a, global const float *b,
                                global float *out, float factor, uint width,
                                uint height) {
    float of_a[16 * 16], of_b[16 * 16];
    compute(a, b, out, factor, width, height, interleaved(16, 16), 16, of_a, of_b);
}

kernel void tile_interleaved_32(global const float *a, global const float *b,
                                global float *out, float factor, uint width,
                                uint height) {
    float of_a[32 * 32], of_b[32 * 32];
    compute(a, b, out, factor, width, height, interleaved(32, 32), 32, of_a, of_b);
}

/* ---- The same tiles a few rows at a time, so that 64 elements are held. ---- */

kernel void tile_passes_16(global const float *a, global const float *b,
                           global float *out, float factor, uint width, uint height) {
    float of_a[4 * 16], of_b[4 * 16];
    compute(a, b, out, factor, width, height, interleaved(16, 16), 4, of_a, of_b);
}

kernel void tile_passes_32(global const float *a, global const float *b,
                           global float *out, float factor, uint width, uint height) {
    float of_a[2 * 32], of_b[2 * 32];
    compute(a, b, out, factor, width, height, interleaved(32, 32), 2, of_a, of_b);
}

/* ---- With --all: two loads of each matrix in flight, and the tiles of the paper:
 * 32 x 32 in four passes, and 24 columns by 6 rows. ---- */

kernel void tile_two(global const float *a, global const float *b, global float *out,
                     float factor, uint width, uint height) {
    float of_a[2], of_b[2];
    compute(a, b, out, factor, width, height, interleaved(2, 1), 1, of_a, of_b);
}

kernel void tile_blocked_passes(global const float *a, global const float *b,
                                global float *out, float factor, uint width,
                                uint height) {
    float of_a[8 * 32], of_b[8 * 32];
    compute(a, b, out, factor, width, height, blocked(32, 32), 8, of_a, of_b);
}

kernel void tile_24_by_6(global const float *a, global const float *b,
                         global float *out, float factor, uint width, uint height) {
    float of_a[6 * 24], of_b[6 * 24];
    compute(a, b, out, factor, width, height, interleaved(24, 6), 6, of_a, of_b);
}

// lens: tile_triad(a[n], b[n], out[n], factor=0.875, n=16384) --global 4096 --local 256
// lens: tile_float2(a[n], b[n], out[n], factor=0.875, n=16384) --global 8192 --local 256
// lens: tile_1(a[width * height], b[width * height], out[width * height], factor=0.875, width=128, height=64) --global 128,64 --local 32,8
// lens: tile_blocked_4(a[width * height], b[width * height], out[width * height], factor=0.875, width=256, height=64) --global 64,16 --local 32,8
// lens: tile_blocked_8(a[width * height], b[width * height], out[width * height], factor=0.875, width=512, height=64) --global 64,8 --local 32,8
// lens: tile_blocked_16(a[width * height], b[width * height], out[width * height], factor=0.875, width=512, height=128) --global 32,8 --local 32,8
// lens: tile_blocked_32(a[width * height], b[width * height], out[width * height], factor=0.875, width=1024, height=128) --global 32,4 --local 32,4
// lens: tile_interleaved_4(a[width * height], b[width * height], out[width * height], factor=0.875, width=256, height=64) --global 64,16 --local 32,8
// lens: tile_interleaved_8(a[width * height], b[width * height], out[width * height], factor=0.875, width=512, height=64) --global 64,8 --local 32,8
// lens: tile_interleaved_16(a[width * height], b[width * height], out[width * height], factor=0.875, width=512, height=128) --global 32,8 --local 32,8
// lens: tile_interleaved_32(a[width * height], b[width * height], out[width * height], factor=0.875, width=1024, height=128) --global 32,4 --local 32,4
// lens: tile_passes_16(a[width * height], b[width * height], out[width * height], factor=0.875, width=512, height=128) --global 32,8 --local 32,8
// lens: tile_passes_32(a[width * height], b[width * height], out[width * height], factor=0.875, width=1024, height=128) --global 32,4 --local 32,4
// lens: tile_two(a[width * height], b[width * height], out[width * height], factor=0.875, width=128, height=64) --global 64,64 --local 32,8
// lens: tile_blocked_passes(a[width * height], b[width * height], out[width * height], factor=0.875, width=1024, height=128) --global 32,4 --local 32,4
// lens: tile_24_by_6(a[width * height], b[width * height], out[width * height], factor=0.875, width=768, height=48) --global 32,8 --local 32,8
