/* Step 17b: separable sums: the algorithm wins
 *
 * In step 17 two kinds of units shared the sines of all pairs of a pixel and a point.
 * Most of these sines are not needed: the phase is a sum of a part for the column and a
 * part for the row, so the light is a product of two factors.  In the end the light of
 * the hologram goes back to the points, which shows that it is one.
 *
 * Read with  kernels/step17b_hologram_separable.cl, docs/step17b_hologram_separable.md
 * Try        --reconstruction seen.png, then --depth 20, too: what is sharp now?
 * Lens       --size 2304 hologram_pairs hologram_factors hologram_separable
 * Races      --size 1003 --all
 */
#include "contest.h"
#include "data/hologram.h"
#include "pictures/png.h"

#include <math.h>
#include <stdio.h>

static const struct sizes sizes = {.cpu = 5304, .cpu_full = 20740, .gpu = 1920 * 1080};

/* As many pairs of a pixel and a point as the host adds up in about a second, and as
 * many products on the way back. */
static const double host_pairs = 1e9, host_products = 3e8;

/* With more pairs than that, a CPU runs only the kernels with vectors. */
static const double slow_pairs = 2e8;

static const double turn = 6.283185307179586; /* in radians */

/* Operations that the rates count: a pair takes 12 in the paper, and a product of two
 * factors, which is added to a sum, takes 4 multiply-adds. */
enum { FLOPS_PER_PAIR = 12, FLOPS_PER_PRODUCT = 8 };

/* A work-item has across x down pixels.  Vectors are for CPUs, in groups of a single
 * work-item.  `bound` is that for the light of one point, on a CPU: about 5 times our
 * error (see data/hologram.h). */
enum { PAIRS, FACTORS, FACTORS_32, PAIRS_VECTORS, FACTORS_VECTORS, VARIANTS };
static const struct variant {
    const char *name, *kernel;
    bool by_factors, by_vectors;
    size_t across, down, group[2];
    double bound;
} variants[VARIANTS] = {
    /* name, kernel, by_factors, by_vectors, across, down, group, bound */
    {"pairs", "hologram_pairs", false, false, 1, 1, {32, 8}, 5e-6},
    {"factors, 1 pixel", "hologram_factors", true, false, 1, 1, {16, 16}, 5e-6},
    {"factors, 32 pixels", "hologram_separable", true, false, 8, 4, {16, 16}, 5e-6},
    {"pairs, vectors", "hologram_pairs_wide", false, true, 16, 1, {1, 1}, 5e-5},
    {"factors, vectors", "hologram_wide", true, true, 32, 32, {1, 1}, 1e-4}};

/* The bound for the light of all points, where the rounding of many turns is larger. */
static const double bound_of_many = 1e-3;

/* ---- The light of the points ---- */

static void add_product(cl_double2 *sum, cl_double2 a, cl_double2 b) {
    sum->s[0] += a.s[0] * b.s[0] - a.s[1] * b.s[1];
    sum->s[1] += a.s[0] * b.s[1] + a.s[1] * b.s[0];
}

/* The arrow of a column or a row that is `distance` pixels from the point. */
static cl_double2 factor(const cl_float *point, double distance) {
    const double theta = turn * (double)point[2] * distance * distance;
    return (cl_double2){{cos(theta), sin(theta)}};
}

/* The host reference: the light of a point is a factor for the column times one for the
 * row.  `columns` is memory for the factors of all columns. */
static void add_point(struct hologram *hologram, const cl_float *point,
                      cl_double2 *columns) {
    const size_t width = hologram->width, height = hologram->height;
    for (size_t x = 0; x < width; x++)
        columns[x] = factor(point, (double)x - (double)point[0]);
    for (size_t y = hologram->first_row; y < height; y += hologram->every_rows) {
        const cl_double2 row = factor(point, (double)y - (double)point[1]);
        for (size_t x = 0; x < width; x++)
            add_product(&hologram->expected[y * width + x], row, columns[x]);
    }
}

static void light_on_host(struct step *step, struct hologram *hologram) {
    cl_double2 *columns = step_array(step, hologram->width, sizeof *columns);
    for (cl_uint i = 0; i < hologram->point_count; i++)
        add_point(hologram, hologram->points[i].s, columns);
}

/* A variant that must find the light of a hologram, within a bound. */
struct attempt {
    struct hologram *hologram;
    double bound;
    char *note; /* its error */
};
enum { NOTE_LENGTH = 32 };

static bool is_right(const struct entry *entry, bool again) {
    const struct attempt *attempt = entry->of;
    struct hologram *hologram = attempt->hologram;
    attempt->note[0] = '\0';
    if (!hologram_right(hologram, &entry->launch, attempt->bound, again))
        return false;
    snprintf(attempt->note, NOTE_LENGTH, "error %.1e", hologram->error);
    return true;
}

static struct entry make_entry(struct step *step, const struct variant *variant,
                               struct hologram *hologram, double bound) {
    struct attempt *attempt = step_array(step, 1, sizeof *attempt);
    attempt->hologram = hologram;
    attempt->bound = bound;
    attempt->note = step_array(step, NOTE_LENGTH, 1);

    const cl_uint width = hologram->width, height = hologram->height;
    size_t group[] = {variant->group[0], variant->group[1]};
    step_shape(step, group);
    struct entry entry = {.of = attempt};
    entry.launch = LAUNCH_2D(step, variant->kernel,
                             (width + variant->across - 1) / variant->across,
                             (height + variant->down - 1) / variant->down, group,
                             ARG(hologram->points_buffer), ARG(hologram->point_count),
                             ARG(hologram->field_buffer), ARG(width), ARG(height));
    entry.row.variant = variant->name;
    entry.row.size = hologram->n;
    const int flops = variant->by_factors ? FLOPS_PER_PRODUCT : FLOPS_PER_PAIR;
    entry.row.flops = (double)flops * hologram->n * hologram->point_count;
    entry.row.limit = step->report.limits.fma;
    entry.row.note = attempt->note;
    return entry;
}

/* Is the light of one point right?  (The instructions of GPUs are less exact than a
 * CPU's.) */
static void check_point(struct contest *contest, const struct variant *variant,
                        float left, float below, float turns) {
    struct step *step = contest->step;
    const double bound = variant->bound * (step->device.is_cpu ? 1.0 : 20.0);
    struct hologram *one = step_array(step, 1, sizeof *one);
    *one = hologram_of_one(step, left, below, turns);
    light_on_host(step, one);
    contest_check(contest, make_entry(step, variant, one, bound));
}

/* One point that is near; and for factors another one, which is so far beside the
 * picture that its phase is thousands of turns: only exact products keep the part of a
 * turn. */
static void check_points(struct contest *contest, const struct variant *variant) {
    const float aside = (float)(contest->step->options.seed % 16) / 16.0f;
    check_point(contest, variant, aside, 0.5f, 0.0031f);
    if (variant->by_factors)
        check_point(contest, variant, 2e5f + aside, 1e5f, 1.234e-6f);
}

/* ---- The way back ---- */

/* Light of strength 1 that has the phases of the hologram goes back to the depth of the
 * points, where it must gather in them. */
enum { PHASES, SHINE, BACK_ROWS, BACK_COLUMNS, LAUNCHES };
enum { LEVELS = 256 }; /* the phases that there are; the last is next to the first */
struct way {
    struct hologram *hologram;
    cl_uint width, height, n;
    cl_double2 *paths;     /* the arrow by which light turns back, for each distance */
    unsigned char *phases; /* of the last launch */
    cl_float2 *seen;
    cl_mem phases_buffer, seen_buffer, other_buffer;
    struct launch launches[LAUNCHES];
};

/* Makes the paths, here and on the device. */
static cl_mem make_paths(struct step *step, struct way *way, double depth) {
    const cl_uint end = way->width > way->height ? way->width : way->height;
    cl_float2 *floats = step_array(step, end, sizeof *floats);
    way->paths = step_array(step, end, sizeof *way->paths);
    for (cl_uint d = 0; d < end; d++) {
        const double theta = -turn * hologram_turns_at(depth) * d * d;
        way->paths[d] = (cl_double2){{cos(theta), sin(theta)}};
        floats[d] = (cl_float2){{(float)cos(theta), (float)sin(theta)}};
    }
    return buffer_from(&step->device, floats, end * sizeof *floats);
}

/* The four launches of the way back.  The first launch of hologram_back adds up rows,
 * and stores them as columns; the second one adds up the columns, and stores them as
 * rows. */
static struct way *way_new(struct step *step, struct hologram *hologram, double depth) {
    struct way *way = step_array(step, 1, sizeof *way);
    const cl_uint width = hologram->width, height = hologram->height, n = hologram->n;
    *way = (struct way){.hologram = hologram, .width = width, .height = height, .n = n};
    way->phases = step_array(step, n, 1);
    way->seen = step_array(step, n, sizeof *way->seen);
    way->phases_buffer = buffer_new(&step->device, n);
    way->seen_buffer = buffer_new(&step->device, n * sizeof *way->seen);
    way->other_buffer = buffer_new(&step->device, n * sizeof *way->seen);
    cl_mem paths_buffer = make_paths(step, way, depth);

    const size_t group = step_group(step, 64), shape[] = {step_group(step, 32), 1};
    struct launch *launches = way->launches;
    launches[PHASES] =
        LAUNCH(step, "hologram_phase", n, group, ARG(hologram->field_buffer),
               ARG(way->phases_buffer), ARG(n));
    launches[SHINE] = LAUNCH(step, "hologram_shine", n, group, ARG(way->phases_buffer),
                             ARG(way->seen_buffer), ARG(n));
    launches[BACK_ROWS] =
        LAUNCH_2D(step, "hologram_back", width, height, shape, ARG(way->seen_buffer),
                  ARG(paths_buffer), ARG(way->other_buffer), ARG(width), ARG(height));
    launches[BACK_COLUMNS] =
        LAUNCH_2D(step, "hologram_back", height, width, shape, ARG(way->other_buffer),
                  ARG(paths_buffer), ARG(way->seen_buffer), ARG(height), ARG(width));
    for (size_t i = 0; i + 1 < LAUNCHES; i++)
        launches[i].then = &launches[i + 1];
    return way;
}

/* Launches twice, because the kernels must replace what they find: before each launch
 * the phases are turned by half a turn. */
static void go_back(struct step *step, struct way *way) {
    const struct hologram *hologram = way->hologram;
    for (int time = 0; time < 2; time++) {
        for (size_t i = 0; i < way->n; i++)
            way->phases[i] ^= LEVELS / 2;
        buffer_write(&step->device, way->phases_buffer, way->phases, way->n);
        launch_ms(&step->device, &way->launches[0]);
        buffer_read(&step->device, way->phases_buffer, way->phases, way->n);
    }
    buffer_read(&step->device, hologram->field_buffer, hologram->field,
                hologram->n * sizeof *hologram->field);
    buffer_read(&step->device, way->seen_buffer, way->seen, way->n * sizeof *way->seen);
}

/* Is each phase that of the light in the field, to half a step? */
static bool phases_right(const struct way *way) {
    for (size_t i = 0; i < way->n; i++) {
        const double re = (double)way->hologram->field[i].s[0],
                     im = (double)way->hologram->field[i].s[1];
        const double level = atan2(im, re) / turn * LEVELS;
        if (!(fabs(remainder(level - way->phases[i], LEVELS)) <= 0.501))
            return wrong_at(element_2d("phase", i % way->width, i / way->width),
                            way->phases[i], level < 0.0 ? level + LEVELS : level);
    }
    return true;
}

static cl_uint distance(cl_uint a, cl_uint b) {
    return a > b ? a - b : b - a;
}

/* The host reference: what is seen in row y.  Adds up each column, turned back as it is
 * seen from there, and then the row of these sums.  `shine` is the light of each phase;
 * `columns` and `row` are memory for a sum for each pixel of a row. */
static void see_row(const struct way *way, const cl_double2 shine[LEVELS], cl_uint y,
                    cl_double2 *columns, cl_double2 *row) {
    for (cl_uint x = 0; x < way->width; x++) {
        columns[x] = (cl_double2){{0.0, 0.0}};
        row[x] = (cl_double2){{0.0, 0.0}};
    }
    for (cl_uint from = 0; from < way->height; from++)
        for (cl_uint x = 0; x < way->width; x++)
            add_product(&columns[x], shine[way->phases[from * way->width + x]],
                        way->paths[distance(from, y)]);
    for (cl_uint x = 0; x < way->width; x++)
        for (cl_uint from = 0; from < way->width; from++)
            add_product(&row[x], columns[from], way->paths[distance(from, x)]);
}

/* Is the light right that is seen at the points' depth?  The host looks at all rows of
 * pixels, or at as many as it has time for, and always at the last one. */
static bool seen_right(struct step *step, const struct way *way) {
    const double of_a_row = way->n + (double)way->width * way->width;
    const cl_uint rows =
        (cl_uint)fmin(fmax(host_products / of_a_row, 1.0), way->height);
    cl_double2 *columns = step_array(step, way->width, sizeof *columns),
               *row = step_array(step, way->width, sizeof *row), shine[LEVELS];
    for (int level = 0; level < LEVELS; level++) {
        const double theta = turn / LEVELS * level;
        shine[level] = (cl_double2){{cos(theta), sin(theta)}};
    }
    for (cl_uint r = 0; r < rows; r++) {
        const cl_uint y = r + 1 < rows ? r * (way->height / rows) : way->height - 1;
        see_row(way, shine, y, columns, row);
        for (cl_uint x = 0; x < way->width; x++)
            for (size_t part = 0; part < 2; part++) {
                const double expected = row[x].s[part],
                             found = (double)way->seen[y * way->width + x].s[part],
                             most = 1e-3 * sqrt(way->n) + 1e-4 * fabs(expected);
                if (!(fabs(found - expected) <= most))
                    return wrong_at(element_2d("seen", x, y), found, expected);
            }
    }
    return true;
}

static bool way_right(struct step *step, struct way *way) {
    go_back(step, way);
    return phases_right(way) && seen_right(step, way);
}

static double brightness(const struct way *way, size_t i) {
    const double re = (double)way->seen[i].s[0], im = (double)way->seen[i].s[1];
    return re * re + im * im;
}

/* The pixel of a row or a column in which a point is. */
static size_t pixel_of(float at, size_t end) {
    const double pixel = rint((double)at);
    return pixel < (double)end ? (size_t)pixel : end - 1;
}

static void say_brightness(struct step *step, const struct way *way) {
    const struct hologram *hologram = way->hologram;
    double all = 0.0, there = 0.0;
    for (size_t i = 0; i < way->n; i++)
        all += brightness(way, i) / way->n;
    for (size_t i = 0; i < hologram->point_count; i++) {
        const cl_float *point = hologram->points[i].s;
        const size_t x = pixel_of(point[0], way->width),
                     y = pixel_of(point[1], way->height);
        there += brightness(way, y * way->width + x) / hologram->point_count;
    }
    report_say(&step->report,
               "Back at their depth, the points are %.1f times as bright as the "
               "average.",
               there / all);
}

/* White is four times the average of the light's strength, the root of brightness. */
static void write_picture(struct step *step, const struct way *way, const char *path) {
    const struct picture picture = {way->width, way->height, 1,
                                    step_array(step, way->n, 1)};
    double average = 0.0;
    for (size_t i = 0; i < way->n; i++)
        average += sqrt(brightness(way, i)) / way->n;
    for (size_t i = 0; i < way->n; i++) {
        const double grey = sqrt(brightness(way, i)) / average * 64.0;
        picture.pixels[i] = (unsigned char)fmin(grey, 255.0);
    }
    png_write(path, &picture);
}

/* From the light in the field to its phases, and back to `depth`, in metres; 0 means
 * the depth of the points, and then their brightness is printed.  Before the last
 * launch its buffers are filled with other numbers. */
static void measure_way(struct step *step, struct hologram *hologram, double depth,
                        const char *path) {
    struct way *way = way_new(step, hologram, depth > 0.0 ? depth : hologram->depth);
    struct row row = {.variant = "phases, and back", .size = way->n};
    row.flops = (double)FLOPS_PER_PRODUCT * way->n * ((double)way->width + way->height);
    row.limit = step->report.limits.fma;
    row.right = way_right(step, way);
    row.time = time_launches(&step->device, way->launches[0], step->options.repeats);

    const size_t bytes = way->n * sizeof *hologram->field;
    buffer_write(&step->device, way->seen_buffer, hologram->field, bytes);
    buffer_write(&step->device, way->other_buffer, hologram->field, bytes);
    row.right = row.right && right_again(way_right(step, way));
    report_row(&step->report, row);
    if (row.right && depth <= 0.0)
        say_brightness(step, way);
    if (row.right && path)
        write_picture(step, way, path);
}

/* ---- The experiment ---- */

/* Does this device run the variant?  A GPU does not run those with vectors, because
 * their groups have one work-item; and with many pairs the others are too slow for a
 * CPU. */
static bool is_run(const struct step *step, const struct variant *variant,
                   double pairs) {
    if (!step->device.is_cpu)
        return !variant->by_vectors;
    return variant->by_vectors || pairs <= slow_pairs || step->options.all;
}

int main(int argc, char **argv) {
    const char *path = NULL, *picture = NULL;
    size_t depth_mm = 0;
    const struct own_option own[] = {
        {"points", "FILE", "points of your own: lines \"x y z\", in millimetres",
         .text = &path},
        {"reconstruction", "FILE", "write what is seen to a PNG file",
         .file = &picture},
        {"depth", "MM", "of what is seen (by default the points' own)",
         .number = &depth_mm, .min = 1, .max = 1000000}};
    struct step step;
    step_open(&step, argc, argv,
              &(struct usage){.step = "step17b_hologram_separable",
                              .lesson = "the same hologram, by pairs or by factors",
                              .own = own,
                              .own_count = COUNT(own)});
    step_need_group(&step, variants[FACTORS_32].group[0]);

    /* The points, and the light that is expected. */
    struct hologram hologram = hologram_make(&step, &sizes, path, host_pairs);
    light_on_host(&step, &hologram);
    const double pairs = (double)hologram.n * hologram.point_count;

    /* The lesson: a sine for each pair; for each row and column of a group; and of a
     * group with more pixels.  Then pairs and factors with a CPU's vectors. */
    struct contest contest = contest_begin(&step, is_right);
    size_t places[VARIANTS]; /* in the contest, of those that are run */
    for (int v = 0; v < VARIANTS; v++) {
        const struct variant *variant = &variants[v];
        if (!is_run(&step, variant, pairs))
            continue;
        places[v] = contest.count;
        contest_add(&contest, make_entry(&step, variant, &hologram, bound_of_many));
        if (step.options.all)
            check_points(&contest, variant);
    }
    const bool is_cpu = step.device.is_cpu;
    const int factors = is_cpu ? FACTORS_VECTORS : FACTORS_32,
              pairwise = is_cpu ? PAIRS_VECTORS : PAIRS;
    const struct ratio ratio =
        contest_time(&contest, places[factors], places[pairwise]);

    /* The proof: light with these phases goes back to the points. */
    if (step.report.wrong == 0)
        measure_way(&step, &hologram, 1e-3 * (double)depth_mm, picture);

    /* The result. */
    report_headline(&step.report, "factors, not pairs", ratio,
                    "Sines are long here, too; vectors do 16 of them, or of "
                    "multiply-adds, at once.");
    return step_close(&step);
}
