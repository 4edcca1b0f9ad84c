/* text_buffer: a device's memory for a text, between two guards, and what of it the
 * host has fetched.
 *
 * A GPU copies the text to pinned memory; a CPU's memory is the host's, so it is
 * mapped. Each function returns the status of the first call that failed (see
 * fizzbuzz/part.h). */
#ifndef TEXT_BUFFER_H
#define TEXT_BUFFER_H

#include "fizzbuzz/part.h"

struct text_buffer {
    cl_command_queue queue;
    bool is_cpu;
    cl_mem whole, buffer; /* the second, for kernels, lies between the first's guards */
    cl_mem pinned;        /* NULL for a CPU */
    char *text;           /* where the host finds what was fetched */
    size_t fetched;       /* bytes there */
};

/* Room for `bytes` bytes, of which at most `max_fetched` are fetched at once.  The
 * queue is the caller's. */
cl_int text_buffer_open(struct text_buffer *buffer, const struct device *device,
                        cl_command_queue queue, size_t bytes, size_t max_fetched);
void text_buffer_close(struct text_buffer *buffer);

/* The first `bytes` bytes, and the guards, hold no text. */
cl_int text_buffer_poison(struct text_buffer *buffer, size_t bytes);

/* Brings bytes to the host, which has them until they are released; a launch may write
 * to the buffer only then. */
cl_int text_buffer_fetch(struct text_buffer *buffer, size_t first, size_t bytes);
cl_int text_buffer_release(struct text_buffer *buffer);

/* Did a launch write its first `bytes` bytes at most?  The bytes in front of them and
 * behind them are looked at; what is wrong is named, and the status is WRONG_TEXT. */
enum { WRONG_TEXT = 1 }; /* OpenCL's own statuses are 0 or negative */
cl_int text_buffer_check(struct text_buffer *buffer, size_t bytes);

#endif
