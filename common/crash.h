/* crash: says so when a kernel's mistake, such as an access far outside of a buffer,
 * ends the driver of a CPU device, and with that our program. */
#ifndef CRASH_H
#define CRASH_H

#include "options.h"

#include <CL/cl.h>

/* From here on a signal that the driver causes ends the program with CANNOT_RUN and a
 * message that names the kernel that was launched last. */
void crash_watch(const struct options *options);

/* What the message needs to know: the file that is being compiled (NULL: none is), the
 * name of a kernel, and which one gets its arguments or is launched. */
void crash_compiling(const char *file);
void crash_name(cl_kernel kernel, const char *name);
void crash_kernel(cl_kernel kernel);

#endif
