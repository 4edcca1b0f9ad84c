/* listing: what was counted, along the lines of the kernel's source. */
#ifndef LISTING_H
#define LISTING_H

#include "by_place.h"

/* Was so many a launch of this kernel listed that this one is to be folded?  (See
 * folded.h.)  With --all, none is. */
bool listing_is_full(const struct run *run);

/* Prints a launch; of a kernel that was printed before, what may have changed. */
void listing_print(const struct run *run, const struct facts *facts);

/* Draws its busiest accesses, and the branch that diverges most, unless they were drawn
 * before. */
void listing_draw(const struct run *run, const struct facts *facts);

#endif
