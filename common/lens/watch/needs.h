/* needs: what a launch needs of a GPU; least/ makes a time of it. */
#ifndef NEEDS_H
#define NEEDS_H

#include "counts.h"
#include "least/demand.h"
#include "replay/replay.h"
#include "replay/running.h"
#include "spared.h"

/* A sample has two halves, to which its groups belong by turns, so that it is known how
 * far they differ.  The first and the last group of a launch, where edges are, belong
 * to neither, because a sample has too many of those; unless there are no others, and
 * they are the two halves. */
enum { HALVES = 2, FIRST_GROUP = HALVES, LAST_GROUP, PARTS };

/* Sums over the groups of a part. */
struct needs_part {
    double groups, fewest;                 /* fewest: instructions of a group */
    double instructions, all_instructions; /* all: of any kind */
    double accesses, global_accesses, local_passes, l1_passes, lines;
    double stored, atomic_sectors; /* sectors */
    double atomics;                /* of lanes */
    double warps, rounds, first_rounds, barriers;
    double again[DISTANCES]; /* bytes */
    uint64_t *executions;    /* by block */
};

/* What is known of an object's memory. */
struct traces {
    uint16_t *sectors;      /* who has touched it */
    uint64_t *pieces;       /* when it was touched last: struct needs, `moved` */
    uint32_t *words[PARTS]; /* atomics on it, by part */
    /* Different sectors: of each part; of a pair of parts, either the two halves or the
     * first and the last group; of all. */
    struct span {
        double part[PARTS], pair[PARTS / 2], all;
    } touched, read;
};

struct needs {
    struct observer observer;
    const struct counts *counts; /* what they say of accesses is not counted again */
    struct sums_of_accesses {
        uint64_t accesses, global_accesses, l1_passes, local_passes, lines;
    } sums; /* of all groups but the one that runs */
    size_t object_count, block_count;
    unsigned lanes; /* of a warp */
    struct needs_part parts[PARTS];
    struct traces *traces; /* by object */
    double *least;         /* by block: the fewest instructions that it can be */
    unsigned part, turn;   /* of the group that runs; of the next one */
    const char *refusal;   /* NULL: none */

    /* Of the group that runs: its warps, and the sectors that it has stored to. */
    struct warp_needs {
        double instructions, waits, waits_loads;
        struct spared spared;
        bool has_round; /* does the block that it is in load, ... */
        bool has_first; /* ... a sector for the first time? */
    } * warps;
    unsigned warp_room;
    uint16_t **stored;
    size_t stored_count, stored_room;
    uint64_t moved, began; /* bytes that all groups have touched, and all before it */

    double longest, waits, waits_loads; /* of the warp that has most */
    double most;                        /* atomics on one word */
    double most_in_both[PARTS / 2];     /* in the lesser part of a pair */
    intptr_t lowest, highest; /* private arrays of a lane, as offsets in its stack */
};

/* `counts` hears of the same launch, and before these. */
struct needs needs_observer(const struct counts *counts);

/* What the whole launch needs, after its replay: as each half of a sample says it.
 * Returns how many they are: 1 if there was no need for a sample. */
size_t needs_demands(const struct needs *needs, const struct job *job,
                     const struct outcome *outcome, struct demand demands[HALVES]);

void needs_end(struct needs *needs);

#endif
