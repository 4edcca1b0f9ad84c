#include "field.h"

#include <math.h>
#include <string.h>

static const double turn = 6.283185307179586, pairs_checked = 1e9, bound = 1e-3;

static cl_uint checked_row(const struct field *f, cl_uint i) {
    const cl_uint height = f->points.height;
    return i < f->rows - 1 ? i * (height / f->rows) : height - 1;
}

/* (cos, sin) of what `distance` pixels do to a phase. */
static void make_factor(double turns, double distance, double factor[2]) {
    factor[0] = cos(turn * turns * distance * distance);
    factor[1] = sin(turn * turns * distance * distance);
}

/* For the host, too, factors of columns and rows are less work than pairs. */
static void light_on_host(struct field *f, double (*columns)[2]) {
    const cl_uint width = f->points.width;
    for (cl_uint i = 0; i < f->points.count; i++) {
        const cl_float4 point = f->points.at[i];
        const double px = (double)point.s[0], py = (double)point.s[1],
                     turns = (double)point.s[2];
        for (cl_uint x = 0; x < width; x++)
            make_factor(turns, x - px, columns[x]);
        for (cl_uint r = 0; r < f->rows; r++) {
            double row[2], *light = &f->light[2 * (size_t)r * width];
            make_factor(turns, checked_row(f, r) - py, row);
            for (cl_uint x = 0; x < width; x++) {
                light[2 * x] += row[0] * columns[x][0] - row[1] * columns[x][1];
                light[2 * x + 1] += row[0] * columns[x][1] + row[1] * columns[x][0];
            }
        }
    }
}

struct field field_make(struct step *step, struct points points) {
    struct field f = {.device = &step->device, .points = points};
    const double rows = pairs_checked / ((double)points.width * points.count);
    f.n = points.width * points.height;
    f.rows = rows < 1.0 ? 1 : rows < points.height ? (cl_uint)rows : points.height;
    f.light = step_array(step, 2 * (size_t)f.rows * points.width, sizeof *f.light);
    f.found = step_array(step, f.n, sizeof *f.found);
    f.points_buffer =
        buffer_from(f.device, points.at, points.count * sizeof *points.at);
    f.buffer = buffer_new(f.device, f.n * sizeof *f.found);
    light_on_host(&f, step_array(step, points.width, sizeof(double[2])));
    return f;
}

static bool is_near(const struct field *f, double *error) {
    const cl_uint width = f->points.width;
    double off = 0.0, all = 0.0;
    for (cl_uint r = 0; r < f->rows; r++)
        for (cl_uint i = 0; i < 2 * width; i++) {
            const cl_uint y = checked_row(f, r);
            const double is = (double)f->found[(size_t)y * width + i / 2].s[i % 2],
                         wanted = f->light[2 * (size_t)r * width + i];
            if (!(fabs(is - wanted) <= bound * sqrt(f->points.count)))
                return wrong_at(element_2d("field", i / 2, y), is, wanted);
            off += (is - wanted) * (is - wanted);
            all += wanted * wanted;
        }
    *error = sqrt(off / all);
    return true;
}

bool field_right(const struct field *f, const struct launch *launch, bool again,
                 double *error) {
    const size_t bytes = f->n * sizeof *f->found;
    memset(f->found, 0x7f, bytes);
    if (again)
        buffer_write(f->device, f->buffer, f->found, bytes);
    else
        buffer_poison(f->device, f->buffer);
    launch_ms(f->device, launch);
    buffer_read(f->device, f->buffer, f->found, bytes);
    for (size_t i = 0; i < 2 * (size_t)f->n; i++)
        if (!(fabs((double)f->found[i / 2].s[i % 2]) <= 1.001 * f->points.count))
            return wrong("field (%zu, %zu) is %g, which no sum of %u points is",
                         i / 2 % f->points.width, i / 2 / f->points.width,
                         (double)f->found[i / 2].s[i % 2], f->points.count);
    return is_near(f, error);
}
