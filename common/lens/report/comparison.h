/* comparison: a kernel beside ours, and beside kernels with known mistakes. */
#ifndef COMPARISON_H
#define COMPARISON_H

#include "watch/run.h"

/* Reads ours, or the file that stands in its place, and those of `known` mistakes,
 * whose names are lines; NULL: there are none.  From then on they have numbers, from 0
 * for ours.  `each`: of each of them is said what it is; false: only which one is
 * meant. */
void comparison_begin(const char *ours, const char *known, bool each);
size_t comparison_files(void);
char *comparison_source(size_t file);

/* Need this file's kernel be replayed, too?  Not if it is known to be another one. */
bool comparison_needs(size_t file);

/* Prints the mistakes of the first launch that has some. */
void comparison_mistakes(const struct run *own);

/* Compares the program's own replay with that of a file's kernel, on the same data;
 * NULL: there is no such kernel.  False: nothing can be learnt from this launch. */
bool comparison_add(size_t file, const struct run *own, const struct run *other);

/* From now on of these arguments, whose names are lines, only the sum of all elements
 * must be that of ours: which work-item leaves what is free.  NULL: of none. */
void comparison_totals(const char *names);

/* The first difference between a launch and that of ours, in words, and as a row where
 * rows are wanted; the caller frees it.  NULL: there is none. */
char *comparison_difference(const struct run *own, const struct run *ours);

/* --each: the program's own kernels are ours.  A launch of them begins; the replay of a
 * file's kernel is looked at, and compared with ours; it is distinguished from those of
 * other files; the file has no such kernel. */
void comparison_launch(void);
void comparison_each(size_t file, const struct run *theirs, const struct run *ours);
void comparison_digest(size_t file, const struct run *theirs, const struct run *ours);
void comparison_broken(size_t file);

/* Prints where the program's kernels first differ from ours, and which mistake that is.
 */
void comparison_end(void);

/* In a few fixed words, what came out beside mistakes. */
const char *comparison_verdict(void);

#endif
