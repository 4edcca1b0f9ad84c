/* roofline: does memory or arithmetic limit a kernel, and how close does it come?
 *
 *     GFLOP/s           ==================  as fast as the device multiplies and adds
 *                    .
 *                 .          b              as fast as memory brings the data for
 *              .             a              that many flop per byte
 *                 flop per byte
 *
 * (S. Williams, A. Waterman, D. Patterson: "Roofline: an insightful visual performance
 * model", Communications of the ACM 52(4), 2009.) */
#ifndef ROOFLINE_H
#define ROOFLINE_H

#include "report.h"

struct roofline {
    struct report *report;
    struct roofline_point {
        const char *variant;
        double intensity, rate; /* flop per byte; GFLOP/s */
    } points[26];
    int count;
};

/* Adds a row of the report: `flops` operations in float within the row's median time,
 * for which memory must move `bytes` bytes at least: what goes in once, and what comes
 * out.  The variant's name is not copied.  There are 26 letters: later
 * rows are left out. */
void roofline_add(struct roofline *roofline, const struct row *row, double bytes,
                  double flops);

/* Draws the rows as letters under this device's measured roofs, and says for each which
 * roof limits it and how close it comes.  Not for csv and json; without measured
 * limits it says so. */
void roofline_draw(const struct roofline *roofline);

#endif
