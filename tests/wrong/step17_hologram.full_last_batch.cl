/* Wrong on purpose: a last batch that is not full is added up as if it were. */
/* Step 17: the light of many points, added up at each pixel.
 *
 * A point is (x, y, turns, radians): its place in pixels, and by how much the phase of
 * its light grows with the squared distance.  Four pixels of a row, and two points in
 * the row above, whose light grows by 1/8 and by 1/4 turn:
 *
 *     points           a  .  .  b
 *     a: distance^2    1  2  5  10      turns  1/8  2/8  5/8  10/8
 *     b: distance^2   10  5  2   1      turns 10/4  5/4  2/4   1/4
 *
 * The third pixel gets cos(5/8) + cos(2/4) and sin(5/8) + sin(2/4), of turns.
 *
 * All kernels work on the rows from `first` to `last`, `last` not included. */

#define GROUP_MOST 256 /* work-items in a work-group */

/* The pixels of one work-item in hologram_split (the program knows, too), and how many
 * of them get their sines from polynomials. */
#define ACROSS 8
#define BY_POLYNOMIAL 2

/* Of hologram_separable: groups of SIDE x SIDE work-items, with 8 x 4 pixels each, and
 * points at a time. */
#define SIDE 16
#define BATCH 16

/* Of hologram_wide: rows of pixels for a work-item, and points at a time. */
#define TALL 32
#define WIDE_BATCH 32

#define TURN 6.2831853f /* in radians */
#define LANES ((float16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15))
#define INLINE static inline __attribute__((overloadable, always_inline))

/* ---- One pixel for a work-item ---- */

/* As the paper has it. */
kernel void hologram_direct(global const float4 *points, uint count,
                            global float2 *field, uint width, uint first, uint last) {
    const uint x = get_global_id(0), y = first + get_global_id(1);
    if (x < width && y < last) {
        float re = 0.0f, im = 0.0f;
        for (uint i = 0; i < count; i++) {
            const float4 point = points[i];
            const float dx = point.x - (float)x, dy = point.y - (float)y;
            const float theta = (dx * dx + dy * dy) * point.w;
            float cosine;
            im += sincos(theta, &cosine);
            re += cosine;
        }
        field[y * width + x] = (float2)(re, im);
    }
}

/* By the device's own instructions for sines, as exact as those are. */
kernel void hologram_native(global const float4 *points, uint count,
                            global float2 *field, uint width, uint first, uint last) {
    const uint x = get_global_id(0), y = first + get_global_id(1);
    if (x < width && y < last) {
        float re = 0.0f, im = 0.0f;
        for (uint i = 0; i < count; i++) {
            const float4 point = points[i];
            const float dx = point.x - (float)x, dy = point.y - (float)y;
            const float theta = (dx * dx + dy * dy) * point.w;
            re += native_cos(theta);
            im += native_sin(theta);
        }
        field[y * width + x] = (float2)(re, im);
    }
}

/* Turns without the whole ones: from -1/2 to 1/2.  From 2^23 to 2^24 floats are 1
 * apart, so adding 1.5 * 2^23 rounds, as rint() does; but GPUs work rint() out where
 * they work out sines.
 *
 * sin(2 pi t) is t times a polynomial of t^2, cos(2 pi t) is one of t^2.  These have
 * the smallest greatest error of their degree (Remez): 6.1e-6 and 4.1e-5. */
#define TURNS_OF(T)                                                                    \
    INLINE T without_whole(T turns) {                                                  \
        return turns - ((turns + 0x1.8p23f) - 0x1.8p23f);                              \
    }                                                                                  \
    INLINE T cos_of(T square) {                                                        \
        T sum = (T)(45.6465569f);                                                      \
        sum = fma(sum, square, (T)(-82.4035492f));                                     \
        sum = fma(sum, square, (T)(64.6734314f));                                      \
        sum = fma(sum, square, (T)(-19.731041f));                                      \
        return fma(sum, square, (T)(0.999959767f));                                    \
    }                                                                                  \
    INLINE T sin_by_turns_of(T square) {                                               \
        T sum = (T)(32.7814026f);                                                      \
        sum = fma(sum, square, (T)(-74.4780045f));                                     \
        sum = fma(sum, square, (T)(81.3668137f));                                      \
        sum = fma(sum, square, (T)(-41.3312149f));                                     \
        return fma(sum, square, (T)(6.28305578f));                                     \
    }

TURNS_OF(float)
TURNS_OF(float16)

kernel void hologram_turns(global const float4 *points, uint count,
                           global float2 *field, uint width, uint first, uint last) {
    const uint x = get_global_id(0), y = first + get_global_id(1);
    if (x < width && y < last) {
        float re = 0.0f, im = 0.0f;
        for (uint i = 0; i < count; i++) {
            const float4 point = points[i];
            const float dx = point.x - (float)x, dy = point.y - (float)y;
            const float turns = without_whole((dx * dx + dy * dy) * point.z);
            re += native_cos(TURN * turns);
            im += native_sin(TURN * turns);
        }
        field[y * width + x] = (float2)(re, im);
    }
}

/* ---- A group fetches a batch of points ---- */

/* One point for each work-item; returns how many there are. */
INLINE uint fetch(global const float4 *points, uint start, uint count,
                  local float4 *batch) {
    const uint items = get_local_size(0) * get_local_size(1);
    const uint id = get_local_id(1) * get_local_size(0) + get_local_id(0);
    barrier(CLK_LOCAL_MEM_FENCE); /* the batch before this one is done with */
    if (start + id < count)
        batch[id] = points[start + id];
    barrier(CLK_LOCAL_MEM_FENCE);
    return min(items, count - start);
}

kernel void hologram_local(global const float4 *points, uint count,
                           global float2 *field, uint width, uint first, uint last) {
    local float4 batch[GROUP_MOST];
    const uint items = get_local_size(0) * get_local_size(1);
    const uint x = get_global_id(0), y = first + get_global_id(1);
    float re = 0.0f, im = 0.0f;
    for (uint start = 0; start < count; start += items) {
        const uint fetched = fetch(points, start, count, batch);
        for (uint i = 0; i < fetched; i++) {
            const float4 point = batch[i];
            const float dx = point.x - (float)x, dy = point.y - (float)y;
            const float turns = without_whole((dx * dx + dy * dy) * point.z);
            re += native_cos(TURN * turns);
            im += native_sin(TURN * turns);
        }
    }
    if (x < width && y < last)
        field[y * width + x] = (float2)(re, im);
}

/* ---- Several pixels of a row for a work-item ---- */

/* 16 pixels in a vector, and no sine but our own. */
kernel void hologram_vectors(global const float4 *points, uint count,
                             global float2 *field, uint width, uint first, uint last) {
    const uint x = 16 * get_global_id(0), y = first + get_global_id(1);
    const float16 xs = (float)x + LANES;
    if (y < last) {
        float16 re = 0.0f, im = 0.0f;
        for (uint i = 0; i < count; i++) {
            const float4 point = points[i];
            const float16 dx = point.x - xs;
            const float dy = point.y - (float)y;
            const float16 turns = without_whole((dx * dx + dy * dy) * point.z);
            const float16 square = turns * turns;
            re += cos_of(square);
            im = fma(turns, sin_by_turns_of(square), im);
        }
        float all_re[16], all_im[16];
        vstore16(re, 0, all_re);
        vstore16(im, 0, all_im);
        for (uint j = 0; j < 16 && x + j < width; j++)
            field[y * width + x + j] = (float2)(all_re[j], all_im[j]);
    }
}

/* Sines by both: some by the units that have instructions for them, the others by
 * those that multiply and add, and would only wait.
 *
 * j pixels further to the right the phase is turns + j * slope + j * j * point.z.  No
 * slope is above half a turn, or pixels would be too coarse for the fringes: so after
 * a few pixels it is still small, and an instruction needs no reduction. */
kernel void hologram_split(global const float4 *points, uint count,
                           global float2 *field, uint width, uint first, uint last) {
    local float4 batch[GROUP_MOST];
    const uint items = get_local_size(0) * get_local_size(1);
    const uint x = ACROSS * get_global_id(0), y = first + get_global_id(1);
    float re[ACROSS], im[ACROSS];
#pragma unroll
    for (uint j = 0; j < ACROSS; j++)
        re[j] = im[j] = 0.0f;

    for (uint start = 0; start < count; start += items) {
        const uint fetched = fetch(points, start, count, batch);
        for (uint i = 0; i < items; i++) {
            const float4 point = batch[i];
            const float dx = (float)x - point.x, dy = (float)y - point.y;
            const float turns = without_whole((dx * dx + dy * dy) * point.z);
            const float slope = 2.0f * point.z * dx;
            const float theta = TURN * turns, slope_theta = TURN * slope;
#pragma unroll
            for (uint j = 0; j < ACROSS; j++)
                if (j < BY_POLYNOMIAL) {
                    const float here = fma((float)j, slope, turns);
                    const float near =
                        j ? without_whole(fma((float)(j * j), point.z, here)) : turns;
                    re[j] += cos_of(near * near);
                    im[j] = fma(near, sin_by_turns_of(near * near), im[j]);
                } else {
                    const float here = fma((float)j, slope_theta, theta);
                    const float near = fma((float)(j * j), point.w, here);
                    re[j] += native_cos(near);
                    im[j] += native_sin(near);
                }
        }
    }
#pragma unroll
    for (uint j = 0; j < ACROSS; j++)
        if (x + j < width && y < last)
            field[y * width + x + j] = (float2)(re[j], im[j]);
}

/* ---- Rows times columns ----
 *
 * The phase is a sum of what x and what y do to it, so the light is a product:
 *
 *     exp(i c (dx^2 + dy^2))  =  exp(i c dx^2)  *  exp(i c dy^2)
 *
 * One factor is the same in a whole column of pixels, the other in a whole row.  A
 * group works both out for its own columns and rows; then it only multiplies and
 * adds. */

/* The turns of one factor.  What rounding takes from a product, fma() brings back. */
#define FACTOR_TURNS(T)                                                                \
    INLINE T factor_turns(float turns, T distance) {                                   \
        const T square = distance * distance, product = square * turns;                \
        const T lost = fma(distance, distance, -square);                               \
        const T missing = fma(lost, (T)(turns), fma(square, (T)(turns), -product));    \
        return without_whole(product) + missing;                                       \
    }

FACTOR_TURNS(float)
FACTOR_TURNS(float16)

/* The factors of `size` columns, or rows, from the one at `from` on; behind the last
 * point they are 0. */
INLINE void find_factors(global const float4 *points, uint start, uint count,
                         bool of_rows, uint size, float from, local float *re,
                         local float *im) {
    const uint id = get_local_id(1) * SIDE + get_local_id(0);
#pragma unroll
    for (uint round = 0; round < BATCH * size / (SIDE * SIDE); round++) {
        const uint i = round * SIDE * SIDE + id, number = start + i / size;
        const float4 point = points[min(number, count - 1)];
        const float at = from + (float)(i % size);
        const float turns = factor_turns(point.z, at - (of_rows ? point.y : point.x));
        const float strength = number < count ? 1.0f : 0.0f;
        re[i] = strength * native_cos(TURN * turns);
        im[i] = strength * native_sin(TURN * turns);
    }
}

/* A work-item's pixels are in 4 neighbouring rows and in 4 + 4 columns, half of the
 * group's columns apart, so that neighbours read neighbouring vectors. */
kernel void hologram_separable(global const float4 *points, uint count,
                               global float2 *field, uint width, uint first,
                               uint last) {
    local float4 column_re[BATCH][2 * SIDE], column_im[BATCH][2 * SIDE];
    local float4 row_re[BATCH][SIDE], row_im[BATCH][SIDE];
    const uint item_x = get_local_id(0), item_y = get_local_id(1);
    const uint left = get_group_id(0) * 8 * SIDE;
    const uint top = first + get_group_id(1) * 4 * SIDE;
    float4 re[4][2], im[4][2];
#pragma unroll
    for (uint j = 0; j < 4; j++)
        re[j][0] = re[j][1] = im[j][0] = im[j][1] = 0.0f;

    for (uint start = 0; start < count; start += BATCH) {
        barrier(CLK_LOCAL_MEM_FENCE); /* the batch before this one is done with */
        find_factors(points, start, count, false, 8 * SIDE, (float)left,
                     (local float *)column_re, (local float *)column_im);
        find_factors(points, start, count, true, 4 * SIDE, (float)top,
                     (local float *)row_re, (local float *)row_im);
        barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll 4
        for (uint i = 0; i < BATCH; i++) {
            float down_re[4], down_im[4];
            vstore4(row_re[i][item_y], 0, down_re);
            vstore4(row_im[i][item_y], 0, down_im);
#pragma unroll
            for (uint part = 0; part < 2; part++) {
                const float4 across_re = column_re[i][part * SIDE + item_x];
                const float4 across_im = column_im[i][part * SIDE + item_x];
#pragma unroll
                for (uint j = 0; j < 4; j++) {
                    const float4 dr = down_re[j], di = down_im[j];
                    re[j][part] = fma(dr, across_re, re[j][part]);
                    re[j][part] = fma(-di, across_im, re[j][part]);
                    im[j][part] = fma(dr, across_im, im[j][part]);
                    im[j][part] = fma(di, across_re, im[j][part]);
                }
            }
        }
    }
#pragma unroll
    for (uint j = 0; j < 4; j++)
#pragma unroll
        for (uint part = 0; part < 2; part++) {
            const uint x = left + 4 * (part * SIDE + item_x), y = top + 4 * item_y + j;
            float all_re[4], all_im[4];
            vstore4(re[j][part], 0, all_re);
            vstore4(im[j][part], 0, all_im);
#pragma unroll
            for (uint k = 0; k < 4; k++)
                if (x + k < width && y < last)
                    field[y * width + x + k] = (float2)(all_re[k], all_im[k]);
        }
}

/* The same for a CPU: one work-item has 32 columns and TALL rows, keeps the factors of
 * a batch in its cache, and 4 rows at a time in its registers.  Nobody waits. */
kernel void hologram_wide(global const float4 *points, uint count,
                          global float2 *field, uint width, uint first, uint last) {
    const uint left = 32 * get_global_id(0), top = first + TALL * get_global_id(1);
    float16 across_re[WIDE_BATCH][2], across_im[WIDE_BATCH][2];
    float down_re[WIDE_BATCH][TALL], down_im[WIDE_BATCH][TALL];
    float16 re[TALL][2], im[TALL][2];
    for (uint j = 0; j < TALL; j++)
        re[j][0] = re[j][1] = im[j][0] = im[j][1] = 0.0f;

    for (uint start = 0; start < count; start += WIDE_BATCH) {
        const uint fetched = min((uint)WIDE_BATCH, count - start);
        for (uint i = 0; i < fetched; i++) {
            const float4 point = points[start + i];
            for (uint part = 0; part < 2; part++) {
                const float16 turns = factor_turns(
                    point.z, (float)(left + 16 * part) + LANES - point.x);
                across_re[i][part] = cos_of(turns * turns);
                across_im[i][part] = turns * sin_by_turns_of(turns * turns);
            }
            for (uint j = 0; j < TALL; j += 16) {
                const float16 turns =
                    factor_turns(point.z, (float)(top + j) + LANES - point.y);
                vstore16(cos_of(turns * turns), 0, &down_re[i][j]);
                vstore16(turns * sin_by_turns_of(turns * turns), 0, &down_im[i][j]);
            }
        }
        for (uint j = 0; j < TALL; j += 4) {
            float16 r[4][2], m[4][2];
#pragma unroll
            for (uint k = 0; k < 4; k++) {
                r[k][0] = re[j + k][0];
                r[k][1] = re[j + k][1];
                m[k][0] = im[j + k][0];
                m[k][1] = im[j + k][1];
            }
            for (uint i = 0; i < fetched; i++)
#pragma unroll
                for (uint k = 0; k < 4; k++)
#pragma unroll
                    for (uint part = 0; part < 2; part++) {
                        const float16 dr = down_re[i][j + k], di = down_im[i][j + k];
                        r[k][part] = fma(dr, across_re[i][part], r[k][part]);
                        r[k][part] = fma(-di, across_im[i][part], r[k][part]);
                        m[k][part] = fma(dr, across_im[i][part], m[k][part]);
                        m[k][part] = fma(di, across_re[i][part], m[k][part]);
                    }
#pragma unroll
            for (uint k = 0; k < 4; k++) {
                re[j + k][0] = r[k][0];
                re[j + k][1] = r[k][1];
                im[j + k][0] = m[k][0];
                im[j + k][1] = m[k][1];
            }
        }
    }
    for (uint j = 0; j < TALL && top + j < last; j++)
        for (uint part = 0; part < 2; part++) {
            const uint x = left + 16 * part;
            float all_re[16], all_im[16];
            vstore16(re[j][part], 0, all_re);
            vstore16(im[j][part], 0, all_im);
            for (uint k = 0; k < 16 && x + k < width; k++)
                field[(top + j) * width + x + k] = (float2)(all_re[k], all_im[k]);
        }
}

/* ---- From the field to the hologram, and back to the points ---- */

/* What a hologram keeps of the light: its phase, in 256 steps, of which the last is the
 * first one's neighbour. */
kernel void hologram_phase(global const float2 *field, global uchar *phase, uint n) {
    const uint i = get_global_id(0);
    if (i < n) {
        const float2 light = field[i];
        const int level = convert_int_rte(atan2(light.y, light.x) * (256.0f / TURN));
        phase[i] = (uchar)(level & 255);
    }
}

/* Light of strength 1 with the hologram's phase. */
kernel void hologram_shine(global const uchar *phase, global float2 *light, uint n) {
    const uint i = get_global_id(0);
    if (i < n) {
        const float theta = (float)phase[i] * (TURN / 256.0f);
        light[i] = (float2)(cos(theta), sin(theta));
    }
}

/* The light of each row, seen from the object's depth: a sum over the row, in which
 * ways[d] turns light back by what d pixels have turned it.  Rows become columns: a
 * second launch does the columns, and they become rows again. */
kernel void hologram_back(global const float2 *light, global const float2 *ways,
                          global float2 *out, uint width, uint height) {
    const uint to = get_global_id(0), y = get_global_id(1);
    if (to < width && y < height) {
        float re = 0.0f, im = 0.0f;
        for (uint x = 0; x < width; x++) {
            const float2 a = light[y * width + x], b = ways[abs_diff(x, to)];
            re += a.x * b.x - a.y * b.y;
            im += a.x * b.y + a.y * b.x;
        }
        out[to * height + y] = (float2)(re, im);
    }
}

/* ---- Nothing but sines, to see how many there can be ---- */

kernel void hologram_sines(global float *out, uint rounds) {
    float8 x = (float8)(0, 1, 2, 3, 4, 5, 6, 7) / (1.0f + get_local_id(0));
    for (uint round = 0; round < rounds; round++)
        x = native_sin(x);
    const float4 sum4 = x.lo + x.hi;
    out[get_global_id(0)] = sum4.x + sum4.y + sum4.z + sum4.w;
}
