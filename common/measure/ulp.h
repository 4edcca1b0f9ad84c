/* ulp: how far a float sum is from the exact one.
 *
 * The data of steps 08, 08b and 09b are whole multiples of 2^-24 and smaller than 2^9,
 * and there are at most 2^30 of them.  So, in units of 2^-24, an int64_t holds their
 * exact sum. */
#ifndef ULP_H
#define ULP_H

#include <stddef.h>
#include <stdint.h>

/* A float as a number of units of 2^-24; |x| must be less than 2^39. */
int64_t units(float x);

/* The sum of n floats, in units. */
int64_t exact_sum(const float *x, size_t n);

/* How many ulp a sum is off; `exact` is in units.  One ulp (unit in the last place) is
 * the step from one float to the next at the exact sum, or, if that is 0, at one unit.
 * Infinite for NaN and for 2^39 or more, which no sum of such data can be.  (Source: N.
 * J. Higham, Accuracy and Stability of Numerical Algorithms, 2002, section 2.1.) */
double ulps_off(float sum, int64_t exact);

/* Pseudo-random multiples of 2^-24, from 0 to 1 without 1.  `seed` is options.seed and
 * a number of the step's own.  (Source: G. Marsaglia, Xorshift RNGs, 2003.) */
void random_numbers(float *x, size_t n, unsigned seed);

/* The same, times powers of two up to 2^9; and what comes in goes out again with the
 * other sign, except for the last one or two numbers, which are from 0 to 1. */
void cancelling_numbers(float *x, size_t n, unsigned seed);

#endif
