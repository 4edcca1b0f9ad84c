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

enum { FULL = 1 << 28, GROUP = 256, ITEMS_PER_UNIT = 4096, LAUNCHES = 501 };
static const float one = 1.0f;

/* What the device's own memory and arithmetic are asked for. */
enum work { READ, COPY, FILL, MULTIPLY_ADD, WORKS };
static const struct {
    const char *name, *kernel, *use;
} works[WORKS] = {[READ] = {"read", "limit_read", "sums"},
                  [COPY] = {"copy", "limit_copy", "filters"},
                  [FILL] = {"fill", "limit_fill", "FizzBuzz"},
                  [MULTIPLY_ADD] = {"multiply-add", "limit_fma", "matrix product"}};

/* What the measurements share: n floats on the host and in a buffer, as vectors of 4
 * (CPU: 16), with room for what comes back; and how much is multiplied and added. */
struct study {
    struct step *step;
    struct device *device;
    size_t n;
    cl_uint vectors, chains, rounds;
    float *x, *found;
    cl_mem in, out;
};

/* The cost of a command: an empty launch, until the host knows that it is done. */
static double measure_launch(struct study *study) {
    double times_ms[LAUNCHES];
    const struct launch empty =
        LAUNCH(study->step, "limit_launch", 1, 1, ARG(study->out));
    warm_up(study->device, &empty);
    for (int i = 0; i < LAUNCHES; i++) {
        const double begin_ms = now_ms();
        CHECK(clEnqueueNDRangeKernel(study->device->queue, empty.kernel, 1, NULL,
                                     empty.global, empty.local, 0, NULL, NULL));
        CHECK(clFinish(study->device->queue));
        times_ms[i] = now_ms() - begin_ms;
    }
    struct row row = {"launch", 1, timing_of(times_ms, LAUNCHES), .right = true};
    report_row(&study->step->report, row);
    return row.time.median_ms; /* usual, not best: it is compared with medians */
}

/* A GPU gets many work-items whose neighbours touch neighbouring elements, and a CPU,
 * whose kernels end in _blocks, one long block for each core.  A GPU copies fastest
 * with more work-items, and fills fastest with one for each vector. */
static struct launch make_launch(struct study *study, enum work work) {
    const bool is_cpu = study->device->is_cpu;
    const size_t units = study->device->units, many = ITEMS_PER_UNIT * units;
    const size_t gpu_items[] = {many, 4 * many, study->vectors, many};
    char name[64];
    snprintf(name, sizeof name, "%s%s", works[work].kernel, is_cpu ? "_blocks" : "");
    cl_kernel kernel = kernel_load(study->device, &study->step->options, name);
    const cl_uint count = work == MULTIPLY_ADD ? study->rounds : study->vectors;
    if (work == READ || work == COPY)
        kernel_args(kernel, ARG(study->in), ARG(study->out), ARG(count));
    else
        kernel_args(kernel, ARG(study->out), ARG(one), ARG(count));
    return is_cpu ? launch_1d(kernel, units, 1)
                  : launch_1d(kernel, gpu_items[work], GROUP);
}

static double sum_on_host(const float *x, size_t n) {
    double sum = 0.0;
    for (size_t i = 0; i < n; i++)
        sum += (double)x[i];
    return sum;
}

/* Is the result of the last launch right?  To multiply by one and add one counts the
 * rounds; the 16 lanes of a chain begin with 0 to 15, which is 120 in all. */
static bool is_right(struct study *study, enum work work, size_t items) {
    const float *x = study->x, *found = study->found;
    const size_t n = work == COPY || work == FILL ? study->n : items;
    const float counted = (float)(study->chains * (16 * study->rounds + 120));
    buffer_read(study->device, study->out, study->found, n * sizeof *found);
    if (work == READ)
        return equal_sum(sum_on_host(found, n), sum_on_host(x, study->n));
    for (size_t i = 0; i < n; i++) {
        const float expected = work == COPY ? x[i] : work == FILL ? one : counted;
        if (!(found[i] == expected))
            return wrong_at(element("out", i), (double)found[i], (double)expected);
    }
    return true;
}

/* Prints a row, and returns the rate of its fastest launch, in GB/s or GFLOP/s: that is
 * the limit, because nearly all disturbances make a launch slower. */
static double measure(struct study *study, enum work work) {
    const struct launch launch = make_launch(study, work);
    const size_t items = launch.global[0];
    struct row row = {works[work].name, study->n, .note = works[work].use};
    buffer_poison(study->device, study->out);
    launch_ms(study->device, &launch);
    row.right = is_right(study, work, items);
    row.time = time_launches(study->device, launch, study->step->options.repeats);
    row.right = row.right && right_again(is_right(study, work, items));
    if (work == MULTIPLY_ADD) /* two operations for each lane of a chain */
        row.flops = 2.0 * 16 * study->chains * study->rounds * (double)items;
    else
        row.bytes = (work == COPY ? 2.0 : 1.0) * (double)study->n * sizeof *study->x;
    report_row(&study->step->report, row);
    return (row.bytes + row.flops) * 1e-6 / row.time.fastest_ms;
}

int main(int argc, char **argv) {
    /* Options and device. */
    const char *unless_known = NULL;
    const struct own_option own = {
        "unless-known", NULL, "measure only what is not known", .text = &unless_known};
    struct step step;
    step_open_own(&step, argc, argv,
                  &(struct usage){.step = "step00_device_limits",
                                  .min_size = 1,
                                  .own = &own,
                                  .own_count = 1});
    struct device *device = &step.device;
    if (unless_known && step.report.limits.read > 0.0) {
        puts(limits_in_words(step.report.limits).text);
        return step_close(&step);
    }
    fprintf(stderr, "measuring %s: this takes a few seconds\n", device->name);
    if (step.options.format == FORMAT_TABLE)
        device_show(device);

    /* Data: much more than caches hold, and no remainder for any work-item. */
    const size_t piece = 16 * ITEMS_PER_UNIT * (size_t)device->units;
    const size_t n =
        step_size(&step, &(struct sizes){.cpu = FULL, .gpu = FULL}, 3, sizeof(float));
    struct study study = {&step, device, .n = n < piece ? piece : n / piece * piece};
    study.vectors = (cl_uint)(study.n / (device->is_cpu ? 16 : 4));
    study.chains = device->is_cpu ? 10 : 1;
    study.rounds =
        (cl_uint)((study.n < FULL ? study.n : FULL) >> (device->is_cpu ? 8 : 14));
    study.x = step_numbers(&step, study.n, 1);
    study.found = step_array(&step, study.n, sizeof(float));
    study.in = buffer_from(device, study.x, study.n * sizeof(float));
    study.out = buffer_new(device, study.n * sizeof(float));

    /* The lesson: five questions to the device. */
    struct limits limits = {.launch_ms = measure_launch(&study)};
    limits.read = measure(&study, READ);
    limits.copy = measure(&study, COPY);
    limits.fill = measure(&study, FILL);
    limits.fma = measure(&study, MULTIPLY_ADD);

    /* Result: only a full measurement that is right is worth keeping. */
    if (step.options.size_given || step.options.kernel || step.options.repeats == 1 ||
        step.report.wrong > 0)
        report_say(&step.report, "These are not kept as limits: only a full "
                                 "measurement that is right is.");
    else
        report_say(&step.report, "%s",
                   limits_in_words(limits_keep(device, limits)).text);
    return step_close(&step);
}
