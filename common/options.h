/* options: the command line, the same for every step. */
#ifndef OPTIONS_H
#define OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

enum format { FORMAT_TABLE, FORMAT_CSV, FORMAT_JSON };

struct options {
    const char *step; /* the step's name, such as "step03_dot_coalesced" */
    size_t size;      /* --size N       how many elements */
    bool size_given;  /*                or is it the step's own choice? */
    int repeats; /* --repeats N    timed launches per row; 0: about half a second */
    bool full;   /* --full         the size and repeats for published figures */
    bool unless_known; /* --unless-known step 00 has nothing to do if the limits are
                          known */
    const char
        *device;  /* --device D     which device, or $DEVICE; NULL: a GPU or any */
    size_t lanes; /* --lanes N      see kernels/simd.clh; 0: as the device has it */
    const char
        *binary; /* --binary FILE  where to write what the compiler made, or NULL */
    const char *kernel; /* --kernel FILE  another .cl file; NULL: the step's own */
    enum format format; /* --format F     table, csv or json */
};

/* Reads the command line.  A mistake in it ends the program with a hint; so do --help
 * and --devices, once they have printed what was asked for. */
struct options options_read(int argc, char **argv, const char *step, size_t size);

#endif
