/* hologram: points that shine on a plane of pixels, and whether a kernel has found what
 * their light adds up to there.  For step 17 and 17b, each of which has a host
 * reference of its own.
 *
 * A point is what kernels need of it, a float4:
 *
 *     x, y      its place in pixels; pixel (0, 0) is in the upper left corner
 *     turns     by how much its light's phase grows with each squared pixel of distance
 *     radians   the same, times 2 pi
 *
 * (Fresnel: light that came from depth z, dx and dy pixels aside, has come about
 * z + (dx^2 + dy^2) * pitch^2 / 2z, and its phase is that in wavelengths.) */
#ifndef HOLOGRAM_H
#define HOLOGRAM_H

#include "step.h"

struct hologram {
    struct device *device;
    cl_float4 *points;
    cl_uint point_count, width, height, n; /* n: pixels, width x height */
    double depth;                          /* the mean z of the points, in metres */
    cl_mem points_buffer, field_buffer;
    cl_float2 *field;             /* of the last launch: real and imaginary part */
    cl_double2 *expected;         /* NaN: not known yet */
    size_t first_row, every_rows; /* the host adds up this row, and each so many on */
    double error;                 /* in these rows: root mean square, relative */
};

/* A picture in 16 : 9 of --size pixels at most, or as many as `sizes` says, and the
 * points in front of it.  Prints how many pixels and points there are.
 *
 * Without a path they are a tube in a trefoil knot: 15,984 points, or one for each
 * eighth pixel if that is less.  A smaller picture is a part of the plane, and has a
 * smaller knot, as much nearer.  --seed moves the points along the knot.
 *
 * A file has lines "x y z" in millimetres: x to the right and y down from the picture's
 * middle, and z away from it.  A line that is anything else is an error, and so is a
 * point that is too near, for one of two reasons.  From one pixel to the next its phase
 * grows by more than half a turn, so that pixels cannot show which way it goes; or
 * Fresnel's phase is wrong by more than an eighth of a turn at some pixel.  (What goes
 * from pixel to pixel by differences, as in step 17, or has factors for rows and
 * columns, as in step 17b, needs Fresnel's phase: that of the exact distance allows
 * neither.)
 *
 * What is expected is up to the step, which adds it up in the rows of pixels
 * `first_row`, `first_row + every_rows` and so on: there it is 0 so far.  That is all
 * rows, or as many as have about `host_pairs` pairs of a pixel and a point.  The others
 * are then what the first launch finds that is checked; the launches after it have to
 * agree with that. */
struct hologram hologram_make(struct step *step, const struct sizes *sizes,
                              const char *path, double host_pairs);

/* One point in front of a small picture, with nothing but its light to be right: the
 * errors of many points, which hide a small one, are not there.  The point is beside
 * the picture's middle, so many pixels to the left of it and below.  Prints nothing.
 */
struct hologram hologram_of_one(struct step *step, float left, float below,
                                float turns);

/* Launches, and says whether the light is as expected at each pixel; if not, names the
 * first that is wrong.  The launch must replace what it finds in the buffer: nothing
 * yet (NaN), or, `again`, other numbers.
 *
 * The light of n points whose phases are random is about as strong as that of sqrt(n),
 * and their errors add up likewise: so a pixel's real and imaginary part may be off by
 * `bound` * sqrt(n), and by as much more as a picture is wider than 1920 pixels. */
bool hologram_right(struct hologram *hologram, const struct launch *launch,
                    double bound, bool again);

/* By how many turns the phase of light from depth `z` (in metres) grows with each
 * squared pixel of distance. */
double hologram_turns_at(double z);

#endif
