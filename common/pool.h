/* pool: the devices that share the work of step 21, and the writers on them. */
#ifndef POOL_H
#define POOL_H

#include "report.h"
#include "writer.h"

enum { MAX_EACH = 3, MAX_WRITERS = MAX_EACH * MAX_BACKENDS };
enum { NO_DEVICE = MAX_BACKENDS }; /* that breaks, or is slow */

struct pool {
    struct backend devices[MAX_BACKENDS];
    struct writer writers[MAX_WRITERS]; /* `each` of device 0, `each` of device 1 ... */
    size_t count, each;                 /* devices; writers of each */
    struct device together;             /* what the report calls them */
};

/* Opens the devices (see backends_open) and `each` writers for every one, with the
 * kernel `name`.  A number in `breaks` or `slow` that no device has is an error. */
void pool_open(struct pool *pool, const struct options *options, size_t parts,
               size_t each, const char *name, size_t breaks, size_t slow);
void pool_close(struct pool *pool);

/* Lines to be written, and what became of them. */
struct job {
    cl_ulong first, end; /* the first line, and the one behind the last */
    bool fetch, check;   /* to the host; and each byte is compared */
    int out;             /* where the text goes, or -1 */
};
struct outcome {
    bool wrong, unread; /* is a text wrong?  Has its reader gone? */
    size_t lost;        /* pieces that the host wrote */
    double ms;
};

/* Times the job with each device alone and with all: run(pool, i, job) does it with
 * device i, or for i = pool->count with all.  These runs alternate.  The first of each,
 * and one of all at the end, are checked.  Prints their rows, with `way` in their
 * names; of more than four devices only the best one alone, unless options->all is set.
 * Returns how many times faster all are than that; 0 where a device failed, because
 * there is nothing to compare then. */
struct ratio
pool_compare(struct report *report, struct pool *pool, const char *way, struct job job,
             struct outcome (*run)(struct pool *pool, size_t device, struct job job));

/* A sentence for each device: what it is, how many lines it has written, how it failed.
 */
void pool_say(struct report *report, const struct pool *pool);

#endif
