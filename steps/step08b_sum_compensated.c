/* Step 08b: what rounding cuts off, and how to keep it
 *
 * In step 08 a better order made the error small.  A work-item that adds its elements
 * one after another can do better still: it keeps what each addition cuts off.  What
 * does that cost?
 *
 * Read with  kernels/step08b_sum_compensated.cl, docs/step08b_sum_compensated.md
 * Try        EACH = 4, then 1024: which errors change, and why?
 * Lens       --size 65536
 * Story      load_sectors sum_kahan sum_plain
 */
#include "measure/ulp.h"
#include "step.h"

#include <math.h>
#include <string.h>

enum { GROUP = 64, MAX_ITEMS = 1 << 18, EACH = 64 };
static const struct sizes sizes = {.cpu = 1 << 22, .cpu_full = 1 << 27, .gpu = 1 << 27};

/* What a work-item leaves. */
union kept {
    struct {
        float sum, rest;
    };
    int64_t units; /* of 2^-24 */
    double number;
};

/* The kernels' additions on the host. */
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

enum { PLAIN, NEUMAIER, DOUBLE = 5, WAYS };
static const struct way {
    const char *name, *kernel;
    void (*add)(union kept *to, float x);
} ways[] = {{"plain, for comparison", "sum_plain", plain_add},
            {"Neumaier", "sum_neumaier", neumaier_add},
            {"Kahan", "sum_kahan", kahan_add},
            {"double-float", "sum_double_float", double_float_add},
            {"fixed point", "sum_fixed", fixed_add},
            {"double", "sum_double", double_add}};

/* One way to add, on the device and on the host. */
struct sum {
    const struct way *way;
    struct launch launch;
    cl_mem buffer;
    union kept *ours, *theirs; /* of each work-item */
    bool right;
    double error; /* in ulp */
};

static struct sum make_sum(struct step *step, const struct way *way, size_t items,
                           size_t group, cl_mem x_buffer, cl_uint n) {
    struct sum sum = {.way = way, .right = true};
    sum.buffer = buffer_new(&step->device, items * sizeof(union kept));
    sum.ours = step_array(step, items, sizeof(union kept));
    sum.theirs = step_array(step, items, sizeof(union kept));
    sum.launch =
        LAUNCH(step, way->kernel, items, group, ARG(x_buffer), ARG(sum.buffer), ARG(n));
    return sum;
}

/* What a work-item has kept, exactly. */
static double value(const struct way *way, const union kept *kept) {
    return way->add == fixed_add    ? (double)kept->units * 0x1p-24
           : way->add == double_add ? kept->number
                                    : (double)kept->sum + (double)kept->rest;
}

/* Has every work-item kept the host's bits?  Then `error` is of the sum of all.  What
 * the work-items have kept is added exactly, so the error is theirs. */
static bool same_bits(struct device *device, struct sum *sum, const float *x,
                      size_t n) {
    const size_t items = sum->launch.global[0];
    int64_t all = 0;
    buffer_read(device, sum->buffer, sum->theirs, items * sizeof *sum->theirs);
    for (size_t i = 0; i < items; i++) {
        const double theirs = value(sum->way, &sum->theirs[i]);
        if (memcmp(&sum->theirs[i], &sum->ours[i], sizeof *sum->ours) != 0)
            return wrong_at(element_of_item("sums", i, &sum->launch), theirs,
                            value(sum->way, &sum->ours[i]));
        all += (int64_t)(theirs * 0x1p24);
    }
    sum->error = ulps_off((float)all * 0x1p-24f, exact_sum(x, n));
    return true;
}

/* Does each way add x right, with so many work-items?  Returns the largest error.  A
 * launch finds NaN where it writes, the first time, and then the sums of other x. */
static double check(struct device *device, struct sum *sums, size_t count, size_t items,
                    const float *x, size_t n) {
    double worst = 0.0;
    for (struct sum *sum = sums; sum < sums + count; sum++) {
        memset(sum->ours, 0, items * sizeof *sum->ours);
        for (size_t i = 0; i < n; i++)
            sum->way->add(&sum->ours[i % items], x[i]);
        sum->launch.global[0] = items;
        launch_ms(device, &sum->launch);
        sum->right = same_bits(device, sum, x, n) && sum->right;
        worst = fmax(worst, sum->error);
    }
    return worst;
}

int main(int argc, char **argv) {
    struct step step;
    step_open(&step, argc, argv, &(struct usage){.step = "step08b_sum_compensated"});
    struct device *device = &step.device;
    const cl_uint n = step_size(&step, &sizes, 1, sizeof(float));
    float *x = step_array(&step, n, sizeof *x);
    cl_mem x_buffer = buffer_new(device, n * sizeof *x);
    const size_t count = device_has(device->id, "cl_khr_fp64") ? WAYS : DOUBLE;
    const size_t group = step_group(&step, GROUP);
    size_t items = group;
    while (items < MAX_ITEMS && items * EACH < n)
        items *= 2;
    struct sum sums[WAYS];
    for (size_t w = 0; w < count; w++)
        sums[w] = make_sum(&step, &ways[w], items, group, x_buffer, n);

    /* Each way must be right for random numbers from 0 to 1, and for numbers that
     * cancel each other: by fewer work-items, which have more to add, and by all of
     * them. */
    random_numbers(x, n, step.options.seed + 8);
    buffer_write(device, x_buffer, x, n * sizeof *x);
    const double worst = check(device, sums, count, items, x, n);
    cancelling_numbers(x, n, step.options.seed + 8);
    buffer_write(device, x_buffer, x, n * sizeof *x);
    check(device, sums, count, items / 16 > group ? items / 16 : group, x, n);
    check(device, sums, count, items, x, n);

    /* The lesson: what does it cost?  The first two alternate. */
    struct timing times[2];
    const int repeats = step.options.repeats;
    for (size_t w = 0; w < count; w++)
        buffer_poison(device, sums[w].buffer);
    const struct ratio ratio =
        time_pair(device, sums[PLAIN].launch, sums[NEUMAIER].launch, repeats, times);
    for (size_t w = 0; w < count; w++) {
        char note[32] = "no digit is right";
        struct row row = {.variant = ways[w].name, .size = n, .note = note};
        row.time =
            w <= NEUMAIER ? times[w] : time_launches(device, sums[w].launch, repeats);
        row.bytes = (double)n * sizeof *x;
        row.limit = step.report.limits.read;
        row.right = sums[w].right && right_again(same_bits(device, &sums[w], x, n));
        if (sums[w].error < 0x1p23)
            snprintf(note, sizeof note, "%.0f ulp off", sums[w].error);
        report_row(&step.report, row);
    }

    /* The result. */
    report_say(&step.report, "Random numbers from 0 to 1: all within %.3g ulp.%s",
               worst, count > DOUBLE ? "" : "  (This device has no double.)");
    report_headline(&step.report, "a plain sum against Neumaier's", ratio);
    if (device->is_cpu)
        report_say(&step.report, "A CPU core waits for each addition, not for memory.");
    return step_close(&step);
}
