/* picture_text: a picture as text, and in the SVG file. */
#ifndef PICTURE_TEXT_H
#define PICTURE_TEXT_H

#include "lane_picture.h"

/* The columns of a report's screen: 96, or fewer on a narrower terminal. */
size_t screen_columns(void);

/* Draws it as text, and into the SVG file if there is to be one; frees its rows. */
void draw_picture(struct picture *picture);

/* The same with its legend in whole sentences, which say last what it costs.  Where its
 * rows are alike, the first of them are enough, unless --whole asks for all. */
void draw_explained(struct picture *picture, bool alike);

/* Prints a text, in several lines if it does not fit into one. */
void print_wrapped(const char *text);
/* The same; all lines but the first one begin with so many blanks. */
void print_hanging(const char *text, size_t indent);

/* Prints what is to be typed for more, "--all", behind the words which say so: as the
 * reader has to type it, because make's script says what called it. */
void print_command(const char *what, const char *lens_options);

#endif
