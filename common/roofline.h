/* roofline: is it memory or arithmetic that bounds a kernel, and how near does it come?
 *
 *     GFLOP/s           ==================  as fast as the device multiplies and adds
 *                    .
 *                 .          b              as fast as its memory feeds it, so many
 *              .             a              flop for each byte
 *                 flop per byte
 *
 * (S. Williams, A. Waterman, D. Patterson: "Roofline: an insightful visual performance
 * model", Communications of the ACM 52(4), 2009.) */
#ifndef ROOFLINE_H
#define ROOFLINE_H

#include "report.h"

struct roofline {
    const struct report *report;
    struct roofline_point {
        const char *variant;
        double intensity, rate; /* flop per byte; GFLOP/s */
    } points[26];
    int count;
};

/* Adds a row of the report: `flops` operations in float within the row's median time,
 * for which memory must move `bytes` bytes at least: what goes in once, and what comes
 * out.  The variant's name is not copied.  More than 26 rows are not taken. */
void roofline_add(struct roofline *roofline, const struct row *row, double bytes,
                  double flops);

/* Draws the rows as letters under this device's measured roofs, and says for each which
 * roof it stands under and how near it comes.  Not for csv and json; without measured
 * limits it says so. */
void roofline_draw(const struct roofline *roofline);

#endif
