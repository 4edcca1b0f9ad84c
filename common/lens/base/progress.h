/* progress: a sign of life on a terminal, for what takes longer than three seconds. */
#ifndef PROGRESS_H
#define PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Something begins.  False: it is part of something that has begun, so that
 * progress_end() is for that to call. */
bool progress_begin(void);

/* How far it is; to be called often.  Nothing is printed before its time has come. */
void progress_replay(const char *kernel, size_t groups_done, size_t groups,
                     uint64_t steps);
void progress_cases(const char *kernel, const char *name, uint64_t n, size_t cases);
void progress_compile(void);

/* The sign goes, because something else is to be printed; or since all is done. */
void progress_erase(void);
void progress_end(void);

#endif
