/* launching: the launch that `lens kernel` makes; or many, of other sizes. */
#ifndef LAUNCHING_H
#define LAUNCHING_H

#include "arguments_given.h"

/* Fills the memory and replays the launch, and as long as what was guessed does not
 * suit the kernel, again with other guesses; run_end() releases what came out. */
struct run single_launch_guessed(struct single *single);

/* The same with the guesses that there are, and warps of so many lanes; nothing that
 * the kernel prints is printed. */
struct run single_launch_wide(struct single *single, unsigned lanes);

/* The same with this version of the kernel, on such a GPU; also looks for `mistakes`.
 * Nothing but that and memory comes out, and nothing is printed. */
struct run single_launch_trial(struct single *single, struct version *version,
                               const struct model *model, bool mistakes);

/* ---- Of a kernel that is launched with one size after another. */
/* Sets the size, and what formulas of it are numbers for. */
void single_set_size(struct single *single, uint64_t n);
/* From now on warps have so many lanes, and run in this order. */
void single_set_warps(struct single *single, unsigned lanes, enum order order);
/* The range, in work-items. */
void single_set_range(struct single *single, unsigned dimensions,
                      const size_t global[3], const size_t local[3]);

/* Fills the memory and replays the launch, as it is. */
struct run single_launch(struct single *single);

/* The same with the kernel of --ours.  What it has written is kept until the end of it.
 */
struct run single_launch_ours(struct single *single);
void single_end_ours(const struct single *single, struct run *run);

#endif
