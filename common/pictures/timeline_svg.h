/* timeline_svg: timelines as a picture. */
#ifndef TIMELINE_SVG_H
#define TIMELINE_SVG_H

#include "pictures/timeline.h"

/* Writes an SVG picture, which has colours for light and for dark grounds. */
void timeline_svg(const struct timeline *timelines, int count, FILE *out);

#endif
