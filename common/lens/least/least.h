/* least: a time that no GPU of a kind can beat with a launch, and what binds it.
 *
 * Each resource takes a time by itself: what the launch needs of it, over what the
 * device gives at most.  At best all of them work at the same time, and the slowest one
 * decides.  So the launch takes at least the longest of these times, and that of a
 * launch without any work.  (The roofline model has two such resources; Williams,
 * Waterman and Patterson, "Roofline", Communications of the ACM 52 (4), 2009.) */
#ifndef AT_LEAST_H
#define AT_LEAST_H

#include "demand.h"
#include "profile.h"

enum resource {
    BY_LAUNCH,
    BY_MEMORY,
    BY_CACHE,
    BY_L1_BANKS,
    BY_L1_LINES,
    BY_LOCAL_BANKS,
    BY_ACCESSES,
    BY_ARITHMETIC,
    BY_DOUBLES,
    BY_SPECIAL,
    BY_ISSUE,
    BY_ATOMICS, /* on many words */
    BY_WORD,    /* atomics on one word */
    BY_CHAIN,   /* a warp's own instructions, one after the other */
    RESOURCES
};

/* "memory", "the banks of the L1". */
extern const char *const resource_names[RESOURCES];

struct least {
    double seconds; /* at least */
    enum resource binds;
    double of[RESOURCES]; /* what each takes by itself, without the launch */

    /* So few loads are in flight that waiting for them takes longer than all of these:
     * then the compiler decides how long, by how many it puts in flight. */
    bool waits;

    /* No promise: what is expected where memory is read again; 0: the same. */
    double expected;
    double at_most; /* no promise: as if nothing went on beside anything else */
};

struct least least_of(const struct demand *demand, const struct profile *profile);

/* Is what binds a rate of the device, so that its time is near what is measured? */
bool least_is_rate(enum resource binds);

#endif
