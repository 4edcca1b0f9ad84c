/* Step 16b: kernel fusion: several iterations in one launch
 *
 * The kernel of step 16 is nearly as fast as a copy, but a filter is often applied
 * several times.  If each launch makes one iteration, the picture goes through memory
 * each time. A group that makes several iterations on its part of the picture, with a
 * halo, saves that.  But it has to compute the halo in addition, so does it pay?
 *
 * Read with  kernels/step16b_fused_passes.cl, docs/step16b_fused_passes.md
 * Try        --all: lower areas, and eight iterations in a launch
 * Lens       --size 39424 --width 224 shock_single shock_fused
 * Races      --size 10007 --all
 */
#include "contest.h"
#include "data/shock_picture.h"

#include <math.h>
#include <string.h>

static const struct sizes sizes = {.cpu = 250000, .cpu_full = 1 << 22, .gpu = 1 << 26};

enum { ITERATIONS = 4, MAX_LAUNCHES = 8 };
enum { MIN_ITEMS = 96, MIN_ITEMS_FOR_ALL = 192 }; /* lower areas are all halo */
enum { ROW_GROUP = 32 };                          /* work-items of blur_row */

/* What the iterations make of the picture: four or eight of them sharpen or blur it. */
enum { SAME, SHARP, BLURRED, MORE_BLURRED, RESULTS };

/* Kernels have different arguments: a copy has no halo, and only a kernel that may make
 * several iterations in a launch has an argument for how many. */
enum kind { COPIES, ONE_ITERATION, SEVERAL };

/* The last three variants come with --all. */
enum { COPY, STEP16, SHARP_2 = 3, BLUR_1 = 5, BLUR_4 = 7, BY_DEFAULT, VARIANTS = 11 };
static const struct variant {
    const char *name, *kernel;
    enum kind kind;
    int makes;         /* SAME, SHARP ... */
    size_t iterations; /* in all launches together */
    size_t per_launch;
    size_t group[2];
    size_t rows; /* that a work-item loads, each of four columns */
} variants[VARIANTS] = {
    {"copy", "fused_copy", COPIES, SAME, 1, 1, {256, 1}, 1},
    {"sharpen, as step 16", "shock_single", ONE_ITERATION, SHARP, 4, 1, {122, 1}, 16},
    {"sharpen, 1 per launch", "shock_fused", SEVERAL, SHARP, 4, 1, {32, 6}, 10},
    {"sharpen, 2 per launch", "shock_fused", SEVERAL, SHARP, 4, 2, {32, 6}, 10},
    {"sharpen, 4 per launch", "shock_fused", SEVERAL, SHARP, 4, 4, {32, 6}, 10},
    {"blur, 1 per launch", "blur_fused", SEVERAL, BLURRED, 4, 1, {32, 6}, 10},
    {"blur, 2 per launch", "blur_fused", SEVERAL, BLURRED, 4, 2, {32, 6}, 10},
    {"blur, 4 per launch", "blur_fused", SEVERAL, BLURRED, 4, 4, {32, 6}, 10},
    {"blur, 4, 30 rows high", "blur_fused", SEVERAL, BLURRED, 4, 4, {32, 3}, 10},
    {"8 blurs, 4 per launch", "blur_fused", SEVERAL, MORE_BLURRED, 8, 4, {32, 6}, 10},
    {"8 blurs, 8 per launch", "blur_fused", SEVERAL, MORE_BLURRED, 8, 8, {32, 6}, 10}};

struct study {
    struct step *step;
    struct shock_picture picture;
    float *padded; /* for the filter on the host */
    float *expected[RESULTS], *found;
    cl_mem in, buffers[2];
    size_t bytes; /* of a buffer */
};

/* ---- The filter on the host ---- */

static float sum_121(float a, float b, float c) {
    return (a + c) + 2.0f * b;
}

/* The sum g around pixel i: 1 2 1 in a column, and 1 2 1 of three such columns.  Sums
 * have the kernels' order. */
static float column_sum(const float *pixels, size_t i, size_t pitch) {
    return sum_121(pixels[i - pitch], pixels[i], pixels[i + pitch]);
}

static float blurred(const float *pixels, size_t i, size_t pitch) {
    return sum_121(column_sum(pixels, i - 1, pitch), column_sum(pixels, i, pitch),
                   column_sum(pixels, i + 1, pitch));
}

/* What the filter of step 16 makes of a pixel. */
static float sharpened(const float *pixels, size_t i, size_t pitch) {
    const float above = blurred(pixels, i - pitch, pitch);
    const float below = blurred(pixels, i + pitch, pitch);
    const float left = blurred(pixels, i - 1, pitch);
    const float right = blurred(pixels, i + 1, pitch);
    const float here = blurred(pixels, i, pitch);
    const float laplace = ((above + below) + (left + right)) - 4.0f * here;

    float sign = 0.0f;
    if (laplace > 0.0f)
        sign = 1.0f;
    if (laplace < 0.0f)
        sign = -1.0f;

    const float down = pixels[i + pitch] - pixels[i];
    const float across = pixels[i + 1] - pixels[i];
    const float slope = sqrtf(down * down + across * across);
    return pixels[i] - sign * slope * 0.25f;
}

/* The host reference: one iteration, which sharpens or only blurs, from `in` to `out`,
 * which may be the same.  It needs a copy of the old pixels with two pixels of 0 on
 * each side, because all is 0 outside a picture. */
static void filter_on_host(const struct study *study, bool sharpens, const float *in,
                           float *out) {
    const struct shock_picture *picture = &study->picture;
    const size_t width = picture->width, height = picture->height;
    const size_t pitch = width + 4;
    float *padded = study->padded;
    for (size_t y = 0; y < height; y++)
        memcpy(&padded[(y + 2) * pitch + 2], &in[y * picture->pitch],
               width * sizeof *padded);

    for (size_t y = 0; y < height; y++)
        for (size_t x = 0; x < width; x++) {
            const size_t from = (y + 2) * pitch + x + 2, to = y * picture->pitch + x;
            if (sharpens)
                out[to] = sharpened(padded, from, pitch);
            else
                out[to] = blurred(padded, from, pitch) / 16.0f;
        }
}

/* What four blurs make of a picture. */
static void blur_on_host(const struct study *study, const float *in, float *out) {
    filter_on_host(study, false, in, out);
    for (int iteration = 1; iteration < ITERATIONS; iteration++)
        filter_on_host(study, false, out, out);
}

/* What one blur makes of a row of pixels, as blur_row does it. */
static void blur_row_on_host(const float *in, size_t width, float *out) {
    for (size_t x = 0; x < width; x++) {
        float left = 0.0f, right = 0.0f;
        if (x > 0)
            left = in[x - 1];
        if (x + 1 < width)
            right = in[x + 1];
        out[x] = sum_121(left, in[x], right) / 4.0f;
    }
}

/* All that is expected, but for the sharpened picture: see each_iteration_right(). */
static struct study make_study(struct step *step, const char *width) {
    const cl_uint n = step_size(step, &sizes, 3, sizeof(float));
    struct study study = {.step = step,
                          .picture = shock_picture_make(step, NULL, n, width)};
    const struct shock_picture *picture = &study.picture;
    device_check_size(&step->device, picture->count, 3, sizeof(float));
    study.bytes = picture->count * sizeof(float);
    study.in = buffer_from(&step->device, picture->pixels, study.bytes);
    for (int i = 0; i < 2; i++)
        study.buffers[i] = buffer_new(&step->device, study.bytes);

    study.padded =
        step_array(step, (picture->width + 4) * (picture->height + 4), sizeof(float));
    study.found = step_array(step, study.bytes, 1);
    for (int result = SHARP; result < RESULTS; result++)
        study.expected[result] = step_array(step, study.bytes, 1);
    study.expected[SAME] = picture->pixels;
    blur_on_host(&study, study.expected[SAME], study.expected[BLURRED]);
    blur_on_host(&study, study.expected[BLURRED], study.expected[MORE_BLURRED]);
    return study;
}

/* ---- The iterations on the device ---- */

/* One launch: enough groups to cover the picture with what is left of their areas
 * without the halo. */
static struct launch make_launch(const struct study *study,
                                 const struct variant *variant, cl_mem from,
                                 cl_mem to) {
    struct step *step = study->step;
    const struct shock_picture *picture = &study->picture;
    const cl_int width = (cl_int)picture->width;
    const cl_int height = (cl_int)picture->height;
    const cl_int pitch = (cl_int)picture->pitch;
    const cl_int iterations = (cl_int)variant->per_launch;
    size_t group[] = {step_group(step, variant->group[0]), variant->group[1]};
    step_shape(step, group);
    if (variant->kind == COPIES)
        return LAUNCH(step, variant->kernel, picture->count / 4, group[0], ARG(from),
                      ARG(to), ARG(pitch), ARG(height));

    /* Two pixels on each side for each iteration; on the left and right in whole fours.
     */
    const size_t halo = 2 * variant->per_launch, wide_halo = (halo + 3) / 4 * 4;
    const size_t area_columns = 4 * group[0], area_rows = group[1] * variant->rows;
    const size_t columns = area_columns - 2 * wide_halo, rows = area_rows - 2 * halo;
    const size_t groups_across = (picture->width + columns - 1) / columns;
    const size_t groups_down = (picture->height + rows - 1) / rows;
    const size_t across = groups_across * group[0], down = groups_down * group[1];
    const size_t bytes = area_columns * area_rows * sizeof(float);
    if (variant->kind == ONE_ITERATION)
        return LAUNCH_2D(step, variant->kernel, across, down, group, ARG(from), ARG(to),
                         ARG(width), ARG(height), ARG(pitch), LOCAL(bytes));
    return LAUNCH_2D(step, variant->kernel, across, down, group, ARG(from), ARG(to),
                     ARG(width), ARG(height), ARG(pitch), LOCAL(bytes),
                     ARG(iterations));
}

/* All launches of a variant: from the picture to one buffer, to the other, and back. */
struct chain {
    struct study *study;
    const struct variant *variant;
    struct launch launches[MAX_LAUNCHES];
    size_t count;
    cl_mem result; /* the last buffer */
};

static struct chain *chain_new(struct study *study, const struct variant *variant) {
    struct chain *chain = step_array(study->step, 1, sizeof *chain);
    chain->study = study;
    chain->variant = variant;
    chain->count = variant->iterations / variant->per_launch;
    cl_mem from = study->in;
    for (size_t i = 0; i < chain->count; i++) {
        cl_mem to = study->buffers[i % 2];
        chain->launches[i] = make_launch(study, variant, from, to);
        if (i + 1 < chain->count)
            chain->launches[i].then = &chain->launches[i + 1];
        from = to;
    }
    chain->result = from;
    return chain;
}

/* ---- Is the result right? ---- */

/* Launches one iteration after another, each of which sharpens, and compares with what
 * the host makes of the device's previous picture, so that no rounding adds up.  All
 * other variants that sharpen have to agree with the last picture, to the last bit. */
static bool each_iteration_right(const struct chain *chain) {
    struct study *study = chain->study;
    struct device *device = &study->step->device;
    float *sharp = study->expected[SHARP], *found = study->found;
    float *expected = step_array(study->step, study->bytes, 1);
    bool right = true;
    memcpy(sharp, study->expected[SAME], study->bytes);
    for (size_t i = 0; i < chain->count; i++) {
        struct launch alone = chain->launches[i];
        alone.then = NULL;
        buffer_poison(device, study->buffers[i % 2]);
        launch_ms(device, &alone);
        buffer_read(device, study->buffers[i % 2], found, study->bytes);
        filter_on_host(study, true, sharp, expected);
        right = right && shock_picture_equal(&study->picture, found, expected, sharp);
        memcpy(sharp, right ? found : expected, study->bytes);
    }
    return right;
}

/* Launches all iterations over buffers with another picture, and compares every pixel.
 */
static bool is_right(const struct entry *entry, bool again) {
    const struct chain *chain = entry->of;
    const struct study *study = chain->study;
    struct device *device = &study->step->device;
    if (!again && chain->variant->kind == ONE_ITERATION && !each_iteration_right(chain))
        return false;
    for (size_t i = 0; i < study->picture.count; i++)
        study->found[i] = 2.0f - study->picture.pixels[i];
    for (int i = 0; i < 2; i++)
        buffer_write(device, study->buffers[i], study->found, study->bytes);
    launch_ms(device, &entry->launch);
    buffer_read(device, chain->result, study->found, study->bytes);
    return shock_picture_equal(&study->picture, study->found,
                               study->expected[chain->variant->makes], NULL);
}

static struct entry make_entry(struct study *study, const struct variant *variant) {
    const struct chain *chain = chain_new(study, variant);
    struct entry entry = {.launch = chain->launches[0], .of = chain};
    entry.row.variant = variant->name;
    entry.row.size = study->picture.width * study->picture.height;
    entry.row.bytes = 8.0 * (double)entry.row.size;
    entry.row.limit = study->step->report.limits.copy;
    return entry;
}

/* A ramp in the place of the picture.  Behind its rows there are NaN. */
static float *make_ramp(const struct study *study) {
    const size_t pitch = study->picture.pitch;
    const size_t across = 1 + study->step->options.seed % 4;
    float *ramp = step_array(study->step, study->bytes, 1);
    for (size_t i = 0; i < study->picture.count; i++) {
        const size_t x = i % pitch, y = i / pitch;
        ramp[i] = NAN;
        if (x < study->picture.width)
            ramp[i] = (float)(across * x + 5 * y) / 256.0f;
    }
    return ramp;
}

/* Launches a chain from this picture, and reads the result into `result`, which may be
 * the same memory. */
static void run_from(const struct chain *chain, const float *from, float *result) {
    const struct study *study = chain->study;
    struct device *device = &study->step->device;
    buffer_write(device, study->in, from, study->bytes);
    buffer_poison(device, chain->result);
    launch_ms(device, &chain->launches[0]);
    buffer_read(device, chain->result, result, study->bytes);
}

/* Eight iterations that sharpen a ramp, in one launch: they need the whole halo, of
 * which blurs need half.  On a ramp nothing changes, because the pixels above a pixel
 * and below it make up for each other, and so a wrong pixel changes every pixel two
 * away from it. Step 16's kernel makes the eight iterations in two chains of four. */
static bool eight_right(struct study *study) {
    static const struct variant variant = {
        "sharpen, 8 per launch", "shock_fused", SEVERAL, SHARP, 8, 8, {32, 6}, 10};
    const struct chain *four = chain_new(study, &variants[STEP16]);
    const struct chain *eight = chain_new(study, &variant);
    const float *ramp = make_ramp(study);
    float *expected = step_array(study->step, study->bytes, 1);
    run_from(four, ramp, expected);
    run_from(four, expected, expected);
    run_from(eight, ramp, study->found);
    buffer_write(&study->step->device, study->in, study->picture.pixels, study->bytes);
    return shock_picture_equal(&study->picture, study->found, expected, NULL);
}

/* The kernel that shows the idea, on the picture's first row. */
static bool row_right(const struct study *study) {
    struct step *step = study->step;
    const cl_mem out = study->buffers[0];
    const size_t size = study->picture.width;
    const cl_int width = (cl_int)size, iterations = ITERATIONS;
    const size_t left = ROW_GROUP - 2 * ITERATIONS; /* of an area, without the halo */
    const size_t groups = (size + left - 1) / left;
    const struct launch launch =
        LAUNCH(step, "blur_row", groups * ROW_GROUP, ROW_GROUP, ARG(study->in),
               ARG(out), ARG(width), LOCAL(ROW_GROUP * sizeof(float)), ARG(iterations));
    buffer_poison(&step->device, out);
    launch_ms(&step->device, &launch);
    buffer_read(&step->device, out, study->found, study->bytes);

    float *old = step_array(step, size, sizeof *old);
    float *new = step_array(step, size, sizeof *new);
    memcpy(old, study->picture.pixels, size * sizeof *old);
    for (int iteration = 0; iteration < ITERATIONS; iteration++) {
        blur_row_on_host(old, size, new);
        memcpy(old, new, size * sizeof *old);
    }
    for (size_t x = 0; x < size; x++)
        if (study->found[x] != new[x]) /* also if it is NaN */
            return wrong_at(element("row", x), (double)study->found[x], (double)new[x]);
    return true;
}

/* ---- The experiment ---- */

int main(int argc, char **argv) {
    const char *width = NULL;
    const struct own_option own[] = {{"width", "N", "pixels in a row", .text = &width}};
    struct step step;
    step_open(
        &step, argc, argv,
        &(struct usage){
            .step = "step16b_fused_passes",
            .lesson = "a filter applied several times, by one or several launches",
            .own = own,
            .own_count = COUNT(own)});
    step_need_group(&step, step.options.all ? MIN_ITEMS_FOR_ALL : MIN_ITEMS);
    struct study study = make_study(&step, width);

    /* The lesson: fewer launches, for a filter that computes much, and for one that
     * computes little.  Each row alternates with the copy. */
    struct contest contest = contest_begin(&step, is_right);
    const size_t count = step.options.all ? VARIANTS : BY_DEFAULT;
    for (size_t v = 0; v < count; v++)
        contest_add(&contest, make_entry(&study, &variants[v]));
    for (size_t v = 0; v < count; v++) {
        contest_time_beside(&contest, v, COPY);
        contest_print(&contest, v);
    }
    if (!row_right(&study))
        report_row(&step.report, (struct row){.variant = "one row, blurred"});
    if (step.options.all && !eight_right(&study))
        report_row(&step.report, (struct row){.variant = "sharpen, 8 per launch"});

    /* The result: two pairs, which now alternate with each other. */
    const struct ratio sharpen = contest_compare(&contest, SHARP_2, STEP16);
    const struct ratio blur = contest_compare(&contest, BLUR_4, BLUR_1);
    report_say(&step.report, "Sharpened, 2 per launch against step 16: %s.",
               in_words(sharpen).text);
    report_headline(&step.report, "4 blurs in a launch, not 1", blur,
                    "A core computes for much longer than it loads.");
    return step_close(&step);
}
