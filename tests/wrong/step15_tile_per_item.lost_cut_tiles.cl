/* Wrong on purpose: tiles that the edge of the matrix cuts are left out. */

#define LANES 32 /* work-items in a row of a group, as in the .c file */

/* The measuring rod: as many bytes, in the order in which they lie. */
kernel void tile_per_item_triad(global const float *restrict a,
                                global const float *restrict b,
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

/* Of a tile that the matrix's edge cuts: what lies inside, element by element. */
static inline __attribute__((always_inline)) void
part(global const float *a, global const float *b, global float *out, float factor,
     size_t side, size_t row, size_t column, size_t apart, uint t) {
#pragma unroll 1
    for (uint y = 0; y < t && row + y < side; y++)
#pragma unroll 1
        for (uint x = 0; x < t && column + x * apart < side; x++) {
            const size_t at = (row + y) * side + column + x * apart;
            out[at] = (a[at] + b[at]) * factor;
        }
}

/* A private array can be registers only if the compiler knows every index. */
#define EACH(i, count) _Pragma("unroll") for (uint i = 0; i < (count); i++)

#define READ(t, rows, row, apart)                                                      \
    {                                                                                  \
        EACH(i, (rows) * (t)) {                                                        \
            const size_t at = ((row) + i / (t)) * side + left + i % (t) * (apart);     \
            x[i] = a[at];                                                              \
            y[i] = b[at];                                                              \
        }                                                                              \
    }

/* A tile of t rows and t columns, the first of them at `column` and the next so far
 * `apart`.  Reads so many rows, computes, writes, and goes on with the next rows; or
 * reads one time `ahead`, so that the next rows are under way while these are written.
 *
 * This is no function, so that t is a number before any loop is unrolled.  And the
 * kernels do not say `restrict`: as long as `out` might be `a`, loads come before the
 * stores that follow them, and none is put off to save registers. */
#define TILE(t, rows, column, apart, ahead)                                            \
    const size_t top = get_global_id(1) * (t), left = (column);                        \
    if (top + (t) > side || left + ((t) - 1) * (apart) >= side) {                      \
        return;                                                                        \
    }                                                                                  \
    float x[(rows) * (t)], y[(rows) * (t)], result[(rows) * (t)];                      \
    if (ahead)                                                                         \
        READ(t, rows, top, apart)                                                      \
    for (size_t row = top; row < top + (t); row += (rows)) {                           \
        if (!(ahead))                                                                  \
            READ(t, rows, row, apart)                                                  \
        EACH(i, (rows) * (t))                                                          \
            result[i] = (x[i] + y[i]) * factor;                                        \
        if ((ahead) && row + (rows) < top + (t))                                       \
            READ(t, rows, row + (rows), apart)                                         \
        EACH(i, (rows) * (t))                                                          \
            out[(row + i / (t)) * side + left + i % (t) * (apart)] = result[i];        \
    }

/* ---- Side by side: whole tiles are read, and whole tiles are written. ---- */

#define SIDE_BY_SIDE(t, rows) TILE(t, rows, get_global_id(0) * (t), 1, false)

kernel void tile_per_item_1(global const float *a, global const float *b,
                            global float *out, float factor, uint side) {
    SIDE_BY_SIDE(1, 1)
}

kernel void tile_per_item_4(global const float *a, global const float *b,
                            global float *out, float factor, uint side) {
    SIDE_BY_SIDE(4, 4)
}

kernel void tile_per_item_8(global const float *a, global const float *b,
                            global float *out, float factor, uint side) {
    SIDE_BY_SIDE(8, 8)
}

kernel void tile_per_item_16(global const float *a, global const float *b,
                             global float *out, float factor, uint side) {
    SIDE_BY_SIDE(16, 16)
}

kernel void tile_per_item_32(global const float *a, global const float *b,
                             global float *out, float factor, uint side) {
    SIDE_BY_SIDE(32, 32)
}

/* In four passes, each of which wants no more registers than 16 x 16. */
kernel void tile_per_item_32_passes(global const float *a, global const float *b,
                                    global float *out, float factor, uint side) {
    SIDE_BY_SIDE(32, 8)
}

/* ---- Turned: neighbours have neighbouring columns. ----
 *
 * A row of work-items shares LANES * t columns: lane l has l, l + LANES ...  It has as
 * many loads under way as hide the wait for memory: more where there are fewer. */

#define TURNED(t, rows)                                                                \
    TILE(t, rows, get_group_id(0) * LANES * (t) + get_local_id(0), LANES, (rows) < (t))

kernel void tile_per_item_turned_1(global const float *a, global const float *b,
                                   global float *out, float factor, uint side) {
    TURNED(1, 1)
}

kernel void tile_per_item_turned_4(global const float *a, global const float *b,
                                   global float *out, float factor, uint side) {
    TURNED(4, 4)
}

kernel void tile_per_item_turned_8(global const float *a, global const float *b,
                                   global float *out, float factor, uint side) {
    TURNED(8, 8)
}

kernel void tile_per_item_turned_16(global const float *a, global const float *b,
                                    global float *out, float factor, uint side) {
    TURNED(16, 1)
}

kernel void tile_per_item_turned_32(global const float *a, global const float *b,
                                    global float *out, float factor, uint side) {
    TURNED(32, 2)
}
