/* hits: what rays from above meet, marbles on a board; the data of step 14.
 *
 * They are in no order, as in a path tracer, whose rays have bounced.  Material 0 is
 * the board's, and each marble has one of the others. */
#ifndef RAY_HITS_H
#define RAY_HITS_H

#include "step.h"

struct hits {
    cl_uint n, width;        /* a pixel for each hit, `width` of them in a row */
    cl_uint *pixel;          /* its number, row by row */
    unsigned char *material; /* from 0 to materials - 1 */
    float *at[4]; /* x and y of the point, and of the surface's normal, of length 1 */
};

/* Makes `n` hits, other ones for each --seed, in memory of the step. */
struct hits hits_make(struct step *step, cl_uint n, unsigned materials);

/* What the lanes of a warp meet on average if they take the hits by a list of places
 * within partitions: materials, and in an array of floats cache lines of 128 bytes and
 * pages of 4096. */
struct met {
    double materials, lines, pages;
};
struct met hits_met(struct step *step, const struct hits *hits, const cl_uint *list,
                    size_t partition);

/* Writes the picture, with a colour 0xRRGGBB for each hit, as a PNG file. */
void hits_write(const struct hits *hits, const cl_uint *colours, const char *path);

#endif
