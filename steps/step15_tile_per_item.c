/* Step 15: how much one work-item should do
 *
 * In step 14 memory was read in an order that rays had chosen.  Here we choose: a
 * matrix is cut into tiles, one for each work-item.  The larger its tile, the more
 * loads a work-item has in flight, until there are no registers left for them.
 *
 * Read with  kernels/step15_tile_per_item.cl, docs/step15_tile_per_item.md
 * Try        HEIGHT = 2, for four times as many groups: which row suffers, and why?
 * Lens       --size 1048576 tile_1 tile_blocked_4 tile_blocked_8 tile_interleaved_8
 * Story      load_sectors tile_interleaved_8 tile_blocked_8
 */
#include "data/registers.h"
#include "step.h"

#include <math.h>

/* The shape of the groups, as LANES in the kernels; and the groups of vectors. */
enum { WIDTH = 32, HEIGHT = 8, FLAT_GROUP = 256, PAIRS = 5 };
static const struct sizes sizes = {.cpu = 9437184, .cpu_full = 1 << 24, .gpu = 1 << 26};

/* The columns and rows of a tile, if there are any; the last four come with --all. */
enum { BLOCKED_8 = 3, INTERLEAVED_8 = 7, BY_DEFAULT = 12 };
static const struct variant {
    const char *name, *kernel;
    size_t columns, rows;
} variants[] = {{"triad, a float4 each", "tile_triad", 4, 0},
                {"1x1", "tile_1", 1, 1},
                {"blocked 4x4", "tile_blocked_4", 4, 4},
                {"blocked 8x8", "tile_blocked_8", 8, 8},
                {"blocked 16x16", "tile_blocked_16", 16, 16},
                {"blocked 32x32", "tile_blocked_32", 32, 32},
                {"interleaved 4x4", "tile_interleaved_4", 4, 4},
                {"interleaved 8x8", "tile_interleaved_8", 8, 8},
                {"interleaved 16x16", "tile_interleaved_16", 16, 16},
                {"interleaved 32x32", "tile_interleaved_32", 32, 32},
                {"16x16, 4 rows at a time", "tile_passes_16", 16, 16},
                {"32x32, 2 rows at a time", "tile_passes_32", 32, 32},
                {"a float2 each", "tile_float2", 2, 0},
                {"interleaved 2x1", "tile_two", 2, 1},
                {"blocked 32x32, 4 passes", "tile_blocked_passes", 32, 32},
                {"interleaved 24x6", "tile_24_by_6", 24, 6}};

struct problem {
    struct device *device;
    cl_uint width, height, n;
    float factor, *found;
    const float *a, *b;
    cl_mem a_buffer, b_buffer, out_buffer;
};

static float compute(const struct problem *p, cl_uint i) {
    return (p->a[i] + p->b[i]) * p->factor;
}

/* The numbers of a and b continue behind the matrix, so that a work-item that goes too
 * far writes numbers behind `out`, which is noticed. */
static struct problem make_problem(struct step *step) {
    const cl_uint size = step_size(step, &sizes, 4, sizeof(float));
    struct problem p = {.device = &step->device};
    p.width = (cl_uint)ceil(sqrt((double)size));
    p.height = size / p.width;
    p.n = p.width * p.height;
    cl_uint random = mix_seed(step->options.seed);
    p.factor = 0.125f * (float)(2 * (random_next(&random) >> 28) + 1); /* odd eighth */
    const size_t bytes = p.n * sizeof(float), more = bytes + GUARD_BYTES;
    p.a = step_long_numbers(step, more / sizeof(float), 1);
    p.b = step_long_numbers(step, more / sizeof(float), 2);
    p.found = step_array(step, p.n, sizeof(float));
    p.a_buffer = buffer_from(p.device, p.a, more);
    p.b_buffer = buffer_from(p.device, p.b, more);
    p.out_buffer = buffer_new(p.device, bytes);
    return p;
}

/* Work-items beyond the last column have nothing to do; they complete the last WIDTH
 * neighbours, whose columns are interleaved. */
static struct launch make_launch(struct step *step, const struct problem *p,
                                 const struct variant *v) {
    if (!v->rows)
        return LAUNCH(step, v->kernel, p->n / v->columns + 1,
                      step_group(step, FLAT_GROUP), ARG(p->a_buffer), ARG(p->b_buffer),
                      ARG(p->out_buffer), ARG(p->factor), ARG(p->n));
    const size_t width = (p->width - 1) / (WIDTH * v->columns) * WIDTH + WIDTH;
    return LAUNCH_2D(step, v->kernel, width, (p->height - 1) / v->rows + 1,
                     ((size_t[]){WIDTH, HEIGHT}), ARG(p->a_buffer), ARG(p->b_buffer),
                     ARG(p->out_buffer), ARG(p->factor), ARG(p->width), ARG(p->height));
}

/* Launches, and compares every element.  A launch must overwrite what it finds in
 * `out`: nothing yet, or the numbers of `a`. */
static bool is_right(const struct problem *p, const struct launch *launch, bool again) {
    const size_t bytes = p->n * sizeof(float);
    again ? buffer_write(p->device, p->out_buffer, p->a, bytes)
          : buffer_poison(p->device, p->out_buffer);
    launch_ms(p->device, launch);
    buffer_read(p->device, p->out_buffer, p->found, bytes);
    for (cl_uint i = 0; i < p->n; i++)
        if (p->found[i] != compute(p, i))
            return wrong_at(element_2d("out", i % p->width, i / p->width),
                            (double)p->found[i], (double)compute(p, i));
    return true;
}

/* Plain C on one core against the device, alternating, by the host's clock. */
static struct ratio compare_with_host(const struct problem *p, const struct launch *l) {
    double host_ms[PAIRS], device_ms[PAIRS];
    for (int i = 0; i < PAIRS; i++) {
        const double start_ms = now_ms();
        for (cl_uint k = 0; k < p->n; k++)
            p->found[k] = compute(p, k);
        host_ms[i] = now_ms() - start_ms;
        launch_ms(p->device, l);
        device_ms[i] = now_ms() - start_ms - host_ms[i];
    }
    return ratio_of(device_ms, host_ms, PAIRS);
}

int main(int argc, char **argv) {
    struct step step;
    step_open(&step, argc, argv, &(struct usage){.step = "step15_tile_per_item"});
    const struct problem p = make_problem(&step);

    /* The lesson: larger tiles, blocked and interleaved, then in several passes. */
    const size_t count = step.options.all ? COUNT(variants) : BY_DEFAULT;
    struct launch launches[COUNT(variants)];
    for (size_t v = 0; v < count; v++) {
        const struct launch launch = launches[v] = make_launch(&step, &p, &variants[v]);
        const struct phrase note =
            registers_in_words(p.device, variants[v].kernel, &launch);
        const bool right = is_right(&p, &launch, false);
        struct row row = step_time(&step, variants[v].name, &launch, p.n,
                                   3.0 * p.n * sizeof(float), step.report.limits.copy);
        row.right = right && right_again(is_right(&p, &launch, true));
        row.note = note.text;
        report_row(&step.report, row);
    }

    /* The result: two once more, alternating; and one of them against the host. */
    struct timing pair[2];
    const size_t better = step.device.is_cpu ? BLOCKED_8 : INTERLEAVED_8;
    report_headline(&step.report, "interleaved 8x8 against blocked 8x8",
                    time_pair(p.device, launches[INTERLEAVED_8], launches[BLOCKED_8],
                              step.options.repeats, pair));
    report_say(
        &step.report, "%s against plain C on one core, by the host's clock:\n%s.",
        variants[better].name, in_words(compare_with_host(&p, &launches[better])).text);
    if (step.device.is_cpu)
        report_say(&step.report, "A CPU core works alone, so blocked rows suit it.");
    return step_close(&step);
}
