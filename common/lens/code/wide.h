/* wide: makes one access of what CUDA copies at once. */
#ifndef WIDE_H
#define WIDE_H

/* LLVM's text of a kernel file that is not optimised yet.  Returns it with a load and a
 * store of a vector in place of each copy of up to 16 bytes that lie as a vector lies:
 * of equal numbers, and aligned to all of their bytes.  The caller frees it; `raw` is
 * taken apart. */
char *wide_copies(char *raw);

#endif
