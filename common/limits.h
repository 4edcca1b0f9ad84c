/* limits: how fast this device is at best, measured by step 00 and kept on disk. */
#ifndef LIMITS_H
#define LIMITS_H

#include "device.h"

struct limits {
    double launch_ms;        /* launch of an empty kernel, and waiting for it */
    double read, copy, fill; /* GB/s of device memory; a copy counts twice */
    double fma;              /* GFLOP/s in float; a fused multiply-add is two */
};

/* Loads the limits of exactly this device and driver and returns true; if they are not
 * measured yet or the file is damaged, returns false and sets `limits` to zero. */
bool limits_load(const struct device *device, struct limits *limits);

/* The most important of them in words: "limits: read 4434 GB/s, ..." */
struct limits_words {
    char text[160];
};
struct limits_words limits_in_words(struct limits limits);

/* Writes what has just been measured to build/limits/, or to $LIMITS_DIR, and returns
 * it; where a known limit is better (the launch shorter, the rate higher), that one
 * stays, because a shared machine has slow hours.  A full disk and the like are errors
 * that leave the old file as it was. */
struct limits limits_keep(const struct device *device, struct limits measured);

#endif
