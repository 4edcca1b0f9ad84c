#define _POSIX_C_SOURCE 199309L /* clock_gettime */
#include "kernel.h"

#include "check.h"
#include "data.h"
#include "driver/crash.h"
#include "driver/driver_cache.h"
#include "driver/program_end.h"
#include "driver/source.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static _Noreturn void die_with_log(const struct device *device, cl_program program,
                                   const char *path) {
    size_t bytes = 0;
    driver_cache_check(device->platform);
    clGetProgramBuildInfo(program, device->id, CL_PROGRAM_BUILD_LOG, 0, NULL, &bytes);
    char *log = allocate(bytes + 1, 1);
    clGetProgramBuildInfo(program, device->id, CL_PROGRAM_BUILD_LOG, bytes, log, NULL);
    die("%s does not compile for %s\n%s" HINT
        "these lines are the compiler's: fix the first error first",
        path, device->name, log);
}

/* After #line 1 "FILE", a compiler's messages name our file.  The compilers of NVIDIA
 * and Oclgrind name no file; they would only count the lines wrongly. */
static bool obeys_line(const struct device *device) {
    return !strstr(device->platform, "NVIDIA") && !strstr(device->platform, "Oclgrind");
}

static bool is_pocl_7(const struct device *device) {
    return strstr(device->platform, "Portable Computing Language") &&
           strncmp(device->driver, "7.", 2) == 0;
}

/* The options of the device's compiler.  NVIDIA's writes into its log how many
 * registers it took; others keep the names of arguments.  The lens needs these names:
 * because they are always kept, PoCL finds the same program in its cache with and
 * without it.  PoCL shows no warning, but says on stderr how many there were, such as
 * two for a float16 on a CPU without AVX-512: -w keeps it quiet.  PoCL 7 has images,
 * but declares their functions only behind a macro (see tests/drivers/images.cl). */
static void build_options(const struct device *device, const struct options *options,
                          char *text, size_t room) {
    int used = snprintf(text, room, "-cl-std=%s", device->standard);
    if (options->lanes)
        used += snprintf(text + used, room - (size_t)used, " -DSIMD_LANES=%zu",
                         options->lanes);
    if (device->compute_capability)
        snprintf(text + used, room - (size_t)used,
                 " -DCOMPUTE_CAPABILITY=%u -cl-nv-verbose", device->compute_capability);
    else
        snprintf(text + used, room - (size_t)used, " -cl-kernel-arg-info -w%s",
                 is_pocl_7(device) ? " -D__opencl_c_images=1" : "");
}

/* NVIDIA's compiler gives PTX, which is text; others have formats of their own. */
static void binary_write(cl_program program, const char *path) {
    size_t bytes;
    CHECK(
        clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof bytes, &bytes, NULL));
    unsigned char *binary = allocate(bytes, 1);
    CHECK(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof binary, &binary, NULL));
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(binary, 1, bytes, file) != bytes || fclose(file) != 0)
        die("cannot write %s: %s" HINT "--binary needs a file that can be written",
            path, strerror(errno));
    free(binary);
}

/* Are the kernels a file of the user's?  Then one that does not fit is the user's
 * mistake; if it is the step's own, the step cannot run on this device. */
static bool from_user;

cl_program kernel_program(const struct device *device, const struct options *options) {
    char path[4096], name[4096], build[256];
    snprintf(path, sizeof path, "%s/%s.cl", KERNEL_DIR, options->step);
    snprintf(name, sizeof name, "kernels/%s.cl", options->step);
    const char *file = options->kernel ? options->kernel : path;
    from_user = options->kernel;
    if (from_user)
        snprintf(name, sizeof name, "%s", options->kernel);
    build_options(device, options, build, sizeof build);

    cl_int status;
    char *source = source_read(file, name, obeys_line(device));
    cl_program program = clCreateProgramWithSource(
        device->context, 1, (const char *[]){source}, NULL, &status);
    check_status(status, "clCreateProgramWithSource");
    free(source);
    crash_compiling(name);
    if (clBuildProgram(program, 1, &device->id, build, NULL, NULL))
        die_with_log(device, program, name);
    crash_compiling(NULL);
    if (options->binary) {
        binary_write(program, options->binary);
        program_end(RIGHT);
    }
    return program;
}

/* PoCL does not refuse such a kernel, but is ended by its launch.  (A program is for
 * one device here.) */
static void check_local_memory(cl_program program, cl_kernel kernel, const char *name) {
    cl_device_id device;
    cl_ulong needed = 0, offered = 0;
    CHECK(clGetProgramInfo(program, CL_PROGRAM_DEVICES, sizeof device, &device, NULL));
    CHECK(clGetKernelWorkGroupInfo(kernel, device, CL_KERNEL_LOCAL_MEM_SIZE,
                                   sizeof needed, &needed, NULL));
    CHECK(clGetDeviceInfo(device, CL_DEVICE_LOCAL_MEM_SIZE, sizeof offered, &offered,
                          NULL));
    if (needed > offered)
        (from_user ? die : skip)(
            "%s needs %llu bytes of local memory for each group" HINT
            "this device has %llu: %s",
            name, (unsigned long long)needed, (unsigned long long)offered,
            from_user ? "use smaller local arrays"
                      : "--devices shows others, if there are any");
}

cl_kernel kernel_create(cl_program program, const char *name, cl_int *status) {
    cl_kernel kernel = clCreateKernel(program, name, status);
    size_t kernels = 1;
    if (*status == CL_INVALID_KERNEL_NAME)
        clGetProgramInfo(program, CL_PROGRAM_NUM_KERNELS, sizeof kernels, &kernels,
                         NULL);
    if (kernels == 0)
        die("there is no kernel in what the driver made of the file" HINT
            "kernel void %s( must be there; if it is, PoCL's cache is broken: rm -rf "
            "%s",
            name, driver_cache().folder);
    if (*status == CL_INVALID_KERNEL_NAME)
        die("there is no kernel %s in the file" HINT
            "it must begin like this: kernel void %s(",
            name, name);
    if (*status == CL_SUCCESS) {
        check_local_memory(program, kernel, name);
        crash_name(kernel, name);
    }
    return kernel;
}

cl_kernel kernel_load(struct device *device, const struct options *options,
                      const char *name) {
    if (!device->program)
        device->program = kernel_program(device, options);
    cl_int status;
    cl_kernel kernel = kernel_create(device->program, name, &status);
    check_status(status, "clCreateKernel");
    return *GROW(device->kernels, device->kernel_count) = kernel;
}

void kernel_set_args(cl_kernel kernel, const struct arg *args, size_t count) {
    crash_kernel(kernel);
    for (cl_uint i = 0; i < count; i++)
        CHECK(clSetKernelArg(kernel, i, args[i].size, args[i].value));
}

struct launch launch_1d(cl_kernel kernel, size_t global, size_t local) {
    return (struct launch){kernel, 1, {global, 1, 1}, {local, 1, 1}, NULL};
}

struct launch launch_2d(cl_kernel kernel, size_t width, size_t height,
                        const size_t local[2]) {
    const size_t w = local[0], h = local[1];
    return (struct launch){kernel,
                           2,
                           {(width + w - 1) / w * w, (height + h - 1) / h * h, 1},
                           {w, h, 1},
                           NULL};
}

static _Noreturn void die_launching(struct device *device, const struct launch *launch,
                                    cl_int status) {
    char name[128] = "", advice[128];
    clGetKernelInfo(launch->kernel, CL_KERNEL_FUNCTION_NAME, sizeof name, name, NULL);
    size_t items = 1, max_group = device->max_group, fixed[3] = {0};
    for (cl_uint i = 0; i < launch->dimensions; i++)
        items *= launch->local[i];
    clGetKernelWorkGroupInfo(launch->kernel, device->id, CL_KERNEL_WORK_GROUP_SIZE,
                             sizeof max_group, &max_group, NULL);
    clGetKernelWorkGroupInfo(launch->kernel, device->id,
                             CL_KERNEL_COMPILE_WORK_GROUP_SIZE, sizeof fixed, fixed,
                             NULL);
    snprintf(advice, sizeof advice, "%s", status_cause(status));
    if (fixed[0] > 0 && memcmp(fixed, launch->local, sizeof fixed) != 0)
        snprintf(advice, sizeof advice,
                 "the kernel fixes its groups at %zu x %zu x %zu", fixed[0], fixed[1],
                 fixed[2]);
    else if (items > max_group)
        snprintf(advice, sizeof advice,
                 "this device allows at most %zu work-items in a group here",
                 max_group);
    die("cannot launch %s: global %zu x %zu x %zu, local %zu x %zu x %zu\n"
        "  status  %s (%d)" HINT "%s",
        name, launch->global[0], launch->global[1], launch->global[2], launch->local[0],
        launch->local[1], launch->local[2], status_name(status), status, advice);
}

cl_event launch_after(struct device *device, cl_command_queue queue,
                      const struct launch *launch, cl_uint count,
                      const cl_event *events) {
    cl_event event;
    crash_kernel(launch->kernel);
    const cl_int status = clEnqueueNDRangeKernel(
        queue, launch->kernel, launch->dimensions, NULL, launch->global, launch->local,
        count, count > 0 ? events : NULL, &event);
    if (status != CL_SUCCESS)
        die_launching(device, launch, status);
    return event;
}

cl_event launch_start(struct device *device, const struct launch *launch) {
    return launch_after(device, device->queue, launch, 0, NULL);
}

/* In whole nanoseconds: they may be counted from 1970, which leaves a double no digits
 * for less than a quarter of a microsecond. */
static cl_ulong moment_ns(cl_event event, cl_profiling_info which) {
    cl_ulong ns;
    CHECK(clGetEventProfilingInfo(event, which, sizeof ns, &ns, NULL));
    return ns;
}

double launch_ms(struct device *device, const struct launch *launch) {
    const double before_ms = now_ms();
    cl_event first = launch_start(device, launch), last = first;
    for (const struct launch *next = launch->then; next; next = next->then) {
        if (last != first)
            CHECK(clReleaseEvent(last));
        last = launch_start(device, next);
    }
    CHECK(clWaitForEvents(1, &last));
    const double waited_ms = now_ms() - before_ms;
    const cl_ulong start_ns = moment_ns(first, CL_PROFILING_COMMAND_START);
    const cl_ulong end_ns = moment_ns(last, CL_PROFILING_COMMAND_END);
    if (last != first)
        CHECK(clReleaseEvent(last));
    CHECK(clReleaseEvent(first));
    return device->tick_ms > 0.0 ? (double)(cl_long)(end_ns - start_ns) * 1e-6
                                 : waited_ms;
}

double now_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}
