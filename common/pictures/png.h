/* png: PNG files, through libpng. */
#ifndef PICTURES_PNG_H
#define PICTURES_PNG_H

#include <stddef.h>

/* Pixels, row by row from the top, of `channels` bytes each: 1 for grey, 3 for red,
 * green and blue. */
struct picture {
    size_t width, height, channels;
    unsigned char *pixels;
};

/* Reads a PNG file of any kind; transparent pixels become white.  The caller frees
 * `pixels`.  A file that is missing, broken or above 2^28 pixels is an error. */
struct picture png_read(const char *path);

/* Writes a PNG file; a file that cannot be written is an error. */
void png_write(const char *path, const struct picture *picture);

#endif
