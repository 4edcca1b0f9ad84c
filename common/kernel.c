#define _POSIX_C_SOURCE 199309L /* clock_gettime */
#include "kernel.h"

#include "check.h"
#include "data.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static char *file_read(const char *path) {
    enum { MOST = 1 << 24 }; /* a folder claims to be longer than any kernel file */
    FILE *file = fopen(path, "rb");
    if (!file)
        die("cannot open the kernel file %s: %s" HINT
            "see what is in kernels/, or after --kernel",
            path, strerror(errno));
    const long bytes = fseek(file, 0, SEEK_END) ? -1 : ftell(file);
    if (bytes < 0 || bytes > MOST)
        die("%s is not a kernel file" HINT "--kernel wants a text file ending in .cl",
            path);
    rewind(file);
    char *text = allocate((size_t)bytes + 1, 1);
    if (fread(text, 1, (size_t)bytes, file) != (size_t)bytes)
        die("cannot read %s" HINT "is the disk in order?", path);
    fclose(file);
    return text;
}

static _Noreturn void die_with_log(struct device *device, cl_program program,
                                   const char *path) {
    size_t bytes = 0;
    clGetProgramBuildInfo(program, device->id, CL_PROGRAM_BUILD_LOG, 0, NULL, &bytes);
    char *log = allocate(bytes + 1, 1);
    clGetProgramBuildInfo(program, device->id, CL_PROGRAM_BUILD_LOG, bytes, log, NULL);
    die("%s does not compile for %s\n%s" HINT
        "the lines above are the compiler's; mend the first one first",
        path, device->name, log);
}

/* After #line 1 "FILE", a compiler's messages name our file.  These two name none, and
 * would count the #line as a line. */
static bool obeys_line(const struct device *device) {
    return !strstr(device->platform, "NVIDIA") && !strstr(device->platform, "Oclgrind");
}

static cl_program program_build(struct device *device, const char *step,
                                const char *file) {
    char path[4096], name[4096], line_one[sizeof name + 16];
    snprintf(path, sizeof path, "%s/%s.cl", KERNEL_DIR, step);
    snprintf(name, sizeof name, "kernels/%s.cl", step);
    if (file)
        snprintf(name, sizeof name, "%s", file);
    snprintf(line_one, sizeof line_one, "#line 1 \"%s\"\n", name);
    if (!obeys_line(device))
        *line_one = '\0';

    cl_int status;
    char *source = file_read(file ? file : path);
    cl_program program = clCreateProgramWithSource(
        device->context, 2, (const char *[]){line_one, source}, NULL, &status);
    check_status(status, "clCreateProgramWithSource");
    free(source);
    if (clBuildProgram(program, 1, &device->id, "-cl-std=CL1.2", NULL, NULL))
        die_with_log(device, program, name);
    return program;
}

cl_kernel kernel_load(struct device *device, const struct options *options,
                      const char *name) {
    if (device->kernel_count == sizeof device->kernels / sizeof *device->kernels)
        die("too many kernels" HINT "raise the array in common/device.h");
    if (!device->program)
        device->program = program_build(device, options->step, options->kernel);
    cl_int status;
    cl_kernel kernel = clCreateKernel(device->program, name, &status);
    if (status == CL_INVALID_KERNEL_NAME)
        die("there is no kernel %s in the file" HINT
            "it must begin like this: kernel void %s(",
            name, name);
    check_status(status, "clCreateKernel");
    return device->kernels[device->kernel_count++] = kernel;
}

void kernel_set_args(cl_kernel kernel, const struct arg *args, size_t count) {
    for (cl_uint i = 0; i < count; i++)
        CHECK(clSetKernelArg(kernel, i, args[i].size, args[i].value));
}

struct launch launch_1d(cl_kernel kernel, size_t global, size_t local) {
    return (struct launch){kernel, 1, {global, 1, 1}, {local, 1, 1}};
}

static _Noreturn void die_launching(struct device *device, const struct launch *launch,
                                    cl_int status) {
    char name[128] = "", advice[128];
    clGetKernelInfo(launch->kernel, CL_KERNEL_FUNCTION_NAME, sizeof name, name, NULL);
    size_t items = 1, most = device->group_most;
    for (cl_uint i = 0; i < launch->dimensions; i++)
        items *= launch->local[i];
    clGetKernelWorkGroupInfo(launch->kernel, device->id, CL_KERNEL_WORK_GROUP_SIZE,
                             sizeof most, &most, NULL);
    snprintf(advice, sizeof advice, "%s", status_cause(status));
    if (items > most)
        snprintf(advice, sizeof advice,
                 "this device allows at most %zu work-items in a group here", most);
    die("cannot launch %s: global %zu x %zu x %zu, local %zu x %zu x %zu\n"
        "  status  %s (%d)" HINT "%s",
        name, launch->global[0], launch->global[1], launch->global[2], launch->local[0],
        launch->local[1], launch->local[2], status_name(status), status, advice);
}

double launch_ms(struct device *device, const struct launch *launch) {
    cl_event event;
    cl_ulong start, end;
    const double before_ms = now_ms();
    const cl_int status =
        clEnqueueNDRangeKernel(device->queue, launch->kernel, launch->dimensions, NULL,
                               launch->global, launch->local, 0, NULL, &event);
    if (status != CL_SUCCESS)
        die_launching(device, launch, status);
    CHECK(clWaitForEvents(1, &event));
    const double waited_ms = now_ms() - before_ms;
    CHECK(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof start,
                                  &start, NULL));
    CHECK(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof end, &end,
                                  NULL));
    CHECK(clReleaseEvent(event));
    return end == 0 ? waited_ms : (double)(end - start) * 1e-6;
}

double now_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}
