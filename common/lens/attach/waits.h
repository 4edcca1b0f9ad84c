/* waits: each time that the host has waited, what has the device left to do? */
#ifndef WAITS_H
#define WAITS_H

#include <stdbool.h>

#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>

/* While it is paused, this thread's calls are the lens's own, and not listened to. */
void idle_pause(bool pause);

/* The program has enqueued a launch or another command, which waits for these events.
 */
void idle_enqueued(const char *kind, bool blocking, cl_command_queue queue,
                   cl_uint wait_count, const cl_event *waits, const cl_event *event);

/* Prints the counts, if --waits is given; was there one? */
bool idle_report(void);

#endif
