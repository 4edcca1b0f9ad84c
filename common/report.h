/* report: one row for each measurement, as a table, CSV, JSON or TSV. */
#ifndef REPORT_H
#define REPORT_H

#include "measure/implausible.h"
#include "measure/screen.h"
#include "options.h"

#include <stdio.h>

struct report {
    const struct options *options;
    const struct device *device;
    struct screen screen; /* the table, for people */
    FILE *out;            /* stdout, or stderr where stdout is for the step's text */
    FILE *rows;           /* of --rows, or NULL */
    bool begun;           /* is the heading printed? */
    struct limits limits; /* all zero when step 00 has not measured them */
    int wrong;            /* rows whose result was wrong */
    const struct implausible *doubts[5]; /* about rows, to be explained at the end */
    int doubt_count;
};

struct row {
    const char *variant;
    size_t size; /* elements */
    struct timing time;
    double bytes, flops; /* what one launch must move or compute; one of the two */
    double limit;        /* the rate to compare with, in GB/s or GFLOP/s; 0: none */
    bool right;
    const char *note; /* a few words after the row, or NULL */
    bool by_host;     /* timed by the host's clock: no time is too short */
};

/* Prints nothing yet: the heading comes with the first row or sentence, so that a step
 * that cannot run leaves stdout empty. */
struct report report_start(const struct options *options, const struct device *device);

/* Prints one row, at once.  A row that is too short to be timed, or whose share of the
 * limit cannot be true, gets a doubt in place of its share and its note; see
 * measure/implausible.h. Where there is no rate, the note says something else than
 * times, and stays. */
void report_row(struct report *report, struct row row);

/* The rate of a row, in GB/s or GFLOP/s; and how many times higher a's is than b's, if
 * the two were not timed alternately. */
double row_rate(const struct row *row);
struct ratio ratio_of_rows(const struct row *a, const struct row *b);

/* Of `count` rows that each try more of something than the one before, the first whose
 * rate is within 5 % of the best.  -1, if that one is the very first, or not faster
 * than the one before by more than the noise: then nothing is known about what is
 * enough. */
int row_that_is_enough(const struct row *rows, int count);

/* What the step shows, in one ratio of two of its rows; `make run` prints one for each
 * step.  `lesson` names both: "32 work-items, not 1" is how many times faster the 32
 * are.  It is true on this device if the first is faster by more than the noise,
 * reversed if it is slower, and else not told apart; see told_apart() in timing.h.
 * `on_cpu` says in half a line why a CPU answers as it does ("a core runs one work-item
 * after another"), or is NULL. */
void report_headline(struct report *report, const char *lesson, struct ratio ratio,
                     const char *on_cpu);

/* Prints what step 00 has measured as the device's limits, and keeps it, if the run was
 * a full one of the step's own kernels, and right; a known limit that is better stays.
 */
void report_limits(struct report *report, struct limits measured);

/* Prints a sentence under the table; programs that read csv, json or tsv do not see it.
 */
__attribute__((format(printf, 2, 3))) void report_say(struct report *report,
                                                      const char *format, ...);

/* Ends the report; returns the exit status for main. */
int report_end(struct report *report);

#endif
