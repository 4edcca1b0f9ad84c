/* waits: asks for copies, and waits for them in several ways, so that a test can see
 * what the lens says is left: waits in_order | two_queues | out_of_order */
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CANNOT_RUN = 2, MOST_PLATFORMS = 16 };

static void check(cl_int status) {
    if (status != CL_SUCCESS) {
        fprintf(stderr, "error: status %d\n  hint    is there a device?\n", status);
        exit(CANNOT_RUN);
    }
}

static cl_device_id find_device(void) {
    cl_platform_id platforms[MOST_PLATFORMS];
    cl_device_id device = NULL;
    cl_uint count = 0;
    clGetPlatformIDs(MOST_PLATFORMS, platforms, &count);
    for (cl_uint p = 0; p < count && p < MOST_PLATFORMS && !device; p++)
        clGetDeviceIDs(platforms[p], CL_DEVICE_TYPE_ALL, 1, &device, NULL);
    check(device ? CL_SUCCESS : CL_DEVICE_NOT_FOUND);
    return device;
}

static cl_mem buffer;
static int words[2];

/* Asks for a copy to the device, after another event if there is one. */
static cl_event start(cl_command_queue queue, cl_event before) {
    cl_event event;
    check(clEnqueueWriteBuffer(queue, buffer, CL_FALSE, 0, sizeof words, words,
                               before != NULL, before ? &before : NULL, &event));
    check(clFlush(queue)); /* or another queue might wait for ever */
    return event;
}

int main(int argc, char **argv) {
    const char *way = argc > 1 ? argv[1] : "in_order";
    const cl_command_queue_properties any = CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;
    cl_device_id device = find_device();
    cl_int status;
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
    check(status);
    cl_command_queue a = clCreateCommandQueue(context, device, 0, &status);
    check(status);
    cl_command_queue b = clCreateCommandQueue(context, device, 0, &status);
    check(status);
    buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof words, NULL, &status);
    check(status);

    if (strcmp(way, "in_order") == 0) {
        start(a, NULL);
        cl_event second = start(a, NULL);
        start(a, NULL);
        start(b, NULL);
        check(clWaitForEvents(1, &second)); /* and the first; the other two are left */
        check(clEnqueueReadBuffer(a, buffer, CL_TRUE, 0, sizeof words, words, 0, NULL,
                                  NULL)); /* b's is left */
        check(clFinish(b));
    } else if (strcmp(way, "two_queues") == 0) {
        cl_event first = start(a, NULL);
        cl_event then = start(b, first), last = start(a, then);
        start(b, last);
        start(a, NULL);
        check(clWaitForEvents(1, &last)); /* and the first two; two are left */
        cl_event both[] = {start(b, NULL), start(a, NULL)};
        check(clWaitForEvents(2, both)); /* none */
    } else {
        cl_command_queue c = clCreateCommandQueue(context, device, any, &status);
        check(status);
        start(c, NULL);
        cl_event second = start(c, NULL);
        check(clWaitForEvents(1, &second)); /* the first is left */
        check(clEnqueueBarrierWithWaitList(c, 0, NULL, NULL));
        cl_event behind = start(c, NULL);
        start(c, NULL);
        check(clWaitForEvents(1, &behind)); /* all but the last have ended */
        cl_event all;
        check(clEnqueueMarkerWithWaitList(c, 0, NULL, &all));
        check(clWaitForEvents(1, &all));
    }
    check(clFinish(a));
    check(clFinish(b));
    return 0;
}
