/* before_after: what a launch does in all, before a kernel was changed and after that.
 */
#ifndef BEFORE_AFTER_H
#define BEFORE_AFTER_H

#include "summaries.h"

/* Prints a line for each sum that has changed, and what is the same in both. */
void before_after_print(const struct summary *before, const struct summary *after);

#endif
