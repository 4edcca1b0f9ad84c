/* reconstruction_host: the host's own way from the phases of a hologram back to its
 * points, in double; see reconstruction.h. */
#ifndef RECONSTRUCTION_HOST_H
#define RECONSTRUCTION_HOST_H

#include "points.h"

struct way {
    struct device *device;
    const struct points *points;
    cl_uint width, height, n;
    const cl_float2 *light; /* of the field */
    cl_float2 *seen;        /* what the device has found */
    unsigned char *phase;
    double *paths, *row; /* (re, im) of a distance, of a row of pixels, twice */
    cl_mem phase_buffer, seen_buffer;
};

/* Are the phases right, and is what is seen in them?  Both name the first pixel that is
 * wrong.  The phases are compared with the field as the device has found it. */
bool way_phases_right(const struct way *way);
bool way_light_right(const struct way *way);

#endif
