/* Step 06: the work-items of a group add up their values in local memory.
 *
 * Which of 8 work-items add in each round, and where (3>2: item 3 adds into t[2]):
 *
 *     interleaved, divergent   0>0 2>2 4>4 6>6    0>0 4>4    0>0
 *     interleaved, dense       0>0 1>2 2>4 3>6    0>0 1>4    0>0
 *     sequential               0>0 1>1 2>2 3>3    0>0 1>1    0>0
 *
 * A function that receives a kernel's local variable must be inlined: without that, and
 * called by one kernel alone, PoCL 3.1 lets all groups share the variable. */
#define INLINE static inline __attribute__((always_inline))

/* Neighbours in pairs, then pairs of pairs.  From round to round those that add lie
 * farther apart; between them the others wait. */
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

/* The same pairs, but the first work-items take them: whole SIMD groups have work, or
 * none.  Now neighbours read and write far apart. */
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

/* Other pairs: the upper half is added to the lower half, side by side. */
kernel void reduce_local_sequential(global const float *x, global float *sums,
                                    local float *t, uint n) {
    const uint id = get_local_id(0), size = get_local_size(0);
    const uint item = get_global_id(0);

    t[id] = item < n ? x[item] : 0.0f;
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
    if (id == 0)
        sums[get_group_id(0)] = t[0];
}

/* That tree, from here on: work-item 0 receives the sum of what all brought. */
INLINE float group_sum(local float *t, float mine) {
    const uint id = get_local_id(0);

    t[id] = mine;
    /* exercise { */
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint rest = get_local_size(0); rest > 1;) {
        const uint lower = (rest + 1) / 2;
        if (id + lower < rest)
            t[id] += t[id + lower];
        rest = lower;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    /* } exercise */
    return t[0];
}

/* Half of the work-items had nothing to do from the first round on: give them work
 * before it. */
kernel void reduce_local_two_loads(global const float *x, global float *sums,
                                   local float *t, uint n) {
    const uint id = get_local_id(0), size = get_local_size(0);
    const uint a = get_group_id(0) * 2 * size + id, b = a + size;

    const float sum = group_sum(t, (a < n ? x[a] : 0.0f) + (b < n ? x[b] : 0.0f));
    if (id == 0)
        sums[get_group_id(0)] = sum;
}

/* What one work-item sums up alone.  A group takes tile after tile; of each, an item
 * adds up a column of four float4: four loads of 16 bytes are under way at once. */
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

/* No more work-items than the device holds at once, each with many elements: one tree
 * for thousands of them. */
kernel void reduce_local_many(global const float4 *x, global float *sums,
                              local float *t, uint n) {
    const float sum = group_sum(t, own_sum(x, n));
    if (get_local_id(0) == 0)
        sums[get_group_id(0)] = sum;
}

/* The last group to finish adds up what all have left in `sums`.  How does it know that
 * it is the last?  Each group first writes its sum, then takes a number; the fences
 * keep that order (as in NVIDIA's CUDA sample threadFenceReduction). */
INLINE void finish(float sum, volatile global float *sums,
                   volatile global uint *finished, global float *result,
                   local float *t, local uint *last) {
    const uint id = get_local_id(0), groups = get_num_groups(0);

    if (id == 0) {
        sums[get_group_id(0)] = sum;
        write_mem_fence(CLK_GLOBAL_MEM_FENCE);
        *last = atomic_inc(finished) == groups - 1;
        read_mem_fence(CLK_GLOBAL_MEM_FENCE);
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (*last) {
        float rest = 0.0f;
        for (uint i = id; i < groups; i += get_local_size(0))
            rest += sums[i];
        rest = group_sum(t, rest);
        if (id == 0) {
            *result = rest;
            *finished = 0; /* for the next launch */
        }
    }
}

kernel void reduce_local_one_launch(global const float4 *x, volatile global float *sums,
                                    volatile global uint *finished,
                                    global float *result, local float *t, uint n) {
    local uint last;
    const float sum = group_sum(t, own_sum(x, n));
    finish(sum, sums, finished, result, t, &last);
}

/* The dot product of steps 01 to 05, to the end; of each vector, two rows to a tile. */
kernel void reduce_local_dot(global const float4 *x, global const float4 *y,
                             volatile global float *sums,
                             volatile global uint *finished, global float *result,
                             local float *t, uint n) {
    local uint last;
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
    finish(group_sum(t, sum), sums, finished, result, t, &last);
}

/* What a CPU core likes: a group of one with a long block of its own, as in step 04. */
kernel void reduce_local_blocks(global const float *x, volatile global float *sums,
                                volatile global uint *finished, global float *result,
                                local float *t, uint n) {
    local uint last;
    const uint item = get_global_id(0), items = get_global_size(0);
    const uint block = (n + items - 1) / items;
    const uint begin = min(item * block, n), end = min(begin + block, n);

    float16 sum16 = 0.0f;
    uint i = begin;
    for (; i + 16 <= end; i += 16)
        sum16 += vload16(0, x + i);
    const float8 sum8 = sum16.lo + sum16.hi;
    const float4 sum4 = sum8.lo + sum8.hi;
    float sum = sum4.x + sum4.y + sum4.z + sum4.w;
    for (; i < end; i++) /* fewer than 16 are left */
        sum += x[i];
    finish(sum, sums, finished, result, t, &last);
}
