#include "light.h"

#include <math.h>
#include <stdio.h>

enum { MAX_PAIRS = 1 << 26, FULL_WIDTH = 1920 };
static const double turn = 6.283185307179586;

static cl_double2 sum_at(const struct points *points, size_t x, size_t y) {
    cl_double2 sum = {{0.0, 0.0}};
    for (cl_uint i = 0; i < points->count; i++) {
        const cl_float *point = points->at[i].s;
        const double dx = (double)point[0] - (double)x,
                     dy = (double)point[1] - (double)y,
                     theta = turn * (double)point[2] * (dx * dx + dy * dy);
        sum.s[0] += cos(theta);
        sum.s[1] += sin(theta);
    }
    return sum;
}

struct light light_make(struct step *step, struct points points) {
    struct light light = {.device = &step->device, .points = points};
    light.n = (size_t)points.width * points.height;
    light.points_buffer =
        buffer_from(light.device, points.at, points.count * sizeof *points.at);
    light.field_buffer = buffer_new(light.device, light.n * sizeof *light.field);
    light.field = step_array(step, light.n, sizeof *light.field);
    light.expected = step_array(step, light.n, sizeof *light.expected);
    report_say(&step->report,
               "%u x %u pixels, %u points about %.3g mm away: %.4g pairs", points.width,
               points.height, points.count, 1e3 * points.depth,
               (double)light.n * points.count);
    const size_t each = light.n * points.count / MAX_PAIRS + 1,
                 first = step->options.seed % each;
    for (size_t i = 0; i < light.n; i++)
        light.expected[i] = i % each == first
                                ? sum_at(&points, i % points.width, i / points.width)
                                : (cl_double2){{(double)NAN, (double)NAN}};
    return light;
}

static void fill(struct light *light, bool again) {
    buffer_poison(light->device, light->field_buffer);
    for (size_t i = 0; again && i < 2 * light->n; i++)
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
    for (size_t i = 0; i < 2 * light->n; i++) {
        double *expected = &light->expected[i / 2].s[i % 2];
        const double found = (double)light->field[i / 2].s[i % 2];
        *expected = isnan(*expected) ? found : *expected;
        if (!(fabs(found - *expected) <= most))
            return wrong_at(element_2d(i % 2 ? "imaginary part" : "real part",
                                       i / 2 % points->width, i / 2 / points->width),
                            found, *expected);
        off += (found - *expected) * (found - *expected);
        all += *expected * *expected;
    }
    snprintf(light->note, sizeof light->note, "error %.1e", sqrt(off / all));
    return true;
}

bool light_phase_right(struct light *light, const struct launch *launch, cl_mem buffer,
                       unsigned char *phase) {
    const cl_uint width = light->points.width;
    buffer_poison(light->device, buffer);
    launch_ms(light->device, launch);
    buffer_read(light->device, buffer, phase, light->n);
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
