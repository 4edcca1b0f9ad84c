/* points: the points of an object that shines, for the steps about holograms.
 *
 * A point is what kernels need of it, a float4:
 *
 *     x, y      its place in pixels; pixel (0, 0) is in the upper left corner
 *     turns     by how much its light's phase grows with each squared pixel of distance
 *     radians   the same, times 2 pi
 *
 * (Fresnel: light that came from depth z, dx and dy pixels aside, has come about
 * z + (dx^2 + dy^2) * pitch^2 / 2z, and its phase is that in wavelengths.) */
#ifndef POINTS_H
#define POINTS_H

#include "step.h"

struct points {
    cl_float4 *at;
    cl_uint count, width, height; /* points, and pixels of the picture */
    double depth;                 /* the mean z, in metres */
};

/* A picture in 16 : 9 of --size pixels at most, or as many as `sizes` says, and the
 * points in front of it.
 *
 * Without a path they are a tube in a trefoil knot: 15,984 points, or one for each
 * eighth pixel if that is less.  A smaller picture is a part of the plane, and has a
 * smaller knot, as much nearer.  --seed moves the points along the knot.
 *
 * A file has lines "x y z" in millimetres: x to the right and y down from the picture's
 * middle, and z away from it.  A line that is anything else is an error, and so is a
 * point that is too near: from one pixel to the next its phase grows by more than half
 * a turn, so that pixels cannot show which way it goes. */
struct points points_make(struct step *step, const struct sizes *sizes,
                          const char *path);

/* By how many turns the phase of light from depth `z` (in metres) grows with each
 * squared pixel of distance. */
double points_turns_at(double z);

/* By how many turns Fresnel's phase is wrong at most, of all points and pixels; more
 * than an eighth of a turn is an error that names the point.  Whatever goes from pixel
 * to pixel by differences (step 17), or has factors for rows and columns (step 17b),
 * needs Fresnel's phase: that of the exact distance allows neither. */
double points_paraxial(const struct points *points);

#endif
