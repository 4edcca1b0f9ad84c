/* Step 15b: number width: what each byte of a number costs
 *
 * In step 15 we chose how many numbers a work-item loads.  How wide each of them is can
 * be chosen, too: a half has 2 bytes, a float 4, a double 8.  Memory delivers bytes, so
 * narrow numbers are faster.  But what have they lost?  Here is a sum in which you see
 * it: 1 + 1/4 + 1/9 + 1/16 ... is pi^2 / 6.
 *
 * Read with  kernels/step15b_number_width.cl, docs/step15b_number_width.md
 * Try        TERMS = 4096, then 2048: which rows change, and why not all?
 * Lens       --size 65536 squares_half squares_float squares_double squares_half_pairs
 * Story      load_sectors squares_half squares_float@2048
 */
#include "contest.h"

#include <CL/cl_half.h>
#include <math.h>

enum {
    TERMS = 1 << 20,     /* of the series, which a single work-item adds up */
    MAX_ITEMS = 1 << 18, /* where many work-items share the numbers ... */
    MIN_EACH = 32,       /* ... and each of them has at least so many */
    GROUP = 256
};

static const struct sizes sizes = {.cpu = 1 << 22, .cpu_full = 1 << 24, .gpu = 1 << 27};

/* ---- The kernels' additions on the host.  A double holds each half and each float. */

/* cl_half_to_float() shifts the sign into that of an int, which C leaves undefined. */
static float half_value(cl_half half) {
    float magnitude = cl_half_to_float(half & 0x7FFF);

    return half & 0x8000 ? -magnitude : magnitude;
}

static float nearest_half(float x) {
    return half_value(cl_half_from_float(x, CL_HALF_RTE));
}

static double add_to_float(double sum, double x) {
    return (double)fmaf((float)x, (float)x, (float)sum);
}

static double add_to_half(double sum, double x) {
    return (double)nearest_half((float)add_to_float(sum, x));
}

static double add_to_double(double sum, double x) {
    return fma(x, x, sum);
}

/* Of two halves a float holds the whole product, and enough of the sum. */
static double add_in_half(double sum, double x) {
    return (double)nearest_half((float)sum + nearest_half((float)x * (float)x));
}

/* ---- The variants: how wide are the numbers, and how wide is their sum? */

enum width { HALF, FLOAT, DOUBLE, WIDTHS };
static const size_t bytes_of[WIDTHS] = {sizeof(cl_half), sizeof(cl_float),
                                        sizeof(cl_double)};

struct way {
    const char *name, *kernel;
    enum width width, sum_width; /* a float holds the sums of halves, too */
    double (*add)(double sum, double x);
    bool backwards;
    bool pairs;            /* does a load bring two numbers? */
    const char *extension; /* which the device must have */
};

/* By one work-item, one number after another. */
static const struct way alone[] = {{.name = "half, 1 work-item",
                                    .kernel = "half_sum",
                                    .width = HALF,
                                    .sum_width = FLOAT,
                                    .add = add_to_half},
                                   {.name = "float, 1 work-item",
                                    .kernel = "squares_float",
                                    .width = FLOAT,
                                    .sum_width = FLOAT,
                                    .add = add_to_float},
                                   {.name = "float, 1, backwards",
                                    .kernel = "float_backwards",
                                    .width = FLOAT,
                                    .sum_width = FLOAT,
                                    .add = add_to_float,
                                    .backwards = true},
                                   {.name = "double, 1 work-item",
                                    .kernel = "squares_double",
                                    .width = DOUBLE,
                                    .sum_width = DOUBLE,
                                    .add = add_to_double,
                                    .extension = "cl_khr_fp64"}};

/* By many work-items.  The headline compares the first two. */
static const struct way together[] = {{.name = "half in memory",
                                       .kernel = "squares_half",
                                       .width = HALF,
                                       .sum_width = FLOAT,
                                       .add = add_to_float},
                                      {.name = "float",
                                       .kernel = "squares_float",
                                       .width = FLOAT,
                                       .sum_width = FLOAT,
                                       .add = add_to_float},
                                      {.name = "double",
                                       .kernel = "squares_double",
                                       .width = DOUBLE,
                                       .sum_width = DOUBLE,
                                       .add = add_to_double,
                                       .extension = "cl_khr_fp64"},
                                      {.name = "halves in pairs",
                                       .kernel = "squares_half_pairs",
                                       .width = HALF,
                                       .sum_width = FLOAT,
                                       .add = add_to_float,
                                       .pairs = true},
                                      {.name = "half arithmetic",
                                       .kernel = "squares_in_half",
                                       .width = HALF,
                                       .sum_width = HALF,
                                       .add = add_in_half,
                                       .extension = "cl_khr_fp16"}};
enum { HALF_IN_MEMORY, FLOAT_IN_MEMORY };

/* ---- The same numbers in three widths, here and on the device. */

struct numbers {
    struct step *step;
    cl_uint n;
    double *exact;
    float *floats, *halves; /* a float holds the value of each half */
    cl_mem buffers[WIDTHS];
    struct launch narrow;
};

static struct numbers *numbers_new(struct step *step, cl_uint n) {
    struct numbers *numbers = step_array(step, 1, sizeof *numbers);
    *numbers = (struct numbers){.step = step, .n = n};
    numbers->exact = step_array(step, n, sizeof *numbers->exact);
    numbers->floats = step_array(step, n, sizeof *numbers->floats);
    numbers->halves = step_array(step, n, sizeof *numbers->halves);
    for (int width = HALF; width < WIDTHS; width++)
        numbers->buffers[width] = buffer_new(&step->device, n * bytes_of[width]);
    numbers->narrow =
        LAUNCH(step, "narrow", n, step_group(step, GROUP), ARG(numbers->buffers[FLOAT]),
               ARG(numbers->buffers[HALF]), ARG(n));
    return numbers;
}

/* Writes the numbers in each width; the device itself makes halves of the floats. */
static void numbers_write(const struct numbers *numbers) {
    struct device *device = &numbers->step->device;
    for (cl_uint i = 0; i < numbers->n; i++) {
        numbers->floats[i] = (float)numbers->exact[i];
        numbers->halves[i] = nearest_half(numbers->floats[i]);
    }
    buffer_write(device, numbers->buffers[FLOAT], numbers->floats,
                 numbers->n * sizeof *numbers->floats);
    buffer_write(device, numbers->buffers[DOUBLE], numbers->exact,
                 numbers->n * sizeof *numbers->exact);
    buffer_poison(device, numbers->buffers[HALF]);
    launch_ms(device, &numbers->narrow);
}

/* Numbers that need all digits of a float, in no order: they show what is wrong. */
static void fill_long(const struct numbers *numbers) {
    const float *x = step_long_numbers(numbers->step, numbers->n, 1);
    for (cl_uint i = 0; i < numbers->n; i++)
        numbers->exact[i] = (double)x[i];
    numbers_write(numbers);
}

/* 1, 1/2, 1/3 ..., whose squares add up to pi^2 / 6. */
static void fill_reciprocals(const struct numbers *numbers) {
    for (cl_uint i = 0; i < numbers->n; i++)
        numbers->exact[i] = 1.0 / (i + 1.0);
    numbers_write(numbers);
}

static double number_at(const struct numbers *numbers, enum width width, cl_uint i) {
    if (width == DOUBLE)
        return numbers->exact[i];
    return (double)(width == FLOAT ? numbers->floats[i] : numbers->halves[i]);
}

/* ---- One way to add the squares of the first n numbers. */

static bool is_possible(const struct step *step, const struct way *way) {
    return !way->extension || device_has(step->device.id, way->extension);
}

struct sum {
    const struct numbers *numbers;
    const struct way *way;
    cl_uint n;
    double *ours; /* of each work-item: the host's, and the device's */
    void *theirs;
};

static double found_at(const struct sum *sum, size_t item) {
    switch (sum->way->sum_width) {
    case HALF:
        return (double)half_value(((const cl_half *)sum->theirs)[item]);
    case DOUBLE:
        return ((const double *)sum->theirs)[item];
    default:
        return (double)((const float *)sum->theirs)[item];
    }
}

/* Which work-item adds number i?  What no full round covers comes one at a time. */
static cl_uint item_of(const struct sum *sum, cl_uint i, cl_uint items) {
    const cl_uint each = sum->way->pairs ? 2 : 1;
    const cl_uint covered = sum->n / each / items * items * each;

    return i < covered ? i / each % items : (i - covered) % items;
}

static void add_on_host(const struct sum *sum, cl_uint items) {
    const struct way *way = sum->way;
    for (cl_uint item = 0; item < items; item++)
        sum->ours[item] = 0.0;
    for (cl_uint i = 0; i < sum->n; i++) {
        const cl_uint next = way->backwards ? sum->n - 1 - i : i;
        double *const ours = &sum->ours[item_of(sum, i, items)];
        *ours = way->add(*ours, number_at(sum->numbers, way->width, next));
    }
}

/* Has every work-item left the host's bits?  (Asked again, it has had the numbers that
 * it was asked about before.) */
static bool is_right(const struct entry *entry, bool again) {
    const struct sum *sum = entry->of;
    const cl_uint items = (cl_uint)entry->launch.global[0];
    if (!again)
        add_on_host(sum, items);
    buffer_read(&sum->numbers->step->device, entry->out, sum->theirs,
                items * bytes_of[sum->way->sum_width]);
    for (cl_uint item = 0; item < items; item++)
        if (found_at(sum, item) != sum->ours[item])
            return wrong_at(element_of_item("sums", item, &entry->launch),
                            found_at(sum, item), sum->ours[item]);
    return true;
}

static struct entry make_entry(const struct numbers *numbers, const struct way *way,
                               cl_uint n, size_t items, size_t group) {
    struct step *step = numbers->step;
    struct sum *sum = step_array(step, 1, sizeof *sum);
    *sum = (struct sum){.numbers = numbers, .way = way, .n = n};
    sum->ours = step_array(step, items, sizeof *sum->ours);
    sum->theirs = step_array(step, items, sizeof(double));
    struct entry entry = {.of = sum, .row.variant = way->name, .row.size = n};
    entry.row.bytes = (double)n * (double)bytes_of[way->width];
    entry.row.limit = step->report.limits.read;
    entry.out = buffer_new(&step->device, items * bytes_of[way->sum_width]);
    entry.launch = LAUNCH(step, way->kernel, items, group,
                          ARG(numbers->buffers[way->width]), ARG(entry.out), ARG(n));
    return entry;
}

/* Launches for the series, over the sums of other numbers.  Is it right, and which pi
 * is in it? */
static bool launch_for_pi(const struct entry *entry, double *pi) {
    const struct sum *sum = entry->of;
    struct device *device = &sum->numbers->step->device;
    launch_ms(device, &entry->launch);
    const bool right = is_right(entry, false);
    double all = 0.0;
    for (size_t item = 0; item < entry->launch.global[0]; item++)
        all += found_at(sum, item);
    *pi = sqrt(6.0 * all);
    return right;
}

/* The pi of the first n terms, if nothing is rounded: from the smallest on, a double
 * loses less than is printed. */
static double exact_pi(const struct numbers *numbers, cl_uint n) {
    double sum = 0.0;
    for (cl_uint i = n; i > 0; i--)
        sum += numbers->exact[i - 1] * numbers->exact[i - 1];
    return sqrt(6.0 * sum);
}

/* ---- The rows. */

/* One work-item, which is not timed: how many digits are left? */
static void report_alone(const struct entry *entry, bool right) {
    const struct sum *sum = entry->of;
    struct step *step = sum->numbers->step;
    struct row row = {.variant = entry->row.variant, .size = sum->n};
    double pi;
    row.right = launch_for_pi(entry, &pi) && right;
    row.note = step_text(step, "pi %.7f", pi);
    report_row(&step->report, row);
}

int main(int argc, char **argv) {
    struct step step;
    step_open(&step, argc, argv,
              &(struct usage){.step = "step15b_number_width",
                              .lesson = "the same sum of squares; how many bytes a "
                                        "number has differs"});
    const cl_uint n = step_size(&step, &sizes, 2, sizeof(double)),
                  terms = n < TERMS ? n : TERMS;
    const struct numbers *numbers = numbers_new(&step, n);
    const size_t group = step_group(&step, GROUP);
    size_t items = group;
    while (2 * items <= MAX_ITEMS && 2 * items * MIN_EACH <= n)
        items *= 2;

    /* All ways must be right for numbers in no order. */
    fill_long(numbers);
    struct contest contest = contest_begin(&step, is_right);
    struct entry by_one[COUNT(alone)];
    bool right[COUNT(alone)];
    size_t alone_count = 0;
    for (size_t w = 0; w < COUNT(alone); w++)
        if (is_possible(&step, &alone[w])) {
            struct entry *entry = &by_one[alone_count];
            *entry = make_entry(numbers, &alone[w], terms, 1, 1);
            right[alone_count++] = contest_check(&contest, *entry);
        }
    for (size_t w = 0; w < COUNT(together); w++)
        if (is_possible(&step, &together[w]))
            contest_add(&contest, make_entry(numbers, &together[w], n, items, group));

    /* What the width costs: the bytes, of the series.  (Timed launches must write every
     * sum once more.) */
    fill_reciprocals(numbers);
    for (size_t w = 0; w < contest.count; w++) {
        struct entry *entry = &contest.entries[w];
        double pi;
        contest_require(&contest, w, launch_for_pi(entry, &pi));
        entry->row.note = step_text(&step, "pi %.7f", pi);
        buffer_poison(&step.device, entry->out);
    }
    const struct ratio ratio = contest_time(&contest, HALF_IN_MEMORY, FLOAT_IN_MEMORY);

    /* What it is worth: the digits, if one work-item adds them all. */
    for (size_t w = 0; w < alone_count; w++)
        report_alone(&by_one[w], right[w]);
    report_say(&step.report, "If nothing were rounded, these terms would give pi %.7f.",
               exact_pi(numbers, terms));
    if (!device_has(step.device.id, "cl_khr_fp64"))
        report_say(&step.report, "This device has no double.");

    /* The result. */
    report_headline(&step.report, "half in memory, not float", ratio,
                    "A core needs longer to convert a half than to load a float.");
    return step_close(&step);
}
