/* Step 13: the shape of the group and the shape of the data
 *
 * In step 12 several kernels shared the device.  Here one has it alone, and most of
 * what it fetches may be for nobody: memory comes in lines, an image is read in
 * rectangles. Either the group takes the shape of the data, or the data that of the
 * group.
 *
 * Read with  kernels/step13_memory_layout.cl, docs/step13_memory_layout.md
 * Try        {4, 64} among the shapes: where in the table does it belong?
 * Lens       --size 65536
 * Story      load_sectors memory_layout_blur_rows@32x8
 *            memory_layout_blur_rows@1x256
 */
#include "buffer.h"
#include "compare.h"
#include "data.h"
#include "poison.h"
#include "report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PIXELS = 1 << 26, LESS_ON_CPU = 64, LESS_IN_FULL = 16 };
enum { TILE = 8, BLOCK = 32, EACH = 16 }; /* pixels, as in the kernel file */
enum { NO_PIXEL = 1000000 };              /* what stands in the padding of the input */
enum { BYTES = 5 };                       /* a pixel's, with its share of the padding */

/* Work-items in x and in y: from long to square, and on to tall. */
enum { GROUP = 256, WIDE = 1, TALL = 4, SHAPES = 5 };
static const size_t shapes[SHAPES][2] = {
    {GROUP, 1}, {32, 8}, {16, 16}, {8, 32}, {1, GROUP}};

/* Shapes for work-items that each blur down a column, and for rows that become tiles or
 * Morton order. */
/* exercise { */
static const size_t down_columns[2] = {GROUP, 1};
static const size_t re_laying[2] = {8, 32};
/* } exercise */

enum layout { ROWS, TILES, MORTON, LAYOUTS };
enum pattern { BLUR, TRANSPOSE, PATTERNS };
static const char *const layouts[LAYOUTS] = {"rows", "tiles", "Morton"};
static const char *const patterns[PATTERNS] = {"blur", "transpose"};
static const char *const kernels[PATTERNS][LAYOUTS] = {
    {"memory_layout_blur_rows", "memory_layout_blur_tiles",
     "memory_layout_blur_morton"},
    {"memory_layout_transpose_rows", "memory_layout_transpose_tiles",
     "memory_layout_transpose_morton"}};

/* What stays the same from row to row of the report. */
struct study {
    struct report *report;
    struct device *device;
    size_t side, pitch;      /* pixels in a row of the image; and with padding */
    size_t group;            /* work-items in a group */
    float *image, *wanted;   /* in rows; and what shall become of it */
    float *plane, *expected; /* before and after a launch, in the layout at hand */
    cl_mem in_buffer, out_buffer;
    struct launch copy;
    struct best {
        char variant[64];
        struct ratio copies;
    } best[PATTERNS][LAYOUTS];
};

static size_t round_up(size_t n, size_t multiple) {
    return (n + multiple - 1) / multiple * multiple;
}

/* ---- On the host ---- */

/* Where pixel (x, y) lies. */
static size_t place(enum layout layout, size_t x, size_t y, size_t pitch) {
    if (layout == ROWS)
        return y * pitch + x;
    if (layout == TILES)
        return y / TILE * TILE * pitch + x / TILE * TILE * TILE + y % TILE * TILE +
               x % TILE;
    size_t turns = 0;
    for (size_t bit = 1; bit < BLOCK; bit *= 2)
        turns += (x & bit) * bit + (y & bit) * bit * 2;
    return y / BLOCK * BLOCK * pitch + x / BLOCK * BLOCK * BLOCK + turns;
}

/* Lays rows out anew. */
static void lay_out(const struct study *study, enum layout layout, const float *rows,
                    float padding, float *plane) {
    const size_t side = study->side, pitch = study->pitch;
    for (size_t y = 0; y < pitch; y++)
        for (size_t x = 0; x < pitch; x++)
            plane[place(layout, x, y, pitch)] =
                x < side && y < side ? rows[y * pitch + x] : padding;
}

/* Of 3 x 3 pixels; beside the image there is more of its border. */
static float sum_around(const struct study *study, size_t x, size_t y) {
    const size_t last = study->side - 1;
    const size_t columns[] = {x > 0 ? x - 1 : 0, x, x < last ? x + 1 : last};
    const size_t rows[] = {y > 0 ? y - 1 : 0, y, y < last ? y + 1 : last};
    float sum = 0.0f;
    for (int i = 0; i < 9; i++)
        sum += study->image[rows[i / 3] * study->pitch + columns[i % 3]];
    return sum;
}

static void on_host(const struct study *study, enum pattern pattern) {
    const size_t pitch = study->pitch;
    for (size_t y = 0; y < study->side; y++)
        for (size_t x = 0; x < study->side; x++)
            study->wanted[y * pitch + x] =
                pattern == BLUR ? sum_around(study, x, y) : study->image[x * pitch + y];
}

/* An image of so many pixels or some more. */
static struct study study_of(struct report *report, struct device *device,
                             size_t pixels) {
    struct study study = {.report = report, .device = device, .group = 1};
    study.side = (size_t)ceil(sqrt((double)pixels));
    study.pitch = round_up(study.side, BLOCK);
    while (study.group < GROUP && 2 * study.group <= device->max_group)
        study.group *= 2;

    const size_t plane = study.pitch * study.pitch;
    study.image = small_numbers(plane, report->options->seed + 13);
    study.wanted = allocate(3 * plane, sizeof(float));
    study.plane = study.wanted + plane;
    study.expected = study.plane + plane;
    study.in_buffer = buffer_new(device, plane * sizeof(float));
    study.out_buffer = buffer_new(device, plane * sizeof(float));
    return study;
}

/* ---- On the device ---- */

/* The device gets the image in one layout; afterwards we expect what is wanted in
 * another, and in the padding nothing, or what came with the image. */
static void expect(const struct study *study, enum layout from, enum layout to,
                   const float *wanted, bool padding_too) {
    const cl_uint nothing = POISON;
    float padding = NO_PIXEL;
    lay_out(study, from, study->image, padding, study->plane);
    buffer_write(study->device, study->in_buffer, study->plane,
                 study->pitch * study->pitch * sizeof(float));
    if (!padding_too)
        memcpy(&padding, &nothing, sizeof padding);
    lay_out(study, to, wanted, padding, study->expected);
}

/* Is all as expected that the last launch left?  `copied`: the copy has written to the
 * padding since, to which the launch may not write. */
static bool is_left_right(const struct study *study, bool copied) {
    const size_t count = study->pitch * study->pitch;
    const cl_uint nothing = POISON;
    buffer_read(study->device, study->out_buffer, study->plane, count * sizeof(float));
    if (memcmp(study->plane, study->expected, count * sizeof(float)) == 0)
        return true;
    for (size_t i = 0; i < count; i++)
        if (memcmp(&study->plane[i], &study->expected[i], sizeof(float)) != 0 &&
            !(copied && memcmp(&study->expected[i], &nothing, sizeof nothing) == 0))
            return wrong_at(element("out", i), (double)study->plane[i],
                            (double)study->expected[i]);
    return true;
}

static bool is_right(const struct study *study, struct launch launch) {
    buffer_poison(study->device, study->out_buffer);
    launch_ms(study->device, &launch);
    return is_left_right(study, false);
}

/* As many groups of this shape as cover width x height work-items; smaller ones, where
 * the device wants that. */
static struct launch cover(const struct study *study, cl_kernel kernel, size_t width,
                           size_t height, const size_t shape[2]) {
    size_t w = shape[0], h = shape[1];
    while (w * h > study->group)
        *(w > h ? &w : &h) /= 2;
    return launch_2d(kernel, width, height, (size_t[]){w, h});
}

/* A kernel, with the first `count` of these arguments. */
static cl_kernel load(const struct study *study, const char *name, size_t count) {
    const cl_uint pitch = (cl_uint)study->pitch, side = (cl_uint)study->side;
    const struct arg args[] = {ARG(study->in_buffer), ARG(study->out_buffer),
                               ARG(pitch), ARG(side)};
    cl_kernel kernel = kernel_load(study->device, study->report->options, name);
    kernel_set_args(kernel, args, count);
    return kernel;
}

/* One row of the report, timed in turn with the copy.  Keeps the best, and returns the
 * time. */
static struct timing row(const struct study *study, struct best *best,
                         const char *variant, struct launch launch) {
    char note[64];
    struct timing times[2];
    struct row row = {.variant = variant, .size = study->side * study->side};
    row.right = is_right(study, launch);
    const struct ratio copies = time_pair(study->device, study->copy, launch,
                                          study->report->options->repeats, times);
    row.right = row.right && right_again(is_left_right(study, true));
    snprintf(note, sizeof note, "%.2f copies", copies.median);
    row.time = times[1];
    row.bytes = 2.0 * (double)row.size * sizeof(float);
    row.limit = study->report->limits.copy;
    row.note = note;
    report_row(study->report, row);
    if (best && (!*best->variant || copies.median < best->copies.median)) {
        best->copies = copies;
        snprintf(best->variant, sizeof best->variant, "%s", variant);
    }
    return row.time;
}

/* Each layout of the data with each shape of the group.  Returns how many times faster
 * wide groups are than tall ones, on rows. */
static struct ratio table(struct study *study, enum pattern pattern) {
    struct timing times[LAYOUTS][SHAPES];
    on_host(study, pattern);
    for (enum layout layout = ROWS; layout < LAYOUTS; layout++) {
        cl_kernel kernel = load(study, kernels[pattern][layout], 4);
        expect(study, layout, layout, study->wanted, false);
        for (int i = 0; i < SHAPES; i++) {
            const struct launch launch =
                cover(study, kernel, study->side, study->side, shapes[i]);
            char variant[64];
            snprintf(variant, sizeof variant, "%s, %s, %zu x %zu", patterns[pattern],
                     layouts[layout], launch.local[0], launch.local[1]);
            times[layout][i] =
                row(study, &study->best[pattern][layout], variant, launch);
        }
    }
    return ratio_between(times[ROWS][WIDE], times[ROWS][TALL]);
}

/* Kernels fitted to their layout.  They want what that pattern's table wanted. */
static void fitted_blur(struct study *study) {
    const size_t height = round_up(study->side, EACH) / EACH;
    cl_kernel columns = load(study, "memory_layout_blur_columns", 4);
    expect(study, ROWS, ROWS, study->wanted, false);
    row(study, &study->best[BLUR][ROWS], "blur, rows, 16 each",
        cover(study, columns, study->side, height, down_columns));
    cl_kernel local = load(study, "memory_layout_blur_local", 4);
    row(study, &study->best[BLUR][ROWS], "blur, rows, 16 each, local",
        cover(study, local, study->side, height, shapes[0]));
}

static void fitted_transpose(struct study *study) {
    const size_t pitch = study->pitch, rows = study->group / BLOCK;
    cl_kernel blocks = load(study, "memory_layout_transpose_local", 3);
    expect(study, ROWS, ROWS, study->wanted, true);
    if (rows > 0) /* a group is as wide as a block */
        row(study, &study->best[TRANSPOSE][ROWS], "transpose, rows, local",
            cover(study, blocks, pitch, pitch / BLOCK * rows, (size_t[]){BLOCK, rows}));

    cl_kernel quads = load(study, "memory_layout_transpose_quads", 3);
    expect(study, MORTON, MORTON, study->wanted, true);
    row(study, &study->best[TRANSPOSE][MORTON], "transpose, Morton, 4 each",
        launch_1d(quads, pitch * pitch / 4, study->group));
}

static void say_best(const struct study *study, enum pattern pattern) {
    const struct best *best = study->best[pattern];
    for (enum layout layout = TILES; layout < LAYOUTS; layout++)
        if (study->best[pattern][layout].copies.median < best->copies.median)
            best = &study->best[pattern][layout];
    report_say(study->report, "%28s least: %s, %.2f copies (%.2f to %.2f)", "",
               best->variant, best->copies.median, best->copies.lower,
               best->copies.upper);
}

/* What it costs to leave the rows, and what each launch saves from then on. */
static void re_lay(const struct study *study, enum layout to, const char *name) {
    const struct launch launch =
        cover(study, load(study, name, 4), study->side, study->side, re_laying);
    char variant[64];
    double saved[PATTERNS];
    snprintf(variant, sizeof variant, "rows to %s, %zu x %zu", layouts[to],
             launch.local[0], launch.local[1]);
    expect(study, ROWS, to, study->image, false);
    row(study, NULL, variant, launch);
    for (enum pattern pattern = BLUR; pattern < PATTERNS; pattern++)
        saved[pattern] = study->best[pattern][ROWS].copies.median -
                         study->best[pattern][to].copies.median;
    report_say(study->report, "%28s saves %.2f copies with each %s, %.2f with each %s",
               "", saved[BLUR], patterns[BLUR], saved[TRANSPOSE], patterns[TRANSPOSE]);
}

int main(int argc, char **argv) {
    struct options options = options_read(argc, argv, "step13_memory_layout", PIXELS);
    struct device device = device_open(options.device);
    struct report report = report_start(&options, &device);

    /* A smaller image where a row would take seconds, or where it has no room. */
    const size_t room = device_capacity(&device, 4, BYTES);
    if (!options.size_given && device.is_cpu)
        options.size /= options.full ? LESS_IN_FULL : LESS_ON_CPU;
    if (!options.size_given && options.size > room)
        options.size = room;
    struct study study =
        study_of(&report, &device, device_check_size(&device, options.size, 4, BYTES));

    /* The measuring rod: how long does it take to copy that? */
    report_say(&report, "%zu x %zu pixels; 2 copies: twice the time of the first row",
               study.side, study.side);
    study.copy = launch_1d(load(&study, "memory_layout_copy", 2),
                           study.pitch * study.pitch / 4, study.group);
    expect(&study, ROWS, ROWS, study.image, true);
    row(&study, NULL, "copy", study.copy);

    /* The lesson: which shapes fit each other, for two ways to go through an image? */
    const struct ratio wide = table(&study, BLUR);
    fitted_blur(&study);
    say_best(&study, BLUR);
    table(&study, TRANSPOSE);
    fitted_transpose(&study);
    say_best(&study, TRANSPOSE);

    /* And what does another layout cost? */
    re_lay(&study, TILES, "memory_layout_to_tiles");
    re_lay(&study, MORTON, "memory_layout_to_morton");
    if (study.group == GROUP) /* a device that takes less has other shapes */
        report_headline(&report, "groups of 32 x 8 against 1 x 256", wide);

    device_close(&device);
    free(study.wanted);
    free(study.image);
    return report_end(&report);
}
