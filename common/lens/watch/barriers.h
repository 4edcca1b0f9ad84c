/* barriers: work-items of a group that part at a barrier. */
#ifndef BARRIERS_H
#define BARRIERS_H

#include "mistake.h"

/* Looks for BARRIER_DIVERGENCE, behind which the replay cannot go on, and for
 * BARRIER_FLAGS if these matter. */
struct barriers {
    struct observer observer;
    struct mistakes *mistakes;
    bool flags_matter;
    struct arrival {
        bool is;
        unsigned item, site, flags;
    } first, other; /* at the barrier that they come to; `other` has other flags, if any
                       has */
};
struct barriers barriers_observer(struct mistakes *mistakes, bool flags_matter);

#endif
