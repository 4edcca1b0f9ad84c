#include "data/light.h"

#include <math.h>
#include <stdio.h>

enum { FULL_WIDTH = 1920 };
static const double turn = 6.283185307179586, most_pairs = 1e9;

/* (cos, sin) of what `distance` pixels do to the phase of a point's light. */
static cl_double2 factor_of(const cl_float *point, double distance) {
    const double theta = turn * (double)point[2] * distance * distance;
    return (cl_double2){{cos(theta), sin(theta)}};
}

/* The light of one point, added to every so many rows of pixels. */
static void shine(struct light *light, const cl_float *point, cl_double2 *columns) {
    const size_t width = light->points.width;
    for (size_t x = 0; x < width; x++)
        columns[x] = factor_of(point, (double)x - (double)point[0]);
    for (size_t y = light->first; y < light->points.height; y += light->each) {
        const cl_double2 row = factor_of(point, (double)y - (double)point[1]);
        cl_double2 *sums = &light->expected[y * width];
        for (size_t x = 0; x < width; x++) {
            sums[x].s[0] += row.s[0] * columns[x].s[0] - row.s[1] * columns[x].s[1];
            sums[x].s[1] += row.s[0] * columns[x].s[1] + row.s[1] * columns[x].s[0];
        }
    }
}

static bool is_known(const struct light *light, size_t pixel) {
    return pixel / light->points.width % light->each == light->first;
}

/* Buffers, and memory for what is expected. */
static struct light make(struct step *step, struct points points) {
    struct light light = {.device = &step->device, .points = points, .each = 1};
    light.n = points.width * points.height;
    light.points_buffer =
        buffer_from(light.device, points.at, points.count * sizeof *points.at);
    light.field_buffer = buffer_new(light.device, light.n * sizeof *light.field);
    light.field = step_array(step, light.n, sizeof *light.field);
    light.expected = step_array(step, light.n, sizeof *light.expected);
    return light;
}

static void shine_all(struct step *step, struct light *light) {
    cl_double2 *columns = step_array(step, light->points.width, sizeof *columns);
    for (cl_uint i = 0; i < light->points.count; i++)
        shine(light, light->points.at[i].s, columns);
}

struct light light_of_one(struct step *step, float left, float below, float turns) {
    struct points points = {.count = 1, .width = 50, .height = 5};
    points.at = step_array(step, 1, sizeof *points.at);
    *points.at =
        (cl_float4){{25.0f - left, 2.0f + below, turns, (float)(turn * (double)turns)}};
    struct light light = make(step, points);
    shine_all(step, &light);
    return light;
}

struct light light_make(struct step *step, struct points points) {
    const double turns = points_paraxial(&points);
    struct light light = make(step, points);
    const double pairs = (double)light.n * points.count;
    report_say(&step->report,
               "%u x %u pixels, %u points about %.3g mm away: %.4g pairs\n"
               "Fresnel's phase is at most %.2g turns from that of the exact distance.",
               points.width, points.height, points.count, 1e3 * points.depth, pairs,
               turns);
    light.each = (size_t)fmin(pairs / most_pairs + 1.0, points.height);
    light.first = step->options.seed % light.each;
    for (size_t i = 0; i < light.n; i++)
        if (!is_known(&light, i))
            light.expected[i] = (cl_double2){{(double)NAN, (double)NAN}};
    shine_all(step, &light);
    return light;
}

static void fill(struct light *light, bool again) {
    buffer_poison(light->device, light->field_buffer);
    for (size_t i = 0; again && i < 2 * (size_t)light->n; i++)
        light->field[i / 2].s[i % 2] = -1.0f - light->field[i / 2].s[i % 2];
    if (again)
        buffer_write(light->device, light->field_buffer, light->field,
                     light->n * sizeof *light->field);
}

bool light_right(struct light *light, const struct launch *launch, double bound,
                 bool again) {
    const struct points *points = &light->points;
    const double most =
        bound * sqrt(points->count) * fmax((double)points->width / FULL_WIDTH, 1.0);
    double off = 0.0, all = 0.0;
    light->note[0] = '\0';
    fill(light, again);
    launch_ms(light->device, launch);
    buffer_read(light->device, light->field_buffer, light->field,
                light->n * sizeof *light->field);
    for (size_t i = 0; i < 2 * (size_t)light->n; i++) {
        double *expected = &light->expected[i / 2].s[i % 2];
        const double found = (double)light->field[i / 2].s[i % 2];
        *expected = isnan(*expected) ? found : *expected;
        if (!(fabs(found - *expected) <= most))
            return wrong_at(element_2d(i % 2 ? "imaginary part" : "real part",
                                       i / 2 % points->width, i / 2 / points->width),
                            found, *expected);
        off += is_known(light, i / 2) ? pow(found - *expected, 2.0) : 0.0;
        all += is_known(light, i / 2) ? pow(*expected, 2.0) : 0.0;
    }
    snprintf(light->note, sizeof light->note, "error %.1e", sqrt(off / all));
    return true;
}

bool light_phase_right(struct light *light, const struct launch *launch, cl_mem buffer,
                       unsigned char *phase) {
    const cl_uint width = light->points.width;
    for (int time = 0; time < 2; time++) {
        for (size_t i = 0; i < light->n; i++)
            phase[i] ^= 128;
        buffer_write(light->device, buffer, phase, light->n);
        launch_ms(light->device, launch);
        buffer_read(light->device, buffer, phase, light->n);
    }
    buffer_read(light->device, light->field_buffer, light->field,
                light->n * sizeof *light->field);
    for (size_t i = 0; i < light->n; i++) {
        const cl_float *found = light->field[i].s;
        const double steps = atan2((double)found[1], (double)found[0]) / turn * 256.0;
        if (!(fabs(remainder(steps - phase[i], 256.0)) <= 0.501))
            return wrong_at(element_2d("phase", i % width, i / width), phase[i],
                            steps < 0.0 ? steps + 256.0 : steps);
    }
    return true;
}
