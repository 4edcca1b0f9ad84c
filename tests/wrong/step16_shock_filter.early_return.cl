/* Wrong on purpose: who has no pixel leaves before the barrier, and loads nothing. */

#define INLINE static inline __attribute__((always_inline))

/* Macros, since they are for float, float4, float8 and float16.
 *
 * All ways agree to the last bit: sums have one order, and SLOPE says fma().  Elsewhere
 * a compiler may make one instruction of a product and a sum, or not: there products
 * are exact, like twice something, and nothing changes. */
#define SUM_121(a, b, c) (((a) + (c)) + 2.0f * (b))
#define LAPLACE(up, down, left, right, here)                                           \
    ((((up) + (down)) + ((left) + (right))) - 4.0f * (here))

/* -1, 0 or 1 without a branch: all but 0 is far too large, and is cut down. */
#define SIGN(x) max(min((x) * 1e30f, 1.0f), -1.0f)

#define SLOPE(across, down) sqrt(fma(down, down, (across) * (across)))
#define SHARPEN(here, below, right, laplace)                                           \
    ((here) - SIGN(laplace) * SLOPE((right) - (here), (below) - (here)) * 0.25f)

/* Where the picture of this work-item begins. */
INLINE int picture(int height, int pitch) {
    return (int)get_global_id(2) * height * pitch;
}

/* Where row y begins: the nearest there is. */
INLINE int row(int y, int height, int pitch) {
    return clamp(y, 0, height - 1) * pitch;
}

/* The measuring rod: the same bytes. */
kernel void shock_filter_copy(global const float4 *in, global float4 *out, uint count) {
    const uint i = get_global_id(0);
    if (i < count)
        out[i] = in[i];
}

/* ---- A work-item for each pixel ---- */

INLINE float at(global const float *in, int x, int y, int width, int height,
                int pitch) {
    return in[row(y, height, pitch) + clamp(x, 0, width - 1)];
}

INLINE float column(global const float *in, int x, int y, int width, int height,
                    int pitch) {
    return SUM_121(at(in, x, y - 1, width, height, pitch),
                   at(in, x, y, width, height, pitch),
                   at(in, x, y + 1, width, height, pitch));
}

INLINE float blurred(global const float *in, int x, int y, int width, int height,
                     int pitch) {
    return SUM_121(column(in, x - 1, y, width, height, pitch),
                   column(in, x, y, width, height, pitch),
                   column(in, x + 1, y, width, height, pitch));
}

kernel void shock_filter_pixel(global const float *restrict in,
                               global float *restrict out, int width, int height,
                               int pitch) {
    const int x = get_global_id(0), y = get_global_id(1);
    if (x >= width || y >= height)
        return;
    in += picture(height, pitch);
    out += picture(height, pitch);
    const float laplace = LAPLACE(blurred(in, x, y - 1, width, height, pitch),
                                  blurred(in, x, y + 1, width, height, pitch),
                                  blurred(in, x - 1, y, width, height, pitch),
                                  blurred(in, x + 1, y, width, height, pitch),
                                  blurred(in, x, y, width, height, pitch));
    const float here = at(in, x, y, width, height, pitch),
                below = at(in, x, y + 1, width, height, pitch),
                right = at(in, x + 1, y, width, height, pitch);
    out[y * pitch + x] = SHARPEN(here, below, right, laplace);
}

/* ---- A band of rows for each work-item, 16 pixels at a time: for a CPU ---- */

#define BAND 32   /* rows */
#define CHUNK 480 /* pixels in a row */
#define FIRST 16  /* where they begin in a line, with room on either side */
#define LINE (FIRST + CHUNK + 32)

/* Sixteen floats, wherever they begin.  (Of vload16() PoCL makes many small loads.) */
struct __attribute__((packed, aligned(4))) sixteen {
    float16 floats;
};
#define AT(line) (((struct sixteen *)(line))->floats)
#define GLOBAL_AT(line) (((global struct sixteen *)(line))->floats)

/* n pixels, from column x on, and two on either side.  (Up to 15 more are copied, and
 * mean nothing.) */
INLINE void copy_line(global const float *from, int x, int n, int width, float *line) {
    for (int i = 0; i < n; i += 16)
        AT(line + FIRST + i) = GLOBAL_AT(from + x + i);
    line[FIRST - 2] = from[max(x - 2, 0)];
    line[FIRST - 1] = from[max(x - 1, 0)];
    line[FIRST + n] = from[min(x + n, width - 1)];
    line[FIRST + n + 1] = from[min(x + n + 1, width - 1)];
}

/* g of n pixels, and of one on either side. */
INLINE void blur_line(const float *above, const float *here, const float *below, int n,
                      float *columns, float *g) {
    const int end = FIRST + n;
    for (int i = 0; i < end + 2; i += 16)
        AT(columns + i) = SUM_121(AT(above + i), AT(here + i), AT(below + i));
    for (int i = FIRST; i < end; i += 16)
        AT(g + i) = SUM_121(AT(columns + i - 1), AT(columns + i), AT(columns + i + 1));
    g[FIRST - 1] = SUM_121(columns[FIRST - 2], columns[FIRST - 1], columns[FIRST]);
    g[end] = SUM_121(columns[end - 1], columns[end], columns[end + 1]);
}

kernel void shock_filter_band(global const float *restrict in,
                              global float *restrict out, int width, int height,
                              int pitch) {
    const int x = get_global_id(0) * CHUNK, first = get_global_id(1) * BAND;
    if (x >= width || first >= height)
        return;
    in += picture(height, pitch);
    out += picture(height, pitch);
    const int n = min(CHUNK, width - x), end = min(first + BAND, height);
    float lines[3][LINE], sums[3][LINE], columns[LINE];
    float *above = lines[0], *here = lines[1], *below = lines[2];
    float *g_above = sums[0], *g = sums[1], *g_below = sums[2];
    copy_line(in + row(first - 2, height, pitch), x, n, width, above);
    copy_line(in + row(first - 1, height, pitch), x, n, width, here);

    /* Rows y, y + 1 and y + 2 are in lines; then there is g of row y + 1, too. */
    for (int y = first - 2; y < end; y++) {
        copy_line(in + row(y + 2, height, pitch), x, n, width, below);
        blur_line(above, here, below, n, columns, g_below);
        if (y >= first)
            for (int i = FIRST; i < FIRST + n; i += 16) {
                const float16 laplace =
                    LAPLACE(AT(g_above + i), AT(g_below + i), AT(g + i - 1),
                            AT(g + i + 1), AT(g + i));
                const float16 old = AT(above + i);
                GLOBAL_AT(out + y * pitch + x + i - FIRST) =
                    SHARPEN(old, AT(here + i), AT(above + i + 1), laplace);
            }
        float *oldest = above;
        above = here, here = below, below = oldest;
        oldest = g_above;
        g_above = g, g = g_below, g_below = oldest;
    }
}

/* ---- A tile in local memory, with its halo, for a group ---- */

#define TILE_WIDTH 32 /* work-items and pixels of a group, side by side */
#define TILE_HEIGHT 8

kernel void shock_filter_tile(global const float *restrict in,
                              global float *restrict out, int width, int height,
                              int pitch) {
    local float tile[TILE_HEIGHT + 4][TILE_WIDTH + 4];
    local float g[TILE_HEIGHT + 2][TILE_WIDTH + 2];
    const int x = get_global_id(0), y = get_global_id(1);
    const int i = get_local_id(0), j = get_local_id(1);
    const int id = j * TILE_WIDTH + i, items = TILE_WIDTH * TILE_HEIGHT;
    in += picture(height, pitch);
    out += picture(height, pitch);

    if (x >= width || y >= height)
        return;
    for (int k = id; k < (TILE_HEIGHT + 4) * (TILE_WIDTH + 4); k += items) {
        const int dx = k % (TILE_WIDTH + 4), dy = k / (TILE_WIDTH + 4);
        tile[dy][dx] = at(in, x - i + dx - 2, y - j + dy - 2, width, height, pitch);
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    for (int k = id; k < (TILE_HEIGHT + 2) * (TILE_WIDTH + 2); k += items) {
        const int dx = k % (TILE_WIDTH + 2), dy = k / (TILE_WIDTH + 2);
        float columns[3];
        for (int c = 0; c < 3; c++)
            columns[c] =
                SUM_121(tile[dy][dx + c], tile[dy + 1][dx + c], tile[dy + 2][dx + c]);
        g[dy][dx] = SUM_121(columns[0], columns[1], columns[2]);
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    if (x < width && y < height)
        out[y * pitch + x] =
            SHARPEN(tile[j + 2][i + 2], tile[j + 3][i + 2], tile[j + 2][i + 3],
                    LAPLACE(g[j][i + 1], g[j + 2][i + 1], g[j + 1][i], g[j + 1][i + 2],
                            g[j + 1][i + 1]));
}

/* ---- Four columns for each work-item, row after row ---- */

#define ROWS 12 /* for a work-item */

/* The last rows, of columns x - 2 to x + 5, and what of g they give for x to x + 3. */
struct rows {
    float8 above, here;
    float4 g_above, g_here, g_left, g_right;
};

/* Takes the next row, and returns what becomes of the one two above it. */
INLINE float4 next_row(struct rows *rows, float8 below) {
    const float8 sums = SUM_121(rows->above, rows->here, below);
    const float4 g = SUM_121(sums.s1234, sums.s2345, sums.s3456);
    const float4 laplace =
        LAPLACE(rows->g_above, g, rows->g_left, rows->g_right, rows->g_here);
    const float8 old = rows->above;
    const float4 new = SHARPEN(old.s2345, rows->here.s2345, old.s3456, laplace);
    rows->g_above = rows->g_here;
    rows->g_here = g;
    rows->g_left = SUM_121(sums.s0123, sums.s1234, sums.s2345);
    rows->g_right = SUM_121(sums.s2345, sums.s3456, sums.s4567);
    rows->above = rows->here;
    rows->here = below;
    return new;
}

/* Columns x to x + 3 of row y, and with two more on either side.  x is a multiple of 4,
 * so that all is aligned.  Is all of it `inside` the picture?  Who calls asks once for
 * many rows: with branches between them, loads would wait for each other. */
INLINE float4 four(global const float *in, int x, int y, int width, int height,
                   int pitch, bool inside) {
    if (inside)
        return *(global const float4 *)(in + y * pitch + x);
    const int4 c = row(y, height, pitch) + clamp(x + (int4)(0, 1, 2, 3), 0, width - 1);
    return (float4)(in[c.x], in[c.y], in[c.z], in[c.w]);
}

INLINE float8 eight(global const float *in, int x, int y, int width, int height,
                    int pitch, bool inside) {
    if (inside) {
        global const float *from = in + y * pitch + x;
        return (float8)(*(global const float2 *)(from - 2),
                        *(global const float4 *)from,
                        *(global const float2 *)(from + 4));
    }
    return (float8)(four(in, x - 2, y, width, height, pitch, false),
                    four(in, x + 2, y, width, height, pitch, false));
}

INLINE void filter_rows(global const float *restrict in, global float *restrict out,
                        int x, int first, int width, int height, int pitch,
                        bool inside) {
    struct rows rows = {.above = eight(in, x, first - 2, width, height, pitch, inside),
                        .here = eight(in, x, first - 1, width, height, pitch, inside)};
#pragma unroll
    for (int i = 0; i < ROWS + 2; i++) {
        const int y = first - 2 + i;
        const float4 new =
            next_row(&rows, eight(in, x, y + 2, width, height, pitch, inside));
        if (i >= 2 && y < height)
            *(global float4 *)(out + y * pitch + x) = new;
    }
}

kernel void shock_filter_four(global const float *restrict in,
                              global float *restrict out, int width, int height,
                              int pitch) {
    const int x = get_global_id(0) * 4, first = get_global_id(1) * ROWS;
    in += picture(height, pitch);
    out += picture(height, pitch);
    if (x >= 2 && x + 5 < width && first >= 2 && first + ROWS + 2 <= height)
        filter_rows(in, out, x, first, width, height, pitch, true);
    else if (x < width)
        filter_rows(in, out, x, first, width, height, pitch, false);
}

/* The same.  But a work-item loads its own four columns only, and has its neighbours'
 * from local memory.  Two more items are there for a group's first and last: they load
 * what is in front of it, and behind it.  They have the last numbers, so that accesses
 * of the others begin where lines of memory do. */
#define FOURS 120

kernel void shock_filter_local(global const float *restrict in,
                               global float *restrict out, int width, int height,
                               int pitch) {
    local float2 lefts[ROWS + 4][FOURS + 2], rights[ROWS + 4][FOURS + 2];
    const int item = get_local_id(0), first = get_global_id(1) * ROWS;
    const int place = item < FOURS ? item + 1 : item == FOURS ? 0 : FOURS + 1;
    const int x = ((int)get_group_id(0) * FOURS + place - 1) * 4;
    in += picture(height, pitch);
    out += picture(height, pitch);
    float4 own[ROWS + 4];
    if (x >= 0 && x + 3 < width && first >= 2 && first + ROWS + 2 <= height) {
#pragma unroll
        for (int i = 0; i < ROWS + 4; i++)
            own[i] = four(in, x, first - 2 + i, width, height, pitch, true);
    } else {
#pragma unroll
        for (int i = 0; i < ROWS + 4; i++)
            own[i] = four(in, x, first - 2 + i, width, height, pitch, false);
    }
#pragma unroll
    for (int i = 0; i < ROWS + 4; i++) {
        lefts[i][place] = own[i].lo;
        rights[i][place] = own[i].hi;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item >= FOURS || x >= width)
        return;

#define EIGHT(i)                                                                       \
    (float8)(rights[i][place - 1], lefts[i][place], rights[i][place],                  \
             lefts[i][place + 1])
    struct rows rows = {.above = EIGHT(0), .here = EIGHT(1)};
#pragma unroll
    for (int i = 0; i < ROWS + 2; i++) {
        const int y = first - 2 + i;
        const float4 new = next_row(&rows, EIGHT(i + 2));
        if (i >= 2 && y < height)
            *(global float4 *)(out + y * pitch + x) = new;
    }
}

/* ---- Several passes in one launch ---- */

#define AREA_WIDTH 128 /* pixels of a group, with the halo of all passes */
#define AREA_HEIGHT 60
#define OWN_ROWS 10 /* of a work-item */

/* As eight().  Beyond the area there is anything, here what is nearest. */
INLINE float8 eight_local(local const float *row, int x) {
    return (float8)(*(local const float2 *)(row + max(x - 2, 0)),
                    *(local const float4 *)(row + x),
                    *(local const float2 *)(row + min(x + 4, AREA_WIDTH - 2)));
}

/* With each pass two more pixels at each rim of the area are worth nothing: of the next
 * pixels they would need, the area has none.  They are its halo. */
kernel void shock_filter_passes(global const float *restrict in,
                                global float *restrict out, int width, int height,
                                int pitch, int passes) {
    local float4 area[AREA_HEIGHT][AREA_WIDTH / 4];
    const int halo = 2 * passes, wide_halo = (halo + 3) / 4 * 4;
    const int left = (int)get_group_id(0) * (AREA_WIDTH - 2 * wide_halo) - wide_halo;
    const int top = (int)get_group_id(1) * (AREA_HEIGHT - 2 * halo) - halo;
    const int x = get_local_id(0) * 4, first = get_local_id(1) * OWN_ROWS;
    const int id = get_local_id(1) * (AREA_WIDTH / 4) + get_local_id(0);
    const int items = AREA_WIDTH / 4 * (AREA_HEIGHT / OWN_ROWS);
    in += picture(height, pitch);
    out += picture(height, pitch);

    float4 own[OWN_ROWS];
    if (left >= 0 && left + AREA_WIDTH <= width && top >= 0 &&
        top + AREA_HEIGHT <= height) {
#pragma unroll
        for (int i = 0; i < OWN_ROWS; i++)
            own[i] = four(in, left + x, top + first + i, width, height, pitch, true);
    } else {
#pragma unroll
        for (int i = 0; i < OWN_ROWS; i++)
            own[i] = four(in, left + x, top + first + i, width, height, pitch, false);
    }

    /* The rows and columns of the area that are in the picture. */
    const int least_y = max(-top, 0), most_y = min(height - top, AREA_HEIGHT) - 1;
    const int least_x = -left, most_x = width - left - 1;
    for (int pass = 0; pass < passes; pass++) {
#pragma unroll
        for (int i = 0; i < OWN_ROWS; i++)
            area[first + i][x / 4] = own[i];
        barrier(CLK_LOCAL_MEM_FENCE);

        /* Beside the picture there are its edge pixels, as they are now. */
        for (int i = id; i < 4 * AREA_HEIGHT; i += items) {
            local float *row = (local float *)area[i / 4];
            const int to = i % 4 < 2 ? least_x - 1 - i % 2 : most_x + 1 + i % 2;
            if (to >= 0 && to < AREA_WIDTH)
                row[to] = row[clamp(to, least_x, most_x)];
        }
        barrier(CLK_LOCAL_MEM_FENCE);

#define LOCAL_ROW(y) ((local const float *)area[clamp(y, least_y, most_y)])
        struct rows rows = {.above = eight_local(LOCAL_ROW(first - 2), x),
                            .here = eight_local(LOCAL_ROW(first - 1), x)};
#pragma unroll
        for (int i = 0; i < OWN_ROWS + 2; i++) {
            const float4 new = next_row(&rows, eight_local(LOCAL_ROW(first + i), x));
            if (i >= 2)
                own[i - 2] = new;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }

    if (x < wide_halo || x >= AREA_WIDTH - wide_halo || left + x >= width)
        return;
#pragma unroll
    for (int i = 0; i < OWN_ROWS; i++) {
        const int y = first + i;
        if (y >= halo && y < AREA_HEIGHT - halo && top + y < height)
            *(global float4 *)(out + (top + y) * pitch + left + x) = own[i];
    }
}
