/* Step 00: device limits: the best that your device can do
 *
 * Every later step says how close it comes to what this device can do at best.  Here
 * that is measured: how long a launch takes, how fast the device reads and writes its
 * own memory, and how fast it multiplies and adds.  This is a tool: run it now, and
 * read it after step 05.
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

enum { FULL = 1 << 28, GROUP = 256, ITEMS_PER_UNIT = 4096 };
enum { LAUNCHES = 501, PLACE = 1024 }; /* empty ones; floats they must not write */
enum { TRANSFER = 1 << 24, TRANSFERS = 15 }; /* floats in a copy; copies */

/* Rounds of multiply-adds: FEW_ROUNDS are checked, and then so many are timed that a
 * launch takes min_timed_ms.  Each round changes all sums of a work-item: SUMS of them
 * on a GPU, CPU_SUMS on a CPU. */
enum { FEW_ROUNDS = 8, MAX_ROUNDS = 1 << 23, SUMS = 16, CPU_SUMS = 160 };
static const double min_timed_ms = 5.0;

/* A GPU gets many work-items, and neighbours touch neighbouring elements.  A CPU gets a
 * work-item for each core, and each has one long block. */
enum work { READ, COPY, FILL, MULTIPLY_ADD };
static const struct {
    const char *name, *kernel, *cpu_kernel;
} works[] = {{"read", "limit_read", "limit_read_blocks"},
             {"copy", "limit_copy", "limit_copy_blocks"},
             {"fill", "limit_fill", "limit_fill_blocks"},
             {"multiply-add", "limit_fma", "limit_fma_blocks"}};

/* What the measurements share. */
struct study {
    struct step *step;
    struct device *device;
    size_t n;         /* floats in each buffer */
    float *x, *found; /* the input, and the results */
    cl_mem in, out;
    float value; /* fills memory, and is the factor of the multiply-adds to check */
};

static cl_kernel load(const struct study *study, enum work work) {
    return kernel_load(study->device, &study->step->options,
                       study->device->is_cpu ? works[work].cpu_kernel
                                             : works[work].kernel);
}

/* `gpu_items` work-items on a GPU, in groups of a size that it allows; on a CPU, a
 * work-item for each core. */
static struct launch make_range(const struct study *study, cl_kernel kernel,
                                size_t gpu_items) {
    size_t group = GROUP;
    while (group > study->device->max_group)
        group /= 2;
    return study->device->is_cpu ? launch_1d(kernel, study->device->units, 1)
                                 : launch_1d(kernel, gpu_items, group);
}

/* ---- The cost of a launch. */

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

/* ---- Memory: read, copy and fill. */

/* The numbers of work-items are those that were fastest on an H200. */
static struct launch make_memory_launch(struct study *study, enum work work) {
    const cl_uint vectors = (cl_uint)(study->n / (study->device->is_cpu ? 16 : 4));
    const size_t many = (size_t)ITEMS_PER_UNIT * study->device->units;
    cl_kernel kernel = load(study, work);
    switch (work) {
    case READ:
        kernel_args(kernel, ARG(study->in), ARG(study->out), ARG(vectors));
        return make_range(study, kernel, many);
    case COPY:
        kernel_args(kernel, ARG(study->in), ARG(study->out), ARG(vectors));
        return make_range(study, kernel, 4 * many);
    default:
        kernel_args(kernel, ARG(study->out), ARG(study->value), ARG(vectors));
        return make_range(study, kernel, vectors);
    }
}

static double sum_on_host(const float *x, size_t n) {
    double sum = 0.0;
    for (size_t i = 0; i < n; i++)
        sum += (double)x[i];
    return sum;
}

/* READ leaves a sum for each work-item, the others leave what they copied or filled. */
static bool memory_right(struct study *study, enum work work,
                         const struct launch *launch) {
    const size_t left = work == READ ? launch->global[0] : study->n;
    buffer_read(study->device, study->out, study->found, left * sizeof(float));
    if (work == READ)
        return equal_sum(sum_on_host(study->found, left),
                         sum_on_host(study->x, study->n));
    for (size_t i = 0; i < left; i++) {
        const float expected = work == COPY ? study->x[i] : study->value;
        if (study->found[i] != expected)
            return wrong_at(element("out", i), (double)study->found[i],
                            (double)expected);
    }
    return true;
}

/* Prints a row, and returns the rate of its fastest launch in GB/s, because nearly all
 * disturbances make a launch slower. */
static double measure_memory(struct study *study, enum work work) {
    struct row row = {.variant = works[work].name, .size = study->n};
    const struct launch launch = make_memory_launch(study, work);
    buffer_poison(study->device, study->out);
    launch_ms(study->device, &launch);
    row.right = memory_right(study, work, &launch);

    if (work == READ) /* a sum in quarters would keep nothing of these */
        buffer_make_tiny(study->device, study->in, study->x, study->n);
    row.time = time_launches(study->device, launch, study->step->options.repeats);
    if (row.right) {
        const bool right = memory_right(study, work, &launch);
        row.right = work == READ ? right_when_tiny(right) : right_again(right);
    }
    row.bytes = (work == COPY ? 2.0 : 1.0) * (double)study->n * sizeof(float);
    report_row(&study->step->report, row);
    return row.bytes * 1e-6 / row.time.fastest_ms;
}

/* ---- Arithmetic: sums of a work-item, each of which is multiplied and added to in
 * every round. */
struct sums {
    cl_uint count, rounds; /* how many; how often each is changed */
    float factor;
};

static struct launch make_sums_launch(struct study *study, struct sums sums) {
    cl_kernel kernel = load(study, MULTIPLY_ADD);
    kernel_args(kernel, ARG(study->out), ARG(sums.factor), ARG(sums.rounds));
    return make_range(study, kernel, (size_t)ITEMS_PER_UNIT * study->device->units);
}

/* The sums begin with 0, 1, 2 ...  A round of multiply-adds brings each of them nearer
 * to 1 / (1 - factor), by that factor; a factor of 1 makes each of them larger by 1. */
static double sums_on_host(struct sums sums) {
    const double begin = 0.5 * sums.count * (sums.count - 1);
    const double factor = (double)sums.factor;
    if (sums.factor == 1.0f)
        return begin + (double)sums.count * sums.rounds;
    const double end = sums.count / (1.0 - factor);
    return end + (begin - end) * pow(factor, sums.rounds);
}

/* Each work-item has left the sum of its sums. */
static bool sums_right(struct study *study, const struct launch *launch,
                       struct sums sums) {
    const double expected = sums_on_host(sums);
    buffer_read(study->device, study->out, study->found,
                launch->global[0] * sizeof(float));
    for (size_t i = 0; i < launch->global[0]; i++) {
        const double found = (double)study->found[i];
        if (!(fabs(found - expected) <= 1e-6 * expected)) /* or NaN */
            return wrong_at(element("out", i), found, expected);
    }
    return true;
}

/* Prints a row, and returns the rate of its fastest launch in GFLOP/s.  First a few
 * rounds are checked, so that a missing one shows.  Then many rounds are timed.  Their
 * factor is 1, because with a smaller one the sums soon stop changing, and missing
 * rounds would not show.  With 1 even 2^23 rounds are counted exactly. */
static double measure_multiply_add(struct study *study) {
    struct row row = {.variant = works[MULTIPLY_ADD].name, .size = study->n};
    struct sums sums = {.count = study->device->is_cpu ? CPU_SUMS : SUMS,
                        .rounds = FEW_ROUNDS,
                        .factor = study->value};
    struct launch launch = make_sums_launch(study, sums);
    buffer_poison(study->device, study->out);
    launch_ms(study->device, &launch);
    row.right = sums_right(study, &launch, sums);

    sums.factor = 1.0f;
    launch = make_sums_launch(study, sums);
    while (sums.rounds < MAX_ROUNDS &&
           launch_ms(study->device, &launch) < min_timed_ms) {
        sums.rounds *= 2;
        launch = make_sums_launch(study, sums);
    }
    row.time = time_launches(study->device, launch, study->step->options.repeats);
    row.right = row.right && right_again(sums_right(study, &launch, sums));
    row.flops = 2.0 * sums.count * sums.rounds * (double)launch.global[0];
    report_row(&study->step->report, row);
    return row.flops * 1e-6 / row.time.fastest_ms;
}

/* ---- Copies between host and device. */

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
    const struct usage usage = {.step = "step00_device_limits",
                                .lesson =
                                    "what this device is, and the most that it reaches",
                                .own = &own,
                                .own_count = 1};
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
    study.x = step_numbers(&step, study.n, 1);
    study.found = step_array(&step, study.n, sizeof(float));
    study.in = buffer_from(device, study.x, study.n * sizeof(float));
    study.out = buffer_new(device, study.n * sizeof(float));

    /* The lesson: what the driver says of the device, and then five questions to it. */
    fprintf(stderr, "measuring %s: this takes a few seconds\n", device->name);
    if (step.options.format == FORMAT_TABLE)
        device_show(device);
    struct limits limits = {.launch_ms = measure_launch(&study)};
    limits.read = measure_memory(&study, READ);
    limits.copy = measure_memory(&study, COPY);
    limits.fill = measure_memory(&study, FILL);
    limits.fma = measure_multiply_add(&study);

    if (step.options.all && study.n >= TRANSFER) {
        measure_transfers(&study, study.found, "ordinary");
        measure_transfers(&study, buffer_pinned(device, TRANSFER * sizeof(float)),
                          "pinned");
    }
    report_limits(&step.report, limits);
    return step_close(&step);
}
