/* recorded: records two launches in a command buffer and replays it twice, so that a
 * test can see what the lens says: recorded KERNEL [fill].  The first launch writes
 * what the second, of KERNEL, reads; a recorded argument is set again, too late.  With
 * `fill` the program asks for a call of the extension that the lens does not know. Ends
 * with 77 where the device cannot record, with 1 where its results are not as they
 * should. */
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WRONG = 1, CANNOT_RUN = 2, SKIPPED = 77, ITEMS = 64 };

static const char source[] =
    "kernel void first(global uint *words, uint add) {\n"
    "    words[get_global_id(0)] = get_global_id(0) + add;\n"
    "}\n"
    "kernel void second(global const uint *words, global uint *out) {\n"
    "    out[get_global_id(0)] = words[63 - get_global_id(0)];\n"
    "}\n"
    "kernel void racy(global const uint *words, global uint *out) {\n"
    "    out[words[get_global_id(0)] / 128] = get_global_id(0);\n"
    "}\n";

static void check(cl_int status) {
    if (status != CL_SUCCESS) {
        fprintf(stderr, "error: status %d\n  hint    is there a device?\n", status);
        exit(CANNOT_RUN);
    }
}

static void find(cl_platform_id platform, const char *name, void *call) {
    void *found = clGetExtensionFunctionAddressForPlatform(platform, name);
    if (!found)
        exit(SKIPPED);
    memcpy(call, &found, sizeof found);
}

int main(int argc, char **argv) {
    const char *const name = argc > 1 ? argv[1] : "second", *text = source;
    const size_t items = ITEMS;
    cl_uint add = 100, later = 9000, words[ITEMS];
    cl_platform_id platform;
    cl_device_id device;
    cl_int status;
    void *commands, *fill;
    void *(*create)(cl_uint, const cl_command_queue *, const void *, cl_int *);
    cl_int (*record)(void *, cl_command_queue, const void *, cl_kernel, cl_uint,
                     const size_t *, const size_t *, const size_t *, cl_uint,
                     const cl_uint *, cl_uint *, void **);
    cl_int (*finalize)(void *);
    cl_int (*replay)(cl_uint, cl_command_queue *, void *, cl_uint, const cl_event *,
                     cl_event *);
    check(clGetPlatformIDs(1, &platform, NULL));
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL));
    find(platform, "clCreateCommandBufferKHR", &create);
    find(platform, "clCommandNDRangeKernelKHR", &record);
    find(platform, "clFinalizeCommandBufferKHR", &finalize);
    find(platform, "clEnqueueCommandBufferKHR", &replay);
    if (argc > 2)
        find(platform, "clCommandFillBufferKHR", &fill);

    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
    check(status);
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, &status);
    check(status);
    cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, &status);
    check(status);
    check(clBuildProgram(program, 1, &device, "", NULL, NULL));
    cl_kernel kernels[] = {clCreateKernel(program, "first", &status),
                           clCreateKernel(program, name, &status)};
    check(status);
    cl_mem buffers[2];
    for (int b = 0; b < 2; b++) {
        buffers[b] = clCreateBuffer(context, 0, sizeof words, NULL, &status);
        check(status);
        check(clSetKernelArg(kernels[1], (cl_uint)b, sizeof buffers[b], &buffers[b]));
    }
    check(clSetKernelArg(kernels[0], 0, sizeof buffers[0], &buffers[0]));
    check(clSetKernelArg(kernels[0], 1, sizeof add, &add));

    commands = create(1, &queue, NULL, &status);
    check(status);
    for (int k = 0; k < 2; k++)
        check(record(commands, NULL, NULL, kernels[k], 1, NULL, &items, &items, 0, NULL,
                     NULL, NULL));
    check(finalize(commands));
    if (argc < 3)
        check(clSetKernelArg(kernels[0], 1, sizeof later, &later));
    for (int i = 0; i < 2; i++) {
        cl_event end;
        check(replay(0, NULL, commands, 0, NULL, &end));
        check(clWaitForEvents(1, &end));
        check(clReleaseEvent(end));
    }
    check(clEnqueueReadBuffer(queue, buffers[1], CL_TRUE, 0, sizeof words, words, 0,
                              NULL, NULL));
    for (cl_uint i = 0; i < ITEMS && strcmp(name, "second") == 0; i++)
        if (words[i] != 63 - i + add && words[i] != 63 - i + later)
            return WRONG;
    return 0;
}
