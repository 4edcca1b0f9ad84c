/* call: a kernel's name and arguments as they are typed, "dot(x[4096]=random, n=4096)".
 */
#ifndef CALL_H
#define CALL_H

#include "replay/arguments.h"

struct given {
    char name[MAX_NAME];
    char type[MAX_NAME]; /* of its numbers, behind a colon; "": not given */
    char *elements;      /* between the brackets; NULL: no size was given */
    char *value;         /* behind the equals sign; NULL: none was given */
};

struct call {
    char kernel[MAX_NAME]; /* "": not named */
    struct given given[MAX_ARGUMENTS];
    size_t count;
};

/* Reads a call; one that cannot be read is an error.  `text` may be NULL. */
struct call call_read(const char *text);

/* Where a value ends: at a comma or at the parenthesis, but (1, 2, 3) is one value. */
const char *call_value_end(const char *p);

/* What was given for this argument; NULL: nothing. */
const struct given *call_given(const struct call *call, const char *name);

#endif
