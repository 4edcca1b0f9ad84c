/* Step 17b: a hologram of factors for columns and for rows.
 *
 * A point is (x, y, turns, radians): its place in pixels, and by how much the phase of
 * its light grows with each squared pixel of distance.  The squared distance is a sum,
 * dx^2 + dy^2, so the phase is a sum of two angles, and the light is a product of two
 * arrows: one is the same in a whole column of pixels, and one in a whole row.
 *
 *     columns      C0    C1    C2    C3
 *     row R0     R0*C0 R0*C1 R0*C2 R0*C3      6 factors, and 8 products
 *     row R1     R1*C0 R1*C1 R1*C2 R1*C3 */

#define TURN 6.2831853f /* in radians */

/* A function that receives a kernel's local variable must be inlined: OpenCL C 1.2 has
 * local variables only in kernels. */
#define INLINE static inline __attribute__((overloadable, always_inline))

/* Groups are SIDE work-items wide, and at most SIDE high. */
#ifndef SIDE /* the chapter has an example with 4 */
#define SIDE 16
#endif

/* For how many points a group keeps the factors at a time: with one pixel for each
 * work-item, and with 8 x 4 pixels. */
#define FEW 32
#define BATCH 16

/* ---- Factors ---- */

/* Range reduction as in step 17: turns without the whole ones, from -1/2 to 1/2. */
INLINE float without_whole(float turns) {
    return turns - ((turns + 0x1.8p23f) - 0x1.8p23f);
}

/* The turns of a factor.  The square is rounded, and so is its product with `turns`:
 * fma() finds exactly what they have lost. */
INLINE float factor_turns(float turns, float distance) {
    const float square = distance * distance, product = square * turns;
    const float lost = fma(distance, distance, -square);
    const float missing = fma(lost, turns, fma(square, turns, -product));
    return without_whole(product) + missing;
}

/* The arrow (cos, sin) of a column or a row that is `distance` pixels from a point. */
INLINE float2 make_factor(float turns, float distance) {
    const float theta = TURN * factor_turns(turns, distance);
    return (float2)(native_cos(theta), native_sin(theta));
}

/* ---- A sine and a cosine for each pair of a pixel and a point ---- */

/* As hologram_turns of step 17. */
kernel void hologram_pairs(global const float4 *points, uint count,
                           global float2 *field, uint width, uint height) {
    const uint x = get_global_id(0), y = get_global_id(1);
    if (x < width && y < height) {
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

/* ---- A sine and a cosine for each column and each row of a group ---- */

/* One pixel for each work-item.  A group of 16 x 16 work-items has 32 factors for each
 * point, so with FEW = 32 points each work-item makes four.  A group of fewer rows also
 * makes the factors of 16 rows, and leaves some unused. */
kernel void hologram_factors(global const float4 *points, uint count,
                             global float2 *field, uint width, uint height) {
    local float2 factors[FEW][2 * SIDE]; /* of the columns, then of the rows */
    const uint item_x = get_local_id(0), item_y = get_local_id(1);
    const uint items = SIDE * get_local_size(1), id = item_y * SIDE + item_x;
    const uint left = get_group_id(0) * SIDE;
    const uint top = get_group_id(1) * get_local_size(1);
    float re = 0.0f, im = 0.0f;
    for (uint start = 0; start < count; start += FEW) {
        const uint fetched = min((uint)FEW, count - start);
        /* exercise { */
        for (uint f = id; f < fetched * 2 * SIDE; f += items) {
            const uint i = f / (2 * SIDE), j = f % (2 * SIDE);
            const float4 point = points[start + i];
            const uint at = j < SIDE ? left + j : top + j - SIDE;
            const float from = j < SIDE ? point.x : point.y;
            factors[i][j] = make_factor(point.z, (float)at - from);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint i = 0; i < fetched; i++) {
            const float2 column = factors[i][item_x], row = factors[i][SIDE + item_y];
            re = fma(column.x, row.x, re);
            re = fma(-column.y, row.y, re);
            im = fma(column.x, row.y, im);
            im = fma(column.y, row.x, im);
        }
        barrier(CLK_LOCAL_MEM_FENCE); /* the next factors replace these */
        /* } exercise */
    }
    const uint x = left + item_x, y = top + item_y;
    if (x < width && y < height)
        field[y * width + x] = (float2)(re, im);
}

/* ---- The same, and each factor that is read is used for several pixels ---- */

/* One 256th of the factors of a batch, for `size` columns, or rows, of which the first
 * is `from`.  After the last point the factors are 0.
 *
 * The compiler knows the number of rounds, and a round has no branch, so it unrolls the
 * loop, and all points of a work-item are loaded at the same time.  If the loop ended
 * where the kernel alone can know, each round would wait for a load of its own. */
INLINE void find_factors(global const float4 *points, uint start, uint count, uint id,
                         bool of_rows, uint size, float from, local float *re,
                         local float *im) {
#pragma unroll
    for (uint round = 0; round < BATCH * size / (SIDE * SIDE); round++) {
        const uint f = round * SIDE * SIDE + id, number = start + f / size;
        const float4 point = points[min(number, count - 1)];
        const float at = from + (float)(f % size);
        const float2 factor = make_factor(point.z, at - (of_rows ? point.y : point.x));
        const float strength = number < count ? 1.0f : 0.0f;
        re[f] = strength * factor.x;
        im[f] = strength * factor.y;
    }
}

/* A work-item has 8 x 4 pixels.  Four of its columns are neighbours in the left half of
 * the group's columns, and four in the right half, so that neighbouring lanes read
 * neighbouring vectors.  A factor of a column is used for 4 pixels, and one of a row
 * for 8, while it is in a register. */
kernel void hologram_separable(global const float4 *points, uint count,
                               global float2 *field, uint width, uint height) {
    local float4 column_re[BATCH][2 * SIDE], column_im[BATCH][2 * SIDE];
    local float4 row_re[BATCH][SIDE], row_im[BATCH][SIDE];
    const uint item_x = get_local_id(0), item_y = get_local_id(1);
    const uint items = SIDE * get_local_size(1), left = get_group_id(0) * 8 * SIDE;
    const uint top = get_group_id(1) * 4 * get_local_size(1);
    float4 re[4][2], im[4][2];
#pragma unroll
    for (uint j = 0; j < 4; j++)
        re[j][0] = re[j][1] = im[j][0] = im[j][1] = 0.0f;

    for (uint start = 0; start < count; start += BATCH) {
        barrier(CLK_LOCAL_MEM_FENCE); /* all have used the last batch */
        /* Once in a group of 256 work-items, more often in a smaller one. */
        for (uint id = item_y * SIDE + item_x; id < SIDE * SIDE; id += items) {
            find_factors(points, start, count, id, false, 8 * SIDE, (float)left,
                         (local float *)column_re, (local float *)column_im);
            find_factors(points, start, count, id, true, 4 * SIDE, (float)top,
                         (local float *)row_re, (local float *)row_im);
        }
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
                if (x + k < width && y < height)
                    field[y * width + x + k] = (float2)(all_re[k], all_im[k]);
        }
}

/* ---- The way back: from the field to the hologram, and to the points ---- */

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

/* What the light of each row adds up to at the depth of the points: paths[d] is the
 * arrow by which light is turned back that has gone d pixels aside.  Rows become
 * columns, so a second launch adds up the columns, and they become rows again. */
kernel void hologram_back(global const float2 *light, global const float2 *paths,
                          global float2 *out, uint width, uint height) {
    const uint to = get_global_id(0), y = get_global_id(1);
    if (to < width && y < height) {
        float re = 0.0f, im = 0.0f;
        for (uint x = 0; x < width; x++) {
            const float2 a = light[y * width + x], b = paths[abs_diff(x, to)];
            re += a.x * b.x - a.y * b.y;
            im += a.x * b.y + a.y * b.x;
        }
        out[to * height + y] = (float2)(re, im);
    }
}

/* ---- For a CPU: vectors of 16 pixels, and polynomials for the sines ---- */

#define LANES ((float16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15))

/* A work-item of hologram_wide has 32 x TALL pixels, and factors of so many points. */
#define TALL 32
#define WIDE_BATCH 32

INLINE float16 without_whole(float16 turns) {
    return turns - ((turns + 0x1.8p23f) - 0x1.8p23f);
}

INLINE float16 factor_turns(float turns, float16 distance) {
    const float16 square = distance * distance, product = square * turns;
    const float16 lost = fma(distance, distance, -square);
    const float16 missing =
        fma(lost, (float16)turns, fma(square, (float16)turns, -product));
    return without_whole(product) + missing;
}

/* sin(2 pi t) is t times a polynomial of t^2, cos(2 pi t) is one of t^2.  These have
 * the smallest greatest error of their degree (Remez): 6.1e-6 and 4.1e-5. */
INLINE float16 cos_of(float16 square) {
    float16 sum = 45.6465569f;
    sum = fma(sum, square, (float16)(-82.4035492f));
    sum = fma(sum, square, (float16)(64.6734314f));
    sum = fma(sum, square, (float16)(-19.731041f));
    return fma(sum, square, (float16)(0.999959767f));
}

INLINE float16 sin_over_turns(float16 square) {
    float16 sum = 32.7814026f;
    sum = fma(sum, square, (float16)(-74.4780045f));
    sum = fma(sum, square, (float16)(81.3668137f));
    sum = fma(sum, square, (float16)(-41.3312149f));
    return fma(sum, square, (float16)(6.28305578f));
}

/* 16 pixels of a row, and a sine and a cosine for each pair. */
kernel void hologram_pairs_wide(global const float4 *points, uint count,
                                global float2 *field, uint width, uint height) {
    const uint x = 16 * get_global_id(0), y = get_global_id(1);
    const float16 xs = (float)x + LANES;
    float16 re = 0.0f, im = 0.0f;
    for (uint i = 0; i < count; i++) {
        const float4 point = points[i];
        const float16 dx = point.x - xs;
        const float dy = point.y - (float)y;
        const float16 turns = without_whole((dx * dx + dy * dy) * point.z);
        const float16 square = turns * turns;
        re += cos_of(square);
        im = fma(turns, sin_over_turns(square), im);
    }
    float all_re[16], all_im[16];
    vstore16(re, 0, all_re);
    vstore16(im, 0, all_im);
    for (uint j = 0; j < 16 && x + j < width && y < height; j++)
        field[y * width + x + j] = (float2)(all_re[j], all_im[j]);
}

/* A work-item has 32 columns and TALL rows, keeps the factors of a batch in the core's
 * cache, and the sums of 4 rows at a time in registers.  It makes all of its factors
 * itself, so there is no barrier. */
kernel void hologram_wide(global const float4 *points, uint count, global float2 *field,
                          uint width, uint height) {
    const uint left = 32 * get_global_id(0), top = TALL * get_global_id(1);
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
                const float16 turns =
                    factor_turns(point.z, (float)(left + 16 * part) + LANES - point.x);
                across_re[i][part] = cos_of(turns * turns);
                across_im[i][part] = turns * sin_over_turns(turns * turns);
            }
            for (uint j = 0; j < TALL; j += 16) {
                const float16 turns =
                    factor_turns(point.z, (float)(top + j) + LANES - point.y);
                vstore16(cos_of(turns * turns), 0, &down_re[i][j]);
                vstore16(turns * sin_over_turns(turns * turns), 0, &down_im[i][j]);
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
    for (uint j = 0; j < TALL && top + j < height; j++)
        for (uint part = 0; part < 2; part++) {
            const uint x = left + 16 * part;
            float all_re[16], all_im[16];
            vstore16(re[j][part], 0, all_re);
            vstore16(im[j][part], 0, all_im);
            for (uint k = 0; k < 16 && x + k < width; k++)
                field[(top + j) * width + x + k] = (float2)(all_re[k], all_im[k]);
        }
}

// lens: hologram_pairs(points[count]=(40, 20, 0.0005, 0.00314, 90, 10, 0.0004, 0.00251), count=32, field[width * height], width=96, height=48) --global 96,48 --local 32,8
// lens: hologram_factors(points[count]=(40, 20, 0.0005, 0.00314, 90, 10, 0.0004, 0.00251), count=32, field[width * height], width=96, height=32) --global 96,32 --local 16,16
// lens: hologram_separable(points[count]=(40, 20, 0.0005, 0.00314, 90, 10, 0.0004, 0.00251), count=32, field[width * height], width=128, height=64) --global 16,16 --local 16,16
// lens: hologram_phase(field[n], phase[n], n=4096) --global 4096 --local 64
// lens: hologram_shine(phase[n]=0..255, light[n], n=4096) --global 4096 --local 64
// lens: hologram_back(light[width * height], paths[width], out[width * height], width=96, height=16) --global 96,16 --local 32,1
// lens: hologram_pairs_wide(points[count]=(40, 20, 0.0005, 0.00314, 90, 10, 0.0004, 0.00251), count=32, field[width * height], width=96, height=16) --global 6,16 --local 1,1
// lens: hologram_wide(points[count]=(40, 20, 0.0005, 0.00314, 90, 10, 0.0004, 0.00251), count=32, field[width * height], width=96, height=64) --global 3,2 --local 1,1
