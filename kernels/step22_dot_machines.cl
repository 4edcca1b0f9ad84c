/* Step 22: the dot product of one rank's share.  Each group leaves one sum, and the
 * host adds up the sums of all groups, before MPI adds up the sums of all ranks.
 *
 * Nothing here knows of ranks: a kernel sees the memory of its own device, in which the
 * share begins at x[0] and y[0].
 *
 * A function that receives a pointer to local memory is inlined here.  Otherwise, if
 * only one kernel calls it, PoCL 3.1 lets all groups share that memory. */
#define INLINE static inline __attribute__((always_inline))

/* As in step 06: what one work-item adds up.  A group takes tile after tile, and of
 * each tile a work-item has two float4 of x and the two of y that belong to them. */
INLINE float own_sum(global const float4 *x, global const float4 *y, uint n) {
    const uint row = get_local_size(0), tile = 2 * row, tiles = n / 4 / tile;

    float4 sum4 = 0.0f;
    for (uint k = get_group_id(0); k < tiles; k += get_num_groups(0)) {
        const uint i = k * tile + get_local_id(0);
        sum4 += x[i] * y[i] + x[i + row] * y[i + row];
    }
    float sum = sum4.x + sum4.y + sum4.z + sum4.w;

    uint i = tiles * tile * 4 + get_global_id(0);
    for (; i < n; i += get_global_size(0)) /* what no tile covers */
        sum += ((global const float *)x)[i] * ((global const float *)y)[i];
    return sum;
}

/* The tree of step 06: work-item 0 receives the sum of all that the group has. */
INLINE float group_sum(local float *t, float mine) {
    const uint id = get_local_id(0);

    t[id] = mine;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint rest = get_local_size(0); rest > 1;) {
        const uint lower = (rest + 1) / 2; /* an odd one out stays where it is */
        if (id + lower < rest)
            t[id] += t[id + lower];
        rest = lower;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    return t[0];
}

kernel void dot_machines(global const float4 *x, global const float4 *y,
                         global float *sums, local float *t, uint n) {
    const float sum = group_sum(t, own_sum(x, y, n));
    if (get_local_id(0) == 0)
        sums[get_group_id(0)] = sum;
}

// lens: dot_machines(x[n / 4], y[n / 4], sums[groups], t[local], n=65536) --global 4096 --local 256
