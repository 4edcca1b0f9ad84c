/* start: runs a program, and says why if it was not looked at. */
#define _GNU_SOURCE /* environ, pipe2 */
#include "start.h"
#include "attach/seen.h"
#include "check.h"
#include "environment.h"
#include "words.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* What keeps sources from the lens is switched off; begin.c says so. */
static void show_sources(void) {
    if (!getenv("PYOPENCL_NO_CACHE")) {
        set_variable("PYOPENCL_NO_CACHE", "1");
        set_variable("LENS_NO_CACHE", "1");
    }
}

/* Reports go to our stdout; the program's own goes to stderr, or nowhere.  With
 * --instead the program checks results, so that its own output is the report. */
static void redirect(void) {
    char number[16];
    const int out = dup(STDOUT_FILENO);
    if (out < 0)
        die("cannot redirect stdout: %s" HINT "are too many files open?",
            strerror(errno));
    snprintf(number, sizeof number, "%d", out);
    set_variable("LENS_OUT", number);
    if (option_given(OPTION_instead))
        return;
    if (option_given(OPTION_quiet) ? !freopen("/dev/null", "w", stdout)
                                   : dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
        die("cannot redirect stdout: %s" HINT "is /dev mounted?", strerror(errno));
}

static pid_t program;

static void pass_on(int number) {
    kill(program, number);
}

/* What would end us ends the program, and we end as it does. */
static void pass_on_signals(void) {
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        struct sigaction before, action = {.sa_handler = pass_on};
        sigaction(numbers[i], NULL, &before);
        if (before.sa_handler != SIG_IGN)
            sigaction(numbers[i], &action, NULL);
    }
}

/* Starts the program; begin.c tells us through the pipe what it saw.  Nothing of this
 * may wait: a pipe that is full tells enough. */
static int start(char **words) {
    int pipe_ends[2];
    char number[16];
    sigset_t all, before;
    if (pipe2(pipe_ends, O_NONBLOCK) != 0 ||
        fcntl(pipe_ends[0], F_SETFD, FD_CLOEXEC) != 0)
        die("cannot make a pipe: %s" HINT "are too many files open?", strerror(errno));
    snprintf(number, sizeof number, "%d", pipe_ends[1]);
    set_variable("LENS_SEEN", number);

    signal(SIGCHLD, SIG_DFL); /* or there would be no status to wait for */
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, &before); /* until we know whom to pass them on to */
    posix_spawnattr_setsigmask(&attributes, &before);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
    const int failure =
        posix_spawnp(&program, *words, NULL, &attributes, words, environ);
    if (failure)
        die("cannot run %s: %s" HINT "give the path of a program", *words,
            strerror(failure));
    posix_spawnattr_destroy(&attributes);
    pass_on_signals();
    sigprocmask(SIG_SETMASK, &before, NULL);
    close(pipe_ends[1]);
    return pipe_ends[0];
}

/* Ends as a program that was ended by a signal.  It did what it was asked to, or it
 * made a mistake. */
static _Noreturn void end_by(int number, const char *name) {
    if (number == SIGSEGV || number == SIGBUS || number == SIGABRT ||
        number == SIGFPE || number == SIGILL || number == SIGTRAP || number == SIGKILL)
        die("%s was ended by signal %d: %s" HINT
            "a report above may say why; if not, try --races, or a smaller problem",
            name, number, strsignal(number));
    signal(number, SIG_DFL);
    raise(number);
    exit(128 + number);
}

/* The status for "could not look", unless the program itself was not content. */
static int unseen(int status, const char *name, const char *what, const char *hint) {
    fprintf(stderr, "error: %s %s%s%s\n", name, what, HINT, hint);
    return status == RIGHT ? SKIPPED : status;
}

/* What was seen of a program that has ended with this status; returns the lens's. */
static int judge(int status, const char *name, bool loaded, bool looked, bool hidden) {
    if (!loaded)
        return unseen(status, name, "made no OpenCL call that the lens could see",
                      "is it static, setuid, or for another machine? has its loader no "
                      "layers (--preload)? or did it not come so far?");
    if (!looked && status == RIGHT)
        return unseen(status, name, "made no launch that was looked at",
                      "a line above may say why; or does it end before its first "
                      "launch, or by _exit()?");
    if (status == RIGHT && hidden &&
        (option_given(OPTION_races) || option_given(OPTION_compare)))
        return SKIPPED; /* launch.c has said why */
    if (status == WRONG && looked && option_given(OPTION_races))
        fprintf(stderr,
                "note: %s ended with status %d: what it found wrong is no race\n", name,
                WRONG);
    return status;
}

/* Waits for the program; returns our status. */
static int wait_for(const char *name, int seen) {
    int status;
    bool loaded = false, looked = false, hidden = false;
    while (waitpid(program, &status, 0) < 0 && errno == EINTR)
        ;
    for (char what; read(seen, &what, 1) == 1;) {
        loaded = true;
        looked |= what == SAW_LAUNCH;
        hidden |= what == SAW_HIDDEN;
    }
    if (WIFSIGNALED(status))
        end_by(WTERMSIG(status), name);
    return judge(WEXITSTATUS(status), name, loaded, looked, hidden);
}

int run_program(char **words) {
    show_sources();
    redirect();
    return wait_for(*words, start(words));
}
