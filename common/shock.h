/* shock: what the steps about the shock filter share, which are 16 and 16b: the
 * picture, and the filter in plain C. */
#ifndef SHOCK_H
#define SHOCK_H

#include "picture.h"
#include "step.h"

/* A picture, and the same as floats: `height` rows of `width` pixels, which are
 * multiples of 1/256.  The channels of a coloured picture lie below each other, with
 * two rows of 0 between them, so that each has all that is beside a picture: 0. */
struct shock {
    struct picture picture;
    size_t width, height;
    float *pixels;
};

/* The PNG file `input`; or, if that is NULL, a drawing of about `size` pixels, with
 * `width` pixels (NULL: 16 for each 9 rows) in a row, and film grain from --seed. */
struct shock shock_picture(struct step *step, const char *input, size_t size,
                           const char *width);

/* Writes what has become of the pixels to a PNG file. */
void shock_write(const struct shock *shock, const float *pixels, const char *path);

/* One pass of the filter.  Rows lie one after another without padding, and all that is
 * beside the picture is 0.  The pixels of the first pass must be multiples of 1/256
 * from 0 to 1: then only a root and a difference are rounded. */
void shock_on_host(const float *in, float *out, size_t width, size_t height);

/* May one pass over such pixels give `found`?  OpenCL allows a root to be wrong by
 * 3 units in the last place.  It is below 2, and a quarter of it is taken, so that is
 * 0.75 * FLT_EPSILON.  The difference is below 2, too, and is rounded twice at most, on
 * the device and on the host, by half a unit each. */
bool shock_is_near(float found, float expected);

#endif
