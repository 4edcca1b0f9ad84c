/* counts: what the accesses and branches of a warp cost, in the terms of the model. */
#ifndef COUNTS_H
#define COUNTS_H

#include "lens.h"

/* The lanes of one access, by offset. */
struct example {
    unsigned lane_count;
    struct touch {
        uint64_t offset; /* in its object, which begins at the beginning of a line */
        size_t bytes;
        unsigned lane;
    } lanes[LANES_MOST];
};

/* All that warps did at one site to one object: sums over their accesses. */
struct tally {
    uint64_t accesses, lanes;
    uint64_t used, sectors, ideal_sectors, lines; /* used: bytes, each counted once */
    uint64_t passes, ideal_passes;                /* local memory */
    uint64_t same, most;    /* atomics: lanes at one address, operations on one word */
    uint32_t *operations;   /* atomics: by word of the object */
    struct example example; /* the first of those with the most lanes */
};

/* What the lanes of one warp did from where they parted to where they met again. */
enum { STEPS = 48 };
struct chart {
    uint64_t lanes; /* before they parted */
    size_t step_count;
    struct step {
        int block;
        uint64_t lanes;
    } steps[STEPS];
};

struct branch_tally {
    uint64_t executions, diverged;
    struct chart *chart; /* of the first time that lanes parted */
};

void counts_begin(struct replay *replay);
void counts_end(struct replay *replay);
void counts_group(struct replay *replay); /* a new group begins */

/* Some lanes of a warp enter a block; they have come to the branch at its end. */
void count_block(struct replay *replay, int block, unsigned warp, uint64_t lanes);
void count_branch(struct replay *replay, int block, unsigned warp, uint64_t lanes,
                  bool diverges);

/* One lane's access is remembered; those of all lanes that move together are counted.
 */
void count_access(const struct replay *replay, const struct access *access);
void count_accesses(struct replay *replay);

/* All work-items of a group have come to a barrier. */
void count_barrier(struct replay *replay, size_t site);

/* What was counted at a site for an object, or at a barrier for no object
 * (object_count); NULL: nothing. */
struct tally *tally_of(const struct replay *replay, size_t site, size_t object);

/* How many cells of so many bytes the lanes touch.  `by_bank`, if not NULL, gets the
 * number of cells in each of BANKS banks added. */
uint64_t cells_touched(const struct example *lanes, size_t cell, uint64_t *by_bank);

#endif
