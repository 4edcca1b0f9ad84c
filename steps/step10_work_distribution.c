/* Step 10: enough work-items, small enough groups
 *
 * In step 09 too many work-items met at one cell.  Here nobody meets anybody, and still
 * a device may be half idle: because work-items are too few, because their groups are
 * too large, because one group is left over, or because items run out on the way.
 *
 * Read with  kernels/step10_work_distribution.cl, docs/step10_work_distribution.md
 * Try        --size 512: which group sizes leave units idle now, and why?
 * Lens       --size 1024
 * Races      --size 1003
 */
#include "buffer.h"
#include "check.h"
#include "compare.h"
#include "data.h"
#include "poison.h"
#include "report.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { ITEMS = 1 << 20, ON_CPU = 1 << 11, FULL_ON_CPU = 1 << 13, REPEATS_ON_CPU = 5 };
enum { STARTS = 31, STEPS = 64 };               /* of chains, as in the kernels */
enum { ROUNDS = 8192, ON_CPU_ROUNDS = 1024 };   /* that take a moment */
enum { NEIGHBOURS = 64, RARE = 16, DEAR = 8 };  /* uneven work: see set_rounds() */
enum { COLUMNS = 50, UNITS = 4096, DRAWN = 8 }; /* of a picture */
enum { GROUP = 256, EACH = 16, NUMBERS_EACH = 256, NUMBERS = 1 << 26 }; /* of a sum */

/* When and where a work-item ran, by a clock that the kernel reads; all 0 where kernels
 * have none. */
struct span {
    cl_ulong start, unit, end, unit_again; /* ulong4 in the kernel */
};

/* What stays the same from row to row. */
struct study {
    struct device *device;
    struct report *report;
    cl_kernel kernel, told;
    cl_mem rounds_buffer, out_buffer, told_buffer;
    struct span *spans; /* what was told there */
    cl_uint *rounds, most_rounds;
    float *out, *ends;   /* ends[start][rounds] */
    size_t items, room;  /* work-items at most, and elements of the buffers */
    size_t width, group; /* work-items of a SIMD group, and of the largest group */
    size_t knee;         /* as few work-items as are enough */
    double alone;        /* GFLOP/s of one */
    size_t most_numbers; /* of a sum */
    int repeats;
};

static size_t smaller(size_t a, size_t b) {
    return a < b ? a : b;
}

static size_t larger(size_t a, size_t b) {
    return a > b ? a : b;
}

/* Where a chain is after 0, 1, 2 ... rounds, from each start. */
static float *ends_on_host(void) {
    float *ends = allocate(STARTS * (ROUNDS + 1), sizeof *ends), *end = ends;
    for (int start = 0; start < STARTS; start++) {
        float x = 0.03125f * (float)(1 + start);
        for (int round = 0; round <= ROUNDS; round++) {
            *end++ = x;
            for (int i = 0; i < STEPS; i++)
                x = fmaf(x, x, -1.94f);
        }
    }
    return ends;
}

/* Most work-items have `cheap` rounds, one in RARE has `dear`.  Neighbours have as
 * many, like pixels of one thing in a picture. */
static void set_rounds(struct study *study, size_t cheap, size_t dear) {
    /* 393: unless told otherwise, even a few hundred items are a good mix. */
    cl_uint state = study->report->options->seed + 393;
    for (size_t i = 0; i < study->room; i++) {
        if (i % NEIGHBOURS == 0)
            random_next(&state);
        study->rounds[i] = (cl_uint)((state >> 16) % RARE == 0 ? dear : cheap);
    }
    buffer_write(study->device, study->rounds_buffer, study->rounds,
                 study->room * sizeof *study->rounds);
}

/* Did every item tell, and does time pass? */
static bool is_told(struct study *study) {
    const size_t bytes = study->items * sizeof *study->spans;
    buffer_read(study->device, study->told_buffer, study->spans, bytes);
    bool passes = study->spans[0].start == 0;
    for (size_t i = 0; i < study->items; i++) {
        const struct span *span = &study->spans[i];
        if (span->start > span->end || (cl_uint)span->unit == POISON)
            return false;
        passes = passes || span->start < span->end;
    }
    return passes;
}

/* Has each of n work-items written what it should, and nobody else anything? */
static bool is_left_right(struct study *study, struct launch launch, size_t n) {
    const size_t bytes = study->room * sizeof *study->out;
    buffer_read(study->device, study->out_buffer, study->out, bytes);
    for (size_t i = 0; i < study->room; i++) {
        const float end = study->ends[i % STARTS * (ROUNDS + 1) + study->rounds[i]];
        if (i < n ? study->out[i] != end : !isnan(study->out[i]))
            return wrong_at(element_of_item("out", i, &launch), (double)study->out[i],
                            i < n ? (double)end : (double)NAN);
    }
    return launch.kernel != study->told || is_told(study) ||
           wrong("a work-item did not tell where it ran, or its time runs backwards");
}

static bool is_right(struct study *study, struct launch launch, size_t n) {
    buffer_poison(study->device, study->out_buffer);
    launch_ms(study->device, &launch);
    return is_left_right(study, launch, n);
}

static struct launch launch_for(const struct study *study, cl_kernel kernel, size_t n,
                                size_t group) {
    const cl_uint count = (cl_uint)n;
    kernel_args(kernel, ARG(study->rounds_buffer), ARG(study->out_buffer), ARG(count));
    return launch_1d(kernel, (n + group - 1) / group * group, group);
}

static struct row row_for(const struct study *study, const char *variant, size_t n) {
    struct row row = {.variant = variant, .size = n};
    for (size_t i = 0; i < n; i++)
        row.flops += study->rounds[i] * STEPS * 2.0;
    row.limit = study->report->limits.fma;
    return row;
}

/* GFLOP/s: the median, and the quartiles. */
struct rate {
    double median, lower, upper;
    int repeats;
};

/* A row for n work-items in groups of that size; returns its rate. */
static struct rate row(struct study *study, cl_kernel kernel, const char *variant,
                       size_t n, size_t group) {
    const struct launch launch = launch_for(study, kernel, n, group);
    struct row row = row_for(study, variant, n);
    row.right = is_right(study, launch, n);
    row.time = time_launches(study->device, launch, study->repeats);
    row.right = row.right && right_again(is_left_right(study, launch, n));
    report_row(study->report, row);
    const double gflop = row.flops * 1e-6;
    return (struct rate){gflop / row.time.median_ms, gflop / row.time.upper_ms,
                         gflop / row.time.lower_ms, row.time.repeats};
}

static int best_of(const struct rate *rates, int count) {
    int best = 0;
    for (int i = 1; i < count; i++)
        best = rates[i].median > rates[best].median ? i : best;
    return best;
}

/* The first of several rates that reaches 95 % of the best. */
static int first_good(const struct rate *rates, int count) {
    const double wanted = 0.95 * rates[best_of(rates, count)].median;
    int first = 0;
    while (rates[first].median < wanted)
        first++;
    return first;
}

/* Is the best of several rates higher than another one by more than the noise? */
static bool best_exceeds(const struct rate *rates, int count, int other) {
    const struct rate best = rates[best_of(rates, count)], less = rates[other];
    return told_apart((struct ratio){
        best.median / less.median, best.lower / less.upper, best.upper / less.lower,
        less.repeats < best.repeats ? less.repeats : best.repeats});
}

/* Two predictions: a rule of thumb; and that the limit is reached when as many items
 * are under way as it is higher than the rate of one alone (Little's law). */
static void predict(const struct study *study) {
    const cl_uint units = study->device->units;
    const double limit = study->report->limits.fma;
    report_say(study->report,
               "WWDC22: 1024 to 2048 items for each core of a GPU\n"
               "  cores   8    16    32    64    units here  %u\n"
               "  from   8K   16K   32K   64K                %uK\n"
               "  to    16K   32K   64K  128K                %uK",
               units, units, 2 * units);
    if (limit > 0.0)
        report_say(
            study->report,
            "Little's law: %.5g GFLOP/s at most / %.3g by one item = %.0f items%s",
            limit, study->alone, limit / study->alone,
            study->device->is_cpu ? "\n(if a core had many under way at a time)" : "");
}

/* Part 1: more and more work-items, in the smallest groups. */
static void enough_items(struct study *study) {
    size_t sizes[64], n = 0;
    struct rate rates[64];
    int count = 0;
    set_rounds(study, study->most_rounds, study->most_rounds);
    for (; n < study->items; count++) {
        char variant[40];
        n = count == 0 ? 1 : smaller(larger(study->width, 2 * n), study->items);
        snprintf(variant, sizeof variant, "%zu item%s", n, n == 1 ? "" : "s");
        sizes[count] = n;
        rates[count] = row(study, study->kernel, variant, n, study->width);
        if (count == 0) {
            study->alone = rates[0].median;
            predict(study);
        }
    }
    const int knee = first_good(rates, count);
    study->knee = sizes[knee];
    if (knee > 0 && best_exceeds(rates, count, knee - 1))
        report_say(
            study->report,
            "Enough: %zu, the fewest that reach 95 %% of the best; %.0f per unit",
            study->knee, ceil((double)study->knee / study->device->units));
    else
        report_say(study->report, "Enough: these rates do not tell, or too few "
                                  "launches were timed.");
}

/* What all work-items told. */
struct told {
    size_t group;
    struct span *spans;
    cl_ulong first, last;
};

static struct told tell(struct study *study, size_t group) {
    const size_t n = study->items, bytes = n * sizeof(struct span);
    struct told told = {.group = group, .spans = allocate(n, sizeof(struct span))};
    study->told_buffer = buffer_new(study->device, bytes);
    study->spans = told.spans;
    CHECK(clSetKernelArg(study->told, 3, sizeof(cl_mem), &study->told_buffer));
    char variant[40];
    snprintf(variant, sizeof variant, "told, groups of %zu", group);
    row(study, study->told, variant, n, group);
    buffer_read(study->device, study->told_buffer, told.spans, bytes);
    told.first = told.last = told.spans[0].start;
    for (size_t i = 0; i < n; i++) {
        told.first = smaller(told.first, told.spans[i].start);
        told.last = larger(told.last, larger(told.spans[i].start, told.spans[i].end));
    }
    return told;
}

/* A line for each unit, a digit for each `column` ticks: how many items were under way,
 * in tenths of `enough`. */
static void draw(const struct study *study, struct told told, double column,
                 double enough) {
    double(*load)[COLUMNS] = allocate(UNITS, sizeof *load), all = 0.0;
    const double columns = (double)(told.last - told.first) / column;
    for (size_t i = 0; i < study->items; i++) {
        const struct span *span = &told.spans[i];
        const double start = (double)(span->start - told.first) / column;
        const double end = (double)(span->end - told.first) / column;
        for (int c = (int)start; c < end && c < COLUMNS; c++)
            load[span->unit % UNITS][c] += fmin(end, c + 1) - fmax(start, c);
    }
    report_say(study->report, "Groups of %zu:", told.group);
    for (int unit = 0, drawn = 0; unit < UNITS; unit++) {
        char line[COLUMNS + 1] = "";
        double own = 0.0;
        for (int c = 0; c < COLUMNS && c < columns; c++) {
            const double busy = fmin(load[unit][c] / enough, 1.0);
            line[c] = busy > 0.0 ? (char)('0' + (int)fmin(10.0 * busy, 9.0)) : '.';
            own += busy;
        }
        if (own > 0.0 && drawn++ < DRAWN)
            report_say(study->report, "  unit %-4d %-*s  busy %3.0f %%", unit, COLUMNS,
                       line, 100.0 * own / columns);
        all += own;
    }
    report_say(study->report, "  all %-4u %*s  busy %3.0f %%", study->device->units,
               COLUMNS, "", 100.0 * all / columns / study->device->units);
    free(load);
}

/* The smallest and the largest groups, on the same scale. */
static void draw_both(struct study *study, size_t small, size_t large) {
    struct told told[2] = {tell(study, small)};
    double ticks = (double)(told[0].last - told[0].first);
    if (large > small) {
        told[1] = tell(study, large);
        ticks = fmax(ticks, (double)(told[1].last - told[1].first));
    }
    const double limit = study->report->limits.fma;
    const double items = limit > 0.0 ? limit / study->alone : (double)study->knee;
    /* A CPU's unit runs one item after another. */
    const double enough = study->device->is_cpu ? 1.0 : items / study->device->units;
    report_say(study->report,
               ticks > 0.0
                   ? "Items under way over time: 9 keeps a unit busy, 4 half of "
                     "it, . is none."
                   : "Kernels have no clock here: no picture of busy units.");
    for (int i = 0; i < 2; i++) {
        if (told[i].last > told[i].first)
            draw(study, told[i], ticks / COLUMNS, enough);
        free(told[i].spans);
    }
}

/* Part 2: uneven work, in larger and larger groups. */
static void small_groups(struct study *study) {
    struct rate rates[64];
    int count = 0;
    size_t group = study->width;
    const size_t cheap = larger(study->most_rounds / DEAR, 1);
    set_rounds(study, cheap, study->most_rounds);
    report_say(study->report, "\nUneven work: one of %d items takes %zu times as long.",
               RARE, study->most_rounds / cheap);
    do {
        char variant[40];
        snprintf(variant, sizeof variant, "uneven, groups of %zu", group);
        rates[count++] = row(study, study->kernel, variant, study->items, group);
        group *= 2;
    } while (group <= study->group && group / 2 < study->items);
    const int least = first_good(rates, count);
    if (least == 0 ? study->repeats != 1 : best_exceeds(rates, count, least - 1))
        report_say(study->report,
                   "Small enough: groups of %zu, the least multiple of the SIMD width "
                   "(%zu)\nthat reaches 95 %% of the best.",
                   study->width << least, study->width);
    else
        report_say(study->report, "Small enough: these rates do not tell, or too few "
                                  "launches were timed.");
    draw_both(study, study->width, group / 2);
}

/* Part 3: one group for each unit, or two, or three; and one more. */
static void one_too_many(struct study *study) {
    const cl_uint units = study->device->units;
    const size_t fair = study->items / (4 * units) / study->width * study->width;
    const size_t group = smaller(larger(fair, study->width), study->group);
    const size_t rounds = larger(study->most_rounds / 4, 1);
    set_rounds(study, rounds, rounds);
    report_say(study->report, "\nEven work, in groups of %zu:", group);
    for (cl_uint each = 1; each <= 3; each++) {
        struct launch launches[2];
        struct row rows[2];
        struct timing times[2];
        char variants[2][40];
        for (cl_uint more = 0; more < 2; more++) {
            const size_t n = (each * units + more) * group;
            snprintf(variants[more], sizeof variants[more], "%u x %u%s groups", each,
                     units, more ? " + 1" : "");
            launches[more] = launch_for(study, study->kernel, study->room, group);
            launches[more].global[0] = n;
            rows[more] = row_for(study, variants[more], n);
            rows[more].right = is_right(study, launches[more], n);
        }
        const struct ratio ratio =
            time_pair(study->device, launches[0], launches[1], study->repeats, times);
        /* The second launch writes over all that the first one left. */
        rows[1].right =
            rows[1].right &&
            right_again(is_left_right(study, launches[1], launches[1].global[0]));
        for (int i = 0; i < 2; i++) {
            rows[i].time = times[i];
            report_row(study->report, rows[i]);
        }
        if (each == 1) /* the story needs one of them */
            report_headline(study->report, "N groups on N units against N + 1", ratio);
        report_say(study->report,
                   "%28s %u groups on each unit against one group more: %s;\n"
                   "%28s by count %u/%u = %.2f",
                   "", each, in_words(ratio).text, "", each + 1, each,
                   (each + 1.0) / each);
    }
}

/* A row for the sum of n numbers by these launches. `cells` are what the kernels' file
 * draws; in the end the sum must be in cell 1. */
static struct row sum_row(struct study *study, const char *variant, size_t n,
                          const cl_int *cells, cl_mem buffer, struct launch launch) {
    cl_int left[2], sum = 0;
    for (size_t i = n; i < 2 * n; i++)
        sum += cells[i];
    buffer_write(study->device, buffer, cells, 2 * n * sizeof *cells);
    launch_ms(study->device, &launch);
    buffer_read(study->device, buffer, left, sizeof left);
    struct row row = {.variant = variant,
                      .size = n,
                      .bytes = (double)n * sizeof *cells,
                      .limit = study->report->limits.read,
                      .right = equal_sum(left[1], sum)};
    row.time = time_launches(study->device, launch, study->repeats);
    buffer_read(study->device, buffer, left, sizeof left);
    row.right = row.right && right_again(equal_sum(left[1], sum));
    return row;
}

/* Part 4: a sum, with fewer work-items in every launch. */
static void items_run_out(struct study *study) {
    size_t n = 2, group = 2;
    while (2 * n <= smaller(study->items * NUMBERS_EACH, study->most_numbers))
        n *= 2;
    while (2 * group <= smaller(study->group, GROUP))
        group *= 2;
    struct device *device = study->device;
    const struct options *options = study->report->options;
    cl_int *cells = allocate(2 * n, sizeof *cells);
    cl_uint state = options->seed + 10;
    for (size_t i = 0; i < n; i++) {
        cells[i] = INT_MAX; /* nobody's sum yet */
        cells[n + i] = (cl_int)(random_next(&state) >> 18 | 1) - (1 << 13);
    }
    cl_mem buffer = buffer_from(device, cells, 2 * n * sizeof *cells);
    cl_kernel halve = kernel_load(device, options, "halve");
    kernel_args(halve, ARG(buffer));

    struct launch halving[32], by_group[32];
    int count = 0, enough = 0, groups = 0;
    for (size_t items = n / 2; items > 0; items /= 2, count++) {
        halving[count] = launch_1d(halve, items, smaller(items, group));
        halving[count].then = items > 1 ? &halving[count + 1] : NULL;
        enough += items >= study->knee;
    }
    for (size_t left = n; left > 1; groups++) {
        const cl_uint each = left < group * EACH ? 1 : EACH;
        const size_t items = left / each, local = smaller(items, group);
        cl_kernel sum_groups = kernel_load(device, options, "sum_groups");
        kernel_args(sum_groups, ARG(buffer), ARG(each), LOCAL(local * sizeof *cells));
        by_group[groups] = launch_1d(sum_groups, items, local);
        left = items / local;
        by_group[groups].then = left > 1 ? &by_group[groups + 1] : NULL;
    }

    char variant[40];
    snprintf(variant, sizeof variant, "by %zu each", group * EACH);
    report_say(study->report, "\nThe sum of %zu numbers, in %d launches or in %d:", n,
               count, groups);
    report_row(study->report, sum_row(study, "halving", n, cells, buffer, halving[0]));
    report_row(study->report, sum_row(study, variant, n, cells, buffer, by_group[0]));
    if (enough > 0 && enough < count) {
        struct timing times[2];
        const struct ratio share =
            time_pair(device, halving[0], halving[enough], study->repeats, times);
        report_say(study->report,
                   "%28s halving: %d launches have fewer than %zu items,\n"
                   "%28s and take %.0f %% of the time (%.0f to %.0f)",
                   "", count - enough, study->knee, "", 100.0 * share.median,
                   100.0 * share.lower, 100.0 * share.upper);
    }
    free(cells);
}

static size_t about(cl_kernel kernel, const struct device *device,
                    cl_kernel_work_group_info which) {
    size_t value;
    CHECK(clGetKernelWorkGroupInfo(kernel, device->id, which, sizeof value, &value,
                                   NULL));
    return value;
}

/* As many work-items as told, or as take a moment; more get shorter chains. */
static struct study study_start(struct report *report, struct device *device) {
    const struct options *options = report->options;
    const size_t usual = !device->is_cpu ? ITEMS : options->full ? FULL_ON_CPU : ON_CPU;
    struct study study = {.device = device, .report = report};
    study.items = options->size_given ? options->size : usual;
    device_check_size(device, study.items, 2, sizeof(struct span));
    study.most_numbers =
        smaller(device_capacity(device, 1, 2 * sizeof(cl_int)), NUMBERS);
    const size_t rounds = device->is_cpu ? ON_CPU_ROUNDS : ROUNDS;
    study.most_rounds = (cl_uint)larger(rounds * usual / larger(study.items, usual), 1);
    study.repeats = options->repeats;
    if (options->repeats == 0 && device->is_cpu && !options->full)
        study.repeats = REPEATS_ON_CPU;

    study.kernel = kernel_load(device, options, "work_distribution");
    study.told = kernel_load(device, options, "work_distribution_told");
    study.width =
        about(study.kernel, device, CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE);
    /* NVIDIA's driver says 256 of any kernel, and takes what the device allows. */
    study.group = device->compute_capability
                      ? device->max_group
                      : about(study.told, device, CL_KERNEL_WORK_GROUP_SIZE);
    /* Behind the last item, too, a kernel that looks there finds ordinary rounds. */
    study.room =
        larger(study.items, (3 * device->units + 1) * study.width) + study.group;
    study.rounds = allocate(study.room, sizeof *study.rounds);
    study.out = allocate(study.room, sizeof *study.out);
    study.ends = ends_on_host();
    study.rounds_buffer = buffer_new(device, study.room * sizeof *study.rounds);
    study.out_buffer = buffer_new(device, study.room * sizeof *study.out);
    return study;
}

int main(int argc, char **argv) {
    struct options options =
        options_read(argc, argv, "step10_work_distribution", ON_CPU);
    struct device device = device_open(options.device);
    struct report report = report_start(&options, &device);
    struct study study = study_start(&report, &device);

    /* The lesson: four ways to leave a device idle. */
    enough_items(&study);
    small_groups(&study);
    one_too_many(&study);
    items_run_out(&study);

    device_close(&device);
    free(study.ends);
    free(study.out);
    free(study.rounds);
    return report_end(&report);
}
