/* layer: is called by the OpenCL loader, which passes on every call of the program,
 * however the program found it: linked, by dlopen, or from another language.  The
 * loader has a table of functions; we give it one in which the calls that we intercept
 * are ours.  (Source: the layers of Khronos's OpenCL-ICD-Loader, API version 100.) */
#define _GNU_SOURCE /* dladdr */
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#include "layer.h"
#include "base/machine.h"
#include "base/memory.h"
#include "newer_opencl.h"

#include <CL/cl_layer.h>
#include <dlfcn.h>
#include <string.h>

typedef void (*function)(void);

/* The calls that intercept.c, command_buffers.c and waits.c replace, with their places
 * in the table. */
static const struct call {
    const char *name;
    size_t place;
    function ours;
} calls[] = {
#define CALL(name)                                                                     \
    { #name, offsetof(cl_icd_dispatch, name) / sizeof(function), (function)name }
    CALL(clBuildProgram),
    CALL(clCloneKernel),
    CALL(clCompileProgram),
    CALL(clCreateBuffer),
    CALL(clCreateCommandQueue),
    CALL(clCreateCommandQueueWithProperties),
    CALL(clCreateImage),
    CALL(clCreateImage2D),
    CALL(clCreateImage3D),
    CALL(clCreateKernel),
    CALL(clCreateKernelsInProgram),
    CALL(clCreateProgramWithSource),
    CALL(clCreateUserEvent),
    CALL(clEnqueueBarrierWithWaitList),
    CALL(clEnqueueCopyBuffer),
    CALL(clEnqueueCopyBufferToImage),
    CALL(clEnqueueCopyImage),
    CALL(clEnqueueCopyImageToBuffer),
    CALL(clEnqueueFillBuffer),
    CALL(clEnqueueFillImage),
    CALL(clEnqueueMapBuffer),
    CALL(clEnqueueMapImage),
    CALL(clEnqueueMarkerWithWaitList),
    CALL(clEnqueueNDRangeKernel),
    CALL(clEnqueueReadBuffer),
    CALL(clEnqueueReadImage),
    CALL(clEnqueueSVMFree),
    CALL(clEnqueueTask),
    CALL(clEnqueueUnmapMemObject),
    CALL(clEnqueueWriteBuffer),
    CALL(clEnqueueWriteImage),
    CALL(clFinish),
    CALL(clGetExtensionFunctionAddress),
    CALL(clGetExtensionFunctionAddressForPlatform),
    CALL(clLinkProgram),
    CALL(clReleaseCommandQueue),
    CALL(clSVMAlloc),
    CALL(clSVMFree),
    CALL(clSetKernelArg),
    CALL(clSetKernelArgSVMPointer),
    CALL(clSetKernelExecInfo),
    CALL(clSetUserEventStatus),
    CALL(clWaitForEvents),
};
enum { CALLS = sizeof calls / sizeof *calls };

static struct {
    function *functions; /* of the loader, or of the layer below */
    size_t count;
} next;

function layer_next(const char *name) {
    for (size_t i = 0; i < CALLS; i++)
        if (strcmp(calls[i].name, name) == 0)
            return calls[i].place < next.count ? next.functions[calls[i].place] : NULL;
    return NULL;
}

static cl_int answer(const void *value, size_t bytes, size_t room, void *to,
                     size_t *needed) {
    if (to && room < bytes)
        return CL_INVALID_VALUE;
    if (to)
        memcpy(to, value, bytes);
    if (needed)
        *needed = bytes;
    return CL_SUCCESS;
}

VISIBLE cl_int clGetLayerInfo(cl_layer_info what, size_t room, void *to,
                              size_t *needed) {
    static const cl_layer_api_version version = CL_LAYER_API_VERSION_100;
    static const char name[] = "Lockstep's lens";
    switch (what) {
    case CL_LAYER_API_VERSION:
        return answer(&version, sizeof version, room, to, needed);
    case CL_LAYER_NAME:
        return answer(name, sizeof name, room, to, needed);
    default:
        return CL_INVALID_VALUE;
    }
}

/* The kernels that we compile call functions of this library by name.  The loader opens
 * it for itself alone, so we open it once more, for all. */
static void open_for_kernels(void) {
    Dl_info own;
    if (!dladdr(calls, &own) ||
        !dlopen(own.dli_fname, RTLD_NOW | RTLD_NOLOAD | RTLD_GLOBAL))
        lens_die("cannot open its library again: %s" HINT "try --preload", dlerror());
}

/* A later loader may have a longer table, and an earlier one a shorter: ours is as long
 * as theirs. */
VISIBLE cl_int clInitLayer(cl_uint count, const cl_icd_dispatch *below,
                           cl_uint *our_count, const cl_icd_dispatch **our_table) {
    if (!below || !our_count || !our_table)
        return CL_INVALID_VALUE;
    open_for_kernels();
    function *table = lens_allocate(count, sizeof *table);
    next.functions = lens_allocate(count, sizeof *next.functions);
    next.count = count;
    memcpy(table, below, count * sizeof *table);
    memcpy(next.functions, below, count * sizeof *table);
    for (size_t i = 0; i < CALLS; i++)
        if (calls[i].place < count)
            table[calls[i].place] = calls[i].ours;
    *our_count = count;
    *our_table = (const cl_icd_dispatch *)table;
    return CL_SUCCESS;
}
