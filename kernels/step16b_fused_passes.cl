/* Step 16b: several iterations of a filter in one launch.
 *
 * An iteration makes a new picture from an old one.  A new pixel needs the old ones up
 * to two pixels away.  So what is known of an area shrinks by two pixels on each side
 * with every iteration; two iterations leave this of 12 x 12 pixels:
 *
 *     . . . . . . . . . . . .
 *     . . . . . . . . . . . .      .  known at first
 *     . . 1 1 1 1 1 1 1 1 . .      1  known after the first one, too
 *     . . 1 1 1 1 1 1 1 1 . .      2  known after the second one, too
 *     . . 1 1 2 2 2 2 1 1 . .
 *     . . 1 1 2 2 2 2 1 1 . .
 *     . . 1 1 2 2 2 2 1 1 . .          and so on
 *
 * Outside the picture all is 0, before every iteration.  Its rows have `pitch`
 * pixels, a multiple of 32; those beyond `width` are padding, which may be written
 * to, but never means anything. */

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

/* The baseline: the bytes that one launch must read and write. */
kernel void fused_copy(global const float4 *restrict in, global float4 *restrict out,
                       int pitch, int height) {
    const int i = get_global_id(0);
    if (i < pitch / 4 * height)
        out[i] = in[i];
}

/* ---- The idea, on one row of pixels ---- */

/* Blurs a row several times.  A lane has one pixel of its group's area.  A blurred
 * pixel needs the old ones up to one away, so the halo has one pixel on each side
 * for each iteration. */
kernel void blur_row(global const float *restrict in, global float *restrict out,
                     int width, local float *area, int iterations) {
    const int i = get_local_id(0), columns = get_local_size(0), halo = iterations;
    const int x = (int)get_group_id(0) * (columns - 2 * halo) - halo + i;
    const bool inside = x >= 0 && x < width;
    float own = 0.0f;
    if (inside)
        own = in[x];

    for (int iteration = 0; iteration < iterations; iteration++) {
        area[i] = own;
        barrier(CLK_LOCAL_MEM_FENCE); /* all pixels are there */
        const float left = area[max(i - 1, 0)];
        const float right = area[min(i + 1, columns - 1)];
        barrier(CLK_LOCAL_MEM_FENCE); /* none is needed any more */
        if (inside)
            own = SUM_121(left, own, right) / 4.0f;
    }

    if (inside && i >= halo && i < columns - halo)
        out[x] = own;
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

/* The same with 0 merged in for those that are outside the picture. */
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

/* Takes the next row, and returns the new pixels of the row two above it: sharpened by
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

/* ---- One iteration in a launch: the fastest kernel of step 16 ---- */

#define SINGLE_ROWS 12

/* The group is a row of work-items.  Each loads two more rows above and below its own,
 * and needs local memory only for the columns of its neighbours.  The last two items
 * load the columns on its left and on its right. */
kernel void shock_single(global const float *restrict in, global float *restrict out,
                         int width, int height, int pitch, local float2 *area) {
    const struct image image = {in, width, height, pitch};
    const int fours = get_local_size(0), item = get_local_id(0);
    int i = item + 1;
    if (item == fours - 2) /* left of the group */
        i = 0;
    if (item > fours - 2) /* right of it */
        i = fours - 1;
    const int left = (int)get_group_id(0) * (fours - 2) * 4 - 4, x = left + 4 * i;
    const int first = (int)get_group_id(1) * SINGLE_ROWS;
    float4 own[SINGLE_ROWS + 4];
#pragma unroll
    for (int k = 0; k < SINGLE_ROWS + 4; k++)
        own[k] = nearest_four(image, x, first - 2 + k);
    if (!is_inside(image, left, first - 2, 4 * fours, SINGLE_ROWS + 4)) {
#pragma unroll
        for (int k = 0; k < SINGLE_ROWS + 4; k++)
            own[k] = merge_zero(image, x, first - 2 + k, own[k]);
    }
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

/* ---- Several iterations in a launch ---- */

#define FOURS 32 /* of an area, in a row: 128 columns */
#define ROWS 10  /* of a work-item */

/* Row k of the eight columns that a work-item needs.  Its own pixels are in registers;
 * the pixels of other work-items, above, below and beside them, are in `area`. */
INLINE float8 row_with_sides(local const float2 *area, int area_height,
                             const float4 *own, int k, int i, int first) {
    local const float2 *row = area + 2 * FOURS * clamp(first + k, 0, area_height - 1);
    if (k >= 0 && k < ROWS)
        return with_sides(row, FOURS, i, own[k]);
    return with_sides(row, FOURS, i, get_four(row, FOURS, i));
}

/* Makes one iteration: the own pixels become new ones. */
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

/* A group loads its area once, makes all iterations on it, and stores what is known
 * after the last one.  With each iteration two more pixels on each side are not
 * known any more, because the area lacks pixels that they depend on: these are the
 * halo. */
INLINE void all_iterations(struct image image, global float *restrict out,
                           local float2 *area, int iterations, bool sharpens) {
    const int area_height = get_local_size(1) * ROWS;
    const int halo = 2 * iterations;
    const int wide_halo = (halo + 3) / 4 * 4; /* left and right, in whole fours */
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
    for (int iteration = 0; iteration < iterations; iteration++) {
        if (!inside) {
#pragma unroll
            for (int k = 0; k < ROWS; k++)
                own[k] = merge_zero(image, x, y + k, own[k]);
        }
#pragma unroll
        for (int k = 0; k < ROWS; k++)
            put_four(area + 2 * FOURS * (first + k), FOURS, i, own[k]);
        barrier(CLK_LOCAL_MEM_FENCE); /* all pixels are there */
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

kernel void shock_fused(global const float *restrict in, global float *restrict out,
                        int width, int height, int pitch, local float2 *area,
                        int iterations) {
    const struct image image = {in, width, height, pitch};
    all_iterations(image, out, area, iterations, true);
}

/* The same, and nothing differs but the arithmetic: an iteration only blurs. */
kernel void blur_fused(global const float *restrict in, global float *restrict out,
                       int width, int height, int pitch, local float2 *area,
                       int iterations) {
    const struct image image = {in, width, height, pitch};
    all_iterations(image, out, area, iterations, false);
}

// lens: fused_copy(in[pitch * height / 4], out[pitch * height / 4], pitch=256, height=64) --global 4096 --local 256
// lens: blur_row(in[width], out[width], width=96, area[local], iterations=4) --global 128 --local 32
// lens: shock_single(in[pitch * height], out[pitch * height], width=960, height=60, pitch=960, area[2 * 16 * local]) --global 244,5 --local 122,1
// lens: shock_fused(in[pitch * height], out[pitch * height], width=250, height=60, pitch=256, area[20 * local], iterations=2) --global 96,12 --local 32,6
// lens: blur_fused(in[pitch * height], out[pitch * height], width=250, height=60, pitch=256, area[20 * local], iterations=2) --global 96,12 --local 32,6
