/* chains: work that only takes time, for steps about when and where work-items run.
 *
 * Each work-item has a chain of multiply-adds, x = x * x - 1.94, each of which needs
 * the one before.  It wanders about between -1.94 and 1.83, and there is no shorter way
 * to its end.  64 of them are a round. */
#ifndef CHAINS_H
#define CHAINS_H

#include "step.h"
#include "units.h"

struct chains {
    struct step *step;
    cl_uint *rounds, cheap; /* of each chain; and of most */
    float *ends, *out;
    cl_mem starts_buffer, rounds_buffer;
};

/* Chains for `count` work-items.  Pieces of `piece` neighbours have nearly as many
 * rounds as each other, like the pixels of one object: most have `cheap`, and about one
 * piece of `rare` has `expensive`.  Every other chain, at random, has one round more,
 * so that a work-item cannot take its neighbour's number.  Buffers are 1024 elements
 * longer than that, so that a kernel that goes on too far finds ordinary rounds and
 * comes to an end. */
struct chains chains_new(struct step *step, size_t count, size_t piece, size_t rare,
                         size_t cheap, size_t expensive);

/* Launches: does each of the first n work-items write the end of its chain over
 * `before`?  If not, names the first wrong one. */
bool chains_right(const struct chains *chains, const struct launch *launch,
                  cl_mem out_buffer, size_t n, float before);

/* What a work-item records: a ulong4 for each in `moments_buffer`.  Adds to a picture
 * which unit had which group of the launch when, as units_draw() does for a launch of
 * `ms` milliseconds: "extra" are groups with an expensive chain, and all that begin
 * after the first `enough` work-items. */
bool chains_draw(const struct chains *chains, const struct launch *launch,
                 cl_mem moments_buffer, size_t n, size_t enough, double ms,
                 struct timeline *picture);

/* How many floating-point operations the first n chains have. */
double chains_flops(const struct chains *chains, size_t n);

#endif
