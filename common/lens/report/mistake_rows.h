/* mistake_rows: what races.c found, for other programs. */
#ifndef MISTAKE_ROWS_H
#define MISTAKE_ROWS_H

#include "watch/run.h"

/* A row "mistake" for each mistake of a launch, and a row "note" for each note. */
void mistake_rows(const struct run *run);

/* How many mistakes these rows are, of all launches. */
size_t mistake_rows_written(void);
/* So many more were written by another process. */
void mistake_rows_add(size_t count);

#endif
