/* Step 07d: integral images: the sum of every rectangle
 *
 * In step 07b each element of an array received the sum of all elements up to it, so
 * the sum of any stretch is a difference of two.  An image has such a table, too, and
 * the sum of any rectangle takes four of its elements.  In which order can a device
 * make it?
 *
 * Read with  kernels/step07d_integral_image.cl and simd.clh,
 *            docs/step07d_integral_image.md
 * Try        --radius 300: how much longer do the sums of larger boxes take?
 * Lens       --size 32768 integral_image_lanes integral_image_row_each
 *            integral_image_rows integral_image_column_each integral_image_columns
 *            integral_image_boxes
 * Story      load_sectors
 */
#include "contest.h"

#include <math.h>
#include <string.h>

/* A tile has SIDE x SIDE pixels, here as in the kernels. */
enum { SIDE = 32, RADIUS = 15, MAX_RADIUS = 1 << 16 };

/* The work-items of a group: in a row, in a strip of columns, and for boxes. */
enum { GROUP = 64 };
static const size_t STRIP[] = {32, 8}, BOXES[] = {32, 8};

/* Images are twice as wide as high. */
static const struct sizes sizes = {.cpu = 500000, .cpu_full = 8000000, .gpu = 1 << 27};

struct image {
    struct step *step;
    cl_uint width, height, radius; /* the radius of boxes */
    size_t count, bytes;
    cl_uint *pixels, *table, *sums, *found, *row; /* sums: of boxes */
    cl_mem pixels_buffer, table_buffer, sums_buffer;
};

/* ---- The orders on the device. */

/* A launch for each diagonal of tiles, from the upper left to the lower right one. */
static struct launch along_diagonals(const struct image *image, const char *kernel) {
    struct step *step = image->step;
    const cl_uint across = (image->width + SIDE - 1) / SIDE;
    const cl_uint down = (image->height + SIDE - 1) / SIDE;
    const cl_uint diagonals = across + down - 1;
    struct launch *launches = step_array(step, diagonals, sizeof *launches);

    for (cl_uint d = 0; d < diagonals; d++) {
        const cl_uint right = d < across ? d : across - 1, top = d - right;
        const cl_uint to_left = right + 1, to_bottom = down - top;
        const cl_uint tiles = to_left < to_bottom ? to_left : to_bottom;
        launches[d] =
            LAUNCH(step, kernel, tiles * SIDE, SIDE, ARG(image->pixels_buffer),
                   ARG(image->table_buffer), ARG(image->width), ARG(image->height),
                   ARG(right), ARG(top));
        if (d > 0)
            launches[d - 1].then = &launches[d];
    }
    return launches[0];
}

static struct launch lanes_too(const struct image *image) {
    return along_diagonals(image, "integral_image_lanes");
}

static struct launch of_tiles(const struct image *image) {
    return along_diagonals(image, "integral_image_tiles");
}

/* One launch for the rows, and then one for the columns. */
static struct launch in_two(const struct image *image, struct launch rows,
                            struct launch columns) {
    struct launch *second = step_array(image->step, 1, sizeof *second);
    *second = columns;
    rows.then = second;
    return rows;
}

static struct launch rows_by_lanes(const struct image *image) {
    return LAUNCH(image->step, "integral_image_row_each", image->height,
                  step_group(image->step, GROUP), ARG(image->pixels_buffer),
                  ARG(image->table_buffer), ARG(image->width), ARG(image->height));
}

static struct launch columns_by_lanes(const struct image *image) {
    return LAUNCH(image->step, "integral_image_column_each", image->width,
                  step_group(image->step, GROUP), ARG(image->table_buffer),
                  ARG(image->width), ARG(image->height));
}

static struct launch rows_by_groups(const struct image *image) {
    const size_t group = step_group(image->step, GROUP);
    return LAUNCH(image->step, "integral_image_rows", image->height * group, group,
                  ARG(image->pixels_buffer), ARG(image->table_buffer),
                  ARG(image->width), LOCAL(group * sizeof(cl_uint)));
}

static struct launch strips_by_groups(const struct image *image) {
    size_t strip[] = {STRIP[0], STRIP[1]};
    step_shape(image->step, strip);
    return LAUNCH_2D(image->step, "integral_image_columns", image->width, strip[1],
                     strip, ARG(image->table_buffer), ARG(image->width),
                     ARG(image->height), LOCAL(strip[0] * strip[1] * sizeof(cl_uint)));
}

static struct launch lane_and_lane(const struct image *image) {
    return in_two(image, rows_by_lanes(image), columns_by_lanes(image));
}

static struct launch group_and_lane(const struct image *image) {
    return in_two(image, rows_by_groups(image), columns_by_lanes(image));
}

static struct launch group_and_group(const struct image *image) {
    return in_two(image, rows_by_groups(image), strips_by_groups(image));
}

/* The sums of boxes, from the table that the others have made. */
static struct launch boxes(const struct image *image) {
    return LAUNCH_2D(image->step, "integral_image_boxes", image->width, image->height,
                     BOXES, ARG(image->table_buffer), ARG(image->sums_buffer),
                     ARG(image->width), ARG(image->height), ARG(image->radius));
}

enum { LANES, STRIPS = 4, OF_BOXES, VARIANTS };
static const struct variant {
    const char *name;
    struct launch (*make_launch)(const struct image *image);
} variants[VARIANTS] = {{"diagonals in diagonals", lanes_too},
                        {"diagonals of tiles", of_tiles},
                        {"lane rows, lane columns", lane_and_lane},
                        {"group rows, lane columns", group_and_lane},
                        {"group rows, group strips", group_and_group},
                        {"box sums from the table", boxes}};

/* ---- What is right. */

/* The sum of each row up to an element, and the element above it. */
static void table_on_host(const struct image *image) {
    for (size_t i = 0, y = 0; y < image->height; y++) {
        cl_uint row = 0;
        for (size_t x = 0; x < image->width; x++, i++) {
            row += image->pixels[i];
            image->table[i] = y > 0 ? row + image->table[i - image->width] : row;
        }
    }
}

/* Of `count` elements, each a row of `across` numbers: the sum of each element and of
 * those that are at most `radius` away.  From one place to the next,
 * the sum gains one element and loses another. */
static void sum_neighbours(const struct image *image, const cl_uint *in, cl_uint *out,
                           size_t count, size_t across) {
    const size_t radius = image->radius;
    cl_uint *sum = image->row;
    memset(sum, 0, across * sizeof *sum);
    for (size_t i = 0; i < count + radius; i++)
        for (size_t x = 0; x < across; x++) {
            if (i < count)
                sum[x] += in[i * across + x];
            if (i > 2 * radius)
                sum[x] -= in[(i - 2 * radius - 1) * across + x];
            if (i >= radius)
                out[(i - radius) * across + x] = sum[x];
        }
}

/* The sums of boxes without the table: of pixels in each row, and then of rows. */
static void boxes_on_host(const struct image *image) {
    const size_t width = image->width;
    for (size_t y = 0; y < image->height; y++)
        sum_neighbours(image, &image->pixels[y * width], &image->found[y * width],
                       width, 1);
    sum_neighbours(image, image->found, image->sums, image->height, width);
}

/* Pixels of 16 bits.  Where there are some 100,000 of them, their sum wraps around. */
static struct image make_image(struct step *step, size_t n, size_t radius) {
    struct image image = {.step = step, .radius = (cl_uint)radius};
    image.width = (cl_uint)ceil(sqrt(2.0 * (double)n));
    image.height = (cl_uint)((n + image.width - 1) / image.width);
    image.count = (size_t)image.width * image.height;
    image.bytes = image.count * sizeof(cl_uint);
    image.pixels = step_array(step, image.count, sizeof(cl_uint));
    image.table = step_array(step, image.count, sizeof(cl_uint));
    image.sums = step_array(step, image.count, sizeof(cl_uint));
    image.found = step_array(step, image.count, sizeof(cl_uint));
    image.row = step_array(step, image.width, sizeof(cl_uint));

    cl_uint state = step->options.seed + 7;
    for (size_t i = 0; i < image.count; i++)
        image.pixels[i] = random_next(&state) >> 16;
    table_on_host(&image);
    boxes_on_host(&image);
    image.pixels_buffer = buffer_from(&step->device, image.pixels, image.bytes);
    image.table_buffer = buffer_new(&step->device, image.bytes);
    image.sums_buffer = buffer_new(&step->device, image.bytes);
    return image;
}

/* A variant, and what it has to leave in which buffer. */
struct task {
    const struct image *image;
    const char *name;
    cl_mem out;
    const cl_uint *expected;
};

/* A launch must overwrite what it finds: nothing yet, or the pixels. */
static bool is_right(const struct entry *entry, bool again) {
    const struct task *task = entry->of;
    const struct image *image = task->image;
    struct device *device = &image->step->device;
    if (task->out != image->table_buffer)
        buffer_write(device, image->table_buffer, image->table, image->bytes);
    if (again)
        buffer_write(device, task->out, image->pixels, image->bytes);
    else
        buffer_poison(device, task->out);
    launch_ms(device, &entry->launch);
    buffer_read(device, task->out, image->found, image->bytes);

    for (size_t i = 0; i < image->count; i++)
        if (image->found[i] != task->expected[i])
            return wrong_at(element_2d(task->name, i % image->width, i / image->width),
                            (double)image->found[i], (double)task->expected[i]);
    return true;
}

static struct entry make_entry(const struct image *image, size_t v) {
    const bool of_boxes = v == OF_BOXES;
    struct task *task = step_array(image->step, 1, sizeof *task);
    task->image = image;
    task->name = of_boxes ? "sums" : "table";
    task->out = of_boxes ? image->sums_buffer : image->table_buffer;
    task->expected = of_boxes ? image->sums : image->table;

    struct entry entry = {.launch = variants[v].make_launch(image), .of = task};
    entry.row.variant = variants[v].name;
    entry.row.size = image->count;
    entry.row.bytes = 2.0 * (double)image->bytes;
    entry.row.limit = image->step->report.limits.copy;
    return entry;
}

int main(int argc, char **argv) {
    struct step step;
    size_t radius = RADIUS;
    const struct own_option own = {"radius", "N", "of the boxes: rows and columns",
                                   .number = &radius, .max = MAX_RADIUS};
    step_open(&step, argc, argv,
              &(struct usage){.step = "step07d_integral_image",
                              .lesson = "the same table of sums, made in other orders",
                              .own = &own,
                              .own_count = 1});
    step_need_group(&step, SIDE);
    const cl_uint n = step_size(&step, &sizes, 3, sizeof(cl_uint));
    const struct image image = make_image(&step, n, radius);

    /* The lesson: many launches, each with a few tiles, or two with everything. */
    struct contest contest = contest_begin(&step, is_right);
    for (size_t v = 0; v < VARIANTS; v++)
        contest_add(&contest, make_entry(&image, v));
    const struct ratio ratio = contest_time(&contest, STRIPS, LANES);

    /* The result. */
    report_headline(&step.report, "rows, then columns, not diagonals", ratio,
                    "A core works through the exchanges of lanes one by one.");
    return step_close(&step);
}
