/* Step 09: atomics: everyone adds to one address
 *
 * Step 08 chose the order of a sum.  Here every work-item adds to one address, with an
 * atomic, as soon as it can.  Atomics on one address are done one after the other, so a
 * sum should need few of them.
 *
 * Read with  kernels/step09_atomic_contention.cl, docs/step09_atomic_contention.md
 * Try        --lanes 8: how many atomics are there now, where, and what do they cost?
 * Lens       --size 1048576 add_each_int add_simd_int add_group
 * Story      atomics add_group@1048576 add_each_int
 */
#include "contest.h"

#include <math.h>

enum { GROUP = 256, EACH = 256 };
enum { MAX_FEW = 1 << 14 }; /* elements, where an exchange for each takes long */

/* What the sum is before a launch that is checked. */
enum { BEGIN = 1001, BEGIN_AGAIN = 7 };

/* One element for each work-item, or EACH.  The last two come with --all. */
enum { BY_ELEMENT = 0, BY_GROUP = 2 };
enum { BY_DEFAULT = 7, VARIANTS = 9 };
enum kind { FLOATS, TWO_LAUNCHES, INTS, FEW_FLOATS };
static const struct variant {
    const char *name, *kernel;
    enum kind kind;
    cl_uint each;
} variants[VARIANTS] = {{"float, by element", "add_each", FLOATS, 1},
                        {"float, by SIMD group", "add_simd", FLOATS, 1},
                        {"float, by group", "add_group", FLOATS, 1},
                        {"by group, 256 each", "add_group", FLOATS, EACH},
                        {"no atomic, 256 each", "sum_groups", TWO_LAUNCHES, EACH},
                        {"int, by element", "add_each_int", INTS, 1},
                        {"int, by SIMD group", "add_simd_int", INTS, 1},
                        {"int, with old value", "add_each_int_old", INTS, 1},
                        {"float, by exchange", "add_each_exchange", FEW_FLOATS, 1}};

/* Odd numbers between -2^18 and 2^18: they and their sums need more than 16 bits. */
static cl_int *make_ints(struct step *step, size_t n) {
    cl_int *numbers = step_array(step, n, sizeof *numbers);
    cl_uint state = step->options.seed + 2;
    for (size_t i = 0; i < n; i++)
        numbers[i] = (cl_int)(random_next(&state) >> 13 | 1) - (1 << 18);
    return numbers;
}

static double sum_of_floats(const float *x, size_t n) {
    double sum = 0.0;
    for (size_t i = 0; i < n; i++)
        sum += (double)x[i];
    return sum;
}

static double sum_of_ints(const cl_int *x, size_t n) {
    double sum = 0.0;
    for (size_t i = 0; i < n; i++)
        sum += x[i];
    return sum;
}

/* A sum of n numbers on the device. */
struct sum {
    struct step *step;
    const struct variant *variant;
    cl_uint n;
    double expected; /* if it begins with 0 */
    cl_mem x_buffer, sum_buffer;
    struct launch second;
};

/* If each group leaves a sum, a second launch adds up all of these. */
static struct launch make_launch(struct sum *sum) {
    struct step *step = sum->step;
    const struct variant *variant = sum->variant;
    const size_t group = step_group(step, GROUP);
    const size_t items = (sum->n + variant->each - 1) / variant->each;
    if (variant->kind != TWO_LAUNCHES)
        return LAUNCH(step, variant->kernel, items, group, ARG(sum->x_buffer),
                      ARG(sum->sum_buffer), ARG(sum->n));

    const cl_uint groups = (cl_uint)((items + group - 1) / group);
    cl_mem sums_buffer = buffer_new(&step->device, groups * sizeof(float));
    struct launch first = LAUNCH(step, variant->kernel, items, group,
                                 ARG(sum->x_buffer), ARG(sums_buffer), ARG(sum->n));
    sum->second = LAUNCH(step, variant->kernel, group, group, ARG(sums_buffer),
                         ARG(sum->sum_buffer), ARG(groups));
    first.then = &sum->second;
    return first;
}

static struct entry make_entry(struct sum *sum) {
    const struct step *step = sum->step;
    const struct variant *variant = sum->variant;
    struct entry entry = {.of = sum, .launch = make_launch(sum)};
    entry.not_tiny = variant->kind == INTS;
    entry.row.variant = variant->name;
    entry.row.size = sum->n;
    entry.row.bytes = (double)sum->n * sizeof(float);
    entry.row.limit = step->report.limits.read;
    if (variant->kind == FLOATS && step->device.compute_capability == 0)
        entry.row.note = "by exchange";
    return entry;
}

/* Launches with a sum that begins with `begin`, and so must end that much higher.  An
 * int wraps around. */
static bool int_is_right(const struct entry *entry, cl_int begin) {
    const struct sum *sum = entry->of;
    struct device *device = &sum->step->device;
    const cl_uint expected = (cl_uint)(long long)(sum->expected + begin);
    cl_int found = begin;
    buffer_write(device, sum->sum_buffer, &found, sizeof found);
    launch_ms(device, &entry->launch);
    buffer_read(device, sum->sum_buffer, &found, sizeof found);
    return equal_sum(found, (cl_int)expected);
}

/* Launches with floats that are `unit` times as large as those of the sum that is
 * expected.  A second launch overwrites `begin`. */
static bool float_is_right(const struct entry *entry, double begin, double unit) {
    const struct sum *sum = entry->of;
    struct device *device = &sum->step->device;
    const double kept = entry->launch.then ? 0.0 : begin;
    float found = (float)(begin * unit);
    buffer_write(device, sum->sum_buffer, &found, sizeof found);
    launch_ms(device, &entry->launch);
    buffer_read(device, sum->sum_buffer, &found, sizeof found);
    return equal_sum((double)found, (sum->expected + kept) * unit);
}

/* Timed launches add to the sum that the last one left, so their result is not known.
 * Afterwards one more launch is checked, which begins with another number.  By then the
 * floats are tiny. */
static bool is_right(const struct entry *entry, bool again) {
    const struct sum *sum = entry->of;
    const int begin = again ? BEGIN_AGAIN : BEGIN;
    if (sum->variant->kind == INTS)
        return int_is_right(entry, begin);
    return float_is_right(entry, begin, again ? (double)TINY : 1.0);
}

/* An exchange that compared floats would never end here, because a NaN is not equal to
 * itself.  Its bits are. */
static bool nan_stays(const struct entry *entry) {
    const struct sum *sum = entry->of;
    struct device *device = &sum->step->device;
    float found = NAN;
    buffer_write(device, sum->sum_buffer, &found, sizeof found);
    launch_ms(device, &entry->launch);
    buffer_read(device, sum->sum_buffer, &found, sizeof found);
    return isnan(found) || wrong("a sum that begins as NaN is %g", (double)found);
}

int main(int argc, char **argv) {
    struct step step;
    step_open(&step, argc, argv,
              &(struct usage){.step = "step09_atomic_contention",
                              .lesson = "the same sum, by more and by fewer atomics"});
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

    /* The lesson: the same sum, with fewer and fewer atomics. */
    struct contest contest = contest_begin(&step, is_right);
    const size_t count = step.options.all ? VARIANTS : BY_DEFAULT;
    struct sum sums[VARIANTS];
    for (size_t v = 0; v < count; v++) {
        const enum kind kind = variants[v].kind;
        struct sum *sum = &sums[v];
        *sum = (struct sum){.step = &step, .variant = &variants[v], .n = n};
        if (kind == FEW_FLOATS && n > MAX_FEW)
            sum->n = MAX_FEW;
        sum->expected =
            kind == INTS ? sum_of_ints(x_int, sum->n) : sum_of_floats(x, sum->n);
        sum->x_buffer = kind == INTS ? x_int_buffer : x_buffer;
        sum->sum_buffer = sum_buffer;
        if (contest_add(&contest, make_entry(sum)) && kind == FEW_FLOATS)
            contest_require(&contest, v, nan_stays(&contest.entries[v]));
    }
    contest_make_tiny(&contest, x_buffer, x, n);
    const struct ratio ratio = contest_time(&contest, BY_GROUP, BY_ELEMENT);

    /* The result. */
    report_headline(&step.report, "one atomic a group, not one each", ratio,
                    "Only cores wait for each other at an address, never lanes.");
    if (device->compute_capability == 0)
        report_say(
            &step.report,
            "by exchange: no atomic adds floats here, so a work-item exchanges the "
            "sum that it has\nread for a new one, and tries again if another one was "
            "faster.");
    return step_close(&step);
}
