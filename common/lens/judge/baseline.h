/* baseline: what was found before, in a file: a line for each rule, file, kernel,
 * memory and text of a source line.  The line's number is not in it, so that an edit
 * above changes nothing. */
#ifndef BASELINE_H
#define BASELINE_H

#include "findings.h"

/* How such a file begins. */
#define BASELINE_BEGINS "# What cllens found: "

/* Is there such a file?  An empty one is none; one that is none is an error. */
bool baseline_is_there(const char *path);

/* Of the findings that fail, those that are no worse than in the file do not fail any
 * more.  A line whose text has changed takes the place of one that is gone.  Returns
 * how many lines of the file are better now. */
size_t baseline_forgive(const char *path);

/* Writes the file; that it cannot be written is an error. */
void baseline_write(const char *path);

#endif
