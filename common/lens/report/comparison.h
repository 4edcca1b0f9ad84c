/* comparison: a kernel beside ours, and beside kernels with known mistakes. */
#ifndef COMPARISON_H
#define COMPARISON_H

#include "replay/replay.h"

/* Reads the files that --ours and --mistake name, before the program may go elsewhere.
 * From then on they have numbers; 0 is ours, or the file that --instead names. */
void comparison_begin(void);
size_t comparison_files(void);
char *comparison_source(size_t file);

/* Need this file's kernel be replayed, too?  Not if it is known to be another one. */
bool comparison_needs(size_t file);

/* Prints the mistakes of the first launch that has some. */
void comparison_mistakes(const struct replay *own);

/* Compares the program's own replay with that of a file's kernel, on the same data;
 * NULL: there is no such kernel.  False: nothing can be learnt from this launch. */
bool comparison_add(size_t file, const struct replay *own, const struct replay *other);

/* --each: the program's own kernels are ours.  A launch of them begins; the replay of a
 * file's kernel is looked at, and compared with ours; it is distinguished from those of
 * other files; the file has no such kernel. */
void comparison_launch(void);
void comparison_each(size_t file, const struct replay *theirs,
                     const struct replay *ours);
void comparison_digest(size_t file, const struct replay *theirs,
                       const struct replay *ours);
void comparison_broken(size_t file);
/* Is nothing of a file known that differs from ours?  False before the first launch. */
bool comparison_is_same(size_t file);

/* Prints where the program's kernels first differ from ours, and which mistake that is.
 */
void comparison_end(void);

/* In a few fixed words, what came out beside mistakes. */
const char *comparison_verdict(void);

#endif
