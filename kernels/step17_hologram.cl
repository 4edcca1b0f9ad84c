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
 * The third pixel gets cos(5/8) + cos(2/4) and sin(5/8) + sin(2/4), of turns. */

#define MAX_GROUP 256 /* work-items in a work-group */

/* The pixels of one work-item in hologram_eight and hologram_split (the program knows,
 * too), and how many of them get their sines from polynomials in hologram_split. */
#define ACROSS 8
#define BY_POLYNOMIAL 3

#define TURN 6.2831853f /* in radians */

/* Inlined, so that with PoCL 3.1 each group keeps local memory of its own. */
#define INLINE static inline __attribute__((overloadable, always_inline))

/* ---- The baseline: nothing but sines ---- */

/* The sine of the sine of the sine ... of eight numbers for each work-item: eight, so
 * that a sine need not wait for the result of the last one. */
kernel void hologram_sines(global float *out, uint rounds) {
    float8 x = (float8)(0, 1, 2, 3, 4, 5, 6, 7) / (1.0f + get_local_id(0));
    for (uint round = 0; round < rounds; round++)
        x = native_sin(x);
    const float4 sum4 = x.lo + x.hi;
    out[get_global_id(0)] = sum4.x + sum4.y + sum4.z + sum4.w;
}

/* ---- One pixel for each work-item ---- */

/* As in the paper. */
kernel void hologram_direct(global const float4 *points, uint count,
                            global float2 *field, uint width, uint height) {
    const uint x = get_global_id(0), y = get_global_id(1);
    if (x < width && y < height) {
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

/* By the device's own instructions for sines, however exact these are. */
kernel void hologram_native(global const float4 *points, uint count,
                            global float2 *field, uint width, uint height) {
    const uint x = get_global_id(0), y = get_global_id(1);
    if (x < width && y < height) {
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

/* Range reduction: turns without the whole ones, from -1/2 to 1/2.  From 2^23 to 2^24
 * floats are 1 apart, so adding 1.5 * 2^23 rounds, as rint() does; but GPUs execute
 * rint() in the units that execute sines. */
INLINE float without_whole(float turns) {
    return turns - ((turns + 0x1.8p23f) - 0x1.8p23f);
}

kernel void hologram_turns(global const float4 *points, uint count,
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

/* ---- A group fetches a batch of points ---- */

/* One point for each work-item; returns how many there are. */
INLINE uint fetch(global const float4 *points, uint start, uint count,
                  local float4 *batch) {
    const uint items = get_local_size(0) * get_local_size(1);
    const uint id = get_local_id(1) * get_local_size(0) + get_local_id(0);
    barrier(CLK_LOCAL_MEM_FENCE); /* all have used the last batch */
    if (start + id < count)
        batch[id] = points[start + id];
    barrier(CLK_LOCAL_MEM_FENCE);
    return min(items, count - start);
}

kernel void hologram_local(global const float4 *points, uint count,
                           global float2 *field, uint width, uint height) {
    local float4 batch[MAX_GROUP];
    const uint items = get_local_size(0) * get_local_size(1);
    const uint x = get_global_id(0), y = get_global_id(1);
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
    if (x < width && y < height)
        field[y * width + x] = (float2)(re, im);
}

/* ---- Eight neighbouring pixels for each work-item ----
 *
 * j pixels further to the right the phase is turns + j * slope + j * j * point.z.  No
 * slope is above half a turn, because the host refuses points that are nearer.  So
 * after a few pixels the phase is still small enough for an instruction, which needs no
 * range reduction then.  The polynomials need it. */

kernel void hologram_eight(global const float4 *points, uint count,
                           global float2 *field, uint width, uint height) {
    local float4 batch[MAX_GROUP];
    const uint items = get_local_size(0) * get_local_size(1);
    const uint x = ACROSS * get_global_id(0), y = get_global_id(1);
    float re[ACROSS], im[ACROSS];
#pragma unroll
    for (uint j = 0; j < ACROSS; j++)
        re[j] = im[j] = 0.0f;

    for (uint start = 0; start < count; start += items) {
        const uint fetched = fetch(points, start, count, batch);
        for (uint i = 0; i < fetched; i++) {
            const float4 point = batch[i];
            const float dx = (float)x - point.x, dy = (float)y - point.y;
            const float turns = without_whole((dx * dx + dy * dy) * point.z);
            const float slope_theta = 2.0f * point.w * dx, theta = TURN * turns;
#pragma unroll
            for (uint j = 0; j < ACROSS; j++) {
                const float here = fma((float)j, slope_theta, theta);
                const float there = fma((float)(j * j), point.w, here);
                re[j] += native_cos(there);
                im[j] += native_sin(there);
            }
        }
    }
#pragma unroll
    for (uint j = 0; j < ACROSS; j++)
        if (x + j < width && y < height)
            field[y * width + x + j] = (float2)(re[j], im[j]);
}

/* The cosine of t turns, of which `square` is the square, and their sine divided by t.
 * Of all polynomials of their degree, these have the smallest maximum error (Remez):
 * 4.1e-5, and 6.1e-6 for the sine. */
INLINE float cos_of(float square) {
    float sum = 45.6465569f;
    sum = fma(sum, square, -82.4035492f);
    sum = fma(sum, square, 64.6734314f);
    sum = fma(sum, square, -19.731041f);
    return fma(sum, square, 0.999959767f);
}

INLINE float sin_over_turns(float square) {
    float sum = 32.7814026f;
    sum = fma(sum, square, -74.4780045f);
    sum = fma(sum, square, 81.3668137f);
    sum = fma(sum, square, -41.3312149f);
    return fma(sum, square, 6.28305578f);
}

/* The same, but the first BY_POLYNOMIAL pixels of each work-item leave their sines
 * to the units that multiply and add.  Once the loop over j is unrolled, each of its
 * eight copies has one way only, so no lane waits for another. */
kernel void hologram_split(global const float4 *points, uint count,
                           global float2 *field, uint width, uint height) {
    local float4 batch[MAX_GROUP];
    const uint items = get_local_size(0) * get_local_size(1);
    const uint x = ACROSS * get_global_id(0), y = get_global_id(1);
    float re[ACROSS], im[ACROSS];
#pragma unroll
    for (uint j = 0; j < ACROSS; j++)
        re[j] = im[j] = 0.0f;

    for (uint start = 0; start < count; start += items) {
        const uint fetched = fetch(points, start, count, batch);
        /* exercise { */
        for (uint i = 0; i < fetched; i++) {
            const float4 point = batch[i];
            const float dx = (float)x - point.x, dy = (float)y - point.y;
            const float turns = without_whole((dx * dx + dy * dy) * point.z);
            const float slope = 2.0f * point.z * dx;
            const float theta = TURN * turns, slope_theta = TURN * slope;
#pragma unroll
            for (uint j = 0; j < ACROSS; j++) {
                if (j < BY_POLYNOMIAL) {
                    const float here = fma((float)j, slope, turns);
                    const float there = fma((float)(j * j), point.z, here);
                    const float near = j == 0 ? turns : without_whole(there);
                    re[j] += cos_of(near * near);
                    im[j] = fma(near, sin_over_turns(near * near), im[j]);
                } else {
                    const float here = fma((float)j, slope_theta, theta);
                    const float there = fma((float)(j * j), point.w, here);
                    re[j] += native_cos(there);
                    im[j] += native_sin(there);
                }
            }
        }
        /* } exercise */
    }
#pragma unroll
    for (uint j = 0; j < ACROSS; j++)
        if (x + j < width && y < height)
            field[y * width + x + j] = (float2)(re[j], im[j]);
}

/* ---- From the field to the hologram ---- */

/* The angle of (re, im), in turns.  In one eighth of the circle, where a is at most 1,
 * a polynomial of a gives the angle; the others are its mirror images.  (Abramowitz and
 * Stegun, 4.4.49, divided by 2 pi: the error is at most 1.2e-5 radians.) */
INLINE float turns_of(float re, float im) {
    const float right = fabs(re), up = fabs(im);
    const float a = min(right, up) / max(max(right, up), FLT_MIN), square = a * a;
    float sum = 0.0208351f / TURN;
    sum = fma(sum, square, -0.0851330f / TURN);
    sum = fma(sum, square, 0.1801410f / TURN);
    sum = fma(sum, square, -0.3302995f / TURN);
    sum = fma(sum, square, 0.9998660f / TURN);
    const float eighth = a * sum;
    const float quarter = up > right ? 0.25f - eighth : eighth;
    const float half_turn = re < 0.0f ? 0.5f - quarter : quarter;
    return im < 0.0f ? -half_turn : half_turn;
}

/* What a hologram keeps of the light: its phase, in 256 steps, of which the last is the
 * first one's neighbour. */
kernel void hologram_phase(global const float2 *field, global uchar *phase, uint n) {
    const uint i = get_global_id(0);
    if (i < n) {
        const int level = convert_int_rte(256.0f * turns_of(field[i].x, field[i].y));
        phase[i] = (uchar)(level & 255);
    }
}

/* ---- For a CPU: 16 pixels in a vector, and no sine but the polynomials ---- */

#define LANES ((float16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15))

INLINE float16 without_whole(float16 turns) {
    return turns - ((turns + 0x1.8p23f) - 0x1.8p23f);
}

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

kernel void hologram_vectors(global const float4 *points, uint count,
                             global float2 *field, uint width, uint height) {
    const uint x = 16 * get_global_id(0), y = get_global_id(1);
    const float16 xs = (float)x + LANES;
    if (y < height) {
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
        for (uint j = 0; j < 16 && x + j < width; j++)
            field[y * width + x + j] = (float2)(all_re[j], all_im[j]);
    }
}

// lens: hologram_sines(out[items], rounds=64) --global 4096 --local 256
// lens: hologram_direct(points[count]=(40, 20, 0.0005, 0.00314, 90, 10, 0.0004, 0.00251), count=32, field[width * height], width=96, height=48) --global 96,48 --local 32,8
// lens: hologram_native(points[count]=(40, 20, 0.0005, 0.00314, 90, 10, 0.0004, 0.00251), count=32, field[width * height], width=96, height=48) --global 96,48 --local 32,8
// lens: hologram_turns(points[count]=(40, 20, 0.0005, 0.00314, 90, 10, 0.0004, 0.00251), count=32, field[width * height], width=96, height=48) --global 96,48 --local 32,8
// lens: hologram_local(points[count]=(40, 20, 0.0005, 0.00314, 90, 10, 0.0004, 0.00251), count=32, field[width * height], width=96, height=24) --global 96,24 --local 32,8
// lens: hologram_eight(points[count]=(40, 20, 0.0005, 0.00314, 90, 10, 0.0004, 0.00251), count=32, field[width * height], width=256, height=32) --global 32,32 --local 16,8
// lens: hologram_split(points[count]=(40, 20, 0.0005, 0.00314, 90, 10, 0.0004, 0.00251), count=32, field[width * height], width=256, height=32) --global 32,32 --local 16,8
// lens: hologram_phase(field[n], phase[n], n=4096) --global 4096 --local 64
// lens: hologram_vectors(points[count]=(40, 20, 0.0005, 0.00314, 90, 10, 0.0004, 0.00251), count=32, field[width * height], width=128, height=16) --global 8,16 --local 4,4
