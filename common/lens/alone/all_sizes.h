/* all_sizes: `lens kernel FILE CALL --all-sizes`, a small exhaustive proof. */
#ifndef ALL_SIZES_H
#define ALL_SIZES_H

/* Launches a kernel of the file at each size, in groups, warps and orders of several
 * kinds, and looks for mistakes.  Reports that there are none, or the smallest case
 * that has one.  `call` is that of alone_run().  Returns the exit status. */
int all_sizes_run(const char *file, const char *call);

#endif
