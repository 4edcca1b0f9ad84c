/* Step 11b: one link of a long chain, in a launch of its own.
 *
 * The words form a ring.  In each link a word is mixed with its neighbour to the right:
 *
 *     x    w0   w1   w2   w3
 *           | / | / | / | /      and the last word's neighbour is the first
 *     y    w0   w1   w2   w3
 *
 * Link 1 of a word needs link 0 of its neighbour, which another group may have.  Only
 * the end of a launch makes all groups wait for each other, so a link is a launch. */

#define INLINE static inline __attribute__((always_inline))

/* Another number is added in each link, so their order matters.  The shift lets high
 * bits change low ones; the product does the opposite. */
INLINE uint mix(uint word, uint right, uint link) {
    return word * 1664525u + (right >> 3) + 2 * link + 1;
}

kernel void recorded_commands(global const uint *x, global uint *y, uint n, uint link) {
    const uint i = get_global_id(0);
    if (i < n)
        y[i] = mix(x[i], x[(i + 1) % n], link);
}

/* Four links in one launch.  After four links a word depends on five words: itself and
 * four to the right.  A work-item loads these, and computes its neighbours' words, too:
 *
 *     5 words    w0  w1  w2  w3  w4
 *     link 0     w0  w1  w2  w3
 *     link 1     w0  w1  w2
 *     link 2     w0  w1
 *     link 3     w0                     10 times mix() instead of 4, and one launch */
kernel void recorded_commands_four(global const uint *x, global uint *y, uint n,
                                   uint link) {
    const uint i = get_global_id(0);
    if (i >= n)
        return;
    /* exercise { */
    uint words[5];
    for (uint j = 0; j < 5; j++)
        words[j] = x[(i + j) % n];
    for (uint later = 0; later < 4; later++)
        for (uint j = 0; j + later < 4; j++)
            words[j] = mix(words[j], words[j + 1], link + later);
    y[i] = words[0];
    /* } exercise */
}

/* The whole chain, enqueued by one work-item of the device itself: no call of the host
 * for any link.  Few devices offer this, and this step only asks whether this one does;
 * see the chapter. */
#ifdef __opencl_c_device_enqueue
kernel void recorded_commands_by_device(global uint *x, global uint *y, uint n,
                                        uint links, uint group) {
    const ndrange_t all = ndrange_1D((n + group - 1) / group * group, group);
    clk_event_t before;
    for (uint link = 0; link < links; link++) {
        global const uint *from = link % 2 ? y : x;
        global uint *to = link % 2 ? x : y;
        clk_event_t after;
        enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, all, link > 0,
                       link > 0 ? &before : NULL, &after, ^{
                         const uint i = get_global_id(0);
                         if (i < n)
                             to[i] = mix(from[i], from[(i + 1) % n], link);
                       });
        if (link > 0)
            release_event(before);
        before = after;
    }
    release_event(before);
}
#endif

// lens: recorded_commands(x[n], y[n], n=4096, link=1) --global 4096 --local 64
// lens: recorded_commands_four(x[n], y[n], n=4096, link=4) --global 4096 --local 64
