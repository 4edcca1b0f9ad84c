/* signature: what a kernel wants to be launched with, read from the compiled text of
 * its file (code_describe()) instead of from a driver. */
#ifndef SIGNATURE_H
#define SIGNATURE_H

#include "replay/arguments.h"

enum { MAX_LINKAGE = 1024 };
struct signature {
    char name[MAX_NAME];
    char described[MAX_NAME];  /* what debuggers call it, as in reduce<256U> */
    char linkage[MAX_LINKAGE]; /* of CUDA: what linkers call it */
    cl_uint count;
    struct argument arguments[MAX_ARGUMENTS]; /* without values */
    bool constant[MAX_ARGUMENTS];             /* it may not be written through it */
    size_t required[3];  /* reqd_work_group_size, in work-items; 0: none */
    unsigned dimensions; /* in which it asks where a work-item is; at least 1 */
};

struct signatures {
    struct signature *all; /* in the order of the file; the caller frees them */
    size_t count;
};

/* The kernels of a file, from LLVM's text form of it. */
struct signatures signatures_of(const char *text);

/* For a kernel in any language: its argument of this number, which may be a new one.
 * More than MAX_ARGUMENTS are an error. */
struct argument *signature_argument(struct signature *signature, size_t number);

/* In how many dimensions the function that is defined here asks where it is. */
unsigned signature_dimensions(const char *definition);

#endif
