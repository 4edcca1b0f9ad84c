/* drawing: a picture as text, and in the SVG file. */
#ifndef DRAWING_H
#define DRAWING_H

#include "picture.h"

/* Draws it as text, and into the SVG file if there is to be one; frees its rows. */
void draw_picture(struct picture *picture);

#endif
