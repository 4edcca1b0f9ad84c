/* pages: a kernel that writes pages of FizzBuzz from step 20's table, and that table on
 * the device.
 *
 * Steps 20b and 21 use it.  Step 20 makes its own table, because that is its lesson;
 * its tests compare the functions of both, word for word. */
#ifndef PAGES_H
#define PAGES_H

#include "fizzbuzz/backend.h"
#include "fizzbuzz/fizzbuzz.h"
#include "step.h"

/* The table of a page.  `fixed` holds the bytes that are the same on every page, and a
 * zero byte for each digit that is not.  `windows` holds a byte for each word of four
 * bytes: through which of 12 windows the missing digits are seen, and of which
 * hundreds, counted from the first of the page.  That is STRIDE * hundreds + window. */
enum { MAX_VECTORS = 40 * FIZZBUZZ_MAX_DIGITS + 235, STRIDE = 13 };
struct table {
    struct piece of; /* the first piece that it was made for */
    cl_uchar fixed[16 * MAX_VECTORS];
    cl_uchar windows[4 * MAX_VECTORS];
};

struct pages {
    cl_kernel kernel;
    cl_mem fixed_buffer, windows_buffer;
    struct table table; /* what these two hold */
};

/* The kernel `name` of the step's file, and buffers for the table. */
struct pages pages_new(struct step *step, const char *name);

/* The same on a device that may fail: returns the status of the first call that did. */
cl_int pages_open(struct pages *pages, const struct backend *backend, const char *name);
void pages_close(struct pages *pages);

/* Gives the kernel its arguments for a piece, which it is to write to `text_buffer`; if
 * the table is another piece's, a new one is copied to the device first.  Returns a
 * status, too. */
cl_int pages_set(struct pages *pages, cl_command_queue queue, cl_mem text_buffer,
                 struct piece piece);

#endif
