/* Step 14: sorting for coherence: by material, in parts
 *
 * In step 13 the data could be laid out as lanes needed them.  Here rays have hit
 * materials in no order, and each material has code of its own.  A sorted list gives
 * the lanes of a warp hits of one material, but these hits are all over memory.
 *
 * Read with  kernels/step14_sorted_gather.cl, docs/step14_sorted_gather.md
 * Try        "2^6", 1 << 6 among the variants: what does a warp meet, and why?
 * Lens       --size 16000  sorted_gather_arrival sorted_gather_by_list
 * Pages      counted, too: cache lines and pages that the busiest access touches
 * Story      busy_lanes sorted_gather_by_list@partition=256 sorted_gather_arrival
 */
#include "contest.h"
#include "pictures/png.h"

#include <stdlib.h>
#include <tgmath.h>

#include "../kernels/step14_sorted_gather.cl" /* the materials, in plain C */

enum { GROUP = 256 };
enum { HIT_BYTES = 1 + 4 * 4 + 4 }; /* a material, four floats, and a colour */

static const struct sizes sizes = {.cpu = 150000, .cpu_full = 1 << 22, .gpu = 1 << 24};

/* How many hits are sorted together.  A stable sort keeps the order of arrival among
 * the hits of a material. */
enum { ALL_HITS = 0 };
enum { ARRIVAL, BY_2_8, BY_2_10, BY_2_12, BY_2_16, BY_2_20, ALL, ALL_STABLE, VARIANTS };
static const struct variant {
    const char *name;
    cl_uint partition;
    bool stable;
} variants[VARIANTS] = {
    [ARRIVAL] = {"arrival order", 1, false},
    [BY_2_8] = {"2^8", 1 << 8, false},
    [BY_2_10] = {"2^10", 1 << 10, false},
    [BY_2_12] = {"2^12", 1 << 12, false},
    [BY_2_16] = {"2^16", 1 << 16, false},
    [BY_2_20] = {"2^20", 1 << 20, false},
    [ALL] = {"all sorted", ALL_HITS, false},
    [ALL_STABLE] = {"all sorted, stable", ALL_HITS, true},
};

/* A partition that has room for all hits would be the same as all of them. */
static bool has_row(const struct variant *variant, cl_uint n) {
    return variant->partition < n || variant->partition == 1;
}

/* ---- The data: what rays from above meet, marbles on a board.  They are in no order,
 * as in a path tracer, whose rays have bounced. */
enum { CELLS = 8 }; /* marbles in a row, and rows of them */

struct hits {
    cl_uint n, width;        /* a pixel for each hit, `width` of them in a row */
    cl_uint *pixel;          /* its number, row by row */
    unsigned char *material; /* BOARD, or that of a marble */
    float *x, *y;            /* where the ray meets the surface, */
    float *nx, *ny;          /* and the surface's normal, of length 1 */
};

/* What the ray of a hit's pixel meets. */
static void make_hit(struct hits *hits, cl_uint i,
                     const unsigned char marbles[CELLS * CELLS]) {
    const float side = (float)CELLS / (float)hits->width, radius = 0.42f;
    const float x = side * ((float)(hits->pixel[i] % hits->width) + 0.5f);
    const float y = side * ((float)(hits->pixel[i] / hits->width) + 0.5f);
    const float dx = x - floorf(x) - 0.5f, dy = y - floorf(y) - 0.5f;
    const float distance = sqrtf(dx * dx + dy * dy);
    hits->x[i] = x;
    hits->y[i] = y;
    if (distance < radius) {
        hits->material[i] = marbles[CELLS * (int)y + (int)x];
        hits->nx[i] = dx / radius;
        hits->ny[i] = dy / radius;
        return;
    }

    /* The hollow of the board in which a marble lies. */
    const float slope = 25.0f * fmaxf(0.5f - distance, 0.0f);
    const float length = sqrtf(slope * slope * distance * distance + 1.0f);
    hits->material[i] = BOARD;
    hits->nx[i] = -slope * dx / length;
    hits->ny[i] = -slope * dy / length;
}

/* The first hit of each material lies on the other side of 0, with a normal that is a
 * little longer than 1: what shades it must round down, and take no root of less than
 * 0.  (The material stays, so that lanes go the same ways.) */
static void move_first_hits(struct hits *hits) {
    bool moved[MATERIALS] = {false};
    for (cl_uint i = 0; i < hits->n; i++) {
        if (moved[hits->material[i]])
            continue;
        moved[hits->material[i]] = true;
        hits->x[i] = -0.3f - hits->x[i];
        hits->y[i] = -0.3f - hits->y[i];
        hits->nx[i] = 0.8f;
        hits->ny[i] = -0.601f;
    }
}

/* Each marble has one of the materials, and the pixels are shuffled (by Fisher and
 * Yates). */
static struct hits make_hits(struct step *step, cl_uint n) {
    struct hits hits = {.n = n, .width = (cl_uint)ceil(sqrt((double)n))};
    hits.pixel = step_array(step, n, sizeof *hits.pixel);
    hits.material = step_array(step, n, sizeof *hits.material);
    hits.x = step_array(step, n, sizeof *hits.x);
    hits.y = step_array(step, n, sizeof *hits.y);
    hits.nx = step_array(step, n, sizeof *hits.nx);
    hits.ny = step_array(step, n, sizeof *hits.ny);

    cl_uint state = step->options.seed + 14;
    unsigned char marbles[CELLS * CELLS];
    for (int i = 0; i < CELLS * CELLS; i++)
        marbles[i] = (unsigned char)(1 + (random_next(&state) >> 16) % (MATERIALS - 1));
    for (cl_uint i = 0; i < n; i++) {
        const cl_uint j = (cl_uint)((cl_ulong)random_next(&state) * (i + 1) >> 32);
        hits.pixel[i] = hits.pixel[j];
        hits.pixel[j] = i;
    }
    for (cl_uint i = 0; i < n; i++)
        make_hit(&hits, i, marbles);
    move_first_hits(&hits);
    return hits;
}

/* The picture, with a colour 0xRRGGBB for each hit, as a PNG file. */
static void write_picture(struct step *step, const struct hits *hits,
                          const cl_uint *colours, const char *path) {
    const size_t width = hits->width, height = (hits->n + width - 1) / width;
    struct picture picture = {width, height, 3, step_array(step, width * height, 3)};
    for (size_t i = 0; i < hits->n; i++)
        for (size_t c = 0; c < 3; c++)
            picture.pixels[3 * hits->pixel[i] + c] =
                (unsigned char)(colours[i] >> (16 - 8 * c));
    png_write(path, &picture);
}

/* ---- The list. */

/* A partition of all hits has as many places as there are hits if the sort is stable,
 * and otherwise the next power of two, at least 2, because make_list() wants one. */
static cl_uint partition_of(const struct variant *variant, cl_uint n) {
    if (variant->partition != ALL_HITS)
        return variant->partition;
    if (variant->stable)
        return n;
    cl_uint all = 2;
    while (all < n)
        all *= 2;
    return all;
}

/* Sorts the places within each partition by counting: `next` is where the next hit of a
 * material goes.  A stable sort takes the hits in arrival order.  The other one takes
 * them in no order, as a device does, whose groups run in no order: the places are
 * multiples of an odd number, modulo a power of two. */
static void make_list(const struct hits *hits, size_t partition, bool stable,
                      cl_uint *list) {
    const size_t odd = 2654435761;
    for (size_t first = 0; first < hits->n; first += partition) {
        size_t next[MATERIALS + 1] = {first};
        for (size_t i = first; i < hits->n && i < first + partition; i++)
            next[hits->material[i] + 1]++;
        for (int m = 0; m < MATERIALS; m++)
            next[m + 1] += next[m];

        for (size_t j = 0; j < partition; j++) {
            const size_t place = stable ? j : j * odd % partition;
            if (first + place >= hits->n)
                continue;
            const unsigned char material = hits->material[first + place];
            list[next[material]] = (cl_uint)place;
            next[material]++;
        }
    }
}

/* ---- What a warp meets, and a group. */
enum { LANES = 32 };
enum { SECTOR = 8, LINE = 32, PAGE = 1024 }; /* floats: 32, 128 and 4096 bytes */

/* On average over all warps: materials, and the cache lines and the pages of an array
 * of floats; and over all groups, the sectors of such an array. */
struct met {
    double materials, lines, pages, group_sectors;
};

/* Counts what a hit has once for each warp, or for each group; `last` is the last one
 * that met it. */
static void meet(size_t *last, size_t now, double *count) {
    if (*last != now)
        *count += 1.0;
    *last = now;
}

/* What they meet if work-items take the hits by the list. */
static struct met what_they_meet(struct step *step, const struct hits *hits,
                                 const cl_uint *list, size_t partition) {
    const size_t lanes = step->options.lanes ? step->options.lanes : LANES;
    const size_t group_size = step_group(step, GROUP);
    size_t *materials = step_array(step, MATERIALS, sizeof *materials);
    size_t *sectors = step_array(step, hits->n / SECTOR + 1, sizeof *sectors);
    size_t *lines = step_array(step, hits->n / LINE + 1, sizeof *lines);
    size_t *pages = step_array(step, hits->n / PAGE + 1, sizeof *pages);

    struct met met = {0};
    for (size_t i = 0; i < hits->n; i++) {
        const size_t hit = i / partition * partition + list[i];
        const size_t warp = i / lanes + 1, group = i / group_size + 1; /* 0: none yet */
        meet(&materials[hits->material[hit]], warp, &met.materials);
        meet(&lines[hit / LINE], warp, &met.lines);
        meet(&pages[hit / PAGE], warp, &met.pages);
        meet(&sectors[hit / SECTOR], group, &met.group_sectors);
    }

    const double warps = (double)((hits->n + lanes - 1) / lanes);
    const double groups = (double)((hits->n + group_size - 1) / group_size);
    return (struct met){met.materials / warps, met.lines / warps, met.pages / warps,
                        met.group_sectors / groups};
}

/* ---- The hits, a list of them, and their colours. */
struct shading {
    struct step *step;
    struct hits hits;
    cl_uint *list, *colours, *expected;
    cl_mem material_buffer, x_buffer, y_buffer, nx_buffer, ny_buffer;
    cl_mem list_buffer, colours_buffer;
};

static struct shading make_shading(struct step *step, cl_uint n) {
    struct device *device = &step->device;
    const struct hits hits = make_hits(step, n);
    struct shading shading = {.step = step, .hits = hits};
    shading.material_buffer = buffer_from(device, hits.material, n);
    shading.x_buffer = buffer_from(device, hits.x, n * sizeof *hits.x);
    shading.y_buffer = buffer_from(device, hits.y, n * sizeof *hits.y);
    shading.nx_buffer = buffer_from(device, hits.nx, n * sizeof *hits.nx);
    shading.ny_buffer = buffer_from(device, hits.ny, n * sizeof *hits.ny);
    shading.list = step_array(step, n, sizeof(cl_uint));
    shading.list_buffer = buffer_new(device, n * sizeof(cl_uint));
    shading.colours = step_array(step, n, sizeof(cl_uint));
    shading.colours_buffer = buffer_new(device, n * sizeof(cl_uint));
    shading.expected = step_array(step, n, sizeof(cl_uint));
    for (cl_uint i = 0; i < n; i++)
        shading.expected[i] = shade(
            hits.material[i], hit_at(hits.x[i], hits.y[i], hits.nx[i], hits.ny[i]));
    return shading;
}

/* Is each of the three channels off by 1 at most? */
static bool is_near(cl_uint colour, cl_uint expected) {
    if (colour >> 24 != 0)
        return false;
    for (int shift = 0; shift < 24; shift += 8) {
        const int is = (int)(colour >> shift & 255);
        const int should_be = (int)(expected >> shift & 255);
        if (abs(is - should_be) > 1)
            return false;
    }
    return true;
}

/* Launches once, over colours of which each bit is wrong.  A GPU may round roots in
 * another way, so there in one of 100 hits the three channels may be off by 1. */
static bool is_right(const struct entry *entry, bool again) {
    const struct shading *shading = entry->of;
    struct device *device = &shading->step->device;
    const size_t n = shading->hits.n, bytes = n * sizeof(cl_uint);
    const size_t may_be_off = device->is_cpu ? 0 : n / 100 + 1;
    cl_uint *colours = shading->colours;
    (void)again; /* the colours are always the same */
    for (size_t i = 0; i < n; i++)
        colours[i] = shading->expected[i] ^ 0xffffff;
    buffer_write(device, shading->colours_buffer, colours, bytes);
    launch_ms(device, &entry->launch);
    buffer_read(device, shading->colours_buffer, colours, bytes);

    size_t off = 0;
    for (size_t i = 0; i < n; i++) {
        const cl_uint expected = shading->expected[i];
        if (colours[i] != expected)
            off++;
        if (!is_near(colours[i], expected) || off > may_be_off)
            return wrong("colours[%zu] is 0x%06x, expected 0x%06x", i, colours[i],
                         expected);
    }
    return true;
}

static struct entry make_entry(const struct shading *s, const char *name, bool by_list,
                               cl_uint partition) {
    struct step *step = s->step;
    const cl_uint n = s->hits.n;
    const size_t group = step_group(step, GROUP);
    struct entry entry = {.of = s, .row.variant = name, .row.size = n};
    entry.row.limit = step->report.limits.read;
    entry.row.bytes = (double)HIT_BYTES * n; /* in every order, so that rates compare */
    if (by_list) {
        entry.launch = LAUNCH(
            step, "sorted_gather_by_list", n, group, ARG(s->material_buffer),
            ARG(s->x_buffer), ARG(s->y_buffer), ARG(s->nx_buffer), ARG(s->ny_buffer),
            ARG(s->list_buffer), ARG(s->colours_buffer), ARG(n), ARG(partition));
    } else {
        entry.launch =
            LAUNCH(step, "sorted_gather_arrival", n, group, ARG(s->material_buffer),
                   ARG(s->x_buffer), ARG(s->y_buffer), ARG(s->nx_buffer),
                   ARG(s->ny_buffer), ARG(s->colours_buffer), ARG(n));
    }
    return entry;
}

int main(int argc, char **argv) {
    struct step step;
    const char *output = NULL;
    const struct own_option own = {"output", "FILE", "write the picture to a PNG file",
                                   .file = &output};
    step_open(&step, argc, argv,
              &(struct usage){
                  .step = "step14_sorted_gather",
                  .lesson = "the same hits, shaded as they come or sorted by material",
                  .own = &own,
                  .own_count = 1});
    const cl_uint n = step_size(&step, &sizes, 7, sizeof(float));
    const struct shading shading = make_shading(&step, n);

    /* The lesson: which order is fastest?  Each alternates with that of arrival.  The
     * list changes from row to row, so that each is checked and timed in its turn. */
    struct contest contest = contest_begin(&step, is_right);
    struct ratio slower[VARIANTS];
    struct met met[VARIANTS];
    for (size_t v = 0; v < VARIANTS; v++) {
        if (!has_row(&variants[v], n))
            continue;
        const cl_uint partition = partition_of(&variants[v], n);
        make_list(&shading.hits, partition, variants[v].stable, shading.list);
        buffer_write(&step.device, shading.list_buffer, shading.list,
                     n * sizeof *shading.list);
        met[v] = what_they_meet(&step, &shading.hits, shading.list, partition);

        const size_t row = contest.count;
        contest_add(&contest,
                    make_entry(&shading, variants[v].name, v != ARRIVAL, partition));
        slower[v] = contest_time_beside(&contest, row, ARRIVAL);
        contest_print(&contest, row);
    }

    /* The result; and of one array of floats, what a warp and a group meet. */
    const size_t parts = has_row(&variants[BY_2_8], n) ? BY_2_8 : ALL;
    report_headline(&step.report, "sorted in parts, not as they come",
                    ratio_inverse(slower[parts]),
                    "A core runs one work-item after another: no lane waits for "
                    "another's material.");
    report_say(
        &step.report,
        "A warp meets       materials     lines     pages  A group meets  sectors");
    for (size_t v = 0; v < VARIANTS; v++)
        if (has_row(&variants[v], n))
            report_say(&step.report, "%-18s %9.2f %9.2f %9.2f %23.1f", variants[v].name,
                       met[v].materials, met[v].lines, met[v].pages,
                       met[v].group_sectors);
    if (output && step.report.wrong == 0)
        write_picture(&step, &shading.hits, shading.colours, output);
    return step_close(&step);
}
