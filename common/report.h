/* report: one row per measurement, as a table, CSV, JSON or TSV. */
#ifndef REPORT_H
#define REPORT_H

#include "limits.h"
#include "options.h"
#include "timing.h"

#include <stdio.h>

struct report {
    const struct options *options;
    const struct device *device;
    FILE *out;            /* stdout, or stderr where stdout is for the step's text */
    struct limits limits; /* all zero when step 00 has not measured them */
    int wrong;            /* rows whose result was wrong */
};

struct row {
    const char *variant;
    size_t size; /* elements */
    struct timing time;
    double bytes, flops; /* what one launch must move or compute; one of the two */
    double limit;        /* the rate to compare with, in GB/s or GFLOP/s; 0: none */
    bool right;
    const char *note; /* a few words behind the row, or NULL */
};

/* Prints the heading.  `size` elements are what the step's options ask for. */
struct report report_start(const struct options *options, const struct device *device);

/* Is a time too short for the device's clock, or shorter than a launch?  Then neither
 * it nor a ratio with it tells anything; returns why, or NULL. */
const char *report_too_short(const struct report *report, struct timing time);

/* Prints one row.  A time or a share that cannot be true gets a verdict instead. */
void report_row(struct report *report, struct row row);

/* Prints a sentence under the table; programs that read csv or json do not see it. */
__attribute__((format(printf, 2, 3))) void report_say(const struct report *report,
                                                      const char *format, ...);

/* Ends the report; returns the exit status for main. */
int report_end(const struct report *report);

#endif
