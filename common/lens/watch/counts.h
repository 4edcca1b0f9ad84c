/* counts: what the accesses and branches of a warp cost, in the terms of the model. */
#ifndef COUNTS_H
#define COUNTS_H

#include "banks.h"
#include "base/machine.h"
#include "code/code.h"
#include "replay/running.h"

/* The lanes of one access, by offset.  Of an image each has the first of its texels. */
struct example {
    unsigned lane_count;
    uint64_t sectors, used; /* of an image: of all its texels; used: bytes */
    struct touch lanes[MAX_LANES];
};

/* What one access costs in sectors, in passes over the banks, in addresses of constant
 * memory or, of an atomic, in lanes on one address, beside the least that it could.
 * `ideal` is 0 where nothing was counted. */
struct cost {
    uint64_t is, ideal;
};

/* The access of one warp that is farthest from its ideal. */
struct worst {
    struct cost cost;
    struct example lanes;
};

/* Atomics on one word, and the groups that made them. */
struct word_use {
    uint32_t operations, groups, last_group;
};

/* All that warps did at one site to one object: sums over their accesses. */
struct tally {
    uint64_t accesses, lanes;
    uint64_t used, sectors, ideal_sectors; /* used: bytes, each counted once */
    uint64_t lines, pages;
    uint64_t texels, different_texels;   /* images */
    uint64_t passes, ideal_passes;       /* local memory, or the L1 of global loads */
    uint64_t addresses, ideal_addresses; /* constant memory */
    uint64_t same, most;    /* atomics: lanes at one address, operations on one word */
    size_t most_groups;     /* groups that made these `most` */
    struct word_use *words; /* atomics: by word of the object */
    struct example example; /* the first of those with the most lanes */
    struct worst worst;     /* by sectors, or by passes */
    struct worst collision; /* atomics: by lanes on one address */
};

/* What the lanes of one warp did from where they diverged to where they reconverged:
 * arm after arm, that is the blocks that the same lanes went through without the
 * others. */
enum { MAX_ARMS = 32 };
struct divergence {
    uint64_t lanes;  /* before they diverged */
    int reconverged; /* the block at which they were together again; EXIT: none */
    struct arm {
        uint64_t lanes;
        struct {
            int block;
            unsigned times;
        } * blocks;
        size_t block_count;
    } * arms;
    size_t arm_count, current;
    bool left_out; /* arms beyond MAX_ARMS were */
};

struct branch_tally {
    uint64_t executions, diverged;
    struct divergence *divergence; /* the first time */
};

/* What was counted in a launch, by site and object, and by block.  Its owner ends it.
 */
struct counts {
    struct observer observer;
    size_t site_count, object_count, block_count; /* 0: nothing was counted */
    struct tally **tallies;
    struct branch_tally *branches;
    struct watched { /* divergences that go on */
        struct divergence *divergence;
        unsigned warp;
    } watched[8];
    size_t watched_count;
};
struct counts counts_observer(void);
void counts_end(struct counts *counts);

/* What was counted at a site for an object, or at a barrier for no object
 * (object_count); NULL: nothing. */
struct tally *tally_of(const struct counts *counts, size_t site, size_t object);

/* Is it a load, volatile or not? */
bool is_load(enum kind kind);

/* How many cells of `cell` bytes are touched, by touches in order. */
uint64_t cells_touched(const struct touch *touches, size_t count, size_t cell);

/* What one access costs: of local memory in passes, of constant memory in addresses, of
 * other memory in sectors. */
struct access_cost {
    struct cost cost;
    uint64_t used;     /* bytes that moved, each counted once; 0 if it has no sectors */
    uint64_t together; /* lanes at one address */
    enum space space;  /* LOCAL, CONSTANT or GLOBAL */
};
struct access_cost access_cost(const struct touch *touches, size_t count,
                               enum space space, enum kind kind);

/* That of a warp; of an image, of all its texels. */
struct access_cost warp_access_cost(const struct warp_access *access);

/* What a global load costs that finds everything in the L1: in passes over the banks,
 * or in lookups of lines, if these take longer. */
struct cost cost_in_l1(const struct touch *touches, size_t count);

/* Is `one` farther from its ideal than `other`?  Of equal ratios, the greater cost is.
 */
bool is_worse(struct cost one, struct cost other);

#endif
