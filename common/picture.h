/* picture: PNG files, through libpng. */
#ifndef PICTURE_H
#define PICTURE_H

#include <stddef.h>

/* Pixels, row by row from the top, of `channels` bytes each: 1 for grey, 3 for red,
 * green and blue. */
struct picture {
    size_t width, height, channels;
    unsigned char *pixels;
};

/* Reads a PNG file of any kind; transparent pixels become white.  The caller frees
 * `pixels`.  A file that is missing, broken or above 2^28 pixels is an error. */
struct picture picture_read(const char *path);

/* Writes a PNG file; a file that cannot be written is an error. */
void picture_write(const char *path, const struct picture *picture);

#endif
