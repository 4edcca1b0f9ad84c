/* Step 14: sorting by material, and what it does to memory
 *
 * In step 13 the data could be laid out as the lanes wanted it.  Here that changes from
 * run to run: rays hit materials, each shaded by other code.  Sorted by material all
 * lanes do the same again; but what they read now comes from all over memory.
 *
 * Read with  kernels/step14_sorted_gather.cl, docs/step14_sorted_gather.md
 * Try        --output marbles.png, and --partition 9
 * Lens       --size 16384
 * Story      busy_lanes sorted_gather_shade@partition=1024
 *            sorted_gather_shade@partition=1
 */
#include "buffer.h"
#include "check.h"
#include "compare.h"
#include "data.h"
#include "picture.h"
#include "report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { CELLS = 8, GROUP = 256, EACH = 16, SCAN_GROUP = 1024, LINE = 32 };
enum { FINEST = 8, NEXT = 2, MOST_WAYS = 14, REPEATS_ON_CPU = 5 };
enum { BOARD, CLAY, METAL, GLASS, STONE, WOOD, MATERIALS };
enum { WORD = sizeof(cl_uint), RECORD = 6 * WORD + 1, WORDS = 12 }; /* for a hit */

struct vec {
    float x, y, z;
};

static const struct vec light = {-0.48f, -0.36f, 0.8f}, up = {0.0f, 0.0f, 1.0f},
                        halfway = {-0.253f, -0.1897f, 0.94868f};

/* ---- What the kernel shades, once more: there it is explained ---- */

static struct vec scale(float times, struct vec a) {
    return (struct vec){times * a.x, times * a.y, times * a.z};
}

static struct vec add(struct vec a, float times, struct vec b) {
    return (struct vec){a.x + times * b.x, a.y + times * b.y, a.z + times * b.z};
}

static float dot(struct vec a, struct vec b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static float wave(float x) {
    x -= floorf(x);
    return 4.0f * x * (1.0f - x);
}

static float sky(struct vec ray) {
    const float height = 0.5f + 0.5f * ray.z;
    return 0.2f + 0.5f * height * height + 0.2f * wave(2.0f * ray.y + ray.x) +
           powf(dot(ray, light), 8.0f);
}

static float random_at(int x, int y, int z) {
    cl_uint h =
        (cl_uint)x * 73856093u ^ (cl_uint)y * 19349663u ^ (cl_uint)z * 83492791u;
    h = (h ^ h >> 13) * 1540483477u;
    return (float)((h ^ h >> 15) >> 8) / 16777216.0f;
}

static float noise(struct vec point) {
    const float at[] = {point.x, point.y, point.z};
    float sum = 0.0f;
    for (int corner = 0; corner < 8; corner++) {
        float share = 1.0f;
        int whole[3];
        for (int k = 0; k < 3; k++) {
            const int upper = corner >> k & 1;
            const float t = at[k] - floorf(at[k]), s = t * t * (3.0f - 2.0f * t);
            whole[k] = (int)floorf(at[k]) + upper;
            share *= upper ? s : 1.0f - s;
        }
        sum += share * random_at(whole[0], whole[1], whole[2]);
    }
    return sum;
}

static float clouds(struct vec point, int octaves) {
    float sum = 0.0f;
    for (int i = 0; i < octaves; i++)
        sum += noise(scale((float)(1 << i), point)) / (float)(2 << i);
    return sum;
}

static float glass(struct vec normal, float cosine, float mirror) {
    const float inside = sqrtf(1.0f - (1.0f - cosine * cosine) / 2.25f);
    struct vec ray = add(scale(-1.0f / 1.5f, up), cosine / 1.5f - inside, normal);
    float bright = 0.0f, rest = 1.0f - mirror;
    for (int i = 0; i < 3; i++, rest *= mirror) {
        normal = add(normal, 2.0f * inside, ray);
        bright += rest * (1.0f - mirror) *
                  sky(add(scale(1.5f, ray), cosine - 1.5f * inside, normal));
        ray = add(ray, -2.0f * inside, normal);
    }
    return bright;
}

/* How bright without a spot of light, whose brightness goes to *shine. */
static float shade_on_host(int material, struct vec p, struct vec n, float *shine) {
    const float lit = 0.25f + 0.75f * fmaxf(dot(n, light), 0.0f);
    const float edge = powf(1.0f - n.z, 5.0f), mirror = 0.04f + 0.96f * edge;
    const float mirrored = sky(add(scale(2.0f * n.z, n), -1.0f, up));
    *shine = 0.0f;
    switch (material) {
    case BOARD:
        return lit * (0.8f + 0.2f * noise(scale(32.0f, p)));
    case METAL:
        return (0.6f + 0.4f * edge) * mirrored;
    case GLASS:
        return mirror * mirrored + glass(n, n.z, mirror);
    case STONE:
        *shine = 0.5f * powf(dot(n, halfway), 64.0f);
        p.x = 1.5f * p.x + p.y + 3.0f * clouds(scale(2.0f, p), 6);
        return lit * (0.3f + 0.7f * wave(p.x));
    case WOOD:
        *shine = 0.2f * powf(dot(n, halfway), 16.0f);
        p.x = 4.0f * sqrtf(p.x * p.x + p.z * p.z) + 2.0f * clouds(p, 2);
        return lit * (0.5f + 0.5f * wave(p.x));
    }
    return lit;
}

/* ---- The hits ---- */

/* Marbles on a board, seen from above: a hit for each pixel.  They arrive in no order,
 * as in a path tracer, whose rays have bounced. */
struct hits {
    cl_uint n, width;
    unsigned seed;
    unsigned char *material;
    float *at[6]; /* x, y, z of the point, and of the normal */
    cl_uint *pixel;
};

static void hit_make(struct hits *hits, cl_uint i) {
    const float radius = 0.42f, side = (float)CELLS / (float)hits->width;
    struct vec point = {side * ((float)(hits->pixel[i] % hits->width) + 0.5f),
                        side * ((float)(hits->pixel[i] / hits->width) + 0.5f), 0.0f};
    const float dx = point.x - floorf(point.x) - 0.5f,
                dy = point.y - floorf(point.y) - 0.5f;
    const float square = dx * dx + dy * dy, distance = sqrtf(square);
    const float slope = 25.0f * fmaxf(0.5f - distance, 0.0f); /* the marble's hollow */
    struct vec normal = {-slope * dx, -slope * dy, 1.0f};
    hits->material[i] = BOARD;
    if (distance < radius) {
        const float random = random_at((int)point.x, (int)point.y, (int)hits->seed);
        hits->material[i] = (unsigned char)(CLAY + (int)(5.0f * random));
        point.z = sqrtf(radius * radius - square);
        normal = (struct vec){dx, dy, point.z};
    }
    normal = scale(1.0f / sqrtf(dot(normal, normal)), normal);
    const float all[] = {point.x, point.y, point.z, normal.x, normal.y, normal.z};
    for (int k = 0; k < 6; k++)
        hits->at[k][i] = all[k];
}

static struct hits hits_make(cl_uint n, unsigned seed) {
    struct hits hits = {.n = n, .width = (cl_uint)ceil(sqrt(n)), .seed = seed};
    hits.material = allocate(n, 1);
    hits.pixel = allocate(n, sizeof *hits.pixel);
    hits.at[0] = allocate(6 * (size_t)n, sizeof *hits.at[0]);
    for (size_t k = 1; k < 6; k++)
        hits.at[k] = hits.at[0] + k * n;
    cl_uint random = seed + 14;
    for (cl_uint i = 0; i < n; i++) { /* shuffled (Fisher and Yates) */
        const cl_uint j = (cl_uint)((cl_ulong)random_next(&random) * (i + 1) >> 32);
        hits.pixel[i] = hits.pixel[j];
        hits.pixel[j] = i;
    }
    for (cl_uint i = 0; i < n; i++)
        hit_make(&hits, i);
    return hits;
}

/* Names a colour that is wrong: three channels of 8 bits. */
static bool wrong_colour(size_t i, cl_uint found, cl_uint expected) {
    return wrong("colours[%zu] is 0x%06x, expected 0x%06x", i, found, expected);
}

/* Devices round in other ways, so a channel may be 2 of 255 off. */
static bool is_shaded(const struct hits *hits, cl_uint i, cl_uint colour) {
    static const float tints[MATERIALS][3] = {
        [BOARD] = {0.25f, 0.4f, 0.3f}, [CLAY] = {0.9f, 0.35f, 0.2f},
        [METAL] = {1.0f, 0.85f, 0.5f}, [GLASS] = {0.6f, 0.85f, 1.0f},
        [STONE] = {0.9f, 0.9f, 0.95f}, [WOOD] = {0.75f, 0.5f, 0.3f}};
    const struct vec point = {hits->at[0][i], hits->at[1][i], hits->at[2][i]},
                     normal = {hits->at[3][i], hits->at[4][i], hits->at[5][i]};
    float shine;
    const float bright = shade_on_host(hits->material[i], point, normal, &shine);
    cl_uint nearest = 0;
    bool near = colour >> 24 == 0;
    for (int c = 0; c < 3; c++) {
        const float wanted = fminf(tints[hits->material[i]][c] * bright + shine, 1.0f);
        const float found = (float)(colour >> (16 - 8 * c) & 255);
        near = near && fabsf(found - 255.0f * wanted) <= 2.0f;
        nearest = nearest << 8 | (cl_uint)lroundf(255.0f * fmaxf(wanted, 0.0f));
    }
    return near || wrong_colour(i, colour, nearest);
}

/* ---- Sorting and shading, in one order ---- */

struct problem {
    struct report *report;
    struct device *device;
    struct hits hits;
    size_t group, lanes;
    int repeats;
    cl_mem material_buffer, at_buffers[6], order_buffer, colours_buffer, counts_buffer;
    cl_uint *order, *colours, *arrival; /* the last: colours in order of arrival */
};

static struct problem problem_for(struct report *report, struct device *device,
                                  cl_uint n) {
    const struct options *options = report->options;
    struct problem problem = {.report = report,
                              .device = device,
                              .hits = hits_make(n, options->seed),
                              .group = GROUP,
                              .lanes = options->lanes ? options->lanes : 32,
                              .repeats = options->repeats};
    while (problem.group > device->max_group)
        problem.group /= 2;
    if (problem.repeats == 0 && device->is_cpu)
        problem.repeats = REPEATS_ON_CPU;
    const size_t bytes = n * WORD, blocks = n / (problem.group * EACH);
    problem.material_buffer = buffer_from(device, problem.hits.material, n);
    for (int k = 0; k < 6; k++)
        problem.at_buffers[k] = buffer_from(device, problem.hits.at[k], bytes);
    problem.order_buffer = buffer_new(device, bytes);
    problem.colours_buffer = buffer_new(device, bytes);
    problem.counts_buffer = buffer_new(device, (2 * blocks + 2) * MATERIALS * WORD);
    problem.order = allocate(n, sizeof *problem.order);
    problem.colours = allocate(n, sizeof *problem.colours);
    problem.arrival = allocate(n, sizeof *problem.arrival);
    return problem;
}

static void problem_free(struct problem *problem) {
    free(problem->hits.at[0]);
    free(problem->hits.pixel);
    free(problem->hits.material);
    free(problem->arrival);
    free(problem->colours);
    free(problem->order);
}

/* An order, its launches, and what was found out about it. */
struct way {
    char name[16];
    size_t partition;              /* hits that are sorted together; 1: none */
    struct launch sort[3], all[4]; /* `all` ends with the shading */
    size_t count;                  /* of `all` */
    double materials, lines;       /* that a warp meets */
    double sort_ms, shade_ms, both_ms;
};

/* One more launch, behind the others; returns its kernel, which wants arguments. */
static cl_kernel way_add(struct problem *problem, struct way *way, const char *name,
                         size_t groups, size_t items) {
    struct launch *launch = &way->all[way->count++];
    cl_kernel kernel = kernel_load(problem->device, problem->report->options, name);
    *launch = launch_1d(kernel, groups * items, items);
    if (launch > way->all)
        launch[-1].then = launch;
    return kernel;
}

/* A partition that fits a group is one launch; larger ones are three for all. */
static void way_add_sort(struct problem *problem, struct way *way) {
    const cl_uint n = problem->hits.n;
    const size_t most = problem->device->max_group,
                 wide = most < SCAN_GROUP ? most : SCAN_GROUP,
                 wanted = (way->partition + EACH - 1) / EACH,
                 items = wanted < problem->group ? wanted : problem->group,
                 block = items * EACH;
    const cl_uint blocks = (cl_uint)((way->partition + block - 1) / block);
    const size_t groups = (n + way->partition - 1) / way->partition * blocks;
    const cl_uint counts = (cl_uint)(MATERIALS * groups);
    const struct arg material = ARG(problem->material_buffer),
                     order = ARG(problem->order_buffer),
                     begins = ARG(problem->counts_buffer), materials = LOCAL(block),
                     places = LOCAL((MATERIALS * items + 1) * WORD),
                     sums = LOCAL(items * WORD),
                     sorted = LOCAL(block * sizeof(cl_ushort));
    if (blocks == 1) {
        kernel_args(way_add(problem, way, "sorted_gather_within", groups, items),
                    material, order, ARG(n), materials, places, sums, sorted);
        return;
    }
    kernel_args(way_add(problem, way, "sorted_gather_count", groups, items), material,
                begins, ARG(n), ARG(blocks), materials, places, sums);
    kernel_args(way_add(problem, way, "sorted_gather_scan", 1, wide), begins,
                ARG(counts), LOCAL(wide * WORD));
    kernel_args(way_add(problem, way, "sorted_gather_scatter", groups, items), material,
                begins, order, ARG(n), ARG(blocks), materials, places, sums, sorted);
}

/* The sort alone, and with the shading behind it. */
static void way_set(struct problem *problem, struct way *way, size_t partition) {
    const cl_uint n = problem->hits.n, hits_each = (cl_uint)partition;
    const cl_mem *at = problem->at_buffers;
    way->partition = partition;
    if (partition > 1)
        way_add_sort(problem, way);
    for (size_t i = 0; i < way->count; i++) {
        way->sort[i] = way->all[i];
        way->sort[i].then = i + 1 < way->count ? &way->sort[i + 1] : NULL;
    }
    const size_t groups = (n + problem->group - 1) / problem->group;
    kernel_args(way_add(problem, way, "sorted_gather_shade", groups, problem->group),
                ARG(problem->material_buffer), ARG(at[0]), ARG(at[1]), ARG(at[2]),
                ARG(at[3]), ARG(at[4]), ARG(at[5]), ARG(problem->order_buffer),
                ARG(problem->colours_buffer), ARG(n), ARG(hits_each));
}

/* Does every index stand where a stable sort puts it: partition by partition, and in
 * each material by material? */
static bool is_left_sorted(struct problem *problem, const struct way *way) {
    const struct hits *hits = &problem->hits;
    const cl_uint *order = problem->order;
    buffer_read(problem->device, problem->order_buffer, problem->order,
                hits->n * sizeof *order);
    for (size_t first = 0; first < hits->n; first += way->partition)
        for (int m = 0; m < MATERIALS; m++)
            for (size_t i = first; i < hits->n && i < first + way->partition; i++)
                if (hits->material[i] == m && *order++ != i)
                    return wrong_at(
                        element("order", (size_t)(order - problem->order) - 1),
                        order[-1], (double)i);
    return true;
}

/* The same after a sort.  (By a list that is wrong nobody shades.) */
static bool is_sorted(struct problem *problem, const struct way *way) {
    buffer_poison(problem->device, problem->order_buffer);
    launch_ms(problem->device, &way->sort[0]);
    return is_left_sorted(problem, way);
}

/* The picture of arrival order must be the host's; all others must be that one, to the
 * last bit. */
static bool is_right(struct problem *problem, const struct way *way) {
    const bool arrival = way->partition == 1;
    cl_uint *colours = arrival ? problem->arrival : problem->colours;
    if (!arrival && !is_sorted(problem, way))
        return false;
    buffer_poison(problem->device, problem->colours_buffer);
    launch_ms(problem->device, &way->all[0]);
    buffer_read(problem->device, problem->colours_buffer, colours,
                problem->hits.n * sizeof *colours);
    for (cl_uint i = 0; i < problem->hits.n; i++)
        if (arrival ? !is_shaded(&problem->hits, i, colours[i])
                    : colours[i] != problem->arrival[i] &&
                          !wrong_colour(i, colours[i], problem->arrival[i]))
            return false;
    return true;
}

/* What the last timed launches left is still sorted, and the same picture. */
static bool is_left_right(struct problem *problem, const struct way *way) {
    if (way->partition > 1 && !is_left_sorted(problem, way))
        return false;
    buffer_read(problem->device, problem->colours_buffer, problem->colours,
                problem->hits.n * sizeof *problem->colours);
    for (cl_uint i = 0; i < problem->hits.n; i++)
        if (problem->colours[i] != problem->arrival[i])
            return wrong_colour(i, problem->colours[i], problem->arrival[i]);
    return true;
}

/* What a warp meets, in the mean: materials, and lines of 128 bytes of each array. */
static void count_warps(const struct problem *problem, struct way *way) {
    const struct hits *hits = &problem->hits;
    size_t materials = 0, lines = 0, warps = 0;
    size_t *seen = allocate(hits->n / LINE + 1, sizeof *seen); /* by which warp */
    for (size_t first = 0; first < hits->n; first += problem->lanes) {
        bool met[MATERIALS] = {false};
        warps++;
        for (size_t i = first; i < hits->n && i < first + problem->lanes; i++) {
            const size_t hit = way->partition > 1 ? problem->order[i] : i;
            materials += !met[hits->material[hit]];
            met[hits->material[hit]] = true;
            lines += seen[hit / LINE] != warps;
            seen[hit / LINE] = warps;
        }
    }
    free(seen);
    way->materials = (double)materials / (double)warps;
    way->lines = (double)lines / (double)warps;
}

/* ---- The lesson ---- */

/* A row, with the bytes for each hit that must be moved at least. */
static double row(const struct problem *problem, const struct way *way,
                  const char *what, struct timing time, size_t bytes, bool right) {
    char variant[32];
    snprintf(variant, sizeof variant, "%s%s", way->name, what);
    report_row(problem->report, (struct row){.variant = variant,
                                             .size = problem->hits.n,
                                             .time = time,
                                             .bytes = (double)bytes * problem->hits.n,
                                             .limit = problem->report->limits.read,
                                             .right = right});
    return time.median_ms;
}

static void measure(struct problem *problem, struct way *way, size_t partition) {
    const char *both = partition > 1 ? ", both" : "";
    struct timing times[2];
    way_set(problem, way, partition);
    if (!is_right(problem, way)) {
        row(problem, way, both, (struct timing){0}, 0, false);
        return;
    }
    count_warps(problem, way);
    if (partition > 1) {
        time_pair(problem->device, way->sort[0], way->all[way->count - 1],
                  problem->repeats, times);
        const bool right = right_again(is_left_right(problem, way));
        way->sort_ms = row(problem, way, ", sort", times[0], 1 + WORD, right);
        way->shade_ms =
            row(problem, way, ", shade", times[1], RECORD + 2 * WORD, right);
    }
    times[0] = time_launches(problem->device, way->all[0], problem->repeats);
    way->both_ms = row(problem, way, both, times[0], RECORD + WORD,
                       right_again(is_left_right(problem, way)));
    if (partition == 1)
        way->shade_ms = way->both_ms;
}

static void say(const struct problem *problem, const struct way *ways, size_t count) {
    struct report *report = problem->report;
    report_say(report,
               "\nMaterials that %zu lanes meet, lines that they touch in each array, "
               "and\nthe KiB of a partition's hits:\n"
               "%-13s %9s %6s %9s %9s %9s %9s",
               problem->lanes, "", "materials", "lines", "KiB", "sort ms", "shade ms",
               "both ms");
    for (const struct way *way = ways; way < ways + count; way++) {
        const size_t bytes = way->partition > 1 ? way->partition * RECORD : 0;
        report_say(report, "%-13s %9.2f %6.2f %9.0f %9.3f %9.3f %9.3f", way->name,
                   way->materials, way->lines, (double)bytes / 1024.0, way->sort_ms,
                   way->shade_ms, way->both_ms);
    }
}

/* The best size of partitions against both extremes, each in turn with it. */
static void compare(const struct problem *problem, const struct way *best,
                    const struct way *arrival, const struct way *all) {
    struct timing times[2];
    const struct ratio to_arrival = time_pair(problem->device, best->all[0],
                                              arrival->all[0], problem->repeats, times);
    const struct ratio to_all =
        time_pair(problem->device, best->all[0], all->all[0], problem->repeats, times);
    report_say(problem->report, "Best of these partitions: %s.  Against all sorted: %s",
               best->name, in_words(to_all).text);
    report_headline(problem->report, "sorted in parts against as they come",
                    to_arrival);
}

/* From arrival order to all sorted, and between them partitions of 2^k hits: of every
 * second k from 8 on, or only of the one that was asked for. */
static void climb(struct problem *problem, size_t asked) {
    const size_t n = problem->hits.n, last = asked ? asked : 31;
    struct way ways[MOST_WAYS] = {{.name = "arrival order"}}, *best = NULL, *way = ways;
    measure(problem, way++, 1);
    for (size_t k = asked ? asked : FINEST; k <= last && (size_t)1 << k < n;
         k += NEXT, way++) {
        snprintf(way->name, sizeof way->name, "2^%zu", k);
        measure(problem, way, (size_t)1 << k);
        best = best && best->both_ms <= way->both_ms ? best : way;
    }
    snprintf(way->name, sizeof way->name, "all sorted");
    measure(problem, way, n > 1 ? n : 2);
    say(problem, ways, (size_t)(way + 1 - ways));
    if (best && problem->report->wrong == 0)
        compare(problem, best, ways, way);
}

static void write_picture(const struct problem *problem, const char *path) {
    const struct hits *hits = &problem->hits;
    const size_t width = hits->width, height = (hits->n + width - 1) / width;
    const struct picture picture = {width, height, 3, allocate(width * height, 3)};
    for (size_t i = 0; i < hits->n; i++)
        for (size_t c = 0; c < 3; c++)
            picture.pixels[3 * hits->pixel[i] + c] =
                (unsigned char)(problem->arrival[i] >> (16 - 8 * c));
    picture_write(path, &picture);
    free(picture.pixels);
}

int main(int argc, char **argv) {
    const char *output = NULL, *asked = NULL;
    const struct own_option own[] = {
        {"partition", "K", "only partitions of 2^K hits, K from 4 to 31",
         .text = &asked},
        {"output", "FILE", "write the picture to a PNG file", .text = &output}};
    const struct options options = options_read_own(
        argc, argv, &(struct usage){"step14_sorted_gather", 1 << 18, 1, own, 2});
    const size_t partition = asked ? option_number("--partition", asked, 4, 31) : 0;
    struct device device = device_open(options.device);
    struct report report = report_start(&options, &device);

    /* The hits: on a GPU more than its caches hold. */
    static const size_t larger[2][2] = {{16, 64}, {2, 16}}; /* GPU, CPU; --full */
    size_t n = device_check_size(&device, options.size, WORDS, WORD);
    const size_t room = device_capacity(&device, WORDS, WORD);
    if (!options.size_given)
        n *= larger[device.is_cpu][options.full];
    struct problem problem =
        problem_for(&report, &device, (cl_uint)(n < room ? n : room));

    /* The lesson: in which order are they shaded fastest? */
    climb(&problem, partition);
    if (device.is_cpu)
        report_say(&report,
                   "A CPU's lanes take turns in any case: here, look at the counts.%s",
                   options.full ? "" : "\n(--full: 8 times the size)");
    if (output && report.wrong == 0)
        write_picture(&problem, output);

    device_close(&device);
    problem_free(&problem);
    return report_end(&report);
}
