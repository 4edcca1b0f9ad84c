#include "profile/trial.h"

#include "check.h"
#include "compare.h"
#include "data.h"
#include "timing.h"

#include <math.h>
#include <stdarg.h>

/* A launch of 10 ms hides the 7 us that it costs; one that warms up takes longer. */
static const double min_timed_ms = 10.0;
enum { SMALL_ROUNDS = 3, MAX_ROUNDS = 1 << 24 };

struct trial trial_new(struct peaks *peaks, const char *name, size_t groups,
                       size_t group, const struct arg *args, size_t count) {
    cl_kernel kernel = kernel_load(&peaks->device, &peaks->options, name);
    for (size_t i = 0; i < count; i++)
        CHECK(clSetKernelArg(kernel, (cl_uint)(i + 1), args[i].size, args[i].value));
    return (struct trial){.launch = launch_1d(kernel, groups * group, group)};
}

void trial_run(struct peaks *peaks, struct trial *trial, cl_uint rounds) {
    trial->rounds = rounds;
    kernel_args(trial->launch.kernel, ARG(rounds));
    const double ms = launch_ms(&peaks->device, &trial->launch);
    trial->seconds = fmax(ms, 1e-6) * 1e-3;
    trial->launches = 1;
}

void trial_time(struct peaks *peaks, struct trial *trial, int launches) {
    trial_run(peaks, trial, SMALL_ROUNDS);
    if (peaks->small)
        return;
    warm_up(&peaks->device, &trial->launch);
    trial_run(peaks, trial, SMALL_ROUNDS);
    while (trial->seconds * 1e3 < min_timed_ms && trial->rounds < MAX_ROUNDS) {
        const double wanted = 1.1 * min_timed_ms / (trial->seconds * 1e3);
        trial_run(peaks, trial, trial->rounds * (cl_uint)fmin(ceil(wanted), 8.0));
    }
    double fastest = trial->seconds;
    for (int i = 1; i < launches; i++) {
        trial_run(peaks, trial, trial->rounds);
        fastest = fmin(fastest, trial->seconds);
    }
    trial->seconds = fastest;
    trial->launches = launches;
}

double trial_rate(const struct peaks *peaks, const struct trial *trial,
                  double operations) {
    const double warps = (double)trial->launch.global[0] / WARP;
    return operations * trial->rounds * warps / trial->seconds / peaks->device.units;
}

const cl_uint *trial_results(struct peaks *peaks, const struct trial *trial) {
    buffer_read(&peaks->device, peaks->out, peaks->found,
                trial->launch.global[0] * sizeof *peaks->found);
    return peaks->found;
}

bool trial_equal(struct peaks *peaks, const struct trial *trial, const char *name,
                 const cl_uint *expected, size_t classes) {
    const cl_uint *found = trial_results(peaks, trial);
    for (size_t i = 0; i < trial->launch.global[0]; i++) {
        const cl_uint wanted = expected[i % trial->launch.local[0] % classes];
        if (found[i] != wanted)
            return wrong_at(element(name, i), found[i], wanted);
    }
    return true;
}

static void say_line(const char *key, double value, const char *unit) {
    const bool whole = value < 1e7 && value == floor(value);
    printf(whole ? "%-20s %-12.0f %-12s " : "%-20s %-12.5g %-12s ", key, value, unit);
}

void say(const char *key, double value, const char *unit, const char *how, ...) {
    va_list facts;
    va_start(facts, how);
    say_line(key, value, unit);
    vprintf(how, facts);
    putchar('\n');
    va_end(facts);
}

void say_of(const struct trial *trial, const char *key, double value, const char *unit,
            const char *how, ...) {
    va_list facts;
    va_start(facts, how);
    say_line(key, value, unit);
    vprintf(how, facts);
    printf("; the fastest of %d launches took %.5g ms\n", trial->launches,
           trial->seconds * 1e3);
    va_end(facts);
}

void say_nothing(const char *key, const char *why) {
    printf("# %s is left out: %s\n", key, why);
}

void say_wrong(const char *key) {
    say_nothing(key, WRONG_RESULT);
}

cl_uint entry(cl_uint i) {
    return i * 2654435761u + 1u;
}

cl_uint fold(cl_uint hash, cl_uint bits) {
    return hash * 31u + bits;
}
