/* endless: proves that a group never ends. */
#ifndef ENDLESS_H
#define ENDLESS_H

#include "races.h"

struct seen; /* what was kept of the group; see endless.c */

/* Looks for ENDLESS.  `races`, which look at the same launch, know who wrote what;
 * NULL: it stops such a launch all the same, and makes no mistake of it. */
struct endless {
    struct observer observer;
    struct mistakes *mistakes;
    const struct races *races;
    struct seen *seen; /* of the launch that runs */
};
struct endless endless_observer(struct mistakes *mistakes, const struct races *races);

#endif
