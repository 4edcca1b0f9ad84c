/* kernel: compile a kernel, give it arguments, launch it. */
#ifndef KERNEL_H
#define KERNEL_H

#include "device.h"
#include "options.h"

/* The kernel `name` of the step's own file, kernels/<step>.cl, or of --kernel's, which
 * may include files of kernels/.  simd.clh cannot find out everything by itself, so
 * SIMD_LANES (for --lanes) and COMPUTE_CAPABILITY (90 is NVIDIA's 9.0) are defined.  A
 * file that is missing or does not compile is an error, with the full build log. */
cl_kernel kernel_load(struct device *device, const struct options *options,
                      const char *name);

/* The whole program of that file, for a device of which only `id` and `context` are
 * set; the caller releases it.  A file that does not compile is an error here, too. */
cl_program kernel_program(const struct device *device, const struct options *options);

/* Creates the kernel `name` of a program; a name that the program lacks is an error.
 * Every other outcome is returned in *status. */
cl_kernel kernel_create(cl_program program, const char *name, cl_int *status);

/* kernel_args(dot, ARG(x_buffer), ARG(n)) sets arguments 0 and 1 from variables;
 * LOCAL(bytes) reserves local memory for an argument. */
#define kernel_args(kernel, ...)                                                       \
    kernel_set_args((kernel), (struct arg[]){__VA_ARGS__},                             \
                    sizeof((struct arg[]){__VA_ARGS__}) / sizeof(struct arg))
#define ARG(variable) ((struct arg){sizeof(variable), &(variable)})
#define LOCAL(bytes) ((struct arg){(bytes), NULL})

struct arg {
    size_t size;
    const void *value;
};

void kernel_set_args(cl_kernel kernel, const struct arg *args, size_t count);

/* A kernel and the range of work-items it is launched over. */
struct launch {
    cl_kernel kernel;
    cl_uint dimensions;
    size_t global[3], local[3]; /* work-items in all, and in one work-group */
    const struct launch *then;  /* follows at once, timed together; or NULL */
};

struct launch launch_1d(cl_kernel kernel, size_t global, size_t local);

/* As many groups of local[0] x local[1] work-items as cover width x height of them. */
struct launch launch_2d(cl_kernel kernel, size_t width, size_t height,
                        const size_t local[2]);

/* Launches, waits, and returns the milliseconds from the start to the end of the last
 * by the device's clock (by the host's, where the device keeps none). */
double launch_ms(struct device *device, const struct launch *launch);

/* Launches, and does not wait.  The event is complete when the launch is; the caller
 * releases it. */
cl_event launch_start(struct device *device, const struct launch *launch);

/* The same in another queue of the device, after `count` events; `launch->then` is
 * ignored. */
cl_event launch_after(struct device *device, cl_command_queue queue,
                      const struct launch *launch, cl_uint count,
                      const cl_event *events);

/* The host's clock, in milliseconds since some fixed moment. */
double now_ms(void);

#endif
