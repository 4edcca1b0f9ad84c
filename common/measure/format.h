/* format: rows for programs, as CSV, JSON (an object on each line) or TSV. */
#ifndef FORMAT_H
#define FORMAT_H

#include "options.h"

#include <stdio.h>

enum column {
    STEP,
    VARIANT,
    DEVICE,
    SIZE,
    REPEATS,
    MEDIAN_MS,
    FASTEST_MS,
    SLOWEST_MS,
    RATE,
    UNIT,
    PERCENT_OF_LIMIT,
    RESULT,
    NOTE,
    COUNTED,
    H200_MS,
    H200_PERCENT,
    COLUMNS
};

/* A row's cells as text; a number that is not known is "". */
struct cells {
    char text[COLUMNS][512];
};

/* A cell as printf() would print it; what does not fit is cut off. */
__attribute__((format(printf, 3, 4))) void
cell_set(struct cells *cells, enum column column, const char *format, ...);

/* The line with the columns' names, which JSON has in every row instead. */
void format_heading(FILE *out, enum format format);

/* One row.  A number that is not known is empty, and null in JSON. */
void format_row(FILE *out, enum format format, const struct cells *cells);

#endif
