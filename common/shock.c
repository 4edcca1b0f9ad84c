#include "shock.h"

#include "check.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 32 }; /* floats of a cache line */

static double mix(double a, double b, double share) {
    return a + share * (b - a);
}

/* Nearly 1 inside, nearly 0 outside, and no sharp edge between them. */
static double within(double distance) {
    return 1.0 / (1.0 + exp(distance / 0.008));
}

/* From 0, black, to 1, white: discs, a star, rings, stripes, up to all four edges. */
static double drawn(double u, double y) {
    const double x = 16.0 / 9.0 * u;
    static const double discs[][4] = {
        {0.20, 0.22, 0.13, 0.9}, {0.42, 0.15, 0.06, 0.1}, {0.33, 0.42, 0.09, 0.7}};
    double light = 0.25 + 0.3 * y + 0.1 * sin(5.0 * x);
    for (int i = 0; i < 3; i++)
        light = mix(light, discs[i][3],
                    within(hypot(x - discs[i][0], y - discs[i][1]) - discs[i][2]));
    light = mix(light, 0.5 + 0.5 * sin(18.0 * atan2(y - 0.5, x - 0.95)),
                within(hypot(x - 0.95, y - 0.5) - 0.36));
    light =
        mix(light, 0.5 + 0.5 * sin(150.0 * (pow(x - 1.36, 2.0) + pow(y - 1.0, 2.0))),
            within(1.38 - x));
    return mix(light, 0.5 + 0.5 * sin(180.0 * (0.6 - x) * (0.6 - x)),
               within(0.68 - y) * within(x - 0.5));
}

/* Drawn once; a large picture is a mosaic of it, because a GPU needs more pixels than a
 * host can draw in a second.  Grain of four levels makes no two places alike. */
static struct picture draw(struct step *step, size_t size, const char *given) {
    const size_t width = given ? option_number("--width", given, 1, size)
                               : (size_t)lround(sqrt((double)size * 16.0 / 9.0)),
                 height = (size + width - 1) / width, count = width * height,
                 across = width < 1920 ? width : 1920,
                 down = height < 1080 ? height : 1080;
    unsigned char *pixels = step_array(step, count, 1);
    for (size_t i = 0; i < count; i++) {
        const size_t y = i / width, x = i % width;
        const double u = ((double)x + 0.5) / (double)across,
                     v = ((double)y + 0.5) / (double)down;
        if (y >= down || x >= across)
            pixels[i] = pixels[i - (y >= down ? down * width : across)];
        else
            pixels[i] = (unsigned char)lround(251.0 * drawn(u, v));
    }
    uint32_t state = step->options.seed + 16;
    for (size_t i = 0; i < count; i++)
        pixels[i] = (unsigned char)(pixels[i] + (random_next(&state) >> 30) + 1);
    return (struct picture){width, height, 1, pixels};
}

/* Byte i of the picture among the floats. */
static size_t place(const struct shock *s, size_t i) {
    const struct picture *p = &s->picture;
    const size_t channel = i % p->channels, pixel = i / p->channels;
    const size_t y = channel * (p->height + 2) + pixel / p->width;
    return y * s->pitch + pixel % p->width;
}

struct shock shock_picture(struct step *step, const char *input, size_t size,
                           const char *width) {
    if (input && (step->options.size_given || width))
        die("a picture that is read has a size of its own" HINT
            "--input goes without --size and --width");
    struct shock s = {.picture = input ? picture_read(input) : draw(step, size, width)};
    s.width = s.picture.width;
    s.height = s.picture.channels * (s.picture.height + 2) - 2;
    s.pitch = (s.width + LINE - 1) / LINE * LINE;
    s.count = s.pitch * s.height;
    if (s.count > INT_MAX)
        die("%zu pixels are too many" HINT "try a smaller picture", s.count);
    s.pixels = step_array(step, s.count, sizeof(float));
    for (size_t i = 0; i < s.count; i++)
        s.pixels[i] = i % s.pitch < s.width ? 0.0f : NAN;
    for (size_t i = 0; i < s.width * s.picture.height * s.picture.channels; i++)
        s.pixels[place(&s, i)] = s.picture.pixels[i] / 256.0f;
    return s;
}

void shock_write(const struct shock *s, const float *pixels, const char *path) {
    for (size_t i = 0; i < s->width * s->picture.height * s->picture.channels; i++) {
        const float light = fmaxf(pixels[place(s, i)] * 256.0f, 0.0f);
        s->picture.pixels[i] = (unsigned char)lroundf(fminf(light, 255.0f));
    }
    picture_write(path, &s->picture);
}

/* Three pixels of a column, weighted 1 2 1; sums have the kernels' order. */
static float column_sum(const float *top, size_t pitch) {
    return (top[0] + top[2 * pitch]) + 2.0f * top[pitch];
}

void shock_on_host(const struct shock *s, bool sharpens, const float *in, float *out) {
    /* A copy with two pixels of 0 on each side; and g, with one. */
    const size_t pitch = s->width + 4;
    float *padded = allocate((s->height + 4) * pitch, sizeof *padded);
    float *g = allocate((s->height + 2) * pitch, sizeof *g);
    for (size_t y = 0; y < s->height; y++)
        memcpy(padded + (y + 2) * pitch + 2, in + y * s->pitch, s->width * sizeof *in);
    for (size_t y = 0; y < s->height + 2; y++)
        for (size_t x = 0; x < s->width + 2; x++) {
            const float *top = padded + y * pitch + x;
            g[y * pitch + x] = (column_sum(top, pitch) + column_sum(top + 2, pitch)) +
                               2.0f * column_sum(top + 1, pitch);
        }
    for (size_t y = 0; y < s->height; y++)
        for (size_t x = 0; x < s->width; x++) {
            const float *sum = g + (y + 1) * pitch + x + 1;
            const float laplace =
                ((*(sum - pitch) + sum[pitch]) + (sum[-1] + sum[1])) - 4.0f * *sum;
            const float *old = padded + (y + 2) * pitch + x + 2;
            const float down = old[pitch] - *old, across = old[1] - *old;
            const float sign = (float)((laplace > 0.0f) - (laplace < 0.0f));
            const float slope = sqrtf(down * down + across * across);
            out[y * s->pitch + x] =
                sharpens ? *old - sign * slope * 0.25f : *sum / 16.0f;
        }
    free(padded);
    free(g);
}

bool shock_equal(const struct shock *s, const float *found, const float *expected,
                 const float *old) {
    for (size_t i = 0; i < s->count; i++) {
        const float change = old ? fabsf(expected[i] - old[i]) : 0.0f;
        const float bound =
            old ? FLT_EPSILON * (fabsf(expected[i]) + 5.0f * change) : 0.0f;
        if (i % s->pitch < s->width && !(fabsf(found[i] - expected[i]) <= bound))
            return wrong_at(element_2d("out", i % s->pitch, i / s->pitch),
                            (double)found[i], (double)expected[i]);
    }
    return true;
}
