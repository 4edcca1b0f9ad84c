/* Step 15: out = (a + b) * factor for a matrix, a tile of it for each work-item.
 *
 * Which of 8 work-items has which column, if each has a tile of 4 x 4:
 *
 *     blocked      0 0 0 0 1 1 1 1 2 2 2 2 3 3 3 3 4 4 4 4 5 5 5 5 6 6 6 6 7 7 7 7
 *     interleaved  0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7
 *
 * In lockstep all of them load their first column, then all their second one. */

#define LANES 32 /* neighbours whose columns are interleaved */

/* The baseline: as many bytes, 16 of them in each load and store. */
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

/* A tile that the edge of the matrix cuts: what lies inside, element by element. */
static inline __attribute__((always_inline)) void
part(global const float *a, global const float *b, global float *out, float factor,
     uint width, uint height, size_t left, size_t top, size_t distance, uint columns,
     uint rows) {
#pragma unroll 1
    for (uint y = 0; y < rows && top + y < height; y++)
#pragma unroll 1
        for (uint x = 0; x < columns && left + x * distance < width; x++) {
            const size_t at = (top + y) * width + left + x * distance;
            out[at] = (a[at] + b[at]) * factor;
        }
}

/* Each element of the rows that are held, and where it lies.  A private array is kept
 * in registers only if the compiler knows every index, so all of this is unrolled. */
#define UNROLL _Pragma("unroll")
#define EACH                                                                           \
    UNROLL for (uint y = 0; y < held; y++)                                             \
    UNROLL for (uint x = 0; x < columns; x++)
#define AT ((row + y) * width + left + x * distance)

/* A tile whose first column is `left`, and each further one `distance` to the right of
 * the one before.  All elements of HELD rows are loaded, and only then they are added
 * up, multiplied and stored; then follow the next HELD rows.
 *
 * This is a macro, so that sizes are numbers before loops are unrolled.  And the
 * kernels do not say `restrict`: as long as `out` might be `a`, no load may be moved
 * behind a store in order to save registers. */
#define TILE(COLUMNS, ROWS, HELD, LEFT, DISTANCE)                                      \
    enum { columns = (COLUMNS), rows = (ROWS), held = (HELD) };                        \
    const size_t left = (LEFT), top = get_global_id(1) * rows, distance = (DISTANCE);  \
    if (top + rows > height || left + (columns - 1) * distance >= width) {             \
        part(a, b, out, factor, width, height, left, top, distance, columns, rows);    \
        return;                                                                        \
    }                                                                                  \
    float of_a[held][columns], of_b[held][columns];                                    \
    for (size_t row = top; row < top + rows; row += held) {                            \
        EACH {                                                                         \
            of_a[y][x] = a[AT];                                                        \
            of_b[y][x] = b[AT];                                                        \
        }                                                                              \
        EACH out[AT] = (of_a[y][x] + of_b[y][x]) * factor;                             \
    }

/* ---- Blocked: the columns of a work-item are neighbours. ---- */

#define BLOCKED(columns, rows, held)                                                   \
    TILE(columns, rows, held, get_global_id(0) * (columns), 1)

kernel void tile_1(global const float *a, global const float *b, global float *out,
                   float factor, uint width, uint height) {
    BLOCKED(1, 1, 1)
}

kernel void tile_blocked_4(global const float *a, global const float *b,
                           global float *out, float factor, uint width, uint height) {
    BLOCKED(4, 4, 4)
}

kernel void tile_blocked_8(global const float *a, global const float *b,
                           global float *out, float factor, uint width, uint height) {
    BLOCKED(8, 8, 8)
}

kernel void tile_blocked_16(global const float *a, global const float *b,
                            global float *out, float factor, uint width, uint height) {
    BLOCKED(16, 16, 16)
}

kernel void tile_blocked_32(global const float *a, global const float *b,
                            global float *out, float factor, uint width, uint height) {
    BLOCKED(32, 32, 32)
}

/* exercise { */
/* ---- Interleaved: neighbouring work-items have neighbouring columns. ----
 *
 * LANES work-items share LANES * columns columns.  Of these, lane l has l, l + LANES,
 * l + 2 * LANES ... */
#define INTERLEAVED(columns, rows, held)                                               \
    TILE(columns, rows, held,                                                          \
         get_global_id(0) / LANES * LANES * (columns) + get_global_id(0) % LANES,      \
         LANES)
/* } exercise */

kernel void tile_interleaved_4(global const float *a, global const float *b,
                               global float *out, float factor, uint width,
                               uint height) {
    INTERLEAVED(4, 4, 4)
}

kernel void tile_interleaved_8(global const float *a, global const float *b,
                               global float *out, float factor, uint width,
                               uint height) {
    INTERLEAVED(8, 8, 8)
}

kernel void tile_interleaved_16(global const float *a, global const float *b,
                                global float *out, float factor, uint width,
                                uint height) {
    INTERLEAVED(16, 16, 16)
}

kernel void tile_interleaved_32(global const float *a, global const float *b,
                                global float *out, float factor, uint width,
                                uint height) {
    INTERLEAVED(32, 32, 32)
}

/* ---- The same tiles in several passes, each of which holds 64 elements. ---- */

kernel void tile_passes_16(global const float *a, global const float *b,
                           global float *out, float factor, uint width, uint height) {
    INTERLEAVED(16, 16, 4)
}

kernel void tile_passes_32(global const float *a, global const float *b,
                           global float *out, float factor, uint width, uint height) {
    INTERLEAVED(32, 32, 2)
}

/* ---- With --all: how many bytes does a work-item need in flight?  And the tiles of
 * the paper: 32 x 32 in four passes, and 24 columns by 6 rows. ---- */

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

kernel void tile_two(global const float *a, global const float *b, global float *out,
                     float factor, uint width, uint height) {
    INTERLEAVED(2, 1, 1)
}

kernel void tile_blocked_passes(global const float *a, global const float *b,
                                global float *out, float factor, uint width,
                                uint height) {
    BLOCKED(32, 32, 8)
}

kernel void tile_24_by_6(global const float *a, global const float *b,
                         global float *out, float factor, uint width, uint height) {
    INTERLEAVED(24, 6, 6)
}
