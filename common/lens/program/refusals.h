/* refusals: options that exclude or need one another; each is an error. */
#ifndef REFUSALS_H
#define REFUSALS_H

#include <stdbool.h>

/* Reports go to stdout. */
void need_stdout(void);

/* Warps of several widths are compared in one table, which has nothing else in it. */
void refuse_several_widths(void);

/* Two versions of a kernel are compared in one table, which has nothing else in it. */
void refuse_with_against(void);

/* Sizes of a launch that exclude one another, or that the kernel of this file cannot
 * have. */
void refuse_sizes(const char *file, bool all_sizes);

/* Options of programs. */
void refuse_combinations(void);

/* What of a program or a kernel cannot be judged. */
void refuse_judging(void);

#endif
