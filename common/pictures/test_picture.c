#include "pictures/test_picture.h"

#include <math.h>

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

/* Beyond a corner nothing but 0 may count.  Of what makes a corner pixel brighter or
 * darker, twice this pixel would be added there if it were repeated: so the sum of all
 * others is 7 times this pixel, of which it takes away 8. */
static void mark_corners(unsigned char *pixels, size_t width, size_t height,
                         unsigned char light) {
    enum { REACH = 3 };
    if (width < 2 * REACH || height < 2 * REACH)
        return;
    for (int corner = 0; corner < 4; corner++)
        for (size_t y = 0; y < REACH; y++)
            for (size_t x = 0; x < REACH; x++) {
                const size_t column = corner % 2 ? width - 1 - x : x,
                             row = corner / 2 ? height - 1 - y : y;
                const bool far = x + y == 2 && x != y;
                pixels[row * width + column] = (unsigned char)(far ? light / 4 * 7
                                                               : x + y == 0 ? light
                                                                            : 0);
            }
}

struct picture test_picture(struct step *step, size_t size, const char *given) {
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
    mark_corners(pixels, width, height, (unsigned char)(32 + 4 * (state >> 28)));
    return (struct picture){width, height, 1, pixels};
}
