/* Step 05: the same elements, read by neighbours next to each other or far apart.
 *
 * Which of n = 16 elements 4 work-items read in the first round:
 *
 *     coalesced     [ 0][ 1][ 2][ 3]  4   5   6   7   8   9  10  11  12  13  14  15
 *     stride 2      [ 0]  1 [ 2]  3 [ 4]  5 [ 6]  7   8   9  10  11  12  13  14  15
 *     contiguous    [ 0]  1   2   3 [ 4]  5   6   7 [ 8]  9  10  11 [12] 13  14  15
 */

/* In round r, work-item i reads element r * items + i. */
kernel void dot_coalesced(global const float *x, global const float *y,
                          global float *sums, uint n) {
    const uint item = get_global_id(0), items = get_global_size(0);
    const uint rounds = n / items;

    /* exercise { */
    float sum = 0.0f;
    uint i = item;
    for (uint round = 0; round < rounds; round++, i += items)
        sum += x[i] * y[i];
    /* } exercise */
    if (i < n) /* what no full round covers */
        sum += x[i] * y[i];
    sums[item] = sum;
}

/* Every work-item has one contiguous chunk: in round r, work-item i reads element
 * i * rounds + r. */
kernel void dot_contiguous(global const float *x, global const float *y,
                           global float *sums, uint n) {
    const uint item = get_global_id(0), items = get_global_size(0);
    const uint rounds = n / items;

    float sum = 0.0f;
    uint i = item * rounds;
    for (uint round = 0; round < rounds; round++, i++)
        sum += x[i] * y[i];
    i = rounds * items + item;
    if (i < n) /* what no chunk covers */
        sum += x[i] * y[i];
    sums[item] = sum;
}

/* Neighbours read elements that are `stride` apart.  The elements in between follow in
 * later rounds: first come 0, stride, 2 * stride ..., then 1, stride + 1 ... */
kernel void dot_strided(global const float *x, global const float *y,
                        global float *sums, uint n, uint stride) {
    const uint item = get_global_id(0), items = get_global_size(0);
    const uint rounds = n / (items * stride);

    float sum = 0.0f;
    for (uint first = 0; first < stride; first++) {
        uint i = item * stride + first;
        for (uint round = 0; round < rounds; round++, i += items * stride)
            sum += x[i] * y[i];
    }
    for (uint i = rounds * items * stride + item; i < n; i += items)
        sum += x[i] * y[i]; /* what no full round covers */
    sums[item] = sum;
}

// lens: dot_coalesced(x[n], y[n], sums[items], n=65536) --global 4096 --local 256
// lens: dot_contiguous(x[n], y[n], sums[items], n=65536) --global 4096 --local 256
// lens: dot_strided(x[n], y[n], sums[items], n=65536, stride=8) --global 4096 --local 256
