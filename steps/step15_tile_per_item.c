/* Step 15: how much one work-item should do
 *
 * In step 14 memory was read in an order that rays had chosen.  Here we choose: a
 * matrix is cut into tiles, one for each work-item.  The larger the tile, the fewer
 * work-items, and the more loads each has under way, until no register is left.
 *
 * Read with  kernels/step15_tile_per_item.cl, docs/step15_tile_per_item.md
 * Try        --size 16769025: a row and a column less.  Who suffers, and why?
 * Lens       --size 1048576
 * Story      load_sectors tile_per_item_turned_4 tile_per_item_turned_1
 */
#include "buffer.h"
#include "check.h"
#include "compare.h"
#include "data.h"
#include "report.h"
#include "roofline.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 4096, LESS_ON_CPU = 4, PAIRS = 11 };
enum { LANES = 32, TRIAD_GROUP = 256 };        /* LANES as in the kernel file */
enum { FLOPS = 2, BYTES = 3 * sizeof(float) }; /* for each element */

/* Work-items have tiles of t x t, and want so many registers for what is under way: two
 * numbers for each element read at a time, and a third where they read ahead.  A group
 * is `height` rows of LANES work-items: fewer where there are few of them, so that all
 * compute units get some. */
static const struct shape {
    const char *variant, *kernel;
    size_t t, registers, height;
} shapes[] = {{"1x1", "tile_per_item_1", 1, 2, 8},
              {"4x4", "tile_per_item_4", 4, 2 * 4 * 4, 2},
              {"8x8", "tile_per_item_8", 8, 2 * 8 * 8, 2},
              {"16x16", "tile_per_item_16", 16, 2 * 16 * 16, 2},
              {"32x32", "tile_per_item_32", 32, 2 * 32 * 32, 1},
              {"32x32, four passes", "tile_per_item_32_passes", 32, 2 * 8 * 32, 1},
              {"1x1, turned", "tile_per_item_turned_1", 1, 2, 8},
              {"4x4, turned", "tile_per_item_turned_4", 4, 2 * 4 * 4, 2},
              {"8x8, turned", "tile_per_item_turned_8", 8, 2 * 8 * 8, 2},
              {"16x16, turned", "tile_per_item_turned_16", 16, 3 * 16, 2},
              {"32x32, turned", "tile_per_item_turned_32", 32, 3 * 2 * 32, 1}};
enum { SHAPES = sizeof shapes / sizeof *shapes, TURNED = 6 }; /* 1x1, then 4x4 ... */

/* What stays the same from row to row of the report. */
struct problem {
    struct report *report;
    struct device *device;
    size_t side, n;
    float factor, *a, *b, *wanted, *out;
    cl_mem a_buffer, b_buffer, out_buffer;
    struct launch triad;
    cl_ulong triad_private; /* bytes of private memory that the triad has */
    struct roofline roofline;
};

/* A shape, measured. */
struct found {
    const struct shape *shape;
    struct launch launch;
    struct row row;
    double share; /* of the triad's speed, in percent */
};

static void on_host(const struct problem *problem, float *out) {
    for (size_t i = 0; i < problem->n; i++)
        out[i] = (problem->a[i] + problem->b[i]) * problem->factor;
}

static cl_kernel load(const struct problem *problem, const char *name, size_t extent) {
    const cl_uint count = (cl_uint)extent;
    cl_kernel kernel = kernel_load(problem->device, problem->report->options, name);
    kernel_args(kernel, ARG(problem->a_buffer), ARG(problem->b_buffer),
                ARG(problem->out_buffer), ARG(problem->factor), ARG(count));
    return kernel;
}

/* What the device tells of a kernel's private memory, in bytes. */
static cl_ulong private_of(const struct problem *problem, cl_kernel kernel) {
    cl_ulong bytes = 0;
    CHECK(clGetKernelWorkGroupInfo(kernel, problem->device->id,
                                   CL_KERNEL_PRIVATE_MEM_SIZE, sizeof bytes, &bytes,
                                   NULL));
    return bytes;
}

static struct problem problem_for(struct report *report, struct device *device) {
    const struct options *options = report->options;
    struct problem problem = {.report = report, .device = device, .factor = 0.5f};
    size_t size = options->size;
    if (device->is_cpu && !options->size_given && !options->full)
        size /= LESS_ON_CPU;
    problem.side =
        (size_t)sqrt((double)device_check_size(device, size, 4, sizeof(float)));
    problem.n = problem.side * problem.side;
    problem.roofline.report = report;

    /* a and b go on behind the matrix: who runs on finds numbers there, too, and what
     * is then written behind `out` is no poison, and noticed. */
    const size_t bytes = problem.n * sizeof(float), more = bytes + GUARD_BYTES;
    problem.a = small_numbers(more / sizeof(float), options->seed + 1);
    problem.b = small_numbers(more / sizeof(float), options->seed + 2);
    problem.wanted = allocate(problem.n, sizeof(float));
    problem.out = allocate(problem.n, sizeof(float));
    on_host(&problem, problem.wanted);
    problem.a_buffer = buffer_from(device, problem.a, more);
    problem.b_buffer = buffer_from(device, problem.b, more);
    problem.out_buffer = buffer_new(device, bytes);

    const size_t group =
        TRIAD_GROUP < device->max_group ? TRIAD_GROUP : device->max_group;
    cl_kernel triad = load(&problem, "tile_per_item_triad", problem.n);
    const size_t quads = (problem.n + 3) / 4;
    problem.triad = launch_1d(triad, (quads + group - 1) / group * group, group);
    problem.triad_private = private_of(&problem, triad);
    return problem;
}

/* Is every element right that the last launch left? */
static bool is_left_right(const struct problem *problem) {
    buffer_read(problem->device, problem->out_buffer, problem->out,
                problem->n * sizeof(float));
    for (size_t i = 0; i < problem->n; i++)
        if (memcmp(&problem->out[i], &problem->wanted[i], sizeof(float)) != 0)
            return wrong_at(element_2d("out", i % problem->side, i / problem->side),
                            (double)problem->out[i], (double)problem->wanted[i]);
    return true;
}

static bool is_right(const struct problem *problem, struct launch launch) {
    buffer_poison(problem->device, problem->out_buffer);
    launch_ms(problem->device, &launch);
    return is_left_right(problem);
}

static struct row row_for(const struct problem *problem, const char *variant) {
    return (struct row){.variant = variant,
                        .size = problem->n,
                        .bytes = (double)problem->n * BYTES,
                        .limit = problem->report->limits.copy};
}

/* What NVIDIA's compiler wrote about a kernel, such as
 *
 *     ptxas info    : Compiling entry function 'tile_per_item_16' for 'sm_90'
 *     ptxas info    : Function properties for tile_per_item_16
 *     ptxas         .     64 bytes stack frame, 60 bytes spill stores, 60 bytes ...
 *     ptxas info    : Used 255 registers, 384 bytes cmem[0]
 *
 * Returns false where there is no such text: another compiler, or no compiler at all,
 * since the driver had kept the kernel from last time. */
static bool log_tells(const char *log, const char *kernel, char *words, size_t room) {
    char name[64];
    unsigned registers, stack, stores;
    snprintf(name, sizeof name, "entry function '%s'", kernel);
    const char *about = strstr(log, name);
    const char *used = about ? strstr(about, "Used ") : NULL;
    const char *frame = about ? strstr(about, " bytes stack frame") : NULL;
    if (!used || !frame || frame > used)
        return false;
    while (isdigit((unsigned char)frame[-1]))
        frame--;
    if (sscanf(used, "Used %u registers", &registers) != 1 ||
        sscanf(frame, "%u bytes stack frame, %u bytes spill", &stack, &stores) != 2)
        return false;
    snprintf(words, room, ", has %u; %u bytes in memory, %u of them spilled", registers,
             stack, stores);
    return true;
}

/* What the device tells of where a kernel keeps its tile, or "". */
static void ask_where(const struct problem *problem, const char *name, cl_kernel kernel,
                      char *words, size_t room) {
    const struct device *device = problem->device;
    size_t bytes = 0;
    clGetProgramBuildInfo(device->program, device->id, CL_PROGRAM_BUILD_LOG, 0, NULL,
                          &bytes);
    char *log = allocate(bytes + 1, 1);
    clGetProgramBuildInfo(device->program, device->id, CL_PROGRAM_BUILD_LOG, bytes, log,
                          NULL);
    const cl_ulong own = private_of(problem, kernel);
    *words = '\0';
    if (!log_tells(log, name, words, room) && own > problem->triad_private)
        snprintf(words, room, "; %llu bytes of private memory",
                 (unsigned long long)own);
    free(log);
}

/* One row of the report, timed in turn with the triad. */
static struct found measure(struct problem *problem, const struct shape *shape) {
    struct report *report = problem->report;
    const size_t tiles = (problem->side + shape->t - 1) / shape->t;
    size_t height = shape->height;
    while (height > 1 && height * LANES > problem->device->max_group)
        height /= 2;
    cl_kernel kernel = load(problem, shape->kernel, problem->side);
    struct found found = {.shape = shape, .row = row_for(problem, shape->variant)};
    found.launch = launch_2d(kernel, tiles, tiles, (size_t[]){LANES, height});
    found.row.right = is_right(problem, found.launch);

    struct timing times[2];
    char share[64], where[128];
    const struct ratio ratio = time_pair(problem->device, problem->triad, found.launch,
                                         report->options->repeats, times);
    found.row.right = found.row.right && right_again(is_left_right(problem));
    found.share = 100.0 / ratio.median;
    snprintf(share, sizeof share, "too short to compare");
    if (!too_short(report->device, &report->limits, times[0]) &&
        !too_short(report->device, &report->limits, times[1]))
        snprintf(share, sizeof share, "%.1f %% of the triad (%.1f to %.1f)",
                 found.share, 100.0 / ratio.upper, 100.0 / ratio.lower);
    found.row.time = times[1];
    if (report->options->format != FORMAT_TABLE) /* there it has a line of its own */
        found.row.note = share;
    report_row(report, found.row);
    ask_where(problem, shape->kernel, kernel, where, sizeof where);
    report_say(report, "%28s %s; wants %zu registers%s", "", share, shape->registers,
               where);
    return found;
}

/* The paper's other table: plain C against the device, by the host's clock. */
static void compare_with_host(const struct problem *problem, const struct found *best) {
    const int wanted = problem->report->options->repeats;
    const int pairs = wanted > 0 && wanted < PAIRS ? wanted : PAIRS;
    double host_ms[PAIRS], device_ms[PAIRS];
    for (int i = 0; i < pairs; i++) {
        const double before_ms = now_ms();
        launch_ms(problem->device, &best->launch);
        const double between_ms = now_ms();
        on_host(problem, problem->out);
        device_ms[i] = between_ms - before_ms;
        host_ms[i] = now_ms() - between_ms;
    }
    const struct ratio ratio = ratio_of(device_ms, host_ms, pairs);
    report_say(
        problem->report,
        "Plain C on one core takes %.4g ms; %s against it, by the host's clock:\n"
        "%s.",
        timing_of(host_ms, pairs).median_ms, best->shape->variant,
        in_words(ratio).text);
}

int main(int argc, char **argv) {
    struct options options =
        options_read(argc, argv, "step15_tile_per_item", (size_t)SIDE * SIDE);
    struct device device = device_open(options.device);
    struct report report = report_start(&options, &device);
    struct problem problem = problem_for(&report, &device);

    /* The measuring rod: how long do two reads and a write take in the best order? */
    struct row triad = row_for(&problem, "triad");
    const double flops = (double)problem.n * FLOPS;
    report_say(&report, "%zu x %zu elements", problem.side, problem.side);
    triad.right = is_right(&problem, problem.triad);
    triad.time = time_launches(&device, problem.triad, options.repeats);
    triad.right = triad.right && right_again(is_left_right(&problem));
    report_row(&report, triad);
    roofline_add(&problem.roofline, &triad, triad.bytes, flops);

    /* The lesson: tiles of all sizes, side by side and turned. */
    struct found best[2] = {{0}}, slowest = {.share = INFINITY};
    struct timing times[SHAPES];
    for (int i = 0; i < SHAPES; i++) {
        const struct found found = measure(&problem, &shapes[i]);
        const bool turned = i >= TURNED;
        times[i] = found.row.time;
        if (found.share > best[turned].share)
            best[turned] = found;
        if (found.share < slowest.share)
            slowest = found;
    }

    report_headline(&report, "16 elements per item against 1",
                    ratio_between(times[TURNED + 1], times[TURNED]));

    /* Which roof is it under?  And what does plain C need? */
    roofline_add(&problem.roofline, &best[0].row, triad.bytes, flops);
    roofline_add(&problem.roofline, &best[1].row, triad.bytes, flops);
    roofline_add(&problem.roofline, &slowest.row, triad.bytes, flops);
    roofline_draw(&problem.roofline);
    compare_with_host(&problem, &best[best[1].share > best[0].share]);
    if (device.is_cpu)
        report_say(&report,
                   "A CPU core takes one work-item after the other: it likes rows of "
                   "tiles,\nwhich are vectors, and gains nothing from lanes that are "
                   "neighbours.");

    device_close(&device);
    free(problem.out);
    free(problem.wanted);
    free(problem.b);
    free(problem.a);
    return report_end(&report);
}
