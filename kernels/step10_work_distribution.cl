/* Step 10: chains of multiply-adds, each of which needs the result of the previous one.
 *
 *     x = start;   x = x * x - 1.94;   x = x * x - 1.94;   ...
 *
 * x wanders about between -1.94 and 1.83, and there is no shorter way to its end.  The
 * chains are independent of each other.  Which work-item follows which of them, for
 * eight chains and two work-items, is
 *
 *     work_distribution         item 0: 0, then 2, then 4, then 6     item 1: 1, 3 ...
 *     work_distribution_four    item 0: 0 1 2 3 at the same time      item 1: 4 5 6 7
 */

/* A round is 64 steps, written out, because a loop for each step would cost as much
 * again as the step.  x is a float, or a float4 for four chains. */
#define STEP(x) x = fma(x, x, constant_term);
#define STEPS_4(x) STEP(x) STEP(x) STEP(x) STEP(x)
#define STEPS_16(x) STEPS_4(x) STEPS_4(x) STEPS_4(x) STEPS_4(x)
#define STEPS_64(x) STEPS_16(x) STEPS_16(x) STEPS_16(x) STEPS_16(x)

/* Inlined, so that PoCL compiles one loop over the work-items of a group. */
#define INLINE static inline __attribute__((always_inline))

INLINE float chain(float x, uint rounds) {
    const float constant_term = -1.94f;
    for (uint round = 0; round < rounds; round++) {
        STEPS_64(x)
    }
    return x;
}

/* One chain after the other, so that any number of work-items can follow n chains. */
kernel void work_distribution(global const float *start, global float *end, uint n,
                              uint rounds) {
    const uint item = get_global_id(0), items = get_global_size(0);
    for (uint i = item; i < n; i += items)
        end[i] = chain(start[i], rounds);
}

/* Four chains at the same time: while one of them waits for its last result, the other
 * three go on. */
kernel void work_distribution_four(global const float *start, global float *end, uint n,
                                   uint rounds) {
    const uint item = get_global_id(0), items = get_global_size(0);

    /* exercise { */
    const float4 constant_term = -1.94f;
    for (uint i = item; i < n / 4; i += items) {
        float4 x = vload4(i, start);
        for (uint round = 0; round < rounds; round++) {
            STEPS_64(x)
        }
        vstore4(x, i, end);
    }
    /* What no four of them cover, one at a time. */
    for (uint i = n / 4 * 4 + item; i < n; i += items)
        end[i] = chain(start[i], rounds);
    /* } exercise */
}

/* The first kernel again, but its groups take up local memory that they do not use. */
kernel void work_distribution_reserving(global const float *start, global float *end,
                                        uint n, uint rounds, local float *reserved) {
    (void)reserved;
    const uint item = get_global_id(0), items = get_global_size(0);
    for (uint i = item; i < n; i += items)
        end[i] = chain(start[i], rounds);
}

// lens: work_distribution(start[n], end[n], n=4096, rounds=4) --global 4096 --local 32
// lens: work_distribution_four(start[n], end[n], n=4096, rounds=4) --global 1024 --local 32
// lens: work_distribution_reserving(start[n], end[n], n=4096, rounds=4, reserved[4096]) --global 4096 --local 32
