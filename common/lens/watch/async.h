/* async: copies by a whole group, which go on until the group waits for them. */
#ifndef ASYNC_H
#define ASYNC_H

#include "replay/replay.h"

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

void async_group(void); /* a new group begins */
void async_stop(void);  /* the launch has ended */

/* An item has come to a copy, at which it then waits for the others; returns the event.
 * The others must say the same; else that is a mistake. */
uintptr_t async_call(struct replay *replay, const struct async_copy *call);

/* All items of the group have come to the same copy, wait or barrier. */
void async_meet(void);

/* Is there a copy to be made now?  From then on it goes on beside the items. */
const struct async_copy *async_due(void);
void async_begun(void);

/* Looks at an access while copies go on: it must keep off what they write, and must not
 * write what they read. */
void async_touch(struct replay *replay, const struct access *access);

/* An item waits for these events. */
void async_wait(struct replay *replay, unsigned item, unsigned site, size_t count,
                const uintptr_t *events);

/* The group ends: no copy may go on. */
void async_group_end(struct replay *replay);

#endif
