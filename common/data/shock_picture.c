#include "data/shock_picture.h"

#include "check.h"
#include "pictures/test_picture.h"

#include <float.h>
#include <limits.h>
#include <math.h>

enum { LINE = 32 }; /* floats of a cache line */

static size_t count_bytes(const struct picture *picture) {
    return picture->width * picture->height * picture->channels;
}

/* Byte i of the picture among the floats. */
static size_t place(const struct shock_picture *shock, size_t i) {
    const struct picture *picture = &shock->picture;
    const size_t channel = i % picture->channels, pixel = i / picture->channels;
    const size_t y = channel * (picture->height + 2) + pixel / picture->width;
    return y * shock->pitch + pixel % picture->width;
}

struct shock_picture shock_picture_make(struct step *step, const char *input,
                                        size_t size, const char *width) {
    if (input && (step->options.size_given || width))
        die("a picture that is read has a size of its own" HINT
            "--input goes without --size and --width");
    struct shock_picture shock = {.picture = input ? png_read(input)
                                                   : test_picture(step, size, width)};
    shock.width = shock.picture.width;
    shock.height = shock.picture.channels * (shock.picture.height + 2) - 2;
    shock.pitch = (shock.width + LINE - 1) / LINE * LINE;
    shock.count = shock.pitch * shock.height;
    if (shock.count > INT_MAX)
        die("%zu pixels are too many" HINT "try a smaller picture", shock.count);
    shock.pixels = step_array(step, shock.count, sizeof(float));
    for (size_t i = 0; i < shock.count; i++)
        shock.pixels[i] = i % shock.pitch < shock.width ? 0.0f : NAN;
    for (size_t i = 0; i < count_bytes(&shock.picture); i++)
        shock.pixels[place(&shock, i)] = shock.picture.pixels[i] / 256.0f;
    return shock;
}

void shock_picture_write(const struct shock_picture *shock, const float *pixels,
                         const char *path) {
    for (size_t i = 0; i < count_bytes(&shock->picture); i++) {
        const float light = fmaxf(pixels[place(shock, i)] * 256.0f, 0.0f);
        shock->picture.pixels[i] = (unsigned char)lroundf(fminf(light, 255.0f));
    }
    png_write(path, &shock->picture);
}

bool shock_picture_equal(const struct shock_picture *shock, const float *found,
                         const float *expected, const float *old) {
    for (size_t i = 0; i < shock->count; i++) {
        const size_t x = i % shock->pitch, y = i / shock->pitch;
        if (x >= shock->width)
            continue;
        float bound = 0.0f;
        if (old) {
            const float change = fabsf(expected[i] - old[i]);
            bound = FLT_EPSILON * (fabsf(expected[i]) + 5.0f * change);
        }
        if (!(fabsf(found[i] - expected[i]) <= bound))
            return wrong_at(element_2d("out", x, y), (double)found[i],
                            (double)expected[i]);
    }
    return true;
}
