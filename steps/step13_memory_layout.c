/* Step 13: the shape of the group and the shape of the data
 *
 * In step 12 several kernels shared the device.  Here one has it alone, but much of
 * what memory delivers may be of no use: an image lies in rows, and a group reads a
 * rectangle of it.  Either the group takes the shape of the data, or the data that of
 * the group.
 *
 * Read with  kernels/step13_memory_layout.cl, docs/step13_memory_layout.md
 * Try        {4, 64} as a shape: between which rows of the table does it belong?
 * Lens       --size 65536
 * Story      load_sectors memory_layout_blur_rows@256 memory_layout_blur_rows@1x256
 */
#include "step.h"

#include <math.h>
#include <stdio.h>

enum { GROUP = 256, TILE = 8, BLOCK = 32, OFF_IMAGE = 1000000 };
/* Sides of 1000, 2000 and 8100 pixels, so that no row ends where its padding does. */
static const struct sizes sizes = {.cpu = 1e6, .cpu_full = 4e6, .gpu = 65.61e6};

/* Work-items of a group in x and in y; the last shapes come with --all. */
enum { WIDE, SQUARER, TALL, BY_DEFAULT };
static const size_t shapes[][2] = {{GROUP, 1}, {8, 32}, {1, GROUP}, {32, 8}, {16, 16}};

/* What a kernel reads and writes; blurs are launched with each shape. */
enum layout { ROWS, TILES, MORTON };
enum { COPY, BLUR_ROWS, BLUR_TILES, BLUR_MORTON, TO_TILES, VARIANTS };
static const struct variant {
    const char *name, *kernel;
    bool blurs;
    enum layout from, to;
} variants[] = {{"copy", "memory_layout_copy", false, ROWS, ROWS},
                {"blur, rows", "memory_layout_blur_rows", true, ROWS, ROWS},
                {"blur, tiles", "memory_layout_blur_tiles", true, TILES, TILES},
                {"blur, Morton", "memory_layout_blur_morton", true, MORTON, MORTON},
                {"rows to tiles", "memory_layout_to_tiles", false, ROWS, TILES}};

struct image {
    struct device *device;
    cl_uint side, pitch;             /* pixels in a row, without and with its padding */
    size_t count;                    /* pixels in all, with the padding */
    float *pixels, *blurred, *plane; /* in rows, NaN in the padding; on the device */
    cl_mem in, out;
};

/* Where pixel i of the rows lies. */
static size_t place(enum layout layout, size_t i, size_t pitch) {
    const size_t x = i % pitch, y = i / pitch;
    if (layout == ROWS)
        return i;
    if (layout == TILES)
        return (y / TILE * pitch + x / TILE * TILE + y % TILE) * TILE + x % TILE;
    size_t bits = 0;
    for (size_t bit = 1; bit < BLOCK; bit *= 2)
        bits += (x & bit) * bit + (y & bit) * bit * 2;
    return (y / BLOCK * pitch + x / BLOCK * BLOCK) * BLOCK + bits;
}

/* The sum of 3 x 3 pixels; beyond the border, its pixels are repeated. */
static float blur_on_host(const struct image *image, size_t x, size_t y) {
    const size_t last = image->side - 1;
    const size_t columns[] = {x > 0 ? x - 1 : 0, x, x < last ? x + 1 : last};
    const size_t rows[] = {y > 0 ? y - 1 : 0, y, y < last ? y + 1 : last};
    float sum = 0.0f;
    for (int i = 0; i < 9; i++)
        sum += image->pixels[rows[i / 3] * image->pitch + columns[i % 3]];
    return sum;
}

/* A square image of odd quarters; a pixel has 5 bytes with its share of the padding. */
static struct image make_image(struct step *step) {
    const cl_uint side = (cl_uint)ceil(sqrt(step_size(step, &sizes, 3, 5)));
    struct image image = {.device = &step->device, .side = side};
    image.pitch = (side + BLOCK - 1) / BLOCK * BLOCK;
    const size_t count = image.count = (size_t)image.pitch * image.pitch;
    image.pixels = step_numbers(step, count, 13);
    image.blurred = step_array(step, count, sizeof(float));
    image.plane = step_array(step, count, sizeof(float));
    for (size_t i = 0; i < count; i++)
        if (i % image.pitch < side && i / image.pitch < side)
            image.blurred[i] = blur_on_host(&image, i % image.pitch, i / image.pitch);
        else
            image.pixels[i] = image.blurred[i] = NAN;
    image.in = buffer_new(&step->device, count * sizeof(float));
    image.out = buffer_new(&step->device, count * sizeof(float));
    return image;
}

/* Launches with sign * image.  Is every pixel right, and the padding still NaN? */
static bool is_right(const struct image *image, int v, const struct launch *launch,
                     float sign) {
    const float *wanted = variants[v].blurs ? image->blurred : image->pixels;
    const size_t count = image->count, pitch = image->pitch;
    float *plane = image->plane;
    for (size_t i = 0; i < count; i++)
        plane[place(variants[v].from, i, pitch)] =
            isnan(wanted[i]) ? OFF_IMAGE : sign * image->pixels[i];
    buffer_write(image->device, image->in, plane, count * sizeof *plane);
    launch_ms(image->device, launch);
    buffer_read(image->device, image->out, plane, count * sizeof *plane);
    for (size_t i = 0; i < count; i++) {
        const float found = plane[place(variants[v].to, i, pitch)];
        if (isnan(wanted[i]) ? !isnan(found) : found != sign * wanted[i])
            return wrong_at(element_2d("out", i % pitch, i / pitch), (double)found,
                            (double)(sign * wanted[i]));
    }
    return true;
}

/* In groups of this shape, or smaller if need be; a conversion has one dimension. */
static struct launch make_launch(struct step *step, const struct image *image, int v,
                                 cl_mem out, const size_t shape[2]) {
    const struct launch launch =
        LAUNCH(step, variants[v].kernel, image->count, step_group(step, GROUP),
               ARG(image->in), ARG(out), ARG(image->pitch), ARG(image->side));
    size_t group[2] = {shape[0], shape[1]};
    while (group[0] * group[1] > step->device.max_group)
        group[group[0] < group[1]] /= 2;
    if (v == TO_TILES)
        return launch;
    return launch_2d(launch.kernel, image->side, image->side, group);
}

int main(int argc, char **argv) {
    struct step step;
    step_open(&step, argc, argv, "step13_memory_layout");
    const struct image image = make_image(&step);
    cl_mem copied = buffer_new(&step.device, image.count * sizeof(float));
    const struct launch copy = make_launch(&step, &image, COPY, copied, shapes[WIDE]);

    /* The lesson: which shape of a group suits which layout of the data?  Launches
     * alternate with a copy; then the negative of the image must be right, too. */
    const size_t shape_count = step.options.all ? COUNT(shapes) : BY_DEFAULT;
    struct launch launches[VARIANTS][COUNT(shapes)];
    struct ratio copies[VARIANTS][COUNT(shapes)];
    struct timing times[2];
    const int repeats = step.options.repeats;
    for (int v = COPY; v < VARIANTS; v++)
        for (size_t s = 0; s < (variants[v].blurs ? shape_count : 1); s++) {
            char name[64], note[64];
            const struct launch launch = launches[v][s] =
                make_launch(&step, &image, v, image.out, shapes[s]);
            snprintf(name, sizeof name, "%s, %zu x %zu", variants[v].name,
                     launch.local[0], launch.local[1]);
            struct row row = {name, (size_t)image.side * image.side, .note = note};
            row.limit = step.report.limits.copy;
            buffer_poison(&step.device, image.out);
            row.right = is_right(&image, v, &launch, 1.0f);
            copies[v][s] = time_pair(&step.device, copy, launch, repeats, times);
            row.right = row.right && right_again(is_right(&image, v, &launch, -1.0f));
            row.time = times[1];
            row.bytes = 2.0 * (double)row.size * sizeof(float);
            snprintf(note, sizeof note, "%.2f x copy", copies[v][s].median);
            report_row(&step.report, row);
        }

    /* The result; and after how many blurs do tiles save what they cost? */
    const struct ratio *rows = copies[BLUR_ROWS], *tiles = copies[BLUR_TILES];
    const struct ratio gain = ratio_of_ratios(tiles[SQUARER], rows[SQUARER]);
    const double saved = rows[SQUARER].median - tiles[SQUARER].median;
    report_headline(&step.report, "wide groups against tall ones",
                    time_pair(&step.device, launches[BLUR_ROWS][WIDE],
                              launches[BLUR_ROWS][TALL], repeats, times));
    report_say(&step.report, "Tiles against rows, 8 wide: %s", in_words(gain).text);
    if (told_apart(gain) && saved > 0.0)
        report_say(&step.report, "That pays for 'rows to tiles' after %.0f blurs.",
                   ceil(copies[TO_TILES][0].median / saved));
    if (step.device.is_cpu)
        report_say(&step.report, "A CPU finds most pixels in its cache, and computing "
                                 "their places takes longer.");
    return step_close(&step);
}
