/* implausible: when a time or a share of a limit cannot be true. */
#ifndef IMPLAUSIBLE_H
#define IMPLAUSIBLE_H

#include "measure/limits.h"
#include "timing.h"

struct implausible {
    const char *name;    /* a few words after the row */
    const char *meaning; /* what they mean, and what to do */
};

/* Is a time shorter than 20 ticks of the device's clock, or than an empty launch takes?
 * Then neither it nor a ratio with it says anything; NULL: it is long enough. */
const struct implausible *implausible_time(const struct device *device,
                                           const struct limits *limits,
                                           struct timing time);

/* Can more than 100 percent of a limit be true?  NULL up to 100.  `bytes` is how much
 * memory was read and written; 0 where arithmetic is the limit. */
const struct implausible *implausible_share(double percent, double bytes);

/* Is the device known to run some right kernels wrong?  NULL: not to us. */
const struct implausible *known_fault(const struct device *device);

#endif
