/* queues: which there are, and which events the program has still to set. */
#define _POSIX_C_SOURCE 200809L /* nanosleep */
#include "queues.h"
#include "base/memory.h"
#include "settings.h"

#include <time.h>

static struct {
    cl_command_queue *queues;
    size_t queue_count, open_events, events_set;
    cl_command_queue blocked; /* the last queue that was, */
    size_t blocked_after;     /* after so many events had been set */
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

bool queues_may_wait(void) {
    return known.open_events > 0;
}

void user_event_opened(void) {
    known.open_events++;
}

void user_event_closed(void) {
    known.open_events -= known.open_events > 0;
    known.events_set++;
}

static bool has_ended(cl_event event) {
    cl_int status = CL_COMPLETE; /* below it: an error */
    clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status,
                   NULL);
    return status <= CL_COMPLETE;
}

/* A marker ends when what it waits for has: nothing of OpenCL says earlier whether a
 * command waits for the program.  One that has not ended after a second waits. */
static bool ends_soon(cl_command_queue queue, cl_uint wait_count,
                      const cl_event *waits) {
    enum { TRIES = 1000 };
    const struct timespec ms = {.tv_nsec = 1000000};
    cl_event marker;
    bool ended = false;
    if (clEnqueueMarkerWithWaitList(queue, wait_count, waits, &marker) != CL_SUCCESS)
        return false;
    clFlush(queue);
    for (int i = 0; i < TRIES && !(ended = has_ended(marker)); i++)
        nanosleep(&ms, NULL);
    clReleaseEvent(marker);
    return ended;
}

bool queue_is_blocked(cl_command_queue queue, cl_uint wait_count,
                      const cl_event *waits) {
    const bool is_known =
        known.blocked == queue && known.blocked_after == known.events_set;
    if (known.open_events == 0) {
        if (wait_count > 0)
            clWaitForEvents(wait_count, waits);
        return false;
    }
    if (settings->instead) /* which waits for all queues */
        return true;
    if (!is_known && ends_soon(queue, 0, NULL) &&
        (wait_count == 0 || ends_soon(queue, wait_count, waits)))
        return false;
    known.blocked = queue;
    known.blocked_after = known.events_set;
    return true;
}
