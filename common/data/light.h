/* light: what the light of points adds up to at each pixel of a hologram, and whether a
 * kernel has found it. */
#ifndef LIGHT_H
#define LIGHT_H

#include "data/points.h"

struct light {
    struct device *device;
    struct points points;
    cl_uint n; /* pixels */
    cl_mem points_buffer, field_buffer;
    cl_float2 *field;     /* of the last launch: real and imaginary part */
    cl_double2 *expected; /* NaN: not known yet */
    size_t first, each;   /* the rows of pixels that the host has added up */
    char note[32];        /* "error 1.2e-05" in these: root mean square, relative */
};

/* Prints how many pixels and points there are; points for which Fresnel's phase is
 * wrong are an error (see points_paraxial).  Makes buffers for kernels; and what is
 * expected: sums in double, on the host, of products of factors (see step 17b), which
 * takes about a second for 10^9 pairs of a pixel and a point.  If there are more of
 * them, it does so for every so many rows of pixels only.  The others are then what the
 * first launch finds that is checked; the launches after it have to agree with that. */
struct light light_make(struct step *step, struct points points);

/* The light of one point on a small picture, with nothing but that to be right: the
 * errors of many points, which hide a small one, are not there.  Prints nothing.  A
 * point is beside the picture's middle, so many pixels to the left of it and below. */
struct light light_of_one(struct step *step, float left, float below, float turns);

/* Launches, and says whether each pixel is as expected; if not, names the first that is
 * wrong.  The launch must replace what it finds in the buffer: nothing yet (NaN), or,
 * `again`, other numbers.
 *
 * The light of n points whose phases are random is about as strong as that of sqrt(n),
 * and their errors add up likewise: so a pixel's real and imaginary part may be off by
 * `bound` * sqrt(n), and by as much more as a picture is wider than 1920 pixels. */
bool light_right(struct light *light, const struct launch *launch, double bound,
                 bool again);

/* Launches, twice, a kernel (and those that follow it) that writes the phase of each
 * pixel in `field_buffer` to `buffer`, in 256 steps of which the last is the first
 * one's neighbour; reads it, and names the first that is off by more than half a step.
 * The launch must replace what it finds: phases that are half a turn from those in
 * `phase`. */
bool light_phase_right(struct light *light, const struct launch *launch, cl_mem buffer,
                       unsigned char *phase);

#endif
