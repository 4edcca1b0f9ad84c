/* seen: what begin.c, inside of the program, tells start.c: a byte for each, through
 * the pipe whose number LENS_SEEN has. */
#ifndef SEEN_H
#define SEEN_H

/* The library is loaded; it has reported; and some launch could not be looked at. */
enum { SAW_PROGRAM = 'p', SAW_LAUNCH = 'l', SAW_HIDDEN = 'h' };

#endif
