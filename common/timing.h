/* timing: launch something many times; report the median and the spread. */
#ifndef TIMING_H
#define TIMING_H

#include "kernel.h"

/* Milliseconds.  Of twenty launches or more a quarter were faster than `lower_ms`, and
 * a quarter slower than `upper_ms`: the quartiles.  Of fewer launches a smaller part
 * lies outside, down to none of seven, as few launches may agree by chance. */
struct timing {
    double median_ms, fastest_ms, slowest_ms, lower_ms, upper_ms;
    int repeats;
};

/* How many times slower b is than a, which is how many times faster a is: the median,
 * and the quartiles, or what stands for them.  With fewer than three launches they mean
 * nothing. */
struct ratio {
    double median, lower, upper;
    int repeats;
};

/* Launches at least three times, and once in a program for as long as a device needs to
 * raise its clock: 200 ms, on a CPU 20.  Returns the milliseconds of the last launch,
 * as an estimate of the next one. */
double warm_up(struct device *device, const struct launch *launch);

/* Times launches by the device's clock, after a warm-up.  `repeats` 0 means as many as
 * fit in half a second, from 3 to 50, and only one if a launch takes a second; 1 is a
 * quick look, without warm-up.  A launch of more than two seconds is timed three times
 * at most. */
struct timing time_launches(struct device *device, struct launch launch, int repeats);

/* The same for two launches that alternate, a b a b ..., so that every disturbance of
 * the machine meets both.  `times` receives a's and b's timing. */
struct ratio time_pair(struct device *device, struct launch a, struct launch b,
                       int repeats, struct timing times[2]);

/* The same for times that were taken alternately elsewhere, `count` of each. */
struct ratio ratio_of(const double *a_ms, const double *b_ms, int count);

/* The same with the two exchanged: "3 times slower" becomes "3 times faster". */
struct ratio ratio_inverse(struct ratio ratio);

/* The ratio of two timings that did not alternate: the faster quartile of
 * the one against the slower quartile of the other. */
struct ratio ratio_between(struct timing a, struct timing b);

/* The same for two launches that each alternated with the same third one: `a` and `b`
 * are how many times slower they were than that. */
struct ratio ratio_of_ratios(struct ratio a, struct ratio b);

/* Is one of the two faster by more than the noise, that is, do both quartiles lie on
 * one side of 1, half a percent away from it?  Only then does the ratio allow a
 * conclusion; it is a rule of thumb. */
bool told_apart(struct ratio ratio);

/* A conclusion in words: "4.3 times faster (4.28 to 4.33)", "14.2 times slower (13.9
 * to 14.6)", or "not told apart (0.97 to 1.04 times as fast)". */
struct phrase {
    char text[96];
};
struct phrase in_words(struct ratio ratio);

/* Median, quartiles, fastest and slowest of `count` samples. */
struct timing timing_of(const double *samples_ms, int count);

#endif
