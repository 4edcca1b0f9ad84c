/* Step 00: know your device: what it is, and its measured limits
 *
 * Every later step says how close it comes to what this device can do at best.  Here
 * that is measured: how long a launch takes, how fast the device reads and writes its
 * own memory, and how fast it multiplies and adds.  This is a tool: run it now, and
 * read it after step 10.
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

enum { FULL = 1 << 28, GROUP = 256, ITEMS_PER_UNIT = 4096, LAUNCHES = 501 };
enum { TRANSFER = 1 << 24, TRANSFERS = 15 }; /* floats in a copy; copies */
enum { PLACE = 1024 };                       /* floats that an empty launch leaves */

enum work { READ, COPY, FILL, MULTIPLY_ADD };
static const char *const names[] = {"read", "copy", "fill", "multiply-add"};
static const char *const kernels[] = {"limit_read", "limit_copy", "limit_fill",
                                      "limit_fma"};

/* What the measurements share. */
struct study {
    struct step *step;
    struct device *device;
    size_t n;         /* floats in each buffer */
    float *x, *found; /* the input, and what came out */
    cl_mem in, out;
    float value;           /* what fills memory, and the factor of few multiply-adds */
    float factor;          /* of the multiply-adds */
    cl_uint lanes, rounds; /* sums of a work-item, and how often each is changed */
};

/* The empty launch has a place to write to, and must not have used it. */
static bool is_empty(struct study *study, cl_mem place) {
    float found[PLACE];
    buffer_read(study->device, place, found, sizeof found);
    for (size_t i = 0; i < PLACE; i++)
        if (!isnan(found[i]))
            return wrong("the empty launch wrote out[%zu]", i);
    return true;
}

/* The cost of a command: an empty launch, until the host knows that it is done. */
static double measure_launch(struct study *study) {
    double times_ms[LAUNCHES];
    cl_mem place = buffer_new(study->device, PLACE * sizeof(float));
    const struct launch empty = LAUNCH(study->step, "limit_launch", 1, 1, ARG(place));
    warm_up(study->device, &empty);
    for (int i = 0; i < LAUNCHES; i++) {
        const double begin_ms = now_ms();
        CHECK(clEnqueueNDRangeKernel(study->device->queue, empty.kernel, 1, NULL,
                                     empty.global, empty.local, 0, NULL, NULL));
        CHECK(clFinish(study->device->queue));
        times_ms[i] = now_ms() - begin_ms;
    }
    struct row row = {"launch", 1, timing_of(times_ms, LAUNCHES),
                      .right = is_empty(study, place), .by_host = true};
    report_row(&study->step->report, row);
    return row.time.median_ms; /* usual, not best: it is compared with medians */
}

/* A GPU gets many work-items, and neighbours touch neighbouring elements.  A CPU gets a
 * work-item for each core, and each has one long block: a kernel that ends in _blocks.
 * The numbers for a GPU are those that were fastest on an H200. */
static struct launch make_launch(struct study *study, enum work work) {
    const bool is_cpu = study->device->is_cpu;
    const size_t units = study->device->units, many = ITEMS_PER_UNIT * units;
    const size_t vectors = study->n / (is_cpu ? 16 : 4);
    const size_t gpu_items[] = {many, 4 * many, vectors, many};
    char name[64];
    snprintf(name, sizeof name, "%s%s", kernels[work], is_cpu ? "_blocks" : "");
    cl_kernel kernel = kernel_load(study->device, &study->step->options, name);
    const cl_uint count = work == MULTIPLY_ADD ? study->rounds : (cl_uint)vectors;
    if (work == READ || work == COPY)
        kernel_args(kernel, ARG(study->in), ARG(study->out), ARG(count));
    else
        kernel_args(kernel, ARG(study->out),
                    work == FILL ? ARG(study->value) : ARG(study->factor), ARG(count));
    size_t group = GROUP;
    while (group > study->device->max_group)
        group /= 2;
    return is_cpu ? launch_1d(kernel, units, 1)
                  : launch_1d(kernel, gpu_items[work], group);
}

static double sum_on_host(const float *x, size_t n) {
    double sum = 0.0;
    for (size_t i = 0; i < n; i++)
        sum += (double)x[i];
    return sum;
}

/* The sums begin with 0, 1, 2 ...  A round of multiply-adds brings each of them nearer
 * to 1 / (1 - factor), by that factor; a factor of 1 makes each of them larger by 1. */
static double sums_on_host(const struct study *study) {
    const double begin = 0.5 * study->lanes * (study->lanes - 1);
    const double factor = (double)study->factor;
    if (study->factor == 1.0f)
        return begin + (double)study->lanes * study->rounds;
    const double end = study->lanes / (1.0 - factor);
    return end + (begin - end) * pow(factor, study->rounds);
}

/* Is the result of the last launch right? */
static bool is_right(struct study *study, enum work work, const struct launch *launch) {
    const size_t n = work == COPY || work == FILL ? study->n : launch->global[0];
    const double sums = sums_on_host(study), value = (double)study->value;
    buffer_read(study->device, study->out, study->found, n * sizeof(float));
    if (work == READ)
        return equal_sum(sum_on_host(study->found, n), sum_on_host(study->x, study->n));
    for (size_t i = 0; i < n; i++) {
        const double found = (double)study->found[i], x = (double)study->x[i];
        const double expected = work == COPY ? x : work == FILL ? value : sums;
        if (!(fabs(found - expected) <= (work == MULTIPLY_ADD ? 1e-6 * sums : 0.0)))
            return wrong_at(element("out", i), found, expected);
    }
    return true;
}

/* Prints a row, and returns the rate of its fastest launch, because nearly all
 * disturbances make one slower, in GB/s or GFLOP/s.  Few multiply-adds must be right,
 * so that a lost one shows; so many are timed that they take a while.  Their factor is
 * 1, because any smaller one brings the sums to where nothing changes any more, and
 * rounds that were left out would not show: 2^23 rounds are still counted exactly. */
static double measure(struct study *study, enum work work) {
    struct row row = {.variant = names[work], .size = study->n};
    study->rounds = 8;
    study->factor = study->value;
    struct launch launch = make_launch(study, work);
    buffer_poison(study->device, study->out);
    launch_ms(study->device, &launch);
    row.right = is_right(study, work, &launch);
    if (work == READ)
        buffer_make_tiny(study->device, study->in, study->x, study->n);
    if (work == MULTIPLY_ADD) {
        study->factor = 1.0f;
        launch = make_launch(study, work);
    }
    while (work == MULTIPLY_ADD && study->rounds < 1 << 23 &&
           launch_ms(study->device, &launch) < 5.0) {
        study->rounds *= 2;
        launch = make_launch(study, work);
    }
    row.time = time_launches(study->device, launch, study->step->options.repeats);
    row.right = row.right && (work == READ ? right_when_tiny : right_again)(
                                 is_right(study, work, &launch));
    if (work == MULTIPLY_ADD) /* two operations for each sum and round */
        row.flops = 2.0 * study->lanes * study->rounds * (double)launch.global[0];
    else
        row.bytes = (work == COPY ? 2.0 : 1.0) * (double)study->n * sizeof(float);
    report_row(&study->step->report, row);
    return (row.bytes + row.flops) * 1e-6 / row.time.fastest_ms;
}

/* With --all: how fast a copy to the device is, and back to the host, whose memory is
 * ordinary or pinned.  Both memories are wiped before they are copied to. */
static void measure_transfers(struct study *study, float *memory, const char *kind) {
    const size_t bytes = TRANSFER * sizeof *memory;
    double times_ms[2][TRANSFERS];
    cl_command_queue queue = study->device->queue;
    memcpy(memory, study->x, bytes);
    for (int i = 0; i < TRANSFERS; i++) {
        buffer_poison(study->device, study->out);
        const double begin_ms = now_ms();
        buffer_write(study->device, study->out, memory, bytes);
        CHECK(clFinish(queue)); /* it may return before all has arrived */
        times_ms[0][i] = now_ms() - begin_ms;
        memset(memory, 0xff, bytes);
        const double back_ms = now_ms();
        CHECK(clEnqueueReadBuffer(queue, study->out, CL_TRUE, 0, bytes, memory, 0, NULL,
                                  NULL));
        times_ms[1][i] = now_ms() - back_ms;
    }
    size_t i = 0;
    while (i < TRANSFER && memory[i] == study->x[i])
        i++;
    const bool right = i == TRANSFER || wrong_at(element(kind, i), (double)memory[i],
                                                 (double)study->x[i]);
    for (int back = 0; back < 2; back++) {
        char name[32];
        snprintf(name, sizeof name, "%s %s memory", back ? "to" : "from", kind);
        report_row(&study->step->report,
                   (struct row){name, TRANSFER, timing_of(times_ms[back], TRANSFERS),
                                .bytes = (double)bytes, .right = right});
    }
}

int main(int argc, char **argv) {
    /* Options and device. */
    const char *unless_known = NULL;
    const struct own_option own = {
        "unless-known", NULL, "print the limits; measure only if they are not known",
        .text = &unless_known};
    const struct usage usage = {
        .step = "step00_device_limits", .own = &own, .own_count = 1};
    struct step step;
    step_open(&step, argc, argv, &usage);
    struct device *device = &step.device;
    if (unless_known && step.report.limits.read > 0.0) {
        puts(limits_in_words(step.report.limits).text);
        return step_close(&step);
    }
    if (!step.options.size_given)
        limits_check_folder(device);

    /* Data: more than caches hold, and no remainder for any work-item. */
    const size_t piece = 16 * ITEMS_PER_UNIT * (size_t)device->units;
    const size_t n =
        step_size(&step, &(struct sizes){.cpu = FULL, .gpu = FULL}, 2, sizeof(float));
    struct study study = {&step, device, .n = n < piece ? piece : n / piece * piece};
    cl_uint random = mix_seed(step.options.seed);
    study.value = 0.5f + 0x1p-5f * (float)(2 * (random_next(&random) >> 29) + 1);
    study.lanes = device->is_cpu ? 160 : 16;
    study.x = step_numbers(&step, study.n, 1);
    study.found = step_array(&step, study.n, sizeof(float));
    study.in = buffer_from(device, study.x, study.n * sizeof(float));
    study.out = buffer_new(device, study.n * sizeof(float));

    /* The lesson: what the driver says of the device, and then five questions to it. */
    fprintf(stderr, "measuring %s: this takes a few seconds\n", device->name);
    if (step.options.format == FORMAT_TABLE)
        device_show(device);
    struct limits limits = {.launch_ms = measure_launch(&study)};
    limits.read = measure(&study, READ);
    limits.copy = measure(&study, COPY);
    limits.fill = measure(&study, FILL);
    limits.fma = measure(&study, MULTIPLY_ADD);

    if (step.options.all && study.n >= TRANSFER) {
        measure_transfers(&study, study.found, "ordinary");
        measure_transfers(&study, buffer_pinned(device, TRANSFER * sizeof(float)),
                          "pinned");
    }
    report_limits(&step.report, limits);
    return step_close(&step);
}
