/* recording: what the warps of one group did, step by step, for --html.
 *
 * A step is one access, one branch, one arrival at a barrier or its opening, or, where
 * a block of the code has none of these, the block.  Of the groups of a launch that one
 * is kept in which the access that is farthest from its ideal was made. */
#ifndef RECORDING_H
#define RECORDING_H

#include "counts.h"
#include "mistake.h"

enum { MAX_STEPS = 2000 }; /* of a group; those behind them are only counted */

enum step_kind { STEP_ACCESS, STEP_BRANCH, STEP_BLOCK, STEP_ARRIVE, STEP_OPEN };

struct step {
    enum step_kind kind;
    unsigned warp;           /* STEP_OPEN: all of the group */
    uint64_t working;        /* its lanes that do this together */
    uint64_t ended;          /* its lanes that are at the kernel's end afterwards */
    uint64_t instructions;   /* executed since the warp's last step, by each of them */
    uint64_t by_lanes;       /* the same, summed over lanes */
    const struct site *site; /* STEP_BLOCK: of the branch at the block's end */
    int block;
    bool diverges;

    unsigned object; /* STEP_ACCESS; the lanes are touches from `touch` on */
    size_t touch, lane_count;
    struct access_cost cost;

    size_t way, way_count; /* STEP_BRANCH: where lanes go */
};

/* Sums over all steps of a group; the names are those of struct tally. */
struct totals {
    uint64_t accesses, lanes, sectors, ideal_sectors, used, passes, ideal_passes,
        addresses, ideal_addresses;
    uint64_t operations, branches, diverged, barriers;
    uint64_t instructions, lane_instructions;
};

struct recorded {
    size_t group;
    unsigned lanes, warp_count, item_count; /* lanes: in a warp */
    struct step *steps;
    struct touch *touches;
    struct way {
        uint64_t lanes;
        int block; /* that they enter next, or EXIT */
    } * ways;
    size_t step_count, touch_count, way_count;
    size_t steps_in_all;
    size_t mistakes_before, mistakes; /* of its launch; that were found in it */
    struct totals totals;
    struct cost worst; /* of an access; `ideal` 0: none is worse than its ideal */
};

/* Is `one` more worth to be looked at: by a mistake, its worst
 * access, or its divergence? */
bool recording_is_worse(const struct recorded *one, const struct recorded *other);

/* Keeps one group of the launch: two recordings are enough for any number of groups,
 * the best so far, and that of the group that runs.  Of `mistakes`, those of its
 * launch, it only asks how many there are.  It serves one launch after the other,
 * because its arrays are large. */
struct recording {
    struct observer observer;
    const struct mistakes *mistakes;
    struct recorded kept, now;
    bool has_kept;
    struct pending { /* by warp: of the block that it is in */
        uint64_t instructions, by_lanes;
        bool shown; /* a step of this block was recorded */
    } * pending;
};
void recording_observe(struct recording *recording, const struct mistakes *mistakes);

#endif
