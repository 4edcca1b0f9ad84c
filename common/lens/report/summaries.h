/* summaries: what the table needs to know of each launch, until the program ends. */
#ifndef SUMMARIES_H
#define SUMMARIES_H

#include "lane_picture.h"
#include "totals.h"

enum { MAX_LAUNCHES = 8 }; /* that are shown of a kernel */

/* What is worth a picture, and how bad it is, or how good. */
struct candidate {
    struct cost cost;
    struct picture picture; /* without rows: there is none */
};

struct summary {
    size_t number, times;         /* how often it was made */
    unsigned lanes;               /* in a warp */
    bool shown, frequent, folded; /* by summaries_choose(); folded: into another one */
    size_t alike;                 /* launches that are folded into this one */
    uint64_t counts;              /* a digest of all that was counted */
    char *kernel, *scalars, *sizes; /* "n=4096 stride=2", "4,096 in 256" */
    const char *file;               /* of `lens check`, which has several; else NULL */
    size_t mistakes;                /* that its other replay found there */
    double busy;
    struct cost sectors, passes, addresses;            /* of the worst accesses */
    struct sums totals;                                /* of them all */
    char *sums;                                        /* the same in words */
    uint64_t branches, diverged, atomics, most_on_one; /* in all groups, estimated if
                                                          only some were replayed */
    bool local_atomics;                                /* some are on local memory */
    double barriers;                                   /* in a group */
    double lines, pages; /* of the busiest access, on average; 0: there is none */
    double l1_passes, ideal_l1_passes; /* of the global load that takes most of them, on
                                          average; 0: there is none */
    size_t groups, replayed;
    uint64_t moved, used; /* bytes of global memory and of images */
    struct candidate worst, divergence, waste, load;
    double at_least; /* in seconds; 0: not known */
    bool before;     /* of --against: the kernel before it was changed */
    bool limited;    /* only its beginning was counted */
    char *least;     /* the time that no device beats, in words; NULL: nothing to say */
    bool mostly;     /* the branch of `divergence` diverges more often than not */
};

extern struct summaries {
    struct summary **all;
    size_t count;
} summaries;

/* Keeps what came out of a launch.  `number` identifies it, together with the width of
 * its warps; a launch that is made again counts, but is not replayed.  `counts` is a
 * digest of all that was counted. */
void summary_add(const struct run *run, const struct facts *facts, size_t number,
                 uint64_t counts);
void summary_again(size_t number);

/* Writes what the table shows of the last launch, pictures apart, for another process
 * of this program; reads it there.  NULL: there is none. */
void summary_write(FILE *out);
struct summary *summary_read(FILE *in);

/* Has it been kept with warps of that width? */
bool summary_is_kept(size_t number, unsigned lanes);

/* Do so many of its lanes have nothing to do that this is what matters? */
bool summary_is_idle(const struct summary *summary);

/* Is less than half of what it moves used? */
bool summary_is_wasteful(const struct summary *summary);

/* Brings the launches of each kernel together and marks those that matter. */
void summaries_choose(void);

bool summary_same_kernel(const struct summary *one, const struct summary *other);

/* Does another launch that is shown differ from it in nothing but its work-items? */
bool summary_differs_by_sizes(const struct summary *summary);

/* The arguments in which this launch differs from others of its kernel, "  stride=2",
 * if so behind the kernel's name; the caller frees it. */
char *summary_label(const struct summary *summary, bool with_name);

#endif
