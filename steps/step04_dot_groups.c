/* Step 04: more and more groups
 *
 * In step 03, 32 work-items side by side kept a small part of a GPU busy.  Here we add
 * group after group until more bring nothing, and then ask a larger problem how close
 * to the memory's limit we have come.
 *
 * Read with  kernels/step04_dot_groups.cl, docs/step04_dot_groups.md
 * Try        --size 67108864, and find the row from which on nothing is gained
 * Lens       --size 1048576
 */
#include "buffer.h"
#include "compare.h"
#include "data.h"
#include "report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { GROUP = 32, MOST_ITEMS = 1 << 18, LARGER = 512, LARGER_ON_CPU = 64 };

static double dot_on_host(const float *x, const float *y, size_t n) {
    double sum = 0.0;
    for (size_t i = 0; i < n; i++)
        sum += (double)x[i] * (double)y[i];
    return sum;
}

/* What stays the same from row to row. */
struct problem {
    cl_uint n;
    double expected;
    cl_mem x_buffer, y_buffer, sums_buffer;
    float *sums;
};

/* Adds up what the work-items of the last launch left behind. */
static double sum_left(struct device *device, const struct problem *problem,
                       struct launch launch) {
    buffer_read(device, problem->sums_buffer, problem->sums,
                launch.global[0] * sizeof *problem->sums);
    double sum = 0.0;
    for (size_t i = 0; i < launch.global[0]; i++)
        sum += (double)problem->sums[i];
    return sum;
}

static double dot_on_device(struct device *device, const struct problem *problem,
                            struct launch launch) {
    buffer_poison(device, problem->sums_buffer);
    launch_ms(device, &launch);
    return sum_left(device, problem, launch);
}

/* One row: `items` work-items in groups of `group`, named "groups x size" unless it has
 * a name of its own.  Returns the median time. */
static double row(struct report *report, struct device *device,
                  const struct problem *problem, cl_kernel kernel, size_t items,
                  size_t group, const char *name) {
    char variant[64];
    snprintf(variant, sizeof variant, "%zu x %zu", items / group, group);
    kernel_args(kernel, ARG(problem->x_buffer), ARG(problem->y_buffer),
                ARG(problem->sums_buffer), ARG(problem->n));
    const struct launch launch = launch_1d(kernel, items, group);
    struct row row = {.variant = name ? name : variant, .size = problem->n};
    row.right = equal_sum(dot_on_device(device, problem, launch), problem->expected);
    row.time = time_launches(device, launch, report->options->repeats);
    row.right = row.right && right_again(equal_sum(sum_left(device, problem, launch),
                                                   problem->expected));
    row.bytes = 2.0 * problem->n * sizeof(float);
    row.limit = report->limits.read;
    report_row(report, row);
    return row.time.median_ms;
}

/* More and more groups of 32, until there are more work-items than elements. */
static void add_groups(struct report *report, struct device *device,
                       const struct problem *problem, cl_kernel dot) {
    size_t enough = 0;
    double best_ms = INFINITY;
    for (size_t items = GROUP; items / 2 < problem->n && items <= MOST_ITEMS;
         items *= 2) {
        const double ms = row(report, device, problem, dot, items, GROUP, NULL);
        enough = ms < 0.95 * best_ms ? items : enough;
        best_ms = ms < best_ms ? ms : best_ms;
    }
    report_say(report, "In this run more than %zu groups of %d brought nothing.",
               enough / GROUP, GROUP);
}

/* How many work-items, and in groups of how many?  Then the shapes that a GPU and a CPU
 * like best. */
static void find_shape(struct report *report, struct device *device,
                       const struct problem *problem, cl_kernel dot,
                       cl_kernel dot_float4, cl_kernel dot_blocks) {
    size_t items = 0;
    double best_ms = INFINITY;
    row(report, device, problem, dot, 1, 1, NULL);
    row(report, device, problem, dot, GROUP, GROUP, NULL);
    for (size_t more = 4096; more <= MOST_ITEMS; more *= 8) {
        const double ms = row(report, device, problem, dot, more, GROUP, NULL);
        items = ms < best_ms ? more : items;
        best_ms = ms < best_ms ? ms : best_ms;
    }
    for (size_t group = 64; group <= 1024 && group <= device->group_most; group *= 2)
        row(report, device, problem, dot, items, group, NULL);
    row(report, device, problem, dot_float4, MOST_ITEMS, 256, "1024 x 256, float4");
    row(report, device, problem, dot_blocks, device->units, 1, "one block per core");
}

int main(int argc, char **argv) {
    struct options options = options_read(argc, argv, "step04_dot_groups", 1 << 18);
    struct device device = device_open(options.device);
    struct report report = report_start(&options, &device);
    cl_kernel dot = kernel_load(&device, &options, "dot_groups");
    cl_kernel dot_float4 = kernel_load(&device, &options, "dot_groups_float4");
    cl_kernel dot_blocks = kernel_load(&device, &options, "dot_groups_blocks");

    /* Two problems; the small one is the beginning of the large one. */
    struct problem small = {.n = device_fits(&device, options.size, 2, sizeof(float))};
    const size_t room = device_room(&device, 2, sizeof(float));
    const size_t times = device.is_cpu && !options.full ? LARGER_ON_CPU : LARGER;
    const size_t wanted = options.size_given ? small.n : small.n * times;
    const cl_uint n = (cl_uint)(wanted < room ? wanted : room);
    float *x = small_numbers(n, options.seed + 1);
    float *y = small_numbers(n, options.seed + 2);
    small.x_buffer = buffer_from(&device, x, n * sizeof *x);
    small.y_buffer = buffer_from(&device, y, n * sizeof *y);
    small.sums = allocate(MOST_ITEMS, sizeof *small.sums);
    small.sums_buffer = buffer_new(&device, MOST_ITEMS * sizeof *small.sums);
    small.expected = dot_on_host(x, y, small.n);
    struct problem large = small;
    large.n = n;
    large.expected = dot_on_host(x, y, n);

    /* The lesson: how many work-items keep this device busy? */
    add_groups(&report, &device, &small, dot);
    report_say(&report, "\n%u elements%s:", n,
               wanted > room ? ", all that this device holds" : "");
    find_shape(&report, &device, &large, dot, dot_float4, dot_blocks);
    if (device.is_cpu)
        report_say(
            &report,
            "A CPU has few cores and large caches: it likes one long block for each.\n"
            "Many work-items side by side are what a GPU likes.%s",
            options.full ? "" : "  (--full: 512 times the size)");

    /* The article's vectors, 1/1, 1/2, 1/3 ... */
    float *series = reciprocals(small.n);
    buffer_write(&device, small.x_buffer, series, small.n * sizeof *series);
    buffer_write(&device, small.y_buffer, series, small.n * sizeof *series);
    kernel_args(dot, ARG(small.x_buffer), ARG(small.y_buffer), ARG(small.sums_buffer),
                ARG(small.n));
    report_say(&report, "pi is about %.7f.",
               sqrt(6.0 * dot_on_device(&device, &small, launch_1d(dot, 4096, GROUP))));

    device_close(&device);
    free(series);
    free(small.sums);
    free(y);
    free(x);
    return report_end(&report);
}
