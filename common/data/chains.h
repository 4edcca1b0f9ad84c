/* chains: work that only takes time, for steps about when and where work-items run.
 *
 * Each work-item has a chain of multiply-adds, x = x * x - 1.94, each of which needs
 * the one before.  It wanders about between -1.94 and 1.83, and there is no shorter way
 * to its end.  A step says how many of them are a round, and where a chain ends. */
#ifndef CHAINS_H
#define CHAINS_H

#include "data/units.h"
#include "step.h"

struct chains {
    struct step *step;
    cl_uint *rounds, cheap; /* of each chain; and of most */
    cl_uint state;          /* of random numbers */
    float *ends, *out;
    cl_mem starts_buffer, rounds_buffer;
};

/* Chains for `count` work-items, whose ends the step's function finds on the host.
 * Pieces of `piece` neighbours have nearly as many rounds as each other, like the
 * pixels of one object: most have `cheap`, and about one piece of `rare` has
 * `expensive`.  Every other chain, at random, has one round more, so that a work-item
 * cannot take its neighbour's number.  Buffers are 1024 elements longer than that, so
 * that a kernel that goes on too far finds ordinary rounds and comes to an end. */
struct chains chains_new(struct step *step, size_t count, size_t piece, size_t rare,
                         size_t cheap, size_t expensive,
                         float end_on_host(float start, size_t rounds));

/* A launch of the first n chains.  `moments` receives a ulong4 from each work-item:
 * when and where it ran. */
struct chains_task {
    cl_uint n;
    cl_mem out, moments;
    struct launch launch;
};

/* Launches: does each work-item write the end of its chain over what is there, another
 * number each time?  If not, names the first that does not. */
bool chains_right(struct chains *chains, const struct chains_task *task);

/* Adds to a picture which unit had which group when, as units_draw() does for a launch
 * of `ms` milliseconds.  Groups are "extra" that have an expensive chain, or that begin
 * after the first `enough` work-items.  Returns false if what work-items have recorded
 * cannot be true: expensive chains must take longer than cheap ones. */
bool chains_draw(const struct chains *chains, const struct chains_task *task,
                 size_t enough, double ms, struct timeline *picture);

/* How many rounds the first n chains have. */
double chains_rounds(const struct chains *chains, size_t n);

#endif
