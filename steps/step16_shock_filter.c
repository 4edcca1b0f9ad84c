/* Step 16: a stencil on a real picture
 *
 * In step 15 each number was needed once.  In a stencil a pixel is needed by all that
 * are around it; and yet memory shall send it once.  This one makes blurred edges
 * sharp.
 *
 * Read with  kernels/step16_shock_filter.cl, docs/step16_shock_filter.md
 * Try        --output after.png, with more --passes, or with an --input of yours
 * Lens       --size 129600
 */
#include "buffer.h"
#include "check.h"
#include "compare.h"
#include "data.h"
#include "picture.h"
#include "report.h"
#include "roofline.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { PIXELS = 1080 * 1920, FRAMES = 64, ON_CPU = 1, FULL_ON_CPU = 8, MOST = 1000 };
enum { PASSES = 4, GROUP = 256, ALIGNED = 32, SCROLL = 17, PADDING = 1000000 };
enum { BYTES = 2 * sizeof(float), FLOPS = 23 }; /* for a pixel; see pass_on_host() */

/* The kernels, with the work-items of a group, the pixels of an item, and the halo:
 * those on each side of a group that belong to others. */
enum way { PIXEL, BAND, TILE, FOUR, SHARED, SEVERAL, WAYS };
static const struct {
    const char *variant, *kernel;
    size_t group[2], each[2], halo[2];
} ways[WAYS] = {
    [PIXEL] = {"1 pixel each", "shock_filter_pixel", {32, 8}, {1, 1}, {0}},
    [BAND] = {"480 x 32 each, by 16", "shock_filter_band", {1, 1}, {480, 32}, {0}},
    [TILE] = {"1 pixel each, tile", "shock_filter_tile", {32, 8}, {1, 1}, {0}},
    [FOUR] = {"4 x 12 each", "shock_filter_four", {120, 1}, {4, 12}, {0}},
    [SHARED] = {"4 x 12 each, local", "shock_filter_local", {122, 1}, {4, 12}, {4}},
    [SEVERAL] = {NULL, "shock_filter_passes", {32, 6}, {4, 10}, {0}}};

/* What stays the same from row to row of the report. */
struct study {
    struct report *report;
    struct device *device;
    struct roofline *roofline;
    size_t width, height, pitch, channels, frames, planes, passes;
    float *now, *wanted, *found; /* planes, one after the other */
    size_t floats;               /* in all of them, with their padding */
    cl_mem in_buffer, out_buffers[2];
    struct launch copy;
};

/* ---- Pictures ---- */

static double mix(double a, double b, double share) {
    return a + share * (b - a);
}

/* Nearly 1 inside, nearly 0 outside, and no sharp edge between them. */
static double within(double distance) {
    return 1.0 / (1.0 + exp(distance / 0.008));
}

/* From 0, black, to 1, white: discs, a star, rings, stripes, up to all four edges. */
static double drawn(double x, double y) {
    static const double discs[][4] = {
        {0.20, 0.22, 0.13, 0.9}, {0.42, 0.15, 0.06, 0.1}, {0.33, 0.42, 0.09, 0.7}};
    double light = 0.25 + 0.3 * y + 0.1 * sin(5.0 * x);
    for (int i = 0; i < 3; i++)
        light = mix(light, discs[i][3],
                    within(hypot(x - discs[i][0], y - discs[i][1]) - discs[i][2]));
    light = mix(light, 0.5 + 0.5 * sin(18.0 * atan2(y - 0.5, x - 0.95)),
                within(hypot(x - 0.95, y - 0.5) - 0.36));
    light =
        mix(light, 0.5 + 0.5 * sin(150.0 * (pow(x - 1.36, 2.0) + pow(y - 1.0, 2.0))),
            within(1.38 - x));
    return mix(light, 0.5 + 0.5 * sin(180.0 * (0.6 - x) * (0.6 - x)),
               within(0.68 - y) * within(x - 0.5));
}

static void draw(struct picture *picture) {
    unsigned char *pixel = picture->pixels =
        allocate(picture->width * picture->height, 1);
    for (size_t row = 0; row < picture->height; row++)
        for (size_t column = 0; column < picture->width; column++) {
            const double x = ((double)column + 0.5) / (double)picture->width,
                         y = ((double)row + 0.5) / (double)picture->height;
            *pixel++ = (unsigned char)lround(255.0 * drawn(16.0 / 9.0 * x, y));
        }
}

/* What shall be filtered: a file, or a size that is still to be drawn. */
static struct picture picture_for(const struct options *options, const char *input,
                                  const char *width) {
    if (input && (options->size_given || width))
        die("a picture that is read has a size of its own" HINT
            "--input goes without --size and --width");
    if (input)
        return picture_read(input);
    size_t across = (size_t)lround(sqrt((double)options->size * 16.0 / 9.0));
    if (width)
        across = option_number("--width", width, 1, options->size);
    return (struct picture){across, (options->size + across - 1) / across, 1, NULL};
}

/* A plane of floats for each channel.  Every frame is the picture, but scrolled. */
static void planes_of(const struct study *study, const struct picture *picture) {
    float *to = study->now;
    for (size_t plane = 0; plane < study->planes; plane++)
        for (size_t y = 0; y < study->height; y++) {
            const size_t row = y + SCROLL * (plane / study->channels),
                         first = row % study->height * study->width;
            for (size_t x = 0; x < study->pitch; x++)
                *to++ = x >= study->width
                            ? PADDING
                            : picture->pixels[(first + x) * study->channels +
                                              plane % study->channels];
        }
}

/* The first frame becomes bytes again, rounded; below black is black. */
static void write_frame(const struct study *study, const char *path,
                        const struct picture *picture) {
    for (size_t y = 0; y < study->height; y++)
        for (size_t x = 0; x < study->width; x++)
            for (size_t c = 0; c < study->channels; c++) {
                const float light =
                    study->now[(c * study->height + y) * study->pitch + x];
                picture->pixels[(y * study->width + x) * study->channels + c] =
                    (unsigned char)lroundf(fminf(fmaxf(light, 0.0f), 255.0f));
            }
    picture_write(path, picture);
}

/* ---- On the host ---- */

/* Row y of a plane: the nearest there is. */
static const float *row_of(const struct study *study, const float *plane, ptrdiff_t y) {
    const ptrdiff_t last = (ptrdiff_t)study->height - 1;
    return plane + (size_t)(y < 0 ? 0 : y > last ? last : y) * study->pitch;
}

/* 16 times g, from column -1 on; sums of columns, from column -2 on. */
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

/* One pass over a plane.  For each pixel 6 operations for g, 5 for its Laplacian, 3 for
 * the sign (by min and max), 6 for the slope, a root being one, and 3 for the rest. */
static void pass_on_host(const struct study *study, const float *in, float *out) {
    const size_t width = study->width, room = width + 4;
    float *columns = allocate(4 * room, sizeof *columns);
    float *g_above = columns + room, *g = g_above + room, *g_below = g + room;
    blur_row(study, in, -1, columns, g_above);
    blur_row(study, in, 0, columns, g);
    for (size_t y = 0; y < study->height; y++, out += study->pitch) {
        const float *here = row_of(study, in, (ptrdiff_t)y),
                    *below = row_of(study, in, (ptrdiff_t)y + 1);
        blur_row(study, in, (ptrdiff_t)y + 1, columns, g_below);
        for (size_t x = 0; x < width; x++) {
            const float around = (g_above[x + 1] + g_below[x + 1]) + (g[x] + g[x + 2]),
                        laplace = around - 4.0f * g[x + 1],
                        sign = (float)((laplace > 0.0f) - (laplace < 0.0f)),
                        down = below[x] - here[x],
                        across = here[x + 1 < width ? x + 1 : x] - here[x];
            out[x] = here[x] - sign * sqrtf(down * down + across * across) * 0.25f;
        }
        float *oldest = g_above;
        g_above = g, g = g_below, g_below = oldest;
    }
    free(columns);
}

static void planes_on_host(const struct study *study) {
    for (size_t i = 0; i < study->floats; i += study->height * study->pitch)
        pass_on_host(study, study->now + i, study->wanted + i);
}

/* A device's root may be wrong by 3 units in the last place, and sums are rounded. */
static bool is_near(float found, float wanted, float old) {
    return fabsf(found - wanted) <=
           4 * FLT_EPSILON * (1.0f + fabsf(wanted) + fabsf(wanted - old));
}

/* Of what was found, is every pixel (nearly, or exactly) what is wanted? */
static bool is_right(const struct study *study, const float *wanted, bool nearly) {
    for (size_t row = 0; row < study->planes * study->height; row++)
        for (size_t i = row * study->pitch; i < row * study->pitch + study->width; i++)
            if (nearly ? !is_near(study->found[i], wanted[i], study->now[i])
                       : study->found[i] != wanted[i])
                return wrong_at(element_2d("out", i - row * study->pitch, row),
                                (double)study->found[i], (double)wanted[i]);
    return true;
}

/* ---- On the device ---- */

static bool fits(const struct study *study, enum way way) {
    return ways[way].group[0] * ways[way].group[1] <= study->device->max_group;
}

/* From one buffer to another.  (One pass, unless the way is SEVERAL.) */
static struct launch launch_of(const struct study *study, enum way way, cl_mem from,
                               cl_mem to, size_t passes) {
    const cl_int width = (cl_int)study->width, height = (cl_int)study->height,
                 pitch = (cl_int)study->pitch, count = (cl_int)passes;
    const struct arg args[] = {ARG(from),   ARG(to),    ARG(width),
                               ARG(height), ARG(pitch), ARG(count)};
    cl_kernel kernel =
        kernel_load(study->device, study->report->options, ways[way].kernel);
    kernel_set_args(kernel, args, way == SEVERAL ? 6 : 5);

    size_t halo[] = {ways[way].halo[0], ways[way].halo[1]}, groups[2];
    if (way == SEVERAL) { /* whole fours of columns, two rows for each pass */
        halo[0] = (2 * passes + 3) / 4 * 4;
        halo[1] = 2 * passes;
    }
    for (int i = 0; i < 2; i++) {
        const size_t size = i == 0 ? study->width : study->height,
                     own = ways[way].group[i] * ways[way].each[i] - 2 * halo[i];
        groups[i] = (size + own - 1) / own;
    }
    struct launch launch = launch_2d(kernel, groups[0] * ways[way].group[0],
                                     groups[1] * ways[way].group[1], ways[way].group);
    launch.dimensions = 3;
    launch.global[2] = study->planes;
    return launch;
}

/* Launches for all passes, so many in each: from the picture to one buffer, on to the
 * other, and back.  Returns how many launches these are. */
static size_t chain_of(const struct study *study, enum way way, size_t per_launch,
                       struct launch *launches) {
    size_t count = 0;
    for (size_t left = study->passes; left > 0; count++) {
        const size_t passes = left < per_launch ? left : per_launch;
        const cl_mem *buffers = study->out_buffers;
        left -= passes;
        if (count >= 3 && passes == per_launch) /* the same as two before */
            launches[count] = launches[count - 2];
        else
            launches[count] = launch_of(
                study, way, count ? buffers[(count - 1) % 2] : study->in_buffer,
                buffers[count % 2], passes);
        launches[count].then = NULL;
        if (count > 0)
            launches[count - 1].then = &launches[count];
    }
    return count;
}

/* What was to come out of a launch, where, and whether it is known to the last bit. */
struct result {
    cl_mem to;
    const float *wanted;
    bool nearly;
};

/* Fetches what became of the picture in the last launch. */
static void fetch(const struct study *study, cl_mem from) {
    buffer_read(study->device, from, study->found, study->floats * sizeof(float));
}

static void run(const struct study *study, struct launch launch, cl_mem to) {
    buffer_poison(study->device, to);
    launch_ms(study->device, &launch);
    fetch(study, to);
}

/* One row of the report, timed in turn with a measuring rod, and looked at again. */
static struct ratio row(const struct study *study, const char *variant, size_t passes,
                        struct launch launch, bool right, struct result result,
                        struct launch rod, const char *unit) {
    struct row row = {.variant = variant,
                      .size = study->planes * study->height * study->width,
                      .limit = study->report->limits.copy};
    struct timing times[2];
    const struct ratio ratio =
        time_pair(study->device, rod, launch, study->report->options->repeats, times);
    fetch(study, result.to);
    row.right = right && right_again(is_right(study, result.wanted, result.nearly));
    char note[128];
    if (unit)
        snprintf(note, sizeof note, "%.2f %s", ratio.median, unit);
    else
        snprintf(note, sizeof note, "1 per launch against this: %s",
                 in_words(ratio).text);
    row.note = note;
    row.time = times[1];
    row.bytes = BYTES * (double)row.size;
    report_row(study->report, row);
    if (passes > 0)
        roofline_add(study->roofline, &row, row.bytes,
                     (double)(FLOPS * row.size * passes));
    return ratio;
}

/* The measuring rod: a copy of the picture, padding and all. */
static void measure_copy(struct study *study) {
    const size_t most = study->device->max_group, group = most < GROUP ? most : GROUP,
                 items = study->floats / 4;
    const cl_uint count = (cl_uint)items;
    cl_kernel kernel =
        kernel_load(study->device, study->report->options, "shock_filter_copy");
    kernel_args(kernel, ARG(study->in_buffer), ARG(study->out_buffers[0]), ARG(count));
    study->copy = launch_1d(kernel, (items + group - 1) / group * group, group);
    run(study, study->copy, study->out_buffers[0]);
    row(study, "copy", 0, study->copy, is_right(study, study->now, false),
        (struct result){study->out_buffers[0], study->now, false}, study->copy,
        "copies");
}

/* One pass, in each way; returns the way that takes the least time. */
static enum way one_pass(const struct study *study) {
    enum way best = PIXEL;
    struct ratio fewest = {.median = INFINITY}, copies[SEVERAL];
    struct launch launches[SEVERAL];
    planes_on_host(study);
    for (enum way way = PIXEL; way < SEVERAL; way++) {
        if (!fits(study, way))
            continue;
        const struct launch launch =
            launch_of(study, way, study->in_buffer, study->out_buffers[0], 1);
        launches[way] = launch;
        run(study, launch, study->out_buffers[0]);
        copies[way] = row(study, ways[way].variant, 1, launch,
                          is_right(study, study->wanted, true),
                          (struct result){study->out_buffers[0], study->wanted, true},
                          study->copy, "copies");
        if (copies[way].median < fewest.median) {
            fewest = copies[way];
            best = way;
        }
    }
    bool alone = true;
    for (enum way way = PIXEL; way < SEVERAL; way++)
        if (fits(study, way) && way != best)
            alone = alone && told_apart(ratio_of_ratios(fewest, copies[way]));
    report_say(study->report, "%28s %s: %s, %.2f copies (%.2f to %.2f)", "",
               alone ? "best" : "among the best, not told apart", ways[best].variant,
               fewest.median, fewest.lower, fewest.upper);
    struct timing times[2];
    if (fits(study, FOUR) && fits(study, PIXEL)) {
        const struct ratio ratio =
            time_pair(study->device, launches[FOUR], launches[PIXEL],
                      study->report->options->repeats, times);
        fetch(study, study->out_buffers[0]);
        study->report->wrong += !right_again(is_right(study, study->wanted, true));
        report_headline(study->report, "4 x 12 pixels per item against 1", ratio);
    }
    return best;
}

/* The paper's comparison, by the host's clock: a plane on one core, and a launch with
 * its wait, which does all planes. */
static void compare_with_c(const struct study *study, enum way best) {
    enum { TRIES = 5 };
    double c_ms[TRIES], device_ms[TRIES];
    const struct launch launch =
        launch_of(study, best, study->in_buffer, study->out_buffers[0], 1);
    for (int i = 0; i < TRIES; i++) {
        const double began_ms = now_ms();
        pass_on_host(study, study->now, study->wanted);
        c_ms[i] = now_ms() - began_ms;
        launch_ms(study->device, &launch);
        device_ms[i] = (now_ms() - began_ms - c_ms[i]) / (double)study->planes;
    }
    const struct ratio ratio = ratio_of(device_ms, c_ms, TRIES);
    report_say(study->report,
               "%28s plain C on one core: %.4g ms for one picture by the host's clock\n"
               "%28s %s against it: %s",
               "", timing_of(c_ms, TRIES).median_ms * (double)study->channels, "",
               ways[best].variant, in_words(ratio).text);
}

/* Pass by pass: each must be what the host makes of the one before.  What the last one
 * leaves is what the picture is now. */
static bool are_passes_right(struct study *study, const struct launch *launches) {
    for (size_t i = 0; i < study->passes; i++) {
        struct launch alone = launches[i];
        alone.then = NULL;
        run(study, alone, study->out_buffers[i % 2]);
        planes_on_host(study);
        if (!is_right(study, study->wanted, true))
            return false;
        float *last = study->now;
        study->now = study->found;
        study->found = last;
    }
    return true;
}

/* All passes: one in each launch; then two, and four, which must be the same bits. */
static void all_passes(struct study *study, char names[3][32]) {
    const enum way way = study->device->is_cpu || !fits(study, SHARED) ? BAND : SHARED;
    struct launch *single = allocate(2 * study->passes, sizeof *single),
                  *chain = single + study->passes;
    for (size_t i = 0, each = 1; i < 3 && each <= study->passes; i++, each *= 2) {
        snprintf(names[i], sizeof names[i], "%zu pass%s, %zu per launch", study->passes,
                 study->passes == 1 ? "" : "es", each);
        if (each == 1) {
            chain_of(study, way, 1, single);
            const bool right = are_passes_right(study, single);
            row(study, names[i], study->passes, single[0], right,
                (struct result){study->out_buffers[(study->passes - 1) % 2], study->now,
                                false},
                study->copy, "copies");
        } else if (fits(study, SEVERAL)) {
            const size_t count = chain_of(study, SEVERAL, each, chain);
            buffer_poison(study->device, study->out_buffers[count % 2]);
            run(study, chain[0], study->out_buffers[(count - 1) % 2]);
            row(study, names[i], study->passes, chain[0],
                is_right(study, study->now, false),
                (struct result){study->out_buffers[(count - 1) % 2], study->now, false},
                single[0], NULL);
        }
    }
    free(single);
}

/* As many frames as were asked for; else as have room, but not more than so many. */
static void choose_frames(struct study *study, size_t asked, size_t most) {
    const size_t frame = study->pitch * study->height * study->channels,
                 room = device_capacity(study->device, 3, sizeof(float));
    study->frames = asked ? asked : most;
    if (!asked && study->frames > room / frame)
        study->frames = room / frame ? room / frame : 1;
    if (study->frames > room / frame)
        die("%zu x %zu pixels, %zu times, are too many for %s" HINT
            "there is room for %zu floats: try a smaller picture, or fewer --frames",
            study->width, study->height, study->frames, study->device->name, room);
    study->planes = study->frames * study->channels;
    study->floats = study->frames * frame;
}

int main(int argc, char **argv) {
    const char *input = NULL, *output = NULL, *passes = NULL, *width = NULL,
               *frames = NULL;
    const struct own_option own[] = {
        {"input", "FILE", "filter this PNG file, not a picture of the step's",
         .text = &input},
        {"output", "FILE", "write what becomes of it to a PNG file", .text = &output},
        {"passes", "N", "filter so many times, from 0 to 1000 (4 unless told)",
         .text = &passes},
        {"width", "N", "pixels in a row of the step's picture", .text = &width},
        {"frames", "N", "so many pictures (64 unless told; on a CPU 1)",
         .text = &frames}};
    const struct options options = options_read_own(
        argc, argv, &(struct usage){"step16_shock_filter", PIXELS, 1, own, 5});
    struct study study = {.passes = passes ? option_number("--passes", passes, 0, MOST)
                                           : PASSES};
    const size_t asked = frames ? option_number("--frames", frames, 1, MOST) : 0;
    struct picture picture = picture_for(&options, input, width);
    struct device device = device_open(options.device);
    struct report report = report_start(&options, &device);
    struct roofline roofline = {.report = &report};

    /* The picture, in planes, with rows that begin where a line of memory does. */
    study.report = &report, study.device = &device, study.roofline = &roofline;
    study.width = picture.width, study.height = picture.height;
    study.channels = picture.channels;
    study.pitch = (study.width + ALIGNED - 1) / ALIGNED * ALIGNED;
    choose_frames(&study, asked,
                  !device.is_cpu ? FRAMES
                  : options.full ? FULL_ON_CPU
                                 : ON_CPU);
    if (!input)
        draw(&picture);
    study.now = allocate(study.floats, sizeof(float));
    study.wanted = allocate(study.floats, sizeof(float));
    study.found = allocate(study.floats, sizeof(float));
    planes_of(&study, &picture);
    study.in_buffer = buffer_from(&device, study.now, study.floats * sizeof(float));
    for (int i = 0; i < 2; i++)
        study.out_buffers[i] = buffer_new(&device, study.floats * sizeof(float));

    /* The lesson: one pass in each way, and then all of them. */
    report_say(&report,
               "%zu x %zu pixels, %zu in all; 2 copies: twice as long as \"copy\"",
               study.width, study.height, study.planes * study.width * study.height);
    measure_copy(&study);
    compare_with_c(&study, one_pass(&study));
    char names[3][32];
    if (study.passes > 0)
        all_passes(&study, names);
    roofline_draw(&roofline);
    if (output && report.wrong == 0)
        write_frame(&study, output, &picture);

    device_close(&device);
    free(study.found);
    free(study.wanted);
    free(study.now);
    free(picture.pixels);
    return report_end(&report);
}
