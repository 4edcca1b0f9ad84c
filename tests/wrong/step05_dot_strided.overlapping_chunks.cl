/* Wrong on purpose: chunks begin one element too early. */
/* As in step 04: in round r, work-item i reads element r * items + i. */
kernel void dot_side_by_side(global const float *x, global const float *y,
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

/* In round r, work-item i reads element i * chunk + r. */
kernel void dot_own_chunk(global const float *x, global const float *y,
                          global float *sums, uint n) {
    const uint item = get_global_id(0), items = get_global_size(0);
    const uint rounds = n / items, left = n % items;

    float sum = 0.0f;
    for (uint round = 0; round < rounds; round++) {
        const uint i = max(item * rounds, 1u) - 1 + round;
        sum += x[i] * y[i];
    }
    if (item < left)
        sum += x[rounds * items + item] * y[rounds * items + item];
    sums[item] = sum;
}

/* Neighbours read elements that are `stride` apart; what lies between is read later. */
kernel void dot_strided(global const float *x, global const float *y,
                        global float *sums, uint n, uint stride) {
    const uint item = get_global_id(0), items = get_global_size(0);
    const uint rounds = n / (items * stride);

    float sum = 0.0f;
    for (uint first = 0; first < stride; first++)
        for (uint round = 0; round < rounds; round++) {
            const uint i = (round * items + item) * stride + first;
            sum += x[i] * y[i];
        }

    /* What no full round covers, side by side. */
    for (uint i = rounds * items * stride + item; i < n; i += items)
        sum += x[i] * y[i];
    sums[item] = sum;
}
