/* units: which compute unit was busy with which work-group, as a kernel has recorded it
 * by a clock of its own. */
#ifndef UNITS_H
#define UNITS_H

#include "pictures/timeline.h"

/* When and where a work-item ran: a ulong4 in the kernel.  All 0 where kernels have no
 * clock. */
struct moments {
    cl_ulong start, unit, end, unit_again;
};

/* Adds the units that had the most groups to the timeline, a row for each of at most
 * `rows`; and of these a span for each group, from the first start of its work-items
 * to the last end: none where kernels have no clock.  names[g] is the name of the span
 * of group g, and `ms` the milliseconds of the launch.  Returns false, and names the
 * work-item, if one has not recorded a start, and an end after that. */
bool units_draw(struct timeline *timeline, size_t rows, const struct moments *moments,
                size_t n, size_t group, const char *const *names, double ms);

#endif
