/* Step 13: memory layout: the shape of the group and the shape of the data
 *
 * In step 12 several kernels shared the device.  Here one has it alone, and asks memory
 * for more than it has to: the image is stored in rows, but the 32 lanes of a warp take
 * a rectangle of it.  Either the group gets the shape of the data, or the data get the
 * shape of the group.
 *
 * Read with  kernels/step13_memory_layout.cl, docs/step13_memory_layout.md
 * Try        {16, 16} in place of {8, 32}: do rows or tiles gain more, and why?
 * Lens       --size 16384
 * Banks      of the L1: what lanes ask of it depends on the layout
 * Story      load_sectors memory_layout_blur_rows@256
 *            memory_layout_blur_rows@1x256; rows l1_passes
 */
#include "contest.h"

#include <math.h>
#include <stdio.h>

/* Pixels are laid out in rows, in tiles of TILE x TILE, or in Morton order in blocks of
 * BLOCK x BLOCK. */
enum layout { ROWS, TILES, MORTON };
enum { TILE = 8, BLOCK = 32, OFF_IMAGE = 1000000 };

/* No side is a multiple of BLOCK, so that every row has padding. */
static const struct sizes sizes = {
    .cpu = 700 * 700, .cpu_full = 2000 * 2000, .gpu = 8100 * 8100};

/* What a kernel reads and writes. */
struct job {
    const char *name, *kernel;
    bool blurs;
    enum layout from, to;
};
static const struct job copy = {"copy", "memory_layout_copy", false, ROWS, ROWS};
static const struct job blur_rows = {"blur, rows", "memory_layout_blur_rows", true,
                                     ROWS, ROWS};
static const struct job blur_tiles = {"blur, tiles", "memory_layout_blur_tiles", true,
                                      TILES, TILES};
static const struct job blur_morton = {"blur, Morton", "memory_layout_blur_morton",
                                       true, MORTON, MORTON};
static const struct job to_tiles = {"rows to tiles", "memory_layout_to_tiles", false,
                                    ROWS, TILES};

/* Work-items of a group in x and in y; blurs are launched with each shape. */
static const size_t wide[2] = {256, 1}, narrow[2] = {8, 32}, tall[2] = {1, 256};

enum {
    COPY,
    ROWS_WIDE,
    ROWS_NARROW,
    ROWS_TALL,
    TILES_WIDE,
    TILES_NARROW,
    TILES_TALL,
    MORTON_WIDE,
    MORTON_NARROW,
    MORTON_TALL,
    TO_TILES,
    VARIANTS
};
static const struct variant {
    const struct job *job;
    const size_t *group;
} variants[VARIANTS] = {
    [COPY] = {&copy, wide},
    [ROWS_WIDE] = {&blur_rows, wide},
    [ROWS_NARROW] = {&blur_rows, narrow},
    [ROWS_TALL] = {&blur_rows, tall},
    [TILES_WIDE] = {&blur_tiles, wide},
    [TILES_NARROW] = {&blur_tiles, narrow},
    [TILES_TALL] = {&blur_tiles, tall},
    [MORTON_WIDE] = {&blur_morton, wide},
    [MORTON_NARROW] = {&blur_morton, narrow},
    [MORTON_TALL] = {&blur_morton, tall},
    [TO_TILES] = {&to_tiles, wide},
};

/* A square image; its rows and its columns are padded to whole blocks. */
struct image {
    struct step *step;
    cl_uint side, pitch;     /* pixels in a row, without and with its padding */
    size_t count;            /* pixels in all, with the padding */
    float *pixels, *blurred; /* in rows */
    float *plane;            /* in the order that a kernel expects or leaves */
    cl_mem in_buffer, out_buffer, copied_buffer;
};

/* The place in this layout of the pixel that has place i in rows. */
static size_t place(enum layout layout, size_t i, size_t pitch) {
    const size_t x = i % pitch, y = i / pitch;
    if (layout == ROWS)
        return i;
    if (layout == TILES)
        return (y / TILE * pitch + x / TILE * TILE + y % TILE) * TILE + x % TILE;

    /* Morton order: bit b of x becomes bit 2b of a place, and bit b of y bit 2b + 1. */
    size_t bits = 0;
    for (size_t bit = 1; bit < BLOCK; bit *= 2)
        bits += (x & bit) * bit + (y & bit) * bit * 2;
    return (y / BLOCK * pitch + x / BLOCK * BLOCK) * BLOCK + bits;
}

/* The sum of 3 x 3 pixels, the border's repeated beyond it; NaN for the padding. */
static float blur_on_host(const struct image *image, size_t x, size_t y) {
    const size_t last = image->side - 1;
    if (x > last || y > last)
        return NAN;
    const size_t columns[] = {x > 0 ? x - 1 : 0, x, x < last ? x + 1 : last};
    const size_t rows[] = {y > 0 ? y - 1 : 0, y, y < last ? y + 1 : last};
    float sum = 0.0f;
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 3; column++)
            sum += image->pixels[rows[row] * image->pitch + columns[column]];
    return sum;
}

static struct image make_image(struct step *step, cl_uint side) {
    struct image image = {.step = step, .side = side};
    image.pitch = (side + BLOCK - 1) / BLOCK * BLOCK;
    image.count = (size_t)image.pitch * image.pitch;
    image.pixels = step_numbers(step, image.count, 13);
    image.blurred = step_array(step, image.count, sizeof(float));
    image.plane = step_array(step, image.count, sizeof(float));
    for (size_t i = 0; i < image.count; i++)
        image.blurred[i] = blur_on_host(&image, i % image.pitch, i / image.pitch);
    image.in_buffer = buffer_new(&step->device, image.count * sizeof(float));
    image.out_buffer = buffer_new(&step->device, image.count * sizeof(float));
    image.copied_buffer = buffer_new(&step->device, image.count * sizeof(float));
    return image;
}

/* A job, and the image that it is done to. */
struct task {
    const struct image *image;
    const struct job *job;
    cl_mem out_buffer;
};

/* Puts sign * image on the device, in the layout that the job reads, and a number that
 * would show in any sum into its padding. */
static void write_image(const struct task *task, float sign) {
    const struct image *image = task->image;
    for (size_t i = 0; i < image->count; i++) {
        const bool is_padding = isnan(image->blurred[i]);
        image->plane[place(task->job->from, i, image->pitch)] =
            is_padding ? OFF_IMAGE : sign * image->pixels[i];
    }
    buffer_write(&image->step->device, image->in_buffer, image->plane,
                 image->count * sizeof(float));
}

/* Is every pixel sign * what it should be, and the padding still NaN? */
static bool compare(const struct task *task, float sign) {
    const struct image *image = task->image;
    const float *wanted = task->job->blurs ? image->blurred : image->pixels;
    buffer_read(&image->step->device, task->out_buffer, image->plane,
                image->count * sizeof(float));
    for (size_t i = 0; i < image->count; i++) {
        const float found = image->plane[place(task->job->to, i, image->pitch)];
        const bool is_padding = isnan(image->blurred[i]);
        const float expected = is_padding ? NAN : sign * wanted[i];
        const bool right = is_padding ? isnan(found) : found == expected;
        if (!right)
            return wrong_at(element_2d("out", i % image->pitch, i / image->pitch),
                            (double)found, (double)expected);
    }
    return true;
}

/* Launches with the image; when it is asked again, with the negative, tiny one, over
 * what the timed launches have left. */
static bool is_right(const struct entry *entry, bool again) {
    const struct task *task = entry->of;
    struct device *device = &task->image->step->device;
    const float sign = again ? -TINY : 1.0f;
    if (!again)
        buffer_poison(device, task->out_buffer);
    write_image(task, sign);
    launch_ms(device, &entry->launch);
    return compare(task, sign);
}

/* The copy, beside which all are timed, has an output of its own. */
static struct entry make_entry(const struct image *image,
                               const struct variant *variant) {
    enum { NAME_BYTES = 64 };
    struct step *step = image->step;
    const struct job *job = variant->job;
    struct task *task = step_array(step, 1, sizeof *task);
    task->image = image;
    task->job = job;
    task->out_buffer = job == &copy ? image->copied_buffer : image->out_buffer;

    struct entry entry = {.of = task};
    entry.launch =
        LAUNCH_2D(step, job->kernel, image->pitch, image->pitch, variant->group,
                  ARG(image->in_buffer), ARG(task->out_buffer), ARG(image->pitch),
                  ARG(image->side));
    char *name = step_array(step, NAME_BYTES, 1);
    snprintf(name, NAME_BYTES, "%s, %zu x %zu", job->name, entry.launch.local[0],
             entry.launch.local[1]);
    entry.row.variant = name;
    entry.row.size = (size_t)image->side * image->side;
    entry.row.bytes = 2.0 * sizeof(float) * (double)entry.row.size;
    entry.row.limit = step->report.limits.copy;
    return entry;
}

/* The two remedies for groups of 8 x 32 in rows: wide groups, or tiles.  Tiles have to
 * be made first: after how many blurs have they saved what that costs? */
static void say_what_helps(struct step *step, const struct ratio *slower) {
    const struct ratio rows = slower[ROWS_NARROW], tiles = slower[TILES_NARROW];
    const struct ratio wider = ratio_of_ratios(slower[ROWS_WIDE], rows);
    report_say(&step->report, "Rows, 256 wide against 8 wide: %s",
               in_words(wider).text);

    const struct ratio gain = ratio_of_ratios(tiles, rows);
    report_say(&step->report, "Tiles against rows, 8 wide: %s", in_words(gain).text);
    if (told_apart(gain) && gain.median > 1.0)
        report_say(&step->report, "That pays for 'rows to tiles' after %.0f blurs.",
                   ceil(slower[TO_TILES].median / (rows.median - tiles.median)));
}

int main(int argc, char **argv) {
    struct step step;
    step_open(&step, argc, argv,
              &(struct usage){
                  .step = "step13_memory_layout",
                  .lesson = "the same blur; the shapes of groups and of data differ"});

    /* A square image; with its padding count 5 bytes for each pixel instead of 4. */
    const cl_uint side = (cl_uint)ceil(sqrt(step_size(&step, &sizes, 3, 5)));
    const struct image image = make_image(&step, side);

    /* The lesson: which shape of a group suits which layout of the data?  Launches
     * alternate with a copy. */
    struct contest contest = contest_begin(&step, is_right);
    struct ratio slower[VARIANTS];
    for (size_t v = 0; v < VARIANTS; v++) {
        char note[64];
        contest_add(&contest, make_entry(&image, &variants[v]));
        slower[v] = contest_time_beside(&contest, v, COPY);
        snprintf(note, sizeof note, "%.2f x copy", slower[v].median);
        contest.entries[v].row.note = note;
        contest_print(&contest, v);
    }

    /* The result. */
    report_headline(
        &step.report, "wide groups, not tall ones",
        contest_compare(&contest, ROWS_WIDE, ROWS_TALL),
        "Most pixels are in the cache, and computing their places takes longer.");
    report_say(&step.report,
               "x copy: how many times slower than a copy, measured alternately.");
    say_what_helps(&step, slower);
    return step_close(&step);
}
