/* Step 03: one work-item, and 32 side by side. */

/* The kernel of steps 01 and 02, to compare with. */
kernel void dot_single(global const float *x, global const float *y, global float *sum,
                       uint n) {
    float total = 0.0f;
    for (uint i = 0; i < n; i++)
        total += x[i] * y[i];
    *sum = total;
}

/* Neighbouring work-items read neighbouring elements, and then all of them go on by as
 * many elements as there are work-items: a grid-stride loop.
 *
 * With 4 work-items and n = 10:
 *
 *     element    0 1 2 3   4 5 6 7   8 9
 *     work-item  0 1 2 3   0 1 2 3   0 1
 */
kernel void dot_coalesced(global const float *x, global const float *y,
                          global float *sums, uint n) {
    const uint item = get_global_id(0), items = get_global_size(0);
    /* exercise { */
    float sum = 0.0f;
    for (uint i = item; i < n; i += items)
        sum += x[i] * y[i];
    /* } exercise */
    sums[item] = sum;
}

// lens: dot_single(x[n], y[n], sum[1], n=4096) --global 1
// lens: dot_coalesced(x[n], y[n], sums[items], n=4096) --global 32 --local 32
