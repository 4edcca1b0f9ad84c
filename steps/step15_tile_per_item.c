/* Step 15: work per work-item: tiles, registers and spills
 *
 * In step 14 memory was read in an order that rays had chosen.  Here we choose: a
 * matrix is cut into tiles, one for each work-item.  The larger its tile, the more
 * loads a work-item has in flight.  That helps if neighbours still load neighbouring
 * elements, and as long as there are registers for all that arrives.
 *
 * Read with  kernels/step15_tile_per_item.cl, docs/step15_tile_per_item.md
 * Try        --all --size 16777216: which tiles are too large for this matrix, and why?
 * Lens       --size 1048576 tile_1 tile_blocked_4 tile_blocked_8 tile_interleaved_8
 * Story      load_sectors tile_interleaved_8 tile_blocked_8
 */
#include "check.h"
#include "contest.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The shape of the groups, as LANES in the kernels; and the groups of vectors. */
enum { WIDTH = 32, HEIGHT = 8, FLAT_GROUP = 256 };
enum { HOST_REPEATS = 5 };

static const struct sizes sizes = {.cpu = 9437184, .cpu_full = 1 << 24, .gpu = 1 << 26};

/* The columns and rows of a tile; a vector has no rows.  The first eight tell the
 * lesson: too few bytes in flight, too many sectors, too few registers.  The others
 * come with --all: more sizes, and the tiles of the paper. */
enum { BLOCKED_8 = 4, INTERLEAVED_8 = 5, BY_DEFAULT = 8, VARIANTS = 16 };
static const struct variant {
    const char *name, *kernel;
    size_t columns, rows;
} variants[VARIANTS] = {{"triad, a float4 each", "tile_triad", 4, 0},
                        {"1x1", "tile_1", 1, 1},
                        {"a float2 each", "tile_float2", 2, 0},
                        {"blocked 4x4", "tile_blocked_4", 4, 4},
                        {"blocked 8x8", "tile_blocked_8", 8, 8},
                        {"interleaved 8x8", "tile_interleaved_8", 8, 8},
                        {"interleaved 16x16", "tile_interleaved_16", 16, 16},
                        {"16x16, 4 rows at a time", "tile_passes_16", 16, 16},
                        {"interleaved 2x1", "tile_two", 2, 1},
                        {"blocked 16x16", "tile_blocked_16", 16, 16},
                        {"blocked 32x32", "tile_blocked_32", 32, 32},
                        {"interleaved 4x4", "tile_interleaved_4", 4, 4},
                        {"interleaved 32x32", "tile_interleaved_32", 32, 32},
                        {"32x32, 2 rows at a time", "tile_passes_32", 32, 32},
                        {"blocked 32x32, 4 passes", "tile_blocked_passes", 32, 32},
                        {"interleaved 24x6", "tile_24_by_6", 24, 6}};

/* out = (a + b) * factor, for matrices of width x height elements. */
struct problem {
    struct step *step;
    cl_uint width, height, n;
    float factor, *found;
    const float *a, *b;
    cl_mem a_buffer, b_buffer, out_buffer;
};

/* The host reference: plain C. */
static float compute(const struct problem *problem, cl_uint i) {
    return (problem->a[i] + problem->b[i]) * problem->factor;
}

/* The numbers of a and b continue beyond the matrix, so that a work-item that goes too
 * far writes numbers beyond `out`, which is noticed. */
static struct problem make_problem(struct step *step) {
    const cl_uint size = step_size(step, &sizes, 4, sizeof(float));
    struct problem problem = {.step = step};
    problem.width = (cl_uint)ceil(sqrt((double)size));
    problem.height = size / problem.width;
    problem.n = problem.width * problem.height;

    cl_uint random = mix_seed(step->options.seed);
    const cl_uint odd = 2 * (random_next(&random) >> 28) + 1;
    problem.factor = 0.125f * (float)odd;

    const size_t bytes = problem.n * sizeof(float), more = bytes + GUARD_BYTES;
    problem.a = step_long_numbers(step, more / sizeof(float), 1);
    problem.b = step_long_numbers(step, more / sizeof(float), 2);
    problem.found = step_array(step, problem.n, sizeof(float));
    problem.a_buffer = buffer_from(&step->device, problem.a, more);
    problem.b_buffer = buffer_from(&step->device, problem.b, more);
    problem.out_buffer = buffer_new(&step->device, bytes);
    return problem;
}

static struct launch make_launch(const struct problem *problem,
                                 const struct variant *variant) {
    struct step *step = problem->step;
    const cl_uint width = problem->width, height = problem->height, n = problem->n;
    if (variant->rows == 0) /* a vector for each work-item */
        return LAUNCH(step, variant->kernel, n / variant->columns + 1,
                      step_group(step, FLAT_GROUP), ARG(problem->a_buffer),
                      ARG(problem->b_buffer), ARG(problem->out_buffer),
                      ARG(problem->factor), ARG(n));

    /* WIDTH neighbours share a strip of the matrix if their columns are interleaved. So
     * there are WIDTH work-items for each strip, and in the last one some may have
     * nothing to do. */
    const size_t shape[] = {WIDTH, HEIGHT};
    const size_t strips = (width - 1) / (WIDTH * variant->columns) + 1;
    const size_t across = strips * WIDTH;
    const size_t down = (height - 1) / variant->rows + 1;
    return LAUNCH_2D(step, variant->kernel, across, down, shape, ARG(problem->a_buffer),
                     ARG(problem->b_buffer), ARG(problem->out_buffer),
                     ARG(problem->factor), ARG(width), ARG(height));
}

/* ---- Where does a kernel keep the variables of a work-item? ---- */

/* What the compiler has said while it built the program. */
static const char *build_log(struct step *step) {
    const struct device *device = &step->device;
    size_t bytes = 0;
    clGetProgramBuildInfo(device->program, device->id, CL_PROGRAM_BUILD_LOG, 0, NULL,
                          &bytes);
    char *log = step_array(step, bytes + 1, 1); /* one byte more: it may lack its end */
    clGetProgramBuildInfo(device->program, device->id, CL_PROGRAM_BUILD_LOG, bytes, log,
                          NULL);
    return log;
}

/* Finds what NVIDIA's compiler says below the line that names the kernel:
 *
 *     ptxas info    : Compiling entry function 'tile_blocked_16' for 'sm_90'
 *     ptxas info    : Function properties for tile_blocked_16
 *     ptxas         .     64 bytes stack frame, 60 bytes spill stores, 60 bytes ...
 *     ptxas info    : Used 255 registers, 384 bytes cmem[0]
 */
static bool find_in_log(const char *log, const char *kernel, unsigned *registers,
                        unsigned *spilled_bytes) {
    char heading[96];
    snprintf(heading, sizeof heading, "entry function '%s'", kernel);
    const char *entry = strstr(log, heading);
    if (!entry)
        return false;
    const char *stores = strstr(entry, " bytes stack frame, "),
               *used = strstr(entry, "Used ");
    if (!stores || !used || stores > used)
        return false;
    return sscanf(stores, " bytes stack frame, %u bytes spill", spilled_bytes) == 1 &&
           sscanf(used, "Used %u registers", registers) == 1;
}

static cl_ulong private_bytes(const struct device *device, cl_kernel kernel) {
    cl_ulong bytes = 0;
    CHECK(clGetKernelWorkGroupInfo(kernel, device->id, CL_KERNEL_PRIVATE_MEM_SIZE,
                                   sizeof bytes, &bytes, NULL));
    return bytes;
}

/* The note of a row: "96 regs", or "255 regs, 160 B" if variables of 160 bytes were
 * spilled to memory, because there were no registers for them.  Elsewhere, or where the
 * driver has kept the kernel of an earlier run and so has compiled nothing, the private
 * memory that a GPU reports: "160 B private".  Empty where nothing is known, and on a
 * CPU, where private memory is not registers. */
static const char *registers_in_words(struct step *step, const char *name,
                                      cl_kernel kernel) {
    enum { LENGTH = 48 };
    char *words = step_array(step, LENGTH, 1);
    unsigned registers = 0, spilled_bytes = 0;
    const cl_ulong bytes = private_bytes(&step->device, kernel);
    if (find_in_log(build_log(step), name, &registers, &spilled_bytes)) {
        if (spilled_bytes > 0)
            snprintf(words, LENGTH, "%u regs, %u B", registers, spilled_bytes);
        else
            snprintf(words, LENGTH, "%u regs", registers);
    } else if (!step->device.is_cpu && bytes > 0) {
        snprintf(words, LENGTH, "%llu B private", (unsigned long long)bytes);
    }
    return words;
}

/* ---- The experiment ---- */

static struct entry make_entry(const struct problem *problem,
                               const struct variant *variant) {
    struct entry entry = {.of = problem};
    entry.launch = make_launch(problem, variant);
    entry.row.variant = variant->name;
    entry.row.size = problem->n;
    entry.row.bytes = 3.0 * problem->n * sizeof(float);
    entry.row.limit = problem->step->report.limits.copy;
    entry.row.note =
        registers_in_words(problem->step, variant->kernel, entry.launch.kernel);
    return entry;
}

/* Launches, and compares every element.  A launch must overwrite what it finds in
 * `out`: nothing yet, or the numbers of `a`. */
static bool is_right(const struct entry *entry, bool again) {
    const struct problem *problem = entry->of;
    struct device *device = &problem->step->device;
    const size_t bytes = problem->n * sizeof(float);
    if (again)
        buffer_write(device, problem->out_buffer, problem->a, bytes);
    else
        buffer_poison(device, problem->out_buffer);
    launch_ms(device, &entry->launch);
    buffer_read(device, problem->out_buffer, problem->found, bytes);
    for (cl_uint i = 0; i < problem->n; i++) {
        const float found = problem->found[i], expected = compute(problem, i);
        if (found != expected)
            return wrong_at(element_2d("out", i % problem->width, i / problem->width),
                            (double)found, (double)expected);
    }
    return true;
}

/* Plain C on one core against the device, alternating, by the host's clock. */
static struct ratio compare_with_host(const struct problem *problem,
                                      const struct launch *launch) {
    double host_ms[HOST_REPEATS], device_ms[HOST_REPEATS];
    for (int i = 0; i < HOST_REPEATS; i++) {
        const double start_ms = now_ms();
        for (cl_uint k = 0; k < problem->n; k++)
            problem->found[k] = compute(problem, k);
        const double between_ms = now_ms();
        launch_ms(&problem->step->device, launch);
        host_ms[i] = between_ms - start_ms;
        device_ms[i] = now_ms() - between_ms;
    }
    return ratio_of(device_ms, host_ms, HOST_REPEATS);
}

int main(int argc, char **argv) {
    struct step step;
    step_open(
        &step, argc, argv,
        &(struct usage){
            .step = "step15_tile_per_item",
            .lesson = "the same work; how much of it one work-item does differs"});
    const struct problem problem = make_problem(&step);

    /* The lesson: larger tiles, blocked and interleaved, then a few rows at a time. */
    struct contest contest = contest_begin(&step, is_right);
    const size_t count = step.options.all ? VARIANTS : BY_DEFAULT;
    for (size_t v = 0; v < count; v++)
        contest_add(&contest, make_entry(&problem, &variants[v]));
    const struct ratio ratio = contest_time(&contest, INTERLEAVED_8, BLOCKED_8);

    /* The result; and the tiles that suit this device against the host. */
    report_headline(&step.report, "interleaved 8x8, not blocked 8x8", ratio,
                    "A core works alone, so blocked rows suit it.");
    const size_t better = step.device.is_cpu ? BLOCKED_8 : INTERLEAVED_8;
    const struct ratio against_host =
        compare_with_host(&problem, &contest.entries[better].launch);
    report_say(&step.report,
               "%s against plain C on one core, by the host's clock:\n%s.",
               variants[better].name, in_words(against_host).text);
    return step_close(&step);
}
