/* Step 09c: many counters, and a private copy of them for each group
 *
 * In step 09 all work-items added to one address.  A histogram has a counter for each
 * bin, and the data decide which work-items collide.  Here each group counts in a
 * private copy of the table first, which pays off if the table is small and the
 * elements are many.
 *
 * Read with  kernels/step09c_histogram.cl, docs/step09c_histogram.md
 * Try        EACH = 16: which rows become slower, and why?
 * Lens       --size 131072 --repeats 1 histogram_global histogram_private
 * Races      LOCKSTEP_MAX_GROUP=100 --size 200003 --all
 * Story      atomics histogram_private@bins=256 histogram_global@bins=256
 */
#include "step.h"

#include <stdio.h>

enum { GROUP = 256, EACH = 256 };
enum { BEGIN = 1001, ONCE_MORE = 7 }; /* all counters, before a launch is checked */

static const struct sizes sizes = {.cpu = 1 << 20, .cpu_full = 1 << 24, .gpu = 1 << 26};

/* Each table is counted globally and privately, with this many elements for each
 * work-item.  Of skewed data, nine of ten are one number.  The last come with --all. */
enum { HEADLINE = 2, BY_DEFAULT = 5 };
static const struct table {
    const char *name;
    cl_uint bins;
    size_t each;
    bool skewed;
} tables[] = {{"1 bin", 1, EACH, false},
              {"16 bins", 16, EACH, false},
              {"256 bins", 256, EACH, false},
              {"4096 bins", 4096, EACH, false},
              {"256 bins skewed", 256, EACH, true},
              {"1000 bins", 1000, EACH, false},
              {"4096, 16 each", 4096, 16, false},
              {"4096, 64 each", 4096, 64, false},
              {"4096, 1024 each", 4096, 1024, false}};

/* Pseudo-random numbers of 32 bits; if skewed, nine of ten are the first of them. */
static const cl_uint *make_numbers(struct step *step, size_t n, bool skewed) {
    cl_uint *numbers = step_array(step, n, sizeof *numbers);
    cl_uint state = step->options.seed + 1;
    const cl_uint frequent = random_next(&state),
                  limit = skewed ? UINT32_MAX / 10 * 9 : 0;
    for (size_t i = 0; i < n; i++)
        numbers[i] = random_next(&state) < limit ? frequent : random_next(&state);
    return numbers;
}

static void histogram_on_host(const cl_uint *x, size_t n, cl_uint bins,
                              cl_uint *counts) {
    for (size_t i = 0; i < n; i++)
        counts[(cl_ulong)x[i] * bins >> 32]++;
}

/* Launches while every counter is `begin`: a launch adds to what is there. */
static bool is_right(struct device *device, const struct launch *launch, cl_mem buffer,
                     cl_uint *counts, const cl_uint *expected, cl_uint bins,
                     cl_uint begin) {
    for (cl_uint bin = 0; bin < bins; bin++)
        counts[bin] = begin;
    buffer_write(device, buffer, counts, bins * sizeof *counts);
    launch_ms(device, launch);
    buffer_read(device, buffer, counts, bins * sizeof *counts);
    for (cl_uint bin = 0; bin < bins; bin++) {
        const cl_uint right = begin + expected[bin];
        if (counts[bin] != right)
            return wrong_at(element("counts", bin), (double)counts[bin], (double)right);
    }
    return true;
}

/* Counts in one table, in private copies of it and globally, with launches that
 * alternate.  Returns how many times faster the private copies are. */
static struct ratio count_in(struct step *step, const struct table *table,
                             const cl_uint *x, cl_mem x_buffer, cl_uint n) {
    struct device *device = &step->device;
    const size_t group = step_group(step, GROUP);
    const size_t items = (n + table->each - 1) / table->each;
    const cl_uint bins = table->bins;
    const size_t bytes = bins * sizeof(cl_uint);
    cl_uint *counts = step_array(step, bins, sizeof *counts);
    cl_uint *expected = step_array(step, bins, sizeof *expected); /* all 0 */
    histogram_on_host(x, n, bins, expected);

    cl_mem buffers[] = {buffer_new(device, bytes), buffer_new(device, bytes)};
    const struct launch launches[] = {
        LAUNCH(step, "histogram_private", items, group, ARG(x_buffer), ARG(buffers[0]),
               ARG(n), ARG(bins), LOCAL(bytes)),
        LAUNCH(step, "histogram_global", items, group, ARG(x_buffer), ARG(buffers[1]),
               ARG(n), ARG(bins))};
    bool right[2];
    for (int i = 0; i < 2; i++)
        right[i] =
            is_right(device, &launches[i], buffers[i], counts, expected, bins, BEGIN);

    /* While launches are timed the counters go on growing, so only those that begin
     * with a known number can be checked: once more, with another number. */
    struct timing times[2];
    const int repeats = step->options.repeats;
    const struct ratio ratio =
        time_pair(device, launches[0], launches[1], repeats, times);
    for (int i = 1; i >= 0; i--) {
        char name[64];
        snprintf(name, sizeof name, "%s, %s", table->name, i ? "global" : "private");
        struct row row = {.variant = name, .size = n, .time = times[i]};
        row.bytes = (double)n * sizeof *x;
        row.limit = step->report.limits.read;
        row.right =
            right[i] && right_again(is_right(device, &launches[i], buffers[i], counts,
                                             expected, bins, ONCE_MORE));
        report_row(&step->report, row);
    }
    return ratio;
}

int main(int argc, char **argv) {
    struct step step;
    step_open(&step, argc, argv, &(struct usage){.step = "step09c_histogram"});

    /* Two arrays of numbers: all equally frequent, and most of them the same. */
    const cl_uint n = step_size(&step, &sizes, 2, sizeof(cl_uint));
    const cl_uint *x[2];
    cl_mem x_buffers[2];
    for (int skewed = 0; skewed < 2; skewed++) {
        x[skewed] = make_numbers(&step, n, skewed);
        x_buffers[skewed] = buffer_from(&step.device, x[skewed], n * sizeof(cl_uint));
    }

    /* The lesson: the more bins, the fewer work-items collide at one of them. */
    const size_t count = step.options.all ? COUNT(tables) : BY_DEFAULT;
    struct ratio ratios[COUNT(tables)];
    for (size_t t = 0; t < count; t++)
        ratios[t] = count_in(&step, &tables[t], x[tables[t].skewed],
                             x_buffers[tables[t].skewed], n);

    /* The result. */
    report_headline(&step.report, "private bins against one table", ratios[HEADLINE]);
    if (step.device.is_cpu)
        report_say(&step.report, "On a CPU only cores collide at a bin, never lanes, "
                                 "so private copies save less.");
    return step_close(&step);
}
