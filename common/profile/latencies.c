/* latencies: what has to be waited for, and how many groups a unit holds. */
#include "check.h"
#include "compare.h"
#include "profile/trial.h"

#include <math.h>

enum { UNROLLED = 16, LAUNCHES = 10, LINE_WORDS = 32, LINE_BYTES = 128 };
enum { KIB = 1 << 10, MIB = 1 << 20 };
static const double min_chase_ms = 2.0;

/* ---- Chases: each load reads the place of the next one. */

struct chase {
    cl_uint places, words, step; /* a place has so many words; the next is `step` on */
};

static cl_uint place_after(const struct chase *chase, cl_uint at, cl_uint rounds) {
    const cl_ulong loads = (cl_ulong)rounds * UNROLLED,
                   place = at / (4 * chase->words) + loads * chase->step;
    return (cl_uint)(place % chase->places) * 4 * chase->words;
}

/* Launches it LAUNCHES times, each from where the last one ended, so that none finds
 * in a cache what another one has read.  `at` is argument `index` of the kernel.
 * Returns seconds for a load; 0: a result is wrong. */
static double time_chase(struct peaks *peaks, struct trial *trial, cl_uint index,
                         const struct chase *chase) {
    cl_uint at = 0, rounds = peaks->small ? 3 : 64;
    double fastest = INFINITY;
    for (int i = 0; i < (peaks->small ? 2 : LAUNCHES);) {
        CHECK(clSetKernelArg(trial->launch.kernel, index, sizeof at, &at));
        trial_run(peaks, trial, rounds);
        const cl_uint found = trial_results(peaks, trial)[0],
                      wanted = place_after(chase, at, rounds);
        if (found != wanted) {
            wrong_at(element("place", 0), found, wanted);
            return 0.0;
        }
        at = found;
        if (!peaks->small && trial->seconds * 1e3 < min_chase_ms && rounds < 1 << 20) {
            rounds *= 2;
            fastest = INFINITY;
            i = 0;
        } else {
            fastest = fmin(fastest, trial->seconds);
            i++;
        }
    }
    trial->seconds = fastest;
    trial->launches = peaks->small ? 2 : LAUNCHES;
    return fastest / ((double)rounds * UNROLLED);
}

static double time_global_chase(struct peaks *peaks, struct trial *trial, cl_mem next,
                                const struct chase *chase) {
    const cl_uint begin = 0;
    const size_t group = peaks->group;
    cl_kernel fill = kernel_load(&peaks->device, &peaks->options, "chase_fill");
    kernel_args(fill, ARG(next), ARG(chase->places), ARG(chase->step),
                ARG(chase->words));
    const struct launch filling = launch_1d(fill, peaks->groups * group, group);
    launch_ms(&peaks->device, &filling);
    if (chase->places > 1 << 20) { /* wipes what the caches have of it */
        memory_make(peaks);
        const cl_uint n = (cl_uint)(peaks->memory_bytes / 16);
        struct trial wipe = TRIAL(peaks, "memory_fill", peaks->groups, group,
                                  ARG(peaks->memory[0]), ARG(n), ARG(peaks->bits));
        trial_run(peaks, &wipe, 1);
    }
    *trial = TRIAL(peaks, "chase_global", 1, 1, ARG(peaks->out), ARG(next), ARG(begin));
    return time_chase(peaks, trial, 3, chase);
}

/* Over so many bytes, a power of two, so that each odd step comes to every place. */
static void measure_chase(struct peaks *peaks, const char *key, size_t bytes,
                          const cl_uint *steps, int count) {
    double each[2] = {0}, best = INFINITY;
    struct trial trial, fastest = {0};
    cl_mem next = buffer_new(&peaks->device, bytes);
    for (int i = 0; i < count; i++) {
        const struct chase chase = {(cl_uint)(bytes / LINE_BYTES), LINE_WORDS,
                                    steps[i]};
        each[i] = time_global_chase(peaks, &trial, next, &chase);
        if (each[i] == 0.0) {
            say_wrong(key);
            return;
        }
        fastest = each[i] < best ? trial : fastest;
        best = fmin(best, each[i]);
    }
    char other[64] = "";
    if (count > 1)
        snprintf(other, sizeof other, "; %u lines on: %.4g", steps[1], each[1]);
    say_of(&fastest, key, best, "s",
           "a load whose place the last one read, %zu KiB, %u lines on: %.4g%s",
           bytes / KIB, steps[0], each[0], other);
}

/* Over the whole memory, and within a page for some time. */
void measure_memory_latency(struct peaks *peaks) {
    size_t bytes = peaks->small ? MIB : 1024 * (size_t)MIB;
    while (bytes > peaks->device.largest / 2 || bytes > peaks->device.memory / 4)
        bytes /= 2;
    const cl_uint steps[] = {(cl_uint)(0.382 * (double)bytes / LINE_BYTES) | 1, 33};
    measure_chase(peaks, "memory_latency", bytes, steps, 2);
}

void measure_cache_latency(struct peaks *peaks) {
    const size_t bytes = (peaks->small ? 1 : 16) * (size_t)MIB;
    const cl_uint step = (cl_uint)(0.382 * (double)bytes / LINE_BYTES) | 1;
    measure_chase(peaks, "cache_latency", bytes, &step, 1);
}

void measure_l1_latency(struct peaks *peaks) {
    const cl_uint step = 49;
    measure_chase(peaks, "l1_latency", 16 * KIB, &step, 1);
}

void measure_local_latency(struct peaks *peaks) {
    enum { SPAN = 1024 };
    const cl_uint begin = 0;
    const struct chase chase = {SPAN, 1, 391};
    struct trial trial =
        TRIAL(peaks, "chase_local", 1, 1, ARG(peaks->out), ARG(chase.step), ARG(begin));
    const double each = time_chase(peaks, &trial, 3, &chase);
    if (each == 0.0)
        say_wrong("local_latency");
    else
        say_of(&trial, "local_latency", each, "s",
               "a load of local memory whose place the last one read");
}

/* ---- Barriers. */

static void measure_barriers(struct peaks *peaks, const char *key, size_t group) {
    const cl_uint factor = 3;
    struct trial trial =
        TRIAL(peaks, "barriers", 1, group, ARG(peaks->out), ARG(factor));
    trial_time(peaks, &trial, LAUNCHES);
    const cl_uint *found = trial_results(peaks, &trial);
    for (size_t i = 0; i < group; i++) {
        cl_uint v = (cl_uint)i;
        for (cl_ulong t = 0; t < (cl_ulong)UNROLLED * trial.rounds; t++)
            v = v * factor + 1;
        if (found[i] != v) {
            wrong_at(element("barriers", i), found[i], v);
            say_wrong(key);
            return;
        }
    }
    say_of(&trial, key, trial.seconds / ((double)UNROLLED * trial.rounds), "s",
           "a barrier of one group of %zu", group);
}

void measure_barrier_latency(struct peaks *peaks) {
    measure_barriers(peaks, "barrier_latency",
                     peaks->group < WARP ? peaks->group : WARP);
}

void measure_barrier_group(struct peaks *peaks) {
    measure_barriers(peaks, "barrier_group", peaks->group);
}

/* ---- How much of the device's work is there at a time. */

/* Groups of this size that a unit holds; 0: the result is wrong.  Every group comes,
 * and each looks for a fixed number of times, so it ends in any case. */
static double groups_of_unit(struct peaks *peaks, size_t group) {
    enum { POLLS = 2000, SMALL_POLLS = 20, TIMES = 3 };
    const size_t most = peaks->small ? 4 : 2 * ITEMS_OF_UNIT / group + 16,
                 groups = most * peaks->device.units;
    cl_uint counters[2] = {0, CL_UINT_MAX}, found[2], largest = 0;
    cl_mem buffer = buffer_from(&peaks->device, counters, sizeof counters);
    struct trial trial = TRIAL(peaks, "resident", groups, group, ARG(buffer));
    for (int i = 0; i < TIMES; i++) {
        buffer_write(&peaks->device, buffer, counters, sizeof counters);
        trial_run(peaks, &trial, peaks->small ? SMALL_POLLS : POLLS);
        buffer_read(&peaks->device, buffer, found, sizeof found);
        if (found[0] != groups || found[1] < 1 || found[1] > groups) {
            wrong("%u groups counted themselves in, of %zu; %u were there together",
                  found[0], groups, found[1]);
            return 0.0;
        }
        largest = found[1] > largest ? found[1] : largest;
    }
    return (double)largest / peaks->device.units;
}

void measure_resident_groups(struct peaks *peaks) {
    const size_t group = peaks->group < WARP ? peaks->group : WARP;
    const double groups = groups_of_unit(peaks, group);
    if (groups == 0.0)
        say_wrong("resident_groups");
    else
        say("resident_groups", groups, "groups/unit",
            "groups of %zu that had come when the first one went", group);
}

void measure_resident_warps(struct peaks *peaks) {
    double best = 0.0;
    size_t of = 0;
    for (size_t group = peaks->group; group >= 128 || best == 0.0; group /= 2) {
        const double warps = groups_of_unit(peaks, group) * (double)group / WARP;
        if (warps == 0.0) {
            say_wrong("resident_warps");
            return;
        }
        of = warps > best ? group : of;
        best = fmax(best, warps);
    }
    say("resident_warps", best, "warps/unit",
        "warps of groups of %zu that had come when the first one went", of);
}
