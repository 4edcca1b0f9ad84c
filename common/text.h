/* text: what a step writes to stdout where its product is text. */
#ifndef TEXT_H
#define TEXT_H

#include <stdbool.h>
#include <stddef.h>

/* Before a device is opened: from now on a reader who leaves ends text_write(), and not
 * the program; and if stdout is a pipe, it holds as much as it may.  A stdout that is
 * closed is an error: the driver's own files would get its number. */
void text_start(void);

/* Writes all `bytes` bytes to the file descriptor `out`, however many calls of write()
 * it takes.  Returns false when nobody reads there any more; a full disk and the like
 * are errors. */
bool text_write(int out, const char *text, size_t bytes);

#ifdef __linux__
enum { TEXT_CAN_LEND = 1 };
#else
enum { TEXT_CAN_LEND = 0 };
#endif

/* The same for a pipe, to which the pages are lent: nothing is copied until somebody
 * reads them (vmsplice(2), Linux).  What is no pipe is an error.  A reader that does
 * not copy but lends them further (splice(2)) may see them change. */
bool text_lend(int out, const char *text, size_t bytes);

/* Waits until the pipe holds no more than `bytes` bytes, or nobody reads any more: what
 * was lent before these may change again.  What is no pipe holds nothing. */
void text_wait(int out, size_t bytes);

/* A pipe with a reader that only counts, as wc -c does, in a thread of its own. */
struct text_counter {
    int out; /* write here */
    struct text_reader *reader;
};
struct text_counter text_counter_start(void);

/* Closes `out`, waits until all is read, and returns how many bytes that were. */
size_t text_counter_end(struct text_counter counter);

#endif
