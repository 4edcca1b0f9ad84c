/* Step 06: local memory, barriers, trees
 *
 * Until now the host added up what the work-items had found, up to 262,144 sums.  Here
 * the work-items of a group do it themselves, in memory that they share; and in the end
 * one group adds up for all.
 *
 * Read with  kernels/step06_reduce_local.cl, docs/step06_reduce_local.md
 * Try        GROUP = 64, then 1024: which rungs care?
 * Lens       --size 65536
 * Story      passes reduce_local_sequential reduce_local_divergent
 */
#include "buffer.h"
#include "compare.h"
#include "data.h"
#include "report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { GROUP = 512, LARGER = 256, LARGER_ON_CPU = 8, LARGER_ON_CPU_FULL = 64 };

/* Each rung changes one thing.  A work-item takes `each` elements; 0 stands for as many
 * as it must, when there are no more work-items than the device holds at once. */
enum { DIVERGENT, DENSE, SEQUENTIAL, TWO_LOADS, MANY, RUNGS };
static const struct rung {
    const char *name, *kernel;
    size_t each;
} rungs[RUNGS] = {{"interleaved, divergent", "reduce_local_divergent", 1},
                  {"interleaved, dense", "reduce_local_dense", 1},
                  {"sequential", "reduce_local_sequential", 1},
                  {"two loads per item", "reduce_local_two_loads", 2},
                  {"many per item", "reduce_local_many", 0}};

static double sum_on_host(const float *x, size_t n) {
    double sum = 0.0;
    for (size_t i = 0; i < n; i++)
        sum += (double)x[i];
    return sum;
}

static double dot_on_host(const float *x, const float *y, size_t n) {
    double sum = 0.0;
    for (size_t i = 0; i < n; i++)
        sum += (double)x[i] * (double)y[i];
    return sum;
}

struct kernels {
    cl_kernel rungs[RUNGS], second, one_launch, dot, blocks;
};

/* What stays the same from row to row. */
struct problem {
    cl_uint n;
    size_t group; /* GROUP, or as many work-items as the device allows */
    double sum, dot;
    cl_mem x_buffer, y_buffer, sums_buffer, finished_buffer, result_buffer,
        second_buffer; /* the last: for the result of a second launch */
    float *sums;
};

/* Today's GPUs hold some 2048 work-items on each compute unit. */
static size_t group_count(const struct device *device, size_t n, size_t each,
                          size_t group) {
    const size_t enough = device->units * (2048 / group);
    const size_t least_each = each ? each : 16;
    const size_t wanted = (n + least_each * group - 1) / (least_each * group);
    return each || wanted < enough ? wanted : enough;
}

static struct launch rung_launch(const struct device *device,
                                 const struct problem *problem,
                                 const struct kernels *kernels, int rung,
                                 size_t group) {
    const size_t groups = group_count(device, problem->n, rungs[rung].each, group);
    return launch_1d(kernels->rungs[rung], groups * group, group);
}

/* Here the host adds up the sums of the groups, as the last launch left them. */
static bool sums_left_right(struct device *device, const struct problem *problem,
                            struct launch launch) {
    const size_t groups = launch.global[0] / launch.local[0];
    buffer_read(device, problem->sums_buffer, problem->sums,
                groups * sizeof *problem->sums);
    return equal_sum(sum_on_host(problem->sums, groups), problem->sum);
}

static bool sums_right(struct device *device, const struct problem *problem,
                       struct launch launch) {
    buffer_poison(device, problem->sums_buffer);
    launch_ms(device, &launch);
    return sums_left_right(device, problem, launch);
}

/* And here the device has done it. */
static double result_left(struct device *device, cl_mem result_buffer) {
    float result;
    buffer_read(device, result_buffer, &result, sizeof result);
    return (double)result;
}

static double result_of(struct device *device, const struct problem *problem,
                        struct launch launch, cl_mem result_buffer) {
    buffer_poison(device, problem->sums_buffer);
    buffer_poison(device, result_buffer);
    launch_ms(device, &launch);
    return result_left(device, result_buffer);
}

static struct row row_for(struct report *report, const struct problem *problem,
                          const char *variant) {
    return (struct row){.variant = variant,
                        .size = problem->n,
                        .bytes = (double)problem->n * sizeof(float),
                        .limit = report->limits.read};
}

/* One row for each rung.  The small problem is also summed up in groups that are no
 * power of two.  Returns how many times faster the sequential tree is than the
 * divergent one. */
static struct ratio climb(struct report *report, struct device *device,
                          const struct problem *problem, const struct kernels *kernels,
                          bool odd_groups) {
    struct timing times[RUNGS];
    for (int r = 0; r < RUNGS; r++) {
        struct row row = row_for(report, problem, rungs[r].name);
        const struct launch launch =
            rung_launch(device, problem, kernels, r, problem->group);
        kernel_args(kernels->rungs[r], ARG(problem->x_buffer),
                    ARG(problem->sums_buffer), LOCAL(problem->group * sizeof(float)),
                    ARG(problem->n));
        row.right = sums_right(device, problem, launch);
        for (size_t group = 100; odd_groups && group > 1; group /= 14) /* 100, 7 */
            row.right = row.right &&
                        sums_right(device, problem,
                                   rung_launch(device, problem, kernels, r, group));
        row.time = times[r] = time_launches(device, launch, report->options->repeats);
        row.right = row.right && right_again(sums_left_right(device, problem, launch));
        report_row(report, row);
    }
    return ratio_between(times[SEQUENTIAL], times[DIVERGENT]);
}

/* Two ways to the one number, in turn: a second launch, in which one group adds up the
 * sums of all; or the last group to finish does so. */
static void finish(struct report *report, struct device *device,
                   const struct problem *problem, const struct kernels *kernels) {
    const size_t group = problem->group;
    struct launch first = rung_launch(device, problem, kernels, MANY, group);
    const cl_uint groups = (cl_uint)(first.global[0] / group);
    const struct launch second = launch_1d(kernels->second, group, group);
    const struct launch one = launch_1d(kernels->one_launch, first.global[0], group);
    first.then = &second;
    kernel_args(kernels->second, ARG(problem->sums_buffer), ARG(problem->second_buffer),
                LOCAL(problem->group * sizeof(float)), ARG(groups));
    kernel_args(kernels->one_launch, ARG(problem->x_buffer), ARG(problem->sums_buffer),
                ARG(problem->finished_buffer), ARG(problem->result_buffer),
                LOCAL(problem->group * sizeof(float)), ARG(problem->n));

    struct row rows[] = {row_for(report, problem, "many, second launch"),
                         row_for(report, problem, "many, the last adds up")};
    const struct launch launches[] = {first, one};
    const cl_mem results[] = {problem->second_buffer, problem->result_buffer};
    for (int i = 0; i < 2; i++)
        rows[i].right = equal_sum(result_of(device, problem, launches[i], results[i]),
                                  problem->sum);
    struct timing times[2];
    const struct ratio ratio =
        time_pair(device, one, first, report->options->repeats, times);
    for (int i = 0; i < 2; i++) {
        rows[i].time = times[1 - i];
        rows[i].right =
            rows[i].right &&
            right_again(equal_sum(result_left(device, results[i]), problem->sum));
        report_row(report, rows[i]);
    }
    report_say(report, "%28s one launch against two: %s", "", in_words(ratio).text);
}

static struct launch dot_launch(const struct device *device,
                                const struct problem *problem,
                                const struct kernels *kernels) {
    const size_t groups = group_count(device, problem->n, 0, problem->group);
    kernel_args(kernels->dot, ARG(problem->x_buffer), ARG(problem->y_buffer),
                ARG(problem->sums_buffer), ARG(problem->finished_buffer),
                ARG(problem->result_buffer), LOCAL(problem->group * sizeof(float)),
                ARG(problem->n));
    return launch_1d(kernels->dot, groups * problem->group, problem->group);
}

/* A launch that leaves one result, is timed, and leaves it again. */
static void result_row(struct report *report, struct device *device,
                       const struct problem *problem, struct launch launch,
                       double expected, struct row row) {
    const cl_mem result_buffer = problem->result_buffer;
    row.right = equal_sum(result_of(device, problem, launch, result_buffer), expected);
    row.time = time_launches(device, launch, report->options->repeats);
    row.right = row.right &&
                right_again(equal_sum(result_left(device, result_buffer), expected));
    report_row(report, row);
}

/* The dot product of the steps before, and the shape that a CPU likes. */
static void dot_and_blocks(struct report *report, struct device *device,
                           const struct problem *problem,
                           const struct kernels *kernels) {
    struct row row = row_for(report, problem, "dot product, to the end");
    struct launch launch = dot_launch(device, problem, kernels);
    row.bytes *= 2.0;
    result_row(report, device, problem, launch, problem->dot, row);

    row = row_for(report, problem, "one block per core");
    launch = launch_1d(kernels->blocks, device->units, 1);
    kernel_args(kernels->blocks, ARG(problem->x_buffer), ARG(problem->sums_buffer),
                ARG(problem->finished_buffer), ARG(problem->result_buffer),
                LOCAL(sizeof(float)), ARG(problem->n));
    result_row(report, device, problem, launch, problem->sum, row);
}

int main(int argc, char **argv) {
    struct options options = options_read(argc, argv, "step06_reduce_local", 1 << 20);
    struct device device = device_open(options.device);
    struct report report = report_start(&options, &device);
    struct kernels kernels;
    for (int r = 0; r < RUNGS; r++)
        kernels.rungs[r] = kernel_load(&device, &options, rungs[r].kernel);
    kernels.second = kernel_load(&device, &options, rungs[MANY].kernel);
    kernels.one_launch = kernel_load(&device, &options, "reduce_local_one_launch");
    kernels.dot = kernel_load(&device, &options, "reduce_local_dot");
    kernels.blocks = kernel_load(&device, &options, "reduce_local_blocks");

    /* Two problems; the small one is the beginning of the large one. */
    struct problem small = {
        .n = device_check_size(&device, options.size, 2, sizeof(float))};
    const size_t times = !device.is_cpu ? LARGER
                         : options.full ? LARGER_ON_CPU_FULL
                                        : LARGER_ON_CPU;
    const size_t room = device_capacity(&device, 2, sizeof(float)) / 2;
    const size_t wanted = options.size_given ? small.n : small.n * times;
    const cl_uint n = (cl_uint)(wanted < room    ? wanted
                                : small.n > room ? small.n
                                                 : room);
    float *x = small_numbers(n, options.seed + 1);
    float *y = small_numbers(n, options.seed + 2);
    small.group = device.max_group < GROUP ? device.max_group : GROUP;
    const size_t sums = n / small.group + small.n / 7 + device.units + 1;
    small.x_buffer = buffer_from(&device, x, n * sizeof *x);
    small.y_buffer = buffer_from(&device, y, n * sizeof *y);
    small.sums = allocate(sums, sizeof *small.sums);
    small.sums_buffer = buffer_new(&device, sums * sizeof *small.sums);
    small.finished_buffer = buffer_from(&device, &(cl_uint){0}, sizeof(cl_uint));
    small.result_buffer = buffer_new(&device, sizeof(float));
    small.second_buffer = buffer_new(&device, sizeof(float));
    small.sum = sum_on_host(x, small.n);
    small.dot = dot_on_host(x, y, small.n);
    struct problem large = small;
    large.n = n;
    large.sum = sum_on_host(x, n);
    large.dot = dot_on_host(x, y, n);

    /* The lesson: the tree, rung by rung, and how the groups come together. */
    struct ratio ratio = climb(&report, &device, &small, &kernels, true);
    finish(&report, &device, &small, &kernels);
    dot_and_blocks(&report, &device, &small, &kernels);
    if (!options.size_given) {
        report_say(&report, "\n%u elements:", n);
        ratio = climb(&report, &device, &large, &kernels, false);
        finish(&report, &device, &large, &kernels);
        dot_and_blocks(&report, &device, &large, &kernels);
    }
    report_headline(&report, "sequential tree against divergent", ratio);
    if (device.is_cpu)
        report_say(&report,
                   "A CPU core walks through the work-items between two barriers, one\n"
                   "after another; it needs no tree.%s",
                   options.full ? "" : "  (--full: 64 times the size)");

    /* The article's vectors, 1/1, 1/2, 1/3 ...: nothing is left for the host. */
    float *series = reciprocals(small.n);
    buffer_write(&device, small.x_buffer, series, small.n * sizeof *series);
    buffer_write(&device, small.y_buffer, series, small.n * sizeof *series);
    report_say(
        &report, "pi is about %.7f.",
        sqrt(6.0 * result_of(&device, &small, dot_launch(&device, &small, &kernels),
                             small.result_buffer)));

    device_close(&device);
    free(series);
    free(small.sums);
    free(y);
    free(x);
    return report_end(&report);
}
