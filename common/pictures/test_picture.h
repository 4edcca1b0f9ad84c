/* test_picture: a picture to be filtered, for a step that is given none. */
#ifndef TEST_PICTURE_H
#define TEST_PICTURE_H

#include "pictures/png.h"
#include "step.h"

/* About `size` grey pixels from 1 to 255, `width` (NULL: 16 for each 9 rows) in a row.
 *
 * They are drawn once; a large picture is a mosaic, because a GPU needs more pixels
 * than a host can draw in a second.  Grain of four levels, from --seed, makes no two
 * places alike. */
struct picture test_picture(struct step *step, size_t size, const char *width);

#endif
