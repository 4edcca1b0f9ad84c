/* Step 16: stencils: where to keep what is needed again
 *
 * In step 15 each number was needed once.  In a stencil each old pixel is needed for
 * many new ones, and yet memory should deliver it only once.  Where does it wait for
 * its next use: in a cache, in local memory, or in registers?
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

/* Each variant changes where a pixel is kept.  The last one is for a CPU alone. */
enum { COPY, PIXEL, TILE, FOUR, LOCAL, BAND, VARIANTS };
static const struct variant {
    const char *name, *kernel;
    size_t group[2]; /* its work-items, in x and in y */
    size_t least;    /* the work-items in x that it needs, or 0 */
    size_t each[2];  /* the new pixels of a work-item, in x and in y */
    size_t halo;     /* pixels on either side that a group's own work-items only load */
} variants[VARIANTS] = {
    {.name = "copy", .kernel = "shock_filter_copy", .group = {240, 1}, .each = {4, 1}},
    {.name = "1 pixel each",
     .kernel = "shock_filter_pixel",
     .group = {32, 8},
     .each = {1, 1}},
    {.name = "1 pixel each, tile",
     .kernel = "shock_filter_tile",
     .group = {32, 8},
     .least = 32,
     .each = {1, 1}},
    {.name = "4 x 12 each",
     .kernel = "shock_filter_four",
     .group = {120, 1},
     .each = {4, 12}},
    {.name = "4 x 12 each, local",
     .kernel = "shock_filter_local",
     .group = {122, 1},
     .least = 3,
     .each = {4, 12},
     .halo = 4},
    {.name = "480 x 32 each, by 16",
     .kernel = "shock_filter_band",
     .group = {1, 1},
     .each = {480, 32}}};

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

/* At the foot of an edge, where the Laplacian of the sums is positive, a pixel becomes
 * darker by a quarter of the slope; at its top it becomes brighter.  So an edge becomes
 * steeper. */
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

/* The host reference.  It needs a copy of the picture with two pixels of 0 on each
 * side, because all is 0 outside the picture. */
static void sharpen_on_host(struct step *step, const struct shock_picture *picture,
                            float *out) {
    const size_t width = picture->width, height = picture->height;
    const size_t pitch = width + 4;
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
    if (work->variant == &variants[COPY])
        return shock_picture_equal(filter->picture, filter->found, old, NULL);
    return shock_picture_equal(filter->picture, filter->found, filter->expected, old);
}

/* For a group of this shape, which may be smaller than the variant's. */
static struct entry make_entry(const struct filter *filter,
                               const struct variant *variant, const size_t group[2]) {
    struct step *step = filter->step;
    const struct shock_picture *picture = filter->picture;
    const cl_int width = (cl_int)picture->width;
    const cl_int height = (cl_int)picture->height;
    const cl_int pitch = (cl_int)picture->pitch;

    /* The new pixels of a group; and the groups that a picture needs in x and in y. */
    const size_t columns = group[0] * variant->each[0] - 2 * variant->halo;
    const size_t rows = group[1] * variant->each[1];
    const size_t across = (picture->width + columns - 1) / columns;
    const size_t down = (picture->height + rows - 1) / rows;

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

/* The last variant, BAND, is for a CPU.  A device's groups may be too small for a
 * variant. `places` says where each variant is in the contest. */
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

/* The rows.  Each launch alternates with the copy, which moves the same bytes. */
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
                    "A CPU core, too, keeps in registers what its next pixel needs.");
    report_say(&step.report,
               "x copy: how many times slower than a copy, measured alternately.");
    if (output && step.report.wrong == 0 && is_right(&contest.entries[pixel], true))
        shock_picture_write(&picture, filter.found, output);
    return step_close(&step);
}
