/* screen: a step's table, for people.
 *
 * The lessons are about GPUs, and a CPU's clock cannot show most of them.  So a table
 * begins with what a GPU answers (measure/answers.h), and what a CPU measures here is
 * its own answer, set apart.  On a GPU this device comes first, and the stored one is
 * there to be compared with. */
#ifndef SCREEN_H
#define SCREEN_H

#include "measure/answers.h"
#include "timing.h"

#include <stdio.h>

struct cells; /* of measure/format.h */

struct screen {
    FILE *out;
    const struct options *options;
    const struct device *device;
    struct answers answers; /* none: what runs here is not what was measured there */
    bool counts, times;     /* has the table columns for them? */
    bool narrow;            /* is there no room for the rate? */
    size_t rows;            /* so many are printed */
    size_t size;            /* how many elements the last one has */
    bool sizes_differ;      /* has any other row more or fewer? */
};

/* Prints nothing yet.  `out` is where the table goes. */
struct screen screen_start(FILE *out, const struct options *options,
                           const struct device *device);

/* The title. */
void screen_title(const struct screen *screen, bool limits_are_known);

/* A row, whose time is 0 if it has none; above the first, the names of the columns. */
void screen_row(struct screen *screen, const struct cells *cells, double median_ms);

/* Does this device's share of its limit stand in the table? */
bool screen_has_limit(const struct screen *screen);

/* What the step shows, on a GPU and here; `on_cpu` says why a CPU answers as it does.
 */
void screen_headline(const struct screen *screen, const char *lesson,
                     struct ratio ratio, const char *on_cpu);

/* What the columns mean, and what to type next. */
void screen_legend(const struct screen *screen);

#endif
