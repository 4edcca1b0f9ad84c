/* widths: one launch, with warps of several widths. */
#ifndef WIDTHS_H
#define WIDTHS_H

#include "run.h"

/* The launch of `run`, which is still to be made, with warps of so many lanes instead;
 * memory is left as it was, and nothing is printed.  run_end() releases what came out.
 */
struct run widths_run(const struct run *run, unsigned lanes);

#endif
