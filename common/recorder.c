#include "recorder.h"

#include "check.h"

#include <string.h>

static void find_call(cl_platform_id platform, const char *name, void *call) {
    void *found = clGetExtensionFunctionAddressForPlatform(platform, name);
    memcpy(call, &found, sizeof found); /* C has no cast from data to functions */
}

void *recorder_begin(struct recorder *recorder, struct device *device) {
    cl_platform_id platform;
    cl_int status;
    if (!device_has(device->id, "cl_khr_command_buffer"))
        return NULL;
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
    return status == CL_SUCCESS ? commands : NULL;
}
