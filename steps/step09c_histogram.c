/* Step 09c: histograms: a private copy of the counters for each group
 *
 * In step 09 all work-items added to one address.  A histogram has a counter for each
 * bin, and the data decide which work-items collide.  Here each group counts in a
 * private copy of the table first, which pays off if it counts many more elements than
 * there are bins.
 *
 * Read with  kernels/step09c_histogram.cl, docs/step09c_histogram.md
 * Try        EACH = 16: which rows become slower, and why?
 * Lens       --size 131072 --repeats 1 histogram_global histogram_private
 * Races      LOCKSTEP_MAX_GROUP=100 --size 200003 --all
 * Story      atomics histogram_private@bins=256 histogram_global@bins=256
 */
#include "contest.h"

enum { GROUP = 256, EACH = 256 };

/* What all counters are before a launch that is checked. */
enum { BEGIN = 1001, BEGIN_AGAIN = 7 };

static const struct sizes sizes = {.cpu = 1 << 20, .cpu_full = 1 << 24, .gpu = 1 << 26};

/* Each table is counted globally and privately, with this many elements for each
 * work-item.  Of skewed data, nine of ten are one number.  The last come with --all. */
enum { HEADLINE = 2, BY_DEFAULT = 5, TABLES = 9 };
static const struct table {
    const char *name;
    cl_uint bins;
    size_t each;
    bool skewed;
} tables[TABLES] = {{"1 bin", 1, EACH, false},
                    {"16 bins", 16, EACH, false},
                    {"256 bins", 256, EACH, false},
                    {"4096 bins", 4096, EACH, false},
                    {"256 bins skewed", 256, EACH, true},
                    {"1000 bins", 1000, EACH, false},
                    {"4096, 16 each", 4096, 16, false},
                    {"4096, 64 each", 4096, 64, false},
                    {"4096, 1024 each", 4096, 1024, false}};

/* The same numbers on the host and on the device. */
struct numbers {
    const cl_uint *x;
    cl_mem buffer;
};

/* Pseudo-random numbers of 32 bits; if skewed, nine of ten are the first of them. */
static struct numbers make_numbers(struct step *step, size_t n, bool skewed) {
    cl_uint *x = step_array(step, n, sizeof *x);
    cl_uint state = step->options.seed + 1;
    const cl_uint frequent = random_next(&state),
                  limit = skewed ? UINT32_MAX / 10 * 9 : 0;
    for (size_t i = 0; i < n; i++)
        x[i] = random_next(&state) < limit ? frequent : random_next(&state);
    return (struct numbers){x, buffer_from(&step->device, x, n * sizeof *x)};
}

static void histogram_on_host(const cl_uint *x, size_t n, cl_uint bins,
                              cl_uint *counts) {
    for (size_t i = 0; i < n; i++)
        counts[(cl_ulong)x[i] * bins >> 32]++;
}

/* The counters that a launch adds to. */
struct counters {
    struct device *device;
    cl_uint bins;
    const cl_uint *expected; /* if they begin with 0 */
    cl_uint *found;
    cl_mem buffer;
};

static struct counters make_counters(struct step *step, cl_uint bins,
                                     const cl_uint *expected) {
    struct counters counters = {
        .device = &step->device, .bins = bins, .expected = expected};
    counters.found = step_array(step, bins, sizeof *counters.found);
    counters.buffer = buffer_new(&step->device, bins * sizeof *counters.found);
    return counters;
}

/* A launch adds to what is there, so the result of timed launches is not known.  Before
 * and after them one launch is checked, whose counters begin with a known number. */
static bool is_right(const struct entry *entry, bool again) {
    const struct counters *counters = entry->of;
    const cl_uint begin = again ? BEGIN_AGAIN : BEGIN;
    const size_t bytes = counters->bins * sizeof *counters->found;
    for (cl_uint bin = 0; bin < counters->bins; bin++)
        counters->found[bin] = begin;
    buffer_write(counters->device, counters->buffer, counters->found, bytes);
    launch_ms(counters->device, &entry->launch);
    buffer_read(counters->device, counters->buffer, counters->found, bytes);
    for (cl_uint bin = 0; bin < counters->bins; bin++) {
        const cl_uint found = counters->found[bin],
                      expected = begin + counters->expected[bin];
        if (found != expected)
            return wrong_at(element("counts", bin), (double)found, (double)expected);
    }
    return true;
}

static struct entry make_entry(struct step *step, const struct table *table,
                               const char *where, const struct counters *counters,
                               cl_uint n, struct launch launch) {
    struct entry entry = {.launch = launch, .of = counters};
    entry.row.variant = step_text(step, "%s, %s", table->name, where);
    entry.row.size = n;
    entry.row.bytes = (double)n * sizeof(cl_uint);
    entry.row.limit = step->report.limits.read;
    return entry;
}

/* Counts in one table, in private copies of it and globally, with launches that
 * alternate.  Returns how many times faster the private copies are. */
static struct ratio compare(struct step *step, const struct table *table,
                            const struct numbers *numbers, cl_uint n) {
    enum { PRIVATE, GLOBAL };
    const cl_uint bins = table->bins;
    cl_uint *expected = step_array(step, bins, sizeof *expected);
    histogram_on_host(numbers->x, n, bins, expected);
    const struct counters private = make_counters(step, bins, expected),
                          global = make_counters(step, bins, expected);

    const size_t group = step_group(step, GROUP),
                 items = (n + table->each - 1) / table->each;
    const struct launch by_group =
        LAUNCH(step, "histogram_private", items, group, ARG(numbers->buffer),
               ARG(private.buffer), ARG(n), ARG(bins), LOCAL(bins * sizeof(cl_uint)));
    const struct launch by_element =
        LAUNCH(step, "histogram_global", items, group, ARG(numbers->buffer),
               ARG(global.buffer), ARG(n), ARG(bins));

    struct contest contest = contest_begin(step, is_right);
    contest_add(&contest, make_entry(step, table, "private", &private, n, by_group));
    contest_add(&contest, make_entry(step, table, "global", &global, n, by_element));
    const struct ratio ratio = contest_time_pair(&contest, PRIVATE, GLOBAL);
    contest_print(&contest, GLOBAL);
    contest_print(&contest, PRIVATE);
    return ratio;
}

int main(int argc, char **argv) {
    struct step step;
    step_open(&step, argc, argv,
              &(struct usage){
                  .step = "step09c_histogram",
                  .lesson = "the same histogram, in one table or in private copies"});

    /* Numbers that are all equally frequent, and numbers of which most are the same. */
    const cl_uint n = step_size(&step, &sizes, 2, sizeof(cl_uint));
    const struct numbers even = make_numbers(&step, n, false),
                         skewed = make_numbers(&step, n, true);

    /* The lesson: the more bins, the fewer work-items collide at one of them. */
    const size_t count = step.options.all ? TABLES : BY_DEFAULT;
    struct ratio ratios[TABLES];
    for (size_t t = 0; t < count; t++) {
        const struct numbers *numbers = tables[t].skewed ? &skewed : &even;
        ratios[t] = compare(&step, &tables[t], numbers, n);
    }

    /* The result. */
    report_headline(&step.report, "private bins, not one table", ratios[HEADLINE],
                    "Only cores collide at a bin, never lanes, so copies save less.");
    return step_close(&step);
}
