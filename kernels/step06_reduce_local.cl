/* Step 06: the work-items of a group add up their values in local memory.
 *
 * Which of 8 work-items add in each round, and where (3>6: work-item 3 adds into t[6]):
 *
 *     interleaved, divergent   0>0 2>2 4>4 6>6    0>0 4>4    0>0
 *     interleaved, dense       0>0 1>2 2>4 3>6    0>0 1>4    0>0
 *     sequential               0>0 1>1 2>2 3>3    0>0 1>1    0>0
 *
 * A function that receives a pointer to local memory is inlined here.  Otherwise, if
 * only one kernel calls it, PoCL 3.1 lets all groups share that memory. */
#define INLINE static inline __attribute__((always_inline))

/* Neighbours in pairs, then pairs of pairs.  From round to round the work-items that
 * add are farther apart, and the lanes between them wait. */
kernel void reduce_local_divergent(global const float *x, global float *sums,
                                   local float *t, uint n) {
    const uint id = get_local_id(0), size = get_local_size(0);
    const uint item = get_global_id(0);

    t[id] = item < n ? x[item] : 0.0f;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint far = 1; far < size; far *= 2) {
        if (id % (2 * far) == 0 && id + far < size)
            t[id] += t[id + far];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (id == 0)
        sums[get_group_id(0)] = t[0];
}

/* The same pairs, but the first work-items add them, so that most warps have work for
 * all their lanes or for none.  Now the places that neighbours read are far apart. */
kernel void reduce_local_dense(global const float *x, global float *sums,
                               local float *t, uint n) {
    const uint id = get_local_id(0), size = get_local_size(0);
    const uint item = get_global_id(0);

    t[id] = item < n ? x[item] : 0.0f;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint far = 1; far < size; far *= 2) {
        const uint i = 2 * far * id;
        if (i + far < size)
            t[i] += t[i + far];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (id == 0)
        sums[get_group_id(0)] = t[0];
}

/* Other pairs: the upper half of the values is added to the lower half, so that
 * neighbours read and write neighbouring places.  All kernels below use this tree:
 * every work-item gives it one value, and work-item 0 receives the sum. */
INLINE float group_sum(local float *t, float mine) {
    const uint id = get_local_id(0), size = get_local_size(0);

    t[id] = mine;
    /* exercise { */
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint rest = size; rest > 1;) {
        const uint lower = (rest + 1) / 2; /* an odd one out stays where it is */
        if (id + lower < rest)
            t[id] += t[id + lower];
        rest = lower;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    /* } exercise */
    return t[0];
}

kernel void reduce_local_sequential(global const float *x, global float *sums,
                                    local float *t, uint n) {
    const uint item = get_global_id(0);

    const float sum = group_sum(t, item < n ? x[item] : 0.0f);
    if (get_local_id(0) == 0)
        sums[get_group_id(0)] = sum;
}

/* Half of the work-items add nothing, not even in the first round.  So each work-item
 * adds up two elements before the tree begins, and half as many groups are enough. */
kernel void reduce_local_two(global const float *x, global float *sums, local float *t,
                             uint n) {
    const uint id = get_local_id(0), size = get_local_size(0);
    const uint a = get_group_id(0) * 2 * size + id, b = a + size;

    const float sum = group_sum(t, (a < n ? x[a] : 0.0f) + (b < n ? x[b] : 0.0f));
    if (id == 0)
        sums[get_group_id(0)] = sum;
}

/* The same with many elements: first every work-item adds up its share, in coalesced
 * loads, and then there is one tree for thousands of elements. */
kernel void reduce_local_many(global const float *x, global float *sums, local float *t,
                              uint n) {
    float own = 0.0f;
    for (uint i = get_global_id(0); i < n; i += get_global_size(0))
        own += x[i];

    const float sum = group_sum(t, own);
    if (get_local_id(0) == 0)
        sums[get_group_id(0)] = sum;
}

/* The same with four loads of 16 bytes in flight: a group takes tile after tile, and of
 * each tile a work-item adds up a column of four float4. */
INLINE float own_sum(global const float4 *x, uint n) {
    const uint row = get_local_size(0), tile = 4 * row, tiles = n / 4 / tile;

    float4 sum4 = 0.0f;
    for (uint k = get_group_id(0); k < tiles; k += get_num_groups(0)) {
        const uint i = k * tile + get_local_id(0);
        sum4 += (x[i] + x[i + row]) + (x[i + 2 * row] + x[i + 3 * row]);
    }
    float sum = sum4.x + sum4.y + sum4.z + sum4.w;

    uint i = tiles * tile * 4 + get_global_id(0);
    for (; i < n; i += get_global_size(0)) /* what no tile covers */
        sum += ((global const float *)x)[i];
    return sum;
}

kernel void reduce_local_in_flight(global const float4 *x, global float *sums,
                                   local float *t, uint n) {
    const float sum = group_sum(t, own_sum(x, n));
    if (get_local_id(0) == 0)
        sums[get_group_id(0)] = sum;
}

// lens: reduce_local_divergent(x[n], sums[groups], t[local], n=4096) --global 4096 --local 256
// lens: reduce_local_dense(x[n], sums[groups], t[local], n=4096) --global 4096 --local 256
// lens: reduce_local_sequential(x[n], sums[groups], t[local], n=4096) --global 4096 --local 256
// lens: reduce_local_two(x[n], sums[groups], t[local], n=8192) --global 4096 --local 256
// lens: reduce_local_many(x[n], sums[groups], t[local], n=65536) --global 4096 --local 256
// lens: reduce_local_in_flight(x[n / 4], sums[groups], t[local], n=65536) --global 4096 --local 256
