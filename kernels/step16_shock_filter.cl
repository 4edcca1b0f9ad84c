/* Step 16: a shock filter, in four ways for a GPU and one for a CPU.  All of them give
 * the same picture.
 *
 * A new pixel X needs five sums g: the one around X itself, and the ones around its
 * four neighbours.  Together these need the 21 old pixels that are marked.  The slope
 * needs two of them again, below X and to its right.
 *
 *             x-2  x-1   x   x+1  x+2         a sum g:  1 2 1
 *     y-2           o    o    o                         2 4 2
 *     y-1      o    o    o    o    o                    1 2 1
 *     y        o    o    X    o    o
 *     y+1      o    o    o    o    o
 *     y+2           o    o    o
 *
 * Outside the picture all is 0.  Rows have `pitch` pixels, a multiple of 32.  Pixels
 * from `width` on are padding, which may be written to, but never means anything. */

/* Functions that receive a pointer to local memory are inlined (step 06 says why). */
#define INLINE static inline __attribute__((always_inline))

/* Macros, since they are for float, float4, float8 and float16.
 *
 * Pixels are multiples of 1/256, so all sums are exact in every order.  Only the root
 * and the last difference are rounded. */
#define SUM_121(a, b, c) (((a) + (c)) + 2.0f * (b))
#define LAPLACE(up, down, left, right, here)                                           \
    ((((up) + (down)) + ((left) + (right))) - 4.0f * (here))

/* -1, 0 or 1 without a branch: all but 0 is far too large, and is cut down. */
#define SIGN(x) max(min((x) * 1e30f, 1.0f), -1.0f)

#define SLOPE(across, down) sqrt(fma(down, down, (across) * (across)))
#define SHARPEN(here, below, right, laplace)                                           \
    ((here) - SIGN(laplace) * SLOPE((right) - (here), (below) - (here)) * 0.25f)

/* The old picture. */
struct image {
    global const float *pixels;
    int width, height, pitch;
};

/* The baseline: the same bytes, four pixels for each work-item. */
kernel void shock_filter_copy(global const float *restrict in,
                              global float *restrict out, int width, int height,
                              int pitch) {
    const int x = get_global_id(0) * 4, y = get_global_id(1), i = y * pitch + x;
    if (x < width && y < height)
        *(global float4 *)(out + i) = *(global const float4 *)(in + i);
}

/* ---- A work-item for each pixel: the cache keeps the pixels ---- */

/* The nearest pixel that there is; then 0 is merged in if (x, y) is not inside. */
INLINE float at(struct image in, int x, int y) {
    const int column = clamp(x, 0, in.width - 1), row = clamp(y, 0, in.height - 1);
    const float nearest = in.pixels[row * in.pitch + column];
    const int inside = column == x && row == y;
    return select(0.0f, nearest, inside);
}

INLINE float column_sum(struct image in, int x, int y) {
    return SUM_121(at(in, x, y - 1), at(in, x, y), at(in, x, y + 1));
}

INLINE float blurred(struct image in, int x, int y) {
    return SUM_121(column_sum(in, x - 1, y), column_sum(in, x, y),
                   column_sum(in, x + 1, y));
}

kernel void shock_filter_pixel(global const float *restrict in,
                               global float *restrict out, int width, int height,
                               int pitch) {
    const struct image image = {in, width, height, pitch};
    const int x = get_global_id(0), y = get_global_id(1);
    if (x >= width || y >= height)
        return;
    const float laplace =
        LAPLACE(blurred(image, x, y - 1), blurred(image, x, y + 1),
                blurred(image, x - 1, y), blurred(image, x + 1, y),
                blurred(image, x, y));
    out[y * pitch + x] = SHARPEN(at(image, x, y), at(image, x, y + 1),
                                 at(image, x + 1, y), laplace);
}

/* ---- The same, but local memory keeps the pixels of a group, and a halo ---- */

#define TILE_WIDTH 32 /* work-items and pixels of a group, in a row */
#define TILE_HEIGHT 8 /* at most */

kernel void shock_filter_tile(global const float *restrict in,
                              global float *restrict out, int width, int height,
                              int pitch) {
    local float tile[TILE_HEIGHT + 4][TILE_WIDTH + 4];
    local float g[TILE_HEIGHT + 2][TILE_WIDTH + 2];
    const struct image image = {in, width, height, pitch};
    const int x = get_global_id(0), y = get_global_id(1);
    const int i = get_local_id(0), j = get_local_id(1), rows = get_local_size(1);
    const int id = j * TILE_WIDTH + i, items = TILE_WIDTH * rows;

    for (int k = id; k < (rows + 4) * (TILE_WIDTH + 4); k += items) {
        const int dx = k % (TILE_WIDTH + 4), dy = k / (TILE_WIDTH + 4);
        tile[dy][dx] = at(image, x - i + dx - 2, y - j + dy - 2);
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    for (int k = id; k < (rows + 2) * (TILE_WIDTH + 2); k += items) {
        const int dx = k % (TILE_WIDTH + 2), dy = k / (TILE_WIDTH + 2);
        float columns[3];
        for (int c = 0; c < 3; c++)
            columns[c] =
                SUM_121(tile[dy][dx + c], tile[dy + 1][dx + c], tile[dy + 2][dx + c]);
        g[dy][dx] = SUM_121(columns[0], columns[1], columns[2]);
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    if (x >= width || y >= height)
        return;
    const float laplace = LAPLACE(g[j][i + 1], g[j + 2][i + 1], g[j + 1][i],
                                  g[j + 1][i + 2], g[j + 1][i + 1]);
    out[y * pitch + x] =
        SHARPEN(tile[j + 2][i + 2], tile[j + 3][i + 2], tile[j + 2][i + 3], laplace);
}

/* ---- 4 x 12 pixels for each work-item, row after row, kept in registers ---- */

#define ROWS 12 /* for a work-item */

/* Columns x - 2 to x + 5 of the last two rows.  The sums g are a row behind:
 * g_here belongs to `above`; g_left, g_right and g_above are around it. */
struct rows {
    float8 above, here;
    float4 g_above, g_here, g_left, g_right;
};

/* Takes the next row, and returns the new pixels of the row two above it. */
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

/* Columns x - 2 to x + 5 of row y.  x is a multiple of 4, so that all is aligned. */
INLINE float8 eight(struct image in, int x, int y, bool all_inside) {
    if (all_inside) { /* no choice to make */
        global const float *from = in.pixels + y * in.pitch + x;
        return (float8)(*(global const float2 *)(from - 2),
                        *(global const float4 *)from,
                        *(global const float2 *)(from + 4));
    }
    global const float *row = in.pixels + clamp(y, 0, in.height - 1) * in.pitch;
    const float8 nearest =
        (float8)(*(global const float2 *)(row + max(x - 2, 0)),
                 *(global const float4 *)(row + x),
                 *(global const float2 *)(row + min(x + 4, in.pitch - 2)));
    const int8 columns = x + (int8)(-2, -1, 0, 1, 2, 3, 4, 5);
    const int8 inside =
        columns >= 0 && columns < in.width && (int8)(y) >= 0 && (int8)(y) < in.height;
    return select((float8)(0.0f), nearest, inside);
}

/* Does the picture have all that some columns and rows, from (x, y) on, depend on? */
INLINE bool is_inside(struct image in, int x, int y, int columns, int rows) {
    return x >= 2 && x + columns + 2 <= in.width && y >= 2 && y + rows + 2 <= in.height;
}

INLINE void four_columns(struct image image, global float *restrict out, int x,
                         int first, bool all_inside) {
    /* exercise { */
    struct rows rows = {.above = eight(image, x, first - 2, all_inside),
                        .here = eight(image, x, first - 1, all_inside)};
#pragma unroll
    for (int i = 0; i < ROWS + 2; i++) {
        const int y = first - 2 + i;
        const float4 new = next_row(&rows, eight(image, x, y + 2, all_inside));
        if (i >= 2 && y < image.height)
            *(global float4 *)(out + y * image.pitch + x) = new;
    }
    /* } exercise */
}

/* Few groups of a large picture need anything from outside it.  The others need not
 * ask for each pixel.  The answer is the same for all of a group, so no warp goes
 * both ways. */
kernel void shock_filter_four(global const float *restrict in,
                              global float *restrict out, int width, int height,
                              int pitch) {
    const struct image image = {in, width, height, pitch};
    const int x = get_global_id(0) * 4, first = get_global_id(1) * ROWS;
    const int columns = get_local_size(0) * 4;
    if (is_inside(image, get_group_id(0) * columns, first, columns, ROWS))
        four_columns(image, out, x, first, true);
    else if (x < width)
        four_columns(image, out, x, first, false);
}

/* ---- The same, but a work-item loads only its own four columns ---- */

/* Columns x to x + 3 of row y, or what is nearest.  x is a multiple of 4. */
INLINE float4 nearest_four(struct image in, int x, int y) {
    const int column = clamp(x, 0, in.pitch - 4), row = clamp(y, 0, in.height - 1);
    return *(global const float4 *)(in.pixels + row * in.pitch + column);
}

/* The same with 0 merged in for those that are not inside. */
INLINE float4 merge_zero(struct image in, int x, int y, float4 nearest) {
    const int4 columns = x + (int4)(0, 1, 2, 3);
    const int4 inside =
        columns >= 0 && columns < in.width && (int4)(y) >= 0 && (int4)(y) < in.height;
    return select((float4)(0.0f), nearest, inside);
}

/* Neighbours' columns come from local memory.  A group has two more work-items,
 * which load the four columns on its left and on its right.  They have the last
 * numbers, so that the accesses of all others begin where cache lines do. */
#define FOURS 120 /* at most */

kernel void shock_filter_local(global const float *restrict in,
                               global float *restrict out, int width, int height,
                               int pitch) {
    local float2 lefts[ROWS + 4][FOURS + 2], rights[ROWS + 4][FOURS + 2];
    const struct image image = {in, width, height, pitch};
    const int item = get_local_id(0), fours = get_local_size(0) - 2;
    int place = item + 1;
    if (item == fours) /* left of the group */
        place = 0;
    if (item > fours) /* right of it */
        place = fours + 1;
    const int left = get_group_id(0) * fours * 4, x = left + (place - 1) * 4;
    const int first = get_global_id(1) * ROWS;

    float4 own[ROWS + 4]; /* all loads are in flight before the first is stored */
#pragma unroll
    for (int i = 0; i < ROWS + 4; i++)
        own[i] = nearest_four(image, x, first - 2 + i);
    if (!is_inside(image, left, first, 4 * fours, ROWS)) {
#pragma unroll
        for (int i = 0; i < ROWS + 4; i++)
            own[i] = merge_zero(image, x, first - 2 + i, own[i]);
    }
#pragma unroll
    for (int i = 0; i < ROWS + 4; i++) {
        lefts[i][place] = own[i].lo;
        rights[i][place] = own[i].hi;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item >= fours || x >= width)
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

/* ---- Only for a CPU: a band of rows for each work-item, 16 pixels at a time ---- */

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

/* n pixels of row y, from column x on, and two on either side.  (Up to 15 more are
 * copied, and mean nothing.) */
INLINE void copy_line(struct image in, int x, int y, int n, float *line) {
    const int row = clamp(y, 0, in.height - 1);
    global const float *from = in.pixels + row * in.pitch + x;
    if (y == row) {
        for (int i = 0; i < n; i += 16)
            AT(line + FIRST + i) = GLOBAL_AT(from + i);
    } else {
        for (int i = 0; i < n; i += 16)
            AT(line + FIRST + i) = 0.0f;
    }
    line[FIRST - 2] = at(in, x - 2, y);
    line[FIRST - 1] = at(in, x - 1, y);
    line[FIRST + n] = at(in, x + n, y);
    line[FIRST + n + 1] = at(in, x + n + 1, y);
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

/* n new pixels of the row `here`, whose sums are g. */
INLINE void sharpen_line(const float *here, const float *below, const float *g_above,
                         const float *g, const float *g_below, int n,
                         global float *to) {
    for (int i = FIRST; i < FIRST + n; i += 16) {
        const float16 laplace = LAPLACE(AT(g_above + i), AT(g_below + i), AT(g + i - 1),
                                        AT(g + i + 1), AT(g + i));
        GLOBAL_AT(to + i - FIRST) =
            SHARPEN(AT(here + i), AT(below + i), AT(here + i + 1), laplace);
    }
}

kernel void shock_filter_band(global const float *restrict in,
                              global float *restrict out, int width, int height,
                              int pitch) {
    const struct image image = {in, width, height, pitch};
    const int x = get_global_id(0) * CHUNK, first = get_global_id(1) * BAND;
    if (x >= width || first >= height)
        return;
    const int n = min(CHUNK, width - x), end = min(first + BAND, height);
    float lines[3][LINE], sums[3][LINE], columns[LINE];
    float *above = lines[0], *here = lines[1], *below = lines[2];
    float *g_above = sums[0], *g = sums[1], *g_below = sums[2];
    copy_line(image, x, first - 2, n, above);
    copy_line(image, x, first - 1, n, here);

    /* Rows y, y + 1 and y + 2 are in lines; then there is g of row y + 1, too. */
    for (int y = first - 2; y < end; y++) {
        copy_line(image, x, y + 2, n, below);
        blur_line(above, here, below, n, columns, g_below);
        if (y >= first)
            sharpen_line(above, here, g_above, g, g_below, n, out + y * pitch + x);

        /* Each row moves up by one, and the oldest makes room for the next. */
        float *oldest = above;
        above = here;
        here = below;
        below = oldest;
        oldest = g_above;
        g_above = g;
        g = g_below;
        g_below = oldest;
    }
}

// lens: shock_filter_copy(in[pitch * height], out[pitch * height], width=250, height=60, pitch=256) --global 64,60 --local 64,1
// lens: shock_filter_pixel(in[pitch * height], out[pitch * height], width=250, height=60, pitch=256) --global 256,64 --local 32,8
// lens: shock_filter_tile(in[pitch * height], out[pitch * height], width=122, height=28, pitch=128) --global 128,32 --local 32,8
// lens: shock_filter_four(in[pitch * height], out[pitch * height], width=960, height=60, pitch=960) --global 240,5 --local 120,1
// lens: shock_filter_local(in[pitch * height], out[pitch * height], width=960, height=60, pitch=960) --global 244,5 --local 122,1
// lens: shock_filter_band(in[pitch * height], out[pitch * height], width=480, height=64, pitch=512) --global 1,2 --local 1,1
