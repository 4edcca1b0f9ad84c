/* move : a reader that copies nothing at first: it moves the pages of its stdin into a
 * pipe of its own, until some are in it, and only then copies from there to its stdout.
 * For the pipe in front of it, all of them have been read by then. */
#define _GNU_SOURCE /* splice */
#include <fcntl.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { ROOM = 1 << 20, PART = 1 << 12 };

/* Copies what is in the pipe beyond `kept` bytes. */
static int copy_beyond(int in, int kept) {
    static char text[PART];
    int waiting = 0;
    while (ioctl(in, FIONREAD, &waiting) == 0 && waiting > kept) {
        const int wanted = waiting - kept < PART ? waiting - kept : PART;
        const ssize_t bytes = read(in, text, (size_t)wanted);
        if (bytes <= 0 || write(STDOUT_FILENO, text, (size_t)bytes) != bytes)
            return 1;
    }
    return 0;
}

int main(void) {
    int ends[2];
    if (pipe(ends) != 0 || fcntl(ends[1], F_SETPIPE_SZ, ROOM) < 0)
        return perror("move: a pipe"), 2;
    for (;;) {
        const ssize_t moved = splice(STDIN_FILENO, NULL, ends[1], NULL, PART, 0);
        if (moved < 0)
            return perror("move: splice"), 2;
        if (copy_beyond(ends[0], moved > 0 ? ROOM / 4 : 0) != 0)
            return 2;
        if (moved == 0)
            return 0;
    }
}
