/* elements: what a buffer holds, as OpenCL C names it. */
#ifndef ELEMENTS_H
#define ELEMENTS_H

#include "code/code.h"

struct element_type {
    const char *name;
    enum { SIGNED, UNSIGNED, FLOAT } kind;
    size_t bytes;
    size_t lanes, apart; /* of a vector: numbers, and places for them */
};

/* The type of an argument's elements: "float4*" are floats, four of them together. What
 * is not known is taken as bytes, without a name. */
struct element_type element_type(const struct object *object);

/* The number at these bytes, of a type of kind FLOAT; and the other way round. */
double element_real(const struct element_type *type, const char *bytes);
void element_put_real(const struct element_type *type, char *bytes, double number);

/* Prints the number at these bytes, with as many digits as distinguish it from others.
 */
void element_print(FILE *out, const struct element_type *type, const char *bytes);

/* Prints "sums[7]", "x[5].s2", or "bodies, byte 12,". */
void element_print_name(FILE *out, const struct object *object,
                        const struct element_type *type, size_t byte);

/* Do two numbers differ by more than rounding does, by a ten-thousandth, or for
 * half by a hundredth?  A number and a NaN do. */
bool element_differs(const struct element_type *type, const char *one,
                     const char *other);

/* The sum of all numbers that a buffer holds; 0, if its type is not known. */
double element_total(const struct object *object);

/* Has this element the value that memory has before it is written? */
bool element_is_poison(const struct object *object, const struct element_type *type,
                       size_t byte);

#endif
