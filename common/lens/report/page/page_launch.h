/* page_launch: a launch and its recorded group, as JSON for page_data.js. */
#ifndef PAGE_LAUNCH_H
#define PAGE_LAUNCH_H

#include "watch/run.h"

/* One object, of at most about `room` bytes: so many steps are left out.  The caller
 * frees it. */
char *page_launch(const struct run *run, size_t room);

#endif
