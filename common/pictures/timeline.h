/* timeline: when host, copies and device were busy; drawn as text, and written as a
 * picture or for trace viewers.
 *
 *     host  ppppp....uuppppp....uu....    idle 43.1 %
 *     copy  .....i..........i.........    idle 92.6 %
 *     gpu   ......ccc........ccc......    idle 78.4 % */
#ifndef TIMELINE_H
#define TIMELINE_H

#include "step.h"

#include <stdio.h>

struct timeline {
    const char *name; /* of the whole timeline in a file */
    const char **rows;
    size_t row_count;
    struct span {
        int row;
        const char *name; /* its first character is drawn */
        double start_ms, end_ms;
    } * spans;
    size_t count;
};

/* Adds a row, and returns its number.  Names are not copied. */
int timeline_row(struct timeline *timeline, const char *name);

/* Adds a span of milliseconds, of any one clock, to a row.  Spans of one row may
 * overlap. */
void timeline_add(struct timeline *timeline, int row, const char *name, double start_ms,
                  double end_ms);

/* The same from a profiled event that is complete; `ahead_ms` is clock_ahead_ms(). */
void timeline_event(struct timeline *timeline, int row, const char *name,
                    cl_event event, double ahead_ms);

/* How far the host's clock is ahead of the device's, in milliseconds: added to an
 * event's times, it gives those of now_ms().  It is accurate to about the time of a
 * launch.  The device must be idle. */
double clock_ahead_ms(struct device *device);

/* From the first start to the last end; and the share of it in which nothing ran in the
 * row, from 0 to 1. */
double timeline_ms(const struct timeline *timeline);
double timeline_idle(const struct timeline *timeline, int row);

/* The first start; and the spans of a row, by their starts, which the caller frees. */
double timeline_first_ms(const struct timeline *timeline);
struct span *timeline_sorted(const struct timeline *timeline, int row, size_t *count);

/* Draws the rows, `columns` characters for `full_ms` milliseconds.  A character is
 * the first of the name of the span that fills most of its time (of several, the last);
 * '.' means idle. */
void timeline_draw(const struct timeline *timeline, FILE *out, int columns,
                   double full_ms);

/* Writes the timelines to a file, all on one scale: as JSON for chrome://tracing and
 * Perfetto ("Trace Event Format") if its name ends in .json, else as an SVG picture.  A
 * file that cannot be written is an error. */
void timeline_write(const struct timeline *timelines, int count, const char *path);

void timeline_free(struct timeline *timeline);

/* Draws the first `drawn` of `count` timelines under a step's table, as much of each as
 * the first `full_ms` milliseconds (0: as the longest of these takes); writes all of
 * them to the file `path`, unless that is NULL; and frees them. */
void timelines_show(struct step *step, struct timeline *timelines, int count, int drawn,
                    double full_ms, const char *path);

#endif
