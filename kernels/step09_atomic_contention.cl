/* Step 09: all work-items add to one sum, at one address.
 *
 * The form by group (`add_group`), with SIMD groups of 4 lanes in a work-group of 8:
 *
 *     x            3  -1   2   2       4  -2   1   3
 *     prefix sum   3   2   4   6       4   2   3   6      in registers
 *     in_group                +6                  +6      2 atomics in local memory
 *     sum                                        +12      1 atomic in global memory
 */
#include "simd.clh"

#define MAX_GROUP 256 /* work-items in a group */

/* A function that receives a pointer to local memory is inlined here.  Otherwise, if
 * only one kernel calls it, PoCL 3.1 lets all groups share that memory. */
#define INLINE static inline __attribute__((overloadable, always_inline))

/* ---- An atomic addition of floats, which OpenCL C 1.2 lacks ---- */

/* Writes the new sum only if the old one is still there, and otherwise tries again with
 * the sum that is.  It compares bits, because a NaN is not equal to itself. */
/* exercise { */
INLINE void add_by_exchange(volatile global float *sum, float x) {
    volatile global uint *bits = (volatile global uint *)sum;
    uint before, now = *bits;
    do {
        before = now;
        now = atomic_cmpxchg(bits, before, as_uint(as_float(before) + x));
    } while (now != before);
}

/* Adds to a sum in local memory in the same way. */
INLINE void add_by_exchange(volatile local float *sum, float x) {
    volatile local uint *bits = (volatile local uint *)sum;
    uint before, now = *bits;
    do {
        before = now;
        now = atomic_cmpxchg(bits, before, as_uint(as_float(before) + x));
    } while (now != before);
}
/* } exercise */

/* For global memory, NVIDIA's GPUs have an instruction (PTX ISA, "red"). */
#ifdef __NV_CL_C_VERSION
INLINE void add_float(volatile global float *sum, float x) {
    asm volatile("red.global.add.f32 [%0], %1;" ::"l"((ulong)sum), "f"(x) : "memory");
}
INLINE void add_float(volatile local float *sum, float x) { add_by_exchange(sum, x); }
#else
#define add_float add_by_exchange
#endif

/* ---- Fewer and fewer atomics ---- */

/* One atomic for each element. */
kernel void add_each(global const float *x, volatile global float *sum, uint n) {
    const uint item = get_global_id(0);
    if (item < n)
        add_float(sum, x[item]);
}

/* One for each SIMD group: after an inclusive prefix sum, the last lane has the sum of
 * all lanes.  A work-item without an element contributes 0, because all lanes must take
 * part in the prefix sum. */
kernel void add_simd(global const float *x, volatile global float *sum, uint n) {
    SIMD_MEMORY;
    const uint item = get_global_id(0);
    const float own = item < n ? x[item] : 0.0f;

    const float prefix = simd_prefix_inclusive_sum(own);
    if (simd_lane() == simd_lanes() - 1)
        add_float(sum, prefix);
}

/* What one work-item adds up on its own: one element, or several. */
INLINE float own_sum(global const float *x, uint n) {
    const uint item = get_global_id(0), items = get_global_size(0);
    const uint rounds = n / items;

    float sum = 0.0f;
    uint i = item;
    for (uint round = 0; round < rounds; round++, i += items)
        sum += x[i];
    return i < n ? sum + x[i] : sum;
}

/* One for each work-group, whose SIMD groups meet at an address in local memory. */
kernel void add_group(global const float *x, volatile global float *sum, uint n) {
    SIMD_MEMORY;
    local float in_group;
    const float own = own_sum(x, n);
    if (get_local_id(0) == 0)
        in_group = 0.0f;
    barrier(CLK_LOCAL_MEM_FENCE);

    const float prefix = simd_prefix_inclusive_sum(own);
    if (simd_lane() == simd_lanes() - 1)
        add_float(&in_group, prefix);
    barrier(CLK_LOCAL_MEM_FENCE);

    if (get_local_id(0) == 0)
        add_float(sum, in_group);
}

/* None: each group leaves its sum, and a second launch adds up all of these.  The first
 * barrier is for PoCL 6, whose prefix sum is wrong after a loop without it. */
kernel void sum_groups(global const float *x, global float *sums, uint n) {
    SIMD_MEMORY;
    local float of_simd[MAX_GROUP];
    const float own = own_sum(x, n);
    barrier(CLK_LOCAL_MEM_FENCE);

    const float prefix = simd_prefix_inclusive_sum(own);
    if (simd_lane() == simd_lanes() - 1)
        of_simd[simd_group()] = prefix;
    barrier(CLK_LOCAL_MEM_FENCE);

    if (get_local_id(0) == 0) {
        float sum = 0.0f;
        for (uint i = 0; i < simd_groups(); i++)
            sum += of_simd[i];
        sums[get_group_id(0)] = sum;
    }
}

/* ---- The first two for int ---- */

kernel void add_each_int(global const int *x, volatile global int *sum, uint n) {
    const uint item = get_global_id(0);
    if (item < n)
        atomic_add(sum, x[item]);
}

kernel void add_simd_int(global const int *x, volatile global int *sum, uint n) {
    SIMD_MEMORY;
    const uint item = get_global_id(0);
    const int own = item < n ? x[item] : 0;

    const int prefix = simd_prefix_inclusive_sum(own);
    if (simd_lane() == simd_lanes() - 1)
        atomic_add(sum, prefix);
}

/* ---- Two more, which --all shows ---- */

/* Each work-item looks at the value before its addition.  What it does then changes
 * nothing, but the compiler must give every lane an old value of its own. */
kernel void add_each_int_old(global const int *x, volatile global int *sum, uint n) {
    const uint item = get_global_id(0);
    if (item < n && atomic_add(sum, x[item]) == INT_MIN)
        atomic_add(sum, 0);
}

/* By compare-exchange, also where there is an instruction. */
kernel void add_each_exchange(global const float *x, volatile global float *sum,
                              uint n) {
    const uint item = get_global_id(0);
    if (item < n)
        add_by_exchange(sum, x[item]);
}

// lens: add_each(x[n], sum[1], n=1024) --global 1024 --local 256
// lens: add_simd(x[n], sum[1], n=4096) --global 4096 --local 256
// lens: add_group(x[n], sum[1], n=4096) --global 4096 --local 256
// lens: sum_groups(x[n], sums[groups], n=4096) --global 4096 --local 256
// lens: add_each_int(x[n], sum[1], n=4096) --global 4096 --local 256
// lens: add_simd_int(x[n], sum[1], n=4096) --global 4096 --local 256
// lens: add_each_int_old(x[n], sum[1], n=4096) --global 4096 --local 256
// lens: add_each_exchange(x[n], sum[1], n=1024) --global 1024 --local 256
