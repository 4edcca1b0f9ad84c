/* count_rows: what was counted, for other programs. */
#ifndef COUNT_ROWS_H
#define COUNT_ROWS_H

#include "by_place.h"

/* A row "launch"; a row for each access, branch and barrier; and a row "total". */
void count_rows(const struct run *run, const struct facts *facts);

#endif
