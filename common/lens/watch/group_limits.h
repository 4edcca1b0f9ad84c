/* group_limits: what a group needs, and what devices have. */
#ifndef GROUP_LIMITS_H
#define GROUP_LIMITS_H

#include "replay/replay.h"

enum { PROMISED_LOCAL = 32768, USUAL_ITEMS = 1024 };

/* Bytes of local memory that a group of this launch needs. */
size_t limits_local(const struct replay *replay);

/* Says once of a kernel that a group needs more than other devices have; and what the
 * device at hand has, which is 0 where there is none. */
void limits_note(const struct replay *replay, uint64_t device_local,
                 uint64_t device_items);

#endif
