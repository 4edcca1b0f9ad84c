/* Wrong on purpose: in_group begins with whatever stood in local memory. */
#include "simd.clh"

#define GROUP_MOST 256 /* work-items in a work-group */

/* A function that receives local memory must be inlined (step 06); and there is one of
 * each name for int, and one for float. */
#define INLINE static inline __attribute__((overloadable, always_inline))

/* ---- Without atomics: as in steps 04 and 06 ---- */

/* What one work-item sums up alone. */
INLINE int own_sum(global const int *x, uint n) {
    const uint item = get_global_id(0), items = get_global_size(0);
    const uint rounds = n / items;

    int sum = 0;
    uint i = item;
    for (uint round = 0; round < rounds; round++, i += items)
        sum += x[i];
    return i < n ? sum + x[i] : sum;
}

INLINE float own_sum(global const float *x, uint n) {
    const uint item = get_global_id(0), items = get_global_size(0);
    const uint rounds = n / items;

    float sum = 0.0f;
    uint i = item;
    for (uint round = 0; round < rounds; round++, i += items)
        sum += x[i];
    return i < n ? sum + x[i] : sum;
}

/* A tree: in the end t[0] is the sum of what all work-items of the group brought. */
#define TREE(T)                                                                        \
    INLINE T group_sum(local T *t, T own) {                                            \
        const uint id = get_local_id(0);                                               \
        t[id] = own;                                                                   \
        barrier(CLK_LOCAL_MEM_FENCE);                                                  \
        for (uint rest = get_local_size(0); rest > 1;) {                               \
            const uint lower = (rest + 1) / 2;                                         \
            if (id + lower < rest)                                                     \
                t[id] += t[id + lower];                                                \
            rest = lower;                                                              \
            barrier(CLK_LOCAL_MEM_FENCE);                                              \
        }                                                                              \
        return t[0];                                                                   \
    }

TREE(int)
TREE(float)

/* ---- Atomics for float: OpenCL C 1.2 has none that adds ---- */

/* Whoever finds another value than the one it began with has lost, and tries again.
 * Bits are compared: a float would not find its NaN again. */
#define ADD_BY_EXCHANGE(memory)                                                        \
    INLINE void add_by_exchange(volatile memory float *sum, float x) {                 \
        volatile memory uint *bits = (volatile memory uint *)sum;                      \
        uint before, now = *bits;                                                      \
        do {                                                                           \
            before = now;                                                              \
            now = atomic_cmpxchg(bits, before, as_uint(as_float(before) + x));         \
        } while (now != before);                                                       \
    }

ADD_BY_EXCHANGE(global)
ADD_BY_EXCHANGE(local)

/* In global memory NVIDIA's chips can add by themselves (PTX ISA, "red"). */
#ifdef __NV_CL_C_VERSION
INLINE void add_float(volatile global float *sum, float x) {
    asm volatile("red.global.add.f32 [%0], %1;" ::"l"((ulong)sum), "f"(x) : "memory");
}
#else
#define add_float add_by_exchange
#endif

/* ---- Everyone adds to one cell: int ---- */

/* One atomic for each element. */
kernel void add_each(global const int *x, volatile global int *sum, uint n) {
    const uint item = get_global_id(0);
    if (item < n)
        atomic_add(sum, x[item]);
}

/* The same, but each wants to know what was there before.  A compiler that lets one
 * lane add for all, as it may above, now has to tell each lane a value of its own. */
kernel void add_each_asking(global const int *x, volatile global int *sum, uint n) {
    const uint item = get_global_id(0);
    if (item < n && atomic_add(sum, x[item]) == INT_MIN)
        atomic_xchg(sum, 0); /* hardly ever, and then it does no harm */
}

/* One for each SIMD group.  The last lane of an inclusive prefix sum knows the sum of
 * all.  simd_sum() would do as well: it tells every lane.  The barrier is for PoCL 6:
 * behind a loop, and without it, a lane there gets no more than its own value. */
kernel void add_simd(global const int *x, volatile global int *sum, uint n) {
    SIMD_MEMORY;
    const int own = own_sum(x, n);
    barrier(CLK_LOCAL_MEM_FENCE);

    const int prefix = simd_prefix_inclusive_sum(own);
    if (simd_lane() == simd_lanes() - 1)
        atomic_add(sum, prefix);
}

/* One in local memory for each SIMD group, then one for each work-group. */
kernel void add_local(global const int *x, volatile global int *sum, uint n) {
    SIMD_MEMORY;
    local int in_group;
    const int own = own_sum(x, n);
    const int prefix = simd_prefix_inclusive_sum(own);
    if (simd_lane() == simd_lanes() - 1)
        atomic_add(&in_group, prefix);
    barrier(CLK_LOCAL_MEM_FENCE);

    if (get_local_id(0) == 0)
        atomic_add(sum, in_group);
}

/* A tree, then one for each work-group. */
kernel void add_tree(global const int *x, volatile global int *sum, uint n) {
    local int t[GROUP_MOST];
    const int all = group_sum(t, own_sum(x, n));
    if (get_local_id(0) == 0)
        atomic_add(sum, all);
}

/* No atomic: a sum for each work-group, which somebody has to add up. */
kernel void tree_alone(global const int *x, global int *sums, uint n) {
    local int t[GROUP_MOST];
    const int all = group_sum(t, own_sum(x, n));
    if (get_local_id(0) == 0)
        sums[get_group_id(0)] = all;
}

/* ---- The same for float ---- */

kernel void add_each_float(global const float *x, volatile global float *sum, uint n) {
    const uint item = get_global_id(0);
    if (item < n)
        add_float(sum, x[item]);
}

kernel void add_each_exchange(global const float *x, volatile global float *sum,
                              uint n) {
    const uint item = get_global_id(0);
    if (item < n)
        add_by_exchange(sum, x[item]);
}

kernel void add_simd_float(global const float *x, volatile global float *sum, uint n) {
    SIMD_MEMORY;
    const float own = own_sum(x, n);
    barrier(CLK_LOCAL_MEM_FENCE);

    const float prefix = simd_prefix_inclusive_sum(own);
    if (simd_lane() == simd_lanes() - 1)
        add_float(sum, prefix);
}

kernel void add_local_float(global const float *x, volatile global float *sum, uint n) {
    SIMD_MEMORY;
    local float in_group;
    const float own = own_sum(x, n);
    if (get_local_id(0) == 0)
        in_group = 0.0f;
    barrier(CLK_LOCAL_MEM_FENCE);

    const float prefix = simd_prefix_inclusive_sum(own);
    if (simd_lane() == simd_lanes() - 1)
        add_by_exchange(&in_group, prefix);
    barrier(CLK_LOCAL_MEM_FENCE);

    if (get_local_id(0) == 0)
        add_float(sum, in_group);
}

kernel void add_tree_float(global const float *x, volatile global float *sum, uint n) {
    local float t[GROUP_MOST];
    const float all = group_sum(t, own_sum(x, n));
    if (get_local_id(0) == 0)
        add_float(sum, all);
}

kernel void tree_alone_float(global const float *x, global float *sums, uint n) {
    local float t[GROUP_MOST];
    const float all = group_sum(t, own_sum(x, n));
    if (get_local_id(0) == 0)
        sums[get_group_id(0)] = all;
}

/* ---- Many cells: how often does each number from 0 to bins - 1 occur? ---- */

kernel void histogram(global const uint *x, volatile global uint *counts, uint n,
                      uint bins) {
    const uint item = get_global_id(0);
    if (item < n)
        atomic_inc(&counts[x[item] % bins]);
}

/* Each work-group counts on its own, and adds its counts to all others' in the end. */
kernel void histogram_local(global const uint *x, volatile global uint *counts, uint n,
                            uint bins, local uint *in_group) {
    const uint items = get_global_size(0), rounds = n / items;
    const uint lane = get_local_id(0), lanes = get_local_size(0);
    for (uint bin = lane; bin < bins; bin += lanes)
        in_group[bin] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);

    uint i = get_global_id(0);
    for (uint round = 0; round < rounds; round++, i += items)
        atomic_inc(&in_group[x[i] % bins]);
    if (i < n)
        atomic_inc(&in_group[x[i] % bins]);
    barrier(CLK_LOCAL_MEM_FENCE);

    for (uint bin = lane; bin < bins; bin += lanes)
        atomic_add(&counts[bin], in_group[bin]);
}
