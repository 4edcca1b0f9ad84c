/* Step 10: occupancy: how many work-items are enough
 *
 * Since step 04 more work-items have kept more loads in flight.  Arithmetic has a
 * latency, too: here each work-item follows a chain of multiply-adds, each of which
 * needs the result of the previous one.  How many chains does a device need, on how
 * many compute units, and what keeps them from being there at the same time?
 *
 * Read with  kernels/step10_work_distribution.cl, docs/step10_work_distribution.md
 * Try        RESERVED_KIB = 16: how many groups of 32 fit on a compute unit now?
 * Lens       --size 2048 work_distribution work_distribution_four
 * Races      LOCKSTEP_MAX_GROUP=100 --size 1003 --all
 */
#include "contest.h"

#include <math.h>

enum { GROUP = 32, LARGE_GROUP = 1024 };
enum { FACTOR = 16, FACTOR_OF_ALL = 2, FACTOR_OF_UNITS = 4 }; /* from row to row */
enum { FOUR_EACH = 16384 };       /* chains, where a work-item has four of them */
enum { RESERVED_KIB = 32 };       /* OpenCL 1.2 asks a device for no more */
enum { STEPS = 64 };              /* multiply-adds in a round, as in the kernel */
enum { ROUNDS = 4096 };           /* of each chain */
enum { ROUNDS_ON_CPU = 1 << 20 }; /* of all chains */

static const struct sizes sizes = {.cpu = 1 << 11, .cpu_full = 1 << 13, .gpu = 1 << 19};

/* Work-items follow `count` chains to their ends. */
struct variant {
    const char *name, *kernel;
    size_t count, items, group;
    size_t units;    /* how many compute units it may use, or 0: all of them */
    size_t reserved; /* bytes of local memory that each group takes and does not use */
};

/* The variants of this run: three ways to have more in flight, and one to have less.
 * The device and --size decide which numbers there are. */
enum { MAX_NUMBERS = 34, MAX_VARIANTS = 2 * MAX_NUMBERS + 2 };
struct table {
    struct step *step;
    struct variant variants[MAX_VARIANTS];
    size_t count;
};

static struct variant *new_row(struct table *table, const char *kernel, size_t count,
                               size_t items, size_t group) {
    struct variant *variant = &table->variants[table->count++];
    *variant = (struct variant){
        .kernel = kernel, .count = count, .items = items, .group = group};
    return variant;
}

/* 1, factor, factor^2 ... up to `most`, which is always the last; returns how many. */
static size_t growing(size_t most, size_t factor, size_t numbers[MAX_NUMBERS]) {
    size_t count = 0;
    for (size_t number = 1; number < most; number *= factor)
        numbers[count++] = number;
    numbers[count++] = most;
    return count;
}

/* More and more work-items, with a chain each. */
static void add_items(struct table *table, size_t n) {
    struct step *step = table->step;
    size_t items[MAX_NUMBERS];
    const size_t factor = step->options.all ? FACTOR_OF_ALL : FACTOR;
    const size_t count = growing(n, factor, items);
    for (size_t i = 0; i < count; i++) {
        struct variant *variant = new_row(table, "work_distribution", items[i],
                                          items[i], step_group(step, GROUP));
        variant->name =
            step_text(step, "%zu work-item%s", items[i], items[i] > 1 ? "s" : "");
    }
}

/* The same chains on more and more compute units.  A group stays on its unit, so that
 * 16 groups use at most 16 units.  On all units a work-item has two chains. */
static void add_units(struct table *table, size_t n) {
    struct step *step = table->step;
    const size_t all = step->device.units;
    const size_t group = step_group(step, step->device.is_cpu ? GROUP : LARGE_GROUP);
    const size_t two_each = 2 * all * group;
    size_t units[MAX_NUMBERS];
    const size_t count = growing(all, FACTOR_OF_UNITS, units);
    for (size_t i = 0; i < count; i++) {
        struct variant *variant =
            new_row(table, "work_distribution", n < two_each ? n : two_each,
                    units[i] * group, group);
        variant->units = units[i];
        variant->name = step_text(step, "%zu of %zu units", units[i], all);
    }
}

/* A quarter as many work-items as chains, because each has four in flight. */
static void add_four_each(struct table *table, size_t n) {
    struct step *step = table->step;
    const size_t count = n < FOUR_EACH || step->options.size_given ? n : FOUR_EACH;
    const size_t items = (count + 3) / 4;
    struct variant *variant =
        new_row(table, "work_distribution_four", count, items, step_group(step, GROUP));
    variant->name = step_text(step, "%zu, 4 chains each", items);
}

/* Few groups fit on a unit at a time, because each takes much local memory. */
static void add_reserving(struct table *table, size_t n) {
    struct step *step = table->step;
    struct variant *variant =
        new_row(table, "work_distribution_reserving", n, n, step_group(step, GROUP));
    variant->reserved = RESERVED_KIB * 1024;
    variant->name = step_text(step, "%d KiB reserved", RESERVED_KIB);
}

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

/* The chains of one row, and the buffer for their ends. */
struct job {
    const struct chains *chains;
    size_t count;
    cl_mem end_buffer;
};

/* Launches over ends that are NaN, and after the timed launches over ends that are
 * numbers, but wrong ones. */
static bool is_right(const struct entry *entry, bool again) {
    const struct job *job = entry->of;
    const struct chains *chains = job->chains;
    struct device *device = &chains->step->device;
    const size_t bytes = job->count * sizeof(float);
    if (again)
        buffer_write(device, job->end_buffer, chains->start, bytes);
    else
        buffer_poison(device, job->end_buffer);
    launch_ms(device, &entry->launch);
    buffer_read(device, job->end_buffer, chains->end, bytes);

    const bool one_each = entry->launch.global[0] >= job->count;
    for (size_t i = 0; i < job->count; i++) {
        const float expected = expected_end(chains, i);
        if (chains->end[i] != expected)
            return wrong_at(one_each ? element_of_item("end", i, &entry->launch)
                                     : element("end", i),
                            (double)chains->end[i], (double)expected);
    }
    return true;
}

static struct entry make_entry(const struct chains *chains,
                               const struct variant *variant) {
    struct step *step = chains->step;
    struct device *device = &step->device;
    const cl_uint n = (cl_uint)variant->count;
    cl_mem start_buffer = buffer_from(device, chains->start, n * sizeof(float));
    struct job *job = step_array(step, 1, sizeof *job);
    *job = (struct job){.chains = chains, .count = n};
    job->end_buffer = buffer_new(device, n * sizeof(float));

    const struct arg args[] = {ARG(start_buffer), ARG(job->end_buffer), ARG(n),
                               ARG(chains->rounds), LOCAL(variant->reserved)};
    const size_t arg_count = variant->reserved > 0 ? COUNT(args) : COUNT(args) - 1;
    struct entry entry = {.row.variant = variant->name, .row.size = n, .of = job};
    entry.launch = step_launch(step, variant->kernel, variant->items, variant->group,
                               args, arg_count);
    entry.row.flops = 2.0 * STEPS * chains->rounds * n;
    entry.row.limit = step->report.limits.fma;
    return entry;
}

/* Times all rows.  The rows of units say how many times faster they are than one unit;
 * returns how many times faster all units are. */
static struct ratio time_rows(struct contest *contest, const struct table *table) {
    const struct row *one_unit = NULL;
    struct ratio faster = {0};
    for (size_t v = 0; v < table->count; v++) {
        const size_t units = table->variants[v].units;
        struct row *row = &contest->entries[v].row;
        contest_time_alone(contest, v);
        if (units == 1)
            one_unit = row;
        if (units > 0) {
            faster = ratio_of_rows(row, one_unit);
            row->note =
                step_text(table->step, "%.3gx, ideal %zu", faster.median, units);
        }
        contest_print(contest, v);
    }
    return faster;
}

/* What Little's law asks for, and what the rows of more and more work-items say. */
static void say_what_is_enough(struct report *report, const struct contest *contest,
                               size_t count) {
    struct row rows[MAX_NUMBERS];
    for (size_t i = 0; i < count; i++)
        rows[i] = contest->entries[i].row;
    const double limit = report->limits.fma, one = row_rate(&rows[0]);
    const int enough = row_that_is_enough(rows, (int)count);
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

    /* Chains whose ends are known, and who follows how many of them. */
    const size_t n = step_size(&step, &sizes, 2, sizeof(float));
    const struct chains chains = make_chains(&step, n);
    struct table table = {.step = &step};
    add_items(&table, n);
    const size_t rows_of_items = table.count;
    add_units(&table, n);
    add_four_each(&table, n);
    add_reserving(&table, n);

    /* The lesson: how many chains in flight does a device need, and where? */
    struct contest contest = contest_begin(&step, is_right);
    for (size_t v = 0; v < table.count; v++)
        contest_add(&contest, make_entry(&chains, &table.variants[v]));
    const struct ratio ratio = time_rows(&contest, &table);

    /* The result. */
    report_headline(&step.report, "all compute units, not one", ratio,
                    "A core runs one work-item after another: only chains of the same "
                    "one overlap.");
    say_what_is_enough(&step.report, &contest, rows_of_items);
    return step_close(&step);
}
