/* spared: loads of a warp that a compiler may leave out, or join.
 *
 *     a = t[i]; ... b = t[i];              the second finds its value in a register
 *     c = t[4 * i]; d = t[4 * i + 1];      one load of 8 bytes instead of two of 4
 *
 * A time that no run can beat must not count on such loads.  What is assumed: a lane
 * keeps up to 128 loads in registers, until it stores to such memory or waits at a
 * barrier; and up to 16 aligned bytes are joined, of global memory only within a block
 * of instructions, because elsewhere a compiler cannot know how they are aligned. */
#ifndef SPARED_H
#define SPARED_H

#include "code/code.h"
#include "replay/observer.h"

enum { KEPT_LOADS = 128 };

/* What a warp has loaded. */
struct spared {
    /* Two numbers for the places of all lanes: the same for the same places, and for
     * those that are `bytes` farther larger by bytes * lanes.  A load has its place
     * among those that are kept by the first number. */
    struct load {
        uint64_t places, lanes;
        unsigned object;
        unsigned stores; /* of its space, before it */
        size_t bytes;
    } kept[KEPT_LOADS], joined; /* joined: of several loads, up to the last one */
    unsigned stores[2];         /* to global and to local memory; or barriers */
    uint64_t passes, saved;     /* of the joined ones: by themselves; less if joined */
};

/* What need not be done of an access. */
struct saving {
    uint64_t accesses, passes, lines;
};

/* The next access of the warp. */
struct saving spared_access(struct spared *spared, const struct warp_access *access);

/* It enters another block; it has waited at a barrier. */
void spared_block(struct spared *spared);
void spared_barrier(struct spared *spared);

#endif
