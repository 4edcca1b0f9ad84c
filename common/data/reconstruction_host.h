/* reconstruction_host: the host's own way from the phases of a hologram back to its
 * points, in double; see data/reconstruction.h. */
#ifndef RECONSTRUCTION_HOST_H
#define RECONSTRUCTION_HOST_H

#include "data/light.h"

struct way {
    struct light *light;
    cl_uint width, height, n;
    cl_float2 *seen; /* what the device has found */
    unsigned char *phase;
    double *paths, *row; /* (re, im) of a distance, of a row of pixels, twice */
    cl_mem phase_buffer, seen_buffer;
};

/* Is what is seen in the phases right?  Names the first pixel that is not. */
bool way_light_right(const struct way *way);

#endif
