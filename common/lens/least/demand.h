/* demand: what a launch needs of a GPU, in numbers that a time follows from. */
#ifndef DEMAND_H
#define DEMAND_H

#include "code/work.h"

#include <stdbool.h>
#include <stdio.h>

/* How far apart two touches of one piece of memory are, in bytes that the group has
 * touched in between: number i is 2^i up to 2^(i + 1). */
enum { DISTANCES = 40 };

/* Memory moves pieces of so many bytes: two sectors. */
enum { PIECE = 64 };

/* All of a launch, scaled if only some of its groups were replayed; then each number is
 * the smaller one of what two halves of the sample say.  Instructions and accesses are
 * those of warps: one for all lanes. */
struct demand {
    double groups, warps_of_group;
    double alike; /* instructions of the group that has fewest, of the mean: up to 1 */

    double work[WORKS], accesses; /* accesses: loads, stores and atomics */
    double local_passes;          /* over the banks of local memory */
    double l1_passes;             /* over those of the L1, by global loads */
    double lines;                 /* that global loads and stores look up in the L1 */

    /* Bytes of global memory, in sectors: each counted once; and each counted once for
     * a group that stores there. */
    double touched, read, stored;
    double again[DISTANCES]; /* bytes, in pieces, that a group touches once more */

    /* Atomics on global memory: operations on the word that has most, of which those of
     * a warp are one if its source says that they have one address; sectors. */
    double on_one_word, atomic_sectors, atomics; /* atomics: of lanes */

    /* Of the warp that has most of them: instructions, and what it waits for one after
     * the other (struct effort). */
    double longest, waits, waits_loads;

    /* Of a warp, on average: blocks that load from global memory, some of which touch a
     * sector for the first time in the launch.  Of a group: barriers, local memory. */
    double rounds, first_rounds, barriers, local_bytes;

    double instructions; /* of any kind, for what is not promised */
    double global_accesses;

    bool sampled;        /* from a part of the launch's groups */
    const char *refusal; /* why no time follows; NULL: one does */
};

/* Writes its numbers as "groups=64 fma=4096 ...", those that are not 0; and reads them
 * again.  False: the text is no such one. */
void demand_write(const struct demand *demand, FILE *out);
bool demand_read(struct demand *demand, const char *text);

#endif
