#define _POSIX_C_SOURCE 200809L
#include "text.h"

#include "check.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

void text_start(void) {
    signal(SIGPIPE, SIG_IGN);
}

ptrdiff_t text_written(int out, ptrdiff_t result) {
    if (result >= 0)
        return result;
    if (errno == EPIPE)
        return -1;
    if (errno == EAGAIN)
        poll(&(struct pollfd){.fd = out, .events = POLLOUT}, 1, -1);
    else if (errno != EINTR)
        die("cannot write the text: %s" HINT
            "is the disk full, or stdout closed? Nothing more was written",
            strerror(errno));
    return 0;
}

bool text_write(int out, const char *text, size_t bytes) {
    for (size_t done = 0; done < bytes;) {
        const ptrdiff_t more = text_written(out, write(out, text + done, bytes - done));
        if (more < 0)
            return false;
        done += (size_t)more;
    }
    return true;
}
