/* writer: writes pieces of FizzBuzz on a device, with step 20's table.
 *
 * A device may fail (see fizzbuzz/part.h), so each function returns the status of the
 * first call that failed. */
#ifndef WRITER_H
#define WRITER_H

#include "fizzbuzz/pages.h"
#include "fizzbuzz/text_buffer.h"
#include "fizzbuzz/text_check.h"

/* What one thread of the host has on a device: a queue, a kernel and buffers.  A kernel
 * keeps its arguments, so two threads must not share one. */
struct writer {
    const struct backend *backend;
    cl_command_queue queue;
    struct pages *pages;        /* the kernel, and the table */
    struct text_check *weighed; /* the weights of its pages */
    struct text_buffer memory;  /* where it writes */
    const char *text;           /* where the host finds what was fetched */
    double block_ms;            /* of its last piece: to write, and to fetch, a block */
    size_t pieces, lines; /* that it has written, and that are right if looked at */
    cl_int status;        /* how it ended, for its user to set */
    bool breaks, slow;    /* to try it: fails after its first; each takes 20 ms more */
};

/* Makes all of that for the kernel `name` of the device's program. */
cl_int writer_open(struct writer *writer, const struct backend *backend,
                   const char *name);
void writer_close(struct writer *writer);

/* Blocks of the longest piece that it can write, or that it can also bring to the host
 * at once. */
size_t writer_max_blocks(const struct writer *writer, bool fetch);

/* Writes a piece on the device, and waits.  With `fetch` the host then finds it at
 * writer->text, until the next call.  With `check` all of it is compared: what is wrong
 * is named, and the status is WRONG_TEXT. */
cl_int writer_write(struct writer *writer, struct piece piece, bool fetch, bool check);

/* Writes one piece, as long as can be, of each range of equally long numbers between
 * the two lines.  The buffer and its guards hold no text before; then all of it is
 * compared. Call it for one writer of a device before several work at the same time:
 * PoCL 5.0 loads a kernel again for each larger launch, and stops when it mixes these
 * up, as it does if two run at once.  So the largest launch comes first. */
cl_int writer_try(struct writer *writer, cl_ulong first, cl_ulong end, bool fetch);

/* The same lines written by the host, to the file descriptor `out`; false when its
 * reader has gone (see fizzbuzz/text.h). */
bool writer_on_host(int out, struct piece piece);

#endif
