/* Step 09: everyone adds to one cell
 *
 * In step 08 we chose in which order a sum is added up.  Here nobody does: with atomics
 * all work-items add to the same cell, each as soon as it can.  No sum is easier to
 * write.  But they wait for each other, and more of them only wait longer.
 *
 * Read with  kernels/step09_atomic_contention.cl, docs/step09_atomic_contention.md
 * Try        --lanes 8: how many atomics are there now, where, and what does it cost?
 * Lens       --size 1048576
 * Story      atomics add_local add_each
 */
#include "buffer.h"
#include "compare.h"
#include "data.h"
#include "report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GROUP_SIZE = 256, MOST_ITEMS = 1 << 18, SEVERAL = 16, MOST_BINS = 4096 };
enum { LARGER = 64, LARGER_ON_CPU = 8 };
enum { FEW = 16384 };  /* elements, where every lane tries again and again */
enum { BEGIN = 1001 }; /* what the cells hold before the second look */

/* Who adds to the cell, and the kernels for int and for float. */
enum way { ELEMENT, ASKING, EXCHANGE, SIMD_GROUP, GROUP, TREE, NOBODY, WAYS };
static const struct {
    const char *name, *kernels[2];
} ways[WAYS] = {[ELEMENT] = {"by element", {"add_each", "add_each_float"}},
                [ASKING] = {"by element, asking", {"add_each_asking", NULL}},
                [EXCHANGE] = {"by exchange", {NULL, "add_each_exchange"}},
                [SIMD_GROUP] = {"by SIMD group", {"add_simd", "add_simd_float"}},
                [GROUP] = {"by group", {"add_local", "add_local_float"}},
                [TREE] = {"by group, tree", {"add_tree", "add_tree_float"}},
                [NOBODY] = {"no atomic", {"tree_alone", "tree_alone_float"}}};

static double sum_on_host(const float *x, size_t n) {
    double sum = 0.0;
    for (size_t i = 0; i < n; i++)
        sum += (double)x[i];
    return sum;
}

/* Atomics on an int wrap around, and so does this. */
static cl_uint int_sum_on_host(const cl_int *x, size_t n) {
    cl_uint sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += (cl_uint)x[i];
    return sum;
}

static void histogram_on_host(const cl_uint *x, size_t n, cl_uint bins,
                              cl_uint counts[MOST_BINS]) {
    memset(counts, 0, MOST_BINS * sizeof *counts);
    for (size_t i = 0; i < n; i++)
        counts[x[i] % bins]++;
}

/* Pseudo-random numbers below 2^20. */
static cl_uint *random_numbers(size_t n, unsigned seed) {
    cl_uint *numbers = allocate(n, sizeof *numbers), state = seed + 9;
    for (size_t i = 0; i < n; i++)
        numbers[i] = random_next(&state) >> 12;
    return numbers;
}

/* Odd numbers below 2^18, of both signs: their sums need more than 16 bits. */
static cl_int *random_ints(size_t n, unsigned seed) {
    cl_int *numbers = allocate(n, sizeof *numbers);
    cl_uint state = seed + 10;
    for (size_t i = 0; i < n; i++)
        numbers[i] = (cl_int)(random_next(&state) >> 13 | 1) - (1 << 18);
    return numbers;
}

/* A work-item for each element; or fewer, but enough to keep a GPU busy. */
static size_t items_for(size_t n, size_t group) {
    return (n + group - 1) / group * group;
}

static size_t fewer_items_for(size_t n, size_t group) {
    const size_t items = items_for((n + SEVERAL - 1) / SEVERAL, group);
    return items < MOST_ITEMS ? items : MOST_ITEMS / group * group;
}

/* A number as its type has it. */
union cell {
    cl_uint of_ints;
    float of_floats;
};

/* Launches on cells that hold `begin`, to which the kernel adds.  Is each of them what
 * is expected?  Later, between timed launches, nobody clears them: they grow, wrap
 * around or round, and that takes no longer. */
static bool counts_right(struct device *device, struct launch launch, cl_mem buffer,
                         const cl_uint expected[MOST_BINS], cl_uint begin) {
    cl_uint *cells = allocate(MOST_BINS, sizeof *cells);
    for (size_t i = 0; i < MOST_BINS; i++)
        cells[i] = begin;
    buffer_write(device, buffer, cells, MOST_BINS * sizeof *cells);
    launch_ms(device, &launch);
    buffer_read(device, buffer, cells, MOST_BINS * sizeof *cells);
    size_t i = 0;
    while (i < MOST_BINS && cells[i] == begin + expected[i])
        i++;
    const bool right =
        i == MOST_BINS ||
        wrong_at(element("counts", i), (double)cells[i], (double)(begin + expected[i]));
    free(cells);
    return right;
}

/* What stays the same from row to row. */
struct problem {
    bool is_float;
    const void *x; /* cl_int or float, and the same in x_buffer */
    cl_mem x_buffer, sum_buffer, sums_buffer;
    size_t group;
    cl_kernel kernels[WAYS], again;
    struct launch second; /* adds up the sums that NOBODY leaves behind */
};

static struct problem problem_for(struct device *device, const struct options *options,
                                  bool is_float, const void *x, cl_mem x_buffer) {
    struct problem problem = {.is_float = is_float, .x = x, .x_buffer = x_buffer};
    problem.group = GROUP_SIZE < device->max_group ? GROUP_SIZE : device->max_group;
    problem.sum_buffer = buffer_new(device, sizeof(float));
    problem.sums_buffer =
        buffer_new(device, MOST_ITEMS / problem.group * sizeof(float));
    const bool has_add = !is_float || device->compute_capability > 0;
    for (enum way way = has_add ? ELEMENT : ASKING; way < WAYS; way++)
        if (ways[way].kernels[is_float])
            problem.kernels[way] =
                kernel_load(device, options, ways[way].kernels[is_float]);
    problem.again = kernel_load(device, options, ways[NOBODY].kernels[is_float]);
    return problem;
}

static struct launch launch_of(struct problem *problem, enum way way, cl_uint n,
                               size_t items) {
    struct launch launch = launch_1d(problem->kernels[way], items, problem->group);
    cl_mem out = way == NOBODY ? problem->sums_buffer : problem->sum_buffer;
    kernel_args(launch.kernel, ARG(problem->x_buffer), ARG(out), ARG(n));
    if (way == NOBODY) {
        const cl_uint groups = (cl_uint)(items / problem->group);
        kernel_args(problem->again, ARG(problem->sums_buffer), ARG(problem->sum_buffer),
                    ARG(groups));
        problem->second = launch_1d(problem->again, problem->group, problem->group);
        launch.then = &problem->second;
    }
    return launch;
}

/* Is the cell the sum of all elements, and of `begin`? */
static bool cell_is_right(struct device *device, const struct problem *problem,
                          cl_uint n, int begin) {
    union cell cell;
    buffer_read(device, problem->sum_buffer, &cell, sizeof cell);
    if (problem->is_float)
        return equal_sum((double)cell.of_floats, begin + sum_on_host(problem->x, n));
    return equal_sum((double)(cl_int)cell.of_ints,
                     (double)(cl_int)((cl_uint)begin + int_sum_on_host(problem->x, n)));
}

/* The same after a launch for which the cell holds `begin`. */
static bool sum_is_right(struct device *device, const struct problem *problem,
                         struct launch launch, cl_uint n, int begin) {
    union cell cell = {.of_ints = (cl_uint)begin};
    if (problem->is_float)
        cell.of_floats = (float)begin;
    buffer_poison(device, problem->sums_buffer);
    buffer_write(device, problem->sum_buffer, &cell, sizeof cell);
    launch_ms(device, &launch);
    return cell_is_right(device, problem, n, begin);
}

static struct row row_for(struct report *report, const char *variant, size_t n) {
    return (struct row){.variant = variant,
                        .size = n,
                        .bytes = (double)n * sizeof(float),
                        .limit = report->limits.read};
}

/* One row, and how many times as long it takes as the best: one atomic for each group,
 * whose work-items have several elements each. */
static struct ratio row(struct report *report, struct device *device,
                        struct problem *problem, enum way way, cl_uint n,
                        size_t items) {
    char variant[64], each[32] = "";
    if (items < n)
        snprintf(each, sizeof each, ", %zu each", (n + items - 1) / items);
    snprintf(variant, sizeof variant, "%s, %s%s", problem->is_float ? "float" : "int",
             ways[way].name, each);
    struct row row = row_for(report, variant, n);

    struct timing times[2];
    const struct launch launch = launch_of(problem, way, n, items);
    row.right = sum_is_right(device, problem, launch, n, 0);
    const struct launch best =
        launch_of(problem, GROUP, n, fewer_items_for(n, problem->group));
    const struct ratio ratio =
        time_pair(device, best, launch, report->options->repeats, times);
    row.time = times[1];
    /* Without atomics the last launch has left the sum; the others add to what is
     * there, so once more they begin with a number that we know. */
    row.right =
        row.right &&
        right_again(way == NOBODY ? cell_is_right(device, problem, n, 0)
                                  : sum_is_right(device, problem, launch, n, BEGIN));
    report_row(report, row);
    return ratio;
}

/* From many atomics to none; of a large problem only the ends.  A compare-exchange for
 * each element is for few elements: of those that meet, all but one try again. */
static void climb(struct report *report, struct device *device, struct problem *problem,
                  cl_uint n, bool ends) {
    const size_t fewer = fewer_items_for(n, problem->group);
    struct ratio first = {0};
    if (problem->kernels[ELEMENT])
        first = row(report, device, problem, ELEMENT, n, items_for(n, problem->group));
    for (enum way way = ASKING; way < NOBODY; way++) {
        const cl_uint count = way == EXCHANGE && n > FEW ? FEW : n;
        if (problem->kernels[way] && (way == GROUP || !ends))
            row(report, device, problem, way, count, items_for(count, problem->group));
    }
    const struct ratio none = row(report, device, problem, NOBODY, n, fewer);
    row(report, device, problem, GROUP, n, fewer);
    if (!problem->is_float && (ends || report->options->size_given))
        report_headline(report, "atomics by group against by element", first);
    else if (problem->kernels[ELEMENT])
        report_say(report, "%28s the last against by element: %s", "",
                   in_words(first).text);
    report_say(report, "%28s the last against no atomic: %s", "", in_words(none).text);
}

/* How many atomics meet at the cell, with SIMD groups of 32 lanes or of --lanes.  The
 * lens counts as many. */
static void say_counts(struct report *report, size_t n, size_t group) {
    const size_t lanes = report->options->lanes ? report->options->lanes : 32;
    const size_t groups = items_for(n, group) / group;
    report_say(
        report,
        "Atomics on one cell: %zu by element, %zu by SIMD group (if of %zu lanes),\n"
        "%zu by group, %zu by group with several elements for each work-item.",
        n, groups * ((group + lanes - 1) / lanes), lanes, groups,
        fewer_items_for(n, group) / group);
}

/* Many cells: each element goes to global memory, or first to bins of its group. */
static void histograms(struct report *report, struct device *device, cl_uint n,
                       size_t group) {
    cl_uint *x = random_numbers(n, report->options->seed), counts[MOST_BINS];
    cl_mem x_buffer = buffer_from(device, x, n * sizeof *x);
    cl_mem counts_buffer = buffer_new(device, sizeof counts);
    cl_kernel by_element = kernel_load(device, report->options, "histogram");
    cl_kernel by_group = kernel_load(device, report->options, "histogram_local");
    const struct launch launches[] = {
        launch_1d(by_element, items_for(n, group), group),
        launch_1d(by_group, fewer_items_for(n, group), group)};

    for (int local = 0; local < 2; local++)
        for (cl_uint bins = 1; bins <= MOST_BINS; bins *= 16) {
            char variant[64];
            snprintf(variant, sizeof variant, "%u bin%s%s", bins, bins == 1 ? "" : "s",
                     local ? ", by group" : "");
            struct row row = row_for(report, variant, n);
            kernel_args(by_element, ARG(x_buffer), ARG(counts_buffer), ARG(n),
                        ARG(bins));
            kernel_args(by_group, ARG(x_buffer), ARG(counts_buffer), ARG(n), ARG(bins),
                        LOCAL(bins * sizeof *counts));
            histogram_on_host(x, n, bins, counts);
            row.right = counts_right(device, launches[local], counts_buffer, counts, 0);
            row.time = time_launches(device, launches[local], report->options->repeats);
            row.right =
                row.right && right_again(counts_right(device, launches[local],
                                                      counts_buffer, counts, BEGIN));
            report_row(report, row);
        }
    free(x);
}

int main(int argc, char **argv) {
    struct options options =
        options_read(argc, argv, "step09_atomic_contention", 1 << 20);
    struct device device = device_open(options.device);
    struct report report = report_start(&options, &device);

    /* Odd halves, and whole numbers: their sums are exact, whoever comes first. */
    const cl_uint small = device_check_size(&device, options.size, 4, sizeof(float));
    const size_t room = device_capacity(&device, 4, sizeof(float));
    const size_t times = device.is_cpu && !options.full ? LARGER_ON_CPU : LARGER;
    const size_t wanted = options.size_given ? small : small * times;
    const cl_uint large = (cl_uint)(wanted < room ? wanted : room);
    float *x = small_numbers(large, options.seed + 1);
    cl_int *x_int = random_ints(large, options.seed);
    cl_mem x_buffer = buffer_from(&device, x, large * sizeof *x);
    cl_mem x_int_buffer = buffer_from(&device, x_int, large * sizeof *x_int);

    /* The lesson: the same sum, with fewer and fewer atomics. */
    struct problem ints = problem_for(&device, &options, false, x_int, x_int_buffer);
    struct problem floats = problem_for(&device, &options, true, x, x_buffer);
    climb(&report, &device, &ints, small, false);
    climb(&report, &device, &floats, small, false);
    say_counts(&report, small, ints.group);
    if (!options.size_given) {
        report_say(&report, "\n%u elements:", large);
        climb(&report, &device, &ints, large, true);
        climb(&report, &device, &floats, large, true);
    }

    /* And what if there are more cells than one? */
    report_say(&report, "\n%u elements, counted in bins:", small);
    histograms(&report, &device, small, ints.group);
    if (device.is_cpu)
        report_say(
            &report,
            "On a CPU only cores meet at a cell, never lanes: look at the counts.%s",
            options.full ? "" : "\n(--full: 64 times the size)");

    device_close(&device);
    free(x_int);
    free(x);
    return report_end(&report);
}
