#include "data/points.h"

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

double points_turns_at(double z) {
    return pitch * pitch / (2.0 * wavelength * z);
}

static struct points make_plane(struct step *step, size_t pixels, size_t count) {
    if (pixels > MAX_PIXELS)
        die("%zu pixels are too many" HINT
            "try --size %d: beyond, a float cannot tell the phases apart",
            pixels, MAX_PIXELS);
    struct points points = {.at = step_array(step, count, sizeof(cl_float4))};
    points.width = (cl_uint)fmax(sqrt((double)pixels * 16.0 / 9.0), 1.0);
    points.height = (cl_uint)(pixels / points.width);
    return points;
}

/* x to the right and y down from the picture's middle, z away from it; in metres. */
static void add_point(struct points *points, double x, double y, double z) {
    cl_float *point = points->at[points->count++].s;
    point[0] = (float)(0.5 * points->width + x / pitch);
    point[1] = (float)(0.5 * points->height + y / pitch);
    point[2] = (float)points_turns_at(z);
    point[3] = (float)(turn * points_turns_at(z));
    points->depth += (z - points->depth) / points->count;
}

static struct points make_knot(struct step *step, size_t pixels) {
    struct points points = make_plane(step, pixels, KNOT);
    const cl_uint n = points.width * points.height / 8,
                  count = n > KNOT ? KNOT : (n ? n : 1);
    const double unit = 0.13 * points.height * pitch,
                 middle = knot_depth * points.width / FULL_WIDTH,
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
        add_point(&points,
                  unit * (sin(s) + 2.0 * sin(2.0 * s) + out * ty - up * tx * tz),
                  unit * (cos(s) - 2.0 * cos(2.0 * s) - out * tx - up * ty * tz),
                  unit * (up * level * level - sin(3.0 * s)) + middle);
    }
    return points;
}

static const char form[] =
    "each line has x, y and z of a point in millimetres: 1.5 -2 500";

/* Where a fringe is less than two pixels wide, they cannot show which way the phase
 * goes: so lambda z must be at least two pitches times the farthest distance, in x or
 * in y. */
static void check_place(const struct points *points, const char *path, size_t number,
                        const double at[3]) {
    const double half_x = 500.0 * pitch * points->width,
                 half_y = 500.0 * pitch * points->height;
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

static struct points read_points(struct step *step, size_t pixels, const char *path) {
    struct points points = make_plane(step, pixels, MAX_POINTS);
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
        if (points.count == MAX_POINTS)
            die("%s:%zu: too many points" HINT "there may be %d of them", path, number,
                MAX_POINTS);
        check_place(&points, path, number, at);
        add_point(&points, 1e-3 * at[0], 1e-3 * at[1], 1e-3 * at[2]);
    }
    if (ferror(file) || points.count == 0)
        die("%s has no points" HINT "%s", path, form);
    fclose(file);
    return points;
}

struct points points_make(struct step *step, const struct sizes *sizes,
                          const char *path) {
    const size_t pixels = step_size(step, sizes, 2, sizeof(cl_float2));
    return path ? read_points(step, pixels, path) : make_knot(step, pixels);
}

/* r - z is exactly rho^2 / (r + z), and taken to be rho^2 / 2z. */
double points_paraxial(const struct points *points) {
    double worst = 0.0;
    for (cl_uint i = 0; i < points->count; i++) {
        const cl_float4 p = points->at[i];
        const double z = points_turns_at(1.0) / (double)p.s[2], x = (double)p.s[0],
                     y = (double)p.s[1],
                     rho = pitch * hypot(fmax(x, points->width - x),
                                         fmax(y, points->height - y)),
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
