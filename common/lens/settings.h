/* settings: those of the command line, which reach the library in the environment. */
#ifndef SETTINGS_H
#define SETTINGS_H

#include "watch/run.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum report_format { TEXT, JSON, TSV, SARIF };

/* The type of an option's field, for each kind in settings.def. */
#define FIELD_flag bool
#define FIELD_text const char * /* NULL: not given; of several, one on each line */
#define FIELD_count size_t      /* 0: not given */
#define FIELD_widths struct widths
#define FIELD_format enum report_format
#define FIELD_order enum order

struct settings {
#define OPTION(whose, name, value, kind, take, choices, help) FIELD_##kind name;
#include "settings.def"
    /* What follows from options, or is none. */
    bool beside;  /* --ours is given, for a program */
    bool watched; /* kernels are compiled as mistakes need it: where these are looked
                     for, and with --instead */
    bool lanes_given, order_given;
    bool alone;          /* it is `lens kernel` */
    bool checked;        /* it is one of the two replays of `lens check` */
    bool debug;          /* LENS_DEBUG: what is replayed is for a debugger */
    const char *defines; /* -D and -I, a word on each line; NULL: none */
    const char *clang;   /* the compiler's name */
    const char *called;  /* what a reader types for this report; NULL: not known */
    FILE *out;           /* where reports go */
};
extern const struct settings *const settings;

/* The variable that carries an option: LENS_ALL_SIZES for the field all_sizes.  It is
 * written into `room`. */
enum { VARIABLE_ROOM = 32 };
const char *settings_variable(const char *field, char room[VARIABLE_ROOM]);

/* Reads the environment, once. */
void settings_read(void);

/* A kernel's warps have so many lanes, if the command line does not say it. */
void settings_usual_lanes(unsigned lanes);

/* Tells all floors below how to compile, what to show, and where reports go. */
void settings_apply(void);

/* The GPU that launches run on from now on; NULL: it is none.  With --as that is what
 * times are said of. */
void settings_device(const char *gpu);

/* A launch as it is to be made and watched; its job is for the caller to fill in.
 * `recording` serves it if the page is asked for. */
struct run settings_run(struct recording *recording);

/* Is this kernel to be looked at? */
bool settings_include(const char *kernel);

#endif
