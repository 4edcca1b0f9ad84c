/* races: accesses that nothing puts in order. */
#ifndef RACES_H
#define RACES_H

#include "mistake.h"

struct history; /* what was done to memory; see races.c */

/* Looks for RACE.  `strictly`: one that all devices that we know forgive is a mistake,
 * too, and no note. */
struct races {
    struct observer observer;
    struct mistakes *mistakes;
    bool strictly;
    struct history *history; /* of the launch, until races_end() */
};
struct races races_observer(struct mistakes *mistakes, bool strictly);

/* The last write of this byte; its group is 0 if there was none, or if `history` is
 * NULL. */
struct access_record races_writer(const struct history *history, size_t object,
                                  size_t byte);
void races_end(struct history *history);

#endif
