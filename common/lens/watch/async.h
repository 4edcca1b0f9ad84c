/* async: copies by a whole group, which go on until the group waits for them. */
#ifndef ASYNC_H
#define ASYNC_H

#include "mistake.h"

/* A call of async_work_group_copy or of its strided sister.  Steps are in elements. */
struct async_copy {
    uintptr_t to, from, event; /* the event: as it was given, or 0 */
    size_t count, bytes;       /* of elements; of one */
    size_t to_step, from_step;
    unsigned item, site; /* of the call; see the next two */
};

/* The sites at which the copy of a call reads and writes. */
#define COPY_READS(site) ((site)-2)
#define COPY_WRITES(site) ((site)-1)

struct begun; /* a copy, and how far it is; see async.c */

/* Makes the copies of kernels that mistakes are looked for in.  Looks for COPY_DIFFERS,
 * WAIT_DIFFERS, BAD_EVENT and NEVER_WAITED; `strictly`: also for a RACE with a copy
 * that goes on.  There is one at a time. */
struct async {
    struct observer observer;
    struct mistakes *mistakes;
    bool strictly;
    struct begun *copies; /* of this group */
    size_t copy_count, pending;
    uintptr_t events; /* how many there are */
    struct wait {     /* what the first item at a wait has given */
        uintptr_t *events;
        size_t count;
        unsigned item, site;
        bool open; /* not all are there yet */
    } wait;
};
struct async async_observer(struct mistakes *mistakes, bool strictly);

#endif
