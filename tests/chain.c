/* Copies numbers in, doubles them, adds one, and copies them out; each of these needs
 * the one before it.  The argument says what makes them wait: order (of one queue),
 * events (between two queues), or barriers (in a queue that is out of order).  Prints
 * "right" or "wrong". */
#include "check.h"
#include "device.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { N = 4096, BYTES = N * sizeof(cl_int), COMMANDS = 4 };

static const char *const source =
    "kernel void twice(global int *x) { x[get_global_id(0)] *= 2; }\n"
    "kernel void add(global int *x) { x[get_global_id(0)] += 1; }\n";

static cl_kernel make_kernel(cl_program program, const char *name, cl_mem *buffer) {
    cl_int status;
    cl_kernel kernel = clCreateKernel(program, name, &status);
    check_status(status, "clCreateKernel");
    CHECK(clSetKernelArg(kernel, 0, sizeof *buffer, buffer));
    return kernel;
}

/* The commands; each takes the queue and the wait list that `how` says. */
static void run(struct device *device, const char *how, cl_mem buffer,
                const cl_kernel kernels[2], const cl_int *in, cl_int *out) {
    const bool events = strcmp(how, "events") == 0, barriers = how[0] == 'b';
    const size_t items = N;
    cl_command_queue queues[2] = {device->queue, device_queue(device, false)};
    if (barriers && !(queues[0] = device_queue(device, true)))
        die("no queue of this device is out of order" HINT "try another device");
    cl_event done[COMMANDS];
    for (int i = 0; i < COMMANDS; i++) {
        cl_command_queue queue = queues[events ? i % 2 : 0];
        const cl_uint count = events && i > 0;
        const cl_event *waits = count ? &done[i - 1] : NULL;
        if (barriers && i > 0)
            CHECK(clEnqueueBarrierWithWaitList(queue, 0, NULL, NULL));
        if (i == 0)
            CHECK(clEnqueueWriteBuffer(queue, buffer, CL_FALSE, 0, BYTES, in, count,
                                       waits, &done[i]));
        else if (i < COMMANDS - 1)
            CHECK(clEnqueueNDRangeKernel(queue, kernels[i - 1], 1, NULL, &items, NULL,
                                         count, waits, &done[i]));
        else
            CHECK(clEnqueueReadBuffer(queue, buffer, CL_FALSE, 0, BYTES, out, count,
                                      waits, &done[i]));
        CHECK(clFlush(queue));
    }
    CHECK(clWaitForEvents(COMMANDS, done));
    for (int i = 0; i < COMMANDS; i++)
        CHECK(clReleaseEvent(done[i]));
}

int main(int argc, char **argv) {
    static cl_int in[N], out[N];
    struct device device = device_open(NULL);
    cl_int status;
    cl_mem buffer =
        clCreateBuffer(device.context, CL_MEM_READ_WRITE, BYTES, NULL, &status);
    const char *text = source;
    cl_program program =
        clCreateProgramWithSource(device.context, 1, &text, NULL, NULL);
    CHECK(clBuildProgram(program, 1, &device.id, "", NULL, NULL));
    cl_kernel kernels[] = {make_kernel(program, "twice", &buffer),
                           make_kernel(program, "add", &buffer)};
    CHECK(clEnqueueWriteBuffer(device.queue, buffer, CL_TRUE, 0, BYTES, out, 0, NULL,
                               NULL));
    for (int i = 0; i < N; i++)
        in[i] = i + 1;
    run(&device, argc == 2 ? argv[1] : "order", buffer, kernels, in, out);
    bool right = true;
    for (int i = 0; i < N; i++)
        right = right && out[i] == 2 * in[i] + 1;
    puts(right ? "right" : "wrong");
    for (int i = 0; i < 2; i++)
        clReleaseKernel(kernels[i]);
    clReleaseProgram(program);
    clReleaseMemObject(buffer);
    device_close(&device);
    return right ? RIGHT : WRONG;
}
