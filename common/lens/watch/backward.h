/* backward: looks for mistakes in a second order of warps and groups. */
#ifndef BACKWARD_H
#define BACKWARD_H

#include "run.h"

/* Makes a launch as run_launch() does.  A small one in which nothing was found it makes
 * again, the last group and the last warp first; what it finds then is what came out.
 * Memory is left as the first of both has. */
void backward_run(struct run *run);

#endif
