/* Step 16: a stencil on a real picture
 *
 * In step 15 each number was needed once.  In a stencil each pixel is needed by all
 * that are around it; memory shall still send it once.  This one makes blurred edges
 * sharp.
 *
 * Read with  kernels/step16_shock_filter.cl, docs/step16_shock_filter.md
 * Try        --passes 30 --output after.png, and --input with a picture of yours
 * Lens       --size 57600
 */
#include "buffer.h"
#include "check.h"
#include "data.h"
#include "picture.h"
#include "report.h"
#include "roofline.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PIXELS = 1080 * 1920, FRAMES = 64, FRAMES_ON_CPU = 1, FRAMES_IN_FULL = 8 };
enum { PASSES = 4, MOST_PASSES = 1000, MOST_FRAMES = 1000, MOST_PER_LAUNCH = 4 };
enum { GROUP = 256, ALIGNED = 32, SCROLL = 17, PADDING = 1000000, BUFFERS = 3 };
enum { BYTES = 2 * sizeof(float), FLOPS = 23 }; /* for a pixel; see pass_on_host() */

/* The kernels, with the shape of a group, the pixels of a work-item, and those at each
 * side of a group that are there for others only. */
enum way { PIXEL, BAND, TILE, FOUR, LOCAL_COLUMNS, SEVERAL, WAYS };
static const struct {
    const char *variant, *kernel;
    size_t group[2], each[2], halo[2];
} ways[WAYS] = {
    [PIXEL] = {"1 pixel each", "shock_filter_pixel", {32, 8}, {1, 1}, {0}},
    [BAND] = {"480 x 32 each, by 16", "shock_filter_band", {1, 1}, {480, 32}, {0}},
    [TILE] = {"1 pixel each, tile", "shock_filter_tile", {32, 8}, {1, 1}, {0}},
    [FOUR] = {"4 x 16 each, by 4", "shock_filter_four", {64, 1}, {4, 16}, {0}},
    [LOCAL_COLUMNS] =
        {"4 x 16 each, by 4, local", "shock_filter_local", {64, 1}, {4, 16}, {4}},
    [SEVERAL] = {NULL, "shock_filter_passes", {32, 6}, {4, 10}, {0}}};

/* What stays the same from row to row of the report. */
struct study {
    struct report *report;
    struct device *device;
    struct roofline roofline;
    size_t width, height, pitch, frames, channels, planes, passes;
    float *now, *wanted, *found; /* planes, one behind the other */
    size_t floats;               /* in all planes, with their padding */
    cl_mem in_buffer, out_buffers[2];
    struct launch copy;
    char names[3][32];
};

/* ---- Pictures ---- */

static double soft(double distance) {
    return 1.0 / (1.0 + exp(distance / 0.008));
}

/* From 0, black, to 1, white: soft shading, and in front of it a star, discs, stripes
 * of many widths.  No edge is sharp. */
static double drawn(double x, double y) {
    static const double discs[][4] = {
        {0.20, 0.22, 0.13, 0.9}, {0.42, 0.15, 0.06, 0.1}, {0.33, 0.42, 0.09, 0.7}};
    double light = 0.25 + 0.3 * y + 0.1 * sin(5.0 * x);
    for (size_t i = 0; i < sizeof discs / sizeof *discs; i++) {
        const double inside =
            soft(hypot(x - discs[i][0], y - discs[i][1]) - discs[i][2]);
        light += inside * (discs[i][3] - light);
    }
    const double star = 0.5 + 0.5 * sin(18.0 * atan2(y - 0.5, x - 0.95));
    light += soft(hypot(x - 0.95, y - 0.5) - 0.36) * (star - light);
    const double stripes = 0.5 + 0.5 * sin(8.0 / (0.045 + 0.25 * y));
    light += soft(1.38 - x) * (stripes - light);
    const double bars = 0.5 + 0.5 * sin(180.0 * x * x);
    return light + soft(0.68 - y) * soft(x - 0.5) * (bars - light);
}

static void draw(struct picture *picture) {
    picture->pixels = allocate(picture->width * picture->height, 1);
    for (size_t row = 0, i = 0; row < picture->height; row++)
        for (size_t column = 0; column < picture->width; column++, i++) {
            const double x = ((double)column + 0.5) / (double)picture->width,
                         y = ((double)row + 0.5) / (double)picture->height;
            picture->pixels[i] =
                (unsigned char)lround(255.0 * drawn(16.0 / 9.0 * x, y));
        }
}

/* A plane of floats for each channel.  Every frame shows the picture, but scrolled. */
static void planes_of(const struct study *study, const struct picture *picture) {
    float *to = study->now;
    for (size_t frame = 0; frame < study->frames; frame++)
        for (size_t c = 0; c < picture->channels; c++)
            for (size_t y = 0; y < study->height; y++) {
                const size_t from = (y + SCROLL * frame) % study->height * study->width;
                for (size_t x = 0; x < study->pitch; x++)
                    *to++ = x < study->width
                                ? picture->pixels[(from + x) * picture->channels + c]
                                : PADDING;
            }
}

/* Writes the first frame. */
static void write_frame(const struct study *study, const char *path) {
    const size_t channels = study->channels, count = study->width * study->height;
    const struct picture picture = {study->width, study->height, channels,
                                    allocate(count, channels)};
    for (size_t i = 0; i < count; i++)
        for (size_t c = 0; c < channels; c++) {
            const size_t row = c * study->height + i / study->width;
            const float light = study->now[row * study->pitch + i % study->width];
            picture.pixels[i * channels + c] =
                (unsigned char)lroundf(fminf(fmaxf(light, 0.0f), 255.0f));
        }
    picture_write(path, &picture);
    free(picture.pixels);
}

/* ---- On the host ---- */

static const float *row_of(const struct study *study, const float *plane, ptrdiff_t y) {
    const ptrdiff_t last = (ptrdiff_t)study->height - 1;
    return plane + (size_t)(y < 0 ? 0 : y > last ? last : y) * study->pitch;
}

/* 16 times g, from column -1 to the one behind the last.  `columns` begin one earlier.
 */
static void blur_row(const struct study *study, const float *plane, ptrdiff_t y,
                     float *columns, float *g) {
    const float *above = row_of(study, plane, y - 1), *here = row_of(study, plane, y),
                *below = row_of(study, plane, y + 1);
    const size_t width = study->width;
    for (size_t x = 0; x < width; x++)
        columns[x + 2] = (above[x] + below[x]) + 2.0f * here[x];
    columns[0] = columns[1] = columns[2];
    columns[width + 2] = columns[width + 3] = columns[width + 1];
    for (size_t i = 0; i < width + 2; i++)
        g[i] = (columns[i] + columns[i + 2]) + 2.0f * columns[i + 1];
}

/* One pass over one plane.  For a pixel that is 6 operations for g, 5 for its
 * Laplacian, 3 for the sign (by min and max), 6 for the slope, a root being one, 3 for
 * the rest. */
static void pass_on_host(const struct study *study, const float *in, float *out) {
    const size_t width = study->width;
    float *columns = allocate(4 * (width + 4), sizeof *columns);
    float *g_above = columns + width + 4, *g = g_above + width + 4,
          *g_below = g + width + 4;
    blur_row(study, in, -1, columns, g_above);
    blur_row(study, in, 0, columns, g);
    for (size_t y = 0; y < study->height; y++) {
        const float *here = row_of(study, in, (ptrdiff_t)y),
                    *below = row_of(study, in, (ptrdiff_t)y + 1);
        blur_row(study, in, (ptrdiff_t)y + 1, columns, g_below);
        for (size_t x = 0; x < width; x++) {
            const float right = here[x + 1 < width ? x + 1 : x];
            const float laplace =
                ((g_above[x + 1] + g_below[x + 1]) + (g[x] + g[x + 2])) -
                4.0f * g[x + 1];
            const float sign = (float)((laplace > 0.0f) - (laplace < 0.0f));
            const float dx = right - here[x], dy = below[x] - here[x];
            out[y * study->pitch + x] =
                here[x] - sign * sqrtf(dy * dy + dx * dx) * 0.25f;
        }
        float *first = g_above;
        g_above = g, g = g_below, g_below = first;
    }
    free(columns);
}

static size_t plane_at(const struct study *study, size_t plane) {
    return plane * study->height * study->pitch;
}

static void planes_on_host(const struct study *study) {
    for (size_t i = 0; i < study->planes; i++)
        pass_on_host(study, study->now + plane_at(study, i),
                     study->wanted + plane_at(study, i));
}

/* A device's root may be wrong by 3 units in its last place, and the last sum rounds.
 */
static bool is_near(float found, float wanted, float old) {
    return fabsf(found - wanted) <=
           4 * FLT_EPSILON * (fabsf(wanted) + fabsf(wanted - old) + 1.0f);
}

/* Is what was found near to what is wanted, or, if not `near`, the same?  (Padding may
 * be anything.) */
static bool are_right(const struct study *study, const float *wanted, bool near) {
    for (size_t row = 0; row < study->planes * study->height; row++)
        for (size_t x = 0; x < study->width; x++) {
            const size_t i = row * study->pitch + x;
            if (near ? !is_near(study->found[i], wanted[i], study->now[i])
                     : study->found[i] != wanted[i])
                return false;
        }
    return true;
}

/* ---- On the device ---- */

/* So many passes in one launch.  (All ways but SEVERAL do one.) */
static struct launch launch_of(const struct study *study, enum way way, cl_mem from,
                               cl_mem to, cl_uint passes) {
    const cl_int width = (cl_int)study->width, height = (cl_int)study->height,
                 pitch = (cl_int)study->pitch;
    const struct arg args[] = {ARG(from),   ARG(to),    ARG(width),
                               ARG(height), ARG(pitch), ARG(passes)};
    cl_kernel kernel =
        kernel_load(study->device, study->report->options, ways[way].kernel);
    kernel_set_args(kernel, args, way == SEVERAL ? 6 : 5);

    const size_t size[2] = {study->width, study->height};
    size_t group[2], items[2];
    for (int i = 0; i < 2; i++) {
        size_t halo = ways[way].halo[i];
        if (way == SEVERAL)
            halo = i == 0 ? (2 * passes + 3) / 4 * 4 : 2 * passes;
        group[i] = ways[way].group[i];
        if (way == BAND && !study->device->is_cpu)
            group[i] = i == 0 ? 4 : 8;
        const size_t pixels = group[i] * ways[way].each[i] - 2 * halo;
        items[i] = (size[i] + pixels - 1) / pixels * group[i];
    }
    struct launch launch = launch_2d(kernel, items[0], items[1], group);
    launch.dimensions = 3;
    launch.global[2] = study->planes;
    return launch;
}

/* All passes, so many of them in each launch: from the picture to one buffer, on to the
 * other and back.  Returns how many launches they are. */
static size_t chain_of(const struct study *study, enum way way, size_t per_launch,
                       struct launch *launches) {
    size_t count = 0;
    for (size_t done = 0; done < study->passes; done += per_launch, count++) {
        const size_t left = study->passes - done;
        if (count >= 3 && left >= per_launch)
            launches[count] = launches[count - 2];
        else
            launches[count] = launch_of(
                study, way,
                count ? study->out_buffers[(count - 1) % 2] : study->in_buffer,
                study->out_buffers[count % 2],
                (cl_uint)(left < per_launch ? left : per_launch));
        launches[count].then = NULL;
        if (count > 0)
            launches[count - 1].then = &launches[count];
    }
    return count;
}

static void fetch(const struct study *study, cl_mem buffer) {
    buffer_read(study->device, buffer, study->found, study->floats * sizeof(float));
}

/* Launches, and fetches what became of the picture. */
static void run(const struct study *study, struct launch launch, cl_mem to) {
    buffer_poison(study->device, to);
    launch_ms(study->device, &launch);
    fetch(study, to);
}

/* One row of the report, timed in turn with a measuring rod. */
static struct ratio row(struct study *study, const char *variant, struct launch launch,
                        size_t passes, bool right, struct launch rod,
                        const char *unit) {
    const double pixels = (double)(study->planes * study->height * study->width);
    char note[64];
    struct timing times[2];
    const struct ratio ratio = time_in_turn(study->device, rod, launch,
                                            study->report->options->repeats, times);
    snprintf(note, sizeof note, "%.2f %s", ratio.median, unit);
    const struct row row = {.variant = variant,
                            .size = (size_t)pixels,
                            .time = times[1],
                            .bytes = BYTES * pixels,
                            .limit = study->report->limits.copy,
                            .right = right,
                            .note = note};
    report_row(study->report, row);
    if (passes > 0)
        roofline_add(&study->roofline, &row, row.bytes,
                     FLOPS * pixels * (double)passes);
    return ratio;
}

static bool fits(const struct study *study, enum way way) {
    return ways[way].group[0] * ways[way].group[1] <= study->device->group_most;
}

/* One pass, each way; returns the way that takes the fewest copies. */
static enum way one_pass(struct study *study) {
    enum way best = BAND;
    struct ratio fewest = {.median = INFINITY};
    planes_on_host(study);
    for (enum way way = PIXEL; way < SEVERAL; way++) {
        if (!fits(study, way))
            continue;
        const struct launch launch =
            launch_of(study, way, study->in_buffer, study->out_buffers[0], 1);
        run(study, launch, study->out_buffers[0]);
        const struct ratio copies =
            row(study, ways[way].variant, launch, 1,
                are_right(study, study->wanted, true), study->copy, "copies");
        if (copies.median < fewest.median) {
            fewest = copies;
            best = way;
        }
    }
    report_say(study->report, "%28s best: %s, %.2f copies (%.2f to %.2f)", "",
               ways[best].variant, fewest.median, fewest.low, fewest.high);
    return best;
}

/* Pass by pass: each must be what the host makes of the one before.  Leaves the last in
 * `now`. */
static bool passes_are_right(struct study *study, const struct launch *launches) {
    for (size_t i = 0; i < study->passes; i++) {
        struct launch alone = launches[i];
        alone.then = NULL;
        run(study, alone, study->out_buffers[i % 2]);
        planes_on_host(study);
        if (!are_right(study, study->wanted, true))
            return false;
        float *last = study->now;
        study->now = study->found;
        study->found = last;
    }
    return true;
}

/* All passes, one in each launch, or two, or four. */
static void all_passes(struct study *study) {
    if (study->passes == 0)
        return;
    const enum way way =
        study->device->is_cpu || !fits(study, LOCAL_COLUMNS) ? BAND : LOCAL_COLUMNS;
    struct launch *launches = allocate(2 * study->passes, sizeof *launches),
                  *others = launches + study->passes;
    chain_of(study, way, 1, launches);
    bool right = passes_are_right(study, launches);
    for (size_t each = 1, i = 0; each <= study->passes && each <= MOST_PER_LAUNCH;
         each *= 2, i++) {
        snprintf(study->names[i], sizeof study->names[i], "%zu pass%s, %zu per launch",
                 study->passes, study->passes == 1 ? "" : "es", each);
        if (each == 1) {
            row(study, study->names[i], launches[0], study->passes, right, study->copy,
                "copies");
        } else if (fits(study, SEVERAL)) {
            const size_t count = chain_of(study, SEVERAL, each, others);
            buffer_poison(study->device, study->out_buffers[count % 2]);
            run(study, others[0], study->out_buffers[(count - 1) % 2]);
            row(study, study->names[i], others[0], study->passes,
                are_right(study, study->now, false), launches[0], "of 1 per launch");
        }
    }
    free(launches);
}

/* The paper's comparison: one core of the host, and the device, by the same clock. */
static void compare_with_c(const struct study *study, enum way best) {
    enum { TRIES = 5 };
    const struct launch launch =
        launch_of(study, best, study->in_buffer, study->out_buffers[0], 1);
    double c_ms[TRIES], device_ms[TRIES];
    for (int i = 0; i < TRIES; i++) {
        const double began_ms = now_ms();
        pass_on_host(study, study->now, study->wanted);
        c_ms[i] = now_ms() - began_ms;
        launch_ms(study->device, &launch);
        device_ms[i] = now_ms() - began_ms - c_ms[i];
    }
    const double c = timing_of(c_ms, TRIES).median_ms,
                 device = timing_of(device_ms, TRIES).median_ms / (double)study->planes;
    report_say(study->report,
               "Plain C on one core takes %.1f times as long as the best, both by the "
               "host's clock:\n%.3f ms for a picture, of %zu, and %.3f ms.",
               c / device, c, study->planes, device);
}

/* ---- The parts together ---- */

static struct picture picture_for(const struct options *options, const char *input,
                                  const char *width) {
    if (input && (options->size_given || width))
        die("--input has a size of its own" HINT "leave out --size and --width");
    if (input)
        return picture_read(input);
    size_t across = (size_t)lround(sqrt((double)options->size * 16.0 / 9.0));
    if (width)
        across = option_number("--width", width, 1, options->size);
    return (struct picture){across, (options->size + across - 1) / across, 1, NULL};
}

/* As many frames as asked for; else as many as have room, up to a number of ours. */
static struct study study_of(struct report *report, struct device *device,
                             const struct picture *picture, size_t frames, bool asked) {
    struct study study = {.report = report,
                          .device = device,
                          .roofline = {.report = report},
                          .width = picture->width,
                          .height = picture->height,
                          .channels = picture->channels,
                          .frames = frames};
    study.pitch = (study.width + ALIGNED - 1) / ALIGNED * ALIGNED;
    const size_t frame = study.pitch * study.height * study.channels,
                 room = device_room(device, BUFFERS, sizeof(float));
    while (!asked && study.frames > 1 && study.frames * frame > room)
        study.frames /= 2;
    if (study.frames > room / frame)
        die("%zu x %zu pixels, %zu times, are too many for %s" HINT
            "%zu floats have room: try a smaller picture, or fewer --frames",
            study.width, study.height, study.frames, device->name, room);
    study.planes = study.frames * study.channels;
    study.floats = study.frames * frame;
    return study;
}

static void study_start(struct study *study, const struct picture *picture) {
    const size_t bytes = study->floats * sizeof(float);
    study->now = allocate(study->floats, sizeof(float));
    study->wanted = allocate(study->floats, sizeof(float));
    study->found = allocate(study->floats, sizeof(float));
    planes_of(study, picture);
    study->in_buffer = buffer_from(study->device, study->now, bytes);
    for (int i = 0; i < 2; i++)
        study->out_buffers[i] = buffer_new(study->device, bytes);
}

/* The measuring rod: how long does it take to copy the picture? */
static void measure_copy(struct study *study) {
    const size_t most = study->device->group_most, group = most < GROUP ? most : GROUP;
    cl_kernel kernel =
        kernel_load(study->device, study->report->options, "shock_filter_copy");
    const cl_uint count = (cl_uint)(study->floats / 4);
    kernel_args(kernel, ARG(study->in_buffer), ARG(study->out_buffers[0]), ARG(count));
    study->copy = launch_1d(kernel, (count + group - 1) / group * group, group);
    run(study, study->copy, study->out_buffers[0]);
    row(study, "copy", study->copy, 0, are_right(study, study->now, false), study->copy,
        "copies");
}

int main(int argc, char **argv) {
    const char *input = NULL, *output = NULL, *passes = NULL, *width = NULL,
               *frames = NULL;
    const struct own_option own[] = {
        {"input", "FILE", "filter this PNG file, not the step's own picture", &input},
        {"output", "FILE", "write what became of it to a PNG file", &output},
        {"passes", "N", "how many passes, from 0 to 1000 (4 unless told)", &passes},
        {"width", "N", "pixels in a row of the step's own picture", &width},
        {"frames", "N", "how many pictures, one behind the other (64 on a GPU)",
         &frames}};
    const struct options options = options_read_own(
        argc, argv, &(struct usage){"step16_shock_filter", PIXELS, 1, own, 5});
    const size_t pass_count =
        passes ? option_number("--passes", passes, 0, MOST_PASSES) : PASSES;
    struct picture picture = picture_for(&options, input, width);

    struct device device = device_open(options.device);
    struct report report = report_start(&options, &device);
    size_t count = input ? 1 : FRAMES;
    if (!input && device.is_cpu)
        count = options.full ? FRAMES_IN_FULL : FRAMES_ON_CPU;
    if (frames)
        count = option_number("--frames", frames, 1, MOST_FRAMES);
    struct study study = study_of(&report, &device, &picture, count, frames != NULL);
    study.passes = pass_count;
    if (!input)
        draw(&picture);
    study_start(&study, &picture);

    /* The lesson: one pass each way, and then all of them. */
    report_say(&report,
               "%zu x %zu pixels, %zu planes of them; 2 copies: twice the time of the "
               "first row",
               study.width, study.height, study.planes);
    measure_copy(&study);
    const enum way best = one_pass(&study);
    compare_with_c(&study, best);
    all_passes(&study);
    roofline_draw(&study.roofline);
    if (output && report.wrong == 0)
        write_frame(&study, output);

    device_close(&device);
    free(study.found);
    free(study.wanted);
    free(study.now);
    free(picture.pixels);
    return report_end(&report);
}
