/* Step 16b: several filter passes in one launch.
 *
 * A pass makes a new picture from an old one.  Of each new pixel X it needs the old
 * ones up to two pixels away.  So what is known of an area shrinks by two pixels on
 * each side with every pass; two passes leave this of 12 x 12 pixels:
 *
 *     . . . . . . . . . . . .
 *     . . . . . . . . . . . .      .  known before the passes
 *     . . 1 1 1 1 1 1 1 1 . .      1  known after the first one, too
 *     . . 1 1 1 1 1 1 1 1 . .      2  known after the second one, too
 *     . . 1 1 2 2 2 2 1 1 . .
 *     . . 1 1 2 2 2 2 1 1 . .
 *     . . 1 1 2 2 2 2 1 1 . .          and so on
 *
 * Beside the picture all is 0, before every pass.  Its rows have `pitch` pixels, a
 * multiple of 32; those beyond `width` are padding, which may be written to, but never
 * means anything. */

/* In PoCL, a function that receives local memory must be inlined. */
#define INLINE static inline __attribute__((always_inline))

/* The filter, as in step 16.  All kernels agree to the last bit: sums have one order,
 * and SLOPE says fma().  Elsewhere a compiler may make one instruction of a product and
 * a sum, or not: there products are exact, like twice something. */
#define SUM_121(a, b, c) (((a) + (c)) + 2.0f * (b))
#define LAPLACE(up, down, left, right, here)                                           \
    ((((up) + (down)) + ((left) + (right))) - 4.0f * (here))
#define SIGN(x) max(min((x) * 1e30f, 1.0f), -1.0f)
#define SLOPE(across, down) sqrt(fma(down, down, (across) * (across)))
#define SHARPEN(here, below, right, laplace)                                           \
    ((here) - SIGN(laplace) * SLOPE((right) - (here), (below) - (here)) * 0.25f)

/* The picture before a launch. */
struct image {
    global const float *pixels;
    int width, height, pitch;
};

/* The baseline: as many bytes as one launch must read and write. */
kernel void fused_copy(global const float4 *restrict in, global float4 *restrict out,
                       int pitch, int height) {
    const int i = get_global_id(0);
    if (i < pitch / 4 * height)
        out[i] = in[i];
}

/* ---- A work-item has four columns of some rows ---- */

/* Are all of these columns and rows, from (x, y) on, in the picture? */
INLINE bool is_inside(struct image in, int x, int y, int columns, int rows) {
    return x >= 0 && x + columns <= in.width && y >= 0 && y + rows <= in.height;
}

/* Columns x to x + 3 of row y, or what is nearest.  x is a multiple of 4. */
INLINE float4 nearest_four(struct image in, int x, int y) {
    const int column = clamp(x, 0, (in.width - 1) / 4 * 4);
    const int row = clamp(y, 0, in.height - 1);
    return *(global const float4 *)(in.pixels + row * in.pitch + column);
}

/* The same with 0 merged in for those that are beside the picture. */
INLINE float4 merge_zero(struct image in, int x, int y, float4 nearest) {
    const int4 columns = x + (int4)(0, 1, 2, 3);
    const int4 inside =
        columns >= 0 && columns < in.width && (int4)(y) >= 0 && (int4)(y) < in.height;
    return select((float4)(0.0f), nearest, inside);
}

/* In local memory a row has the left halves of all its fours first, and then the right
 * halves, so that neighbouring lanes access neighbouring words. */
INLINE void put_four(local float2 *row, int fours, int i, float4 pixels) {
    row[i] = pixels.lo;
    row[fours + i] = pixels.hi;
}

INLINE float4 get_four(local const float2 *row, int fours, int i) {
    return (float4)(row[i], row[fours + i]);
}

/* Four pixels with two more on either side, which are anything at the area's edge. */
INLINE float8 with_sides(local const float2 *row, int fours, int i, float4 pixels) {
    return (float8)(row[fours + max(i - 1, 0)], pixels, row[min(i + 1, fours - 1)]);
}

/* The last rows, of columns x - 2 to x + 5, and what of g they give for x to x + 3. */
struct rows {
    float8 above, here;
    float4 g_above, g_here, g_left, g_right;
};

/* Takes the next row, and returns what becomes of the one two above it: sharpened by
 * the filter of step 16, or only blurred, which is much less work. */
INLINE float4 next_row(struct rows *rows, float8 below, bool sharpens) {
    const float8 sums = SUM_121(rows->above, rows->here, below);
    const float4 g = SUM_121(sums.s1234, sums.s2345, sums.s3456);
    const float4 laplace =
        LAPLACE(rows->g_above, g, rows->g_left, rows->g_right, rows->g_here);
    const float8 old = rows->above;
    const float4 sharp = SHARPEN(old.s2345, rows->here.s2345, old.s3456, laplace);
    const float4 blurred = rows->g_here * 0.0625f;
    rows->g_above = rows->g_here;
    rows->g_here = g;
    rows->g_left = SUM_121(sums.s0123, sums.s1234, sums.s2345);
    rows->g_right = SUM_121(sums.s2345, sums.s3456, sums.s4567);
    rows->above = rows->here;
    rows->here = below;
    return sharpens ? sharp : blurred;
}

/* ---- One pass in a launch: the fastest kernel of step 16 ---- */

#define SINGLE_ROWS 12

/* The group is a row of work-items.  Each loads two more rows above and below its own,
 * and needs local memory only for the columns of its neighbours.  The last two items
 * load what is in front of the group, and behind it. */
kernel void shock_single(global const float *restrict in, global float *restrict out,
                         int width, int height, int pitch, local float2 *area) {
    const struct image image = {in, width, height, pitch};
    const int fours = get_local_size(0), item = get_local_id(0);
    const int i = item < fours - 2 ? item + 1 : item == fours - 2 ? 0 : fours - 1;
    const int left = (int)get_group_id(0) * (fours - 2) * 4 - 4, x = left + 4 * i;
    const int first = (int)get_group_id(1) * SINGLE_ROWS;
    float4 own[SINGLE_ROWS + 4];
#pragma unroll
    for (int k = 0; k < SINGLE_ROWS + 4; k++)
        own[k] = nearest_four(image, x, first - 2 + k);
    if (!is_inside(image, left, first - 2, 4 * fours, SINGLE_ROWS + 4))
#pragma unroll
        for (int k = 0; k < SINGLE_ROWS + 4; k++)
            own[k] = merge_zero(image, x, first - 2 + k, own[k]);
#pragma unroll
    for (int k = 0; k < SINGLE_ROWS + 4; k++)
        put_four(area + 2 * fours * k, fours, i, own[k]);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i == 0 || i == fours - 1 || x >= width)
        return;

#define SINGLE_ROW(k) with_sides(area + 2 * fours * (k), fours, i, own[k])
    struct rows rows = {.above = SINGLE_ROW(0), .here = SINGLE_ROW(1)};
#pragma unroll
    for (int k = 0; k < SINGLE_ROWS + 2; k++) {
        const int y = first - 2 + k;
        const float4 new = next_row(&rows, SINGLE_ROW(k + 2), true);
        if (k >= 2 && y < height)
            *(global float4 *)(out + y * pitch + x) = new;
    }
}

/* ---- Several passes in a launch ---- */

#define FOURS 32 /* of an area, in a row: 128 columns */
#define ROWS 10  /* of a work-item */

/* Row k of the eight columns that a work-item needs.  Its own pixels it has in
 * registers; those above, below and beside them are other work-items', in `area`. */
INLINE float8 row_with_sides(local const float2 *area, int area_height,
                             const float4 *own, int k, int i, int first) {
    local const float2 *row = area + 2 * FOURS * clamp(first + k, 0, area_height - 1);
    const float4 pixels = k >= 0 && k < ROWS ? own[k] : get_four(row, FOURS, i);
    return with_sides(row, FOURS, i, pixels);
}

/* Makes one pass over the own pixels. */
INLINE void filter_own(local const float2 *area, int area_height, float4 *own, int i,
                       int first, bool sharpens) {
#define AREA_ROW(k) row_with_sides(area, area_height, own, k, i, first)
    struct rows rows = {.above = AREA_ROW(-2), .here = AREA_ROW(-1)};
#pragma unroll
    for (int k = 0; k < ROWS + 2; k++) {
        const float4 new = next_row(&rows, AREA_ROW(k), sharpens);
        if (k >= 2)
            own[k - 2] = new;
    }
}

/* A group loads its area once, makes all passes on it, and stores what is known after
 * the last one.  With each pass two more pixels at each rim are worth nothing, because
 * the area has not all of the pixels that they need: these are the halo. */
INLINE void all_passes(struct image image, global float *restrict out,
                       local float2 *area, int passes, bool sharpens) {
    const int area_height = get_local_size(1) * ROWS;
    const int halo = 2 * passes, wide_halo = (halo + 3) / 4 * 4; /* in whole fours */
    const int left = (int)get_group_id(0) * (4 * FOURS - 2 * wide_halo) - wide_halo;
    const int top = (int)get_group_id(1) * (area_height - 2 * halo) - halo;
    const int i = get_local_id(0), first = (int)get_local_id(1) * ROWS;
    const int x = left + 4 * i, y = top + first;
    const bool inside = is_inside(image, left, top, 4 * FOURS, area_height);
    float4 own[ROWS];
#pragma unroll
    for (int k = 0; k < ROWS; k++)
        own[k] = nearest_four(image, x, y + k);

    /* exercise { */
    for (int pass = 0; pass < passes; pass++) {
        for (int k = 0; k < ROWS && !inside; k++)
            own[k] = merge_zero(image, x, y + k, own[k]);
        for (int k = 0; k < ROWS; k++)
            put_four(area + 2 * FOURS * (first + k), FOURS, i, own[k]);
        barrier(CLK_LOCAL_MEM_FENCE); /* all pixels of this pass are there */
        filter_own(area, area_height, own, i, first, sharpens);
        barrier(CLK_LOCAL_MEM_FENCE); /* none is needed any more */
    }
    /* } exercise */

    if (4 * i < wide_halo || 4 * i >= 4 * FOURS - wide_halo || x >= image.width)
        return;
#pragma unroll
    for (int k = 0; k < ROWS; k++) {
        const bool known = first + k >= halo && first + k < area_height - halo;
        if (known && y + k < image.height)
            *(global float4 *)(out + (y + k) * image.pitch + x) = own[k];
    }
}

kernel void shock_passes(global const float *restrict in, global float *restrict out,
                         int width, int height, int pitch, local float2 *area,
                         int passes) {
    const struct image image = {in, width, height, pitch};
    all_passes(image, out, area, passes, true);
}

/* The same, and nothing differs but the arithmetic: a pass only blurs. */
kernel void blur_passes(global const float *restrict in, global float *restrict out,
                        int width, int height, int pitch, local float2 *area,
                        int passes) {
    const struct image image = {in, width, height, pitch};
    all_passes(image, out, area, passes, false);
}
