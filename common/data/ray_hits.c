#include "data/ray_hits.h"
#include "pictures/png.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

enum { CELLS = 8, LANES = 32 };  /* marbles in a row, and rows of them; in a warp */
enum { LINE = 32, PAGE = 1024 }; /* in floats */

/* What the ray of a hit's pixel meets. */
static void make_hit(struct hits *hits, cl_uint i,
                     const unsigned char marbles[CELLS * CELLS]) {
    const float side = (float)CELLS / (float)hits->width, radius = 0.42f;
    const float x = side * ((float)(hits->pixel[i] % hits->width) + 0.5f);
    const float y = side * ((float)(hits->pixel[i] / hits->width) + 0.5f);
    const float dx = x - floorf(x) - 0.5f, dy = y - floorf(y) - 0.5f;
    const float distance = sqrtf(dx * dx + dy * dy);
    hits->at[0][i] = x;
    hits->at[1][i] = y;
    if (distance < radius) {
        hits->material[i] = marbles[CELLS * (int)y + (int)x];
        hits->at[2][i] = dx / radius;
        hits->at[3][i] = dy / radius;
        return;
    }
    /* The hollow of the board in which a marble lies. */
    const float slope = 25.0f * fmaxf(0.5f - distance, 0.0f);
    const float length = sqrtf(slope * slope * distance * distance + 1.0f);
    hits->at[2][i] = -slope * dx / length;
    hits->at[3][i] = -slope * dy / length;
}

/* The first hit of each material lies on the other side of 0, with a normal that is a
 * little longer than 1: what shades it must round down, and take no root of less than
 * 0.  (The material stays, so that lanes go the same ways.) */
static void move_first_hits(struct hits *hits) {
    bool moved[UCHAR_MAX + 1] = {false};
    for (cl_uint i = 0; i < hits->n; i++) {
        if (moved[hits->material[i]])
            continue;
        moved[hits->material[i]] = true;
        hits->at[0][i] = -0.3f - hits->at[0][i];
        hits->at[1][i] = -0.3f - hits->at[1][i];
        hits->at[2][i] = 0.8f;
        hits->at[3][i] = -0.601f;
    }
}

struct hits hits_make(struct step *step, cl_uint n, unsigned materials) {
    struct hits hits = {.n = n, .width = (cl_uint)ceil(sqrt(n))};
    for (int k = 0; k < 4; k++)
        hits.at[k] = step_array(step, n, sizeof *hits.at[k]);
    hits.material = step_array(step, n, 1);
    hits.pixel = step_array(step, n, sizeof *hits.pixel);

    cl_uint state = step->options.seed + 14;
    unsigned char marbles[CELLS * CELLS];
    for (int i = 0; i < CELLS * CELLS; i++)
        marbles[i] = (unsigned char)(1 + (random_next(&state) >> 16) % (materials - 1));
    for (cl_uint i = 0; i < n; i++) { /* shuffled (Fisher and Yates) */
        const cl_uint j = (cl_uint)((cl_ulong)random_next(&state) * (i + 1) >> 32);
        hits.pixel[i] = hits.pixel[j];
        hits.pixel[j] = i;
    }
    for (cl_uint i = 0; i < n; i++)
        make_hit(&hits, i, marbles);
    move_first_hits(&hits);
    return hits;
}

/* Counts a key of each hit once for each warp; `last` is the last warp that met it. */
static void count(size_t *last, size_t warp, double *met) {
    *met += *last != warp;
    *last = warp;
}

struct met hits_met(struct step *step, const struct hits *hits, const cl_uint *list,
                    size_t partition) {
    const size_t lanes = step->options.lanes ? step->options.lanes : LANES,
                 warps = (hits->n + lanes - 1) / lanes;
    size_t *materials = step_array(step, UCHAR_MAX + 1, sizeof *materials),
           *lines = step_array(step, hits->n / LINE + 1, sizeof *lines),
           *pages = step_array(step, hits->n / PAGE + 1, sizeof *pages);
    struct met met = {0};
    for (size_t i = 0; i < hits->n; i++) {
        const size_t hit = i / partition * partition + list[i], warp = i / lanes + 1;
        count(&materials[hits->material[hit]], warp, &met.materials);
        count(&lines[hit / LINE], warp, &met.lines);
        count(&pages[hit / PAGE], warp, &met.pages);
    }
    return (struct met){met.materials / (double)warps, met.lines / (double)warps,
                        met.pages / (double)warps};
}

void hits_write(const struct hits *hits, const cl_uint *colours, const char *path) {
    const size_t width = hits->width, height = (hits->n + width - 1) / width;
    struct picture picture = {width, height, 3, allocate(width * height, 3)};
    for (size_t i = 0; i < hits->n; i++)
        for (size_t c = 0; c < 3; c++)
            picture.pixels[3 * hits->pixel[i] + c] =
                (unsigned char)(colours[i] >> (16 - 8 * c));
    png_write(path, &picture);
    free(picture.pixels);
}
