/* judge: a kernel beside ours, and beside kernels with known mistakes. */
#ifndef JUDGE_H
#define JUDGE_H

#include "lens.h"

/* Reads the files that --ours and --mistake name, before the program may go elsewhere.
 * From then on they have numbers; 0 is ours, or the file that --instead names. */
void judge_begin(void);
size_t judge_files(void);
char *judge_source(size_t file);

/* Need this file's kernel be replayed, too?  Not if it is known to be another one. */
bool judge_asks(size_t file);

/* Tells the mistakes of the first launch that has some. */
void judge_mistakes(const struct replay *own);

/* Compares the program's own replay with that of a file's kernel, on the same data;
 * NULL: there is no such kernel.  False: nothing can be learnt from this launch. */
bool judge_compare(size_t file, const struct replay *own, const struct replay *other);

/* --each: the program's own kernels are ours.  A launch of them begins; the replay of a
 * file's kernel is looked at, and compared with ours; it is told from those of other
 * files; the file has no such kernel. */
void judge_launch(void);
void judge_each(size_t file, const struct replay *theirs, const struct replay *ours);
void judge_digest(size_t file, const struct replay *theirs, const struct replay *ours);
void judge_broken(size_t file);
/* Does a file compile of which no kernel was replayed?  opencl.c */
bool judge_compiles(size_t file);

/* Tells where the program's kernels first differ from ours, and which mistake that is.
 */
void judge_end(void);

#endif
