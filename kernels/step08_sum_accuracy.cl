/* Step 08: one sum in three orders.
 *
 * Each bit is compared with the host's, so the compiler may not contract or reorder
 * anything here: (a + b) + c and a + (b + c) are different floats, and this step is
 * about that. */
#pragma OPENCL FP_CONTRACT OFF

enum { LANES = 32, SHARE = 1024 };

/* One after another: a chain of n - 1 additions. */
kernel void sum_single(global const float *x, global float *sums, uint n) {
    float sum = 0.0f;
    for (uint i = 0; i < n; i++)
        sum += x[i];
    *sums = sum;
}

/* Blocked: each of 32 work-items adds 32 of its group's 1024 elements, and then
 * work-item 0 adds the 32 sums.  The longest chain has 31 + 31 additions. */
kernel void sum_blocked(global const float *x, global float *sums, uint n) {
    local float lane_sums[LANES];
    const uint lane = get_local_id(0), group = get_group_id(0);
    const uint first = group * SHARE, end = min(first + SHARE, n);

    float sum = 0.0f;
    for (uint i = first + lane; i < end; i += LANES)
        sum += x[i];
    lane_sums[lane] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);

    if (lane == 0) {
        sum = 0.0f;
        for (uint i = 0; i < LANES; i++)
            sum += lane_sums[i];
        sums[group] = sum;
    }
}

/* Pairwise: the upper half of the 1024 elements is added to the lower half, then the
 * upper half of these 512 sums to the lower half, and so on.  The longest chain has 10
 * additions.  Adding 0 rounds nothing, so a missing element counts as 0. */
kernel void sum_pairwise(global const float *x, global float *sums, uint n) {
    local float tree[SHARE];
    const uint item = get_local_id(0), items = get_local_size(0);
    const uint group = get_group_id(0), first = group * SHARE;

    for (uint i = item; i < SHARE; i += items)
        tree[i] = first + i < n ? x[first + i] : 0.0f;

    /* exercise { */
    for (uint width = SHARE / 2; width > 0; width /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint i = item; i < width; i += items)
            tree[i] += tree[i + width];
    }
    /* } exercise */
    if (item == 0)
        sums[group] = tree[0];
}

// lens: sum_single(x[n], sums[1], n=4096) --global 1
// lens: sum_blocked(x[n], sums[groups], n=4096) --global 128 --local 32
// lens: sum_pairwise(x[n], sums[groups], n=4096) --global 128 --local 32
