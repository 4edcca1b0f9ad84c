#include "data/reconstruction.h"
#include "data/reconstruction_host.h"
#include "pictures/png.h"

#include <math.h>

static const double turn = 6.283185307179586; /* in radians */

static bool is_right(struct way *w, const struct launch *launch) {
    if (!light_phase_right(w->light, launch, w->phase_buffer, w->phase))
        return false;
    buffer_read(w->light->device, w->seen_buffer, w->seen, w->n * sizeof *w->seen);
    return way_light_right(w);
}

static double brightness(const struct way *w, cl_uint i) {
    const double re = (double)w->seen[i].s[0], im = (double)w->seen[i].s[1];
    return re * re + im * im;
}

static cl_uint nearest(float at, cl_uint end) {
    const double pixel = rint((double)at);
    return pixel < end ? (cl_uint)pixel : end - 1;
}

static void say_brightness(struct step *step, const struct way *w) {
    const struct points *points = &w->light->points;
    double all = 0.0, there = 0.0;
    for (cl_uint i = 0; i < w->n; i++)
        all += brightness(w, i) / w->n;
    for (cl_uint i = 0; i < points->count; i++)
        there += brightness(w, nearest(points->at[i].s[1], w->height) * w->width +
                                   nearest(points->at[i].s[0], w->width));
    report_say(&step->report,
               "Back at their depth, the points are %.1f times as bright as the "
               "average.",
               there / points->count / all);
}

/* White is four times the average of the light's strength, the root of brightness. */
static void write_picture(const struct way *w, const char *path) {
    double all = 0.0;
    for (cl_uint i = 0; i < w->n; i++)
        all += sqrt(brightness(w, i)) / w->n;
    for (cl_uint i = 0; i < w->n; i++)
        w->phase[i] = (unsigned char)fmin(sqrt(brightness(w, i)) / all * 64.0, 255.0);
    png_write(path, &(struct picture){w->width, w->height, 1, w->phase});
}

/* What d pixels turn light by that has come from `depth`, backwards. */
static cl_mem make_paths(struct step *step, struct way *w, double depth) {
    const cl_uint end = w->width > w->height ? w->width : w->height;
    cl_float2 *floats = step_array(step, end, sizeof *floats);
    w->paths = step_array(step, 2 * end, sizeof *w->paths);
    for (cl_uint d = 0; d < end; d++) {
        const double theta = -turn * points_turns_at(depth) * d * d;
        w->paths[2 * d] = cos(theta);
        w->paths[2 * d + 1] = sin(theta);
        floats[d] = (cl_float2){{(float)cos(theta), (float)sin(theta)}};
    }
    return buffer_from(w->light->device, floats, end * sizeof *floats);
}

void reconstruct(struct step *step, struct light *light, double depth,
                 const char *path) {
    const cl_uint width = light->points.width, height = light->points.height,
                  n = light->n;
    struct device *device = &step->device;
    struct way w = {.light = light, .width = width, .height = height, .n = n};
    w.phase = step_array(step, n, 1);
    w.seen = step_array(step, n, sizeof *w.seen);
    w.row = step_array(step, 4 * width, sizeof *w.row);
    w.phase_buffer = buffer_new(device, n);
    w.seen_buffer = buffer_new(device, n * sizeof *w.seen);
    cl_mem other = buffer_new(device, n * sizeof *w.seen),
           paths = make_paths(step, &w, depth > 0.0 ? depth : light->points.depth);
    const size_t group = step_group(step, 64), shape[] = {step_group(step, 32), 1};
    struct launch ways[] = {
        LAUNCH(step, "hologram_phase", n, group, ARG(light->field_buffer),
               ARG(w.phase_buffer), ARG(n)),
        LAUNCH(step, "hologram_shine", n, group, ARG(w.phase_buffer),
               ARG(w.seen_buffer), ARG(n)),
        LAUNCH_2D(step, "hologram_back", width, height, shape, ARG(w.seen_buffer),
                  ARG(paths), ARG(other), ARG(width), ARG(height)),
        LAUNCH_2D(step, "hologram_back", height, width, shape, ARG(other), ARG(paths),
                  ARG(w.seen_buffer), ARG(height), ARG(width))};
    for (size_t i = 0; i + 1 < COUNT(ways); i++)
        ways[i].then = &ways[i + 1];
    struct row row = {.variant = "phases, and back", .size = n};
    row.flops = 8.0 * n * ((double)width + height);
    row.limit = step->report.limits.fma;
    row.right = is_right(&w, ways);
    row.time = time_launches(device, *ways, step->options.repeats);
    buffer_write(device, w.seen_buffer, light->field, n * sizeof *w.seen);
    buffer_write(device, other, light->field, n * sizeof *w.seen);
    row.right = row.right && right_again(is_right(&w, ways));
    report_row(&step->report, row);
    if (row.right && depth <= 0.0)
        say_brightness(step, &w);
    if (row.right && path)
        write_picture(&w, path);
}
