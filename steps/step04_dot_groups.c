/* Step 04: latency: enough bytes in flight
 *
 * In step 03, 32 work-items kept one small corner of the device busy.  Here we launch
 * more and more groups of them, until memory is as busy as it can be.  Then each
 * work-item issues several loads before it needs the first, and fewer groups are
 * enough.
 *
 * Read with  kernels/step04_dot_groups.cl, docs/step04_dot_groups.md
 * Try        --size 1048576: which rows lose the most, and why?
 * Lens       --size 1048576 dot_groups dot_groups_counted dot_groups_float4
 */
#include "contest.h"

static const struct sizes sizes = {.cpu = 1 << 22, .cpu_full = 1 << 27, .gpu = 1 << 27};

/* Each variant changes one thing.  Some of them are compared at the end, by their
 * places in the table.  Those after the first BY_DEFAULT come with --all. */
enum { GROUPS_16 = 1, GROUPS_1024 = 3, GROUPS_4096 = 4, COUNTED_1024 = 7, BLOCKS = 11 };
enum { BY_DEFAULT = 12, MAX_ITEMS = 8192 * 64, ONE_FOR_EACH_CORE = 0 };
static const struct variant {
    const char *name, *kernel;
    size_t groups, group;
} variants[] = {{"1 group of 32", "dot_groups", 1, 32},
                {"16 groups of 32", "dot_groups", 16, 32},
                {"128 groups of 32", "dot_groups", 128, 32},
                {"1024 groups of 32", "dot_groups", 1024, 32},
                {"4096 groups of 32", "dot_groups", 4096, 32},
                {"8192 groups of 32", "dot_groups", 8192, 32},
                {"1024 groups of 256", "dot_groups", 1024, 256},
                {"1024 of 32, counted", "dot_groups_counted", 1024, 32},
                {"4096 of 32, counted", "dot_groups_counted", 4096, 32},
                {"1024 of 32, float4", "dot_groups_float4", 1024, 32},
                {"4096 of 32, float4", "dot_groups_float4", 4096, 32},
                {"one block for each core", "dot_groups_blocks", ONE_FOR_EACH_CORE, 1},
                {"1 work-item", "dot_groups", 1, 1},
                {"2 groups of 32", "dot_groups", 2, 32},
                {"4 groups of 32", "dot_groups", 4, 32},
                {"8 groups of 32", "dot_groups", 8, 32},
                {"32 groups of 32", "dot_groups", 32, 32},
                {"64 groups of 32", "dot_groups", 64, 32},
                {"256 groups of 32", "dot_groups", 256, 32},
                {"512 groups of 32", "dot_groups", 512, 32},
                {"2048 groups of 32", "dot_groups", 2048, 32},
                {"4096 groups of 64", "dot_groups", 4096, 64},
                {"2048 groups of 128", "dot_groups", 2048, 128},
                {"512 groups of 512", "dot_groups", 512, 512},
                {"256 groups of 1024", "dot_groups", 256, 1024},
                {"1024 of 256, float4", "dot_groups_float4", 1024, 256}};

/* A kernel must be right with any number of groups, so with --all these are checked,
 * but not timed.  The last one has so many blocks that the number of a block times n
 * needs more than 32 bits. */
static const struct variant odd[] = {
    {"dot_groups", "dot_groups", 1021, 32},
    {"dot_groups_counted", "dot_groups_counted", 1021, 32},
    {"dot_groups_float4", "dot_groups_float4", 1021, 32},
    {"dot_groups_blocks", "dot_groups_blocks", 500009, 1}};

static double dot_on_host(const float *x, const float *y, size_t n) {
    double sum = 0.0;
    for (size_t i = 0; i < n; i++)
        sum += (double)x[i] * (double)y[i];
    return sum;
}

/* A dot product of two vectors on the device. */
struct product {
    struct step *step;
    cl_mem x_buffer, y_buffer;
    cl_uint n;
    double expected;
    float *sums; /* what the work-items have left */
};

/* Every work-item has left one sum.  Do they add up to the right one? */
static bool is_right(const struct entry *entry, bool again) {
    const struct product *product = entry->of;
    const size_t items = entry->launch.global[0];
    double sum = 0.0;
    buffer_read(&product->step->device, entry->out, product->sums,
                items * sizeof *product->sums);
    for (size_t i = 0; i < items; i++)
        sum += (double)product->sums[i];
    return equal_sum(sum, again ? product->expected * (double)TINY : product->expected);
}

static struct entry make_entry(const struct product *product,
                               const struct variant *variant) {
    struct step *step = product->step;
    const size_t groups =
        variant->groups == ONE_FOR_EACH_CORE ? step->device.units : variant->groups;
    const size_t items = groups * variant->group;
    struct entry entry = {.of = product};
    entry.out = buffer_new(&step->device, items * sizeof(float));
    entry.launch =
        LAUNCH(step, variant->kernel, items, variant->group, ARG(product->x_buffer),
               ARG(product->y_buffer), ARG(entry.out), ARG(product->n));
    entry.row.variant = variant->name;
    entry.row.size = product->n;
    entry.row.bytes = 2.0 * product->n * sizeof(float);
    entry.row.limit = step->report.limits.read;
    return entry;
}

int main(int argc, char **argv) {
    struct step step;
    step_open(
        &step, argc, argv,
        &(struct usage){.step = "step04_dot_groups",
                        .lesson = "the same dot product, by more and more groups"});

    /* Two vectors of odd quarters: every order of adding gives the same sum. */
    const cl_uint n = step_size(&step, &sizes, 2, sizeof(float));
    struct product product = {.step = &step, .n = n};
    float *x = step_numbers(&step, n, 1), *y = step_numbers(&step, n, 2);
    product.x_buffer = buffer_from(&step.device, x, n * sizeof *x);
    product.y_buffer = buffer_from(&step.device, y, n * sizeof *y);
    product.expected = dot_on_host(x, y, n);
    product.sums = step_array(&step, MAX_ITEMS, sizeof *product.sums);

    /* The lesson: the same sum, variant after variant.  It must be right before it is
     * timed, and still right after the last timed launch.  There x is so small that a
     * sum in quarters would be 0. */
    struct contest contest = contest_begin(&step, is_right);
    const size_t count = step.options.all ? COUNT(variants) : BY_DEFAULT;
    for (size_t v = 0; v < count; v++)
        contest_add(&contest, make_entry(&product, &variants[v]));
    if (step.options.all)
        for (size_t v = 0; v < COUNT(odd); v++)
            contest_check(&contest, make_entry(&product, &odd[v]));
    contest_make_tiny(&contest, product.x_buffer, x, n);

    struct timing times[COUNT(variants)];
    for (size_t v = 0; v < count; v++) {
        contest_time_alone(&contest, v);
        contest_print(&contest, v);
        times[v] = contest.entries[v].row.time;
    }

    /* The result: how much faster more groups are, and more loads in flight. */
    report_headline(&step.report, "4096 groups, not 16",
                    ratio_between(times[GROUPS_4096], times[GROUPS_16]),
                    "A few cores are busy with few groups.");
    report_say(&step.report, "1024 groups, rounds counted against not counted: %s",
               in_words(ratio_between(times[COUNTED_1024], times[GROUPS_1024])).text);
    if (step.device.is_cpu)
        report_say(&step.report, "one block for each core against 4096 groups: %s",
                   in_words(ratio_between(times[BLOCKS], times[GROUPS_4096])).text);
    return step_close(&step);
}
