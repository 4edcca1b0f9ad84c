/* pool: the devices that share the work of step 21, and the workers on them. */
#ifndef POOL_H
#define POOL_H

#include "fizzbuzz/host_writer.h"
#include "report.h"

#include <pthread.h>

enum { MAX_EACH = 3, MAX_WORKERS = MAX_EACH * MAX_BACKENDS };
enum { NO_DEVICE = MAX_BACKENDS }; /* that breaks, or is slow */

/* A thread of the host, and what it has on a device. */
struct worker {
    struct writer writer;
    void *shared; /* what all workers on a job have in common */
    pthread_t thread;
};

struct pool {
    struct backend devices[MAX_BACKENDS];
    struct worker workers[MAX_WORKERS]; /* `each` of device 0, `each` of device 1 ... */
    size_t count, each;                 /* devices; workers of each */
    struct device together;             /* what the report calls them */
};

/* Opens the devices (see backends_open) and `each` workers for every one, with the
 * kernel `name`.  A number in `breaks` or `slow` that no device has is an error. */
void pool_open(struct pool *pool, const struct options *options, size_t parts,
               size_t each, const char *name, size_t breaks, size_t slow);
void pool_close(struct pool *pool);

/* A sentence for each device: what it is, how many lines it has written, how it failed.
 */
void pool_say(struct report *report, const struct pool *pool);

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

/* The workers that do a job: those of device i, or for i = pool->count all. */
struct team {
    struct worker *workers;
    size_t count, each;
};
struct team pool_team(struct pool *pool, size_t device);

/* Tries each of its devices with the longest pieces of the job (see writer_try): false
 * if a text is wrong.  A device that fails leaves the job to the others. */
bool team_try(struct team team, struct job job);

/* Starts a thread work(&worker) for each worker, who finds `shared` there; waits until
 * they have ended: true if none of their writers has failed. */
void team_start(struct team team, void *(*work)(void *), void *shared);
bool team_join(struct team team);

#endif
