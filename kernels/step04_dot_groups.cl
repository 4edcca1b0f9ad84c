/* Step 04: the same dot product by more and more work-items, and with more loads in
 * flight for each of them. */

/* The kernel of step 03: neighbouring work-items read neighbouring elements. */
kernel void dot_groups(global const float *x, global const float *y, global float *sums,
                       uint n) {
    const uint item = get_global_id(0), items = get_global_size(0);

    float sum = 0.0f;
    for (uint i = item; i < n; i += items)
        sum += x[i] * y[i];
    sums[item] = sum;
}

/* Each work-item reads the same elements as above.  But the number of rounds is known
 * before the loop, so a compiler can issue the loads of several rounds before the first
 * addition. */
kernel void dot_groups_counted(global const float *x, global const float *y,
                               global float *sums, uint n) {
    const uint item = get_global_id(0), items = get_global_size(0);
    /* exercise { */
    const uint rounds = n / items;

    float sum = 0.0f;
    uint i = item;
    for (uint round = 0; round < rounds; round++, i += items)
        sum += x[i] * y[i];
    if (i < n) /* what no full round covers */
        sum += x[i] * y[i];
    /* } exercise */
    sums[item] = sum;
}

/* The rounds are counted, and each load brings 16 bytes: four elements at a time. */
kernel void dot_groups_float4(global const float4 *x, global const float4 *y,
                              global float *sums, uint n) {
    const uint item = get_global_id(0), items = get_global_size(0);
    const uint rounds = n / 4 / items;

    float4 sum4 = 0.0f;
    uint i = item;
    for (uint round = 0; round < rounds; round++, i += items)
        sum4 += x[i] * y[i];
    float sum = sum4.x + sum4.y + sum4.z + sum4.w;

    /* What no full round covers, one element at a time. */
    for (i = rounds * items * 4 + item; i < n; i += items)
        sum += ((global const float *)x)[i] * ((global const float *)y)[i];
    sums[item] = sum;
}

/* For the cores of a CPU: one contiguous block for each work-item, in vectors of 16. */
kernel void dot_groups_blocks(global const float *x, global const float *y,
                              global float *sums, uint n) {
    const uint item = get_global_id(0), items = get_global_size(0);
    const uint block = (n + items - 1) / items;
    const uint begin = min(item * block, n), end = min(begin + block, n);

    float16 sum16 = 0.0f;
    uint i = begin;
    for (; i + 16 <= end; i += 16)
        sum16 += vload16(0, x + i) * vload16(0, y + i);
    const float8 sum8 = sum16.lo + sum16.hi;
    const float4 sum4 = sum8.lo + sum8.hi;
    float sum = sum4.x + sum4.y + sum4.z + sum4.w;

    for (; i < end; i++) /* fewer than 16 are left */
        sum += x[i] * y[i];
    sums[item] = sum;
}

// lens: dot_groups(x[n], y[n], sums[items], n=65536) --global 4096 --local 256
// lens: dot_groups_counted(x[n], y[n], sums[items], n=65536) --global 4096 --local 256
// lens: dot_groups_float4(x[n / 4], y[n / 4], sums[items], n=65536) --global 4096 --local 256
// lens: dot_groups_blocks(x[n], y[n], sums[items], n=65536) --global 32 --local 32
