/* reconstruction: what is seen in a hologram.  Light of strength 1 that has the phases
 * of the hologram goes back to the depth of the object, where it must gather in its
 * points.  The step's kernel file has hologram_phase, _shine and _back. */
#ifndef RECONSTRUCTION_H
#define RECONSTRUCTION_H

#include "data/light.h"

/* Times the way from the light that is in the field to its phases, and back to `depth`
 * (0: that of the points), as a row of the report, which says whether phases and light
 * are right.  A sentence says how bright the points are, unless they are at another
 * depth.  `path` is where a picture of the light goes, or NULL. */
void reconstruct(struct step *step, struct light *light, double depth,
                 const char *path);

#endif
