/* reader BYTES : reads so many bytes from stdin, looks at each of them, and prints how
 * many GB/s came, without the first eighth, in which the writer begins. */
#define _GNU_SOURCE /* F_SETPIPE_SZ */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { ROOM = 1 << 18 };

static double now_s(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

int main(int argc, char **argv) {
    static uint64_t words[ROOM / sizeof(uint64_t)];
    const double wanted = argc > 1 ? atof(argv[1]) : 4e9;
    double got = 0.0, began = 0.0, began_s = 0.0;
    uint64_t sum = 0;
    while (got < wanted) {
        const ssize_t bytes = read(STDIN_FILENO, words, ROOM);
        if (bytes <= 0)
            return fputs("reader: the text has ended too early\n", stderr), 1;
        for (size_t i = 0; i < (size_t)bytes / sizeof *words; i++)
            sum += words[i];
        got += (double)bytes;
        if (began_s == 0.0 && got > wanted / 8) {
            began = got;
            began_s = now_s();
        }
    }
    printf("%.3f\n", (got - began) / (now_s() - began_s) * 1e-9);
    return sum == 0; /* so it has been looked at */
}
