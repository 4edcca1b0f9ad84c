/* Step 09: everyone adds to one address
 *
 * Step 08 chose the order of a sum.  With atomics all work-items add to one address, as
 * soon as each can, but one after the other: so a sum should need few of them.
 *
 * Read with  kernels/step09_atomic_contention.cl, docs/step09_atomic_contention.md
 * Try        --lanes 8: how many atomics are there now, where, and what do they cost?
 * Lens       --size 1048576 add_each_int add_simd_int add_group
 * Story      atomics add_group@1048576 add_each_int
 */
#include "step.h"

#include <math.h>

enum { GROUP = 256, EACH = 256, MAX_FEW = 1 << 14 };
enum { BEGIN = 1001, ONCE_MORE = 7 }; /* the sum before a launch that is checked */

/* One element for each work-item, or EACH.  The last two come with --all, and MAX_FEW
 * elements are enough for the last: an exchange for each takes long. */
enum kind { FLOATS, TWO_LAUNCHES, INTS, FEW_FLOATS };
enum { BY_ELEMENT, BY_GROUP = 2, BY_DEFAULT = 7 };
static const struct variant {
    const char *name, *kernel;
    enum kind kind;
    cl_uint each;
} variants[] = {{"float, by element", "add_each", FLOATS, 1},
                {"float, by SIMD group", "add_simd", FLOATS, 1},
                {"float, by group", "add_group", FLOATS, 1},
                {"by group, 256 each", "add_group", FLOATS, EACH},
                {"no atomic, 256 each", "sum_groups", TWO_LAUNCHES, EACH},
                {"int, by element", "add_each_int", INTS, 1},
                {"int, by SIMD group", "add_simd_int", INTS, 1},
                {"int, with old value", "add_each_int_old", INTS, 1},
                {"float, by exchange", "add_each_exchange", FEW_FLOATS, 1}};

/* Odd numbers below 2^18, of both signs: they and their sums need more than 16 bits. */
static cl_int *make_ints(struct step *step, size_t n) {
    cl_int *numbers = step_array(step, n, sizeof *numbers);
    cl_uint state = step->options.seed + 2;
    for (size_t i = 0; i < n; i++)
        numbers[i] = (cl_int)(random_next(&state) >> 13 | 1) - (1 << 18);
    return numbers;
}

/* The sum of n floats, or of n ints if there are no floats. */
static double sum_on_host(const float *x, const cl_int *x_int, size_t n) {
    double sum = 0.0;
    for (size_t i = 0; i < n; i++)
        sum += x ? (double)x[i] : x_int[i];
    return sum;
}

/* A sum on the device: of n numbers, in `buffer`. */
struct sum {
    const struct variant *variant;
    cl_uint n;
    double expected, unit; /* a sum begins with so many units */
    cl_mem buffer;
    struct launch launch, then;
};

/* Launches while the sum is `begin` units.  Is it right then?  A second launch
 * overwrites what was there; an int wraps around. */
static bool is_right(struct device *device, const struct sum *sum, int begin) {
    const bool is_int = sum->variant->kind == INTS;
    float as_float = (float)(begin * sum->unit);
    cl_int as_int = begin;
    void *const found = is_int ? (void *)&as_int : &as_float;
    buffer_write(device, sum->buffer, found, sizeof as_int);
    launch_ms(device, &sum->launch);
    buffer_read(device, sum->buffer, found, sizeof as_int);
    const double expected =
        sum->expected + (sum->launch.then ? 0.0 : begin * sum->unit);
    return is_int ? equal_sum(as_int, (cl_int)(cl_uint)(long long)expected)
                  : equal_sum((double)as_float, expected);
}

/* An exchange that compared numbers would try for ever here: a NaN is not equal to
 * itself, but its bits are. */
static bool nan_stays(struct device *device, const struct sum *sum) {
    float found = NAN;
    buffer_write(device, sum->buffer, &found, sizeof found);
    launch_ms(device, &sum->launch);
    buffer_read(device, sum->buffer, &found, sizeof found);
    return isnan(found) || wrong("a sum that begins as NaN is %g", (double)found);
}

/* While launches are timed the sum goes on growing, so only one that begins with a
 * known number can be checked: one more, with another number.  Floats are tiny by then.
 */
static bool right_in_the_end(struct device *device, struct sum *sum) {
    if (sum->variant->kind == INTS)
        return right_again(is_right(device, sum, ONCE_MORE));
    sum->unit = (double)TINY;
    sum->expected *= (double)TINY;
    return right_when_tiny(is_right(device, sum, ONCE_MORE));
}

/* Where groups leave their sums, a second launch adds these up. */
static void make_launch(struct step *step, struct sum *sum, cl_mem x) {
    const struct variant *variant = sum->variant;
    const size_t group = step_group(step, GROUP);
    const size_t items = (sum->n + variant->each - 1) / variant->each;
    const cl_uint groups = (cl_uint)((items + group - 1) / group);
    const bool two = variant->kind == TWO_LAUNCHES;
    cl_mem out = two ? buffer_new(&step->device, groups * sizeof(float)) : sum->buffer;
    sum->launch =
        LAUNCH(step, variant->kernel, items, group, ARG(x), ARG(out), ARG(sum->n));
    if (!two)
        return;
    sum->then = LAUNCH(step, variant->kernel, group, group, ARG(out), ARG(sum->buffer),
                       ARG(groups));
    sum->launch.then = &sum->then;
}

int main(int argc, char **argv) {
    struct step step;
    step_open(&step, argc, argv, &(struct usage){.step = "step09_atomic_contention"});
    struct device *device = &step.device;

    /* Odd quarters, and whole numbers: their sums are exact in any order.  A GPU
     * without an instruction that adds floats gets fewer of them. */
    const bool has_add = device->compute_capability > 0;
    const struct sizes sizes = {
        .cpu = 1 << 20, .cpu_full = 1 << 22, .gpu = has_add ? 1 << 26 : 1 << 18};
    const cl_uint n = step_size(&step, &sizes, 2, sizeof(float));
    float *x = step_numbers(&step, n, 1);
    const cl_int *x_int = make_ints(&step, n);
    cl_mem x_buffer = buffer_from(device, x, n * sizeof *x);
    cl_mem x_int_buffer = buffer_from(device, x_int, n * sizeof *x_int);
    cl_mem sum_buffer = buffer_new(device, sizeof *x);

    /* The lesson: the same sum, by fewer and fewer atomics.  First of all, every
     * variant has to be right. */
    const size_t count = step.options.all ? COUNT(variants) : BY_DEFAULT;
    struct sum sums[COUNT(variants)];
    bool right[COUNT(variants)];
    for (size_t v = 0; v < count; v++) {
        const bool is_int = variants[v].kind == INTS,
                   few = variants[v].kind == FEW_FLOATS;
        struct sum *sum = &sums[v];
        *sum = (struct sum){&variants[v], few && n > MAX_FEW ? MAX_FEW : n, .unit = 1.0,
                            .buffer = sum_buffer};
        sum->expected = sum_on_host(is_int ? NULL : x, x_int, sum->n);
        make_launch(&step, sum, is_int ? x_int_buffer : x_buffer);
        right[v] = is_right(device, sum, BEGIN) && (!few || nan_stays(device, sum));
    }

    struct timing pair[2], times[COUNT(variants)];
    const struct ratio ratio =
        time_pair(device, sums[BY_GROUP].launch, sums[BY_ELEMENT].launch,
                  step.options.repeats, pair);
    times[BY_GROUP] = pair[0], times[BY_ELEMENT] = pair[1];
    for (size_t v = 0; v < count; v++)
        if (v != BY_GROUP && v != BY_ELEMENT)
            times[v] = time_launches(device, sums[v].launch, step.options.repeats);

    buffer_make_tiny(device, x_buffer, x, n);
    for (size_t v = 0; v < count; v++) {
        struct row row = {variants[v].name, sums[v].n, times[v],
                          .limit = step.report.limits.read};
        row.bytes = (double)row.size * sizeof *x;
        row.right = right[v] && right_in_the_end(device, &sums[v]);
        if (!has_add && variants[v].kind == FLOATS)
            row.note = "by exchange";
        report_row(&step.report, row);
    }

    /* The result. */
    report_headline(&step.report, "one atomic a group against one each", ratio);
    if (device->is_cpu)
        report_say(&step.report, "Only the cores of a CPU wait for each other at an "
                                 "address; its lanes do not.");
    return step_close(&step);
}
