/* limits: how fast this device is at best, measured by step 00 and kept on disk. */
#ifndef LIMITS_H
#define LIMITS_H

#include "device.h"

/* A launch is an empty one, until the host knows that it is done: its median.  A copied
 * byte counts twice, because it is read and written. */
struct limits {
    double launch_ms;
    double read, copy, fill; /* GB/s of device memory */
    double fma;              /* GFLOP/s in float; a fused multiply-add is two */
};

/* Loads the limits of exactly this device and driver and returns true; if they are not
 * measured yet or the file is damaged, returns false and sets `limits` to zero. */
bool limits_load(const struct device *device, struct limits *limits);

/* All of them in words: "limits: read 4511, copy 4046, ..." */
struct limits_words {
    char text[160];
};
struct limits_words limits_in_words(struct limits limits);

/* Ends the program if limits cannot be kept: so that it is known before they are
 * measured, and not after. */
void limits_check_folder(const struct device *device);

/* Writes what has just been measured to build/limits/, or to $LIMITS_DIR, and returns
 * it; where a known limit is better (the launch shorter, the rate higher), that one
 * stays, because a shared machine has slow hours.  A full disk and the like are errors
 * that leave the old file as it was. */
struct limits limits_keep(const struct device *device, struct limits measured);

#endif
