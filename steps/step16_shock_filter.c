/* Step 16: where a stencil keeps what it needs again
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
 * Story      passes shock_filter_local shock_filter_tile
 */
#include "check.h"
#include "data/shock.h"

#include <math.h>
#include <stdio.h>

enum { HD = 1920 * 1080 };
static const struct sizes sizes = {.cpu = HD, .cpu_full = 8 * HD, .gpu = 64 * HD};

/* A group's shape, and how many work-items it needs in a row; the pixels of each; and
 * how many pixels on either side of the group belong to others. */
enum { COPY, PIXEL, FOUR = 3, BAND = 5 };
static const struct variant {
    const char *name, *kernel;
    size_t group[2], least, each[2], halo;
} variants[] = {{"copy", "shock_filter_copy", {240, 1}, 1, {4, 1}, 0},
                {"1 pixel each", "shock_filter_pixel", {32, 8}, 1, {1, 1}, 0},
                {"1 pixel each, tile", "shock_filter_tile", {32, 8}, 32, {1, 1}, 0},
                {"4 x 12 each", "shock_filter_four", {120, 1}, 1, {4, 12}, 0},
                {"4 x 12 each, local", "shock_filter_local", {122, 1}, 3, {4, 12}, 4},
                {"480 x 32 each, by 16", "shock_filter_band", {1, 1}, 1, {480, 32}, 0}};

struct filter {
    struct device *device;
    const struct shock *picture;
    float *expected, *found;
    cl_mem in, out;
    size_t bytes; /* of a buffer */
};

static struct filter make_filter(struct step *step, const struct shock *picture) {
    struct filter f = {.device = &step->device, .picture = picture};
    device_check_size(f.device, picture->count, 2, sizeof(float));
    f.bytes = picture->count * sizeof(float);
    f.expected = step_array(step, picture->count, sizeof(float));
    f.found = step_array(step, picture->count, sizeof(float));
    shock_on_host(picture, true, picture->pixels, f.expected);
    f.in = buffer_from(f.device, picture->pixels, f.bytes);
    f.out = buffer_new(f.device, f.bytes);
    return f;
}

/* Launches over nothing, or over another picture, and compares every pixel. */
static bool is_right(const struct filter *f, const struct launch *launch, bool copies,
                     bool again) {
    const float *old = f->picture->pixels;
    for (size_t i = 0; i < f->picture->count; i++)
        f->found[i] = again ? 1.0f - old[i] : NAN;
    buffer_write(f->device, f->out, f->found, f->bytes);
    launch_ms(f->device, launch);
    buffer_read(f->device, f->out, f->found, f->bytes);
    return shock_equal(f->picture, f->found, copies ? old : f->expected,
                       copies ? NULL : old);
}

/* False where the device's groups are too small for the variant. */
static bool make_launch(struct step *step, const struct filter *f,
                        const struct variant *v, struct launch *launch) {
    const struct shock *picture = f->picture;
    const cl_int width = (cl_int)picture->width, height = (cl_int)picture->height,
                 pitch = (cl_int)picture->pitch;
    size_t group[] = {v->group[0], v->group[1]};
    step_shape(step, group);
    if (group[0] < v->least)
        return false;
    const size_t own[] = {group[0] * v->each[0] - 2 * v->halo, group[1] * v->each[1]};
    *launch =
        LAUNCH_2D(step, v->kernel, (picture->width + own[0] - 1) / own[0] * group[0],
                  (picture->height + own[1] - 1) / own[1] * group[1], group, ARG(f->in),
                  ARG(f->out), ARG(width), ARG(height), ARG(pitch));
    return true;
}

int main(int argc, char **argv) {
    const char *input = NULL, *before = NULL, *output = NULL, *width = NULL;
    const struct own_option own[] = {
        {"input", "FILE", "filter this PNG file, not our own picture", .text = &input},
        {"before", "FILE", "write the picture to a PNG file", .file = &before},
        {"output", "FILE", "write the filtered picture", .file = &output},
        {"width", "N", "pixels in a row of our own picture", .text = &width}};
    struct step step;
    step_open(&step, argc, argv,
              &(struct usage){
                  .step = "step16_shock_filter", .own = own, .own_count = COUNT(own)});
    const cl_uint n = step_size(&step, &sizes, 2, sizeof(float));
    const struct shock shock = shock_picture(&step, input, n, width);
    const struct filter f = make_filter(&step, &shock);
    if (before)
        shock_write(&shock, shock.pixels, before);

    /* The lesson: each way to keep pixels, alternating with a copy of as many bytes. */
    const bool all = step.device.is_cpu || step.options.all;
    struct launch launches[COUNT(variants)];
    for (size_t v = 0; v < (all ? COUNT(variants) : BAND); v++) {
        char note[64] = "";
        struct launch *launch = &launches[v];
        struct row row = {variants[v].name, shock.width * shock.height, .note = note};
        row.bytes = 8.0 * (double)row.size, row.limit = step.report.limits.copy;
        if (!make_launch(&step, &f, &variants[v], launch)) {
            report_say(&step.report, "%s: needs larger groups", row.variant);
            continue;
        }
        row.right = is_right(&f, launch, v == COPY, false);
        const struct ratio copies =
            step_time_beside(&step, &launches[COPY], launch, &row);
        row.right = row.right && right_again(is_right(&f, launch, v == COPY, true));
        if (v != COPY && told_apart(copies))
            snprintf(note, sizeof note, "%.2f x copy", copies.median);
        report_row(&step.report, row);
    }

    /* The result: the same two once more, alternating with each other. */
    struct timing pair[2];
    report_headline(&step.report, "4 x 12 pixels per item against 1",
                    time_pair(&step.device, launches[FOUR], launches[PIXEL],
                              step.options.repeats, pair));
    if (step.device.is_cpu)
        report_say(&step.report,
                   "A CPU's local memory is ordinary memory: a tile in it "
                   "is one more copy.");
    if (output && step.report.wrong == 0 && is_right(&f, &launches[PIXEL], false, true))
        shock_write(&shock, f.found, output);
    return step_close(&step);
}
