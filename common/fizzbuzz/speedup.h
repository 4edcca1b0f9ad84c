/* speedup: how many times faster several devices are than the best of them alone. */
#ifndef SPEEDUP_H
#define SPEEDUP_H

#include "fizzbuzz/device_pool.h"

/* Times two jobs with each device alone and with all: run(team, job) does one.  In the
 * first, the lines come to the host, in the second they stay on the devices; their
 * number is --size, from line `first` on, or what suits the devices.
 *
 * The runs alternate.  The first of each, and one of all at the end, are checked.
 * Prints their rows; of more than four devices only the best one alone, unless
 * options->all is set.  Prints how many times faster all are than that, except where a
 * device failed, because there is nothing to compare then. */
void speedup_measure(struct report *report, struct pool *pool, size_t first,
                     struct outcome (*run)(struct team team, struct job job));

#endif
