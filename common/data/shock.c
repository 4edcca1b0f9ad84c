#include "data/shock.h"

#include "check.h"
#include "pictures/test_picture.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 32 }; /* floats of a cache line */

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
    struct shock s = {.picture =
                          input ? png_read(input) : test_picture(step, size, width)};
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
    png_write(path, &s->picture);
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

bool shock_sharpens(const struct shock *s, struct step *step,
                    const struct launch *chain, const cl_mem buffers[2], float *out) {
    const size_t bytes = s->count * sizeof(float);
    float *found = allocate(s->count, sizeof *found);
    float *expected = allocate(s->count, sizeof *expected);
    bool right = true;
    memcpy(out, s->pixels, bytes);
    for (int pass = 0; chain; chain = chain->then, pass++) {
        struct launch alone = *chain;
        alone.then = NULL;
        buffer_poison(&step->device, buffers[pass % 2]);
        launch_ms(&step->device, &alone);
        buffer_read(&step->device, buffers[pass % 2], found, bytes);
        shock_on_host(s, true, out, expected);
        right = right && shock_equal(s, found, expected, out);
        memcpy(out, right ? found : expected, bytes);
    }
    free(found);
    free(expected);
    return right;
}
