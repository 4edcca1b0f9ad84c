/* svg: what all pictures in SVG begin with, and texts in them, whatever bytes they
 * have. */
#ifndef TEXT_SVG_H
#define TEXT_SVG_H

#include <stdbool.h>
#include <stdio.h>

/* A picture's size in pixels; and the rules of its style sheet, which are added to
 * those for texts and for the class "idle".  NULL: it has no style sheet. */
struct svg_head {
    unsigned width, height;
    bool scales;       /* does it grow with the place that a page gives it? */
    const char *light; /* on a light ground */
    const char *dark;  /* what differs on a dark one */
};

/* Opens the element `svg`; the caller closes it with SVG_END. */
void svg_begin(FILE *out, struct svg_head head);
#define SVG_END "</svg>\n"

/* A text at a place in pixels.  `attributes` begin with a blank, or are empty. */
void svg_text(FILE *out, double x, double y, const char *attributes, const char *text);

/* What stands between two tags.  What is no UTF-8, or no character of XML, becomes
 * U+FFFD. */
void svg_escaped(FILE *out, const char *text);

#endif
