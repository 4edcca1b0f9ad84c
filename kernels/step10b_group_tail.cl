/* Step 10b: work that only takes time, with a clock, and two ways to add up.
 *
 * As in step 10, every work-item has a chain of multiply-adds, each of which needs the
 * one before:
 *
 *     x = start;   x = x * x - 1.94;   x = x * x - 1.94;   ...
 *
 * Here the host says for each work-item where its chain starts, and how long it is. */

/* A round is 64 steps, written out: counting them would cost as much again. */
#define STEP x = fma(x, x, -1.94f);
#define STEPS_4 STEP STEP STEP STEP
#define STEPS_16 STEPS_4 STEPS_4 STEPS_4 STEPS_4
#define STEPS_64 STEPS_16 STEPS_16 STEPS_16 STEPS_16

#define INLINE static inline __attribute__((always_inline))

INLINE float chain(float x, uint rounds) {
    for (uint round = 0; round < rounds; round++) {
        STEPS_64
    }
    return x;
}

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

/* Each work-item follows its chain to the end, and records when and where it ran. */
kernel void group_tail(global const float *starts, global const uint *rounds,
                       global float *out, global ulong4 *moments, uint n) {
    const uint item = get_global_id(0);
    if (item < n) {
        float x = starts[item];
        const ulong2 start = time_and_unit(&x);
        x = chain(x, rounds[item]);
        moments[item] = (ulong4)(start, time_and_unit(&x));
        out[item] = x;
    }
}

/* ---- A sum whose work-items run out ---- */

/* One launch of many: adds the upper half of n numbers to the lower half.  Of an odd
 * number of them, the one in the middle goes on alone:
 *
 *     from   3 -1  2  4 -2  1  1        to   1  0  3  4
 */
kernel void halve(global const int *from, global int *to, uint n) {
    const uint item = get_global_id(0), lower = (n + 1) / 2;
    if (item < lower)
        to[item] = from[item] + (item + lower < n ? from[item + lower] : 0);
}

/* Here each work-item adds up `each` numbers, and each group leaves one number: it has
 * one tree, as in step 06. */
kernel void sum_groups(global const int *x, global int *sums, uint n, uint each,
                       local int *t) {
    const uint items = get_global_size(0), id = get_local_id(0);
    /* exercise { */
    int own = 0; /* first each work-item adds up some alone */
    uint i = get_global_id(0);
    for (uint k = 0; k < each; k++, i += items)
        own += i < n ? x[i] : 0;
    t[id] = own;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint rest = get_local_size(0); rest > 1;) {
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
