/* waits: each time that the host has waited, what has the device left to do? */
#ifndef WAITS_H
#define WAITS_H

#include <stdbool.h>

#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>

/* While it is paused, this thread's calls are the lens's own, and not listened to. */
void waits_pause(bool pause);

/* The program asked for a launch, or for another command, after so many events. */
void waits_asked(const char *kind, bool blocking, cl_command_queue queue,
                 cl_uint wait_count, const cl_event *waits, const cl_event *event);

/* Tells what was counted, if that was wished for. */
void waits_report(void);

#endif
