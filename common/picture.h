/* picture: PNG files, through libpng. */
#ifndef PICTURE_H
#define PICTURE_H

#include <stddef.h>

/* Writes width x height pixels of three bytes each (red, green, blue), row by row from
 * the top, to a PNG file.  What cannot be written is an error. */
void picture_write(const char *path, size_t width, size_t height,
                   const unsigned char *rgb);

#endif
