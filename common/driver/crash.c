#define _GNU_SOURCE /* on_exit, sigaltstack */
#include "driver/crash.h"

#include "check.h"
#include "data.h"
#include "driver/driver_cache.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SIGNALS = 5 };
static const struct {
    int number;
    const char *name;
} signals[SIGNALS] = {{SIGSEGV, "SIGSEGV, an access to memory that is not there"},
                      {SIGBUS, "SIGBUS, an access to memory that is not there"},
                      {SIGILL, "SIGILL, an instruction that this CPU does not have"},
                      {SIGTRAP, "SIGTRAP, a trap that its compiler has put there"},
                      {SIGABRT, "SIGABRT, it gave up"}};

/* A handler gets no arguments of ours and may not allocate: all is prepared here. */
static struct {
    struct named {
        cl_kernel kernel;
        char name[128];
        struct named *next;
    } * _Atomic names;
    _Atomic(cl_kernel) kernel;
    const char *_Atomic compiled;
    atomic_flag told;
    atomic_bool done;
    bool ours[SIGNALS]; /* which were free */
    pid_t pid;          /* a driver may fork: how its children end is its own affair */
    char hint[8192];
    unsigned seconds; /* without a call that begins or ends */
    const char *_Atomic call;
    atomic_uint begun, ended;
} known = {.told = ATOMIC_FLAG_INIT};

static void put(const char *text) {
    if (write(STDERR_FILENO, text, strlen(text)) < 0)
        _exit(CANNOT_RUN);
}

static const char *signal_name(int number) {
    for (int i = 0; i < SIGNALS; i++)
        if (signals[i].number == number)
            return signals[i].name;
    return "";
}

static const char *kernel_name(void) {
    const cl_kernel last = known.kernel;
    for (const struct named *named = known.names; named; named = named->next)
        if (named->kernel == last)
            return named->name;
    return NULL;
}

/* Several threads of the driver may get here; one of them tells. */
static void tell(int number) {
    const char *file = known.compiled, *name = kernel_name();
    while (atomic_flag_test_and_set(&known.told))
        pause();
    put("error: the device's driver was ended");
    put(file ? " while it compiled " : name ? " while it ran " : "");
    put(file ? file : name ? name : "");
    put("\n  signal  ");
    put(signal_name(number));
    put(known.hint);
    _exit(CANNOT_RUN);
}

#ifdef __GLIBC__
static void explain_exit(int status, void *nothing) {
    (void)nothing;
    if (known.done || status != EXIT_FAILURE || getpid() != known.pid)
        return;
    fflush(stdout);
    fprintf(stderr,
            "error: the driver has ended the program; what it says is above" HINT
            "if the disk is full, make room; if PoCL's cache is broken: rm -rf %s\n",
            driver_cache().folder);
    _exit(CANNOT_RUN);
}
#endif

/* Only a call that is in progress can hang: what the host computes may take long, and
 * so may a reader of what it writes. */
static void *watch_calls(void *nothing) {
    unsigned begun = 0, ended = 0;
    for (;;) {
        const unsigned begun_before = begun, ended_before = ended;
        sleep(known.seconds);
        ended = known.ended;
        begun = known.begun;
        if (begun == ended || begun != begun_before || ended != ended_before)
            continue;
        const char *name = kernel_name();
        char message[1024];
        while (atomic_flag_test_and_set(&known.told))
            pause();
        snprintf(message, sizeof message,
                 "error: %s has not returned for %u s%s%s\n"
                 "  limit   PATIENCE=%u would wait longer",
                 known.call, known.seconds, name ? ", after " : "", name ? name : "",
                 10 * known.seconds);
        put(message);
        put(known.hint);
        _exit(CANNOT_RUN);
    }
    return nothing;
}

static void start_watch(void) {
    const char *text = getenv("PATIENCE");
    char *end = NULL;
    const long seconds = text ? strtol(text, &end, 10) : 300;
    pthread_t thread;
    if (text && (end == text || *end || seconds < 0 || seconds > 1000000))
        die("PATIENCE cannot be '%s'" HINT
            "how many seconds a call may take, such as PATIENCE=600; 0: for ever",
            text);
    known.seconds = (unsigned)seconds;
    if (seconds > 0 && !getenv("LENS_SEEN") &&
        pthread_create(&thread, NULL, watch_calls, NULL) == 0)
        pthread_detach(thread);
}

void call_begins(const char *call) {
    known.call = call;
    known.begun++;
}

cl_int call_ends(cl_int status) {
    known.ended++;
    return status;
}

void crash_done(void) {
    known.done = true;
}

/* `make step05 races` finds most mistakes that end a driver.  PoCL's cache may hold
 * what was cut off. */
static void write_hint(const struct options *options) {
    const char *cache = getenv("POCL_CACHE_DIR"), *kernel = options->kernel;
    int used = snprintf(
        known.hint, sizeof known.hint, HINT "`make %.*s races%s%.1024s%s`",
        (int)strcspn(options->step, "_"), options->step,
        kernel ? " ARGS=\"--kernel " : "", kernel ? kernel : "", kernel ? "\"" : "");
    used += snprintf(known.hint + used, sizeof known.hint - (size_t)used,
                     " looks for the mistake in the kernel");
    if (cache && *cache)
        used += snprintf(known.hint + used, sizeof known.hint - (size_t)used,
                         "; if there is none, try: rm -rf %.4096s", cache);
    snprintf(known.hint + used, sizeof known.hint - (size_t)used, "\n");
}

static void take_signals(void) {
    const struct sigaction action = {.sa_handler = tell, .sa_flags = SA_ONSTACK};
    for (int i = 0; i < SIGNALS; i++)
        if (known.ours[i])
            sigaction(signals[i].number, &action, NULL);
}

/* What a sanitizer or MPI handles is left to them.  The handler has a stack of its own,
 * for a main thread that has used up its stack. */
void crash_watch(const struct options *options) {
    static char stack[1 << 16];
    sigaltstack(&(stack_t){.ss_sp = stack, .ss_size = sizeof stack}, NULL);
    write_hint(options);
    known.pid = getpid();
#ifdef __GLIBC__
    on_exit(explain_exit, NULL);
#endif
    for (int i = 0; i < SIGNALS; i++) {
        struct sigaction before;
        sigaction(signals[i].number, NULL, &before);
        known.ours[i] = before.sa_handler == SIG_DFL;
    }
    take_signals();
    start_watch();
}

/* LLVM takes the signals when it begins to compile. */
void crash_compiling(const char *file) {
    known.compiled = file;
    if (!file)
        take_signals();
}

void crash_name(cl_kernel kernel, const char *name) {
    struct named *named = allocate(1, sizeof *named);
    named->kernel = kernel;
    snprintf(named->name, sizeof named->name, "%s", name);
    named->next = known.names;
    known.names = named;
}

void crash_kernel(cl_kernel kernel) {
    known.kernel = kernel;
}
