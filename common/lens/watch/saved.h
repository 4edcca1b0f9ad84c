/* saved: what a launch may write, as it was before, so that it can be made again. */
#ifndef SAVED_H
#define SAVED_H

#include "replay/replay.h"

/* Is it such memory? */
bool saved_is(const struct object *object);

/* How many bytes the kernel may write. */
size_t saved_bytes(const struct job *job);

/* Copies so many bytes; and puts them back. */
void saved_keep(const struct job *job, char *to);
void saved_put_back(const struct job *job, const char *from);

#endif
