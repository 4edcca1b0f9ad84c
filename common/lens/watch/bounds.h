/* bounds: accesses to where nothing is, or where their elements cannot lie. */
#ifndef BOUNDS_H
#define BOUNDS_H

#include "mistake.h"

/* Looks for OUT_OF_BOUNDS, UNTOLD, BAD_INDEX and MISALIGNED; after the first of these
 * the replay cannot go on.  `strictly`: alignment and images, too. */
struct bounds {
    struct observer observer;
    struct mistakes *mistakes;
    bool strictly;
};
struct bounds bounds_observer(struct mistakes *mistakes, bool strictly);

#endif
