/* profile: what a GPU can do at most, as a file of docs/devices/ says it. */
#ifndef PROFILE_H
#define PROFILE_H

#include "device_profiles.h"

#include <stddef.h>

/* Rates are for one second.  Those of a unit are in warps of 32 lanes. */
enum parameter {
    UNITS,
    LAUNCH,          /* s: an empty kernel */
    MEMORY,          /* bytes */
    CACHE,           /* bytes that the L2 holds */
    CACHE_RATE,      /* bytes */
    UNIT_FMA,        /* of a unit: multiply-adds, or additions */
    UNIT_DOUBLE,     /* the same of double */
    UNIT_SPECIAL,    /* sines, roots */
    UNIT_ISSUE,      /* instructions of any kind */
    UNIT_ACCESS,     /* loads and stores */
    UNIT_PASS,       /* passes over the banks of local memory and the L1 */
    UNIT_LOOKUP,     /* lines of the L1 */
    ATOMIC_WORD,     /* s: an atomic on a word that all use */
    ATOMIC_SECTOR,   /* sectors: atomics on words of their own */
    FLOAT_LATENCY,   /* s: a multiply-add that waits for the one before */
    MEMORY_LATENCY,  /* s: a load that waits, from memory ... */
    CACHE_LATENCY,   /* ... from the L2 ... */
    L1_LATENCY,      /* ... from the L1 */
    LOCAL_LATENCY,   /* ... from local memory */
    BARRIER_LATENCY, /* s */
    REFILL,          /* warps of a unit that load a word, store one and end */
    RESIDENT_WARPS,  /* of a unit, at a time */
    RESIDENT_GROUPS,
    LOCAL_BYTES, /* of a unit */
    PARAMETERS
};

struct profile {
    char name[64];             /* of the device */
    char source[64];           /* "measured", or what else the numbers come from */
    double values[PARAMETERS]; /* a rate that is not known is infinite, a time 0 */
};

/* Reads a profile from its text: a line for each parameter, with key, value and unit;
 * '#' begins a comment, and what follows the unit is one as well.  `path` is for
 * messages.  A text that is none, or lacks a parameter without which nothing follows,
 * ends the program. */
struct profile profile_read(const char *text, const char *path);

/* The profile of a device that comes with the lens: by its name or that of its file, as
 * in "NVIDIA H200" or "nvidia-h200".  NULL: there is none.  It lasts until the next
 * call of this function or the next one. */
const struct profile *profile_known(const char *name);

/* The same, or by the path of a file. */
const struct profile *profile_of(const char *name);

/* How near the times of this device are to those that were measured, where `binds`
 * binds; NULL: that is not known. */
const struct habit *habit_of(const struct profile *profile, const char *binds);

/* The names of all files that come with the lens, as in "nvidia-h100, nvidia-h200". */
const char *profile_names(void);

#endif
