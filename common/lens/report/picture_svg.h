/* picture_svg: pictures in the file that --svg names. */
#ifndef PICTURE_SVG_H
#define PICTURE_SVG_H

#include "lane_picture.h"

/* Adds a picture below those that are there. */
void svg_draw(const struct picture *picture);

/* Prints the pictures as they are so far, with their colours if `styled`; were there
 * any? */
bool svg_print(FILE *file, bool styled);

/* Writes the file, unless there is no picture; was there one?  A file that cannot be
 * written is an error. */
bool svg_end(void);

#endif
