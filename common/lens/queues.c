/* queues: which there are, and which events the program has still to set. */
#include "queues.h"
#include "memory.h"

static struct {
    cl_command_queue *queues;
    size_t queue_count, open_events;
} known;

void queue_add(cl_command_queue queue) {
    if (queue)
        *GROW(known.queues, known.queue_count) = queue;
}

/* Others may still use it, so that it is removed with its last user. */
void queue_remove(cl_command_queue queue) {
    cl_uint users = 0;
    clGetCommandQueueInfo(queue, CL_QUEUE_REFERENCE_COUNT, sizeof users, &users, NULL);
    for (size_t i = 0; i < known.queue_count && users == 1; i++)
        if (known.queues[i] == queue)
            known.queues[i] = NULL;
}

void queues_finish(cl_command_queue last) {
    for (size_t i = 0; i < known.queue_count; i++)
        if (known.queues[i] && known.queues[i] != last)
            clFinish(known.queues[i]);
    clFinish(last);
}

void user_event_opened(void) {
    known.open_events++;
}

void user_event_closed(void) {
    known.open_events -= known.open_events > 0;
}

bool user_event_is_open(void) {
    return known.open_events > 0;
}
