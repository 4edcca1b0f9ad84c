/* Step 02: what the clock really measures
 *
 * Step 01 said what the dot product is, not how long it takes.  Three clocks around the
 * same launch give three answers, and two of them are no answer at all.
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

/* The same launch by three clocks, in milliseconds. */
struct clocks {
    double enqueue, finish, device;
};

static struct clocks launch_by_three_clocks(struct device *device,
                                            struct launch launch) {
    struct clocks clocks;
    cl_event event;
    cl_ulong start_ns, end_ns;
    CHECK(clFinish(device->queue)); /* nothing else is under way */

    const double begin_ms = now_ms();
    CHECK(clEnqueueNDRangeKernel(device->queue, launch.kernel, 1, NULL, launch.global,
                                 launch.local, 0, NULL, &event));
    clocks.enqueue = now_ms() - begin_ms; /* the launch is handed over, no more */
    CHECK(clFinish(device->queue));
    clocks.finish = now_ms() - begin_ms; /* now it is done */

    CHECK(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof start_ns,
                                  &start_ns, NULL));
    CHECK(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof end_ns,
                                  &end_ns, NULL));
    clocks.device = (double)(end_ns - start_ns) * 1e-6; /* the work alone */
    CHECK(clReleaseEvent(event));
    return clocks;
}

/* One row of the table, from the samples of one clock. */
static struct timing report_clock(struct report *report, const char *variant,
                                  const char *clock, double *samples_ms, int count,
                                  struct row row) {
    row.variant = variant;
    row.note = clock;
    row.time = timing_of(samples_ms, count);
    report_row(report, row);
    return row.time;
}

/* Did the last launch leave the right sum? */
static bool is_right(struct device *device, cl_mem sum_buffer, double expected) {
    float sum;
    buffer_read(device, sum_buffer, &sum, sizeof sum);
    return equal_sum((double)sum, expected);
}

/* The lesson: the same launch, again and again, by three clocks.  Each launch writes
 * over what the one before it left. */
static void compare_clocks(struct report *report, struct device *device,
                           struct launch launch, int repeats, struct row row,
                           cl_mem sum_buffer, double expected) {
    double *enqueue_ms = allocate(3 * (size_t)repeats, sizeof *enqueue_ms);
    double *finish_ms = enqueue_ms + repeats, *device_ms = finish_ms + repeats;
    for (int i = 0; i < repeats; i++) {
        const struct clocks clocks = launch_by_three_clocks(device, launch);
        enqueue_ms[i] = clocks.enqueue;
        finish_ms[i] = clocks.finish;
        device_ms[i] = clocks.device;
    }
    row.right = row.right && right_again(is_right(device, sum_buffer, expected));
    const struct row time_only = {.size = row.size, .right = row.right};
    const struct timing enqueue =
        report_clock(report, "around the enqueue", "host clock: the trap", enqueue_ms,
                     repeats, time_only);
    const struct timing finish = report_clock(report, "until it finished", "host clock",
                                              finish_ms, repeats, time_only);
    const struct timing work =
        report_clock(report, "by its events", "device clock", device_ms, repeats, row);
    free(enqueue_ms);

    report_say(
        report,
        "The enqueue returned when the launch was handed over; until it was done, "
        "%.3g\n"
        "times as long passed.  Taken at its word, it would have read %.3g GB/s.",
        finish.median_ms / enqueue.median_ms, row.bytes * 1e-6 / enqueue.median_ms);
    cl_uint mhz;
    CHECK(clGetDeviceInfo(device->id, CL_DEVICE_MAX_CLOCK_FREQUENCY, sizeof mhz, &mhz,
                          NULL));
    const double ns = work.median_ms * 1e6 / (double)row.size, clocks = ns * mhz * 1e-3;
    report_say(report, "One element took %.3g ns: %.3g clocks at %u MHz.", ns, clocks,
               mhz);
    if (clocks > 1.5)
        report_say(report,
                   "A multiply-add can start in every clock.  The rest is waiting: "
                   "for memory,\nor for the sum before.");
}

int main(int argc, char **argv) {
    struct options options = options_read(argc, argv, "step02_dot_timed", 1 << 18);
    struct device device = device_open(options.device);
    struct report report = report_start(&options, &device);
    const cl_uint n = device_fits(&device, options.size, 2, sizeof(float));
    const size_t bytes = n * sizeof(float);
    const int repeats = options.repeats ? options.repeats : REPEATS;
    float *x = small_numbers(n, options.seed + 1);
    float *y = small_numbers(n, options.seed + 2), sum;
    const double expected = dot_on_host(x, y, n);
    cl_mem x_buffer = buffer_from(&device, x, bytes);
    cl_mem y_buffer = buffer_new(&device, bytes);
    cl_mem sum_buffer = buffer_new(&device, sizeof sum);

    /* Before the first launch: the driver compiles, and the data has to come. */
    double once_ms = now_ms(), *samples_ms = allocate((size_t)repeats, sizeof(double));
    struct row row = {.size = n, .right = true};
    cl_kernel dot = kernel_load(&device, &options, "dot_timed");
    once_ms = now_ms() - once_ms;
    report_clock(&report, "compile", "host clock, once", &once_ms, 1, row);
    for (int i = 0; i < repeats; i++) {
        const double begin_ms = now_ms();
        buffer_write(&device, y_buffer, y, bytes);
        samples_ms[i] = now_ms() - begin_ms;
    }
    row.bytes = (double)bytes;
    report_clock(&report, "bring one vector", "host clock", samples_ms, repeats, row);

    /* The first launch does what every launch does, and some things only once. */
    kernel_args(dot, ARG(x_buffer), ARG(y_buffer), ARG(sum_buffer), ARG(n));
    const struct launch launch = launch_1d(dot, 1, 1);
    once_ms = launch_by_three_clocks(&device, launch).finish;
    row = (struct row){.size = n, .right = is_right(&device, sum_buffer, expected)};
    report_clock(&report, "first launch", "host clock, once", &once_ms, 1, row);

    row.bytes = 2.0 * (double)bytes;
    row.limit = report.limits.read;
    compare_clocks(&report, &device, launch, repeats, row, sum_buffer, expected);

    /* The article's vectors, 1/1, 1/2, 1/3 ... */
    float *series = reciprocals(n);
    buffer_write(&device, x_buffer, series, bytes);
    buffer_write(&device, y_buffer, series, bytes);
    launch_ms(&device, &launch);
    buffer_read(&device, sum_buffer, &sum, sizeof sum);
    report_say(&report, "pi is about %.7f.", sqrt(6.0 * (double)sum));

    device_close(&device);
    free(series);
    free(samples_ms);
    free(y);
    free(x);
    return report_end(&report);
}
