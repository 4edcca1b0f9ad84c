/* Step 13: the shape of the group and the shape of the data
 *
 * In step 12 several kernels shared the device.  Here one has it alone, but much of
 * what memory delivers may be of no use: an image lies in rows, and a group reads a
 * rectangle of it.  Either the group takes the shape of the data, or the data that of
 * the group.
 *
 * Read with  kernels/step13_memory_layout.cl, docs/step13_memory_layout.md
 * Try        {16, 16} in place of {8, 32}: do rows or tiles gain more, and why?
 * Lens       --size 65536
 * Story      load_sectors memory_layout_blur_rows@256 memory_layout_blur_rows@1x256
 */
#include "step.h"

#include <math.h>
#include <stdio.h>

enum { TILE = 8, BLOCK = 32, OFF_IMAGE = 1000000 };
/* Sides of 700, 2000 and 8100 pixels, so that no row ends where its padding does. */
static const struct sizes sizes = {.cpu = 0.49e6, .cpu_full = 4e6, .gpu = 65.61e6};

/* Work-items of a group in x and in y; blurs are launched with each shape. */
enum { WIDE, EIGHT_WIDE, TALL, SHAPES };
static const size_t shapes[SHAPES][2] = {{256, 1}, {8, 32}, {1, 256}};

/* What a kernel reads and writes. */
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
    float *pixels, *blurred, *plane; /* in rows, in rows, as they lie on the device */
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

/* The sum of 3 x 3 pixels, the border's repeated beyond it; NaN for the padding. */
static float blur_on_host(const struct image *image, size_t x, size_t y) {
    const size_t last = image->side - 1;
    const size_t columns[] = {x > 0 ? x - 1 : 0, x, x < last ? x + 1 : last};
    const size_t rows[] = {y > 0 ? y - 1 : 0, y, y < last ? y + 1 : last};
    float sum = x > last || y > last ? NAN : 0.0f;
    for (int i = 0; i < 9; i++)
        sum += image->pixels[rows[i / 3] * image->pitch + columns[i % 3]];
    return sum;
}

/* Launches with sign * image.  Is every pixel right, and the padding still NaN? */
static bool is_right(const struct image *image, int v, const struct launch *launch,
                     float sign) {
    const float *wanted = variants[v].blurs ? image->blurred : image->pixels;
    const size_t pitch = image->pitch, count = pitch * pitch;
    for (size_t i = 0; i < count; i++)
        image->plane[place(variants[v].from, i, pitch)] =
            isnan(image->blurred[i]) ? OFF_IMAGE : sign * image->pixels[i];
    buffer_write(image->device, image->in, image->plane, count * sizeof(float));
    launch_ms(image->device, launch);
    buffer_read(image->device, image->out, image->plane, count * sizeof(float));
    for (size_t i = 0; i < count; i++) {
        const float found = image->plane[place(variants[v].to, i, pitch)];
        const float expected = isnan(image->blurred[i]) ? NAN : sign * wanted[i];
        if (isnan(expected) ? !isnan(found) : found != expected)
            return wrong_at(element_2d("out", i % pitch, i / pitch), (double)found,
                            (double)expected);
    }
    return true;
}

int main(int argc, char **argv) {
    struct step step;
    step_open(&step, argc, argv, &(struct usage){.step = "step13_memory_layout"});

    /* A square image; with its padding count 5 bytes for each pixel instead of 4. */
    const cl_uint side = (cl_uint)ceil(sqrt(step_size(&step, &sizes, 3, 5)));
    const cl_uint pitch = (side + BLOCK - 1) / BLOCK * BLOCK;
    const size_t count = (size_t)pitch * pitch, bytes = count * sizeof(float);
    struct image image = {.device = &step.device, .side = side, .pitch = pitch};
    image.pixels = step_numbers(&step, count, 13);
    image.blurred = step_array(&step, count, sizeof(float));
    image.plane = step_array(&step, count, sizeof(float));
    for (size_t i = 0; i < count; i++)
        image.blurred[i] = blur_on_host(&image, i % pitch, i / pitch);
    image.in = buffer_new(&step.device, bytes);
    image.out = buffer_new(&step.device, bytes);
    cl_mem copied = buffer_new(&step.device, bytes);
    const struct launch copy =
        LAUNCH_2D(&step, "memory_layout_copy", pitch, pitch, shapes[WIDE],
                  ARG(image.in), ARG(copied), ARG(pitch), ARG(side));

    /* The lesson: which shape of a group suits which layout of the data?  Launches
     * alternate with a copy; then the negative, tiny image must be right, too. */
    struct launch launches[VARIANTS][SHAPES];
    struct ratio copies[VARIANTS][SHAPES];
    for (int v = COPY; v < VARIANTS; v++)
        for (size_t s = 0; s < (variants[v].blurs ? SHAPES : 1); s++) {
            char name[64], note[64];
            const struct launch launch = launches[v][s] =
                LAUNCH_2D(&step, variants[v].kernel, pitch, pitch, shapes[s],
                          ARG(image.in), ARG(image.out), ARG(pitch), ARG(side));
            snprintf(name, sizeof name, "%s, %zu x %zu", variants[v].name,
                     launch.local[0], launch.local[1]);
            struct row row = {name, (size_t)side * side, .bytes = 8.0 * side * side,
                              .limit = step.report.limits.copy, .note = note};
            buffer_poison(&step.device, image.out);
            row.right = is_right(&image, v, &launch, 1.0f);
            copies[v][s] = step_time_beside(&step, &copy, &launch, &row);
            row.right = row.right && right_again(is_right(&image, v, &launch, -TINY));
            snprintf(note, sizeof note, "%.2f x copy", copies[v][s].median);
            report_row(&step.report, row);
        }

    /* The result; and after how many blurs do tiles save what they cost? */
    struct timing times[2];
    const struct ratio rows = copies[BLUR_ROWS][EIGHT_WIDE];
    const struct ratio tiles = copies[BLUR_TILES][EIGHT_WIDE];
    const struct ratio gain = ratio_of_ratios(tiles, rows);
    report_headline(&step.report, "wide groups against tall ones",
                    time_pair(&step.device, launches[BLUR_ROWS][WIDE],
                              launches[BLUR_ROWS][TALL], step.options.repeats, times));
    report_say(&step.report, "Tiles against rows, 8 wide: %s", in_words(gain).text);
    if (told_apart(gain) && gain.median > 1.0)
        report_say(&step.report, "That pays for 'rows to tiles' after %.0f blurs.",
                   ceil(copies[TO_TILES][0].median / (rows.median - tiles.median)));
    if (step.device.is_cpu)
        report_say(&step.report, "A CPU finds most pixels in its cache, and computing "
                                 "their places takes longer.");
    return step_close(&step);
}
