/* Step 10: occupancy: how many work-items are enough
 *
 * Since step 04 more work-items have kept more loads in flight.  Arithmetic has a
 * latency, too: here each work-item has a chain of multiply-adds, each of which needs
 * the one before.  How many chains does a device need, and on how many compute units?
 *
 * Read with  kernels/step10_work_distribution.cl, docs/step10_work_distribution.md
 * Try        --all: where exactly does the rate stop growing?
 * Lens       --size 2048 work_distribution work_distribution_four
 * Races      LOCKSTEP_MAX_GROUP=100 --size 1003 --all
 * Story      busy_lanes
 */
#include "step.h"

#include <math.h>

enum { GROUP = 32, LARGE_GROUP = 1024 };
enum { FACTOR = 16, FACTOR_OF_ALL = 2, FACTOR_OF_UNITS = 4 }; /* from row to row */
enum { FOUR_EACH = 16384 };       /* chains, where a work-item has four of them */
enum { RESERVED = 32 * 1024 };    /* bytes; OpenCL 1.2 asks a device for no more */
enum { STEPS = 64 };              /* multiply-adds in a round, as in the kernel */
enum { ROUNDS = 4096 };           /* of each chain */
enum { ROUNDS_ON_CPU = 1 << 20 }; /* of all chains */

static const struct sizes sizes = {.cpu = 1 << 11, .cpu_full = 1 << 13, .gpu = 1 << 19};

/* Work-items follow n chains to their ends. */
struct variant {
    const char *name, *kernel;
    size_t n, items, group;
    size_t reserved; /* bytes of local memory that a group takes, at least 1 */
};

/* The chains begin with odd quarters, of which there are four magnitudes. */
enum { MAGNITUDES = 4 };
struct chains {
    struct step *step;
    const float *start;
    float *end;             /* what the device has found */
    float ends[MAGNITUDES]; /* what the host has found, for each magnitude of a start */
    cl_uint rounds;
};

static float end_on_host(float x, size_t rounds) {
    for (size_t i = rounds * STEPS; i > 0; i--)
        x = fmaf(x, x, -1.94f);
    return x;
}

/* The number of rounds depends on the seed, so that no kernel can know it.  On a CPU,
 * and for few chains, they are fewer, the more chains there are. */
static struct chains make_chains(struct step *step, size_t n) {
    const bool many = n > sizes.cpu && !step->device.is_cpu;
    const size_t rounds = many ? ROUNDS : ROUNDS_ON_CPU / (n + sizes.cpu);
    cl_uint state = step->options.seed;
    const cl_uint more = 1 + (random_next(&state) >> 28);
    struct chains chains = {.step = step, .rounds = (cl_uint)rounds + more};
    chains.start = step_numbers(step, n, 1);
    chains.end = step_array(step, n, sizeof *chains.end);
    for (int i = 0; i < MAGNITUDES; i++)
        chains.ends[i] = end_on_host(0.25f + 0.5f * (float)i, chains.rounds);
    return chains;
}

/* The sign of a start does not matter, because a chain squares it first. */
static float expected_end(const struct chains *chains, size_t i) {
    return chains->ends[(int)(2.0f * fabsf(chains->start[i]))];
}

static bool is_right(const struct chains *chains, const struct launch *launch, size_t n,
                     cl_mem end_buffer) {
    struct device *device = &chains->step->device;
    launch_ms(device, launch);
    buffer_read(device, end_buffer, chains->end, n * sizeof *chains->end);
    for (size_t i = 0; i < n; i++) {
        const float expected = expected_end(chains, i);
        if (chains->end[i] == expected)
            continue;
        const bool one_each = launch->global[0] >= n;
        return wrong_at(one_each ? element_of_item("end", i, launch)
                                 : element("end", i),
                        (double)chains->end[i], (double)expected);
    }
    return true;
}

/* A row: right, timed, and right again, where the kernel finds numbers and not NaN. */
static struct row measure(const struct chains *chains, struct variant variant) {
    struct step *step = chains->step;
    struct device *device = &step->device;
    const cl_uint n = (cl_uint)variant.n;
    cl_mem start_buffer = buffer_from(device, chains->start, n * sizeof(float));
    cl_mem end_buffer = buffer_new(device, n * sizeof(float));
    const struct launch launch =
        LAUNCH(step, variant.kernel, variant.items, variant.group, ARG(start_buffer),
               ARG(end_buffer), ARG(n), ARG(chains->rounds), LOCAL(variant.reserved));

    const bool right = is_right(chains, &launch, n, end_buffer);
    struct row row =
        step_time(step, variant.name, &launch, n, 0, step->report.limits.fma);
    row.flops = 2.0 * STEPS * chains->rounds * n;
    buffer_write(device, end_buffer, chains->start, n * sizeof(float));
    row.right = right && right_again(is_right(chains, &launch, n, end_buffer));
    return row;
}

/* 1, factor, factor^2 ... up to `most`, which is always the last; returns how many. */
enum { MAX_ROWS = 34 };
static int growing(size_t most, size_t factor, size_t numbers[MAX_ROWS]) {
    int count = 0;
    for (size_t number = 1; number < most; number *= factor)
        numbers[count++] = number;
    numbers[count++] = most;
    return count;
}

/* More and more work-items, with a chain each; returns how many rows. */
static int add_items(const struct chains *chains, struct variant variant,
                     struct row rows[MAX_ROWS]) {
    struct step *step = chains->step;
    size_t items[MAX_ROWS];
    const int count =
        growing(variant.n, step->options.all ? FACTOR_OF_ALL : FACTOR, items);
    for (int i = 0; i < count; i++) {
        variant.n = items[i];
        variant.items = items[i];
        variant.name =
            step_text(step, "%zu work-item%s", items[i], items[i] > 1 ? "s" : "");
        rows[i] = measure(chains, variant);
        report_row(&step->report, rows[i]);
    }
    return count;
}

/* The same chains on more and more units.  A group stays on its unit, so as many groups
 * use as many units at most.  Returns how many times faster all are than one. */
static struct ratio add_units(const struct chains *chains, struct variant variant) {
    struct step *step = chains->step;
    const size_t all = step->device.units;
    variant.group = step_group(step, step->device.is_cpu ? GROUP : LARGE_GROUP);
    const size_t most = 2 * all * variant.group;
    variant.n = variant.n < most ? variant.n : most;

    struct row rows[MAX_ROWS];
    size_t units[MAX_ROWS];
    const int count = growing(all, FACTOR_OF_UNITS, units);
    for (int i = 0; i < count; i++) {
        variant.items = units[i] * variant.group;
        variant.name = step_text(step, "%zu of %zu units", units[i], all);
        rows[i] = measure(chains, variant);
        rows[i].note = step_text(step, "%.3gx, ideal %zu",
                                 ratio_of_rows(&rows[i], &rows[0]).median, units[i]);
        report_row(&step->report, rows[i]);
    }
    return ratio_of_rows(&rows[count - 1], &rows[0]);
}

/* What Little's law asks for, and what the rows say. */
static void say_what_is_enough(struct report *report, const struct row *rows,
                               int count) {
    const double limit = report->limits.fma, one = row_rate(&rows[0]);
    const int enough = row_that_is_enough(rows, count);
    if (limit > 0.0)
        report_say(report, "Little's law: %.5g GFLOP/s / %.3g = %.0f chains in flight",
                   limit, one, limit / one);
    if (enough >= 0)
        report_say(report, "Enough: %zu, within 5 %% of the best", rows[enough].size);
    else
        report_say(report, "Enough: no verdict, these rates are not told apart");
}

int main(int argc, char **argv) {
    struct step step;
    step_open(&step, argc, argv,
              &(struct usage){.step = "step10_work_distribution",
                              .lesson = "the same chain, by more and more work-items"});
    const size_t n = step_size(&step, &sizes, 2, sizeof(float));
    const struct chains chains = make_chains(&step, n);
    const struct variant one_each = {.kernel = "work_distribution",
                                     .n = n,
                                     .items = n,
                                     .group = step_group(&step, GROUP),
                                     .reserved = 1};

    /* The lesson: more and more work-items, with a chain each, and more and more units
     * for the same chains. */
    struct row rows[MAX_ROWS];
    const int count = add_items(&chains, one_each, rows);
    const struct ratio ratio = add_units(&chains, one_each);

    /* A quarter as many work-items as chains, because each has four in flight. */
    struct variant four = one_each;
    four.kernel = "work_distribution_four";
    four.n = n < FOUR_EACH || step.options.size_given ? n : FOUR_EACH;
    four.items = (four.n + 3) / 4;
    four.name = step_text(&step, "%zu, 4 chains each", four.items);
    report_row(&step.report, measure(&chains, four));

    /* Room for few groups at a time, because each takes much local memory. */
    struct variant greedy = one_each;
    greedy.reserved = RESERVED;
    greedy.name = "32 KiB reserved";
    report_row(&step.report, measure(&chains, greedy));

    /* The result. */
    report_headline(&step.report, "all compute units, not one", ratio,
                    "A core runs one work-item after another: only chains of the same "
                    "one overlap.");
    say_what_is_enough(&step.report, rows, count);
    return step_close(&step);
}
