/* reconstruction: what is seen in a hologram.  Light of strength 1 that has the phases
 * of the hologram goes back to the depth of the object, where it must gather in its
 * points.  The step's kernel file has hologram_phase, _shine and _back. */
#ifndef RECONSTRUCTION_H
#define RECONSTRUCTION_H

#include "points.h"

/* Times the way from the field, which the host has in `light`, to its phases and back
 * to `depth`, as a row of the report; and returns whether phases and light are right.
 * A sentence says how bright the points are, unless they are at another depth.  `path`
 * is where a picture of the light goes, or NULL. */
bool reconstruct(struct step *step, const struct points *points, cl_mem field,
                 const cl_float2 *light, double depth, const char *path);

#endif
