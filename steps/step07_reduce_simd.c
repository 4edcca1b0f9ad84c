/* Step 07: SIMD-group functions
 *
 * The tree of step 06 passes every value through local memory, and after each round the
 * whole group waits at a barrier.  The lanes of a warp can do without both, because
 * they can exchange what is in their registers.  Is that faster?
 *
 * Read with  kernels/step07_reduce_simd.cl and simd.clh, docs/step07_reduce_simd.md
 * Try        --lanes 8: SIMD groups of 8 lanes, which exchange through local memory
 * Lens       --size 65536 reduce_simd_tree reduce_simd_float reduce_simd_int
 *            reduce_simd_max_by_hand reduce_simd_in_flight
 * Story      barriers reduce_simd_float reduce_simd_tree
 */
#include "data/simd.h"

enum { GROUP = 512, ODD_GROUP = 100, BY_HAND = 32 /* lanes */ };

static const struct sizes sizes = {.cpu = 1 << 21, .cpu_full = 1 << 24, .gpu = 1 << 28};

/* What a variant leaves: the sum of each group's elements, sums that only together are
 * those of all elements, or in every lane the largest value of its SIMD group. */
enum left { GROUP_SUMS, SUMS, LARGEST };
enum { TREE, SIMD_GROUP, SIMD_INT };
enum numbers { FLOATS, INTS, WIDE };
static const struct variant {
    const char *name, *kernel;
    enum numbers numbers;
    size_t each; /* elements for each work-item */
    enum left left;
} variants[] = {
    {"tree, float", "reduce_simd_tree", FLOATS, 1, GROUP_SUMS},
    {"SIMD group, float", "reduce_simd_float", FLOATS, 1, GROUP_SUMS},
    {"SIMD group, int", "reduce_simd_int", INTS, 1, GROUP_SUMS},
    {"maximum by hand, int", "reduce_simd_max_by_hand", WIDE, 1, LARGEST},
    {"64, four loads in flight", "reduce_simd_in_flight", FLOATS, 64, SUMS}};

static double sum_on_host(const void *numbers, bool is_int, size_t begin, size_t end) {
    double sum = 0.0;
    for (size_t i = begin; i < end; i++)
        sum += is_int ? (double)((const cl_int *)numbers)[i]
                      : (double)((const cl_float *)numbers)[i];
    return sum;
}

/* A launch of a variant: its n floats or ints, and how many results it leaves. */
struct run {
    struct launch launch;
    cl_mem results_buffer;
    const void *x;
    void *results;
    size_t count;
    cl_uint n, lanes;
    bool right; /* the first time */
};

static bool group_sums_right(const struct run *run, bool is_int) {
    const size_t group = run->launch.local[0];
    for (size_t i = 0; i < run->n; i += group) {
        const size_t g = i / group, end = run->n - i < group ? run->n : i + group;
        const double found = sum_on_host(run->results, is_int, g, g + 1),
                     expected = sum_on_host(run->x, is_int, i, end);
        if (found != expected)
            return wrong_at(element_of_group("sums", g), found, expected);
    }
    return true;
}

static bool is_right(struct device *device, const struct variant *variant,
                     const struct run *run) {
    buffer_read(device, run->results_buffer, run->results, run->count * sizeof(cl_int));
    const bool is_int = variant->numbers != FLOATS;
    if (variant->left == LARGEST)
        return simd_largest_right(&run->launch, run->lanes, run->n, run->x,
                                  run->results);
    if (variant->left == GROUP_SUMS)
        return group_sums_right(run, is_int);
    return equal_sum(sum_on_host(run->results, is_int, 0, run->count),
                     sum_on_host(run->x, is_int, 0, run->n));
}

/* Launches a variant in groups of that size: is it right? */
static bool first_right(struct step *step, const struct variant *variant, size_t group,
                        cl_mem x_buffer, struct run *run) {
    const size_t items = (run->n + variant->each - 1) / variant->each;
    group = step_group(step, group);
    run->count = variant->left == LARGEST ? run->n : (items + group - 1) / group;
    run->results_buffer = buffer_new(&step->device, run->count * sizeof(cl_int));
    const struct arg args[] = {ARG(x_buffer), ARG(run->results_buffer),
                               LOCAL(group * sizeof(cl_int)), ARG(run->n),
                               ARG(run->lanes)};
    run->launch = step_launch(step, variant->kernel, items, group, args,
                              variant->left == LARGEST ? 5 : 4);
    launch_ms(&step->device, &run->launch);
    return is_right(&step->device, variant, run);
}

int main(int argc, char **argv) {
    struct step step;
    step_open(&step, argc, argv, &(struct usage){.step = "step07_reduce_simd"});
    struct device *device = &step.device;

    /* Odd quarters, and ints of both signs: any order of adding gives the same sum. */
    const cl_uint n = step_size(&step, &sizes, 5, sizeof(float));
    const cl_uint lanes = (cl_uint)(step.options.lanes ? step.options.lanes : BY_HAND);
    float *floats = step_numbers(&step, n, 1);
    const void *const x[] = {floats, simd_ints(&step, n, 2),
                             simd_extremes(&step, n, 3)};
    void *results = step_array(&step, n, sizeof(cl_int));
    cl_mem buffers[COUNT(x)];
    for (size_t i = 0; i < COUNT(x); i++)
        buffers[i] = buffer_from(device, x[i], n * sizeof(cl_int));

    /* The lesson: the same sum by a tree, and by SIMD-group functions.  First of all,
     * every variant has to be right, also in groups of 100: in these a tree has odd
     * ones out, and the last SIMD group is short. */
    struct run runs[COUNT(variants)];
    for (size_t v = 0; v < COUNT(variants); v++) {
        const enum numbers k = variants[v].numbers;
        runs[v] = (struct run){.x = x[k], .results = results, .n = n, .lanes = lanes};
        struct run odd = runs[v];
        runs[v].right = first_right(&step, &variants[v], GROUP, buffers[k], &runs[v]) &&
                        first_right(&step, &variants[v], ODD_GROUP, buffers[k], &odd);
    }

    /* The timed launches get floats of which a sum in quarters would keep nothing. */
    buffer_make_tiny(device, buffers[FLOATS], floats, n);

    /* The first two alternate, so that whatever disturbs this machine disturbs both. */
    struct timing pair[2];
    const struct ratio ratio = time_pair(device, runs[SIMD_GROUP].launch,
                                         runs[TREE].launch, step.options.repeats, pair);
    for (size_t v = 0; v < COUNT(variants); v++) {
        struct row row = {.variant = variants[v].name, .size = n};
        row.time = v == TREE ? pair[1]
                   : v == SIMD_GROUP
                       ? pair[0]
                       : time_launches(device, runs[v].launch, step.options.repeats);
        row.bytes = (variants[v].left == LARGEST ? 2.0 : 1.0) * n * sizeof(cl_int);
        row.limit = variants[v].left == LARGEST ? step.report.limits.copy
                                                : step.report.limits.read;
        row.right = runs[v].right &&
                    (variants[v].numbers == FLOATS ? right_when_tiny : right_again)(
                        is_right(device, &variants[v], &runs[v]));
        report_row(&step.report, row);
    }

    /* All other operations of simd.clh, and the result. */
    simd_report(&step, GROUP);
    report_headline(&step.report, "SIMD group functions against a tree", ratio);
    simd_against_thread(&step, &runs[SIMD_INT].launch, runs[SIMD_INT].results_buffer,
                        x[INTS], n);
    if (device->is_cpu)
        report_say(&step.report, "A CPU core runs a group's work-items one after "
                                 "another, and has to emulate lanes.");
    return step_close(&step);
}
