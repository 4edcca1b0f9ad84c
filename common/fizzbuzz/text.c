#define _GNU_SOURCE /* vmsplice, F_SETPIPE_SZ */
#include "fizzbuzz/text.h"

#include "check.h"
#include "data.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

enum { LATE_READS = 20, LATE_MS = 3 }; /* of a reader that is late */
enum { READ_BYTES = 1 << 18 };         /* they stay in the cache of the reader's core */
enum { PIPE_BYTES = 1 << 20 }; /* a pipe's largest size without privileges (pipe(7)) */

static void enlarge(int out) {
#ifdef F_SETPIPE_SZ
    fcntl(out, F_SETPIPE_SZ, PIPE_BYTES); /* where that fails, it is only slower */
#else
    (void)out;
#endif
}

void text_start(void) {
    signal(SIGPIPE, SIG_IGN);
    enlarge(STDOUT_FILENO);
}

/* How many bytes a system call has written: 0 if it was interrupted or must wait, -1 if
 * the pipe has no reader any more. */
static ssize_t written(int out, ssize_t result) {
    if (result >= 0)
        return result;
    if (errno == EPIPE)
        return -1;
    if (errno == EAGAIN)
        poll(&(struct pollfd){.fd = out, .events = POLLOUT}, 1, -1);
    else if (errno != EINTR)
        die("cannot write the text: %s" HINT "%s", strerror(errno),
            errno == ENOSPC || errno == EFBIG || errno == EDQUOT
                ? "make room; the text ends where the disk was full"
                : "stdout must be a file or a pipe that can be written");
    return 0;
}

bool text_write(int out, const char *text, size_t bytes) {
    for (size_t done = 0; done < bytes;) {
        const ssize_t more = written(out, write(out, text + done, bytes - done));
        if (more < 0)
            return false;
        done += (size_t)more;
    }
    return true;
}

bool text_splice(int out, const char *text, size_t bytes) {
#ifdef __linux__
    for (size_t done = 0; done < bytes;) {
        const struct iovec pages = {(char *)(size_t)text + done, bytes - done};
        const ssize_t result = vmsplice(out, &pages, 1, 0);
        if (result < 0 && (errno == EBADF || errno == EINVAL))
            die("vmsplice needs a pipe, and stdout is none" HINT
                "append \"| cat\" to the command, or leave --output out");
        const ssize_t more = written(out, result);
        if (more < 0)
            return false;
        done += (size_t)more;
    }
    return true;
#else
    (void)text, (void)bytes;
    die("this system has no vmsplice" HINT "leave --output out");
#endif
}

void text_drain(int out, size_t bytes) {
    int unread = 0;
    struct stat about;
    const struct timespec soon = {.tv_nsec = 20000};
    if (fstat(out, &about) != 0 || !S_ISFIFO(about.st_mode))
        return;
    while (ioctl(out, FIONREAD, &unread) == 0 && (size_t)unread > bytes)
        if (ppoll(&(struct pollfd){.fd = out}, 1, &soon, NULL) > 0) /* no reader */
            return;
}

/* What reads from a pipe_sink. */
struct text_reader {
    pthread_t thread;
    int in;
    int late_reads; /* before which it waits */
    struct arrived arrived;
};

/* Fills `words` with what comes next; returns the bytes of it, fewer at the end. */
static size_t read_full(struct text_reader *reader, void *words) {
    size_t done = 0;
    for (ssize_t more = 1; more > 0 && done < READ_BYTES;) {
        if (reader->late_reads > 0 && reader->late_reads-- > 0)
            poll(NULL, 0, LATE_MS);
        more = read(reader->in, (char *)words + done, READ_BYTES - done);
        done += more > 0 ? (size_t)more : 0;
    }
    return done;
}

/* Four sums at a time, because each addition waits for the one before it. */
static uint64_t sum_of(const uint64_t *words, size_t count) {
    uint64_t sums[4] = {0};
    for (size_t i = 0; i < count; i += 4) {
        sums[0] += words[i];
        sums[1] += words[i + 1];
        sums[2] += words[i + 2];
        sums[3] += words[i + 3];
    }
    return sums[0] + sums[1] + sums[2] + sums[3];
}

static void *read_all(void *argument) {
    struct text_reader *reader = argument;
    const size_t room = READ_BYTES / sizeof(uint64_t);
    uint64_t *words = allocate(room, sizeof *words);
    for (size_t bytes = READ_BYTES; bytes == READ_BYTES;) {
        bytes = read_full(reader, words);
        memset((char *)words + bytes, 0, READ_BYTES - bytes);
        reader->arrived.bytes += bytes;
        reader->arrived.sum += sum_of(words, room);
    }
    free(words);
    return NULL;
}

struct pipe_sink pipe_sink_open(bool late) {
    int ends[2];
    struct text_reader *reader = allocate(1, sizeof *reader);
    if (pipe(ends) != 0)
        die("cannot make a pipe: %s" HINT "are too many files open?", strerror(errno));
    enlarge(ends[1]);
    reader->in = ends[0];
    reader->late_reads = late ? LATE_READS : 0;
    if (pthread_create(&reader->thread, NULL, read_all, reader) != 0)
        die("cannot start a thread" HINT "are too many running?");
    return (struct pipe_sink){.out = ends[1], .reader = reader};
}

struct arrived pipe_sink_close(struct pipe_sink sink) {
    close(sink.out);
    pthread_join(sink.reader->thread, NULL);
    const struct arrived arrived = sink.reader->arrived;
    close(sink.reader->in);
    free(sink.reader);
    return arrived;
}
