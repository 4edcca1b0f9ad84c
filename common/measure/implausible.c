#include "measure/implausible.h"

#include <string.h>

const struct implausible *implausible_time(const struct device *device,
                                           const struct limits *limits,
                                           struct timing time) {
    enum { TICKS = 20 };
    static const struct implausible
        clock_bound = {"clock-bound",
                       "too short for this device's clock: try a larger --size"},
        launch_bound = {"launch-bound",
                        "no longer than an empty launch takes: try a larger --size"};
    if (time.median_ms < TICKS * device->tick_ms)
        return &clock_bound;
    return time.median_ms < limits->launch_ms ? &launch_bound : NULL;
}

const struct implausible *implausible_share(double percent, double bytes) {
    static const struct implausible
        cached = {"fits in cache",
                  "at least a part of the data stays in a cache, which is faster than "
                  "memory"},
        at_limit = {"at the limit", "a little faster than what step 00 has measured"},
        beyond = {"beyond the limit", "measure the limits again: make step00 run"};
    const double large = 512e6; /* bytes: more than last-level caches hold today */
    if (percent <= 100.0)
        return NULL;
    if (bytes > 0.0 && bytes < large)
        return &cached;
    return percent <= 110.0 ? &at_limit : &beyond;
}

/* Both were seen with Mesa 22.3 and OpenCL by rusticl; tests/llvmpipe.c shows them. */
const struct implausible *known_fault(const struct device *device) {
    static const struct implausible llvmpipe = {
        "or the driver is",
        "llvmpipe makes at most 65535 rounds of a loop, and where clFinish follows "
        "clFlush, it does not wait"};
    return strncmp(device->name, "llvmpipe", 8) == 0 ? &llvmpipe : NULL;
}
