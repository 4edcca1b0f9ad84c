/* single: `lens kernel FILE CALL`, a kernel without a host program and without a
 * driver.
 */
#ifndef SINGLE_H
#define SINGLE_H

#include "call.h"
#include "replay/replay.h"
#include "signature.h"

/* Launches a kernel of the file and reports that.  `call` says which and with what, see
 * call.h; NULL: all is guessed.  Returns the exit status. */
int alone_run(const char *file, const char *call);

/* ---- The same kernel with one size after another, for all_sizes.c. */
struct sized {
    int argument;         /* the number of the one that is the size; -1: none is */
    const char *name;     /* what the size is called in formulas */
    const char *elements; /* the formula for buffers whose size was not given */
};

/* Reads the file, and finds the kernel that is meant; then compiles it, and makes of
 * the call what is launched.  All that is wrong is an error. */
const struct signature *alone_open(const char *file, const struct call *call);
void alone_bind(const struct call *call, const struct sized *sized);

/* Sets the size; then what a formula is for it; then the range, in work-items. */
void alone_set_size(uint64_t n);
bool alone_number(const char *formula, int64_t *number);
void alone_set_range(unsigned dimensions, const size_t global[3],
                     const size_t local[3]);

/* Fills the memory and replays the launch; replay_end() releases what came out. */
struct replay alone_launch(void);

/* The same for one size; and what is guessed grows or shrinks until it suits. */
struct replay alone_launch_guessed(void);

/* May the kernel write through this argument? */
bool alone_may_write(size_t object);
/* The formula that was guessed for its size; NULL: it was given. */
const char *alone_guessed_size(size_t object);

/* "sum(x[n]=random, n)"; or with the numbers of the last launch, as it can be typed.
 * A line with what of it was guessed; the launch's range as options. */
void alone_print_call(FILE *out, bool as_given);
void alone_print_guesses(FILE *out);
void alone_print_range(FILE *out);

#endif
