/* Step 05: the same work, scattered
 *
 * In steps 03 and 04 neighbouring work-items read neighbouring elements.  Here they do
 * the same work, and read the same elements, but not side by side.
 *
 * Read with  kernels/step05_dot_strided.cl, docs/step05_dot_strided.md
 * Try        GROUP = 32: what becomes of the ratios, and why?
 * Lens       --size 2097152
 */
#include "buffer.h"
#include "compare.h"
#include "data.h"
#include "report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { GROUP = 256, ITEMS = 1 << 18, FARTHEST = 64, SIZE = 65536 * 2048 };

static double dot_on_host(const float *x, const float *y, size_t n) {
    double sum = 0.0;
    for (size_t i = 0; i < n; i++)
        sum += (double)x[i] * (double)y[i];
    return sum;
}

/* A launch, and where its work-items leave their sums. */
struct work {
    struct launch launch;
    cl_mem sums_buffer;
    float *sums;
};

/* Adds up what the work-items of the last launch left behind. */
static double sum_left(struct device *device, const struct work *work) {
    const size_t items = work->launch.global[0];
    buffer_read(device, work->sums_buffer, work->sums, items * sizeof *work->sums);
    double sum = 0.0;
    for (size_t i = 0; i < items; i++)
        sum += (double)work->sums[i];
    return sum;
}

static double dot_on_device(struct device *device, const struct work *work) {
    buffer_poison(device, work->sums_buffer);
    launch_ms(device, &work->launch);
    return sum_left(device, work);
}

/* Rows for the same number of work-items side by side and scattered, and their ratio.
 */
static struct ratio compare(struct report *report, struct device *device,
                            const struct work works[2], struct row row,
                            double expected) {
    static const char *const shapes[] = {"items side by side", "items, own chunks"};
    struct timing times[2];
    bool right[2];
    for (int i = 0; i < 2; i++)
        right[i] = equal_sum(dot_on_device(device, &works[i]), expected);
    const struct ratio ratio = time_in_turn(device, works[0].launch, works[1].launch,
                                            report->options->repeats, times);
    for (int i = 0; i < 2; i++) {
        char variant[64];
        snprintf(variant, sizeof variant, "%zu %s", works[i].launch.global[0],
                 shapes[i]);
        row.variant = variant;
        row.time = times[i];
        row.right =
            right[i] && right_again(equal_sum(sum_left(device, &works[i]), expected));
        report_row(report, row);
    }
    report_say(report, "%28s %.2f times as long (%.2f to %.2f)", "", ratio.median,
               ratio.low, ratio.high);
    return ratio;
}

int main(int argc, char **argv) {
    struct options options = options_read(argc, argv, "step05_dot_strided", SIZE);
    struct device device = device_open(options.device);
    struct report report = report_start(&options, &device);

    /* The large problem of step 04; an eighth of it where a row would take seconds. */
    if (device.is_cpu && !options.full && !options.size_given)
        options.size /= 8;
    const cl_uint n = device_fits(&device, options.size, 2, sizeof(float));
    float *x = small_numbers(n, options.seed + 1);
    float *y = small_numbers(n, options.seed + 2);
    float *sums = allocate(ITEMS, sizeof *sums);
    const double expected = dot_on_host(x, y, n);
    cl_mem x_buffer = buffer_from(&device, x, n * sizeof *x);
    cl_mem y_buffer = buffer_from(&device, y, n * sizeof *y);
    cl_mem sums_buffer = buffer_new(&device, ITEMS * sizeof *sums);
    cl_mem far_sums_buffer = buffer_new(&device, ITEMS * sizeof *sums);
    struct row row = {.size = n, .limit = report.limits.read};
    row.bytes = 2.0 * n * sizeof(float);

    /* The article's comparison, for few work-items and for many. */
    cl_kernel near = kernel_load(&device, &options, "dot_side_by_side");
    cl_kernel far = kernel_load(&device, &options, "dot_own_chunk");
    kernel_args(near, ARG(x_buffer), ARG(y_buffer), ARG(sums_buffer), ARG(n));
    kernel_args(far, ARG(x_buffer), ARG(y_buffer), ARG(far_sums_buffer), ARG(n));
    struct ratio ratio = {0};
    for (size_t items = 4096; items <= ITEMS; items *= 8) {
        const struct work works[] = {
            {launch_1d(near, items, GROUP), sums_buffer, sums},
            {launch_1d(far, items, GROUP), far_sums_buffer, sums}};
        ratio = compare(&report, &device, works, row, expected);
    }

    /* In between: how far apart may neighbours be?  Each has a full round, at least. */
    cl_kernel strided = kernel_load(&device, &options, "dot_strided");
    size_t items = ITEMS;
    while (items * FARTHEST > n && items > GROUP)
        items /= 2;
    const struct work work = {launch_1d(strided, items, GROUP), sums_buffer, sums};
    for (cl_uint stride = 1; stride <= FARTHEST; stride *= 2) {
        char variant[64];
        kernel_args(strided, ARG(x_buffer), ARG(y_buffer), ARG(sums_buffer), ARG(n),
                    ARG(stride));
        snprintf(variant, sizeof variant, "stride %u", stride);
        row.variant = variant;
        row.note =
            items * stride > n ? "not one full round: try a larger --size" : NULL;
        row.right = equal_sum(dot_on_device(&device, &work), expected);
        row.time = time_launches(&device, work.launch, options.repeats);
        row.right =
            row.right && right_again(equal_sum(sum_left(&device, &work), expected));
        report_row(&report, row);
    }
    if (device.is_cpu && ratio.median < 1.0)
        report_say(
            &report,
            "Here the lesson runs backwards: a CPU core works through one\n"
            "work-item after another, and a chunk of its own is what its cache likes.");

    /* The article's vectors, 1/1, 1/2, 1/3 ... */
    float *series = reciprocals(n);
    buffer_write(&device, x_buffer, series, n * sizeof *series);
    buffer_write(&device, y_buffer, series, n * sizeof *series);
    const struct work again = {launch_1d(near, 4096, GROUP), sums_buffer, sums};
    report_say(&report, "pi is about %.7f.",
               sqrt(6.0 * dot_on_device(&device, &again)));

    device_close(&device);
    free(series);
    free(sums);
    free(y);
    free(x);
    return report_end(&report);
}
