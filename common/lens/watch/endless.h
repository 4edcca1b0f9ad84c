/* endless: proves that a group never ends. */
#ifndef ENDLESS_H
#define ENDLESS_H

#include "replay/warps.h"

/* A group begins. */
void endless_group(void);

/* A work-item accesses memory that is not its own; an asynchronous copy writes. */
void endless_access(const struct access *access, enum kind kind);
void endless_write(const void *address, size_t bytes);

/* The work-item that runs has changed this by an atomic. */
void endless_changed(const void *place);

/* A warp has gone on.  Is the group in a state in which it was before, so that it never
 * ends? */
bool endless_is(const struct warp *warp);

/* Does it wait for what the host shares, and may change at any time? */
bool endless_may_end(void);

/* Adds that to the mistakes, and stops the replay. */
void endless_report(struct replay *replay, struct warp *warp);

#endif
