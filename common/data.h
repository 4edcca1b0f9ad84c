/* data: inputs that are the same on every run with the same --seed. */
#ifndef DATA_H
#define DATA_H

#include <stddef.h>
#include <stdint.h>

/* Memory for `count` elements of `bytes` each, all zero; too much is an error. */
void *allocate(size_t count, size_t bytes);

/* The next number that is as good as random, from 0 to 2^32 - 1: a linear congruential
 * generator (constants: Numerical Recipes, section 7.1).  The high bits are the good
 * ones. */
uint32_t random_next(uint32_t *state);

/* `count` whole numbers from -4 to 4, none of them 0.  Float sums of their products are
 * exact in any order, and every product that is lost or added twice changes the sum.
 * `seed` is options.seed and a number of the step's own, another for each vector. */
float *small_numbers(size_t count, unsigned seed);

/* 1/1, 1/2, 1/3 ... 1/count.  The sum of their squares goes to pi * pi / 6 (Euler). */
float *reciprocals(size_t count);

#endif
