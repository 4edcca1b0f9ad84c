/* progress: a line on stderr that is overwritten each second, and at last with blanks.
 * It is there only if stderr is a terminal: in a file or a pipe it would stay, and no
 * user waits there. */
#define _POSIX_C_SOURCE 200809L /* clock_gettime */
#include "progress.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { FIRST_AFTER = 3, THEN_AFTER = 1, WIDTH = 79 }; /* seconds; columns */

static struct {
    bool begun, is_shown, in_cases;
    double since, next;
    unsigned calls;
} progress;

static double seconds_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

bool progress_begin(void) {
    if (progress.begun)
        return false;
    progress.begun = true;
    progress.since = seconds_now();
    progress.next = isatty(STDERR_FILENO) ? progress.since + FIRST_AFTER : 1e300;
    return true;
}

void progress_erase(void) {
    if (progress.is_shown)
        fprintf(stderr, "\r%*s\r", WIDTH, "");
    progress.is_shown = false;
}

void progress_end(void) {
    progress_erase();
    progress.begun = progress.in_cases = false;
}

/* Is it time?  The clock itself is asked only now and then. */
static bool is_due(unsigned of_calls) {
    if (!progress.begun || progress.calls++ % of_calls != 0)
        return false;
    const double now = seconds_now();
    if (now < progress.next)
        return false;
    progress.next = now + THEN_AFTER;
    return true;
}

__attribute__((format(printf, 1, 2))) static void show(const char *format, ...) {
    char text[WIDTH + 1];
    va_list facts;
    const int begin =
        snprintf(text, sizeof text, "%.0f s: ", seconds_now() - progress.since);
    va_start(facts, format);
    vsnprintf(text + begin, sizeof text - (size_t)begin, format, facts);
    va_end(facts);
    fprintf(stderr, "\r%-*s\r", WIDTH, text); /* what comes next begins at the left */
    fflush(stderr);
    progress.is_shown = true;
}

void progress_replay(const char *kernel, size_t groups_done, size_t groups,
                     uint64_t steps) {
    enum { OF_CALLS = 1 << 12 };
    if (!progress.in_cases && is_due(OF_CALLS))
        show("%.40s, %zu of %zu groups, %.0f million steps", kernel, groups_done,
             groups, 1e-6 * (double)steps);
}

void progress_cases(const char *kernel, const char *name, uint64_t n, size_t cases) {
    progress.in_cases = true;
    if (is_due(1))
        show("%.40s, %.10s=%llu, %zu cases", kernel, name, (unsigned long long)n,
             cases);
}

void progress_compile(void) {
    if (is_due(1))
        show("the compiler is at work");
}
