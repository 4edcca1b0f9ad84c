/* Step 03: 32 work-items side by side
 *
 * In step 02 one work-item waited for memory, element after element.  Here 32 of them
 * share the work, and in every round they read 32 neighbouring elements.
 *
 * Read with  kernels/step03_dot_coalesced.cl, docs/step03_dot_coalesced.md
 * Try        other values of ITEMS.  When does it stop getting faster, and why?
 * Lens       --size 16384
 */
#include "buffer.h"
#include "compare.h"
#include "data.h"
#include "report.h"

#include <math.h>
#include <stdlib.h>

enum { ITEMS = 32 };

static double dot_on_host(const float *x, const float *y, size_t n) {
    double sum = 0.0;
    for (size_t i = 0; i < n; i++)
        sum += (double)x[i] * y[i];
    return sum;
}

/* Adds up what the work-items of the last launch left behind. */
static double sum_left(struct device *device, struct launch launch, cl_mem buffer) {
    float sums[ITEMS];
    buffer_read(device, buffer, sums, launch.global[0] * sizeof *sums);
    double sum = 0.0;
    for (size_t i = 0; i < launch.global[0]; i++)
        sum += sums[i];
    return sum;
}

static double dot_on_device(struct device *device, struct launch launch,
                            cl_mem buffer) {
    buffer_poison(device, buffer);
    launch_ms(device, &launch);
    return sum_left(device, launch, buffer);
}

int main(int argc, char **argv) {
    struct options options = options_read(argc, argv, "step03_dot_coalesced", 1 << 18);
    struct device device = device_open(options.device);
    struct report report = report_start(&options, &device);

    /* Two vectors of odd halves: every order of adding gives the same sum. */
    const cl_uint n = device_fits(&device, options.size, 2, sizeof(float));
    const size_t bytes = n * sizeof(float);
    float *x = small_numbers(n, options.seed + 1);
    float *y = small_numbers(n, options.seed + 2);
    cl_mem x_buffer = buffer_from(&device, x, bytes);
    cl_mem y_buffer = buffer_from(&device, y, bytes);
    cl_mem sum_buffer = buffer_new(&device, sizeof(float));
    cl_mem sums_buffer = buffer_new(&device, ITEMS * sizeof(float));

    /* The lesson: the same arguments and the same work, for 1 work-item and for 32. */
    cl_kernel alone = kernel_load(&device, &options, "dot_single");
    cl_kernel together = kernel_load(&device, &options, "dot_coalesced");
    kernel_args(alone, ARG(x_buffer), ARG(y_buffer), ARG(sum_buffer), ARG(n));
    kernel_args(together, ARG(x_buffer), ARG(y_buffer), ARG(sums_buffer), ARG(n));
    const struct launch single = launch_1d(alone, 1, 1);
    const struct launch side_by_side = launch_1d(together, ITEMS, ITEMS);

    /* First right, then timed, and still right after that. */
    const double expected = dot_on_host(x, y, n);
    bool single_right = equal_sum(dot_on_device(&device, single, sum_buffer), expected);
    bool right = equal_sum(dot_on_device(&device, side_by_side, sums_buffer), expected);
    struct timing times[2];
    const struct ratio ratio =
        time_in_turn(&device, side_by_side, single, options.repeats, times);
    single_right =
        single_right &&
        right_again(equal_sum(sum_left(&device, single, sum_buffer), expected));
    right = right && right_again(equal_sum(sum_left(&device, side_by_side, sums_buffer),
                                           expected));

    struct row row = {.variant = "1 work-item", .size = n, .time = times[1]};
    row.right = single_right;
    row.bytes = 2.0 * (double)bytes;
    row.limit = report.limits.read;
    report_row(&report, row);
    row.variant = "32 work-items";
    row.time = times[0];
    row.right = right;
    report_row(&report, row);
    report_say(&report, "32 work-items are %.2f times as fast as one (%.2f to %.2f).",
               ratio.median, ratio.low, ratio.high);
    if (device.is_cpu && ratio.median < 2.0)
        report_say(
            &report,
            "A CPU core runs them one after another, each through the whole vectors.\n"
            "Side by side is what a GPU does.");

    /* The same launch on 1/1, 1/2, 1/3 ... */
    float *series = reciprocals(n);
    buffer_write(&device, x_buffer, series, bytes);
    buffer_write(&device, y_buffer, series, bytes);
    report_say(&report, "pi is about %.7f.",
               sqrt(6.0 * dot_on_device(&device, side_by_side, sums_buffer)));

    device_close(&device);
    free(series);
    free(y);
    free(x);
    return report_end(&report);
}
