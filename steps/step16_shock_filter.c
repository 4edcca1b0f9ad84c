/* Step 16: stencils: where to keep what is needed again
 *
 * In step 15 each number was needed once.  In a stencil each pixel is needed by all
 * that are around it, and yet memory should deliver it only once.  Where is it kept
 * until its last use: in a cache, in local memory, or in registers?
 *
 * Read with  kernels/step16_shock_filter.cl, docs/step16_shock_filter.md
 * Try        ROWS 4 in the kernels and here: how many rows are loaded for a new one?
 * Lens       --size 129600 shock_filter_pixel shock_filter_tile shock_filter_four
 *            shock_filter_local
 * Races      LOCKSTEP_MAX_GROUP=100 --size 3599 --width 61 --all
 * Story      moved_bytes shock_filter_four shock_filter_pixel
 */
#include "contest.h"
#include "data/shock_picture.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { HD = 1920 * 1080 };
static const struct sizes sizes = {.cpu = HD, .cpu_full = 8 * HD, .gpu = 64 * HD};

/* Each variant changes where a pixel is kept.  A group's shape, and how many work-items
 * it needs in a row; the pixels of each; and how many pixels on either side of the
 * group belong to others. */
enum { COPY, PIXEL, TILE, FOUR, LOCAL, BAND, VARIANTS };
static const struct variant {
    const char *name, *kernel;
    size_t group[2], least, each[2], halo;
    bool copies;
} variants[VARIANTS] = {
    {"copy", "shock_filter_copy", {240, 1}, 1, {4, 1}, 0, true},
    {"1 pixel each", "shock_filter_pixel", {32, 8}, 1, {1, 1}, 0, false},
    {"1 pixel each, tile", "shock_filter_tile", {32, 8}, 32, {1, 1}, 0, false},
    {"4 x 12 each", "shock_filter_four", {120, 1}, 1, {4, 12}, 0, false},
    {"4 x 12 each, local", "shock_filter_local", {122, 1}, 3, {4, 12}, 4, false},
    {"480 x 32 each, by 16", "shock_filter_band", {1, 1}, 1, {480, 32}, 0, false}};

/* ---- The filter on the host ---- */

static float sum_121(float a, float b, float c) {
    return (a + c) + 2.0f * b;
}

/* The sum g around pixel i: 1 2 1 in a column, and 1 2 1 of three such columns. */
static float column_sum(const float *pixels, size_t i, size_t pitch) {
    return sum_121(pixels[i - pitch], pixels[i], pixels[i + pitch]);
}

static float blurred(const float *pixels, size_t i, size_t pitch) {
    return sum_121(column_sum(pixels, i - 1, pitch), column_sum(pixels, i, pitch),
                   column_sum(pixels, i + 1, pitch));
}

/* Where the sums curve upwards, which is where their Laplacian is positive, a pixel
 * becomes darker by a quarter of the slope; where they curve downwards it becomes
 * lighter.  So an edge becomes steeper. */
static float sharpened(const float *pixels, size_t i, size_t pitch) {
    const float above = blurred(pixels, i - pitch, pitch),
                below = blurred(pixels, i + pitch, pitch),
                left = blurred(pixels, i - 1, pitch),
                right = blurred(pixels, i + 1, pitch), here = blurred(pixels, i, pitch);
    const float laplace = ((above + below) + (left + right)) - 4.0f * here;
    const float down = pixels[i + pitch] - pixels[i],
                across = pixels[i + 1] - pixels[i];
    const float sign = (float)((laplace > 0.0f) - (laplace < 0.0f));
    return pixels[i] - sign * sqrtf(down * down + across * across) * 0.25f;
}

/* The host reference.  It needs a copy of the picture with two pixels on each side:
 * beside a picture all is 0. */
static void sharpen_on_host(struct step *step, const struct shock_picture *picture,
                            float *out) {
    const size_t width = picture->width, height = picture->height, pitch = width + 4;
    float *padded = step_array(step, (height + 4) * pitch, sizeof *padded);
    for (size_t y = 0; y < height; y++)
        memcpy(&padded[(y + 2) * pitch + 2], &picture->pixels[y * picture->pitch],
               width * sizeof *padded);
    for (size_t y = 0; y < height; y++)
        for (size_t x = 0; x < width; x++)
            out[y * picture->pitch + x] =
                sharpened(padded, (y + 2) * pitch + x + 2, pitch);
}

/* ---- The filter on the device ---- */

struct filter {
    struct step *step;
    const struct shock_picture *picture;
    float *expected, *found;
    cl_mem in, out;
    size_t bytes; /* of a buffer */
};

static struct filter make_filter(struct step *step,
                                 const struct shock_picture *picture) {
    struct filter filter = {.step = step, .picture = picture};
    device_check_size(&step->device, picture->count, 2, sizeof(float));
    filter.bytes = picture->count * sizeof(float);
    filter.expected = step_array(step, picture->count, sizeof(float));
    filter.found = step_array(step, picture->count, sizeof(float));
    sharpen_on_host(step, picture, filter.expected);
    filter.in = buffer_from(&step->device, picture->pixels, filter.bytes);
    filter.out = buffer_new(&step->device, filter.bytes);
    return filter;
}

struct work {
    const struct filter *filter;
    const struct variant *variant;
};

/* Launches over nothing, or over another picture, and compares every pixel. */
static bool is_right(const struct entry *entry, bool again) {
    const struct work *work = entry->of;
    const struct filter *filter = work->filter;
    struct device *device = &filter->step->device;
    const float *old = filter->picture->pixels;
    for (size_t i = 0; i < filter->picture->count; i++)
        filter->found[i] = again ? 1.0f - old[i] : NAN;
    buffer_write(device, filter->out, filter->found, filter->bytes);
    launch_ms(device, &entry->launch);
    buffer_read(device, filter->out, filter->found, filter->bytes);
    if (work->variant->copies)
        return shock_picture_equal(filter->picture, filter->found, old, NULL);
    return shock_picture_equal(filter->picture, filter->found, filter->expected, old);
}

/* For a group of this shape, which may be smaller than the variant's. */
static struct entry make_entry(const struct filter *filter,
                               const struct variant *variant, const size_t group[2]) {
    struct step *step = filter->step;
    const struct shock_picture *picture = filter->picture;
    const cl_int width = (cl_int)picture->width, height = (cl_int)picture->height,
                 pitch = (cl_int)picture->pitch;
    const size_t columns = group[0] * variant->each[0] - 2 * variant->halo,
                 rows = group[1] * variant->each[1],
                 across = (picture->width + columns - 1) / columns,
                 down = (picture->height + rows - 1) / rows;
    struct work *work = step_array(step, 1, sizeof *work);
    work->filter = filter;
    work->variant = variant;

    struct entry entry = {.of = work};
    entry.launch = LAUNCH_2D(step, variant->kernel, across * group[0], down * group[1],
                             group, ARG(filter->in), ARG(filter->out), ARG(width),
                             ARG(height), ARG(pitch));
    entry.row.variant = variant->name;
    entry.row.size = picture->width * picture->height;
    entry.row.bytes = 8.0 * (double)entry.row.size;
    entry.row.limit = step->report.limits.copy;
    return entry;
}

/* ---- The experiment ---- */

/* A band is a way for a CPU.  A device's groups may be too small for a variant.
 * `places` are those of the variants in the contest. */
static void add_variants(struct contest *contest, const struct filter *filter,
                         size_t places[VARIANTS]) {
    struct step *step = contest->step;
    const size_t count = step->device.is_cpu || step->options.all ? VARIANTS : BAND;
    for (size_t v = 0; v < count; v++) {
        const struct variant *variant = &variants[v];
        size_t group[] = {variant->group[0], variant->group[1]};
        step_shape(step, group);
        if (group[0] < variant->least) {
            report_say(&step->report, "%s: needs larger groups", variant->name);
            continue;
        }
        places[v] = contest->count;
        contest_add(contest, make_entry(filter, variant, group));
    }
}

/* The rows, each of which alternates with the copy of as many bytes. */
static void time_rows(struct contest *contest) {
    enum { NOTE_LENGTH = 64 };
    for (size_t i = 0; i < contest->count; i++) {
        char *note = step_array(contest->step, NOTE_LENGTH, 1);
        const struct ratio slower = contest_time_beside(contest, i, COPY);
        if (i != COPY && told_apart(slower))
            snprintf(note, NOTE_LENGTH, "%.2f x copy", slower.median);
        contest->entries[i].row.note = note;
        contest_print(contest, i);
    }
}

int main(int argc, char **argv) {
    const char *input = NULL, *before = NULL, *output = NULL, *width = NULL;
    const struct own_option own[] = {
        {"input", "FILE", "filter this PNG file, not our own picture", .text = &input},
        {"before", "FILE", "write the picture to a PNG file", .file = &before},
        {"output", "FILE", "write the filtered picture", .file = &output},
        {"width", "N", "pixels in a row of our own picture", .text = &width}};
    struct step step;
    step_open(
        &step, argc, argv,
        &(struct usage){
            .step = "step16_shock_filter",
            .lesson = "the same filter; where it keeps what it needs again differs",
            .own = own,
            .own_count = COUNT(own)});

    /* The picture, here and on the device, and what is expected of it. */
    const cl_uint n = step_size(&step, &sizes, 2, sizeof(float));
    const struct shock_picture picture = shock_picture_make(&step, input, n, width);
    const struct filter filter = make_filter(&step, &picture);
    if (before)
        shock_picture_write(&picture, picture.pixels, before);

    /* The lesson: each way to keep pixels, alternating with a copy. */
    struct contest contest = contest_begin(&step, is_right);
    size_t places[VARIANTS];
    add_variants(&contest, &filter, places);
    time_rows(&contest);

    /* The result: two of them once more, alternating; and the filtered picture. */
    const size_t pixel = places[PIXEL], four = places[FOUR];
    report_headline(&step.report, "4 x 12 pixels per item, not 1",
                    contest_compare(&contest, four, pixel),
                    "A core, too, keeps in registers what its next pixel needs again.");
    report_say(&step.report,
               "x copy: how many times slower than a copy, measured alternately.");
    if (output && step.report.wrong == 0 && is_right(&contest.entries[pixel], true))
        shock_picture_write(&picture, filter.found, output);
    return step_close(&step);
}
