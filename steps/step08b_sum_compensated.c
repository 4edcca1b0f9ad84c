/* Step 08b: compensated summation: keeping what rounding cuts off
 *
 * In step 08 a better order made the error small.  A work-item that adds its elements
 * one after another can do better still: it keeps what each addition cuts off.  What
 * does that cost?
 *
 * Read with  kernels/step08b_sum_compensated.cl, docs/step08b_sum_compensated.md
 * Try        EACH = 4, then 1024: which errors change, and why?
 * Lens       --size 65536
 */
#include "contest.h"
#include "measure/ulp.h"

#include <math.h>
#include <string.h>

enum { GROUP = 64, MAX_ITEMS = 1 << 18, EACH = 64 };
static const struct sizes sizes = {.cpu = 1 << 22, .cpu_full = 1 << 27, .gpu = 1 << 27};

/* ---- The kernels' additions on the host */

/* What a work-item leaves. */
union kept {
    struct {
        float sum, rest;
    };
    int64_t units; /* of 2^-24 */
    double number;
};

static void plain_add(union kept *to, float x) {
    to->sum += x;
}

static void kahan_add(union kept *to, float x) {
    const float y = x + to->rest, total = to->sum + y;
    to->rest = y - (total - to->sum);
    to->sum = total;
}

static void neumaier_add(union kept *to, float x) {
    const float sum = to->sum, total = sum + x;
    to->rest += fabsf(sum) >= fabsf(x) ? (sum - total) + x : (x - total) + sum;
    to->sum = total;
}

static void double_float_add(union kept *to, float x) {
    const float total = to->sum + x, part = total - to->sum;
    const float rest = to->rest + ((to->sum - (total - part)) + (x - part));
    to->sum = total + rest;
    to->rest = rest - (to->sum - total);
}

static void fixed_add(union kept *to, float x) {
    to->units += units(x);
}

static void double_add(union kept *to, float x) {
    to->number += (double)x;
}

/* What a work-item has kept, exactly. */
static double value_of_floats(const union kept *kept) {
    return (double)kept->sum + (double)kept->rest;
}

static double value_of_units(const union kept *kept) {
    return (double)kept->units * 0x1p-24;
}

static double value_of_number(const union kept *kept) {
    return kept->number;
}

/* The last one needs a device that has double. */
enum { PLAIN, NEUMAIER, KAHAN, DOUBLE_FLOAT, FIXED, DOUBLE, WAYS };
static const struct way {
    const char *name, *kernel;
    void (*add)(union kept *to, float x);
    double (*value)(const union kept *kept);
} ways[WAYS] = {{"plain, for comparison", "sum_plain", plain_add, value_of_floats},
                {"Neumaier", "sum_neumaier", neumaier_add, value_of_floats},
                {"Kahan", "sum_kahan", kahan_add, value_of_floats},
                {"double-float", "sum_double_float", double_float_add, value_of_floats},
                {"fixed point", "sum_fixed", fixed_add, value_of_units},
                {"double", "sum_double", double_add, value_of_number}};

/* ---- One way to add n numbers, on the device and on the host */

struct numbers {
    struct step *step;
    cl_uint n;
    float *x;
    cl_mem x_buffer;
};

struct sum {
    const struct numbers *numbers;
    const struct way *way;
    union kept *ours, *theirs; /* of each work-item: the host's, and the device's */
    cl_mem sums_buffer;
    char note[32];
};

static struct sum make_sum(const struct numbers *numbers, const struct way *way,
                           size_t items) {
    struct step *step = numbers->step;
    struct sum sum = {.numbers = numbers, .way = way};
    sum.ours = step_array(step, items, sizeof *sum.ours);
    sum.theirs = step_array(step, items, sizeof *sum.theirs);
    sum.sums_buffer = buffer_new(&step->device, items * sizeof *sum.theirs);
    return sum;
}

static struct entry make_entry(const struct sum *sum, size_t items, size_t group) {
    const struct numbers *numbers = sum->numbers;
    struct step *step = numbers->step;
    struct entry entry = {.row.variant = sum->way->name, .row.size = numbers->n};
    entry.row.bytes = (double)numbers->n * sizeof *numbers->x;
    entry.row.limit = step->report.limits.read;
    entry.row.note = sum->note;
    entry.launch = LAUNCH(step, sum->way->kernel, items, group, ARG(numbers->x_buffer),
                          ARG(sum->sums_buffer), ARG(numbers->n));
    entry.of = sum;
    return entry;
}

static void add_on_host(const struct sum *sum, size_t items) {
    const struct numbers *numbers = sum->numbers;
    memset(sum->ours, 0, items * sizeof *sum->ours);
    for (size_t i = 0; i < numbers->n; i++)
        sum->way->add(&sum->ours[i % items], numbers->x[i]);
}

/* Has every work-item kept the host's bits?  The contest does not poison what a launch
 * writes: it finds NaN there the first time, and then the sums of other x. */
static bool is_right(const struct entry *entry, bool again) {
    const struct sum *sum = entry->of;
    const size_t items = entry->launch.global[0];
    struct device *device = &sum->numbers->step->device;
    if (!again) {
        add_on_host(sum, items);
        launch_ms(device, &entry->launch);
    }
    buffer_read(device, sum->sums_buffer, sum->theirs, items * sizeof *sum->theirs);
    for (size_t i = 0; i < items; i++)
        if (memcmp(&sum->theirs[i], &sum->ours[i], sizeof *sum->ours) != 0)
            return wrong_at(element_of_item("sums", i, &entry->launch),
                            sum->way->value(&sum->theirs[i]),
                            sum->way->value(&sum->ours[i]));
    return true;
}

/* How many ulp is the sum of all off?  What the work-items have kept is added exactly,
 * so the error is theirs. */
static double error_of(const struct sum *sum, size_t items) {
    int64_t all = 0;
    for (size_t i = 0; i < items; i++)
        all += (int64_t)(sum->way->value(&sum->theirs[i]) * 0x1p24);
    return ulps_off((float)all * 0x1p-24f, exact_sum(sum->numbers->x, sum->numbers->n));
}

static void note_error(struct sum *sum, double error) {
    if (error < 0x1p23)
        snprintf(sum->note, sizeof sum->note, "%.0f ulp off", error);
    else
        snprintf(sum->note, sizeof sum->note, "no digit is right");
}

static void write_numbers(const struct numbers *numbers) {
    buffer_write(&numbers->step->device, numbers->x_buffer, numbers->x,
                 numbers->n * sizeof *numbers->x);
}

int main(int argc, char **argv) {
    struct step step;
    step_open(&step, argc, argv,
              &(struct usage){
                  .step = "step08b_sum_compensated",
                  .lesson = "the same sum; what rounding cuts off is lost, or kept"});
    struct device *device = &step.device;
    const cl_uint n = step_size(&step, &sizes, 1, sizeof(float));
    struct numbers numbers = {.step = &step, .n = n};
    numbers.x = step_array(&step, n, sizeof *numbers.x);
    numbers.x_buffer = buffer_new(device, n * sizeof *numbers.x);

    const size_t count = device_has(device->id, "cl_khr_fp64") ? WAYS : DOUBLE;
    const size_t group = step_group(&step, GROUP);
    size_t items = group;
    while (items < MAX_ITEMS && items * EACH < n)
        items *= 2;
    const size_t fewer = items / 16 > group ? items / 16 : group;

    /* Each way must be right for random numbers from 0 to 1. */
    struct contest contest = contest_begin(&step, is_right);
    struct sum sums[WAYS];
    double worst = 0.0;
    random_numbers(numbers.x, n, step.options.seed + 8);
    write_numbers(&numbers);
    for (size_t w = 0; w < count; w++) {
        sums[w] = make_sum(&numbers, &ways[w], items);
        if (contest_check(&contest, make_entry(&sums[w], items, group)))
            worst = fmax(worst, error_of(&sums[w], items));
    }

    /* And for numbers that cancel each other: by fewer work-items, which have more to
     * add, and by all of them. */
    cancelling_numbers(numbers.x, n, step.options.seed + 8);
    write_numbers(&numbers);
    for (size_t w = 0; w < count; w++)
        contest_check(&contest, make_entry(&sums[w], fewer, group));
    for (size_t w = 0; w < count; w++)
        if (contest_add(&contest, make_entry(&sums[w], items, group)))
            note_error(&sums[w], error_of(&sums[w], items));

    /* The lesson: what does it cost? */
    for (size_t w = 0; w < count; w++)
        buffer_poison(device, sums[w].sums_buffer);
    const struct ratio ratio = contest_time(&contest, PLAIN, NEUMAIER);

    /* The result. */
    report_say(&step.report, "Random numbers from 0 to 1: all within %.3g ulp.%s",
               worst, count > DOUBLE ? "" : "  (This device has no double.)");
    report_headline(&step.report, "a plain sum against Neumaier's", ratio,
                    "A core is not limited by memory here: more work takes longer.");
    return step_close(&step);
}
