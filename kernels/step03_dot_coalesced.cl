/* Step 03: neighbouring work-items take neighbouring elements.
 *
 * With 4 work-items and n = 10 there are two full rounds, and two elements are left:
 *
 *     element    0 1 2 3   4 5 6 7   8 9
 *     work-item  0 1 2 3   0 1 2 3   0 1
 */
kernel void dot_coalesced(global const float *x, global const float *y,
                          global float *sums, uint n) {
    const uint item = get_global_id(0), items = get_global_size(0);
    const uint rounds = n / items, left = n % items;

    float sum = 0.0f;
    for (uint round = 0; round < rounds; round++) {
        const uint i = round * items + item;
        sum += x[i] * y[i];
    }
    if (item < left)
        sum += x[rounds * items + item] * y[rounds * items + item];
    sums[item] = sum;
}
