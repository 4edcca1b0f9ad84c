/* single: `lens kernel FILE CALL`, a kernel without a host program and without a
 * driver.
 */
#ifndef SINGLE_H
#define SINGLE_H

#include "arguments_given.h"
#include "report/reporting.h"

/* Reads the settings, for a kernel in this language, and tells all other floors of
 * them; the functions below do it themselves. */
void single_begin(enum language language);

/* Launches a kernel of the file and reports that.  `call` says which and with what, see
 * call.h; NULL: all is guessed.  Returns the exit status. */
int single_run(const char *file, const char *call);

/* The same for one of the two replays that `lens check` makes of a launch: what comes
 * out is reported and kept, but not judged.  Returns what was looked at, and how many
 * mistakes were found. */
struct looked single_check(const char *file, const char *call, size_t *mistakes);

/* ---- The same kernel with one size after another, for all_sizes.c. */
/* Reads the file, and finds the kernel that is meant; then compiles it, and makes of
 * the call what is launched.  All that is wrong is an error. */
void single_open(struct single *single, const char *file, const struct call *call);
void single_bind(struct single *single, const struct call *call,
                 const struct sized *sized);

#endif
