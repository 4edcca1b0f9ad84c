/* machine: the sizes of the GPU that is modelled. */
#ifndef MACHINE_H
#define MACHINE_H

#include <stddef.h>

enum { MAX_LANES = 64 }; /* in a warp */

/* Warps of 4, 8, 16, 32 or 64 lanes: of one width, or of several that are compared. */
enum { MAX_WIDTHS = 5 };
struct widths {
    unsigned lanes[MAX_WIDTHS];
    size_t count;
};

/* The memory that the model has, in bytes: the pieces that global memory moves in, the
 * lines of its cache, the pages that addresses are translated by, and the banks of
 * local memory. */
enum { SECTOR = 32, LINE = 128, PAGE = 4096 };

/* Functions that programs and kernels call are visible; all others stay in here. */
#define VISIBLE __attribute__((visibility("default")))

#endif
