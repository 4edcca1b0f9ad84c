/* Step 08b: six sums that differ in their additions only.  All kernels read x in the
 * same way, and all work-items leave 8 bytes.
 *
 * Each bit is compared with the host's, so the compiler may not contract or reorder
 * anything here: by the rules of algebra y - ((sum + y) - sum) is 0, and with floats it
 * is what rounding has cut off. */
#pragma OPENCL FP_CONTRACT OFF

/* A plain sum, for comparison. */
kernel void sum_plain(global const float *x, global float2 *sums, uint n) {
    const uint item = get_global_id(0), items = get_global_size(0);
    const uint rounds = n / items;

    float sum = 0.0f;
    uint i = item;
    for (uint round = 0; round < rounds; round++, i += items)
        sum += x[i];
    if (i < n) /* what no full round covers */
        sum += x[i];
    sums[item] = (float2)(sum, 0.0f);
}

/* In a float2, .x is the sum and .y the rest: what rounding has cut off.
 *
 * Kahan, 1965: the rest is added to the next element, and both then to the sum. */
float2 kahan_add(float2 sum, float x) {
    const float y = x + sum.y, total = sum.x + y;
    return (float2)(total, y - (total - sum.x));
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

/* exercise { */
/* Neumaier, 1974: the smaller number has lost digits, and the rest is kept apart. */
float2 neumaier_add(float2 sum, float x) {
    const float total = sum.x + x;
    const float lost =
        fabs(sum.x) >= fabs(x) ? (sum.x - total) + x : (x - total) + sum.x;
    return (float2)(total, sum.y + lost);
}
/* } exercise */

kernel void sum_neumaier(global const float *x, global float2 *sums, uint n) {
    const uint item = get_global_id(0), items = get_global_size(0);
    const uint rounds = n / items;

    float2 sum = 0.0f;
    uint i = item;
    for (uint round = 0; round < rounds; round++, i += items)
        sum = neumaier_add(sum, x[i]);
    if (i < n) /* what no full round covers */
        sum = neumaier_add(sum, x[i]);
    sums[item] = sum;
}

/* Double-float: two-sum (Knuth, The Art of Computer Programming 2, 4.2.2) finds what is
 * lost without a comparison.  Then the rest is made small beside the sum again, so that
 * both together are one number of about 48 bits. */
float2 double_float_add(float2 sum, float x) {
    const float total = sum.x + x, part = total - sum.x;
    const float lost = (sum.x - (total - part)) + (x - part);
    const float rest = sum.y + lost, both = total + rest;
    return (float2)(both, rest - (both - total));
}

kernel void sum_double_float(global const float *x, global float2 *sums, uint n) {
    const uint item = get_global_id(0), items = get_global_size(0);
    const uint rounds = n / items;

    float2 sum = 0.0f;
    uint i = item;
    for (uint round = 0; round < rounds; round++, i += items)
        sum = double_float_add(sum, x[i]);
    if (i < n) /* what no full round covers */
        sum = double_float_add(sum, x[i]);
    sums[item] = sum;
}

/* Fixed point: whole multiples of 2^-24, whose sum is exact.  A long holds sums below
 * 2^39; finer digits of an element, if it had any, would be lost here. */
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
    if (i < n) /* what no full round covers */
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
    if (i < n) /* what no full round covers */
        sum += x[i];
    sums[item] = sum;
}
#endif

// lens: sum_plain(x[n], sums[items], n=65536) --global 4096 --local 256
// lens: sum_kahan(x[n], sums[items], n=65536) --global 4096 --local 256
// lens: sum_neumaier(x[n], sums[items], n=65536) --global 4096 --local 256
// lens: sum_double_float(x[n], sums[items], n=65536) --global 4096 --local 256
// lens: sum_fixed(x[n], sums[items], n=65536) --global 4096 --local 256
// lens: sum_double(x[n], sums[items], n=65536) --global 4096 --local 256
