/* Wrong on purpose: side by side at the beginning, but each goes on by one element. */

/* As in step 04: in round r, work-item i reads element r * items + i. */
kernel void dot_side_by_side(global const float *x, global const float *y,
                             global float *sums, uint n) {
    const uint item = get_global_id(0), items = get_global_size(0);
    const uint rounds = n / items;

    float sum = 0.0f;
    uint i = item;
    for (uint round = 0; round < rounds; round++, i++)
        sum += x[i] * y[i];
    i = rounds * items + item;
    if (i < n) /* what no full round covers */
        sum += x[i] * y[i];
    sums[item] = sum;
}

/* In round r, work-item i reads element i * rounds + r. */
kernel void dot_own_chunk(global const float *x, global const float *y,
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

/* Neighbours read elements that are `stride` apart; what lies between is read later. */
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
