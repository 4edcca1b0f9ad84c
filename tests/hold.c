/* hold: a library for LD_PRELOAD that lets a program forget one of its waits, so that a
 * test can see that the wait is needed.
 *
 *     FORGET=WHAT  This command waits for nothing: its wait list is dropped.  If it has
 *                  none, and its queue is in order, then the order is the wait: the
 *                  command goes to another queue.  What follows in its own queue still
 *                  waits for it.  FORGET=barrier drops a barrier.  FORGET=wait lets the
 *                  host go on instead of waiting in clWaitForEvents or clFinish.
 *     HOLD=WHAT    This command begins only when the next forgotten command behind it
 *                  is complete (after a forgotten barrier: the next command), so that
 *                  no luck can hide that it is not waited for.  It begins at once if
 *                  its queue keeps it in front of that command, and after 200 ms in any
 *                  case, so nothing hangs; after 20 times 200 ms nothing is held any
 *                  more.
 *
 * The launches of a replayed command buffer are not seen.
 *
 * WHAT is the name of a kernel; or copy-in or copy-out, a clEnqueueWriteBuffer or
 * clEnqueueReadBuffer that does not block.  It means every such command; WHAT:3 is only
 * the third, and WHAT:3/4 the third of every four, in the order of the host's calls.
 * When the program ends, stderr says how many commands were forgotten and held, and how
 * many holds were wasted, because nothing ran before the command all the same. */
#define _GNU_SOURCE /* RTLD_NEXT */
#define LIBRARY "tests/hold.c"
#include "preload.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

enum { PATIENCE_MS = 200, MAX_LAPSES = 20, MAX_QUEUES = 16 };

/* A command that FORGET or HOLD names. */
struct what {
    char name[128];
    unsigned long number, every, seen; /* 0: all of them; 0: only that one */
};

static struct {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    struct what forget, hold;
    bool barrier_dropped;       /* the next command counts as forgotten */
    unsigned long opened, done; /* gates so far; of these, up to this one may open */
    cl_command_queue held_queue;
    unsigned long commands, forgotten, held, wasted;
    unsigned long lapses, lapsed; /* see lapse(); the gates that had been opened then */
    struct other {
        cl_context context;
        cl_device_id device;
        cl_command_queue_properties properties;
        cl_command_queue queue;
    } others[MAX_QUEUES];
} all = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

/* ---- What the environment asks for. */
static void read_what(struct what *what, const char *variable) {
    const char *text = getenv(variable);
    const int parts = !text ? 0
                            : sscanf(text, "%127[^:]:%lu/%lu", what->name,
                                     &what->number, &what->every);
    if (text && (parts < 1 || (strchr(text, ':') && (parts < 2 || !what->number))))
        stop("NAME, NAME:N or NAME:N/M is needed, not", text);
}

__attribute__((constructor)) static void begin(void) {
    const char *forget = getenv("FORGET"), *hold = getenv("HOLD");
    read_what(&all.forget, "FORGET");
    read_what(&all.hold, "HOLD");
    if (forget && hold && strcmp(forget, hold) == 0)
        stop("FORGET and HOLD are the same:", hold);
    if (strcmp(all.hold.name, "barrier") == 0 || strcmp(all.hold.name, "wait") == 0)
        stop("what is held must be a kernel or a copy, not a", all.hold.name);
}

/* Only the program says something, but not the compiler that a driver may start. */
__attribute__((destructor)) static void end(void) {
    if (all.commands > 0)
        fprintf(stderr, "hold: %lu forgotten, %lu held, %lu of them wasted\n",
                all.forgotten, all.held, all.wasted);
}

static bool is_meant(struct what *what, const char *name) {
    if (strcmp(what->name, name) != 0)
        return false;
    what->seen++;
    return what->number == 0 ||
           (what->every > 0 ? what->seen % what->every == what->number % what->every
                            : what->seen == what->number);
}

/* ---- Gates: user events that held commands wait for. */
struct gate {
    unsigned long number;
    cl_event event;
};

/* A gate opens because patience has ended.  Gates that were there together count once:
 * after many times 200 ms nothing is held any more, so that no test takes too long. */
static void lapse(const struct gate *gate) {
    all.wasted++;
    if (gate->number <= all.lapsed)
        return;
    all.lapses++;
    all.lapsed = all.opened;
}

static void *open_later(void *data) {
    struct gate *gate = data;
    struct timespec until;
    timespec_get(&until, TIME_UTC);
    until.tv_nsec += PATIENCE_MS * 1000000L;
    until.tv_sec += until.tv_nsec / 1000000000L;
    until.tv_nsec %= 1000000000L;
    pthread_mutex_lock(&all.lock);
    int late = 0;
    while (all.done < gate->number && late == 0)
        late = pthread_cond_timedwait(&all.changed, &all.lock, &until);
    if (all.done < gate->number)
        lapse(gate);
    pthread_mutex_unlock(&all.lock);
    check(clSetUserEventStatus(gate->event, CL_COMPLETE), "clSetUserEventStatus");
    clReleaseEvent(gate->event);
    free(gate);
    return NULL;
}

static void let_open(unsigned long number) {
    pthread_mutex_lock(&all.lock);
    all.done = number > all.done ? number : all.done;
    pthread_cond_broadcast(&all.changed);
    pthread_mutex_unlock(&all.lock);
}

static void CL_CALLBACK completed(cl_event event, cl_int status, void *number) {
    (void)event;
    (void)status;
    let_open((unsigned long)(uintptr_t)number);
}

/* The event of a new gate, which opens later; it is the thread's. */
static cl_event gate_new(cl_context context, unsigned long number) {
    cl_int status;
    pthread_t thread;
    struct gate *gate = malloc(sizeof *gate);
    if (!gate)
        stop("there is no", "memory");
    *gate = (struct gate){number, clCreateUserEvent(context, &status)};
    cl_event event = gate->event;
    check(status, "clCreateUserEvent");
    check(clRetainEvent(event), "clRetainEvent");
    if (pthread_create(&thread, NULL, open_later, gate) != 0)
        stop("there is no", "thread");
    pthread_detach(thread);
    return event;
}

/* ---- Queues. */
static struct other describe(cl_command_queue queue) {
    struct other q = {.queue = queue};
    check(clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof q.context, &q.context,
                                NULL),
          "clGetCommandQueueInfo");
    clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof q.device, &q.device, NULL);
    clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES, sizeof q.properties,
                          &q.properties, NULL);
    return q;
}

static bool is_in_order(const struct other *queue) {
    return !(queue->properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
}

/* Our own queue beside the program's: it keeps its context, so a context that is found
 * here is the same one. */
static cl_command_queue queue_beside(const struct other *queue) {
    for (struct other *o = all.others; o < all.others + MAX_QUEUES; o++) {
        cl_int status = CL_SUCCESS;
        if (!o->queue) {
            *o = *queue;
            o->queue = clCreateCommandQueue(queue->context, queue->device,
                                            queue->properties, &status);
            check(status, "clCreateCommandQueue");
        }
        if (o->context == queue->context && o->device == queue->device &&
            o->properties == queue->properties)
            return o->queue;
    }
    stop("there are too many", "queues");
}

/* ---- Commands: how one is enqueued in place of what the program asks for. */
struct command {
    struct other asked; /* the program's queue */
    cl_command_queue queue;
    cl_uint count;
    cl_event *waits; /* of `count` events; NULL if there is none */
    cl_event *event, own, gate;
    bool forgotten;
    unsigned long gates; /* that were there when it was enqueued */
};

static void command_begin(struct command *command, const char *name,
                          cl_command_queue queue, cl_uint count, const cl_event *waits,
                          cl_event *event) {
    *command = (struct command){describe(queue), queue, count, NULL, event, NULL, NULL,
                                false,           0};
    pthread_mutex_lock(&all.lock);
    const bool forgets = is_meant(&all.forget, name), holds = is_meant(&all.hold, name);
    all.commands++;
    all.forgotten += forgets;
    command->forgotten = forgets || all.barrier_dropped;
    command->gates = all.opened;
    all.barrier_dropped = false;
    if (forgets && count == 0 && is_in_order(&command->asked))
        command->queue = queue_beside(&command->asked);
    if (forgets)
        command->count = 0;
    command->waits = calloc((size_t)command->count + 1, sizeof *command->waits);
    if (!command->waits)
        stop("there is no", "memory");
    if (command->count > 0)
        memcpy(command->waits, waits, command->count * sizeof *waits);
    if (holds && all.lapses < MAX_LAPSES) {
        all.held++;
        all.held_queue = command->queue;
        command->gate = gate_new(command->asked.context, ++all.opened);
        command->waits[command->count++] = command->gate;
    }
    if (command->forgotten && !event)
        command->event = &command->own;
    if (command->count == 0) {
        free(command->waits);
        command->waits = NULL;
    }
    pthread_mutex_unlock(&all.lock);
}

/* A queue that is in order keeps a forgotten command behind the one that is held. */
static bool is_kept_behind(const struct command *command) {
    pthread_mutex_lock(&all.lock);
    const bool kept = is_in_order(&command->asked) && all.done < command->gates &&
                      all.held_queue == command->queue;
    all.wasted += kept;
    pthread_mutex_unlock(&all.lock);
    return kept;
}

static cl_int command_end(struct command *command, cl_int status) {
    REAL(clEnqueueBarrierWithWaitList);
    free(command->waits);
    if (command->gate)
        clReleaseEvent(command->gate);
    if (status != CL_SUCCESS || !command->forgotten)
        return status;
    if (is_kept_behind(command))
        let_open(command->gates);
    else
        check(clSetEventCallback(*command->event, CL_COMPLETE, completed,
                                 (void *)(uintptr_t)command->gates),
              "clSetEventCallback");
    check(clFlush(command->queue), "clFlush");
    if (command->queue != command->asked.queue)
        check(real_clEnqueueBarrierWithWaitList(command->asked.queue, 1, command->event,
                                                NULL),
              "clEnqueueBarrierWithWaitList");
    return CL_SUCCESS;
}

VISIBLE cl_int clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel,
                                      cl_uint dimensions, const size_t *offset,
                                      const size_t *global, const size_t *local,
                                      cl_uint count, const cl_event *waits,
                                      cl_event *event) {
    REAL(clEnqueueNDRangeKernel);
    char name[256] = "";
    struct command command;
    clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, sizeof name, name, NULL);
    command_begin(&command, name, queue, count, waits, event);
    return command_end(&command,
                       real_clEnqueueNDRangeKernel(command.queue, kernel, dimensions,
                                                   offset, global, local, command.count,
                                                   command.waits, command.event));
}

VISIBLE cl_int clEnqueueWriteBuffer(cl_command_queue queue, cl_mem buffer,
                                    cl_bool blocking, size_t offset, size_t bytes,
                                    const void *data, cl_uint count,
                                    const cl_event *waits, cl_event *event) {
    REAL(clEnqueueWriteBuffer);
    struct command command;
    if (blocking)
        return real_clEnqueueWriteBuffer(queue, buffer, blocking, offset, bytes, data,
                                         count, waits, event);
    command_begin(&command, "copy-in", queue, count, waits, event);
    return command_end(&command,
                       real_clEnqueueWriteBuffer(command.queue, buffer, blocking,
                                                 offset, bytes, data, command.count,
                                                 command.waits, command.event));
}

VISIBLE cl_int clEnqueueReadBuffer(cl_command_queue queue, cl_mem buffer,
                                   cl_bool blocking, size_t offset, size_t bytes,
                                   void *data, cl_uint count, const cl_event *waits,
                                   cl_event *event) {
    REAL(clEnqueueReadBuffer);
    struct command command;
    if (blocking)
        return real_clEnqueueReadBuffer(queue, buffer, blocking, offset, bytes, data,
                                        count, waits, event);
    command_begin(&command, "copy-out", queue, count, waits, event);
    return command_end(&command,
                       real_clEnqueueReadBuffer(command.queue, buffer, blocking, offset,
                                                bytes, data, command.count,
                                                command.waits, command.event));
}

/* A barrier that is dropped is complete at once. */
VISIBLE cl_int clEnqueueBarrierWithWaitList(cl_command_queue queue, cl_uint count,
                                            const cl_event *waits, cl_event *event) {
    REAL(clEnqueueBarrierWithWaitList);
    cl_int status = CL_SUCCESS;
    pthread_mutex_lock(&all.lock);
    const bool forgets = is_meant(&all.forget, "barrier");
    all.commands++;
    all.forgotten += forgets;
    all.barrier_dropped = all.barrier_dropped || forgets;
    pthread_mutex_unlock(&all.lock);
    if (!forgets)
        return real_clEnqueueBarrierWithWaitList(queue, count, waits, event);
    if (event) {
        *event = clCreateUserEvent(describe(queue).context, &status);
        if (status == CL_SUCCESS)
            status = clSetUserEventStatus(*event, CL_COMPLETE);
    }
    return status;
}

static bool host_goes_on(void) {
    pthread_mutex_lock(&all.lock);
    const bool forgets = is_meant(&all.forget, "wait");
    all.forgotten += forgets;
    pthread_mutex_unlock(&all.lock);
    return forgets;
}

VISIBLE cl_int clWaitForEvents(cl_uint count, const cl_event *events) {
    REAL(clWaitForEvents);
    return host_goes_on() ? CL_SUCCESS : real_clWaitForEvents(count, events);
}

VISIBLE cl_int clFinish(cl_command_queue queue) {
    REAL(clFinish);
    return host_goes_on() ? CL_SUCCESS : real_clFinish(queue);
}

/* A program may ask for the times of a command that is complete only if nothing was
 * forgotten. */
VISIBLE cl_int clGetEventProfilingInfo(cl_event event, cl_profiling_info which,
                                       size_t room, void *value, size_t *bytes) {
    REAL(clGetEventProfilingInfo);
    REAL(clWaitForEvents);
    const cl_int status = real_clWaitForEvents(1, &event);
    return status == CL_SUCCESS
               ? real_clGetEventProfilingInfo(event, which, room, value, bytes)
               : status;
}
