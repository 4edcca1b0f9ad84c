/* timing: launch something many times; report the median and the spread. */
#ifndef TIMING_H
#define TIMING_H

#include "kernel.h"

struct timing {
    double median_ms, fastest_ms, slowest_ms;
    int repeats;
};

/* How many times as long the second of two launches takes: the median over pairs of
 * neighbouring launches, and the quartiles. */
struct ratio {
    double median, low, high;
};

/* Launches until the device runs at its full clock, at least three times; returns the
 * milliseconds of the last launch, which are what the next will take. */
double warm_up(struct device *device, const struct launch *launch);

/* Times launches by the device's clock, after a warm-up.  `repeats` 0 means as many as
 * fit in half a second, from 3 to 50, but one of a launch that takes a second; 1 is a
 * quick look, without warm-up.  No
 * launch of more than two seconds is timed more than three times. */
struct timing time_launches(struct device *device, struct launch launch, int repeats);

/* The same for two kernels launched in turn, a b a b ..., so that what disturbs the
 * machine disturbs both.  `times` receives two timings. */
struct ratio time_in_turn(struct device *device, struct launch a, struct launch b,
                          int repeats, struct timing times[2]);

/* The same for times that were taken in turn elsewhere, `count` of each. */
struct ratio ratio_of(const double *a_ms, const double *b_ms, int count);

/* Median, fastest and slowest of `count` samples, which it sorts. */
struct timing timing_of(double *samples_ms, int count);

#endif
