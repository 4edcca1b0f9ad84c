/* Step 06: reduction: local memory, barriers, divergence, bank conflicts
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
 * Story      busy_lanes reduce_local_sequential reduce_local_divergent; rows passes
 */
#include "contest.h"

enum { GROUP = 512 };

static const struct sizes sizes = {.cpu = 1 << 22, .cpu_full = 1 << 26, .gpu = 1 << 28};

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

/* Groups whose sizes do not halve evenly, smaller and larger than GROUP, add up some of
 * the elements.  They are checked, but not timed; a device may not allow all of them.
 */
static const size_t odd_groups[] = {100, 7, 1000};
enum { ODD_ELEMENTS = 20003 };

/* Adds up x[0] to x[n - 1], and leaves one sum for each group. */
struct reduction {
    struct step *step;
    const struct variant *variant;
    const float *x;
    cl_uint n;
    size_t group, groups; /* work-items in a group, and how many groups */
    float *sums;
    cl_mem sums_buffer;
};

static double sum_on_host(const float *x, size_t n) {
    double sum = 0.0;
    for (size_t i = 0; i < n; i++)
        sum += (double)x[i];
    return sum;
}

static struct reduction *reduction_new(struct step *step, const struct variant *variant,
                                       const float *x, cl_uint n, size_t group) {
    struct reduction *reduction = step_array(step, 1, sizeof *reduction);
    const size_t items = (n + variant->each - 1) / variant->each,
                 groups = (items + group - 1) / group;
    *reduction = (struct reduction){
        .step = step,
        .variant = variant,
        .x = x,
        .n = n,
        .group = group,
        .groups = groups,
        .sums = step_array(step, groups, sizeof(float)),
        .sums_buffer = buffer_new(&step->device, groups * sizeof(float))};
    return reduction;
}

static struct entry make_entry(const struct reduction *reduction, cl_mem x_buffer) {
    struct step *step = reduction->step;
    struct entry entry = {.of = reduction, .out = reduction->sums_buffer};
    entry.launch =
        LAUNCH(step, reduction->variant->kernel, reduction->groups * reduction->group,
               reduction->group, ARG(x_buffer), ARG(reduction->sums_buffer),
               LOCAL(reduction->group * sizeof(float)), ARG(reduction->n));
    entry.row.variant = reduction->variant->name;
    entry.row.size = reduction->n;
    entry.row.bytes = (double)reduction->n * sizeof(float);
    entry.row.limit = step->report.limits.read;
    return entry;
}

/* Each group must leave the sum of its elements.  With 64 elements for each work-item
 * these are spread over x, so only the sum of all groups is compared. */
static bool is_right(const struct entry *entry, bool again) {
    const struct reduction *reduction = entry->of;
    const float *x = reduction->x, *sums = reduction->sums;
    const size_t n = reduction->n, groups = reduction->groups;
    const size_t each = reduction->variant->each, share = each * reduction->group;
    (void)again; /* by then x is tiny, and so are the sums that are expected */
    buffer_read(&reduction->step->device, reduction->sums_buffer, reduction->sums,
                groups * sizeof *sums);
    if (each == 64)
        return equal_sum(sum_on_host(sums, groups), sum_on_host(x, n));
    for (size_t g = 0; g < groups; g++) {
        const size_t first = g * share, rest = n - first;
        const double expected = sum_on_host(x + first, rest < share ? rest : share);
        if ((double)sums[g] != expected)
            return wrong_at(element_of_group("sums", g), (double)sums[g], expected);
    }
    return true;
}

int main(int argc, char **argv) {
    struct step step;
    step_open(
        &step, argc, argv,
        &(struct usage){.step = "step06_reduce_local",
                        .lesson = "the same sum, by different trees in local memory"});

    /* Odd quarters: every order of adding gives the same sum. */
    const cl_uint n = step_size(&step, &sizes, 1, sizeof(float)),
                  odd_n = n < ODD_ELEMENTS ? n : ODD_ELEMENTS;
    const size_t group = step_group(&step, GROUP);
    float *x = step_numbers(&step, n, 1);
    cl_mem x_buffer = buffer_from(&step.device, x, n * sizeof *x);

    /* The lesson: the same sum by one tree after another.  Each must be right before it
     * is timed, also in groups that do not halve evenly. */
    struct contest contest = contest_begin(&step, is_right);
    for (size_t v = 0; v < VARIANTS; v++) {
        contest_add(
            &contest,
            make_entry(reduction_new(&step, &variants[v], x, n, group), x_buffer));
        for (size_t g = 0; g < COUNT(odd_groups); g++)
            if (odd_groups[g] <= step.device.max_group)
                contest_check(&contest, make_entry(reduction_new(&step, &variants[v], x,
                                                                 odd_n, odd_groups[g]),
                                                   x_buffer));
    }

    /* From here on x is 2^60 times smaller, so that a kernel that adds in fixed point
     * finds 0. */
    contest_make_tiny(&contest, x_buffer, x, n);
    const struct ratio ratio = contest_time(&contest, SEQUENTIAL, DIVERGENT);

    /* The result. */
    report_headline(&step.report, "sequential tree, not divergent", ratio,
                    "A core runs a group's work-items one after another: no lane waits "
                    "for another.");
    return step_close(&step);
}
