/* settings: those of the command line, which main.c passes on in the environment. */
#ifndef SETTINGS_H
#define SETTINGS_H

#include "watch/run.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct settings {
    struct widths widths; /* of warps */
    bool races, all, table, compare, beside, each, instead, waits, give_up,
        all_launches, strict, pages, banks, whole;
    bool watched; /* kernels are compiled as mistakes need it: where these are looked
                     for, and with --instead */
    enum { TEXT, JSON, TSV } format;
    size_t groups;       /* replay at most N of a launch; 0: as many as are quick */
    const char *kernels; /* only these, a name or a pattern on each line; NULL: all */
    const char *svg;     /* the file that pictures are written to; NULL: none */
    const char *html;    /* the file that --html writes; NULL: none */
    const char *clang;   /* the compiler's name */
    const char *called;  /* what a reader types for this report; NULL: not known */
    const char *ours, *mistakes, *replacement;    /* --ours, --mistake, --instead */
    FILE *out;                                    /* where reports go */
    const char *global, *local, *build, *defines; /* of `lens kernel`; NULL: not given;
                                                     a word on each line of `defines` */
    bool check;                                   /* print what the kernel wrote */
    enum order order;                             /* of warps and groups */
    bool all_sizes, lanes_given, order_given;
    bool alone; /* it is `lens kernel` */
    bool debug; /* LENS_DEBUG: what is replayed is for a debugger */
};
extern const struct settings *const settings;

/* Reads the environment, once. */
void settings_read(void);

/* Tells all floors below how to compile, what to show, and where reports go. */
void settings_apply(void);

/* A launch as it is to be made and watched; its job is for the caller to fill in.
 * `recording` serves it if the page is asked for. */
struct run settings_run(struct recording *recording);

/* Is this kernel to be looked at? */
bool settings_include(const char *kernel);

#endif
