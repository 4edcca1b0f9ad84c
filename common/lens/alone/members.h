/* members: the numbers that a structure consists of, in order, read from what the
 * compiler writes for debuggers (code_describe()). */
#ifndef MEMBERS_H
#define MEMBERS_H

#include <stddef.h>

struct member {
    size_t offset;    /* in bytes */
    const char *type; /* as OpenCL C names it, "float" */
};

struct members {
    struct member *all; /* the caller frees it */
    size_t count;
    size_t bytes; /* of the structure; 0: it is not known */
};

/* The members of a kernel's argument by value: those of its structures and arrays, too,
 * and of a union the first.  `text` is taken apart. */
struct members members_of(char *text, const char *kernel, unsigned argument);

#endif
