/* range: the sizes of a launch that `lens kernel` makes. */
#ifndef RANGE_H
#define RANGE_H

#include "lens.h"

/* Fills in the sizes: those of --global and --local, or else those that the kernel
 * requires (0: it does not), or else guessed ones.  Sizes that do not go together are
 * an error. */
void range_choose(struct replay *replay, const size_t required[3]);

#endif
