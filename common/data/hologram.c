#include "data/hologram.h"

#include "check.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { ALONG = 444, AROUND = 36, KNOT = ALONG * AROUND }; /* points of the paper */
enum { FULL_WIDTH = 1920, MAX_PIXELS = 1 << 24, MAX_POINTS = 1 << 18 };
enum { FARTHEST_MM = 1000000 };
static const double turn = 6.283185307179586;
static const double wavelength = 532e-9, pitch = 8e-6, knot_depth = 0.5; /* metres */

/* ---- The points ---- */

double hologram_turns_at(double z) {
    return pitch * pitch / (2.0 * wavelength * z);
}

static struct hologram make_plane(struct step *step, size_t pixels, size_t max_points) {
    if (pixels > MAX_PIXELS)
        die("%zu pixels are too many" HINT
            "try --size %d: beyond, a float cannot tell the phases apart",
            pixels, MAX_PIXELS);
    struct hologram plane = {.device = &step->device};
    plane.points = step_array(step, max_points, sizeof *plane.points);
    plane.width = (cl_uint)fmax(sqrt((double)pixels * 16.0 / 9.0), 1.0);
    plane.height = (cl_uint)(pixels / plane.width);
    return plane;
}

/* x to the right and y down from the picture's middle, z away from it; in metres. */
static void add_point(struct hologram *plane, double x, double y, double z) {
    cl_float *point = plane->points[plane->point_count++].s;
    point[0] = (float)(0.5 * plane->width + x / pitch);
    point[1] = (float)(0.5 * plane->height + y / pitch);
    point[2] = (float)hologram_turns_at(z);
    point[3] = (float)(turn * hologram_turns_at(z));
    plane->depth += (z - plane->depth) / plane->point_count;
}

static struct hologram make_knot(struct step *step, size_t pixels) {
    struct hologram plane = make_plane(step, pixels, KNOT);
    const cl_uint eighth = plane.width * plane.height / 8;
    cl_uint count = KNOT;
    if (eighth < KNOT)
        count = eighth > 0 ? eighth : 1;
    const double unit = 0.13 * plane.height * pitch,
                 middle = knot_depth * plane.width / FULL_WIDTH,
                 begin = step->options.seed % ALONG + 0.5;
    for (cl_uint i = 0; i < count; i++) {
        const cl_uint number = (cl_uint)((cl_ulong)i * KNOT / count);
        const double s = turn / ALONG * (number / AROUND + begin),
                     around = turn / AROUND * (number % AROUND);
        /* where the tube goes, and how far out of it and up from it */
        const double tx = cos(s) + 4.0 * cos(2.0 * s), ty = 4.0 * sin(2.0 * s) - sin(s),
                     tz = -3.0 * cos(3.0 * s), level = hypot(tx, ty),
                     out = 0.45 * cos(around) / level,
                     up = 0.45 * sin(around) / (level * hypot(level, tz));
        add_point(&plane,
                  unit * (sin(s) + 2.0 * sin(2.0 * s) + out * ty - up * tx * tz),
                  unit * (cos(s) - 2.0 * cos(2.0 * s) - out * tx - up * ty * tz),
                  unit * (up * level * level - sin(3.0 * s)) + middle);
    }
    return plane;
}

static const char form[] =
    "each line has x, y and z of a point in millimetres: 1.5 -2 500";

/* Where a fringe is less than two pixels wide, they cannot show which way the phase
 * goes: so lambda z must be at least two pitches times the farthest distance, in x or
 * in y. */
static void check_place(const struct hologram *plane, const char *path, size_t number,
                        const double at[3]) {
    const double half_x = 500.0 * pitch * plane->width,
                 half_y = 500.0 * pitch * plane->height;
    if (!(fabs(at[0]) <= half_x && fabs(at[1]) <= half_y))
        die("%s:%zu: this point is beside the picture" HINT
            "x up to %.4g mm and y up to %.4g mm, or less than 0, are in front",
            path, number, half_x, half_y);
    const double nearest =
        2.0 * pitch / wavelength * fmax(half_x + fabs(at[0]), half_y + fabs(at[1]));
    if (at[2] > FARTHEST_MM)
        die("%s:%zu: z is %g mm" HINT "at most %d mm are possible", path, number, at[2],
            FARTHEST_MM);
    if (!(at[2] >= nearest))
        die("%s:%zu: z is %g mm" HINT "this point needs %.4g mm: nearer, its fringes "
            "are finer than the pixels",
            path, number, at[2], nearest);
}

static struct hologram read_points(struct step *step, size_t pixels, const char *path) {
    struct hologram plane = make_plane(step, pixels, MAX_POINTS);
    FILE *file = fopen(path, "r");
    if (!file)
        die("cannot read %s: %s" HINT "%s", path, strerror(errno), form);
    char line[256], rest;
    for (size_t number = 1; fgets(line, sizeof line, file); number++) {
        double at[3];
        line[strcspn(line, "\r\n")] = '\0';
        const char *text = number == 1 ? without_mark(line) : line;
        if (sscanf(text, "%lf %lf %lf %c", &at[0], &at[1], &at[2], &rest) != 3)
            die("%s:%zu: not three numbers: '%s'" HINT "%s", path, number, text, form);
        if (plane.point_count == MAX_POINTS)
            die("%s:%zu: too many points" HINT "there may be %d of them", path, number,
                MAX_POINTS);
        check_place(&plane, path, number, at);
        add_point(&plane, 1e-3 * at[0], 1e-3 * at[1], 1e-3 * at[2]);
    }
    if (ferror(file) || plane.point_count == 0)
        die("%s has no points" HINT "%s", path, form);
    fclose(file);
    return plane;
}

/* By how many turns Fresnel's phase is wrong at most, of all points and pixels: r - z
 * is exactly rho^2 / (r + z), and taken to be rho^2 / 2z. */
static double fresnel_error(const struct hologram *plane) {
    double worst = 0.0;
    for (cl_uint i = 0; i < plane->point_count; i++) {
        const cl_float *point = plane->points[i].s;
        const double z = hologram_turns_at(1.0) / (double)point[2],
                     x = (double)point[0], y = (double)point[1];
        const double rho = pitch *
                           hypot(fmax(x, plane->width - x), fmax(y, plane->height - y)),
                     excess = 0.5 / z - 1.0 / (hypot(rho, z) + z),
                     turns = rho * rho * excess / wavelength;
        if (turns > 0.125)
            die("point %u is %.4g mm away: too near for Fresnel's phase" HINT
                "at its farthest pixel that is %.2g turns off, and 1/8 is allowed; for "
                "farther points it is less",
                i + 1, 1e3 * z, turns);
        worst = fmax(worst, turns);
    }
    return worst;
}

/* ---- Their light ---- */

/* Buffers, and memory for what is expected. */
static void make_field(struct step *step, struct hologram *hologram) {
    hologram->n = hologram->width * hologram->height;
    hologram->points_buffer =
        buffer_from(hologram->device, hologram->points,
                    hologram->point_count * sizeof *hologram->points);
    hologram->field_buffer =
        buffer_new(hologram->device, hologram->n * sizeof *hologram->field);
    hologram->field = step_array(step, hologram->n, sizeof *hologram->field);
    hologram->expected = step_array(step, hologram->n, sizeof *hologram->expected);
    hologram->every_rows = 1;
}

/* Does the host add up the light of this pixel? */
static bool is_known(const struct hologram *hologram, size_t pixel) {
    const size_t row = pixel / hologram->width;
    return row % hologram->every_rows == hologram->first_row;
}

struct hologram hologram_make(struct step *step, const struct sizes *sizes,
                              const char *path, double host_pairs) {
    const size_t pixels = step_size(step, sizes, 2, sizeof(cl_float2));
    struct hologram hologram =
        path ? read_points(step, pixels, path) : make_knot(step, pixels);
    const double turns = fresnel_error(&hologram);
    make_field(step, &hologram);
    const double pairs = (double)hologram.n * hologram.point_count;
    report_say(&step->report,
               "%u x %u pixels, %u points about %.3g mm away: %.4g pairs\n"
               "Fresnel's phase is at most %.2g turns from that of the exact distance.",
               hologram.width, hologram.height, hologram.point_count,
               1e3 * hologram.depth, pairs, turns);

    hologram.every_rows = (size_t)fmin(pairs / host_pairs + 1.0, hologram.height);
    hologram.first_row = step->options.seed % hologram.every_rows;
    for (size_t i = 0; i < hologram.n; i++)
        if (!is_known(&hologram, i))
            hologram.expected[i] = (cl_double2){{(double)NAN, (double)NAN}};
    return hologram;
}

struct hologram hologram_of_one(struct step *step, float left, float below,
                                float turns) {
    struct hologram one = {.device = &step->device, .width = 50, .height = 5};
    one.points = step_array(step, 1, sizeof *one.points);
    one.points[0] =
        (cl_float4){{25.0f - left, 2.0f + below, turns, (float)(turn * (double)turns)}};
    one.point_count = 1;
    make_field(step, &one);
    return one;
}

/* Nothing yet; or other numbers than those of the last launch. */
static void fill(struct hologram *hologram, bool again) {
    cl_float2 *field = hologram->field;
    if (!again) {
        buffer_poison(hologram->device, hologram->field_buffer);
        return;
    }
    for (size_t i = 0; i < hologram->n; i++) {
        field[i].s[0] = -1.0f - field[i].s[0];
        field[i].s[1] = -1.0f - field[i].s[1];
    }
    buffer_write(hologram->device, hologram->field_buffer, field,
                 hologram->n * sizeof *field);
}

bool hologram_right(struct hologram *hologram, const struct launch *launch,
                    double bound, bool again) {
    const size_t width = hologram->width;
    const double most =
        bound * sqrt(hologram->point_count) * fmax((double)width / FULL_WIDTH, 1.0);
    double off = 0.0, all = 0.0;
    fill(hologram, again);
    launch_ms(hologram->device, launch);
    buffer_read(hologram->device, hologram->field_buffer, hologram->field,
                hologram->n * sizeof *hologram->field);
    for (size_t i = 0; i < hologram->n; i++)
        for (size_t part = 0; part < 2; part++) {
            const double found = (double)hologram->field[i].s[part];
            double *expected = &hologram->expected[i].s[part];
            if (isnan(*expected))
                *expected = found;
            const double error = found - *expected;
            if (!(fabs(error) <= most))
                return wrong_at(element_2d(part == 0 ? "real part" : "imaginary part",
                                           i % width, i / width),
                                found, *expected);
            if (is_known(hologram, i)) {
                off += error * error;
                all += *expected * *expected;
            }
        }
    hologram->error = sqrt(off / all);
    return true;
}
