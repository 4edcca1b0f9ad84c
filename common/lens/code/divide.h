/* divide: a whole number that is divided by 0, or the smallest one by -1. */
#ifndef DIVIDE_H
#define DIVIDE_H

#include <stdbool.h>
#include <stdio.h>

/* Does a line of LLVM's text divide whole numbers, by something that is not known? */
bool divide_is(const char *line);

/* Writes what asks the replay about each divisor, and returns the line with what it
 * answers in place of them; the caller frees it. */
char *divide_guarded(const char *line, unsigned site, FILE *out);

#endif
