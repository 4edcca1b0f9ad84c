/* arguments_given: what a kernel without a host program is launched with: each
 * argument's size, and what it is filled with.  single.c launches it. */
#ifndef ARGUMENTS_GIVEN_H
#define ARGUMENTS_GIVEN_H

#include "call.h"
#include "code/code.h"
#include "members.h"
#include "signature.h"
#include "values.h"
#include "watch/run.h"

/* An argument, with what it is filled with. */
struct slot {
    struct object object; /* as the replay sees it */
    struct element_type type;
    struct value value;
    struct image *image; /* NULL: it is none */
    char *text;          /* of the value; NULL: local memory has none */
    char *formula;       /* of its size in units, or of a scalar's value; NULL: none */
    size_t unit;         /* in bytes */
    uint64_t seed;       /* of its random numbers */
    struct members members; /* of a structure by value, which `text` gives */
    const char *numbers; /* of which type the numbers are, as given; NULL: not given */
    bool size_guessed, value_guessed;
    bool is_null; /* a buffer that is none */
    bool known;   /* a scalar's value: formulas may name it */
};

/* The argument that --all-sizes varies. */
struct sized {
    int argument;         /* its number; -1: none is, but the number of work-items */
    const char *name;     /* what the size is called in formulas */
    const char *elements; /* the formula for buffers whose size was not given; NULL:
                             there is one size */
};

/* A file that has the kernel. */
struct version {
    const char *file;
    char *source, *build_options;
    const char *text;     /* what is compiled of the source */
    const char *left_out; /* what it lacks, in words; NULL: nothing */
    struct code code;
    char **variables; /* of the file itself: what they hold before a launch */
    void (*call)(uint64_t *arguments);
};

/* What is compiled: the file alone, without callers of its kernel. */
struct source version_source(const struct version *version);

/* Its text from code_describe(). In CUDA, `chosen` names a kernel that is made even if
 * it is one of a template's; NULL: those that are there. */
char *version_describe(struct version *version, const char *chosen, bool types);

/* Prints what was left out of the file, if anything was. */
void version_print_left_out(const struct version *version, FILE *out);

/* Looks up what calls the kernel, once its code is there. */
void version_find_call(struct version *version, const char *kernel);

/* The kernel, and what it is launched with. */
struct single {
    struct version own, ours; /* --ours; without a file: there is none */
    struct version *version;  /* the one that is launched */
    struct signature signature;
    struct slot slots[MAX_ARGUMENTS];
    struct run run; /* without what comes out */
    struct sized sized;
    size_t shared;         /* bytes of CUDA's `extern __shared__` memory */
    uint64_t n;            /* the size, if there are several */
    size_t first_local[3]; /* the size of groups that was guessed first */
    enum { AS_GUESSED, SHRUNK, KEPT } groups; /* KEPT: smaller ones did not help */
};

/* Text behind the file that calls the kernel; the caller frees it. */
char *single_callers(const struct single *single);

/* Gives the replay its arguments and the memory that it may touch, as copies.c does. */
void slots_bind(struct single *single, const struct call *call);

/* Before each replay: memory as it was, and sizes as they are now. */
void slots_fill(struct single *single);

/* What formulas are for the sizes of the launch: first of numbers, each of which may
 * name those before it, then of sizes.  `needs_all`: one that cannot be read is an
 * error. */
void slots_evaluate_numbers(struct single *single, bool needs_all);
void slots_evaluate(struct single *single);

/* The number that a formula is now, which may name the kernel's whole numbers, and the
 * sizes of the launch; false: it cannot be read. */
bool slots_number(const struct single *single, const char *formula, int64_t *number);

/* Is this the argument that --all-sizes varies? */
bool slot_is_size(const struct single *single, const struct slot *slot);

/* The value of a whole number; sets it, where one that its type does not have is an
 * error. */
int64_t slot_whole(const struct slot *slot);
void slot_put(struct slot *slot, int64_t number);

/* May the kernel write through the argument of that number? */
bool single_may_write(const struct single *single, size_t object);
/* The formula that was guessed for its size; NULL: it was given. */
const char *single_guessed_size(const struct single *single, size_t object);

/* The bytes from one element to the next; a vector of 3 takes as many as one of 4. */
size_t slot_element_bytes(const struct slot *slot);

/* The elements of an image as the host would keep it. */
struct element_type slot_texel_type(const struct image *image);

#endif
