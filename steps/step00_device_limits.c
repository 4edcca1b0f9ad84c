/* Step 00: know your device: what it is, and its measured limits
 *
 * Every later step says how close it comes to what this device can do at best.  Here
 * that is measured: how long a launch takes, how fast data are copied to the device and
 * back, how fast it reads and writes its own memory, and how fast it multiplies and
 * adds.
 *
 * This is a tool: run it now, and read it after step 10.
 *
 * Read with  kernels/step00_device_limits.cl, docs/step00_device_limits.md
 * Try        --device with another number of `make devices`, if you have another
 * Lens       --size 65536
 * Races      --size 1003
 * Story      --size 65536
 */
#include "check.h"
#include "step.h"

#include <math.h>
#include <string.h>

enum { GROUP = 256, ITEMS_PER_UNIT = 4096, LAUNCHES = 501, TRANSFERS = 11 };
enum { MAX_TRANSFER = 1 << 28 };  /* bytes */
enum { LANES = 16, CHAINS = 10 }; /* of multiply-adds, see the kernels */
static const float filling = 1.5f, factor = 0.999f, term = 0.5f;

/* What the measurements share: n floats on the host and in a buffer, and as much room
 * for what comes back. */
struct study {
    struct step *step;
    struct device *device;
    size_t n;
    float *x, *found;
    cl_mem in, out;
};

/* Prints a row, and returns the rate of its fastest launch, in GB/s or GFLOP/s: that is
 * the limit, because nearly all disturbances make a launch slower. */
static double limit_of(struct study *study, struct row row) {
    report_row(&study->step->report, row);
    return (row.bytes + row.flops) * 1e-6 / row.time.fastest_ms;
}

/* ---- The cost of a command: an empty launch, until the host knows that it is done. */
static double measure_launch(struct study *study) {
    cl_command_queue queue = study->device->queue;
    double *samples_ms = step_array(study->step, LAUNCHES, sizeof *samples_ms);
    const struct launch empty =
        LAUNCH(study->step, "limit_launch", 1, 1, ARG(study->out));
    warm_up(study->device, &empty);
    for (int i = 0; i < LAUNCHES; i++) {
        const double begin_ms = now_ms();
        CHECK(clEnqueueNDRangeKernel(queue, empty.kernel, 1, NULL, empty.global,
                                     empty.local, 0, NULL, NULL));
        CHECK(clFinish(queue));
        samples_ms[i] = now_ms() - begin_ms;
    }
    struct row row = {"launch", 1, timing_of(samples_ms, LAUNCHES), .right = true};
    report_row(&study->step->report, row);
    return row.time.median_ms; /* usual, not best: it is compared with medians */
}

/* ---- Copies between the host's memory `data` and the device, by the host's clock.
 * Pinned memory stays where it is, so that the device can reach it by itself.  A copy
 * to the host needs x on the device, and a copy to the device needs x in `data`: what
 * the copy before has left. */
static double measure_transfer(struct study *study, const char *name, bool to_device,
                               float *data) {
    cl_command_queue queue = study->device->queue;
    const size_t all = study->n * sizeof *data;
    const size_t bytes = all < MAX_TRANSFER ? all : MAX_TRANSFER;
    double samples_ms[TRANSFERS];
    if (to_device)
        buffer_poison(study->device, study->out);
    else
        memset(data, 0xff, bytes);
    for (int i = -3; i < TRANSFERS; i++) { /* the first three warm up */
        const double begin_ms = now_ms();
        CHECK(to_device ? clEnqueueWriteBuffer(queue, study->out, CL_TRUE, 0, bytes,
                                               data, 0, NULL, NULL)
                        : clEnqueueReadBuffer(queue, study->out, CL_TRUE, 0, bytes,
                                              data, 0, NULL, NULL));
        CHECK(clFinish(queue)); /* a write may return before it has arrived */
        if (i >= 0)
            samples_ms[i] = now_ms() - begin_ms;
    }
    if (to_device) {
        data = study->found;
        memset(data, 0xff, bytes);
        buffer_read(study->device, study->out, data, bytes);
    }
    struct row row = {.variant = name, .size = bytes / sizeof *data};
    row.time = timing_of(samples_ms, TRANSFERS);
    row.right = memcmp(study->x, data, bytes) == 0;
    row.bytes = (double)bytes;
    return limit_of(study, row);
}

static double sum_on_host(const float *x, size_t n) {
    double sum = 0.0;
    for (size_t i = 0; i < n; i++)
        sum += (double)x[i];
    return sum;
}

/* ---- Kernels.  A GPU gets many work-items whose neighbours touch neighbouring
 * elements, and a CPU, whose kernels end in _blocks, one long block for each core. */
static struct launch make_launch(struct study *study, const char *name,
                                 size_t gpu_items) {
    const bool is_cpu = study->device->is_cpu;
    char full_name[64];
    snprintf(full_name, sizeof full_name, "%s%s", name, is_cpu ? "_blocks" : "");
    cl_kernel kernel = kernel_load(study->device, &study->step->options, full_name);
    return is_cpu ? launch_1d(kernel, study->device->units, 1)
                  : launch_1d(kernel, gpu_items, GROUP);
}

enum stream { READ, COPY, FILL };
static const struct {
    const char *name, *kernel, *use;
} streams[] = {{"read", "limit_read", "sums"},
               {"copy", "limit_copy", "filters"},
               {"fill", "limit_fill", "FizzBuzz"}};

/* Is the result of the last launch right: one sum for each work-item, a copy of x, or
 * the same number everywhere? */
static bool stream_right(struct study *study, enum stream stream, size_t items) {
    const float *x = study->x, *found = study->found;
    buffer_read(study->device, study->out, study->found, study->n * sizeof *x);
    if (stream == READ)
        return equal_sum(sum_on_host(found, items), sum_on_host(x, study->n));
    for (size_t i = 0; i < study->n; i++) {
        const float expected = stream == COPY ? x[i] : filling;
        if (!(found[i] == expected))
            return wrong_at(element("out", i), (double)found[i], (double)expected);
    }
    return true;
}

static double measure_stream(struct study *study, enum stream stream) {
    /* A GPU copies fastest with more work-items, and fills fastest with one work-item
     * for each vector. */
    const cl_uint vectors = (cl_uint)(study->n / (study->device->is_cpu ? 16 : 4));
    const size_t items = ITEMS_PER_UNIT * study->device->units,
                 gpu_items[] = {items, 4 * items, vectors};
    const struct launch launch =
        make_launch(study, streams[stream].kernel, gpu_items[stream]);
    if (stream == FILL)
        kernel_args(launch.kernel, ARG(study->out), ARG(filling), ARG(vectors));
    else
        kernel_args(launch.kernel, ARG(study->in), ARG(study->out), ARG(vectors));

    struct row row = {.variant = streams[stream].name, .size = study->n};
    row.bytes = (stream == COPY ? 2.0 : 1.0) * (double)study->n * sizeof(float);
    row.note = streams[stream].use;
    buffer_poison(study->device, study->out);
    launch_ms(study->device, &launch);
    row.right = stream_right(study, stream, launch.global[0]);
    row.time = time_launches(study->device, launch, study->step->options.repeats);
    row.right = row.right && right_again(stream_right(study, stream, launch.global[0]));
    return limit_of(study, row);
}

/* ---- How fast it multiplies and adds: the sum of one chain for each lane.  With this
 * factor and term, every value comes to rest near 500 and then stays the same. */
static double multiply_add_on_host(cl_uint rounds) {
    double sum = 0.0;
    for (int lane = 0; lane < LANES; lane++) {
        float value = (float)lane, before = -1.0f;
        for (cl_uint round = 0; round < rounds && value != before; round++) {
            before = value;
            value = fmaf(value, factor, term);
        }
        sum += (double)value;
    }
    return sum;
}

/* Is what the last launch left right, the sum of `rounds` rounds for each chain? */
static bool multiply_add_right(struct study *study, const struct launch *launch,
                               double chains, cl_uint rounds) {
    const float *found = study->found;
    const double expected = chains * multiply_add_on_host(rounds);
    buffer_read(study->device, study->out, study->found,
                launch->global[0] * sizeof *found);
    for (size_t i = 0; i < launch->global[0]; i++)
        if (!(fabs((double)found[i] - expected) <= 1e-5 * expected))
            return wrong_at(element("out", i), (double)found[i], expected);
    return true;
}

/* Two operations for each lane, chain and round.  Few rounds must be right, so that one
 * that is left out shows; then as many are timed as take some milliseconds. */
static double measure_multiply_add(struct study *study) {
    const double chains = study->device->is_cpu ? CHAINS : 1;
    const struct launch launch =
        make_launch(study, "limit_fma", ITEMS_PER_UNIT * study->device->units);
    struct row row = {.variant = "multiply-add", .size = launch.global[0]};
    row.note = "matrix product";
    buffer_poison(study->device, study->out);
    cl_uint rounds = 1024;
    kernel_args(launch.kernel, ARG(study->out), ARG(factor), ARG(term), ARG(rounds));
    double ms = launch_ms(study->device, &launch);
    row.right = multiply_add_right(study, &launch, chains, rounds);
    while (ms < 8.0 && rounds < 1u << 30) {
        rounds *= 2;
        kernel_args(launch.kernel, ARG(study->out), ARG(factor), ARG(term),
                    ARG(rounds));
        ms = launch_ms(study->device, &launch);
    }
    row.flops = 2.0 * LANES * chains * rounds * (double)row.size;
    row.time = time_launches(study->device, launch, study->step->options.repeats);
    row.right =
        row.right && right_again(multiply_add_right(study, &launch, chains, rounds));
    return limit_of(study, row);
}

/* Only a full measurement is worth keeping. */
static bool is_full(const struct options *options) {
    return !options->size_given && !options->kernel &&
           (options->repeats == 0 || options->repeats > 2);
}

/* A limit is the best that this device has ever shown. */
static void keep(struct step *step, struct limits limits) {
    struct limits known;
    if (!is_full(&step->options) || step->report.wrong) {
        report_say(&step->report, "These are not kept as limits: only a full "
                                  "measurement that is right is.");
        return;
    }
    if (limits_load(&step->device, &known))
        limits = limits_best(&limits, &known);
    limits_save(&step->device, &limits);
    report_say(&step->report, "%s", limits_in_words(&limits).text);
}

int main(int argc, char **argv) {
    /* Options and device. */
    const char *unless_known = NULL;
    const struct own_option own = {
        "unless-known", NULL, "print the limits, and measure them only if they are new",
        .text = &unless_known};
    struct step step;
    step_open_own(&step, argc, argv,
                  &(struct usage){.step = "step00_device_limits",
                                  .size = (size_t)1 << 28,
                                  .min_size = 1,
                                  .own = &own,
                                  .own_count = 1});
    struct device *device = &step.device;
    struct limits known;
    if (unless_known && limits_load(device, &known)) {
        puts(limits_in_words(&known).text);
        device_close(device);
        return RIGHT;
    }
    const struct options *options = &step.options;
    if (is_full(options))
        limits_check_writable(device);
    fprintf(stderr, "measuring %s: this takes a few seconds\n", device->name);
    if (options->format == FORMAT_TABLE)
        device_show(device);

    /* Data: much more than caches hold, and no remainder for any work-item. */
    const size_t piece = 16 * ITEMS_PER_UNIT * (size_t)device->units;
    const size_t room = device_capacity(device, 3, sizeof(float)) / piece * piece;
    const size_t wanted = (options->size + piece - 1) / piece * piece;
    struct study study = {&step, device, .n = wanted < room ? wanted : room};
    const size_t bytes = study.n * sizeof(float);
    study.x = step_numbers(&step, study.n, 1);
    study.found = step_array(&step, study.n, sizeof(float));
    study.in = buffer_from(device, study.x, bytes);
    study.out = buffer_new(device, bytes);
    float *pinned = buffer_pinned(device, bytes < MAX_TRANSFER ? bytes : MAX_TRANSFER);

    /* The lesson: nine questions to the device. */
    struct limits limits = {.launch_ms = measure_launch(&study)};
    limits.to_device = measure_transfer(&study, "to device", true, study.x);
    limits.to_host = measure_transfer(&study, "to host", false, study.found);
    limits.to_host_pinned = measure_transfer(&study, "to host, pinned", false, pinned);
    limits.to_device_pinned =
        measure_transfer(&study, "to device, pinned", true, pinned);
    limits.read = measure_stream(&study, READ);
    limits.copy = measure_stream(&study, COPY);
    limits.fill = measure_stream(&study, FILL);
    limits.fma = measure_multiply_add(&study);

    keep(&step, limits);
    return step_close(&step);
}
