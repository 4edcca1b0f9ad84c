/* options: the command line, the same for every step. */
#ifndef OPTIONS_H
#define OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

enum format { FORMAT_TABLE, FORMAT_CSV, FORMAT_JSON, FORMAT_TSV };

/* With --brief a GPU's usual size is so many times smaller, if it is LARGE_SIZE or
 * more: the host checks every result, and for a large GPU that takes minutes. */
enum { BRIEFER = 4, LARGE_SIZE = 1 << 24 };

struct options {
    const char *step;   /* the step's name, such as "step03_dot_coalesced" */
    const char *lesson; /* what its table compares, in a few words */
    size_t size;        /* --size N       how many elements */
    bool size_given;    /*                or is it the step's own choice? */
    int repeats; /* --repeats N    timed launches per row; 0: for half a second */
    bool all;    /* --all          the rows that are not shown by default, too */
    bool full;   /* --full         all of that, with the published size */
    bool brief;  /* --brief        BRIEFER times smaller on a GPU, as in `make run` */
    const char
        *device;   /* --device D     which device, or $DEVICE; NULL: see device.h */
    size_t lanes;  /* --lanes N      see kernels/simd.clh; 0: the device's own */
    unsigned seed; /* --seed N       mix_seed(N), added to a step's own seeds */
    const char *kernel; /* --kernel FILE  another .cl file; NULL: the step's own */
    const char *binary; /* --binary FILE  where the compiled program goes, or NULL */
    const char *rows;   /* --rows FILE    where the rows go as TSV as well, or NULL */
    enum format format; /* --format F     table, csv, json or tsv */
    bool text; /* set by a step whose stdout is a text: the report goes to stderr */
};

/* An option that only some steps have: a word, a path, a whole number from `min` to
 * `max`, or, with none of these, a switch.  What is not given stays as it is. */
struct own_option {
    const char *name;  /* "chunk" for --chunk */
    const char *value; /* what --help calls the value; NULL: a switch */
    const char *help;
    const char **text; /* the word; of a switch "" */
    const char **file; /* the path of a file that the step writes in the end */
    size_t *number, min, max;
};

/* How many elements a step works on by default: enough for the device's clock to tell
 * the rows apart.  A size of 0 for --full means the same as without it. */
struct sizes {
    size_t cpu, gpu, cpu_full, gpu_full;
};

/* What a step's command line may be; what is left out is 0. */
struct usage {
    const char *step;
    const char *lesson;  /* what its table compares, in a few words */
    size_t size;         /* --size by default; 0: it depends on the device (step.h) */
    bool may_be_nothing; /* is --size 0 allowed? */
    const struct own_option *own;
    int own_count;
    size_t device; /* which of the devices that --device names; see device.h */
};

/* Reads the command line.  A mistake in it ends the program with a hint; --help,
 * --version and --devices print their text and end it. */
struct options options_read(int argc, char **argv, const struct usage *usage);

/* `text` as a whole number from `min` to `max`; anything else is an error that names
 * the option. */
size_t option_number(const char *name, const char *text, size_t min, size_t max);

#endif
