/* work: how much arithmetic a block is, and how much of it has to wait for itself. */
#ifndef WORK_H
#define WORK_H

#include <stdbool.h>
#include <stddef.h>

/* What units of a GPU do.  An instruction on a vector is as many as it has elements. */
enum work {
    WORK_FMA,      /* multiply-adds of float */
    WORK_ADD,      /* float: a compiler may make one multiply-add of an addition ... */
    WORK_MULTIPLY, /* ... and a multiplication before it */
    WORK_DOUBLE,
    WORK_SPECIAL, /* functions that have a unit of their own: a sine, a root, a
                     reciprocal */
    WORK_WHOLE,   /* whole numbers, comparisons, conversions */
    WORKS
};

/* What every lane does in one execution of a block. */
struct effort {
    unsigned work[WORKS];
    /* In a block that is a loop of its own: how many float operations, and how many
     * loads, the next round has to wait for. */
    unsigned waits, waits_loads;
    /* 1: whether its loop goes on depends on what other work-items write. */
    unsigned polls;
};

/* So many instructions on whole numbers may be one on a GPU: a shift and an addition,
 * logic on three operands, and the part of an address that an access adds itself. */
enum { WHOLE_IN_ONE = 3 };

/* How long waiting is, in float operations: a load takes as long as some eight. */
static inline double work_length(double waits, double waits_loads) {
    return waits + 8.0 * waits_loads;
}

/* Does a function, its lines from `begin` to before `end`, keep values of type double?
 * If not, what is calculated in double is a part of a built-in function, for which a
 * GPU has other ways. */
bool work_has_doubles(char *const *lines, size_t begin, size_t end);

/* Adds an instruction of LLVM's language.  What no unit has to do, such as a
 * conversion of a pointer, is nothing. */
void work_add(struct effort *effort, const char *line, bool doubles);

/* Does the branch at the end of a block, its lines from `begin` to `end`, depend on a
 * volatile load or an atomic of this block?  (A compare-exchange that failed is tried
 * again; it waits for no one else.) */
bool work_polls(char *const *lines, size_t begin, size_t end);

/* Finds out what a round of a loop waits for, which is the block with that label: the
 * lines from `begin` to before `end`, phis first. */
void work_wait(struct effort *effort, char *const *lines, size_t begin, size_t end,
               const char *label);

#endif
