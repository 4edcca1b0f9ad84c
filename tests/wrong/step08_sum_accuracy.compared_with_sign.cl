/* Wrong on purpose: the larger one is looked for by >=, and -8 is less than 1. */
#pragma OPENCL FP_CONTRACT OFF

enum { LANES = 32, ITEMS = 256, SHARE = 1024 };

/* ---- Plain floats: a pass leaves one sum of each SHARE elements, or of all. */

/* One after another. */
kernel void sum_single(global const float *x, global float *sums, uint n) {
    float sum = 0.0f;
    for (uint i = 0; i < n; i++)
        sum += x[i];
    *sums = sum;
}

/* Stage 1: each of 32 work-items adds 32 elements.  Stage 2: the 32 sums.  All get the
 * result; stage 3, to add the groups' sums, is another launch. */
static inline __attribute__((always_inline)) float
group_sum(global const float *x, uint n, local float *stage) {
    const uint lane = get_local_id(0), first = get_group_id(0) * SHARE;
    const uint end = min(first + SHARE, n);

    float sum = 0.0f;
    for (uint i = first + lane; i < end; i += LANES)
        sum += x[i];
    stage[lane] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);

    sum = 0.0f;
    for (uint i = 0; i < LANES; i++)
        sum += stage[i];
    return sum;
}

kernel void sum_stages(global const float *x, global float *sums, uint n) {
    local float stage[LANES];
    const float sum = group_sum(x, n, stage);
    if (get_local_id(0) == 0)
        sums[get_group_id(0)] = sum;
}

float or_zero(global const float *x, uint i, uint n) {
    return i < n ? x[i] : 0.0f;
}

/* Two by two: 1024 elements are 512 sums, then 256, 128 ... 1.  To add 0 is exact. */
kernel void sum_tree(global const float *x, global float *sums, uint n) {
    local float tree[ITEMS];
    const uint item = get_local_id(0), group = get_group_id(0);
    const uint i = group * SHARE + item;

    tree[item] = (or_zero(x, i, n) + or_zero(x, i + 512, n)) +
                 (or_zero(x, i + 256, n) + or_zero(x, i + 768, n));
    for (uint width = ITEMS / 2; width > 0; width /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (item < width)
            tree[item] += tree[item + width];
    }
    if (item == 0)
        sums[group] = tree[0];
}

/* ---- With care: side by side as in step 04, but each work-item keeps 8 bytes.  In a
 * float2, .x is the sum and .y the rest: what rounding has taken from it. */

/* Kahan 1965.  The rest goes into the next element before that is added. */
float2 kahan_add(float2 sum, float x) {
    const float y = x + sum.y, total = sum.x + y;
    return (float2)(total, y - (total - sum.x));
}

/* Neumaier 1974.  The rest is kept apart; the smaller of the two has lost digits. */
float2 neumaier_add(float2 sum, float x) {
    const float total = sum.x + x;
    const float lost =
        sum.x >= x ? (sum.x - total) + x : (x - total) + sum.x;
    return (float2)(total, sum.y + lost);
}

/* Two-sum (Knuth, TAOCP 2, 4.2.2; Ogita, Rump, Oishi 2005) finds the same without a
 * comparison.  Then the rest is made small beside the sum again: together they are one
 * number of 48 bits. */
float2 pair_add(float2 sum, float x) {
    const float total = sum.x + x, part = total - sum.x;
    const float lost = (sum.x - (total - part)) + (x - part);
    const float rest = sum.y + lost, both = total + rest;
    return (float2)(both, rest - (both - total));
}

kernel void sum_kahan(global const float *x, global float2 *sums, uint n) {
    const uint item = get_global_id(0), items = get_global_size(0);
    const uint rounds = n / items;

    float2 sum = 0.0f;
    uint i = item;
    for (uint round = 0; round < rounds; round++, i += items)
        sum = kahan_add(sum, x[i]);
    if (i < n) /* what no full round covers */
        sum = kahan_add(sum, x[i]);
    sums[item] = sum;
}

kernel void sum_neumaier(global const float *x, global float2 *sums, uint n) {
    const uint item = get_global_id(0), items = get_global_size(0);
    const uint rounds = n / items;

    float2 sum = 0.0f;
    uint i = item;
    for (uint round = 0; round < rounds; round++, i += items)
        sum = neumaier_add(sum, x[i]);
    if (i < n)
        sum = neumaier_add(sum, x[i]);
    sums[item] = sum;
}

kernel void sum_pairs(global const float *x, global float2 *sums, uint n) {
    const uint item = get_global_id(0), items = get_global_size(0);
    const uint rounds = n / items;

    float2 sum = 0.0f;
    uint i = item;
    for (uint round = 0; round < rounds; round++, i += items)
        sum = pair_add(sum, x[i]);
    if (i < n)
        sum = pair_add(sum, x[i]);
    sums[item] = sum;
}

/* In whole numbers of 2^-24.  A long has room for sums up to 2^39; finer digits of an
 * element, if it had any, would be lost here, the same ones in every order. */
long fixed_point(float x) {
    return (long)(x * 16777216.0f);
}

kernel void sum_fixed(global const float *x, global long *sums, uint n) {
    const uint item = get_global_id(0), items = get_global_size(0);
    const uint rounds = n / items;

    long sum = 0;
    uint i = item;
    for (uint round = 0; round < rounds; round++, i += items)
        sum += fixed_point(x[i]);
    if (i < n)
        sum += fixed_point(x[i]);
    sums[item] = sum;
}

#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
kernel void sum_double(global const float *x, global double *sums, uint n) {
    const uint item = get_global_id(0), items = get_global_size(0);
    const uint rounds = n / items;

    double sum = 0.0;
    uint i = item;
    for (uint round = 0; round < rounds; round++, i += items)
        sum += x[i];
    if (i < n)
        sum += x[i];
    sums[item] = sum;
}
#endif

/* ---- In any order: whoever is ready adds to one cell.  No second launch is needed. */

/* Floats.  If somebody came between reading and writing the cell, try again. */
kernel void sum_any_order(global const float *x, volatile global float *cell, uint n) {
    local float stage[LANES];
    const float sum = group_sum(x, n, stage);
    if (get_local_id(0) > 0)
        return;

    volatile global uint *bits = (volatile global uint *)cell;
    uint old;
    do
        old = *bits;
    while (atomic_cmpxchg(bits, old, as_uint(as_float(old) + sum)) != old);
}

/* Whole numbers of 64 bits, in two words: when the low one wraps, it carries 1. */
kernel void sum_fixed_any_order(global const float *x, volatile global uint *cell,
                                uint n) {
    const uint items = get_global_size(0);
    long sum = 0;
    for (uint i = get_global_id(0); i < n; i += items)
        sum += fixed_point(x[i]);

    const uint low = (uint)sum, high = (uint)(sum >> 32);
    const uint old = atomic_add(&cell[0], low);
    const uint carry = old + low < old ? 1 : 0;
    atomic_add(&cell[1], high + carry);
}
