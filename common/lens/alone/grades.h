/* grades: what a race does to the results. */
#ifndef GRADES_H
#define GRADES_H

#include "arguments_given.h"

#include <stdio.h>

/* Makes a small launch that races at other widths of warps and in other orders, and
 * prints a line that says where its results are right.  Right are those of `fixed`, the
 * same kernel without a race; if it is NULL, or if its own results depend on widths or
 * orders, it is not known what is right, and the line says what they depend on.
 * What was filled for the launch is lost. */
void grade_print(struct single *single, FILE *out, const struct run *run,
                 struct version *fixed);

#endif
