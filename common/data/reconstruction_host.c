#include "data/reconstruction_host.h"

#include <math.h>

static const double turn = 6.283185307179586; /* in radians */

/* The host looks at all rows of pixels, or at so many that it needs about a second. */
static cl_uint count_rows(const struct way *w) {
    const double each = w->n + (double)w->width * w->width, rows = 3e8 / each;
    return rows < 1.0 ? 1 : rows < w->height ? (cl_uint)rows : w->height;
}

static void add_product(double *sum, const double *a, const double *b) {
    sum[0] += a[0] * b[0] - a[1] * b[1];
    sum[1] += a[0] * b[1] + a[1] * b[0];
}

/* Adds up the columns as they are seen from row y, and then the row of these sums. */
static void see_row(const struct way *w, cl_uint y) {
    double shine[256][2], *sums = w->row + 2 * w->width;
    for (int level = 0; level < 256; level++) {
        shine[level][0] = cos(turn / 256.0 * level);
        shine[level][1] = sin(turn / 256.0 * level);
    }
    for (cl_uint x = 0; x < 4 * w->width; x++)
        w->row[x] = 0.0;
    for (cl_uint i = 0; i < w->n; i++) {
        const cl_uint from = i / w->width, far = from > y ? from - y : y - from;
        add_product(&sums[2 * (i % w->width)], shine[w->phase[i]], &w->paths[2 * far]);
    }
    for (cl_uint x = 0; x < w->width; x++)
        for (cl_uint from = 0; from < w->width; from++)
            add_product(&w->row[2 * x], &sums[2 * from],
                        &w->paths[2 * (from > x ? from - x : x - from)]);
}

bool way_light_right(const struct way *w) {
    const cl_uint rows = count_rows(w);
    for (cl_uint r = 0; r < rows; r++) {
        const cl_uint y = r < rows - 1 ? r * (w->height / rows) : w->height - 1;
        see_row(w, y);
        for (cl_uint i = 0; i < 2 * w->width; i++) {
            const double found = (double)w->seen[y * w->width + i / 2].s[i % 2];
            if (!(fabs(found - w->row[i]) <=
                  1e-3 * sqrt(w->n) + 1e-4 * fabs(w->row[i])))
                return wrong_at(element_2d("seen", i / 2, y), found, w->row[i]);
        }
    }
    return true;
}
