/* by_place: what was counted in a launch, by place of the source. */
#ifndef BY_PLACE_H
#define BY_PLACE_H

#include "watch/run.h"

/* All that was counted at one place, for one object.  Several branches may have one
 * place, as those of `a && b`: some compilers make one of them, others two.  Whether
 * lanes wait there is said of each by itself. */
struct fact {
    struct site site;
    unsigned object;
    struct tally sum;
    struct branch_tally branch;
    uint64_t mostly; /* how often those branches diverged that do more often than not */
};

struct facts {
    struct fact *all; /* by file, line and column; the caller frees them */
    size_t count;
};

struct facts facts_of(const struct run *run);

/* The access that takes most sectors in all, or most passes; NULL: there is none. */
const struct fact *busiest_access(const struct run *run, const struct facts *facts,
                                  bool local);

/* The load that takes most passes over the L1's banks in all; NULL: there is none. */
const struct fact *busiest_in_l1(const struct run *run, const struct facts *facts);

/* The branch that diverged most often; NULL: none did. */
const struct fact *most_diverging(const struct facts *facts);

#endif
