/* writer: writes pieces of FizzBuzz on a device, with step 20's table, and brings them
 * to the host.
 *
 * Its memory of the text lies between two guards.  A GPU copies the text to pinned
 * memory; a CPU's memory is the host's, so it is mapped.  A device may fail (see
 * fizzbuzz/backend.h), so each function returns the status of the first call that
 * failed. */
#ifndef WRITER_H
#define WRITER_H

#include "fizzbuzz/pages.h"
#include "fizzbuzz/text_check.h"

enum { WRONG_TEXT = 1 }; /* a status; OpenCL's own are 0 or negative */

/* What one thread of the host has on a device: a queue, a kernel and buffers.  A kernel
 * keeps its arguments, so two threads must not share one. */
struct writer {
    const struct backend *backend;
    cl_command_queue queue;
    struct pages *pages;       /* the kernel, and the table */
    struct text_check *check;  /* the weights of its pages */
    cl_mem whole, text_buffer; /* the second, for kernels, is between the guards */
    cl_mem pinned_buffer;      /* NULL for a CPU */
    char *text;                /* where the host finds what was fetched */
    size_t fetched;            /* bytes there */
};

/* Makes all of that for the kernel `name` of the device's program. */
cl_int writer_open(struct writer *writer, const struct backend *backend,
                   const char *name);
void writer_close(struct writer *writer);

/* Blocks of the longest piece that it can write, or that it can also bring to the host
 * at once. */
size_t writer_max_blocks(const struct writer *writer, bool fetch);

/* Writes a piece on the device, and waits.  With `fetch` the host then finds it at
 * writer->text, until the next call. */
cl_int writer_write(struct writer *writer, struct piece piece, bool fetch);

/* Is every byte right of the piece that was written last?  What is wrong is named, and
 * the status is WRONG_TEXT. */
cl_int writer_check(struct writer *writer, struct piece piece);

/* Writes one piece, as long as can be, of each range of equally long numbers between
 * the two lines.  The buffer and its guards hold no text before; then all of it is
 * checked, and so are the guards.  Call it for one writer of a device before several
 * work at the same time: PoCL 5.0 loads a kernel again for each larger launch, and
 * stops when it mixes these up, as it does if two run at once.  So the largest launch
 * comes first. */
cl_int writer_try(struct writer *writer, cl_ulong first, cl_ulong end, bool fetch);

#endif
