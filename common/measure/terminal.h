/* terminal: lines that a terminal has room for. */
#ifndef TERMINAL_H
#define TERMINAL_H

#include <stdbool.h>
#include <stdio.h>

/* Where `out` is a terminal of known width, a stream to it that breaks longer lines at
 * blanks, further in than they begin, so that no word or number is cut; else `out`. */
FILE *terminal_fit(FILE *out);

/* How many columns the terminal has that `out` goes to; 0 if it goes elsewhere, or is
 * of unknown width. */
size_t terminal_columns(FILE *out);

/* Is it a terminal, or such a stream? */
bool terminal_is(FILE *out);

#endif
