/* times: how long the device takes for launches, by its own clock.  The caller holds
 * the lock of intercept.c. */
#ifndef TIMES_H
#define TIMES_H

#include "watch/run.h"

#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>

/* A launch is about to be made: launches of the same number are the same. */
void times_begin(size_t number, const struct run *run);

/* The one that was begun has been enqueued, with this event. */
void times_enqueued(cl_event event);

/* Waits for all of them, and writes a row "time" for each number whose queue lets its
 * commands be timed.  Text for readers has a line. */
void times_report(void);

#endif
