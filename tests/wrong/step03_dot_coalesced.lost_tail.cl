/* Wrong on purpose: what no full round covers is forgotten. */
kernel void dot_coalesced(global const float *x, global const float *y,
                          global float *sums, uint n) {
    const uint item = get_global_id(0), items = get_global_size(0);
    const uint rounds = n / items;

    float sum = 0.0f;
    for (uint round = 0; round < rounds; round++) {
        const uint i = round * items + item;
        sum += x[i] * y[i];
    }
    sums[item] = sum;
}
