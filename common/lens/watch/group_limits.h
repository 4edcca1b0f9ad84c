/* group_limits: what a group needs, and what devices have. */
#ifndef GROUP_LIMITS_H
#define GROUP_LIMITS_H

#include "replay/replay.h"

/* Bytes of local memory that a group of this launch needs. */
size_t group_limits_local(const struct job *job);

/* Says once of a kernel that a group needs more than other devices have; and what the
 * device at hand has, which is 0 where there is none. */
void group_limits_note(const struct job *job, uint64_t device_local,
                       uint64_t device_items);

#endif
