/* command_buffers: command buffers, cl_khr_command_buffer.  Their launches are recorded
 * once, and a replay of the buffer is one call.  The lens makes these launches one by
 * one instead, each by the program's own call for a launch: so each is looked at when
 * all before it have been made, and it gets what they computed.
 *
 * A program finds the calls of an extension by name.  Those below are the same in all
 * versions of the extension; of the others (copies, fills, updates) the parameters are
 * not.  So once a program has asked for one of them, we do not know what its buffers
 * hold, leave them to the device, and say so. */
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#include "base/machine.h"
#include "base/memory.h"
#include "launch.h"
#include "newer_opencl.h"
#include "next_functions.h"
#include "settings.h"
#include "waits.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct command { /* a launch */
    cl_command_queue queue;
    cl_kernel kernel; /* a clone: with the arguments as they were */
    cl_uint dimensions;
    size_t offset[3], global[3], local[3];
    bool has_offset, has_local;
};

struct command_buffer {
    void *id; /* the command buffer */
    cl_command_queue queue;
    struct command *launches;
    size_t count;
};

static struct {
    struct command_buffer *all;
    size_t count;
    bool foreign; /* there may be commands that we do not know; */
    bool told;    /* that has been said */
    pthread_mutex_t mutex;
} buffers = {.mutex = PTHREAD_MUTEX_INITIALIZER};

#define AFTER cl_uint wait_count, const cl_event *waits, cl_event *event
#define LAUNCH                                                                         \
    void *id, cl_command_queue queue, const void *properties, cl_kernel kernel,        \
        cl_uint dimensions, const size_t *offset, const size_t *global,                \
        const size_t *local, cl_uint wait_count, const cl_uint *waits, cl_uint *done,  \
        void **handle

static struct {
    void *(*create)(cl_uint, const cl_command_queue *, const void *, cl_int *);
    cl_int (*record)(LAUNCH);
    cl_int (*replay)(cl_uint, cl_command_queue *, void *, AFTER);
} real;

/* An identity may be used again after a release: the newest counts. */
static struct command_buffer *buffer_of(void *id) {
    for (size_t i = buffers.count; i-- > 0;)
        if (buffers.all[i].id == id)
            return &buffers.all[i];
    return NULL;
}

/* ---- What the program calls. */
static void *create(cl_uint count, const cl_command_queue *queues,
                    const void *properties, cl_int *status) {
    if (settings->instead) { /* what was recorded would be launched out of our sight */
        if (status)
            *status = CL_INVALID_OPERATION;
        return NULL;
    }
    void *id = real.create(count, queues, properties, status);
    pthread_mutex_lock(&buffers.mutex);
    if (id)
        *GROW(buffers.all, buffers.count) =
            (struct command_buffer){.id = id, .queue = count > 0 ? queues[0] : NULL};
    pthread_mutex_unlock(&buffers.mutex);
    return id;
}

static cl_int record(LAUNCH) {
    const cl_int status = real.record(id, queue, properties, kernel, dimensions, offset,
                                      global, local, wait_count, waits, done, handle);
    if (status != CL_SUCCESS)
        return status;
    pthread_mutex_lock(&buffers.mutex);
    struct command_buffer *buffer = buffer_of(id);
    if (buffer) {
        const size_t bytes = dimensions * sizeof *global;
        struct command launch = {.queue = queue ? queue : buffer->queue,
                                 .kernel = clCloneKernel(kernel, NULL),
                                 .dimensions = dimensions,
                                 .has_offset = offset != NULL,
                                 .has_local = local != NULL};
        memcpy(launch.global, global, bytes);
        if (offset)
            memcpy(launch.offset, offset, bytes);
        if (local)
            memcpy(launch.local, local, bytes);
        buffers.foreign |= !launch.kernel;
        *GROW(buffer->launches, buffer->count) = launch;
    }
    pthread_mutex_unlock(&buffers.mutex);
    return status;
}

/* Each launch waits for those before it: out of order that takes a barrier. */
static cl_int make(const struct command *launch, cl_command_queue queue,
                   cl_uint wait_count, const cl_event *waits) {
    cl_int status = clEnqueueBarrierWithWaitList(queue, 0, NULL, NULL);
    if (status == CL_SUCCESS)
        status = clEnqueueNDRangeKernel(
            queue, launch->kernel, launch->dimensions,
            launch->has_offset ? launch->offset : NULL, launch->global,
            launch->has_local ? launch->local : NULL, wait_count, waits, NULL);
    return status;
}

static cl_int make_all(const struct command_buffer *buffer, cl_command_queue queue,
                       AFTER) {
    cl_int status = CL_SUCCESS;
    for (size_t i = 0; i < buffer->count && status == CL_SUCCESS; i++)
        status = make(&buffer->launches[i], queue, i > 0 ? 0 : wait_count,
                      i > 0 ? NULL : waits);
    if (status == CL_SUCCESS)
        status = clEnqueueMarkerWithWaitList(queue, 0, NULL, event);
    return status;
}

static cl_int replay_buffer(cl_uint count, cl_command_queue *queues, void *id, AFTER) {
    cl_event own = NULL, *const end = event ? event : &own;
    cl_int status;
    idle_pause(true);
    pthread_mutex_lock(&buffers.mutex);
    struct command_buffer *buffer = buffer_of(id);
    cl_command_queue queue = count > 0 ? queues[0] : buffer ? buffer->queue : NULL;
    const bool ours = buffer && buffer->count > 0 && !buffers.foreign;
    if (ours)
        status = make_all(buffer, queue, wait_count, waits, end);
    else
        status = real.replay(count, queues, id, wait_count, waits, end);
    if (buffer && buffer->count > 0 && !ours) {
        launch_hide("a command buffer",
                    buffers.told ? NULL : "it may hold more than launches");
        buffers.told = true;
    }
    pthread_mutex_unlock(&buffers.mutex);
    idle_pause(false);
    if (status == CL_SUCCESS)
        idle_enqueued("replay", false, queue, wait_count, waits, event);
    if (own)
        clReleaseEvent(own);
    return status;
}

/* ---- How the program finds these calls. */
typedef void (*function)(void);

static const struct call {
    const char *name;
    void *real; /* a pointer to a function */
    function ours;
} calls[] = {
    {"clCreateCommandBufferKHR", &real.create, (function)create},
    {"clCommandNDRangeKernelKHR", &real.record, (function)record},
    {"clEnqueueCommandBufferKHR", &real.replay, (function)replay_buffer},
};

static void *address(const char *name, void *found) {
    for (size_t i = 0; found && i < sizeof calls / sizeof *calls; i++)
        if (strcmp(name, calls[i].name) == 0) {
            memcpy(calls[i].real, &found, sizeof found);
            memcpy(&found, &calls[i].ours, sizeof found);
            return found;
        }
    if (found && (strncmp(name, "clCommand", strlen("clCommand")) == 0 ||
                  strcmp(name, "clUpdateMutableCommandsKHR") == 0))
        buffers.foreign = true;
    return found;
}

VISIBLE void *clGetExtensionFunctionAddressForPlatform(cl_platform_id platform,
                                                       const char *name) {
    REAL(clGetExtensionFunctionAddressForPlatform);
    return address(name, real_clGetExtensionFunctionAddressForPlatform(platform, name));
}

VISIBLE void *clGetExtensionFunctionAddress(const char *name) {
    REAL(clGetExtensionFunctionAddress);
    return address(name, real_clGetExtensionFunctionAddress(name));
}
