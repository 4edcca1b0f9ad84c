/* options: the command line, the same for every step. */
#ifndef OPTIONS_H
#define OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

enum format { FORMAT_TABLE, FORMAT_CSV, FORMAT_JSON, FORMAT_TSV };

struct options {
    const char *step; /* the step's name, such as "step03_dot_coalesced" */
    size_t size;      /* --size N       how many elements */
    bool size_given;  /*                or is it the step's own choice? */
    int repeats; /* --repeats N    timed launches per row; 0: about half a second */
    bool full;   /* --full         the size and repeats for published figures */
    bool unless_known; /* --unless-known step 00 has nothing to do if the limits are
                          known */
    const char
        *device;   /* --device D     which device, or $DEVICE; NULL: a GPU or any */
    size_t lanes;  /* --lanes N      see kernels/simd.clh; 0: as the device has it */
    unsigned seed; /* --seed N       mix_seed(N), to be added to a step's own seeds */
    const char
        *binary; /* --binary FILE  where to write what the compiler made, or NULL */
    const char *kernel; /* --kernel FILE  another .cl file; NULL: the step's own */
    enum format format; /* --format F     table, csv, json or tsv */
    bool text; /* set by a step whose stdout is a text: the report goes to stderr */
};

/* An option that only some steps have.  What is typed behind it goes to *text; "" where
 * nothing is. */
struct own_option {
    const char *name;  /* "chunk" for --chunk */
    const char *value; /* how --help calls what is typed behind it; NULL: nothing is */
    const char *help;
    const char **text;
};

/* What a step's command line may be. */
struct usage {
    const char *step;
    size_t size, least_size; /* --size unless told, and the least that it may be */
    const struct own_option *own;
    int own_count;
};

/* Reads the command line.  A mistake in it ends the program with a hint; so do --help
 * and --devices, once they have printed what was asked for. */
struct options options_read(int argc, char **argv, const char *step, size_t size);

/* The same for a step with options of its own. */
struct options options_read_own(int argc, char **argv, const struct usage *usage);

/* `text` as a whole number from `least` to `most`; anything else is an error that names
 * the option. */
size_t option_number(const char *name, const char *text, size_t least, size_t most);

#endif
