/* queues: the program's queues, and the events that it sets itself.  The caller holds
 * the lock of intercept.c. */
#ifndef QUEUES_H
#define QUEUES_H

#include <stdbool.h>

#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>

void queue_add(cl_command_queue queue); /* NULL: none was made */
void queue_remove(cl_command_queue queue);

/* Waits until all queues have ended their commands, this one last. */
void queues_finish(cl_command_queue last);

/* Is there an event that the program has still to set? */
bool queues_may_wait(void);

/* A user event was made; it was set. */
void user_event_opened(void);
void user_event_closed(void);

/* Before a launch: waits until the commands before it in its queue, and those it waits
 * for, have ended.  True: that does not come, because they seem to wait for an event
 * which the program has still to set. */
bool queue_is_blocked(cl_command_queue queue, cl_uint wait_count,
                      const cl_event *waits);

#endif
