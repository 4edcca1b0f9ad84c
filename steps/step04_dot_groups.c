/* Step 04: more and more groups
 *
 * In step 03, 32 work-items kept one small corner of the device busy.  Here we launch
 * more and more groups of them, until memory is as busy as it can be.  Then each
 * work-item issues several loads before it needs the first, and fewer groups are
 * enough.
 *
 * Read with  kernels/step04_dot_groups.cl, docs/step04_dot_groups.md
 * Try        --size 1048576: which rows lose the most, and why?
 * Lens       --size 1048576
 * Story      load_sectors dot_groups
 */
#include "step.h"

static const struct sizes sizes = {.cpu = 1 << 22, .cpu_full = 1 << 27, .gpu = 1 << 27};

/* Each variant changes one thing; some of them, by their place in the table, are
 * compared at the end.  0 groups: one for each core.  The last ones come with --all. */
enum { GROUPS_16 = 1, GROUPS_1024 = 3, GROUPS_4096 = 4, COUNTED_1024 = 7, BLOCKS = 11 };
enum { BY_DEFAULT = 12, MAX_ITEMS = 8192 * 64 };
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
                {"one block for each core", "dot_groups_blocks", 0, 1},
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

/* A kernel must be right with any number of groups.  With --all these are checked, but
 * not timed; of so many blocks, the first element's number times the number of all
 * blocks needs more than 32 bits. */
static const struct variant odd[] = {{"", "dot_groups", 1021, 32},
                                     {"", "dot_groups_counted", 1021, 32},
                                     {"", "dot_groups_float4", 1021, 32},
                                     {"", "dot_groups_blocks", 500009, 1}};

static double dot_on_host(const float *x, const float *y, size_t n) {
    double sum = 0.0;
    for (size_t i = 0; i < n; i++)
        sum += (double)x[i] * (double)y[i];
    return sum;
}

/* Every work-item of a launch has left one sum, which the host adds up. */
static double sum_left(struct device *device, const struct launch *launch,
                       cl_mem sums_buffer, float *sums) {
    double sum = 0.0;
    buffer_read(device, sums_buffer, sums, launch->global[0] * sizeof *sums);
    for (size_t i = 0; i < launch->global[0]; i++)
        sum += (double)sums[i];
    return sum;
}

static void check_odd(struct step *step, cl_mem x_buffer, cl_mem y_buffer, cl_uint n,
                      float *sums, double expected) {
    for (size_t v = 0; v < COUNT(odd); v++) {
        const size_t items = odd[v].groups * odd[v].group;
        cl_mem sums_buffer = buffer_new(&step->device, items * sizeof *sums);
        const struct launch launch =
            LAUNCH(step, odd[v].kernel, items, odd[v].group, ARG(x_buffer),
                   ARG(y_buffer), ARG(sums_buffer), ARG(n));
        launch_ms(&step->device, &launch);
        if (!equal_sum(sum_left(&step->device, &launch, sums_buffer, sums), expected))
            report_row(&step->report,
                       (struct row){.variant = odd[v].kernel, .size = n});
    }
}

int main(int argc, char **argv) {
    struct step step;
    step_open(&step, argc, argv, &(struct usage){.step = "step04_dot_groups"});
    struct device *device = &step.device;

    /* Two vectors of odd quarters: every order of adding gives the same sum. */
    const cl_uint n = step_size(&step, &sizes, 2, sizeof(float));
    float *x = step_numbers(&step, n, 1), *y = step_numbers(&step, n, 2);
    double expected = dot_on_host(x, y, n);
    float *sums = step_array(&step, MAX_ITEMS, sizeof *sums);
    cl_mem x_buffer = buffer_from(device, x, n * sizeof *x);
    cl_mem y_buffer = buffer_from(device, y, n * sizeof *y);

    /* The lesson: the same sum, variant after variant.  It must be right before it is
     * timed, and still right after the last timed launch, whose x is so small that a
     * sum in quarters would keep nothing of it. */
    struct timing times[COUNT(variants)];
    struct launch launches[COUNT(variants)];
    cl_mem sums_buffers[COUNT(variants)];
    bool right[COUNT(variants)];
    const size_t count = step.options.all ? COUNT(variants) : BY_DEFAULT;
    for (size_t v = 0; v < count; v++) {
        const size_t groups = variants[v].groups ? variants[v].groups : device->units;
        const size_t items = groups * variants[v].group;
        cl_mem sums_buffer = sums_buffers[v] = buffer_new(device, items * sizeof *sums);
        launches[v] = LAUNCH(&step, variants[v].kernel, items, variants[v].group,
                             ARG(x_buffer), ARG(y_buffer), ARG(sums_buffer), ARG(n));
        launch_ms(device, &launches[v]);
        right[v] =
            equal_sum(sum_left(device, &launches[v], sums_buffer, sums), expected);
    }
    if (step.options.all)
        check_odd(&step, x_buffer, y_buffer, n, sums, expected);
    buffer_make_tiny(device, x_buffer, x, n);
    expected *= (double)TINY;
    for (size_t v = 0; v < count; v++) {
        struct row row = step_time(&step, variants[v].name, &launches[v], n,
                                   2.0 * n * sizeof *x, step.report.limits.read);
        const double sum = sum_left(device, &launches[v], sums_buffers[v], sums);
        row.right = right[v] && right_when_tiny(equal_sum(sum, expected));
        times[v] = row.time;
        report_row(&step.report, row);
    }

    /* The result: how much faster more groups are, and more loads in flight. */
    report_headline(&step.report, "4096 groups against 16",
                    ratio_between(times[GROUPS_4096], times[GROUPS_16]));
    report_say(&step.report, "1024 groups, rounds counted against not counted: %s",
               in_words(ratio_between(times[COUNTED_1024], times[GROUPS_1024])).text);
    if (device->is_cpu)
        report_say(&step.report, "one block for each core against 4096 groups: %s",
                   in_words(ratio_between(times[BLOCKS], times[GROUPS_4096])).text);
    return step_close(&step);
}
