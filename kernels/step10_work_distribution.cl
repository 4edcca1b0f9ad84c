/* Step 10: work that only takes time, and two ways to add up.
 *
 * Every work-item has a chain of multiply-adds, each of which needs the one before:
 *
 *     x = start;   x = x * x - 1.94;   x = x * x - 1.94;   ...
 *
 * It wanders about between -1.94 and 1.83, and nobody knows a shorter way to its end.
 * So one item alone is slow, on any device: only many of them make it busy. */

/* The host has all trajectories: one for each start. */
#define STARTS 31

/* A round is 64 steps, written out: counting them would cost as much again. */
#define STEP x = fma(x, x, -1.94f);
#define STEPS_4 STEP STEP STEP STEP
#define STEPS_16 STEPS_4 STEPS_4 STEPS_4 STEPS_4
#define STEPS_64 STEPS_16 STEPS_16 STEPS_16 STEPS_16

#define INLINE static inline __attribute__((always_inline))

INLINE float start_of(uint item) { return 0.03125f * (float)(1 + item % STARTS); }

INLINE float chain(float x, uint rounds) {
    for (uint round = 0; round < rounds; round++) {
        STEPS_64
    }
    return x;
}

kernel void work_distribution(global const uint *rounds, global float *out, uint n) {
    const uint item = get_global_id(0);
    if (item < n)
        out[item] = chain(start_of(item), rounds[item]);
}

/* ---- The same, and every work-item tells when and where it ran ---- */

/* The time on a clock that all units share, and the number of this unit.  `x` goes
 * through, so that no compiler moves the chain to the other side of the clock.  OpenCL
 * has none; PTX has (PTX ISA, "%globaltimer", "%smid"), and so has x86 (RDTSCP). */
INLINE ulong2 time_and_unit(float *x) {
#if defined __NV_CL_C_VERSION
    ulong now;
    uint unit;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now), "+f"(*x));
    asm volatile("mov.u32 %0, %%smid;" : "=r"(unit));
    return (ulong2)(now, unit);
#elif defined __x86_64__
    (void)x;
    uint processor;
    const ulong now = __builtin_ia32_rdtscp(&processor);
    return (ulong2)(now, processor & 0xfff); /* above is the socket */
#else
    (void)x;
    return (ulong2)(0, 0);
#endif
}

kernel void work_distribution_told(global const uint *rounds, global float *out, uint n,
                                   global ulong4 *told) {
    const uint item = get_global_id(0);
    if (item < n) {
        float x = start_of(item);
        const ulong2 start = time_and_unit(&x);
        x = chain(x, rounds[item]);
        told[item] = (ulong4)(start, time_and_unit(&x));
        out[item] = x;
    }
}

/* ---- A sum whose work-items run out ---- */

/* The n numbers stand in x[n] to x[2n - 1], what is left of them before, and the sum in
 * x[1].  Each launch halves what is left:
 *
 *     cell         1    2  3    4  5  6  7    8  9 10 11 12 13 14 15
 *     4 items                   1  0  3  0    3 -1  2  4 -2  1  1 -4
 *     2 items           4  0
 *     1 item       4
 */
kernel void halve(global int *x) {
    const uint item = get_global_id(0), left = get_global_size(0);
    x[left + item] = x[2 * left + item] + x[3 * left + item];
}

/* Here a launch adds up `each` numbers for every work-item, and leaves one number for
 * each work-group (step 06). */
kernel void sum_groups(global int *x, uint each, local int *t) {
    const uint items = get_global_size(0), id = get_local_id(0);
    /* exercise { */
    int own = 0; /* first everybody adds up some alone */
    for (uint i = each * items + get_global_id(0); i < 2 * each * items; i += items)
        own += x[i];
    t[id] = own;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint rest = get_local_size(0) / 2; rest > 0; rest /= 2) {
        if (id < rest)
            t[id] += t[id + rest];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    /* } exercise */
    if (id == 0)
        x[get_num_groups(0) + get_group_id(0)] = t[0];
}
