/* Step 10b: work that only takes time, with a clock.
 *
 * As in step 10, every work-item has a chain of multiply-adds, each of which needs the
 * result of the previous one:
 *
 *     x = start;   x = x * x - 1.94;   x = x * x - 1.94;   ...
 *
 * Here the host says for each work-item where its chain starts, and how long it is. */

/* A round is 64 steps, written out, because a loop for each step would cost as much
 * again as the step. */
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

/* The time on a clock that all units share, and the number of this unit.  OpenCL C has
 * no such functions.  x86 has RDTSCP, and PTX has %globaltimer and %smid; there `x` is
 * an operand of the clock, so that no compiler moves the chain to its other side. */
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

/* Each work-item follows its chain to the end, and records when and where it ran.
 * Neighbouring work-items have neighbouring chains, which are nearly equally long. */
kernel void group_tail(global const float *starts, global const uint *rounds,
                       global float *out, global ulong4 *moments, uint n) {
    /* exercise { */
    const uint item = get_global_id(0);
    if (item < n) {
        float x = starts[item];
        const ulong2 start = time_and_unit(&x);
        x = chain(x, rounds[item]);
        moments[item] = (ulong4)(start, time_and_unit(&x));
        out[item] = x;
    }
    /* } exercise */
}

// lens: group_tail(starts[n], rounds[n]=1..8, out[n], moments[n], n=2048) --global 2048 --local 1024
