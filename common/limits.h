/* limits: what step 00 measured this device to be capable of, kept on disk. */
#ifndef LIMITS_H
#define LIMITS_H

#include "device.h"

struct limits {
    double launch_ms;          /* launch of an empty kernel, and waiting for it */
    double to_device, to_host; /* GB/s from and to ordinary (pageable) memory */
    double to_device_pinned, to_host_pinned; /* GB/s from and to pinned memory */
    double read, copy, fill; /* GB/s of device memory; a copy counts twice */
    double fma;              /* GFLOP/s in float; a fused multiply-add is two */
};

/* Finds the limits of this very device and driver and returns true; returns false, and
 * leaves `limits` all zero, when they were not measured yet or the file is damaged. */
bool limits_load(const struct device *device, struct limits *limits);

/* Writes them to build/limits/, or to $LIMITS_DIR; a full disk and the like are errors
 * that leave the old file as it was. */
void limits_save(const struct device *device, const struct limits *limits);

/* Ends the program with that error now, before seconds are spent on measuring what
 * could not be written. */
void limits_can_save(const struct device *device);

#endif
