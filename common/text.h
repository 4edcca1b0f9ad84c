/* text: what a step writes to stdout where its product is text. */
#ifndef TEXT_H
#define TEXT_H

#include <stdbool.h>
#include <stddef.h>

/* From now on a reader who leaves ends text_write(), and not the program. */
void text_start(void);

/* Writes all `bytes` bytes to the file descriptor `out`, however many calls of write()
 * it takes.  Returns false when nobody reads there any more; a full disk and the like
 * are errors. */
bool text_write(int out, const char *text, size_t bytes);

/* What a system call that writes has come to: more than 0 bytes are written;
 * interrupted or not ready yet, 0 are; -1: nobody reads any more.  Other failures are
 * errors. */
ptrdiff_t text_written(int out, ptrdiff_t result);

#endif
