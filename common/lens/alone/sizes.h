/* sizes: the sizes of a launch that `lens kernel` makes. */
#ifndef SIZES_H
#define SIZES_H

#include "code/code.h"
#include "replay/replay.h"

/* What was asked for with --global, --grid, --local and --build; NULL: not given. */
struct range_asked {
    const char *global, *grid, *local, *build;
};

/* Fills in the sizes: those that were asked for, or else those that the kernel requires
 * (0: it does not), or else guessed ones, in as many `dimensions` as it asks for.
 * Sizes that do not go together are an error. */
void range_choose(struct job *job, const struct range_asked *asked,
                  const size_t required[3], unsigned dimensions);

/* Sizes that do not go together are an error. `build` has options of clBuildProgram,
 * or is NULL. */
void range_check(const struct job *job, const char *build, const size_t required[3]);

/* Makes groups, whose size was guessed, about half as large; false: each is one
 * work-item. */
bool range_shrink(struct job *job);

/* Reads "4096" or "64,32", the value of this option, as "--local"; returns how many
 * sizes there are, and sets the others to 1.  All else is an error. */
unsigned range_read(const char *option, const char *text, size_t sizes[3]);

/* Groups that are too large, or not what the kernel requires, are an error. */
void range_check_local(const char *kernel, const size_t local[3],
                       const size_t required[3]);

/* And so are blocks and grids that are larger than the language allows.  (CUDA
 * Programming Guide, "Technical Specifications per Compute Capability".) */
void range_check_block(enum language language, const size_t local[3]);
void range_check_grid(enum language language, const struct job *job);

#endif
