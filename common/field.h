/* field: the light at the pixels of a hologram, and whether a kernel has found it. */
#ifndef FIELD_H
#define FIELD_H

#include "points.h"

struct field {
    struct device *device;
    struct points points;
    cl_uint n, rows;              /* pixels, and rows of them that the host checks */
    double *light;                /* (re, im) of the pixels of these rows, in double */
    cl_float2 *found;             /* what a kernel has found, of all pixels */
    cl_mem points_buffer, buffer; /* of float4 and of float2 */
};

/* The host needs about a second for 10^9 pairs of a pixel and a point.  If there are
 * more of them, it has every so many rows only, and the last one. */
struct field field_make(struct step *step, struct points points);

/* Launches, and checks: every pixel must be written, and those that the host has must
 * be near.  A launch must overwrite what it finds, which is NaN, or `again` numbers
 * that no light has.
 *
 * Each of N sines may be off by a little, by more or less, so that a sum of them is off
 * by about as much times sqrt(N): 1e-3 sqrt(N) is allowed.  `error` is the root mean
 * square of all errors, relative to the light. */
bool field_right(const struct field *field, const struct launch *launch, bool again,
                 double *error);

#endif
