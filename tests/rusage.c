/* What each command of the tests costs: `make test PROFILE=1` preloads this library
 * into all of them.  When a command ends, it adds a line to the file $RUSAGE,
 *
 *     milliseconds <tab> file of tests <tab> name of the test <tab> the command
 *
 * with the processors' time, user and system, of the command and of everything that it
 * started and waited for.  Only what a test itself starts is noted: what that starts in
 * turn is part of it.  bats' own scripts are no commands of a test.  What ends by a
 * signal or by _exit() notes nothing, nor does what is started with another
 * environment. */

#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

static char command[512];
static pid_t
    noted; /* the process that this is about: a child of it, made by fork, is not */

static void describe(int argc, char *const *argv) {
    size_t length = 0;
    for (int i = 0; i < argc && length + 2 < sizeof command; i++) {
        for (const char *c = argv[i]; *c && length + 2 < sizeof command; c++)
            command[length++] = *c == '\t' || *c == '\n' ? ' ' : *c;
        command[length++] = ' ';
    }
    command[length] = '\0';
}

static long milliseconds_of(int who) {
    struct rusage usage;
    if (getrusage(who, &usage) != 0)
        return 0;
    return (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000 +
           (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1000;
}

static void note(void) {
    if (getpid() != noted)
        return;

    const char *file = getenv("BATS_TEST_FILENAME");
    const char *test = getenv("BATS_TEST_NAME");
    char line[2048];
    int length =
        snprintf(line, sizeof line, "%ld\t%s\t%s\t%s\n",
                 milliseconds_of(RUSAGE_SELF) + milliseconds_of(RUSAGE_CHILDREN),
                 file ? file : "", test ? test : "", command);
    if (length <= 0 || (size_t)length >= sizeof line)
        return;

    /* One write to the end of the file: lines of several processes do not mix. */
    int out = open(getenv("RUSAGE"), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
    if (out >= 0) {
        if (write(out, line, (size_t)length) != length)
            perror("rusage");
        close(out);
    }
}

__attribute__((constructor)) static void begin(int argc, char **argv) {
    if (!getenv("RUSAGE") || getenv("RUSAGE_INSIDE"))
        return;
    for (int i = 0; i < argc && i < 4; i++)
        if (strstr(argv[i], "/bats") || strcmp(argv[i], "bats") == 0)
            return;
    describe(argc, argv);
    noted = getpid();
    setenv("RUSAGE_INSIDE", "1", 1);
    atexit(note);
}

/* A shell ends so, without what atexit() has asked for. */
void _exit(int status) {
    note();
    syscall(SYS_exit_group, status);
    __builtin_unreachable();
}
