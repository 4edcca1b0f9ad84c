/* Step 06: local memory, barriers, trees
 *
 * So far every work-item left a sum of its own, and the host added up these sums.  Here
 * the work-items of a group add up theirs first, in memory that they share, so that a
 * group leaves one sum.
 *
 * Read with  kernels/step06_reduce_local.cl, docs/step06_reduce_local.md
 * Try        GROUP = 64, then 1024: which variants get slower, and why?
 * Lens       --size 65536 reduce_local_divergent reduce_local_dense
 *            reduce_local_sequential reduce_local_two reduce_local_many
 *            reduce_local_in_flight
 * Story      passes reduce_local_sequential reduce_local_divergent
 */
#include "step.h"

enum { GROUP = 512, ODD_ELEMENTS = 20003 };

static const struct sizes sizes = {.cpu = 1 << 22, .cpu_full = 1 << 26, .gpu = 1 << 28};

/* Groups whose trees do not halve evenly, smaller and larger than GROUP.  They are
 * checked, and not timed; a device may not allow all of them. */
static const size_t odd_groups[] = {100, 7, 1000};

/* Each variant changes one thing.  `each` is how many elements a work-item takes. */
enum { DIVERGENT, DENSE, SEQUENTIAL, VARIANTS = 6 };
static const struct variant {
    const char *name, *kernel;
    size_t each;
} variants[VARIANTS] = {{"interleaved, divergent", "reduce_local_divergent", 1},
                        {"interleaved, dense", "reduce_local_dense", 1},
                        {"sequential", "reduce_local_sequential", 1},
                        {"2 elements each", "reduce_local_two", 2},
                        {"64 elements each", "reduce_local_many", 64},
                        {"64, four loads in flight", "reduce_local_in_flight", 64}};

/* A launch that adds up x[0] to x[n - 1], and leaves one sum for each group. */
struct reduction {
    const struct variant *variant;
    struct launch launch;
    cl_uint n;
    const float *x;
    cl_mem sums_buffer;
    float *sums;
    size_t groups;
};

static double sum_on_host(const float *x, size_t n) {
    double sum = 0.0;
    for (size_t i = 0; i < n; i++)
        sum += (double)x[i];
    return sum;
}

static struct reduction reduction_new(struct step *step, const struct variant *variant,
                                      const float *x, cl_mem x_buffer, cl_uint n,
                                      size_t group) {
    const size_t items = (n + variant->each - 1) / variant->each;
    struct reduction reduction = {variant, .n = n, .x = x};
    reduction.groups = (items + group - 1) / group;
    reduction.sums = step_array(step, reduction.groups, sizeof(float));
    reduction.sums_buffer = buffer_new(&step->device, reduction.groups * sizeof(float));
    reduction.launch =
        LAUNCH(step, variant->kernel, items, group, ARG(x_buffer),
               ARG(reduction.sums_buffer), LOCAL(group * sizeof(float)), ARG(n));
    return reduction;
}

/* Each group must leave the sum of its elements.  With 64 elements for each work-item
 * these lie far apart, and only the sum of all is compared. */
static bool sums_right(struct device *device, const struct reduction *reduction) {
    const float *x = reduction->x, *sums = reduction->sums;
    const size_t n = reduction->n, groups = reduction->groups;
    const size_t share = reduction->variant->each * reduction->launch.local[0];
    buffer_read(device, reduction->sums_buffer, reduction->sums, groups * sizeof *sums);
    if (reduction->variant->each == 64)
        return equal_sum(sum_on_host(sums, groups), sum_on_host(x, n));
    for (size_t g = 0; g < groups; g++) {
        const size_t first = g * share, rest = n - first;
        const double expected = sum_on_host(x + first, rest < share ? rest : share);
        if ((double)sums[g] != expected)
            return wrong_at(element_of_group("sums", g), (double)sums[g], expected);
    }
    return true;
}

static bool launch_right(struct device *device, const struct reduction *reduction) {
    buffer_poison(device, reduction->sums_buffer);
    launch_ms(device, &reduction->launch);
    return sums_right(device, reduction) ||
           wrong("that was %s, in groups of %zu", reduction->variant->kernel,
                 reduction->launch.local[0]);
}

int main(int argc, char **argv) {
    struct step step;
    step_open(&step, argc, argv, &(struct usage){.step = "step06_reduce_local"});
    struct device *device = &step.device;

    /* Odd quarters: every order of adding gives the same sum. */
    const cl_uint n = step_size(&step, &sizes, 1, sizeof(float));
    const cl_uint odd_n = n < ODD_ELEMENTS ? n : ODD_ELEMENTS;
    const size_t group = step_group(&step, GROUP);
    float *x = step_numbers(&step, n, 1);
    cl_mem x_buffer = buffer_from(device, x, n * sizeof *x);

    /* The lesson: the same sum by one tree after another.  It must be right before it
     * is timed, in groups that do not halve evenly, too, if the device allows them. */
    struct reduction reductions[VARIANTS];
    bool right[VARIANTS];
    for (size_t v = 0; v < VARIANTS; v++) {
        reductions[v] = reduction_new(&step, &variants[v], x, x_buffer, n, group);
        right[v] = launch_right(device, &reductions[v]);
        for (size_t g = 0; g < COUNT(odd_groups); g++) {
            if (!right[v] || odd_groups[g] > device->max_group)
                continue;
            const struct reduction odd =
                reduction_new(&step, &variants[v], x, x_buffer, odd_n, odd_groups[g]);
            right[v] = launch_right(device, &odd);
        }
        /* A timed launch must overwrite what it finds, whatever that is. */
        buffer_write(device, reductions[v].sums_buffer, x,
                     reductions[v].groups * sizeof *x);
    }

    /* The timed launches get numbers of which a sum in quarters would keep nothing. */
    buffer_make_tiny(device, x_buffer, x, n);

    /* The two that are compared alternate, so that every disturbance meets both. */
    struct timing pair[2];
    const struct ratio ratio =
        time_pair(device, reductions[SEQUENTIAL].launch, reductions[DIVERGENT].launch,
                  step.options.repeats, pair);
    for (size_t v = 0; v < VARIANTS; v++) {
        struct row row = {.variant = variants[v].name, .size = n};
        row.time = v == SEQUENTIAL  ? pair[0]
                   : v == DIVERGENT ? pair[1]
                                    : time_launches(device, reductions[v].launch,
                                                    step.options.repeats);
        row.bytes = (double)n * sizeof *x;
        row.limit = step.report.limits.read;
        row.right = right[v] && right_when_tiny(sums_right(device, &reductions[v]));
        report_row(&step.report, row);
    }

    /* The result. */
    report_headline(&step.report, "sequential tree against divergent", ratio);
    if (device->is_cpu)
        report_say(&step.report,
                   "A CPU core runs the work-items of a group one after another, from\n"
                   "barrier to barrier: no lane waits for another.");
    return step_close(&step);
}
