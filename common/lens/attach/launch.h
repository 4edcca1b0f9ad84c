/* launch: one launch of the program: replayed, then reported, compared, or replaced.
 * The caller holds the lock of intercept.c. */
#ifndef LAUNCH_H
#define LAUNCH_H

#include "copies.h"

/* Begins a launch of these sizes, in work-items; `local` NULL: the lens chooses. */
void launch_set_range(struct run *run, cl_uint dimensions, const size_t *offset,
                      const size_t *global, const size_t *local);

/* Before the device gets the launch: replays it if that is asked for, and if it is not
 * `blocked` (queues.h).  A mistake ends the program with status 1 where the device
 * might not survive it. */
void launch_before(cl_command_queue queue, cl_kernel id, bool blocked, struct run *run,
                   struct copies *copies);

/* A launch goes to the device without being looked at, for this reason; NULL: that has
 * been printed before.  Any thread may call it. */
void launch_hide(const char *kernel, const char *why);

/* After it: overwrites the buffers (--instead), or compares them (--compare). */
void launch_after(cl_command_queue queue, struct copies *copies);

/* Was there a launch that was looked at?  One that could not be? */
bool launches_seen(void);
bool launches_hidden(void);

/* Prints what there is to say at the end of the program; does anything fail? */
bool launches_end(void);

#endif
