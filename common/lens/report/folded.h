/* folded: launches that are too many to be shown, as one line for each kernel. */
#ifndef FOLDED_H
#define FOLDED_H

#include <stdbool.h>
#include <stdio.h>

/* A launch of this kernel is not shown.  Of its arguments, "n=4096 stride=2", those
 * matter that are not the same in `shown`, those of a launch that is (NULL: all do). */
void folded_add(const char *kernel, const char *scalars, const char *shown);

/* "and 1992 more of scan with other n: 9 to 2000", a line for each kernel. */
void folded_print(FILE *out);

#endif
