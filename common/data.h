/* data: inputs that are the same on every run with the same --seed. */
#ifndef DATA_H
#define DATA_H

#include <stddef.h>
#include <stdint.h>

/* Memory for `count` elements of `bytes` each, all zero; too much is an error. */
void *allocate(size_t count, size_t bytes);

/* A pointer to one more element at the end of an array, which doubles when it is full:
 * *GROW(names, count) = "x";  An array without elements is NULL. */
#define GROW(array, count)                                                             \
    ((array) = grow((array), (count), sizeof *(array)), &(array)[(count)++])
void *grow(void *array, size_t count, size_t bytes);

/* A text without the byte order mark of UTF-8 that some editors put in front of it. */
const char *without_mark(const char *text);

/* The next pseudo-random number from 0 to 2^32 - 1, of a linear congruential generator
 * (constants: Numerical Recipes, section 7.1).  Use the high bits: the low ones repeat
 * soon. */
uint32_t random_next(uint32_t *state);

/* Makes --seed N a number far from that of every other N, so that a step can add small
 * numbers of its own: seed + 1 for x, seed + 2 for y. */
unsigned mix_seed(size_t number);

/* `count` odd quarters from -1.75 to 1.75: never 0, and neither whole nor likely to be
 * whole when a few are added up, so a number that is lost or added twice changes the
 * sum, and so does a sum kept as an int.  Products are odd sixteenths.  A float holds a
 * sum of sixteenths exactly up to 2^20, and the largest running sum of 2^28 products
 * stays below 2^16, although their absolute values add up to 2^28: so float sums are
 * exact in every order that a kernel is likely to take.  `seed` is options.seed and a
 * number of the step's own, another for each vector. */
float *small_numbers(size_t count, unsigned seed);

/* Makes each number TINY times as large.  No bit is lost, so sums and products stay as
 * exact as they were; but what holds quarters in fixed point, or rounds to them, finds
 * nothing.  The last launches of a step get such numbers: they cost what others cost.
 */
#define TINY 0x1p-60f
void make_tiny(float *numbers, size_t count);

#endif
