/* text: writes to stdout, for steps whose product is text. */
#ifndef TEXT_H
#define TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Call it before a device is opened.  From then on, a pipe that its reader closes ends
 * text_write() and not the program, and a pipe on stdout is as large as allowed. */
void text_start(void);

/* Writes all `bytes` bytes to the file descriptor `out`, however many calls of write()
 * it takes.  Returns false when the pipe has no reader any more; a full disk and the
 * like are errors. */
bool text_write(int out, const char *text, size_t bytes);

#ifdef __linux__
enum { TEXT_CAN_SPLICE = 1 };
#else
enum { TEXT_CAN_SPLICE = 0 };
#endif

/* The same for a pipe, without a copy: the pipe refers to the pages of `text` until
 * they are read (vmsplice(2), Linux).  Anything else than a pipe is an error.  A reader
 * that passes the pages on without copying them (splice(2)) may see them change. */
bool text_splice(int out, const char *text, size_t bytes);

/* Waits until the pipe holds at most `bytes` bytes, or has no reader any more: the
 * pages spliced before these bytes may change again.  Returns at once if `out` is no
 * pipe. */
void text_drain(int out, size_t bytes);

/* A pipe with a reader in a thread of its own, which has a look at every byte: it fills
 * its buffer again and again, and adds up all words of eight bytes in it. */
struct pipe_sink {
    int out; /* write here */
    struct text_reader *reader;
};

/* A reader that is late waits some milliseconds before each of its first reads: so it
 * sees what changes while it is in the pipe. */
struct pipe_sink pipe_sink_open(bool late);

/* Closes `out`, waits until all bytes are read, and returns what has arrived. */
struct arrived {
    size_t bytes;
    uint64_t sum; /* of all words, modulo 2^64; zeros fill the last one */
};
struct arrived pipe_sink_close(struct pipe_sink sink);

#endif
