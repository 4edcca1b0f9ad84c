/* shock_picture: the picture that steps 16 and 16b filter, as floats with padding, and
 * whether every pixel has become what is expected.  Each of the steps has a filter of
 * its own in plain C. */
#ifndef SHOCK_PICTURE_H
#define SHOCK_PICTURE_H

#include "pictures/png.h"
#include "step.h"

/* A picture, and the same as floats: `height` rows of `width` pixels, which are
 * multiples of 1/256.  The channels of a coloured picture lie below each other, with
 * two rows of 0 between them, so that each has all that is beside a picture: 0.
 *
 * A row has `pitch` floats, so that each begins where a cache line does, and all rows
 * `count`.  Those behind a row's pixels are NaN: a kernel that takes one is wrong. */
struct shock_picture {
    struct picture picture;
    size_t width, height, pitch, count;
    float *pixels;
};

/* The PNG file `input`; or, if that is NULL, a drawing of about `size` pixels, with
 * `width` pixels (NULL: 16 for each 9 rows) in a row, and film grain from --seed. */
struct shock_picture shock_picture_make(struct step *step, const char *input,
                                        size_t size, const char *width);

/* Writes what has become of the pixels to a PNG file. */
void shock_picture_write(const struct shock_picture *shock, const float *pixels,
                         const char *path);

/* Is every pixel what is expected?  Names the first that is not.  Sums agree to the
 * last bit, because they have the kernels' order.  After a pass that sharpens `old`
 * (else NULL), only the slope and the last difference may be rounded differently.  A
 * quarter of the slope is what a pixel changed by.  OpenCL allows its root to be wrong
 * by 3 units in the last place; the host's root, and the squares on both sides, add
 * less than 2.  The difference is wrong by half a unit, on either side. */
bool shock_picture_equal(const struct shock_picture *shock, const float *found,
                         const float *expected, const float *old);

#endif
