/* simd: what kernels/simd.clh does on this device. */
#ifndef SIMD_H
#define SIMD_H

#include "step.h"

/* Reports whether every lane receives the right result of every operation, as a row
 * without a time; and in which way the lanes of a SIMD group exchange values, and how
 * many they are.  Looks at full and at short SIMD groups, in work-groups of `group`
 * work-items and of 100. */
void simd_report(struct step *step, size_t group);

/* The comparison of the article on the A14 (see docs/step07_reduce_simd.md), by the
 * host's clock: says how many times faster the device has the sum of n ints than one
 * thread of the host.  The device's time goes from the launch until the host has read
 * the sums of the groups and added these up.  If the two sums differ, the step is
 * WRONG. */
void simd_against_thread(struct step *step, const struct launch *launch,
                         cl_mem sums_buffer, const cl_int *x, size_t n);

/* Has every lane of a launch received the largest of its SIMD group's values, n in all?
 * Names the first that has not. */
bool simd_largest_right(const struct launch *launch, cl_uint lanes, size_t n,
                        const cl_int *values, const cl_int *results);

/* `count` ints of both signs and more than 16 bits.  In every other stretch of 256,
 * counted from the end, all are negative, so that a maximum that begins with 0 is
 * wrong.  Each 37th is larger than all around it, in another lane each time, so that a
 * lost lane shows. */
int *simd_ints(struct step *step, size_t count, unsigned vector);

/* The same for a maximum alone, since their sums overflow: in the stretches in which
 * all are negative they are close to INT_MIN, so that a maximum that begins with a much
 * larger number is wrong, and elsewhere they lie far apart.  The last is INT_MIN
 * itself: where it is alone in its SIMD group, any larger number to begin with is
 * wrong. */
int *simd_extremes(struct step *step, size_t count, unsigned vector);

#endif
