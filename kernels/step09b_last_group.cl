/* Step 09b: many groups have begun a sum.  How does the device finish it?
 *
 *     two launches     each group leaves a sum; one group of a second launch adds up
 *                      all sums
 *     last group       each group leaves a sum and counts; the group that counts last
 *                      adds up all sums
 *     float atomics    each group adds its sum to one address, in any order
 *     fixed point      each group adds a whole number to two words
 *
 * A function that receives a pointer to local memory is inlined here.  Otherwise, if
 * only one kernel calls it, PoCL 3.1 lets all groups share that memory. */
#define INLINE static inline __attribute__((always_inline))

/* As in step 06, what one work-item adds up, with four loads of 16 bytes in flight.  A
 * group takes tile after tile, and a work-item loads four float4 of each. */
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

/* The tree of step 06: work-item 0 receives the sum of its group. */
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

/* ---- Two launches: what the first one wrote is visible to the second one. */

kernel void last_group_first(global const float4 *x, global float *sums, local float *t,
                             uint n) {
    const float sum = group_sum(t, own_sum(x, n));
    if (get_local_id(0) == 0)
        sums[get_group_id(0)] = sum;
}

/* One group adds up the sums of all groups, always in the same order. */
INLINE void add_up(volatile global float *sums, global float *result, local float *t,
                   uint groups) {
    float rest = 0.0f;
    for (uint i = get_local_id(0); i < groups; i += get_local_size(0))
        rest += sums[i];
    rest = group_sum(t, rest);
    if (get_local_id(0) == 0)
        *result = rest;
}

kernel void last_group_second(global float *sums, global float *result, local float *t,
                              uint groups) {
    add_up(sums, result, t, groups);
}

/* ---- One launch: the group that counts last adds up.  Sum, fence, count: a group that
 * sees the count must see the sum, too (NVIDIA's CUDA sample threadFenceReduction).
 * `volatile`: each access in the source is one to memory, and not to a register or a
 * cache of one compute unit. */
INLINE bool is_last(float sum, volatile global float *sums,
                    volatile global uint *finished, local uint *last) {
    const uint groups = get_num_groups(0);

    if (get_local_id(0) == 0) {
        /* exercise { */
        sums[get_group_id(0)] = sum;
        write_mem_fence(CLK_GLOBAL_MEM_FENCE); /* the sum first, then the count */
        *last = atomic_inc(finished) == groups - 1;
        read_mem_fence(CLK_GLOBAL_MEM_FENCE); /* the count first, then the sums */
        if (*last)
            *finished = 0; /* for the next launch */
        /* } exercise */
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    return *last;
}

kernel void last_group(global const float4 *x, volatile global float *sums,
                       volatile global uint *finished, global float *result,
                       local float *t, uint n) {
    local uint last;
    const float sum = group_sum(t, own_sum(x, n));
    if (is_last(sum, sums, finished, &last))
        add_up(sums, result, t, get_num_groups(0));
}

/* ---- Atomics: no sums are left to add up, but the address must hold 0 at first. */

kernel void last_group_zero(global uint *cell) {
    cell[0] = cell[1] = 0; /* two words of fixed point, or 0.0f and one more */
}

/* Adds a float, in the order in which the groups arrive.  NVIDIA's chips have an
 * instruction (PTX ISA, "red"); others try again if another group has been faster. */
INLINE void add_float(volatile global float *cell, float x) {
#ifdef __NV_CL_C_VERSION
    asm volatile("red.global.add.f32 [%0], %1;" ::"l"((ulong)cell), "f"(x) : "memory");
#else
    volatile global uint *bits = (volatile global uint *)cell;
    uint now = *bits, before;
    do {
        before = now;
        now = atomic_cmpxchg(bits, before, as_uint(as_float(before) + x));
    } while (now != before);
#endif
}

kernel void last_group_floats(global const float4 *x, volatile global float *cell,
                              local float *t, uint n) {
    const float sum = group_sum(t, own_sum(x, n));
    if (get_local_id(0) == 0)
        add_float(cell, sum);
}

/* Fixed point: whole multiples of 2^-24.  A long has room for sums up to 2^39.  Finer
 * digits of an element are lost here, but they are the same in every order. */
INLINE long4 fixed_point(float4 x) {
    return convert_long4(x * 16777216.0f);
}

INLINE long own_sum_fixed(global const float4 *x, uint n) {
    const uint row = get_local_size(0), tile = 4 * row, tiles = n / 4 / tile;

    long4 sum4 = 0;
    for (uint k = get_group_id(0); k < tiles; k += get_num_groups(0)) {
        const uint i = k * tile + get_local_id(0);
        const float4 a = x[i], b = x[i + row], c = x[i + 2 * row], d = x[i + 3 * row];
        sum4 += fixed_point(a) + fixed_point(b) + fixed_point(c) + fixed_point(d);
    }
    long sum = sum4.x + sum4.y + sum4.z + sum4.w;

    uint i = tiles * tile * 4 + get_global_id(0);
    for (; i < n; i += get_global_size(0)) /* what no tile covers */
        sum += (long)(((global const float *)x)[i] * 16777216.0f);
    return sum;
}

/* The tree for whole numbers, and then two words: if the low one overflows, 1 goes over
 * to the high one.  atomic_add returns the low word from before the addition, so one
 * group alone sees each overflow, even if another group adds between the two. */
kernel void last_group_fixed(global const float4 *x, volatile global uint *cell,
                             local long *t, uint n) {
    const uint id = get_local_id(0);

    t[id] = own_sum_fixed(x, n);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint rest = get_local_size(0); rest > 1;) {
        const uint lower = (rest + 1) / 2;
        if (id + lower < rest)
            t[id] += t[id + lower];
        rest = lower;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (id == 0) {
        const uint low = (uint)t[0], high = (uint)(t[0] >> 32);
        const uint old = atomic_add(&cell[0], low);
        const uint carry = old + low < old ? 1 : 0;
        atomic_add(&cell[1], high + carry);
    }
}

/* ---- The dot product of steps 01 to 05.  A tile has two rows of each vector. */

kernel void last_group_dot(global const float4 *x, global const float4 *y,
                           volatile global float *sums, volatile global uint *finished,
                           global float *result, local float *t, uint n) {
    local uint last;
    const uint row = get_local_size(0), tile = 2 * row, tiles = n / 4 / tile;

    float4 sum4 = 0.0f;
    for (uint k = get_group_id(0); k < tiles; k += get_num_groups(0)) {
        const uint i = k * tile + get_local_id(0);
        sum4 += x[i] * y[i] + x[i + row] * y[i + row];
    }
    float own = sum4.x + sum4.y + sum4.z + sum4.w;

    uint i = tiles * tile * 4 + get_global_id(0);
    for (; i < n; i += get_global_size(0)) /* what no tile covers */
        own += ((global const float *)x)[i] * ((global const float *)y)[i];

    const float sum = group_sum(t, own);
    if (is_last(sum, sums, finished, &last))
        add_up(sums, result, t, get_num_groups(0));
}

// lens: last_group_first(x[n / 4], sums[groups], t[local], n=65536) --global 4096 --local 256
// lens: last_group_second(sums[groups]=random, result[1], t[local], groups=16) --global 256 --local 256
// lens: last_group(x[n / 4], sums[groups], finished[1], result[1], t[local], n=65536) --global 4096 --local 256
// lens: last_group_zero(cell[2]=unset) --global 1
// lens: last_group_floats(x[n / 4], cell[1], t[local], n=65536) --global 4096 --local 256
// lens: last_group_fixed(x[n / 4], cell[2], t[local], n=65536) --global 4096 --local 256
// lens: last_group_dot(x[n / 4], y[n / 4], sums[groups], finished[1], result[1], t[local], n=65536) --global 4096 --local 256
