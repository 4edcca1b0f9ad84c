/* page: the page that --html writes.  In it a reader steps through one group of each
 * launch that was kept. */
#ifndef PAGE_H
#define PAGE_H

#include "watch/run.h"

/* Keeps the recorded group of a launch; nothing, unless --html is given.  `number` is
 * that of report_launch(). */
void page_add(const struct run *run, size_t number);

/* Writes the page; false: there is nothing to show.  A file that cannot be written is
 * an error, and then the old one stays. */
bool page_end(void);

#endif
