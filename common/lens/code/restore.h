/* restore: brings back accesses that the compiler has removed, for --races. */
#ifndef RESTORE_H
#define RESTORE_H

/* What tells a load that was brought back from a `volatile` one of the source. */
#define RESTORED "!nontemporal"

/* Both are LLVM's text of a kernel file: before the compiler has optimised it, and
 * after that.  Returns the former with marks at each load and store of the reader's own
 * lines that have none left in the latter, so that the compiler will keep it, and with
 * calls of lens_aligned() where a vector's is one of a component now; NULL: all are
 * there.  The caller frees it.  The texts are taken apart. */
char *restore_accesses(char *raw, char *optimised);

#endif
