/* Step 10: how many work-items are enough
 *
 * Since step 04 more work-items have kept more loads in flight.  Arithmetic has a
 * latency, too: here each work-item has a chain of multiply-adds, each of which needs
 * the one before.  How many chains does a device need, and on how many compute units?
 *
 * Read with  kernels/step10_work_distribution.cl, docs/step10_work_distribution.md
 * Try        --all: where exactly does the rate stop growing?
 * Lens       --size 2048 work_distribution work_distribution_four
 * Races      LOCKSTEP_MAX_GROUP=100 --size 1003 --all
 * Story      busy_lanes work_distribution@n=2048 work_distribution@n=1
 */
#include "step.h"

#include <math.h>
#include <stdio.h>

enum { GROUP = 32, LARGE_GROUP = 1024, FACTOR = 16, FOUR_EACH = 16384, MAX_ROWS = 34 };
enum { STEPS = 64, ROUNDS = 4096, CPU_ROUNDS = 1 << 20 /* of all chains */ };

static const struct sizes sizes = {.cpu = 1 << 11, .cpu_full = 1 << 13, .gpu = 1 << 19};

/* A row: work-items follow n chains; a group reserves one byte more than `reserved`. */
struct variant {
    char name[32];
    const char *kernel;
    size_t n, items, group, reserved;
    const float *start;
    float *end, ends[4]; /* by the device; by the host, for each magnitude of a start */
    cl_uint rounds;
};

/* How many rounds of 64 steps depends on the seed, so that no kernel can know it.  On a
 * CPU, and for few chains, they are fewer, the more chains there are. */
static struct variant make_chains(struct step *step, size_t n) {
    cl_uint state = step->options.seed, more = 1 + (random_next(&state) >> 28);
    const bool many = n > sizes.cpu && !step->device.is_cpu;
    const size_t rounds = many ? ROUNDS : CPU_ROUNDS / (n + sizes.cpu);
    struct variant chains = {.kernel = "work_distribution",
                             .group = step_group(step, GROUP),
                             .start = step_numbers(step, n, 1),
                             .end = step_array(step, n, sizeof(float)),
                             .ends = {0.25f, 0.75f, 1.25f, 1.75f},
                             .rounds = (cl_uint)rounds + more};
    for (cl_uint i = 0; i < 4 * STEPS * chains.rounds; i++)
        chains.ends[i % 4] = fmaf(chains.ends[i % 4], chains.ends[i % 4], -1.94f);
    return chains;
}

static bool is_right(struct device *device, const struct launch *launch,
                     const struct variant *variant, cl_mem end_buffer) {
    launch_ms(device, launch);
    buffer_read(device, end_buffer, variant->end, variant->n * sizeof(float));
    for (size_t i = 0; i < variant->n; i++) {
        const float end = variant->ends[(int)(2.0f * fabsf(variant->start[i]))];
        if (variant->end[i] != end)
            return wrong_at(launch->global[0] < variant->n
                                ? element("end", i)
                                : element_of_item("end", i, launch),
                            (double)variant->end[i], (double)end);
    }
    return true;
}

static struct row measure(struct step *step, const struct variant *variant) {
    struct device *device = &step->device;
    const cl_uint n = (cl_uint)variant->n;
    cl_mem start_buffer = buffer_from(device, variant->start, n * sizeof(float));
    cl_mem end_buffer = buffer_new(device, n * sizeof(float));
    const struct launch launch = LAUNCH(
        step, variant->kernel, variant->items, variant->group, ARG(start_buffer),
        ARG(end_buffer), ARG(n), ARG(variant->rounds), LOCAL(1 + variant->reserved));
    const bool right = is_right(device, &launch, variant, end_buffer);
    struct row row =
        step_time(step, variant->name, &launch, n, 0, step->report.limits.fma);
    row.flops = 2.0 * STEPS * variant->rounds * n;
    /* Once more, where the kernel finds numbers instead of NaN. */
    buffer_write(device, end_buffer, variant->start, n * sizeof(float));
    row.right = right && right_again(is_right(device, &launch, variant, end_buffer));
    return row;
}

/* On 1, 4, 16 ... units: a group stays on its unit, so n groups use n units at most. */
static struct ratio compare_units(struct step *step, struct variant variant) {
    const size_t all = step->device.units;
    variant.group = step_group(step, step->device.is_cpu ? GROUP : LARGE_GROUP);
    const size_t most = 2 * all * variant.group;
    variant.n = variant.n < most ? variant.n : most;
    struct row row, one;
    for (size_t units = 1, taken = 0; taken < all; units *= 4) {
        taken = units < all ? units : all;
        variant.items = taken * variant.group;
        snprintf(variant.name, sizeof variant.name, "%zu of %zu units", taken, all);
        row = measure(step, &variant);
        one = taken > 1 ? one : row;
        char note[48];
        snprintf(note, sizeof note, "%.3gx, ideal %zu",
                 ratio_of_rows(&row, &one).median, taken);
        row.note = note;
        report_row(&step->report, row);
    }
    return ratio_of_rows(&row, &one);
}

int main(int argc, char **argv) {
    struct step step;
    step_open(&step, argc, argv, &(struct usage){.step = "step10_work_distribution"});
    const size_t n = step_size(&step, &sizes, 2, sizeof(float));
    struct variant variant = make_chains(&step, n);
    struct report *report = &step.report;

    /* The lesson: more and more work-items, with a chain each ... */
    struct row rows[MAX_ROWS];
    int count = 0;
    for (size_t items = 1; variant.n < n; items *= step.options.all ? 2 : FACTOR) {
        variant.n = variant.items = items < n ? items : n;
        snprintf(variant.name, sizeof variant.name, "%zu work-item%s", variant.n,
                 variant.n > 1 ? "s" : "");
        rows[count] = measure(&step, &variant);
        report_row(report, rows[count++]);
    }

    /* ... on more units, with four chains each, and with less room for groups. */
    const struct ratio ratio = compare_units(&step, variant);
    struct variant four = variant;
    four.kernel = "work_distribution_four";
    four.n = n < FOUR_EACH || step.options.size_given ? n : FOUR_EACH;
    four.items = (four.n + 3) / 4;
    snprintf(four.name, sizeof four.name, "%zu, 4 chains each", four.items);
    report_row(report, measure(&step, &four));
    variant.reserved = 32 * 1024 - 1; /* OpenCL 1.2 asks a device for no more */
    snprintf(variant.name, sizeof variant.name, "32 KiB reserved");
    report_row(report, measure(&step, &variant));

    /* The result: what Little's law asks for, and what the rows say. */
    const double limit = report->limits.fma, one = row_rate(&rows[0]);
    const int enough = row_that_is_enough(rows, count);
    report_headline(report, "all compute units against one", ratio);
    if (limit > 0.0)
        report_say(report, "Little's law: %.5g GFLOP/s / %.3g = %.0f chains in flight",
                   limit, one, limit / one);
    if (enough >= 0)
        report_say(report, "Enough: %zu, within 5 %% of the best", rows[enough].size);
    else
        report_say(report, "Enough: no verdict, these rates are not told apart");
    if (step.device.is_cpu)
        report_say(report, "A CPU core runs one work-item after another, so only "
                           "chains of the same one overlap.");
    return step_close(&step);
}
