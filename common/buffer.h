/* buffer: memory on the device, and the copies to and from it.
 *
 * Every buffer lies between two guards, and all memory that is not written yet is NaN:
 *
 *     NaN NaN NaN | x[0] x[1] ... x[n-1] | NaN NaN NaN
 *
 * So an index that is off by one turns the result into NaN, a result that was never
 * written is NaN, and an out-of-bounds write shows in its guards. */
#ifndef BUFFER_H
#define BUFFER_H

#include "device.h"

enum { GUARD_BYTES = 1 << 16 }; /* a multiple of every device's alignment */

/* A buffer of `bytes` bytes, all NaN. */
cl_mem buffer_new(struct device *device, size_t bytes);

/* A buffer of `bytes` bytes that holds a copy of `data`. */
cl_mem buffer_from(struct device *device, const void *data, size_t bytes);

/* Pinned memory of the host: its pages stay where they are, so that the device copies
 * from and to it without the host's help.  Use it as the host pointer of commands that
 * read or write a buffer and do not wait.  In OpenCL it is a buffer in the host's
 * memory that is mapped once and stays mapped.  device_close() releases it. */
void *buffer_pinned(struct device *device, size_t bytes);

/* Copies `bytes` bytes between host and device, and waits.  Reading a buffer whose
 * guards were overwritten ends the program as WRONG. */
void buffer_write(struct device *device, cl_mem buffer, const void *data, size_t bytes);
void buffer_read(struct device *device, cl_mem buffer, void *data, size_t bytes);

/* Makes numbers tiny (see data.h), here and in the buffer that has a copy of them. */
void buffer_make_tiny(struct device *device, cl_mem buffer, float *numbers,
                      size_t count);

/* Makes every element NaN again, so that a launch has to write it. */
void buffer_poison(struct device *device, cl_mem buffer);

#endif
