/* values: what memory is filled with for `lens kernel`, from a word such as "random".
 */
#ifndef VALUES_H
#define VALUES_H

#include "replay/elements.h"

struct value {
    enum { NUMBERS, RANDOM, INDEX, UNSET, RANGE, CONTENT } kind;
    char **numbers; /* one for all, or several by turns; of a RANGE the two ends */
    size_t count;
    char *content; /* of a file: raw bytes */
    size_t bytes;
};

/* Reads "random", "index", "unset", "0..9", "file:NAME", "1.5" or "(1, 2, 3)"; all else
 * is an error, which names the argument. */
struct value value_read(const char *argument, const char *text);

/* Fills `bytes` bytes of an argument with it.  Random whole numbers are below `below`,
 * and others between 0 and 1; they are the same each time, whatever the size, and other
 * ones for another `seed`.  A number that the type does not hold is an error. */
void value_fill(const struct value *value, const struct object *argument, size_t bytes,
                uint64_t below, uint64_t seed);

/* The largest of those random whole numbers. */
uint64_t value_random(const struct element_type *type, uint64_t below);

#endif
