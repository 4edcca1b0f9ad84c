/* Step 17: when arithmetic is the limit
 *
 * The filter of step 16 was limited by memory.  Here little comes from there: 15,984
 * points shine on two million pixels, and each pixel adds up the light of all points.
 * That is a sine and a cosine for 33 thousand million pairs; and then for hardly any.
 *
 * Read with  kernels/step17_hologram.cl, docs/step17_hologram.md
 * Try        --quick --output hologram.png --reconstruction seen.png, and --depth 130
 * Lens       --size 5184
 * Races      --size 1003
 * Story      load_sectors hologram_native hologram_direct
 */
#define _POSIX_C_SOURCE 200112L /* isatty */
#include "buffer.h"
#include "check.h"
#include "compare.h"
#include "data.h"
#include "picture.h"
#include "roofline.h"

#include <complex.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { WIDTH = 1920, HEIGHT = 1080, ALONG = 444, AROUND = 36, POINTS = ALONG * AROUND };
enum { SMALLER_ON_CPU = 16, QUICK = 4, MOST_PIXELS = 1 << 24, MOST_POINTS = 1 << 18 };
enum { FULL_REPEATS_ON_CPU = 5, SAMPLES = 256, SEEN = 8, CHAINS = 8, ROUNDS = 1024 };
enum { TILE = 64 }; /* rows that any rung's groups divide */
static const double turn = 6.283185307179586;
static const double wavelength = 532e-9, pitch = 8e-6, knot_depth = 0.5; /* in metres */

/* Each rung changes one thing.  A pair of a pixel and a point takes the paper 12 flops:
 * x and y times the pitch, two differences, two squares and their sum, the phase, its
 * cosine and sine, two sums.  The last rungs are left with 4 multiply-adds.
 *
 * A work-item has `across` x `down` pixels.  On a CPU slow rungs do only some of the
 * rows: so many pairs.  How exact native_sin is OpenCL leaves to the device, so the
 * bound of NATIVE only tells right from wrong. */
enum { DIRECT, NATIVE, TURNS, LOCALLY, VECTORS, SPLIT, SEPARABLE, WIDE, RUNGS };
#define ALL 1e30
static const struct rung {
    const char *name, *kernel;
    size_t across, down, group[2];
    double flops, pairs_on_cpu, bound; /* of the relative error */
} rungs[RUNGS] = {
    {"sin, cos of radians", "hologram_direct", 1, 1, {32, 8}, 12, 4e6, 1e-3},
    {"native, of radians", "hologram_native", 1, 1, {32, 8}, 12, 4e6, 0.1},
    {"native, of turns", "hologram_turns", 1, 1, {32, 8}, 12, 4e6, 1e-3},
    {"points in local memory", "hologram_local", 1, 1, {32, 8}, 12, 4e6, 1e-3},
    {"vectors, polynomials", "hologram_vectors", 16, 1, {8, 8}, 12, 128e6, 1e-3},
    {"split between units", "hologram_split", 8, 1, {16, 8}, 12, 4e6, 1e-3},
    {"rows times columns", "hologram_separable", 8, 4, {16, 16}, 8, 480e6, 1e-3},
    {"rows times columns, wide", "hologram_wide", 32, 32, {1, 1}, 8, ALL, 1e-3}};

/* Rows of pixels: from `first` to `last`, not included. */
struct slice {
    cl_uint first, last;
};

struct sample {
    cl_uint x, y;
    double complex light;
};

/* What stays the same from row to row; and the rows. */
struct problem {
    struct report *report;
    struct device *device;
    cl_uint width, height, count; /* pixels, and points */
    cl_float4 *points;
    double depth; /* the points' mean, in metres */
    cl_mem points_buffer, field_buffer, light_buffer, phase_buffer;
    cl_float2 *field;
    struct sample samples[4 * SAMPLES];
    cl_uint sample_count;
    double host_ms; /* for one pair, in plain C */
    int repeats;
    cl_kernel kernels[RUNGS];
    struct launch launches[RUNGS];
    struct row rows[RUNGS];
    char notes[RUNGS][32];
};

/* ---- The points ---- */

/* By how many turns the phase of a point's light grows with the squared distance in
 * pixels.  (Fresnel: r is about z + (x^2 + y^2) / 2z.) */
static double turns_at(double z) {
    return pitch * pitch / (2.0 * wavelength * z);
}

/* x to the right and y down from the picture's middle, z away from it; in metres. */
static void add_point(struct problem *problem, double x, double y, double z) {
    float *point = problem->points[problem->count++].s;
    point[0] = (float)(0.5 * problem->width + x / pitch);
    point[1] = (float)(0.5 * problem->height + y / pitch);
    point[2] = (float)turns_at(z);
    point[3] = (float)(turn * turns_at(z));
    problem->depth += (z - problem->depth) / problem->count;
}

/* A tube in a trefoil knot; of fewer points, every so many.  A smaller picture shows it
 * smaller, and as much nearer. */
static void points_make(struct problem *problem, cl_uint count) {
    const double unit = 0.13 * problem->height * pitch,
                 middle = knot_depth * problem->width / WIDTH;
    problem->points = allocate(count, sizeof *problem->points);
    for (cl_uint i = 0; i < count; i++) {
        const cl_uint number = (cl_uint)((cl_ulong)i * POINTS / count);
        const double s = turn / ALONG * (number / AROUND);
        const double around = turn / AROUND * (number % AROUND);
        /* where the tube goes, and how far out of it and up from it */
        const double tx = cos(s) + 4.0 * cos(2.0 * s), ty = 4.0 * sin(2.0 * s) - sin(s),
                     tz = -3.0 * cos(3.0 * s), level = hypot(tx, ty),
                     out = 0.45 * cos(around) / level,
                     up = 0.45 * sin(around) / (level * hypot(level, tz));
        add_point(problem,
                  unit * (sin(s) + 2.0 * sin(2.0 * s) + out * ty - up * tx * tz),
                  unit * (cos(s) - 2.0 * cos(2.0 * s) - out * tx - up * ty * tz),
                  unit * (up * level * level - sin(3.0 * s)) + middle);
    }
}

/* Lines "x y z" in millimetres.  Where a fringe is less than two pixels wide, they
 * cannot tell which way the phase goes: so lambda z must be at least two pitches times
 * the farthest distance, in x or in y. */
static void points_read(struct problem *problem, const char *path) {
    static const char wanted[] =
        "each line has x, y and z of a point in millimetres: 1.5 -2 500";
    const double half_x = 500.0 * pitch * problem->width,
                 half_y = 500.0 * pitch * problem->height;
    problem->points = allocate(MOST_POINTS, sizeof *problem->points);
    FILE *file = fopen(path, "r");
    if (!file)
        die("cannot read %s: %s" HINT "%s", path, strerror(errno), wanted);
    char line[256], rest;
    for (size_t number = 1; fgets(line, sizeof line, file); number++) {
        double x, y, z;
        line[strcspn(line, "\r\n")] = '\0';
        if (sscanf(line, "%lf %lf %lf %c", &x, &y, &z, &rest) != 3)
            die("%s:%zu: not three numbers: '%s'" HINT "%s", path, number, line,
                wanted);
        if (problem->count == MOST_POINTS)
            die("%s:%zu: too many points" HINT "%d are the most", path, number,
                MOST_POINTS);
        if (!(fabs(x) <= half_x && fabs(y) <= half_y))
            die("%s:%zu: this point is beside the picture" HINT
                "x up to %.4g mm and y up to %.4g mm, or less than 0, are in front",
                path, number, half_x, half_y);
        const double nearest =
            2.0 * pitch / wavelength * fmax(half_x + fabs(x), half_y + fabs(y));
        if (!(z >= nearest && z <= 1e6))
            die("%s:%zu: z is %g mm" HINT "this point needs %.4g mm: nearer, its "
                "fringes are finer than the pixels",
                path, number, z, nearest);
        add_point(problem, 1e-3 * x, 1e-3 * y, 1e-3 * z);
    }
    if (ferror(file) || problem->count == 0)
        die("%s has no points" HINT "%s", path, wanted);
    fclose(file);
}

/* ---- The host's reference: some pixels, in double ---- */

static double complex light_on_host(const struct problem *problem, cl_uint x,
                                    cl_uint y) {
    double re = 0.0, im = 0.0;
    for (cl_uint i = 0; i < problem->count; i++) {
        const float *point = problem->points[i].s;
        const double dx = (double)point[0] - x, dy = (double)point[1] - y;
        const double theta = turn * (double)point[2] * (dx * dx + dy * dy);
        re += cos(theta);
        im += sin(theta);
    }
    return re + im * I;
}

/* The rows that a rung does, about the middle one. */
static struct slice slice_of(const struct problem *problem, int rung) {
    const double each = (double)problem->width * problem->count;
    const double rows =
        problem->device->is_cpu ? fmax(rungs[rung].pairs_on_cpu / each, 1.0) : ALL;
    const cl_uint count = rows < problem->height ? (cl_uint)rows : problem->height,
                  first = (problem->height - count) / 2;
    return (struct slice){first, first + count};
}

/* All pixels, if they are few.  Else random ones: half of them anywhere, half where the
 * slowest rungs work; of both the first and the last pixel, too. */
static void samples_make(struct problem *problem) {
    const cl_uint width = problem->width, pixels = width * problem->height;
    const bool all = pixels <= 4 * SAMPLES;
    const struct slice slices[] = {{0, problem->height}, slice_of(problem, DIRECT)};
    const double began_ms = now_ms();
    cl_uint random = problem->report->options->seed + 17;
    problem->sample_count = all ? pixels : SAMPLES;
    for (cl_uint i = 0; i < problem->sample_count; i++) {
        struct sample *sample = &problem->samples[i];
        const struct slice slice = slices[all ? 0 : i % 2];
        const cl_uint count = (slice.last - slice.first) * width;
        const cl_ulong share = random_next(&random); /* of 2^32 */
        const cl_uint at = all     ? i
                           : i < 4 ? i / 2 * (count - 1)
                                   : (cl_uint)(share * count >> 32);
        sample->x = at % width;
        sample->y = at / width + slice.first;
        sample->light = light_on_host(problem, sample->x, sample->y);
    }
    problem->host_ms =
        (now_ms() - began_ms) / ((double)problem->sample_count * problem->count);
}

/* ---- A rung ---- */

static struct launch launch_of(const struct problem *problem, int rung,
                               struct slice slice) {
    const struct rung *r = &rungs[rung];
    const size_t rows = slice.last - slice.first;
    const size_t group[] = {r->group[0],
                            r->down == 1 && rows < r->group[1] ? 1 : r->group[1]};
    kernel_args(problem->kernels[rung], ARG(problem->points_buffer),
                ARG(problem->count), ARG(problem->field_buffer), ARG(problem->width),
                ARG(slice.first), ARG(slice.last));
    return launch_2d(problem->kernels[rung],
                     (problem->width + r->across - 1) / r->across,
                     (rows + r->down - 1) / r->down, group);
}

static double complex light_of(const struct problem *problem, cl_uint x, cl_uint y) {
    const float *light = problem->field[(size_t)y * problem->width + x].s;
    return (double)light[0] + (double)light[1] * I;
}

static double square(double complex light) {
    return creal(light * conj(light));
}

/* The errors' root mean square, relative to that of the light; and beyond all bounds if
 * a pixel of the slice is missing, or one beside it was written. */
static double error_in(const struct problem *problem, struct slice slice) {
    buffer_read(problem->device, problem->field_buffer, problem->field,
                (size_t)problem->width * problem->height * sizeof *problem->field);
    for (cl_uint y = 0; y < problem->height; y++)
        for (cl_uint x = 0; x < problem->width; x++) {
            const bool inside = y >= slice.first && y < slice.last;
            const bool found = !isnan(square(light_of(problem, x, y)));
            if (found != inside) {
                wrong("pixel (%u, %u) was %s", x, y,
                      found ? "written, and is not in these rows" : "not written");
                return INFINITY;
            }
        }
    double off = 0.0, all = 0.0;
    for (cl_uint i = 0; i < problem->sample_count; i++) {
        const struct sample *sample = &problem->samples[i];
        if (sample->y >= slice.first && sample->y < slice.last) {
            off += square(light_of(problem, sample->x, sample->y) - sample->light);
            all += square(sample->light);
        }
    }
    return sqrt(off / all);
}

/* The error must be within the rung's bound. */
static bool is_near(double error, int rung) {
    return error <= rungs[rung].bound ||
           wrong("the light's relative error is %.1e, %.1e is allowed", error,
                 rungs[rung].bound);
}

/* Is it right, and how long does it take? */
static void measure(struct problem *problem, int rung) {
    const struct slice slice = slice_of(problem, rung);
    const size_t pixels = (size_t)(slice.last - slice.first) * problem->width;
    struct row *row = &problem->rows[rung];
    char *note = problem->notes[rung];
    problem->kernels[rung] =
        kernel_load(problem->device, problem->report->options, rungs[rung].kernel);
    const struct launch launch = launch_of(problem, rung, slice);
    buffer_poison(problem->device, problem->field_buffer);
    launch_ms(problem->device, &launch);
    const double error = error_in(problem, slice);
    snprintf(note, sizeof problem->notes[rung], "error %.1e", error);
    *row = (struct row){.variant = rungs[rung].name,
                        .size = pixels,
                        .flops = (double)pixels * problem->count * rungs[rung].flops,
                        .limit = problem->report->limits.fma,
                        .right = is_near(error, rung),
                        .note = note};
    row->time = time_launches(problem->device, launch, problem->repeats);
    row->right = row->right && right_again(is_near(error_in(problem, slice), rung));
    report_row(problem->report, *row);
    problem->launches[rung] = launch;
}

static double pairs_of(const struct problem *problem, int rung) {
    return (double)problem->rows[rung].size * problem->count;
}

static double ms_per_pair(const struct problem *problem, int rung) {
    return problem->rows[rung].time.median_ms / pairs_of(problem, rung);
}

/* The fastest of the rungs before `end` that were launched. */
static int fastest(const struct problem *problem, int end) {
    int best = DIRECT;
    for (int rung = DIRECT; rung < end; rung++)
        if (problem->kernels[rung] &&
            ms_per_pair(problem, rung) < ms_per_pair(problem, best))
            best = rung;
    return best;
}

/* How much faster one is than the other for each pair, in turn. */
static void compare(const struct problem *problem, int slower, int faster) {
    struct timing times[2];
    const double pairs = pairs_of(problem, faster) / pairs_of(problem, slower);
    const struct ratio ratio =
        time_pair(problem->device, problem->launches[faster], problem->launches[slower],
                  problem->repeats, times);
    const struct ratio each = {pairs * ratio.median, pairs * ratio.lower,
                               pairs * ratio.upper, ratio.repeats};
    report_say(problem->report, "  %s against %s: %s", rungs[faster].name,
               rungs[slower].name, in_words(each).text);
}

/* ---- The hologram, and the way back ---- */

static void progress(cl_uint done, cl_uint all) {
    static const char bar[] = "########################################";
    const int room = sizeof bar - 1, filled = (int)((cl_ulong)room * done / all);
    fprintf(stderr, "\r[%.*s%*s] %u of %u rows%s", filled, bar, room - filled, "", done,
            all, done == all ? "\n" : "");
}

/* The field of all pixels: in slices of a quarter of a second, if it takes more than
 * four of them. */
static bool whole_field(struct problem *problem, int rung) {
    const cl_uint height = problem->height;
    const double pairs = (double)problem->width * height * problem->count,
                 quarters = ms_per_pair(problem, rung) * pairs / 250.0;
    const cl_uint step =
        quarters > 4.0 ? ((cl_uint)(height / quarters) + TILE) / TILE * TILE : height;
    buffer_poison(problem->device, problem->field_buffer);
    for (cl_uint first = 0; first < height; first += step) {
        const cl_uint last = first + step < height ? first + step : height;
        const struct launch launch =
            launch_of(problem, rung, (struct slice){first, last});
        launch_ms(problem->device, &launch);
        if (step < height && isatty(STDERR_FILENO))
            progress(last, height);
    }
    launch_of(problem, rung, slice_of(problem, rung)); /* its arguments as before */
    return is_near(error_in(problem, (struct slice){0, height}), rung);
}

/* Are the phases right that the last launch left?  Each may be half of 256 steps off,
 * and a little. */
static bool phases_left_right(struct problem *problem, unsigned char *phase) {
    const cl_uint n = problem->width * problem->height;
    buffer_read(problem->device, problem->phase_buffer, phase, n);
    for (cl_uint i = 0; i < n; i++) {
        const cl_uint x = i % problem->width, y = i / problem->width;
        const double steps = carg(light_of(problem, x, y)) / turn * 256.0;
        if (!(fabs(remainder(steps - phase[i], 256.0)) <= 0.51))
            return wrong_at(element_2d("phase", x, y), phase[i],
                            steps < 0.0 ? steps + 256.0 : steps);
    }
    return true;
}

/* The phase of each pixel, on the device and in `phase`.  `right`: is the field? */
static bool find_phase(struct problem *problem, unsigned char *phase, bool right) {
    const cl_uint n = problem->width * problem->height;
    struct row row = {.variant = "phase",
                      .size = n,
                      .bytes = (sizeof *problem->field + 1.0) * n,
                      .limit = problem->report->limits.copy,
                      .right = right};
    const struct launch launch = launch_1d(
        kernel_load(problem->device, problem->report->options, "hologram_phase"),
        (n + 63) / 64 * 64, 64);
    kernel_args(launch.kernel, ARG(problem->field_buffer), ARG(problem->phase_buffer),
                ARG(n));
    buffer_poison(problem->device, problem->phase_buffer);
    launch_ms(problem->device, &launch);
    row.right = row.right && phases_left_right(problem, phase);
    row.time = time_launches(problem->device, launch, problem->repeats);
    row.right = row.right && right_again(phases_left_right(problem, phase));
    report_row(problem->report, row);
    return row.right;
}

/* What has come to one pixel from all, which shine with their phases: ways[d] takes
 * light d pixels further. */
static double complex seen_on_host(const struct problem *problem,
                                   const unsigned char *phase,
                                   const double complex *ways, int to_x, int to_y) {
    double complex shine[256], light = 0.0;
    for (int level = 0; level < 256; level++)
        shine[level] = cexp(turn / 256.0 * level * I);
    for (int y = 0; y < (int)problem->height; y++) {
        double complex row = 0.0;
        for (int x = 0; x < (int)problem->width; x++)
            row += shine[*phase++] * ways[abs(x - to_x)];
        light += row * ways[abs(y - to_y)];
    }
    return light;
}

static bool seen_right(const struct problem *problem, const unsigned char *phase,
                       const double complex *ways) {
    const cl_uint last = SEEN - 1;
    double off = 0.0, all = 0.0;
    for (cl_uint i = 0; i <= last; i++) {
        const cl_uint x = i * (problem->width - 1) / last,
                      y = i * 5 % (last + 1) * (problem->height - 1) / last;
        const double complex light = seen_on_host(problem, phase, ways, (int)x, (int)y);
        off += square(light_of(problem, x, y) - light);
        all += square(light);
    }
    const double error = sqrt(off / all);
    return error <= 1e-3 || wrong("what is seen has a relative error of %.1e, %.1e is "
                                  "allowed",
                                  error, 1e-3);
}

/* Is the light that the last launch left the same, bit by bit, as what was read? */
static bool is_same_light(const struct problem *problem) {
    const size_t n = (size_t)problem->width * problem->height;
    cl_float2 *light = allocate(n, sizeof *light);
    buffer_read(problem->device, problem->light_buffer, light, n * sizeof *light);
    size_t i = 0;
    while (i < n && memcmp(&light[i], &problem->field[i], sizeof *light) == 0)
        i++;
    if (i < n)
        wrong_at(element_2d("light", i % problem->width, i / problem->width),
                 (double)light[i].s[0], (double)problem->field[i].s[0]);
    free(light);
    return i == n;
}

/* Where the light of the phases alone has been at depth z: along each row, then along
 * each column. */
static bool go_back(struct problem *problem, const unsigned char *phase, double z) {
    const cl_uint width = problem->width, height = problem->height, n = width * height,
                  most = width > height ? width : height;
    const struct options *options = problem->report->options;
    double complex *ways = allocate(most, sizeof *ways);
    cl_float2 *floats = allocate(most, sizeof *floats);
    for (cl_uint d = 0; d < most; d++) {
        ways[d] = cexp(-turn * turns_at(z) * d * d * I);
        floats[d] = (cl_float2){{(float)creal(ways[d]), (float)cimag(ways[d])}};
    }
    cl_mem ways_buffer = buffer_from(problem->device, floats, most * sizeof *floats);
    cl_kernel shine = kernel_load(problem->device, options, "hologram_shine"),
              rows = kernel_load(problem->device, options, "hologram_back"),
              columns = kernel_load(problem->device, options, "hologram_back");
    const size_t group[] = {32, 1};
    struct launch launches[] = {launch_1d(shine, (n + 63) / 64 * 64, 64),
                                launch_2d(rows, width, height, group),
                                launch_2d(columns, height, width, group)};
    launches[0].then = &launches[1];
    launches[1].then = &launches[2];
    kernel_args(shine, ARG(problem->phase_buffer), ARG(problem->light_buffer), ARG(n));
    kernel_args(rows, ARG(problem->light_buffer), ARG(ways_buffer),
                ARG(problem->field_buffer), ARG(width), ARG(height));
    kernel_args(columns, ARG(problem->field_buffer), ARG(ways_buffer),
                ARG(problem->light_buffer), ARG(height), ARG(width));
    buffer_poison(problem->device, problem->light_buffer);
    buffer_poison(problem->device, problem->field_buffer);
    double ms = launch_ms(problem->device, &launches[0]);
    buffer_read(problem->device, problem->light_buffer, problem->field,
                n * sizeof *problem->field);
    struct row row = {.variant = "back to the points",
                      .size = n,
                      .flops = 8.0 * n * (width + height),
                      .limit = problem->report->limits.fma,
                      .right = seen_right(problem, phase, ways)};
    if (ms < 1000.0) { /* the first launch compiles */
        ms = launch_ms(problem->device, &launches[0]);
        row.right = row.right && right_again(is_same_light(problem));
    }
    row.time = timing_of((double[]){ms}, 1);
    report_row(problem->report, row);
    free(floats);
    free(ways);
    return row.right;
}

/* Proof that it is a hologram: the light is back where it came from. */
static void say_seen(const struct problem *problem) {
    const cl_uint right = problem->width - 1, bottom = problem->height - 1;
    double all = 0.0, there = 0.0;
    for (cl_uint y = 0; y <= bottom; y++)
        for (cl_uint x = 0; x <= right; x++)
            all += square(light_of(problem, x, y));
    for (cl_uint i = 0; i < problem->count; i++) {
        const float *point = problem->points[i].s;
        there += square(light_of(problem, (cl_uint)fmin(rint((double)point[0]), right),
                                 (cl_uint)fmin(rint((double)point[1]), bottom)));
    }
    report_say(problem->report,
               "Gone back, light is %.1f times as bright at the points as on average.",
               there / problem->count / (all / problem->width / problem->height));
}

static void write_grey(const struct problem *problem, const char *path,
                       unsigned char *pixels) {
    picture_write(path, &(struct picture){problem->width, problem->height, 1, pixels});
}

/* White is four times the average of the light's strength, the root of brightness. */
static void write_seen(const struct problem *problem, const char *path,
                       unsigned char *pixels) {
    const cl_uint n = problem->width * problem->height;
    double all = 0.0;
    for (cl_uint i = 0; i < n; i++)
        all += cabs(light_of(problem, i % problem->width, i / problem->width));
    for (cl_uint i = 0; i < n; i++)
        pixels[i] = (unsigned char)fmin(
            cabs(light_of(problem, i % problem->width, i / problem->width)) * n / all *
                64.0,
            255.0);
    write_grey(problem, path, pixels);
}

/* ---- Limits ---- */

/* Every group has the same sums. */
static bool sines_right(const float *sums, size_t items, const struct launch *launch) {
    for (size_t id = 0; id < launch->local[0]; id++) {
        double sum = 0.0;
        for (int k = 0; k < CHAINS; k++) {
            double x = k / (1.0 + (double)id);
            for (cl_uint round = 0; round < ROUNDS; round++)
                x = sin(x);
            sum += x;
        }
        for (size_t i = id; i < items; i += launch->local[0])
            if (!(fabs((double)sums[i] - sum) <= 1e-2))
                return wrong_at(element_of_item("sums", i, launch), (double)sums[i],
                                sum);
    }
    return true;
}

/* The milliseconds of one native_sin where nothing else is to do.  Each work-item takes
 * the sine of the sine of the sine ... of CHAINS numbers, and adds them up. */
static double sine_ms(struct problem *problem) {
    struct device *device = problem->device;
    const size_t group = 64, items = device->units * (device->is_cpu ? group : 2048);
    const cl_uint rounds = ROUNDS;
    const struct launch launch = launch_1d(
        kernel_load(device, problem->report->options, "hologram_sines"), items, group);
    cl_mem buffer = buffer_new(device, items * sizeof(float));
    float *sums = allocate(items, sizeof *sums);
    kernel_args(launch.kernel, ARG(buffer), ARG(rounds));
    launch_ms(device, &launch);
    buffer_read(device, buffer, sums, items * sizeof *sums);
    struct row row = {.variant = "nothing but sines", .size = items};
    row.right = sines_right(sums, items, &launch);
    row.time = time_launches(device, launch, problem->repeats);
    buffer_read(device, buffer, sums, items * sizeof *sums);
    row.right = row.right && right_again(sines_right(sums, items, &launch));
    report_row(problem->report, row);
    free(sums);
    return row.time.median_ms / ((double)items * CHAINS * rounds);
}

/* How long the paper's hologram takes at a rate, and how fast that is. */
static void say_rate(const struct problem *problem, double ms, const char *what) {
    const double pairs = (double)WIDTH * HEIGHT * POINTS;
    report_say(problem->report, "%12.2f ms %10.4g %10.4g  %s", ms * pairs, 1e-6 / ms,
               12e-6 / ms, what);
}

static void say(const struct problem *problem, int sum, int best, double sine) {
    struct report *report = problem->report;
    const double paper = (double)WIDTH * HEIGHT * POINTS, before_ms = now_ms();
    launch_ms(problem->device, &problem->launches[best]);
    const double host_clock_ms = (now_ms() - before_ms) / pairs_of(problem, best);
    report_say(report, "For each pair:");
    compare(problem, DIRECT, sum);
    if (best != sum)
        compare(problem, sum, best);
    report_say(report,
               "  Plain C on one core took %.4g ns, in double, and %s\n"
               "  %.4g ns: one run each, by the host's clock.",
               1e6 * problem->host_ms, rungs[best].name, 1e6 * host_clock_ms);
    report_say(report,
               "The paper's hologram of 1920 x 1080 pixels and 15984 points, at "
               "these rates:\n%15s %10s %10s",
               "", "Gpair/s", "GFLOP/s");
    say_rate(problem, ms_per_pair(problem, sum), rungs[sum].name);
    say_rate(problem, 2.0 * sine, "two native_sin for each pair, and nothing else");
    say_rate(problem, ms_per_pair(problem, best), rungs[best].name);
    say_rate(problem, 1973.31 / paper, "the paper's GPU: 46.04 % of its peak");
    say_rate(problem, 73979.0 / paper, "the paper's CPU");
}

/* ---- The step ---- */

/* What the command line asks for. */
struct wish {
    const char *points, *output, *reconstruction, *quick;
    double depth; /* in metres; 0: the points' own */
};

static struct options read_options(int argc, char **argv, struct wish *wish) {
    const char *depth = NULL;
    const struct own_option own[] = {
        {"points", "FILE", "points of your own: lines \"x y z\", in millimetres",
         .text = &wish->points},
        {"output", "FILE", "write the hologram to a PNG file", .text = &wish->output},
        {"reconstruction", "FILE", "write what is seen in it to a PNG file",
         .text = &wish->reconstruction},
        {"depth", "MM", "of what is seen (the points' own unless told)",
         .text = &depth},
        {"quick", NULL, "a quarter of width, height and points", .text = &wish->quick}};
    const struct options options = options_read_own(
        argc, argv,
        &(struct usage){"step17_hologram", (size_t)WIDTH * HEIGHT, 1, own, 5});
    if (depth)
        wish->depth = 1e-3 * (double)option_number("--depth", depth, 1, 1000000);
    return options;
}

/* --size is the number of pixels, in 16 : 9; each point of the knot has 8 of them, at
 * least. */
static void problem_make(struct problem *problem, const struct wish *wish) {
    const struct options *options = problem->report->options;
    struct device *device = problem->device;
    size_t size = options->size, count = POINTS;
    if (!options->size_given && (wish->quick || (device->is_cpu && !options->full)))
        size /= SMALLER_ON_CPU;
    if (wish->quick)
        count /= QUICK;
    problem->repeats =
        device->is_cpu && options->full ? FULL_REPEATS_ON_CPU : options->repeats;
    size = device_check_size(device, size, 3, sizeof(cl_float2));
    if (size > MOST_PIXELS)
        die("%zu pixels are too many" HINT
            "try --size %d: beyond, a float cannot tell the phases apart",
            size, MOST_PIXELS);
    problem->width = (cl_uint)fmax(sqrt((double)size * WIDTH / HEIGHT), 1.0);
    problem->height = (cl_uint)(size / problem->width);
    const cl_uint n = problem->width * problem->height;
    if (wish->points)
        points_read(problem, wish->points);
    else
        points_make(problem, (cl_uint)fmax(fmin((double)count, n / 8), 1.0));
    problem->points_buffer =
        buffer_from(device, problem->points, problem->count * sizeof *problem->points);
    problem->field = allocate(n, sizeof *problem->field);
    problem->field_buffer = buffer_new(device, n * sizeof *problem->field);
    problem->light_buffer = buffer_new(device, n * sizeof *problem->field);
    problem->phase_buffer = buffer_new(device, n);
    samples_make(problem);
}

/* The hologram, and what is seen in it. */
static void show(struct problem *problem, const struct wish *wish, int best) {
    unsigned char *pixels = allocate(problem->width * problem->height, 1);
    const bool right = whole_field(problem, best);
    if (find_phase(problem, pixels, right) && wish->output)
        write_grey(problem, wish->output, pixels);
    if (go_back(problem, pixels, wish->depth > 0.0 ? wish->depth : problem->depth)) {
        if (wish->depth <= 0.0)
            say_seen(problem);
        if (wish->reconstruction)
            write_seen(problem, wish->reconstruction, pixels);
    }
    free(pixels);
}

int main(int argc, char **argv) {
    struct wish wish = {.points = NULL};
    const struct options options = read_options(argc, argv, &wish);
    struct device device = device_open(options.device);
    struct report report = report_start(&options, &device);
    struct problem problem = {.report = &report, .device = &device};
    problem_make(&problem, &wish);
    report_say(&report, "%u x %u pixels, %u points about %.3g mm away: %.4g pairs",
               problem.width, problem.height, problem.count, 1e3 * problem.depth,
               (double)problem.width * problem.height * problem.count);

    /* The lesson: the same sums, in less and less time, until one is wrong. */
    const int last = device.is_cpu ? WIDE : SEPARABLE;
    struct roofline roofline = {.report = &report};
    for (int rung = DIRECT; rung <= last && report.wrong == 0; rung++) {
        measure(&problem, rung);
        const struct row *row = &problem.rows[rung];
        roofline_add(&roofline, row,
                     (double)(problem.count * sizeof *problem.points +
                              row->size * sizeof *problem.field),
                     row->flops);
    }

    /* The result: a hologram, and what is seen in it. */
    if (report.wrong == 0) {
        const int sum = fastest(&problem, SEPARABLE), best = fastest(&problem, RUNGS);
        const double sine = sine_ms(&problem);
        show(&problem, &wish, best);
        if (problem.rows[best].time.median_ms > report.limits.launch_ms)
            say(&problem, sum, best, sine);
        report_headline(
            &report, "native_sin and _cos against sin, cos",
            ratio_between(problem.rows[NATIVE].time, problem.rows[DIRECT].time));
    }
    roofline_draw(&roofline);

    device_close(&device);
    free(problem.field);
    free(problem.points);
    return report_end(&report);
}
