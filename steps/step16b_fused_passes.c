/* Step 16b: several passes in one launch
 *
 * A filter is often applied several times.  If each launch makes one pass, the picture
 * goes through memory once for each pass.  A group that makes several passes on its
 * part of the picture, with a halo, saves that, and computes the halo in addition.
 *
 * Read with  kernels/step16b_fused_passes.cl, docs/step16b_fused_passes.md
 * Try        --all: areas of other heights, and eight passes
 * Lens       --size 39424 --width 224 shock_single shock_passes
 * Races      --size 10007 --all
 * Story      barriers blur_passes@passes=4 blur_passes@passes=1
 */
#include "data/shock.h"

#include <math.h>
#include <string.h>

static const struct sizes sizes = {.cpu = 250000, .cpu_full = 1 << 22, .gpu = 1 << 26};

/* What it makes; the passes in all, and in a launch; a group's shape; the rows of an
 * item, each with four columns.  (In step 16's kernel 4 of the 16 are halo.) */
enum { COPY, STEP16, SHARP_2 = 3, BLUR_1 = 5, BLUR_4 = 7, BY_DEFAULT };
enum { MIN_ITEMS = 96, MIN_ITEMS_FOR_ALL = 192 }; /* lower areas are all halo */
enum { SHARP, SAME, BLURRED, MORE_BLURRED, FOUND, PICTURES, PASSES = 4 };
static const struct variant {
    const char *name, *kernel;
    size_t makes, passes, per_launch, group[2], rows;
} variants[] = {
    {"copy", "fused_copy", SAME, 1, 1, {256, 1}, 1},
    {"sharpen, as step 16", "shock_single", SHARP, 4, 1, {122, 1}, 16},
    {"sharpen, 1 per launch", "shock_passes", SHARP, 4, 1, {32, 6}, 10},
    {"sharpen, 2 per launch", "shock_passes", SHARP, 4, 2, {32, 6}, 10},
    {"sharpen, 4 per launch", "shock_passes", SHARP, 4, 4, {32, 6}, 10},
    {"blur, 1 per launch", "blur_passes", BLURRED, 4, 1, {32, 6}, 10},
    {"blur, 2 per launch", "blur_passes", BLURRED, 4, 2, {32, 6}, 10},
    {"blur, 4 per launch", "blur_passes", BLURRED, 4, 4, {32, 6}, 10},
    {"blur, 4, 30 rows high", "blur_passes", BLURRED, 4, 4, {32, 3}, 10},
    {"8 blurs, 4 per launch", "blur_passes", MORE_BLURRED, 8, 4, {32, 6}, 10},
    {"8 blurs, 8 per launch", "blur_passes", MORE_BLURRED, 8, 8, {32, 6}, 10}};

struct study {
    struct step *step;
    struct shock picture;
    float *pictures[PICTURES];
    cl_mem in, buffers[2];
    size_t bytes; /* of a buffer */
    struct launch launches[COUNT(variants)][2 * PASSES];
};

static struct study make_study(struct step *step, const char *width) {
    const cl_uint n = step_size(step, &sizes, 3, sizeof(float));
    struct study s = {.step = step, .picture = shock_picture(step, NULL, n, width)};
    device_check_size(&step->device, s.picture.count, 3, sizeof(float));
    s.bytes = s.picture.count * sizeof(float);
    s.in = buffer_from(&step->device, s.picture.pixels, s.bytes);
    for (int i = 0; i < 2; i++)
        s.buffers[i] = buffer_new(&step->device, s.bytes);
    for (int i = 0; i < PICTURES; i++)
        s.pictures[i] = i == SAME ? s.picture.pixels : step_array(step, s.bytes, 1);
    for (int i = 0; i < 2 * PASSES; i++) {
        const int to = BLURRED + i / PASSES, from = i % PASSES ? to : to - 1;
        shock_on_host(&s.picture, false, s.pictures[from], s.pictures[to]);
    }
    return s;
}

/* One launch: as many groups as cover the picture with what is left of their areas
 * without the halo of two pixels for each pass, in columns a multiple of four. */
static struct launch make_launch(const struct study *s, const struct variant *v,
                                 cl_mem from, cl_mem to) {
    const struct shock *p = &s->picture;
    const cl_int width = (cl_int)p->width, height = (cl_int)p->height,
                 pitch = (cl_int)p->pitch, passes = (cl_int)v->per_launch;
    size_t group[] = {step_group(s->step, v->group[0]), v->group[1]};
    step_shape(s->step, group);
    if (v == &variants[COPY])
        return LAUNCH(s->step, v->kernel, p->count / 4, group[0], ARG(from), ARG(to),
                      ARG(pitch), ARG(height));
    const size_t halo = 2 * v->per_launch, high = group[1] * v->rows;
    const size_t columns = 4 * group[0] - (halo + 3) / 4 * 8, rows = high - 2 * halo,
                 across = (p->width + columns - 1) / columns * group[0],
                 down = (p->height + rows - 1) / rows * group[1],
                 bytes = group[0] * high * sizeof(cl_float4);
    if (v == &variants[STEP16])
        return LAUNCH_2D(s->step, v->kernel, across, down, group, ARG(from), ARG(to),
                         ARG(width), ARG(height), ARG(pitch), LOCAL(bytes));
    return LAUNCH_2D(s->step, v->kernel, across, down, group, ARG(from), ARG(to),
                     ARG(width), ARG(height), ARG(pitch), LOCAL(bytes), ARG(passes));
}

/* From the picture to one buffer, to the other, and back.  Returns the last one. */
static cl_mem make_chain(struct study *s, const struct variant *v, struct launch *l) {
    cl_mem from = s->in;
    for (size_t i = 0; i < v->passes / v->per_launch; i++) {
        l[i] = make_launch(s, v, from, s->buffers[i % 2]);
        l[i].then = (i + 1) * v->per_launch < v->passes ? &l[i + 1] : NULL;
        from = s->buffers[i % 2];
    }
    return from;
}

/* Launches all passes over buffers with another picture, and compares every pixel. */
static bool is_right(const struct study *s, size_t v, cl_mem result) {
    float *found = s->pictures[FOUND];
    for (size_t i = 0; i < s->picture.count; i++)
        found[i] = 2.0f - s->picture.pixels[i];
    for (int i = 0; i < 2; i++)
        buffer_write(&s->step->device, s->buffers[i], found, s->bytes);
    launch_ms(&s->step->device, s->launches[v]);
    buffer_read(&s->step->device, result, found, s->bytes);
    return shock_equal(&s->picture, found, s->pictures[variants[v].makes], NULL);
}

/* Eight passes that sharpen a ramp, in one launch: they need the whole halo, of which
 * blurs need half.  On a ramp nothing changes, because what is above a pixel and what
 * is below it make up for each other, and so any wrong pixel changes those two away
 * from it. Step 16's kernel makes the passes in two chains of four. */
static bool eight_right(struct study *s) {
    const struct variant eight = {"", "shock_passes", FOUND, 8, 8, {32, 6}, 10};
    struct device *device = &s->step->device;
    struct launch launch[2 * PASSES];
    float *ramp = step_array(s->step, s->bytes, 1), *found = s->pictures[FOUND],
          *wanted = step_array(s->step, s->bytes, 1);
    const size_t pitch = s->picture.pitch, across = 1 + s->step->options.seed % 4;
    for (size_t i = 0; i < s->picture.count; i++)
        ramp[i] = i % pitch < s->picture.width
                      ? (float)(across * (i % pitch) + 5 * (i / pitch)) / 256.0f
                      : NAN;
    memcpy(wanted, ramp, s->bytes);
    cl_mem result = make_chain(s, &variants[STEP16], launch);
    for (int four = 0; four < 2; four++) {
        buffer_write(device, s->in, wanted, s->bytes);
        launch_ms(device, launch);
        buffer_read(device, result, wanted, s->bytes);
    }
    buffer_write(device, s->in, ramp, s->bytes);
    result = make_chain(s, &eight, launch);
    buffer_poison(device, result);
    launch_ms(device, launch);
    buffer_read(device, result, found, s->bytes);
    buffer_write(device, s->in, s->picture.pixels, s->bytes);
    return shock_equal(&s->picture, found, wanted, NULL);
}

/* A row that alternates with the copy. */
static void report_variant(struct study *s, size_t v) {
    struct step *step = s->step;
    const cl_mem result = make_chain(s, &variants[v], s->launches[v]);
    struct row row = {variants[v].name, s->picture.width * s->picture.height,
                      .limit = step->report.limits.copy};
    row.bytes = 8.0 * (double)row.size;
    row.right = v != STEP16 || shock_sharpens(&s->picture, step, s->launches[v],
                                              s->buffers, s->pictures[SHARP]);
    row.right = row.right && is_right(s, v, result);
    step_time_beside(step, s->launches[COPY], s->launches[v], &row);
    row.right = row.right && right_again(is_right(s, v, result));
    report_row(&step->report, row);
}

int main(int argc, char **argv) {
    const char *width = NULL;
    const struct own_option own[] = {{"width", "N", "pixels in a row", .text = &width}};
    struct step step;
    step_open(
        &step, argc, argv,
        &(struct usage){.step = "step16b_fused_passes", .own = own, .own_count = 1});
    step_need_group(&step, step.options.all ? MIN_ITEMS_FOR_ALL : MIN_ITEMS);
    struct study s = make_study(&step, width);

    /* The lesson: fewer launches, for a filter that computes much, and for another. */
    for (size_t v = 0; v < (step.options.all ? COUNT(variants) : BY_DEFAULT); v++)
        report_variant(&s, v);
    if (step.options.all && !eight_right(&s))
        report_row(&step.report, (struct row){.variant = "sharpen, 8 per launch"});

    /* The result: pairs of them once more, alternating with each other. */
    struct timing t[2];
    struct launch(*l)[2 * PASSES] = s.launches;
    const int n = step.options.repeats;
    report_say(&step.report, "Sharpened, 2 per launch against step 16: %s.",
               in_words(time_pair(&step.device, *l[SHARP_2], *l[STEP16], n, t)).text);
    report_headline(&step.report, "4 blurs in a launch against 1",
                    time_pair(&step.device, *l[BLUR_4], *l[BLUR_1], n, t));
    if (step.device.is_cpu)
        report_say(&step.report, "A CPU computes for much longer than it loads.");
    return step_close(&step);
}
