/* rows: what was counted, for other programs: a row with named fields, as JSON or as
 * tab-separated values. */
#ifndef ROWS_H
#define ROWS_H

#include <stddef.h>
#include <stdint.h>

/* Begins a row of a kind ("launch", "load"); its fields follow, then row_end(). */
void row_begin(const char *kind);
void row_text(const char *name, const char *text);
void row_number(const char *name, uint64_t number);
void row_signed(const char *name, int64_t number);
/* A sum divided by a count, with two digits behind the point. */
void row_mean(const char *name, uint64_t sum, uint64_t count);
/* Three dimensions: a list in JSON, "64x4x1" in a column. */
void row_sizes(const char *name, const size_t sizes[3]);
void row_end(void);

#endif
