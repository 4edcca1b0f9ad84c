/* Step 02: timing: what the clock really measures
 *
 * Step 01 computed a dot product, but did not say how long that takes.  Here the same
 * launch is timed in three ways, which give three answers.  Only one of them is the
 * time that the kernel needs.
 *
 * Read with  kernels/step02_dot_timed.cl, docs/step02_dot_timed.md
 * Try        --size 10000000: which rows grow, and which stay as they are?
 * Lens       --size 16384
 */
#include "buffer.h"
#include "check.h"
#include "compare.h"
#include "data.h"
#include "report.h"

#include <math.h>
#include <stdlib.h>

enum { REPEATS = 21 };

static double dot_on_host(const float *x, const float *y, size_t n) {
    double sum = 0.0;
    for (size_t i = 0; i < n; i++)
        sum += (double)x[i] * (double)y[i];
    return sum;
}

/* Did the last launch leave the right sum? */
static bool is_right(struct device *device, cl_mem sum_buffer, double expected) {
    float sum;
    buffer_read(device, sum_buffer, &sum, sizeof sum);
    return equal_sum((double)sum, expected);
}

/* The moments that the event of a command keeps.  OpenCL numbers them in this order:
 * CL_PROFILING_COMMAND_QUEUED, _SUBMIT, _START, _END. */
enum { QUEUED, SUBMITTED, START, END, MOMENTS };

/* The three times of each launch, in milliseconds. */
struct samples {
    double *enqueue, *finish, *device;
};

/* Launches `count` times.  A launch waits in the queue, and then its kernel runs.  The
 * exercise changes a line here, so we check that both times add up to the whole. */
static bool launch_in_three_ways(struct device *device, const struct launch *launch,
                                 struct samples ms, int count) {
    bool right = true;
    for (int i = 0; i < count; i++) {
        cl_event event;
        cl_ulong ns[MOMENTS];
        CHECK(clFinish(device->queue)); /* nothing else is pending */

        const double begin_ms = now_ms();
        CHECK(clEnqueueNDRangeKernel(device->queue, launch->kernel, 1, NULL,
                                     launch->global, launch->local, 0, NULL, &event));
        ms.enqueue[i] = now_ms() - begin_ms; /* it is in the queue, no more */
        CHECK(clFinish(device->queue));
        ms.finish[i] = now_ms() - begin_ms; /* now it has run */

        for (cl_uint m = QUEUED; m < MOMENTS; m++) /* in ns, by the device's clock */
            CHECK(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_QUEUED + m,
                                          sizeof *ns, &ns[m], NULL));
        /* exercise { */
        ms.device[i] = (double)(ns[END] - ns[START]) * 1e-6; /* the kernel alone */
        /* } exercise */
        const double all_ms = (double)(ns[END] - ns[QUEUED]) * 1e-6,
                     waited_ms = (double)(ns[START] - ns[QUEUED]) * 1e-6;
        if (right && !(fabs(waited_ms + ms.device[i] - all_ms) < 0.5e-6))
            right = wrong("%.6f ms in the queue and %.6f ms in the kernel are not the "
                          "%.6f ms from QUEUED to END",
                          waited_ms, ms.device[i], all_ms);
        CHECK(clReleaseEvent(event));
    }
    return right;
}

/* Completes a row with the median of its samples, and prints it. */
static struct timing print_row(struct report *report, struct row row,
                               const char *variant, const char *clock,
                               double *samples_ms, int count) {
    row.variant = variant;
    row.note = clock;
    row.time = timing_of(samples_ms, count);
    report_row(report, row);
    return row.time;
}

/* How long does it take to copy x to the device, by the host's clock? */
static void time_copies(struct device *device, cl_mem x_buffer, const float *x,
                        size_t bytes, double *times_ms, int count) {
    for (int i = 0; i < count; i++) {
        const double begin_ms = now_ms();
        buffer_write(device, x_buffer, x, bytes);
        times_ms[i] = now_ms() - begin_ms;
    }
}

int main(int argc, char **argv) {
    const struct usage usage = {.step = "step02_dot_timed",
                                .lesson = "the same launch, timed in three ways",
                                .size = 1 << 18};
    struct options options = options_read(argc, argv, &usage);
    struct device device = device_open(options.device);
    struct report report = report_start(&options, &device);
    const int repeats = options.repeats ? options.repeats : REPEATS;

    /* Data: two vectors of odd quarters, whose sum is exact. */
    const cl_uint n = device_check_size(&device, options.size, 2, sizeof(float));
    const size_t bytes = n * sizeof(float);
    float *x = small_numbers(n, options.seed + 1);
    float *y = small_numbers(n, options.seed + 2);
    const double expected = dot_on_host(x, y, n);
    cl_mem x_buffer = buffer_from(&device, x, bytes);
    cl_mem y_buffer = buffer_new(&device, bytes);
    cl_mem sum_buffer = buffer_new(&device, sizeof(float));
    double *times = allocate(3 * (size_t)repeats, sizeof *times);
    const struct samples ms = {times, times + repeats, times + 2 * repeats};

    /* Before the first launch: the driver compiles the kernel, and data are copied. */
    struct row row = {.size = n, .right = true, .by_host = true};
    const double begin_ms = now_ms();
    cl_kernel dot = kernel_load(&device, &options, "dot_timed");
    times[0] = now_ms() - begin_ms;
    print_row(&report, row, "compile", "once", times, 1);
    time_copies(&device, y_buffer, y, bytes, times, repeats);
    row.bytes = (double)bytes;
    print_row(&report, row, "copy one vector", "host's clock", times, repeats);

    /* The first launch does what every launch does, and some things only once. */
    kernel_args(dot, ARG(x_buffer), ARG(y_buffer), ARG(sum_buffer), ARG(n));
    const struct launch launch = launch_1d(dot, 1, 1);
    row = (struct row){.size = n, .by_host = true};
    row.right = launch_in_three_ways(&device, &launch, ms, 1) &&
                is_right(&device, sum_buffer, expected);
    print_row(&report, row, "first launch", "once", ms.finish, 1);

    /* The lesson: the same launch again and again, in three ways. */
    buffer_make_tiny(&device, x_buffer, x, n);
    row.right = launch_in_three_ways(&device, &launch, ms, repeats) && row.right &&
                right_when_tiny(is_right(&device, sum_buffer, expected * (double)TINY));
    const struct ratio ratio = ratio_of(ms.enqueue, ms.finish, repeats);
    const struct timing enqueue = print_row(&report, row, "until it was enqueued",
                                            "host's clock", ms.enqueue, repeats);
    print_row(&report, row, "until it finished", "host's clock", ms.finish, repeats);
    row.by_host = false;
    row.bytes = 2.0 * (double)bytes;
    row.limit = report.limits.read;
    print_row(&report, row, "from start to end", "device's clock", ms.device, repeats);
    report_headline(&report, "enqueued, not finished", ratio, NULL);
    report_say(&report, "By the time until it was enqueued, the kernel read %.3g GB/s.",
               row.bytes * 1e-6 / enqueue.median_ms);
    device_close(&device); /* with its buffers and kernels */
    free(times);
    free(y);
    free(x);
    return report_end(&report);
}
