/* crash: says so when the driver ends our program, because of a kernel's mistake, such
 * as an access far outside of a buffer, or because it cannot go on; or when the driver
 * does not return, because a kernel never ends. */
#ifndef CRASH_H
#define CRASH_H

#include "options.h"

#include <CL/cl.h>

/* From here on a signal that the driver causes ends the program with CANNOT_RUN and a
 * message that names the kernel that was launched last.  So does a driver that calls
 * exit(1), which would say that a result is wrong: LLVM does where it cannot write. */
void crash_watch(const struct options *options);

/* From here on, an exit is the program's own. */
void crash_done(void);

/* What the message needs to know: the file that is being compiled (NULL: none is), the
 * name of a kernel, and which one gets its arguments or is launched. */
void crash_compiling(const char *file);
void crash_name(cl_kernel kernel, const char *name);
void crash_kernel(cl_kernel kernel);

/* Between these two the program is in an OpenCL call; call_ends() returns `status`.  If
 * no call has begun or ended for PATIENCE (300, unless the environment has it;
 * 0: for ever), and one has still to end, the program ends with CANNOT_RUN and names
 * it.  Under the lens, whose replays take long, it waits. */
void call_begins(const char *call);
cl_int call_ends(cl_int status);

#endif
