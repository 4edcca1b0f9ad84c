/* Step 10: how many work-items are enough
 *
 * Since step 04 more work-items have kept more loads in flight.  Arithmetic has a
 * latency, too: here each work-item has a chain of multiply-adds, each of which needs
 * the one before.  How many chains does a device need, and on how many compute units?
 *
 * Read with  kernels/step10_work_distribution.cl, docs/step10_work_distribution.md
 * Try        --all: where exactly does the rate stop growing?
 * Lens       --size 2048 work_distribution work_distribution_four
 * Races      --size 1003
 * Story      busy_lanes work_distribution@n=2048 work_distribution@n=1
 */
#include "step.h"

#include <math.h>
#include <stdio.h>

enum { GROUP = 32, STEPS = 64, ROUNDS = 8192, ROUNDS_ON_CPU = 640 };
enum { FACTOR = 16, FOUR_EACH = 16384, MAX_ROWS = 34, REPEATS_ON_CPU = 5 };

static const struct sizes sizes = {.cpu = 1 << 11, .cpu_full = 1 << 13, .gpu = 1 << 19};

/* A row: n chains for so many work-items, in groups that reserve KiB of local memory.
 */
struct variant {
    const char *kernel, *name; /* behind the number with which the name begins */
    size_t number, n, items, group, kib;
};

struct chains {
    const float *start;
    cl_uint rounds;      /* of 64 steps */
    float *end, ends[4]; /* by the device; by the host, for each magnitude of a start */
};

/* How many rounds depends on the seed, so that no kernel can know it; with more chains
 * than usual, each is shorter. */
static struct chains make_chains(struct step *step, size_t n) {
    const size_t usual = step->device.is_cpu ? sizes.cpu : sizes.gpu,
                 rounds = step->device.is_cpu ? ROUNDS_ON_CPU : ROUNDS;
    cl_uint state = step->options.seed, more = 1 + (random_next(&state) >> 28);
    struct chains chains = {.start = step_numbers(step, n, 1),
                            .rounds =
                                (cl_uint)(n > usual ? rounds * usual / n : rounds),
                            .end = step_array(step, n, sizeof(float)),
                            .ends = {0.25f, 0.75f, 1.25f, 1.75f}};
    chains.rounds += more;
    for (cl_uint i = 0; i < 4 * STEPS * chains.rounds; i++)
        chains.ends[i % 4] = fmaf(chains.ends[i % 4], chains.ends[i % 4], -1.94f);
    return chains;
}

static bool is_right(struct device *device, const struct launch *launch,
                     const struct chains *chains, cl_mem end_buffer, size_t n) {
    launch_ms(device, launch);
    buffer_read(device, end_buffer, chains->end, n * sizeof(float));
    for (size_t i = 0; i < n; i++) {
        const float end = chains->ends[(int)(2.0f * fabsf(chains->start[i]))];
        if (chains->end[i] != end)
            return wrong_at(launch->global[0] < n ? element("end", i)
                                                  : element_of_item("end", i, launch),
                            (double)chains->end[i], (double)end);
    }
    return true;
}

/* Its note says how many times faster than `one` it is, unless that is NULL. */
static struct row measure(struct step *step, const struct chains *chains,
                          struct variant variant, const struct row *one) {
    struct device *device = &step->device;
    const cl_uint n = (cl_uint)variant.n;
    cl_mem start_buffer = buffer_from(device, chains->start, n * sizeof(float));
    cl_mem end_buffer = buffer_new(device, n * sizeof(float));
    const struct launch launch =
        LAUNCH(step, variant.kernel, variant.items, variant.group, ARG(start_buffer),
               ARG(end_buffer), ARG(n), ARG(chains->rounds),
               LOCAL(variant.kib ? variant.kib * 1024 : 1));
    const bool right = is_right(device, &launch, chains, end_buffer, n);
    char name[32], note[32];
    snprintf(name, sizeof name, "%zu%s", variant.number, variant.name);
    struct row row = step_time(step, name, &launch, n, 0, step->report.limits.fma);
    row.flops = 2.0 * STEPS * chains->rounds * n;
    if (one) {
        const double faster = ratio_of_rows(&row, one->size ? one : &row).median;
        snprintf(note, sizeof note, "%.3gx, ideal %zu", faster, variant.number);
        row.note = note;
    }
    /* Once more, where the kernel finds numbers instead of NaN. */
    buffer_write(device, end_buffer, chains->start, n * sizeof(float));
    row.right = right && right_again(is_right(device, &launch, chains, end_buffer, n));
    report_row(&step->report, row);
    return row;
}

/* The same chains on some of the compute units.  A device that cannot be divided gives
 * each unit one group before any gets two, so n of the largest groups take n units. */
static struct ratio compare_units(struct step *step, const struct chains *chains,
                                  struct variant variant) {
    const size_t all = step->device.units, counts[] = {1, all / 4, all / 2, all};
    const bool divide = step->device.max_parts > 1;
    struct row one = {0}, row = {0};
    char name[32];
    snprintf(name, sizeof name, " of %zu units", all);
    variant.name = name;
    variant.number = 0;
    if (!divide) {
        variant.group = step->device.max_group;
        variant.n = variant.n < all * variant.group ? variant.n : all * variant.group;
    }
    struct step parts[COUNT(counts)]; /* each has a device of its own */
    int opened = 0;
    for (size_t i = 0; i < COUNT(counts); i++) {
        struct step *part = step;
        if (counts[i] <= variant.number)
            continue;
        if (divide && counts[i] < all) {
            part = &parts[opened++];
            *part = *step;
            part->device = device_part(&step->device, (cl_uint)counts[i]);
        }
        variant.number = counts[i];
        variant.items = divide ? (variant.n + 1) / 2 : counts[i] * variant.group;
        row = measure(part, chains, variant, &one);
        step->report = part->report; /* is a row wrong? */
        one = one.size ? one : row;
    }
    /* Only now: PoCL 3.1 still uses a part for a moment after its last launch. */
    while (opened > 0)
        device_close(&parts[--opened].device);
    return ratio_of_rows(&row, &one);
}

int main(int argc, char **argv) {
    struct step step;
    step_open(&step, argc, argv, "step10_work_distribution");
    if (step.device.is_cpu && step.options.repeats == 0)
        step.options.repeats = REPEATS_ON_CPU;
    const size_t n = step_size(&step, &sizes, 2, sizeof(float));
    const struct chains chains = make_chains(&step, n);
    struct report *report = &step.report;

    /* The lesson: more and more work-items, with a chain each ... */
    struct variant variant = {.kernel = "work_distribution",
                              .group = step_group(&step, GROUP)};
    struct row rows[MAX_ROWS];
    int count = 0;
    for (size_t items = 1; variant.n < n; items *= step.options.all ? 2 : FACTOR) {
        variant.number = variant.n = variant.items = items < n ? items : n;
        variant.name = items > 1 ? " work-items" : " work-item";
        rows[count++] = measure(&step, &chains, variant, NULL);
    }

    /* ... fewer with four chains each, less room for groups, and fewer units. */
    struct variant four = variant, reserved = variant;
    four.kernel = "work_distribution_four";
    four.name = ", 4 chains each";
    four.n = n < FOUR_EACH ? n : FOUR_EACH;
    four.number = four.items = (four.n + 3) / 4;
    measure(&step, &chains, four, NULL);
    reserved.name = " KiB reserved";
    for (size_t kib = 32; kib >= (step.options.all ? 4 : 32); kib /= 2) {
        reserved.number = reserved.kib = kib;
        measure(&step, &chains, reserved, NULL);
    }
    const struct ratio ratio = compare_units(&step, &chains, variant);

    /* The result: what Little's law asks for, and what the rows say. */
    const double limit = report->limits.fma, one = row_rate(&rows[0]);
    const int enough = row_that_is_enough(rows, count);
    report_headline(report, "all compute units against one", ratio);
    if (limit > 0.0)
        report_say(
            report,
            "Little's law: %.5g GFLOP/s / %.3g = %.0f chains in flight, %.0f a unit",
            limit, one, limit / one, limit / one / step.device.units);
    if (enough >= 0)
        report_say(report, "Enough: %zu, within 5 %% of the best", rows[enough].size);
    else
        report_say(report, "Enough: no verdict, these rates are not told apart");
    if (step.device.is_cpu)
        report_say(report,
                   "A CPU core runs one work-item after another, so only chains "
                   "of the same one overlap.");
    return step_close(&step);
}
