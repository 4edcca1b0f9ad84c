/* recorder: records launches once, so that one call enqueues all of them again and
 * again.  These are the calls of an extension of OpenCL, cl_khr_command_buffer. */
#ifndef RECORDER_H
#define RECORDER_H

#include "kernel.h"

/* An extension's calls are looked up by name.  Headers and drivers have several
 * versions of this extension, in which these five calls are the same. */
struct recorder {
    void *commands; /* what is recorded; NULL where the device cannot record */
    double ms;      /* that the recording took */
    void *(*create)(cl_uint, const cl_command_queue *, const void *flags, cl_int *);
    cl_int (*launch)(void *, cl_command_queue, const void *, cl_kernel,
                     cl_uint dimensions, const size_t *offset, const size_t *global,
                     const size_t *local, cl_uint, const cl_uint *waits, cl_uint *done,
                     void **handle);
    cl_int (*finalize)(void *);
    cl_int (*replay)(cl_uint, cl_command_queue *, void *, cl_uint,
                     const cl_event *waits, cl_event *);
    cl_int (*release)(void *);
};

/* Begins a recording for the device's queue, adds a launch to it, and ends it.  Nothing
 * is recorded where the device cannot: then `commands` stays NULL. */
void recorder_begin(struct recorder *recorder, struct device *device);
void recorder_add(const struct recorder *recorder, const struct launch *launch);
void recorder_end(struct recorder *recorder);

/* Enqueues all that is recorded, in one call; and releases it. */
void recorder_replay(const struct recorder *recorder);
void recorder_release(struct recorder *recorder);

#endif
