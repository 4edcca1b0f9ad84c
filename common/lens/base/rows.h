/* rows: what was counted and found, for other programs: a row with named fields, as
 * JSON or as tab-separated values. */
#ifndef ROWS_H
#define ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Where reports go, and whether they are rows; to be called before all others.
 * ROWS_UNSEEN: no text for readers, but another document, so that rows are dropped. */
enum row_form { NO_ROWS, ROWS_JSON, ROWS_TSV, ROWS_UNSEEN };
void rows_begin(enum row_form form, FILE *out);

/* Are rows wanted, and not text for readers? */
bool rows_wanted(void);
/* Where text for readers goes all the same: not among the rows. */
FILE *rows_readers(void);

/* Begins a row of a kind ("launch", "load"); its fields follow, each once, and then
 * row_end().  A text may hold anything: what is no UTF-8 becomes U+FFFD in JSON. */
void row_begin(const char *kind);
void row_text(const char *name, const char *text);
void row_number(const char *name, uint64_t number);
void row_signed(const char *name, int64_t number);
/* A sum divided by a count, with two digits behind the point. */
void row_mean(const char *name, uint64_t sum, uint64_t count);
/* With six digits. */
void row_real(const char *name, double value);
/* Three dimensions: a list in JSON, "64x4x1" in a column. */
void row_sizes(const char *name, const size_t sizes[3]);
void row_end(void);

/* Copies rows, or text, that another process has written: all that is left in `in`. */
void rows_copy(FILE *in);

#endif
