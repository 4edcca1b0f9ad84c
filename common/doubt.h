/* doubt: when a time or a share of a limit cannot be true. */
#ifndef DOUBT_H
#define DOUBT_H

#include "limits.h"
#include "timing.h"

struct doubt {
    const char *name;    /* a few words after the row */
    const char *meaning; /* what they mean, and what to do */
};

/* Is a time shorter than 20 ticks of the device's clock, or than an empty launch takes?
 * Then neither it nor a ratio with it says anything; NULL: it is long enough. */
const struct doubt *too_short(const struct device *device, const struct limits *limits,
                              struct timing time);

/* Can more than 100 percent of a limit be true?  NULL up to 100.  `bytes` is how much
 * memory was read and written; 0 where arithmetic is the limit. */
const struct doubt *beyond_limit(double percent, double bytes);

/* Is the device known to run some right kernels wrong?  NULL: not to us. */
const struct doubt *known_fault(const struct device *device);

#endif
