/* intercept: is between a program and its OpenCL library.  These are the calls that it
 * replaces: each makes the call for the program and reports it to the lens. */
#define _GNU_SOURCE /* asprintf */
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#include "base/machine.h"
#include "base/memory.h"
#include "copies.h"
#include "driver/poison.h"
#include "image_copies.h"
#include "launch.h"
#include "newer_opencl.h"
#include "next_functions.h"
#include "programs.h"
#include "queues.h"
#include "settings.h"
#include "sources.h"
#include "svm.h"
#include "times.h"
#include "waits.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* ---- Programs and kernels. */
VISIBLE cl_program clCreateProgramWithSource(cl_context context, cl_uint count,
                                             const char **texts, const size_t *lengths,
                                             cl_int *status) {
    REAL(clCreateProgramWithSource);
    cl_program id =
        real_clCreateProgramWithSource(context, count, texts, lengths, status);
    pthread_mutex_lock(&lock);
    sources_tell_cache();
    if (id)
        program_add(id, count, texts, lengths);
    pthread_mutex_unlock(&lock);
    return id;
}

/* Arguments keep their names and types only when the device is asked to; the caller
 * frees these options.  NULL: no memory. */
static char *with_names(const char *build_options) {
    static const char wanted[] = " -cl-kernel-arg-info";
    char *more = NULL;
    return asprintf(&more, "%s%s", build_options,
                    strstr(build_options, wanted) ? "" : wanted) < 0
               ? NULL
               : more;
}

VISIBLE cl_int clBuildProgram(cl_program id, cl_uint count, const cl_device_id *devices,
                              const char *build_options,
                              void(CL_CALLBACK *then)(cl_program, void *), void *data) {
    REAL(clBuildProgram);
    const char *own = build_options ? build_options : "";
    char *more = with_names(own);
    if (!more)
        return CL_OUT_OF_HOST_MEMORY;
    pthread_mutex_lock(&lock);
    program_built(id, own);
    pthread_mutex_unlock(&lock);
    const cl_int status = real_clBuildProgram(id, count, devices, more, then, data);
    free(more);
    return status;
}

VISIBLE cl_int clCompileProgram(cl_program id, cl_uint count,
                                const cl_device_id *devices, const char *build_options,
                                cl_uint header_count, const cl_program *headers,
                                const char **names,
                                void(CL_CALLBACK *then)(cl_program, void *),
                                void *data) {
    REAL(clCompileProgram);
    const char *own = build_options ? build_options : "";
    char *more = with_names(own);
    if (!more)
        return CL_OUT_OF_HOST_MEMORY;
    pthread_mutex_lock(&lock);
    program_compiled(id, own, headers && names ? header_count : 0, headers, names);
    pthread_mutex_unlock(&lock);
    const cl_int status = real_clCompileProgram(id, count, devices, more, header_count,
                                                headers, names, then, data);
    free(more);
    return status;
}

/* PoCL forgets the arguments' names unless the linker, too, is asked for them; another
 * driver may refuse to be. */
VISIBLE cl_program clLinkProgram(cl_context context, cl_uint count,
                                 const cl_device_id *devices, const char *link_options,
                                 cl_uint part_count, const cl_program *parts,
                                 void(CL_CALLBACK *then)(cl_program, void *),
                                 void *data, cl_int *status) {
    REAL(clLinkProgram);
    char *more = with_names(link_options ? link_options : "");
    cl_program id = more ? real_clLinkProgram(context, count, devices, more, part_count,
                                              parts, then, data, status)
                         : NULL;
    free(more);
    if (!id)
        id = real_clLinkProgram(context, count, devices, link_options, part_count,
                                parts, then, data, status);
    pthread_mutex_lock(&lock);
    if (id)
        program_linked(id, part_count, parts);
    pthread_mutex_unlock(&lock);
    return id;
}

static void add_kernel(cl_kernel id) {
    pthread_mutex_lock(&lock);
    kernel_add(id);
    pthread_mutex_unlock(&lock);
}

VISIBLE cl_kernel clCreateKernel(cl_program program, const char *name, cl_int *status) {
    REAL(clCreateKernel);
    cl_kernel id = real_clCreateKernel(program, name, status);
    if (id)
        add_kernel(id);
    return id;
}

VISIBLE cl_kernel clCloneKernel(cl_kernel from, cl_int *status) {
    REAL(clCloneKernel);
    cl_kernel id = real_clCloneKernel(from, status);
    pthread_mutex_lock(&lock);
    if (id)
        kernel_cloned(id, from);
    pthread_mutex_unlock(&lock);
    return id;
}

VISIBLE cl_int clCreateKernelsInProgram(cl_program program, cl_uint room,
                                        cl_kernel *kernels, cl_uint *count) {
    REAL(clCreateKernelsInProgram);
    cl_uint made = 0;
    const cl_int status = real_clCreateKernelsInProgram(program, room, kernels, &made);
    for (cl_uint i = 0; status == CL_SUCCESS && kernels && i < made; i++)
        add_kernel(kernels[i]);
    if (count)
        *count = made;
    return status;
}

VISIBLE cl_int clSetKernelArg(cl_kernel id, cl_uint index, size_t bytes,
                              const void *value) {
    REAL(clSetKernelArg);
    pthread_mutex_lock(&lock);
    kernel_set_argument(id, index, bytes, value);
    pthread_mutex_unlock(&lock);
    return real_clSetKernelArg(id, index, bytes, value);
}

VISIBLE cl_int clSetKernelArgSVMPointer(cl_kernel id, cl_uint index,
                                        const void *pointer) {
    REAL(clSetKernelArgSVMPointer);
    pthread_mutex_lock(&lock);
    kernel_share_argument(id, index, pointer);
    pthread_mutex_unlock(&lock);
    return real_clSetKernelArgSVMPointer(id, index, pointer);
}

VISIBLE cl_int clSetKernelExecInfo(cl_kernel id, cl_uint name, size_t bytes,
                                   const void *value) {
    /* CL_KERNEL_EXEC_INFO_SVM_PTRS and _SVM_FINE_GRAIN_SYSTEM */
    enum { POINTERS = 0x11B6, ALL_MEMORY = 0x11B7 };
    REAL(clSetKernelExecInfo);
    pthread_mutex_lock(&lock);
    if (name == POINTERS && value)
        kernel_share(id, value, bytes / sizeof(void *));
    else if (name == ALL_MEMORY && value && bytes >= sizeof(cl_bool))
        kernel_share_all(id, *(const cl_bool *)value);
    pthread_mutex_unlock(&lock);
    return real_clSetKernelExecInfo(id, name, bytes, value);
}

/* ---- Buffers, images and events. */

/* What the host must not read, we could make no copy of; nor write, with --instead. */
static cl_mem_flags with_access(cl_mem_flags flags) {
    flags &= ~(cl_mem_flags)(CL_MEM_HOST_NO_ACCESS | CL_MEM_HOST_WRITE_ONLY);
    return settings->instead ? flags & ~(cl_mem_flags)CL_MEM_HOST_READ_ONLY : flags;
}

/* When mistakes are looked for, new memory is full of poison: an uninitialised
 * read is found by it, or at least reads the same each time. */
static void fill_with_poison(uint32_t *words, size_t bytes) {
    for (size_t i = 0; i < bytes / sizeof *words; i++)
        words[i] = POISON;
}

/* NULL: the buffer or image has `data` of its own, or is too large; the caller frees
 * it. */
static uint32_t *poison_for(const void *data, size_t bytes) {
    uint32_t *poison = NULL;
    if ((settings->races || settings->instead) && !data && bytes &&
        bytes <= (size_t)1 << 32) {
        poison = lens_allocate(bytes / sizeof *poison + 1, sizeof *poison);
        fill_with_poison(poison, bytes + sizeof *poison);
    }
    return poison;
}

VISIBLE cl_mem clCreateBuffer(cl_context context, cl_mem_flags flags, size_t bytes,
                              void *data, cl_int *status) {
    REAL(clCreateBuffer);
    uint32_t *poison = poison_for(data, bytes);
    flags = with_access(flags) | (poison ? CL_MEM_COPY_HOST_PTR : 0);
    cl_mem buffer =
        real_clCreateBuffer(context, flags, bytes, poison ? poison : data, status);
    free(poison);
    return buffer;
}

VISIBLE cl_mem clCreateImage(cl_context context, cl_mem_flags flags,
                             const cl_image_format *format, const cl_image_desc *shape,
                             void *data, cl_int *status) {
    REAL(clCreateImage);
    uint32_t *poison = poison_for(data, image_wanted_bytes(format, shape));
    flags = with_access(flags) | (poison ? CL_MEM_COPY_HOST_PTR : 0);
    cl_mem image = real_clCreateImage(context, flags, format, shape,
                                      poison ? poison : data, status);
    free(poison);
    return image;
}

/* The calls of OpenCL 1.0. */
VISIBLE cl_mem clCreateImage2D(cl_context context, cl_mem_flags flags,
                               const cl_image_format *format, size_t width,
                               size_t height, size_t row_bytes, void *data,
                               cl_int *status) {
    const cl_image_desc shape = {.image_type = CL_MEM_OBJECT_IMAGE2D,
                                 .image_width = width,
                                 .image_height = height,
                                 .image_row_pitch = row_bytes};
    return clCreateImage(context, flags, format, &shape, data, status);
}

VISIBLE cl_mem clCreateImage3D(cl_context context, cl_mem_flags flags,
                               const cl_image_format *format, size_t width,
                               size_t height, size_t depth, size_t row_bytes,
                               size_t slice_bytes, void *data, cl_int *status) {
    const cl_image_desc shape = {.image_type = CL_MEM_OBJECT_IMAGE3D,
                                 .image_width = width,
                                 .image_height = height,
                                 .image_depth = depth,
                                 .image_row_pitch = row_bytes,
                                 .image_slice_pitch = slice_bytes};
    return clCreateImage(context, flags, format, &shape, data, status);
}

VISIBLE cl_event clCreateUserEvent(cl_context context, cl_int *status) {
    REAL(clCreateUserEvent);
    cl_event event = real_clCreateUserEvent(context, status);
    pthread_mutex_lock(&lock);
    if (event)
        user_event_opened();
    pthread_mutex_unlock(&lock);
    return event;
}

VISIBLE cl_int clSetUserEventStatus(cl_event event, cl_int status) {
    REAL(clSetUserEventStatus);
    pthread_mutex_lock(&lock);
    user_event_closed();
    pthread_mutex_unlock(&lock);
    return real_clSetUserEventStatus(event, status);
}

/* ---- Shared virtual memory. */

/* Coarse-grained memory of another device is not ours to write to without a queue. */
static bool is_on_host(cl_context context) {
    cl_device_id devices[64];
    size_t bytes = 0;
    bool on_host = clGetContextInfo(context, CL_CONTEXT_DEVICES, sizeof devices,
                                    devices, &bytes) == CL_SUCCESS;
    for (size_t i = 0; i < bytes / sizeof *devices && on_host; i++) {
        cl_device_type type = 0;
        clGetDeviceInfo(devices[i], CL_DEVICE_TYPE, sizeof type, &type, NULL);
        on_host = type & CL_DEVICE_TYPE_CPU;
    }
    return on_host;
}

VISIBLE void *clSVMAlloc(cl_context context, cl_bitfield flags, size_t bytes,
                         cl_uint alignment) {
    REAL(clSVMAlloc);
    void *memory = real_clSVMAlloc(context, flags, bytes, alignment);
    if (!memory)
        return NULL;
    if ((settings->races || settings->instead) && is_on_host(context))
        fill_with_poison(memory, bytes);
    pthread_mutex_lock(&lock);
    svm_add(memory, bytes);
    pthread_mutex_unlock(&lock);
    return memory;
}

VISIBLE void clSVMFree(cl_context context, void *memory) {
    REAL(clSVMFree);
    pthread_mutex_lock(&lock);
    svm_remove(memory);
    pthread_mutex_unlock(&lock);
    real_clSVMFree(context, memory);
}

VISIBLE cl_int clEnqueueSVMFree(cl_command_queue queue, cl_uint count, void *memory[],
                                void(CL_CALLBACK *with)(cl_command_queue, cl_uint,
                                                        void *[], void *),
                                void *data, cl_uint wait_count, const cl_event *waits,
                                cl_event *event) {
    REAL(clEnqueueSVMFree);
    pthread_mutex_lock(&lock);
    for (cl_uint i = 0; i < count && memory; i++)
        svm_remove(memory[i]);
    pthread_mutex_unlock(&lock);
    return real_clEnqueueSVMFree(queue, count, memory, with, data, wait_count, waits,
                                 event);
}

/* ---- Queues: all of them must have ended before --instead may write to a buffer. */
static cl_command_queue add_queue(cl_command_queue queue) {
    pthread_mutex_lock(&lock);
    queue_add(queue);
    pthread_mutex_unlock(&lock);
    return queue;
}

VISIBLE cl_command_queue clCreateCommandQueue(cl_context context, cl_device_id device,
                                              cl_command_queue_properties properties,
                                              cl_int *status) {
    REAL(clCreateCommandQueue);
    return add_queue(real_clCreateCommandQueue(context, device, properties, status));
}

VISIBLE cl_command_queue clCreateCommandQueueWithProperties(cl_context context,
                                                            cl_device_id device,
                                                            const cl_ulong *properties,
                                                            cl_int *status) {
    REAL(clCreateCommandQueueWithProperties);
    return add_queue(
        real_clCreateCommandQueueWithProperties(context, device, properties, status));
}

VISIBLE cl_int clReleaseCommandQueue(cl_command_queue queue) {
    REAL(clReleaseCommandQueue);
    pthread_mutex_lock(&lock);
    queue_remove(queue);
    pthread_mutex_unlock(&lock);
    return real_clReleaseCommandQueue(queue);
}

/* ---- Launches. */
VISIBLE cl_int clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel,
                                      cl_uint dimensions, const size_t *offset,
                                      const size_t *global, const size_t *local,
                                      cl_uint wait_count, const cl_event *waits,
                                      cl_event *event) {
    REAL(clEnqueueNDRangeKernel);
    struct copies copies = {.count = 0};
    pthread_mutex_lock(&lock);
    idle_pause(true);
    if (dimensions >= 1 && dimensions <= 3 && global) {
        struct run run;
        launch_set_range(&run, dimensions, offset, global, local);
        launch_before(queue, kernel, queue_is_blocked(queue, wait_count, waits), &run,
                      &copies);
    }
    cl_event own = NULL, *which = event || !settings->times ? event : &own;
    const cl_int status = real_clEnqueueNDRangeKernel(
        queue, kernel, dimensions, offset, global, local, wait_count, waits, which);
    if (settings->times && status == CL_SUCCESS)
        times_enqueued(*which);
    if (own)
        clReleaseEvent(own);
    if (copies.count > 0 && status == CL_SUCCESS)
        launch_after(queue, &copies);
    idle_pause(false);
    pthread_mutex_unlock(&lock);
    if (status == CL_SUCCESS)
        idle_enqueued("launch", false, queue, wait_count, waits, event);
    return status;
}

VISIBLE cl_int clEnqueueTask(cl_command_queue queue, cl_kernel kernel,
                             cl_uint wait_count, const cl_event *waits,
                             cl_event *event) {
    const size_t one = 1;
    return clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, &one, wait_count, waits,
                                  event);
}
