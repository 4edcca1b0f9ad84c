/* trial: a kernel of kernels/peaks.cl that is timed and checked, and a line about it.
 */
#ifndef TRIAL_H
#define TRIAL_H

#include "buffer.h"
#include "kernel.h"

enum { WARP = 32, ITEMS_OF_UNIT = 2048, SHAPES = 8 };

/* What all measurements share. */
struct peaks {
    struct options options;
    struct device device;
    bool small;           /* each kernel does little: its result counts, not its time */
    size_t group, groups; /* groups that fill all units, as large as is allowed */
    cl_mem out;           /* a number for each work-item, and the host's copy */
    cl_uint *found;
    size_t max_items;
    cl_mem memory[2]; /* large buffers with content(); see traffic.c */
    size_t memory_bytes;
    cl_uint bits; /* neighbouring chunks of 1 << bits vectors of `memory` differ */
};

/* A kernel, whose first argument is how many rounds it makes, and how long the fastest
 * of its launches took. */
struct trial {
    struct launch launch;
    cl_uint rounds;
    double seconds;
    int launches;
};

/* TRIAL(peaks, "many_add", groups, group, ARG(peaks->out), ARG(addend)): its arguments
 * are those after the rounds. */
#define TRIAL(peaks, name, groups, group, ...)                                         \
    trial_new((peaks), (name), (groups), (group), (struct arg[]){__VA_ARGS__},         \
              sizeof((struct arg[]){__VA_ARGS__}) / sizeof(struct arg))
struct trial trial_new(struct peaks *peaks, const char *name, size_t groups,
                       size_t group, const struct arg *args, size_t count);

/* Launches it once, with so many rounds. */
void trial_run(struct peaks *peaks, struct trial *trial, cl_uint rounds);

/* Times so many launches, each with as many rounds as take some milliseconds.  Where
 * the work is small, it is launched once, with three rounds. */
void trial_time(struct peaks *peaks, struct trial *trial, int launches);

/* What one unit did in a second, if each warp did `operations` in a round. */
double trial_rate(const struct peaks *peaks, const struct trial *trial,
                  double operations);

/* Reads what its work-items have left in peaks->out. */
const cl_uint *trial_results(struct peaks *peaks, const struct trial *trial);

/* Did work-item n of each group leave expected[n % classes]?  If not, says so. */
bool trial_equal(struct peaks *peaks, const struct trial *trial, const char *name,
                 const cl_uint *expected, size_t classes);

/* A line of the profile. */
__attribute__((format(printf, 4, 5))) void say(const char *key, double value,
                                               const char *unit, const char *how, ...);

/* The same with the launches of a trial at its end. */
__attribute__((format(printf, 5, 6))) void say_of(const struct trial *trial,
                                                  const char *key, double value,
                                                  const char *unit, const char *how,
                                                  ...);

/* A line that says why a key is not there. */
void say_nothing(const char *key, const char *why);

/* The same, because a result was wrong. */
#define WRONG_RESULT "its kernel's result was wrong"
void say_wrong(const char *key);

/* What the kernels have in their tables; see peaks.cl. */
cl_uint entry(cl_uint i);
cl_uint fold(cl_uint hash, cl_uint bits);

/* The measurements; each says one key or some. */
void measure_units(struct peaks *peaks);
void measure_launch(struct peaks *peaks);
void measure_fma(struct peaks *peaks);
void measure_add(struct peaks *peaks);
void measure_double(struct peaks *peaks);
void measure_special(struct peaks *peaks);
void measure_issue(struct peaks *peaks);
void measure_integer(struct peaks *peaks);
void measure_fma_latency(struct peaks *peaks);
void measure_add_latency(struct peaks *peaks);
void measure_access(struct peaks *peaks);
void measure_pass(struct peaks *peaks);
void measure_store_pass(struct peaks *peaks);
void measure_l1_pass(struct peaks *peaks);
void measure_lookup(struct peaks *peaks);
void measure_both(struct peaks *peaks);
void measure_rule_local_pairs(struct peaks *peaks);
void measure_rule_global_pairs(struct peaks *peaks);
void measure_memory(struct peaks *peaks);
void measure_cache(struct peaks *peaks);
void measure_cache_rate(struct peaks *peaks);
void measure_refill(struct peaks *peaks);
void measure_atomic_word(struct peaks *peaks);
void measure_atomic_warp(struct peaks *peaks);
void measure_atomic_sector(struct peaks *peaks);
void measure_memory_latency(struct peaks *peaks);
void measure_cache_latency(struct peaks *peaks);
void measure_l1_latency(struct peaks *peaks);
void measure_local_latency(struct peaks *peaks);
void measure_barrier_latency(struct peaks *peaks);
void measure_barrier_group(struct peaks *peaks);
void measure_resident_groups(struct peaks *peaks);
void measure_resident_warps(struct peaks *peaks);

/* Buffers of at least a gigabyte, if the device has so much, with content(). */
void memory_make(struct peaks *peaks);

#endif
