/* limits: how fast this device is at best, measured by step 00 and kept on disk. */
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

/* Loads the limits of exactly this device and driver and returns true; if they are not
 * measured yet or the file is damaged, returns false and sets `limits` to zero. */
bool limits_load(const struct device *device, struct limits *limits);

/* The better value of each limit: the shorter launch, the higher rate.  A limit is the
 * best that a device has ever shown, because a shared machine has slow hours. */
struct limits limits_best(const struct limits *a, const struct limits *b);

/* The most important of them in words: "limits: read 4434 GB/s, ..." */
struct limits_words {
    char text[160];
};
struct limits_words limits_in_words(const struct limits *limits);

/* Writes them to build/limits/, or to $LIMITS_DIR; a full disk and the like are errors
 * that leave the old file as it was. */
void limits_save(const struct device *device, const struct limits *limits);

/* Ends the program with that error now, before seconds are spent on measuring what
 * could not be written. */
void limits_check_writable(const struct device *device);

#endif
