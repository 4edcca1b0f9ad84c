kernel void dot_coalesced(global const float *x, global const float *y,
                          global float *sums, uint n) {
    const uint item = get_global_id(0), items = get_global_size(0);

    float4 sum4 = 0.0f;
    for (uint i = item; i < n / 4; i += items)
        sum4 += vload4(i, x) * vload4(i, y);
    float sum = sum4.x + sum4.y + sum4.z + sum4.w;

    for (uint i = n / 4 * 4 + item; i < n; i += items)
        sum += x[i] * y[i];
    sums[item] = sum;
}
