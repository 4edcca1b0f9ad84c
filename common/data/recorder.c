#include "data/recorder.h"

#include "check.h"

#include <string.h>

static void find_call(cl_platform_id platform, const char *name, void *call) {
    void *found = clGetExtensionFunctionAddressForPlatform(platform, name);
    memcpy(call, &found, sizeof found); /* C has no cast from data to functions */
}

void recorder_begin(struct recorder *recorder, struct device *device) {
    cl_platform_id platform;
    cl_int status;
    *recorder = (struct recorder){.ms = now_ms()};
    if (!device_has(device->id, "cl_khr_command_buffer"))
        return;
    CHECK(clGetDeviceInfo(device->id, CL_DEVICE_PLATFORM, sizeof platform, &platform,
                          NULL));
    find_call(platform, "clCreateCommandBufferKHR", &recorder->create);
    find_call(platform, "clCommandNDRangeKernelKHR", &recorder->launch);
    find_call(platform, "clFinalizeCommandBufferKHR", &recorder->finalize);
    find_call(platform, "clEnqueueCommandBufferKHR", &recorder->replay);
    find_call(platform, "clReleaseCommandBufferKHR", &recorder->release);

    /* PoCL may think that a replay is still going on when the host has seen its end, so
     * we ask for CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR, where the device has it. */
    const cl_ulong flags[] = {0x1293, 1, 0};
    void *commands = recorder->create(1, &device->queue, flags, &status);
    if (status != CL_SUCCESS)
        commands = recorder->create(1, &device->queue, NULL, &status);
    recorder->commands = status == CL_SUCCESS ? commands : NULL;
}

void recorder_add(const struct recorder *recorder, const struct launch *launch) {
    if (recorder->commands)
        CHECK(recorder->launch(recorder->commands, NULL, NULL, launch->kernel,
                               launch->dimensions, NULL, launch->global, launch->local,
                               0, NULL, NULL, NULL));
}

void recorder_end(struct recorder *recorder) {
    if (recorder->commands)
        CHECK(recorder->finalize(recorder->commands));
    recorder->ms = now_ms() - recorder->ms;
}

void recorder_replay(const struct recorder *recorder) {
    CHECK(recorder->replay(0, NULL, recorder->commands, 0, NULL, NULL));
}

void recorder_release(struct recorder *recorder) {
    if (recorder->commands)
        CHECK(recorder->release(recorder->commands));
    recorder->commands = NULL;
}
