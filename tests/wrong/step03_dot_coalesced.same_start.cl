/* Wrong on purpose: all work-items begin at element 0. */

/* The kernel of steps 01 and 02, to compare with. */
kernel void dot_single(global const float *x, global const float *y, global float *sum,
                       uint n) {
    float total = 0.0f;
    for (uint i = 0; i < n; i++)
        total += x[i] * y[i];
    *sum = total;
}

/* Neighbouring work-items take neighbouring elements.
 *
 * With 4 work-items and n = 10 there are two full rounds, and two elements are left:
 *
 *     element    0 1 2 3   4 5 6 7   8 9
 *     work-item  0 1 2 3   0 1 2 3   0 1
 */
kernel void dot_coalesced(global const float *x, global const float *y,
                          global float *sums, uint n) {
    const uint item = get_global_id(0), items = get_global_size(0);
    const uint rounds = n / items;

    float sum = 0.0f;
    uint i = 0;
    for (uint round = 0; round < rounds; round++, i += items)
        sum += x[i] * y[i];
    if (i < n) /* what no full round covers */
        sum += x[i] * y[i];
    sums[item] = sum;
}
