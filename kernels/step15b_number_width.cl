/* Step 15b: a sum of squares, of numbers that have 2, 4 or 8 bytes.
 *
 * What a sector of 32 bytes holds, and how many binary digits each number has:
 *
 *     half    16 numbers    [][][][][][][][][][][][][][][][]    11
 *     float    8 numbers    [  ][  ][  ][  ][  ][  ][  ][  ]    24
 *     double   4 numbers    [      ][      ][      ][      ]    53
 *
 * Each sum is compared with the host's, bit by bit.  fma() leaves no choice: it rounds
 * once, after the addition. */

/* Stores floats as halves, each rounded to the nearest one.  Every OpenCL device can do
 * that; half arithmetic is an extension. */
kernel void narrow(global const float *x, global half *halves, uint n) {
    const uint i = get_global_id(0);
    if (i < n)
        vstore_half(x[i], i, halves);
}

float add_square(float sum, float x) {
    return fma(x, x, sum);
}

/* What is left of a float that was stored as a half. */
float rounded_to_half(float x) {
    ushort bits;
    vstore_half(x, 0, (half *)&bits);
    return vload_half(0, (const half *)&bits);
}

/* Two bytes in memory, but a float as soon as it is loaded. */
kernel void squares_half(global const half *x, global float *sums, uint n) {
    const uint item = get_global_id(0), items = get_global_size(0);
    const uint rounds = n / items;

    /* exercise { */
    float sum = 0.0f;
    uint i = item;
    for (uint round = 0; round < rounds; round++, i += items)
        sum = add_square(sum, vload_half(i, x));
    if (i < n) /* what no full round covers */
        sum = add_square(sum, vload_half(i, x));
    sums[item] = sum;
    /* } exercise */
}

kernel void squares_float(global const float *x, global float *sums, uint n) {
    const uint item = get_global_id(0), items = get_global_size(0);
    const uint rounds = n / items;

    float sum = 0.0f;
    uint i = item;
    for (uint round = 0; round < rounds; round++, i += items)
        sum = add_square(sum, x[i]);
    if (i < n)
        sum = add_square(sum, x[i]);
    sums[item] = sum;
}

#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
kernel void squares_double(global const double *x, global double *sums, uint n) {
    const uint item = get_global_id(0), items = get_global_size(0);
    const uint rounds = n / items;

    double sum = 0.0;
    uint i = item;
    for (uint round = 0; round < rounds; round++, i += items)
        sum = fma(x[i], x[i], sum);
    if (i < n)
        sum = fma(x[i], x[i], sum);
    sums[item] = sum;
}
#endif

/* The first and the second half of four bytes. */
float add_pair(float sum, uint pair) {
    sum = add_square(sum, vload_half(0, (const half *)&pair));
    return add_square(sum, vload_half(1, (const half *)&pair));
}

/* As squares_half, but a load brings two neighbouring halves. */
kernel void squares_half_pairs(global const uint *pairs, global float *sums, uint n) {
    const uint item = get_global_id(0), items = get_global_size(0);
    const uint rounds = n / 2 / items;

    float sum = 0.0f;
    uint i = item;
    for (uint round = 0; round < rounds; round++, i += items)
        sum = add_pair(sum, pairs[i]);
    /* What no full round covers, one number at a time. */
    for (i = rounds * items * 2 + item; i < n; i += items)
        sum = add_square(sum, vload_half(i, (global const half *)pairs));
    sums[item] = sum;
}

/* ---- For one work-item: a sum that is a half, too, and a sum in the other order. */

kernel void half_sum(global const half *x, global float *sums, uint n) {
    float sum = 0.0f;
    for (uint i = 0; i < n; i++)
        sum = rounded_to_half(add_square(sum, vload_half(i, x)));
    *sums = sum;
}

kernel void float_backwards(global const float *x, global float *sums, uint n) {
    float sum = 0.0f;
    for (uint i = n; i > 0; i--)
        sum = add_square(sum, x[i - 1]);
    *sums = sum;
}

/* ---- For devices that compute with halves, which is an extension. */

#ifdef cl_khr_fp16
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma OPENCL FP_CONTRACT OFF
/* Half arithmetic: both the product and the sum are rounded to a half. */
kernel void squares_in_half(global const half *x, global half *sums, uint n) {
    const uint item = get_global_id(0), items = get_global_size(0);
    const uint rounds = n / items;

    half sum = 0;
    uint i = item;
    for (uint round = 0; round < rounds; round++, i += items)
        sum += x[i] * x[i];
    if (i < n)
        sum += x[i] * x[i];
    sums[item] = sum;
}
#endif

// lens: narrow(x[n], halves[n], n=4096) --global 4096 --local 256
// lens: squares_half(x[n], sums[items], n=65536) --global 4096 --local 256
// lens: squares_float(x[n], sums[items], n=65536) --global 4096 --local 256
// lens: squares_double(x[n], sums[items], n=65536) --global 4096 --local 256
// lens: squares_half_pairs(pairs[n / 2]=1006648320, sums[items], n=65536) --global 4096 --local 256
// lens: half_sum(x[n], sums[1], n=4096) --global 1
// lens: float_backwards(x[n], sums[1], n=4096) --global 1
// lens: squares_in_half(x[n], sums[items], n=65536) --global 4096 --local 256
