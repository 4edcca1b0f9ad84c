/* Step 00: know your device: what it is, and its measured limits
 *
 * Every later step says how close it comes to what this device can do at all.  Here we
 * find that out: how long a launch takes, how fast data comes and goes, how fast memory
 * can be read, and how fast numbers can be multiplied and added.
 *
 * Read with  kernels/step00_device_limits.cl, docs/step00_device_limits.md
 * Try        --device with another number of `make devices`, if you have another
 * Lens       --size 65536
 * Races      --size 1003
 */
#include "buffer.h"
#include "check.h"
#include "compare.h"
#include "data.h"
#include "report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GROUP = 256, ITEMS_PER_UNIT = 4096, TRANSFERS = 11, LANES = 16, CHAINS = 10 };
enum { FEW_ROUNDS = 1024 }; /* of multiply-adds, which the host does, too */

/* What the measurements share. */
struct study {
    struct device *device;
    struct options *options;
    struct report *report;
    struct limits limits;
    size_t n, bytes; /* floats in each of the buffers, and their bytes */
    size_t load;     /* bytes that go to the device and back */
    float *x, *back; /* what is in `in`, and room to read `out` back */
    cl_mem in, out;
};

/* The two shapes of work: long blocks for a few CPU cores, or many work-items. */
static struct launch shape(const struct study *study, const char *many_items,
                           const char *blocks) {
    struct device *device = study->device;
    if (device->is_cpu)
        return launch_1d(kernel_load(device, study->options, blocks), device->units, 1);
    return launch_1d(kernel_load(device, study->options, many_items),
                     device->units * ITEMS_PER_UNIT, GROUP);
}

static void show_device(const struct device *device) {
    cl_uint mhz, width;
    cl_ulong local;
    char version[256];
    CHECK(clGetDeviceInfo(device->id, CL_DEVICE_MAX_CLOCK_FREQUENCY, sizeof mhz, &mhz,
                          NULL));
    CHECK(clGetDeviceInfo(device->id, CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT, sizeof width,
                          &width, NULL));
    CHECK(clGetDeviceInfo(device->id, CL_DEVICE_LOCAL_MEM_SIZE, sizeof local, &local,
                          NULL));
    CHECK(
        clGetDeviceInfo(device->id, CL_DEVICE_VERSION, sizeof version, version, NULL));
    const double mib = 1 << 20;
    printf("device          %s (%s)\n", device->name, device->is_cpu ? "CPU" : "GPU");
    printf("platform        %s, driver %s\n", device->platform, device->driver);
    printf("version         %s\n", version);
    printf("compute units   %u, at most %u MHz\n", device->units, mhz);
    printf("work-group      at most %zu work-items, %.0f KiB of local memory\n",
           device->group_most, (double)local / 1024);
    printf("memory          %.0f MiB, one buffer at most %.0f MiB, cache %.1f MiB\n",
           (double)device->memory / mib, (double)device->largest / mib,
           (double)device->cache / mib);
    printf("float vectors   %u wide\n", width);
    printf("clock           ticks every %.0f ns\n\n", device->tick_ms * 1e6);
}

/* An empty launch, by the host's clock: the price of asking for anything at all. */
static struct timing time_launch(struct device *device, struct options *options,
                                 cl_mem out) {
    enum { LAUNCHES = 501 };
    double samples_ms[LAUNCHES];
    cl_kernel empty = kernel_load(device, options, "limit_launch");
    kernel_args(empty, ARG(out));
    const struct launch launch = launch_1d(empty, 1, 1);
    warm_up(device, &launch);
    for (int i = 0; i < LAUNCHES; i++) {
        const double before_ms = now_ms();
        CHECK(clEnqueueNDRangeKernel(device->queue, launch.kernel, 1, NULL,
                                     launch.global, launch.local, 0, NULL, NULL));
        CHECK(clFinish(device->queue));
        samples_ms[i] = now_ms() - before_ms;
    }
    return timing_of(samples_ms, LAUNCHES);
}

/* Copies between host and device, by the host's clock. */
static struct timing time_transfer(struct device *device, bool to_device, cl_mem buffer,
                                   void *data, size_t bytes) {
    double samples_ms[TRANSFERS];
    for (int i = -3; i < TRANSFERS; i++) { /* the first three warm up */
        const double before_ms = now_ms();
        if (to_device)
            CHECK(clEnqueueWriteBuffer(device->queue, buffer, CL_TRUE, 0, bytes, data,
                                       0, NULL, NULL));
        else
            CHECK(clEnqueueReadBuffer(device->queue, buffer, CL_TRUE, 0, bytes, data, 0,
                                      NULL, NULL));
        if (i >= 0)
            samples_ms[i] = now_ms() - before_ms;
    }
    return timing_of(samples_ms, TRANSFERS);
}

/* The rows return rates: GB/s from bytes, GFLOP/s from operations. */
static double rate_of(const struct row *row) {
    return (row->bytes + row->flops) * 1e-6 / row->time.fastest_ms;
}

/* Copies the beginning of x there, or from there to `data`; it must arrive. */
static double transfer_row(struct study *study, const char *name, const char *use,
                           bool to_device, void *data) {
    struct row row = {
        .variant = name, .note = use, .size = study->load / sizeof(float)};
    if (to_device)
        buffer_poison(study->device, study->out);
    else
        memset(data, 0xff, study->load);
    row.time = time_transfer(study->device, to_device, study->out, data, study->load);
    if (to_device)
        buffer_read(study->device, study->out, data = study->back, study->load);
    row.right = memcmp(study->x, data, study->load) == 0;
    row.bytes = (double)study->load;
    report_row(study->report, row);
    return rate_of(&row);
}

/* `look` says whether the last launch left the right thing. */
static double memory_row(struct study *study, const char *name, const char *use,
                         struct launch launch, double bytes,
                         bool (*look)(struct study *study, const struct launch *)) {
    struct row row = {.variant = name, .note = use, .size = study->n};
    row.bytes = bytes;
    buffer_poison(study->device, study->out);
    launch_ms(study->device, &launch);
    row.right = look(study, &launch);
    row.time = time_launches(study->device, launch, study->options->repeats);
    row.right = row.right && right_again(look(study, &launch));
    report_row(study->report, row);
    return rate_of(&row);
}

/* What it costs to ask for anything: an empty launch, and the ways there and back. */
static void measure_asking(struct study *study) {
    struct limits *limits = &study->limits;
    struct row row = {.variant = "launch", .size = 1, .right = true};
    row.note = "shorter rows say little";
    row.time = time_launch(study->device, study->options, study->out);
    report_row(study->report, row);
    limits->launch_ms = row.time.median_ms;

    void *pinned = buffer_pinned(study->device, study->load);
    memcpy(pinned, study->x, study->load);
    limits->to_device =
        transfer_row(study, "to device", "bringing data", true, study->x);
    limits->to_host =
        transfer_row(study, "to host", "fetching results", false, study->back);
    limits->to_device_pinned = transfer_row(study, "to device, pinned",
                                            "bringing more meanwhile", true, pinned);
    limits->to_host_pinned = transfer_row(study, "to host, pinned",
                                          "fetching more meanwhile", false, pinned);
}

static double sum_on_host(const float *x, size_t n) {
    double sum = 0.0;
    for (size_t i = 0; i < n; i++)
        sum += (double)x[i];
    return sum;
}

/* What limit_read, limit_copy and limit_fill must leave. */
static bool sums_right(struct study *study, const struct launch *launch) {
    const size_t sums = launch->global[0];
    buffer_read(study->device, study->out, study->back, sums * sizeof(float));
    return equal_sum(sum_on_host(study->back, sums), sum_on_host(study->x, study->n));
}

static bool copy_right(struct study *study, const struct launch *launch) {
    (void)launch;
    buffer_read(study->device, study->out, study->back, study->bytes);
    for (size_t i = 0; i < study->n; i++)
        if (!(study->back[i] == study->x[i]))
            return wrong_at(element("out", i), (double)study->back[i],
                            (double)study->x[i]);
    return true;
}

static const float filling = 1.5f;

static bool fill_right(struct study *study, const struct launch *launch) {
    (void)launch;
    buffer_read(study->device, study->out, study->back, study->bytes);
    for (size_t i = 0; i < study->n; i++)
        if (!(study->back[i] == filling))
            return wrong_at(element("out", i), (double)study->back[i], (double)filling);
    return true;
}

/* How fast the device reads, copies and fills its own memory. */
static void measure_memory(struct study *study) {
    const double bytes = (double)study->bytes;
    const cl_uint vectors = (cl_uint)(study->n / (study->device->is_cpu ? 16 : 4));
    const struct launch read = shape(study, "limit_read", "limit_read_blocks");
    kernel_args(read.kernel, ARG(study->in), ARG(study->out), ARG(vectors));
    study->limits.read =
        memory_row(study, "read", "sums, dot products", read, bytes, sums_right);

    struct launch copy = shape(study, "limit_copy", "limit_copy_blocks");
    if (!study->device->is_cpu) /* a GPU stores fastest with more work-items */
        copy.global[0] *= 4;
    kernel_args(copy.kernel, ARG(study->in), ARG(study->out), ARG(vectors));
    study->limits.copy =
        memory_row(study, "copy", "filters, layouts", copy, 2.0 * bytes, copy_right);

    struct launch fill = shape(study, "limit_fill", "limit_fill_blocks");
    if (!study->device
             ->is_cpu) /* a GPU writes fastest with a work-item for each vector */
        fill.global[0] = vectors;
    kernel_args(fill.kernel, ARG(study->out), ARG(filling), ARG(vectors));
    study->limits.fill = memory_row(study, "fill", "FizzBuzz", fill, bytes, fill_right);
}

/* What one chain of all lanes adds up to. */
static double fma_on_host(float factor, float term, cl_uint rounds) {
    double sum = 0.0;
    for (int lane = 0; lane < LANES; lane++) {
        float value = (float)lane;
        for (cl_uint round = 0; round < rounds; round++)
            value = fmaf(value, factor, term);
        sum += (double)value;
    }
    return sum;
}

/* Launches few rounds, whose result the host can work out, and looks at it. */
static bool fma_right(struct study *study, const struct launch *fma, float factor,
                      float term, double expected) {
    const cl_uint rounds = FEW_ROUNDS;
    kernel_args(fma->kernel, ARG(study->out), ARG(factor), ARG(term), ARG(rounds));
    launch_ms(study->device, fma);
    buffer_read(study->device, study->out, study->back, fma->global[0] * sizeof(float));
    for (size_t i = 0; i < fma->global[0]; i++)
        if (!(fabs((double)study->back[i] - expected) <= 1e-5 * expected))
            return wrong_at(element_of_item("out", i, fma), (double)study->back[i],
                            expected);
    return true;
}

/* How fast it multiplies and adds: two operations per lane, chain and round.  As many
 * rounds as take this device some milliseconds. */
static void measure_arithmetic(struct study *study) {
    const float factor = 0.999f, term = 0.5f;
    const double chains = study->device->is_cpu ? CHAINS : 1;
    const struct launch fma = shape(study, "limit_fma", "limit_fma_blocks");
    cl_uint rounds = FEW_ROUNDS;
    const double expected = chains * fma_on_host(factor, term, rounds);

    struct row row = {.variant = "multiply-add", .note = "hologram, matrix product"};
    buffer_poison(study->device, study->out);
    row.right = fma_right(study, &fma, factor, term, expected);
    while (launch_ms(study->device, &fma) < 8.0 && rounds < 1u << 30) {
        rounds *= 2;
        kernel_args(fma.kernel, ARG(study->out), ARG(factor), ARG(term), ARG(rounds));
    }
    row.size = fma.global[0];
    row.flops = 2.0 * LANES * chains * rounds * (double)fma.global[0];
    row.time = time_launches(study->device, fma, study->options->repeats);
    row.right =
        row.right && right_again(fma_right(study, &fma, factor, term, expected));
    report_row(study->report, row);
    study->limits.fma = rate_of(&row);
}

/* A limit is the best that the device ever showed: a shared machine has slow hours. */
static void keep_best(struct limits *limits, const struct limits *known) {
    limits->launch_ms = fmin(limits->launch_ms, known->launch_ms);
    limits->to_device = fmax(limits->to_device, known->to_device);
    limits->to_host = fmax(limits->to_host, known->to_host);
    limits->to_device_pinned = fmax(limits->to_device_pinned, known->to_device_pinned);
    limits->to_host_pinned = fmax(limits->to_host_pinned, known->to_host_pinned);
    limits->read = fmax(limits->read, known->read);
    limits->copy = fmax(limits->copy, known->copy);
    limits->fill = fmax(limits->fill, known->fill);
    limits->fma = fmax(limits->fma, known->fma);
}

int main(int argc, char **argv) {
    struct options options =
        options_read(argc, argv, "step00_device_limits", (size_t)1 << 28);
    struct device device = device_open(options.device);
    struct limits known;
    const bool is_known = limits_load(&device, &known);
    if (options.unless_known && is_known) {
        device_close(&device);
        return RIGHT;
    }
    /* Only a full measurement is worth keeping. */
    const bool is_full = !options.size_given && !options.kernel &&
                         (options.repeats == 0 || options.repeats > 2);
    if (is_full)
        limits_can_save(&device);
    fprintf(stderr, "measuring %s: this takes a few seconds\n", device.name);
    if (options.format == FORMAT_TABLE)
        show_device(&device);
    struct report report = report_start(&options, &device);

    /* Much more data than caches hold, and no remainder for any work-item. */
    const size_t piece = 16 * ITEMS_PER_UNIT * (size_t)device.units;
    const size_t room = device_room(&device, 3, sizeof(float));
    size_t n = (options.size + piece - 1) / piece * piece;
    n = n < room ? n : room / piece * piece;
    struct study study = {&device, &options, &report, .n = n,
                          .bytes = n * sizeof(float)};
    study.load = study.bytes < 256u << 20 ? study.bytes : 256u << 20;
    study.x = small_numbers(n, 1);
    study.back = allocate(n, sizeof *study.back);
    study.in = buffer_from(&device, study.x, study.bytes);
    study.out = buffer_new(&device, study.bytes);

    /* The lesson: four questions to the device. */
    measure_asking(&study);
    measure_memory(&study);
    measure_arithmetic(&study);

    if (is_known)
        keep_best(&study.limits, &known);
    if (is_full && !report.wrong)
        limits_save(&device, &study.limits);
    device_close(&device);
    free(study.back);
    free(study.x);
    return report_end(&report);
}
