/* waits: listens when the program enqueues copies and launches, and when the host
 * waits. What the host has waited for has ended, and so has all that had to end before:
 * what came earlier in a queue that keeps its order, and the events that a command
 * waited for.  All other commands are pending.  If there are none, the device idles
 * until the host enqueues again.  There is no clock in this, so the counts are the same
 * on every machine. */
#include "waits.h"
#include "base/machine.h"
#include "base/mean.h"
#include "base/memory.h"
#include "base/rows.h"
#include "code/source_lines.h"
#include "next_functions.h"
#include "settings.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct command { /* pending: enqueued, and not known to have ended */
    size_t number;
    const char *kind; /* "read", "launch" */
    bool ended;
    cl_command_queue queue;
    cl_event event; /* NULL: the program wanted none */
    size_t *before; /* numbers of commands that end before this one begins */
    size_t before_count;
};

struct wait { /* all that go by one name */
    char name[64];
    size_t times, left, idle; /* commands left, in all; times that there were none */
};

static struct {
    struct command *commands; /* by number */
    struct wait *waits;
    size_t command_count, enqueued, wait_count;
    pthread_mutex_t mutex;
} host = {.mutex = PTHREAD_MUTEX_INITIALIZER};

static const char barrier[] = "barrier", marker[] = "marker";
static _Thread_local unsigned paused; /* so many times */

void idle_pause(bool pause) {
    paused += pause ? 1 : -1u;
}

static bool listens(void) {
    return settings->waits && !paused;
}

/* ---- Pending commands. */
static struct command *with_event(cl_event event) {
    for (size_t i = host.command_count; i-- > 0;)
        if (host.commands[i].event == event)
            return &host.commands[i];
    return NULL; /* it has ended; or we do not listen to the call that made it */
}

static bool keeps_order(cl_command_queue queue) {
    cl_command_queue_properties properties = 0;
    clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES, sizeof properties, &properties,
                          NULL);
    return !(properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
}

/* In order, a command waits for the one before it; else for the last barrier.  Barriers
 * and markers that name no events wait for all. */
static void add_before(struct command *command, cl_uint wait_count,
                       const cl_event *waits) {
    const bool in_order = keeps_order(command->queue);
    const bool for_all =
        wait_count == 0 && (command->kind == barrier || command->kind == marker);
    for (cl_uint i = 0; i < wait_count; i++) {
        const struct command *other = with_event(waits[i]);
        if (other)
            *GROW(command->before, command->before_count) = other->number;
    }
    for (size_t i = host.command_count; i-- > 0;) {
        const struct command *other = &host.commands[i];
        if (other->queue != command->queue ||
            (!in_order && !for_all && other->kind != barrier))
            continue;
        *GROW(command->before, command->before_count) = other->number;
        if (!for_all || in_order)
            break;
    }
}

static void end_number(size_t number, size_t below) {
    while (below-- > 0 && host.commands[below].number >= number)
        if (host.commands[below].number == number)
            host.commands[below].ended = true;
}

/* Removes what has ended, and what had to end before. */
static void remove_ended(void) {
    size_t left = 0;
    for (size_t i = host.command_count; i-- > 0;) {
        const struct command *command = &host.commands[i];
        for (size_t b = 0; command->ended && b < command->before_count; b++)
            end_number(command->before[b], i);
    }
    for (size_t i = 0; i < host.command_count; i++)
        if (host.commands[i].ended)
            free(host.commands[i].before);
        else
            host.commands[left++] = host.commands[i];
    host.command_count = left;
}

/* ---- The host has waited. */
static void waited(const char *how, const char *what) {
    char name[sizeof host.waits->name];
    size_t i = 0;
    snprintf(name, sizeof name, "%s%s", how, what);
    while (i < host.wait_count && strcmp(host.waits[i].name, name) != 0)
        i++;
    if (i == host.wait_count) {
        *GROW(host.waits, host.wait_count) = (struct wait){.times = 0};
        strcpy(host.waits[i].name, name);
    }
    remove_ended();
    host.waits[i].times++;
    host.waits[i].left += host.command_count;
    host.waits[i].idle += host.command_count == 0;
}

VISIBLE cl_int clFinish(cl_command_queue queue) {
    REAL(clFinish);
    const cl_int status = real_clFinish(queue);
    if (!listens())
        return status;
    pthread_mutex_lock(&host.mutex);
    for (size_t i = 0; i < host.command_count; i++)
        host.commands[i].ended |= host.commands[i].queue == queue;
    waited("clFinish", "");
    pthread_mutex_unlock(&host.mutex);
    return status;
}

VISIBLE cl_int clWaitForEvents(cl_uint count, const cl_event *events) {
    REAL(clWaitForEvents);
    const cl_int status = real_clWaitForEvents(count, events);
    const char *kind = "command that had ended";
    if (!listens())
        return status;
    pthread_mutex_lock(&host.mutex);
    for (cl_uint i = 0; i < count; i++) {
        struct command *command = with_event(events[i]);
        if (command) {
            kind = command->kind;
            command->ended = true;
        }
    }
    waited(count > 1 ? "for several events" : "for a ", count > 1 ? "" : kind);
    pthread_mutex_unlock(&host.mutex);
    return status;
}

/* ---- The host enqueues something. */
void idle_enqueued(const char *kind, bool blocking, cl_command_queue queue,
                   cl_uint wait_count, const cl_event *waits, const cl_event *event) {
    if (!listens())
        return;
    pthread_mutex_lock(&host.mutex);
    struct command command = {.number = host.enqueued++, .kind = kind, .queue = queue};
    command.event = event ? *event : NULL;
    command.ended = blocking;
    add_before(&command, wait_count, waits);
    *GROW(host.commands, host.command_count) = command;
    if (blocking)
        waited("blocking ", kind);
    pthread_mutex_unlock(&host.mutex);
}

/* LISTEN(clEnqueueCopyBuffer, "copy", CL_FALSE, (parameters), (arguments)) defines the
 * call: it does what it always does, and is noted. */
#define LISTEN(name, kind, blocking, parameters, arguments)                            \
    VISIBLE cl_int name parameters {                                                   \
        REAL(name);                                                                    \
        const cl_int status = real_##name arguments;                                   \
        if (status == CL_SUCCESS)                                                      \
            idle_enqueued(kind, blocking, queue, wait_count, waits, event);            \
        return status;                                                                 \
    }
#define AFTER cl_uint wait_count, const cl_event *waits, cl_event *event
#define THESE wait_count, waits, event

LISTEN(clEnqueueReadBuffer, "read", blocking,
       (cl_command_queue queue, cl_mem buffer, cl_bool blocking, size_t offset,
        size_t bytes, void *data, AFTER),
       (queue, buffer, blocking, offset, bytes, data, THESE))
LISTEN(clEnqueueWriteBuffer, "write", blocking,
       (cl_command_queue queue, cl_mem buffer, cl_bool blocking, size_t offset,
        size_t bytes, const void *data, AFTER),
       (queue, buffer, blocking, offset, bytes, data, THESE))
LISTEN(clEnqueueCopyBuffer, "copy", CL_FALSE,
       (cl_command_queue queue, cl_mem from, cl_mem to, size_t from_offset,
        size_t to_offset, size_t bytes, AFTER),
       (queue, from, to, from_offset, to_offset, bytes, THESE))
LISTEN(clEnqueueFillBuffer, "fill", CL_FALSE,
       (cl_command_queue queue, cl_mem buffer, const void *pattern,
        size_t pattern_bytes, size_t offset, size_t bytes, AFTER),
       (queue, buffer, pattern, pattern_bytes, offset, bytes, THESE))
LISTEN(clEnqueueReadImage, "read", blocking,
       (cl_command_queue queue, cl_mem image, cl_bool blocking, const size_t *origin,
        const size_t *region, size_t row_bytes, size_t slice_bytes, void *data, AFTER),
       (queue, image, blocking, origin, region, row_bytes, slice_bytes, data, THESE))
LISTEN(clEnqueueWriteImage, "write", blocking,
       (cl_command_queue queue, cl_mem image, cl_bool blocking, const size_t *origin,
        const size_t *region, size_t row_bytes, size_t slice_bytes, const void *data,
        AFTER),
       (queue, image, blocking, origin, region, row_bytes, slice_bytes, data, THESE))
LISTEN(clEnqueueCopyImage, "copy", CL_FALSE,
       (cl_command_queue queue, cl_mem from, cl_mem to, const size_t *from_origin,
        const size_t *to_origin, const size_t *region, AFTER),
       (queue, from, to, from_origin, to_origin, region, THESE))
LISTEN(clEnqueueCopyImageToBuffer, "copy", CL_FALSE,
       (cl_command_queue queue, cl_mem image, cl_mem buffer, const size_t *origin,
        const size_t *region, size_t offset, AFTER),
       (queue, image, buffer, origin, region, offset, THESE))
LISTEN(clEnqueueCopyBufferToImage, "copy", CL_FALSE,
       (cl_command_queue queue, cl_mem buffer, cl_mem image, size_t offset,
        const size_t *origin, const size_t *region, AFTER),
       (queue, buffer, image, offset, origin, region, THESE))
LISTEN(clEnqueueFillImage, "fill", CL_FALSE,
       (cl_command_queue queue, cl_mem image, const void *color, const size_t *origin,
        const size_t *region, AFTER),
       (queue, image, color, origin, region, THESE))
LISTEN(clEnqueueUnmapMemObject, "unmap", CL_FALSE,
       (cl_command_queue queue, cl_mem buffer, void *mapped, AFTER),
       (queue, buffer, mapped, THESE))
LISTEN(clEnqueueMarkerWithWaitList, marker, CL_FALSE, (cl_command_queue queue, AFTER),
       (queue, THESE))
LISTEN(clEnqueueBarrierWithWaitList, barrier, CL_FALSE, (cl_command_queue queue, AFTER),
       (queue, THESE))

VISIBLE void *clEnqueueMapBuffer(cl_command_queue queue, cl_mem buffer,
                                 cl_bool blocking, cl_map_flags flags, size_t offset,
                                 size_t bytes, AFTER, cl_int *status) {
    REAL(clEnqueueMapBuffer);
    void *mapped = real_clEnqueueMapBuffer(queue, buffer, blocking, flags, offset,
                                           bytes, THESE, status);
    if (mapped)
        idle_enqueued("map", blocking, queue, THESE);
    return mapped;
}

VISIBLE void *clEnqueueMapImage(cl_command_queue queue, cl_mem image, cl_bool blocking,
                                cl_map_flags flags, const size_t *origin,
                                const size_t *region, size_t *row_bytes,
                                size_t *slice_bytes, AFTER, cl_int *status) {
    REAL(clEnqueueMapImage);
    void *mapped = real_clEnqueueMapImage(queue, image, blocking, flags, origin, region,
                                          row_bytes, slice_bytes, THESE, status);
    if (mapped)
        idle_enqueued("map", blocking, queue, THESE);
    return mapped;
}

/* ---- What came out. */
static void print_wait(const struct wait *wait) {
    fprintf(settings->out, "  %-26s %6zu x %8.2f commands left, %6zu x none\n",
            wait->name, wait->times, mean(wait->left, wait->times), wait->idle);
}

static void row_wait(const struct wait *wait) {
    row_begin("wait");
    row_text("kernel", "host");
    row_text("name", wait->name);
    row_number("waits", wait->times);
    row_mean("left", wait->left, wait->times);
    row_number("idle_waits", wait->idle);
    row_end();
}

bool idle_report(void) {
    if (host.wait_count > 0 && settings->format == TEXT)
        fputs("When the host has waited, what has the device left to do?\n",
              settings->out);
    for (size_t i = 0; i < host.wait_count; i++)
        if (settings->format == TEXT)
            print_wait(&host.waits[i]);
        else
            row_wait(&host.waits[i]);
    return host.wait_count > 0;
}
