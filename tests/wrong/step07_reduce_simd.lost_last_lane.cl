/* Wrong on purpose: the last lane of each SIMD group keeps its value to itself. */

/* Step 07: the lanes of a SIMD group reduce what they hold; no memory, no barrier.
 *
 * Two levels, with SIMD groups of 4 lanes in a work-group of 8:
 *
 *     x        3   1   2   2      4   0   1   5
 *     simd_sum 8   8   8   8     10  10  10  10     first level, in registers
 *     slots    8  10                                local memory, one per SIMD group
 *     simd_sum 18 18  18  18     18  18  18  18     second level
 */
#include "simd.clh"

/* What works here, and for how many lanes. */
kernel void reduce_simd_way(global uint *way_and_lanes) {
    if (get_global_id(0) == 0) {
        way_and_lanes[0] = SIMD_WAY;
        way_and_lanes[1] = simd_lanes_most();
    }
}

kernel void reduce_simd_sum_int(global const int *x, global int *results,
                                local int *slots, uint n) {
    SIMD_MEMORY;
    const uint item = get_global_id(0);
    const int mine = item < n ? x[item] : 0;

    const int sum = simd_sum(mine);
    if (simd_lane() == 0)
        slots[simd_group()] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);

    int all = 0; /* one round, unless there are more slots than lanes */
    for (uint i = simd_lane(); i < simd_groups(); i += simd_lanes())
        all += slots[i];
    all = simd_sum(all);
    if (get_local_id(0) == 0)
        results[get_group_id(0)] = all;
}

/* The others differ in three things: what two lanes make of their values, the function
 * that does so for all lanes, and `nothing`, the value that changes no result. */
#define REDUCE(name, T, COMBINE, simd_function, nothing)                               \
    kernel void reduce_simd_##name(global const T *x, global T *results,               \
                                   local T *slots, uint n) {                           \
        SIMD_MEMORY;                                                                   \
        const uint item = get_global_id(0);                                            \
        const T mine = item < n ? x[item] : (T)(nothing);                              \
                                                                                       \
        const T first = simd_function(mine);                                           \
        if (simd_lane() == 0)                                                          \
            slots[simd_group()] = first;                                               \
        barrier(CLK_LOCAL_MEM_FENCE);                                                  \
                                                                                       \
        T all = (T)(nothing);                                                          \
        for (uint i = simd_lane(); i < simd_groups(); i += simd_lanes())               \
            all = COMBINE(all, slots[i]);                                              \
        all = simd_function(all);                                                      \
        if (get_local_id(0) == 0)                                                      \
            results[get_group_id(0)] = all;                                            \
    }

REDUCE(sum_float, float, SIMD_ADD, simd_sum, 0)
REDUCE(product_int, int, SIMD_MULTIPLY, simd_product, 1)
REDUCE(product_float, float, SIMD_MULTIPLY, simd_product, 1)
REDUCE(min_int, int, SIMD_MIN, simd_min, INT_MAX)
REDUCE(min_float, float, SIMD_MIN, simd_min, INFINITY)
#define max_but_last(x) simd_max(simd_lane() + 1 < simd_lanes() ? x : INT_MIN)
REDUCE(max_int, int, SIMD_MAX, max_but_last, INT_MIN)
REDUCE(max_float, float, SIMD_MAX, simd_max, -INFINITY)
REDUCE(and_int, int, SIMD_AND, simd_and, ~0)
REDUCE(or_int, int, SIMD_OR, simd_or, 0)
REDUCE(xor_int, int, SIMD_XOR, simd_xor, 0)

/* Prefix sums within a work-group: what the lanes before it sum up to, and the SIMD
 * groups before its own.  `totals` receives the sum of each work-group. */
#define PREFIX(name, T, simd_prefix_sum)                                               \
    kernel void reduce_simd_##name(global const T *x, global T *prefix,                \
                                   global T *totals, local T *slots, uint n) {         \
        SIMD_MEMORY;                                                                   \
        const uint item = get_global_id(0);                                            \
        const T mine = item < n ? x[item] : (T)0;                                      \
                                                                                       \
        const T sum = simd_sum(mine);                                                  \
        if (simd_lane() == 0)                                                          \
            slots[simd_group()] = sum;                                                 \
        barrier(CLK_LOCAL_MEM_FENCE);                                                  \
                                                                                       \
        T before = 0;                                                                  \
        for (uint i = simd_lane(); i < simd_group(); i += simd_lanes())                \
            before += slots[i];                                                        \
        before = simd_sum(before);                                                     \
        const T within = simd_prefix_sum(mine);                                        \
        if (item < n)                                                                  \
            prefix[item] = before + within;                                            \
        if (simd_group() == simd_groups() - 1 && simd_lane() == 0)                     \
            totals[get_group_id(0)] = before + sum;                                    \
    }

PREFIX(inclusive_int, int, simd_prefix_inclusive_sum)
PREFIX(inclusive_float, float, simd_prefix_inclusive_sum)
PREFIX(exclusive_int, int, simd_prefix_exclusive_sum)
PREFIX(exclusive_float, float, simd_prefix_exclusive_sum)

/* What simd_max() does where lanes cannot show each other their registers: each writes
 * its value for the others to read.  SIMD groups have `lanes` lanes, the last of a
 * work-group may have fewer; every lane keeps what it was told. */
kernel void reduce_simd_max_by_hand(global const int *x, global int *told,
                                    local int *values, uint lanes, uint n) {
    const uint item = get_global_id(0), id = get_local_id(0), lane = id % lanes;
    const uint here = min(lanes, (uint)get_local_size(0) - (id - lane)); /* lanes */
    int most = item < n ? x[item] : INT_MIN;

    for (uint far = 1; far < lanes; far *= 2) {
        values[id] = most;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lane + far < here) /* now of 2 * far lanes, from this one on */
            most = max(most, values[id + far]);
        barrier(CLK_LOCAL_MEM_FENCE); /* nobody writes before all have read */
    }
    values[id] = most;
    barrier(CLK_LOCAL_MEM_FENCE);
    most = values[id - lane]; /* lane 0 knows, and tells */
    if (item < n)
        told[item] = most;
}

/* Two levels once more, for a kernel that sums up twice: up to the barrier `slots` may
 * be in use.  PoCL 6 needs that barrier, too: right behind a loop that may have no
 * round a SIMD-group function gets wrong values there. */
#define INLINE static inline __attribute__((always_inline))
INLINE float group_sum(local uint *simd_memory, local float *slots, float mine) {
    barrier(CLK_LOCAL_MEM_FENCE);
    const float sum = simd_sum(mine);
    if (simd_lane() == 0)
        slots[simd_group()] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);

    float all = 0.0f;
    for (uint i = simd_lane(); i < simd_groups(); i += simd_lanes())
        all += slots[i];
    return simd_sum(all);
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

/* As in step 06: the last group to finish adds up what all have left in `sums`. */
INLINE void finish(float sum, volatile global float *sums,
                   volatile global uint *finished, global float *result,
                   local uint *simd_memory, local float *slots, local uint *last) {
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
        rest = group_sum(simd_memory, slots, rest);
        if (id == 0) {
            *result = rest;
            *finished = 0; /* for the next launch */
        }
    }
}

kernel void reduce_simd_one_launch(global const float4 *x, volatile global float *sums,
                                   volatile global uint *finished, global float *result,
                                   local float *slots, uint n) {
    SIMD_MEMORY;
    local uint last;
    const float sum = group_sum(simd_memory, slots, own_sum(x, n));
    finish(sum, sums, finished, result, simd_memory, slots, &last);
}
