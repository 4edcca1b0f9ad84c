/* Step 14: sorting by material, and what it does to memory
 *
 * In step 13 the data could be laid out as lanes needed them.  Here rays have hit
 * materials in no order, and each has code of its own.  By a list that is sorted, the
 * lanes of a warp do the same again; but now they read from all over memory.
 *
 * Read with  kernels/step14_sorted_gather.cl, docs/step14_sorted_gather.md
 * Try        "2^6", 1 << 6 among the variants: what does a warp meet, and why?
 * Lens       --size 16000  sorted_gather_arrival sorted_gather_by_list
 * Story      busy_lanes sorted_gather_by_list@partition=256 sorted_gather_arrival
 */
#include "data/ray_hits.h"

#include <tgmath.h>

#include "../kernels/step14_sorted_gather.cl" /* the materials, in plain C */

enum { GROUP = 256 };
static const struct sizes sizes = {.cpu = 150000, .cpu_full = 1 << 22, .gpu = 1 << 24};

/* How many hits are sorted together; 0 stands for all of them. */
enum { ARRIVAL, HEADLINE, ALL = 6, STABLE, VARIANTS };
static const struct variant {
    const char *name;
    cl_uint partition;
} variants[] = {{"arrival order", 1}, {"2^8", 1 << 8},          {"2^10", 1 << 10},
                {"2^12", 1 << 12},    {"2^16", 1 << 16},        {"2^20", 1 << 20},
                {"all sorted", 0},    {"all sorted, stable", 0}};

/* Sorts the places within each partition by counting: `next` is where the next hit of a
 * material goes.  Hits are taken in arrival order, or in none, as by a device, whose
 * groups run in no order: j times an odd number, modulo a power of two. */
static void make_list(const struct hits *hits, size_t partition, bool stable,
                      cl_uint *list) {
    for (size_t first = 0; first < hits->n; first += partition) {
        size_t next[MATERIALS + 1] = {first};
        for (size_t i = first; i < hits->n && i < first + partition; i++)
            next[hits->material[i] + 1]++;
        for (int m = 0; m < MATERIALS; m++)
            next[m + 1] += next[m];
        for (size_t j = 0; j < partition; j++) {
            const size_t i = first + (stable ? j : j * 2654435761u % partition);
            if (i < hits->n)
                list[next[hits->material[i]]++] = (cl_uint)(i - first);
        }
    }
}

/* The hits, a list of them, and their colours. */
struct problem {
    struct hits hits;
    cl_uint *list, *colours, *expected;
    cl_mem material, at[4], list_buffer, colours_buffer;
};

static struct problem make_problem(struct step *step, cl_uint n) {
    struct problem p = {.hits = hits_make(step, n, MATERIALS)};
    float *const *at = p.hits.at;
    p.material = buffer_from(&step->device, p.hits.material, n);
    for (int k = 0; k < 4; k++)
        p.at[k] = buffer_from(&step->device, at[k], n * sizeof(float));
    p.list = step_array(step, n, sizeof *p.list);
    p.list_buffer = buffer_new(&step->device, n * sizeof *p.list);
    p.colours = step_array(step, n, sizeof *p.colours);
    p.colours_buffer = buffer_new(&step->device, n * sizeof *p.colours);
    p.expected = step_array(step, n, sizeof *p.expected);
    for (cl_uint i = 0; i < n; i++)
        p.expected[i] =
            shade(p.hits.material[i], hit_at(at[0][i], at[1][i], at[2][i], at[3][i]));
    return p;
}

/* Launches once, over colours of which each bit is wrong.  A GPU may round roots in
 * another way, so there in one of 100 hits the three channels may be off by 1. */
static bool is_right(struct device *device, const struct launch *launch,
                     const struct problem *p) {
    const size_t n = p->hits.n, may_be_off = device->is_cpu ? 0 : n / 100 + 1;
    for (size_t i = 0; i < n; i++)
        p->colours[i] = p->expected[i] ^ 0xffffff;
    buffer_write(device, p->colours_buffer, p->colours, n * sizeof *p->colours);
    launch_ms(device, launch);
    buffer_read(device, p->colours_buffer, p->colours, n * sizeof *p->colours);
    for (size_t i = 0, off = 0; i < n; i++) {
        const cl_uint is = p->colours[i], expected = p->expected[i];
        bool near = is >> 24 == 0;
        for (int c = 0; c < 24; c += 8)
            near &= (is >> c & 255) + 1 - (expected >> c & 255) <= 2; /* unsigned */
        if (!near || (off += is != expected) > may_be_off)
            return wrong("colours[%zu] is 0x%06x, expected 0x%06x", i, is, expected);
    }
    return true;
}

int main(int argc, char **argv) {
    struct step step;
    const char *output = NULL;
    const struct own_option own = {"output", "FILE", "write the picture to a PNG file",
                                   .file = &output};
    step_open(
        &step, argc, argv,
        &(struct usage){.step = "step14_sorted_gather", .own = &own, .own_count = 1});
    const cl_uint n = step_size(&step, &sizes, 7, sizeof(float));
    struct problem p = make_problem(&step, n);
    cl_uint all = 2; /* in one partition of a power of two */
    while (all < n)
        all *= 2;

    /* The lesson: which order is fastest?  Each alternates with that of arrival. */
    const size_t group = step_group(&step, GROUP);
    const struct launch arrival =
        LAUNCH(&step, "sorted_gather_arrival", n, group, ARG(p.material), ARG(p.at[0]),
               ARG(p.at[1]), ARG(p.at[2]), ARG(p.at[3]), ARG(p.colours_buffer), ARG(n));
    struct timing times[2];
    struct ratio ratios[VARIANTS];
    char counts[64 * VARIANTS] = "", *end = counts;
    for (int v = 0; v < VARIANTS; v++) {
        const cl_uint part = v == STABLE ? n : v == ALL ? all : variants[v].partition;
        if (v != ARRIVAL && v < ALL && part >= n)
            continue;
        make_list(&p.hits, part, v == STABLE, p.list);
        buffer_write(&step.device, p.list_buffer, p.list, n * sizeof *p.list);
        const struct launch by_list =
            LAUNCH(&step, "sorted_gather_by_list", n, group, ARG(p.material),
                   ARG(p.at[0]), ARG(p.at[1]), ARG(p.at[2]), ARG(p.at[3]),
                   ARG(p.list_buffer), ARG(p.colours_buffer), ARG(n), ARG(part));
        const struct launch launch = v == ARRIVAL ? arrival : by_list;
        struct row row = {variants[v].name, n, .limit = step.report.limits.read};
        row.right = is_right(&step.device, &launch, &p);
        ratios[v] =
            time_pair(&step.device, launch, arrival, step.options.repeats, times);
        row.right = row.right && right_again(is_right(&step.device, &launch, &p));
        row.time = times[0];
        row.bytes = (v == ARRIVAL ? 21.0 : 25.0) * n; /* with an entry of the list */
        report_row(&step.report, row);
        const struct met met = hits_met(&step, &p.hits, p.list, part);
        end += sprintf(end, "\n%-18s %9.2f %9.2f %9.2f", row.variant, met.materials,
                       met.lines, met.pages);
    }

    /* The result, and what a warp meets. */
    report_headline(&step.report, "sorted in parts against as they come",
                    ratios[n > variants[HEADLINE].partition ? HEADLINE : ALL]);
    report_say(&step.report,
               "A warp meets   materials     lines     pages  of an array%s", counts);
    if (step.device.is_cpu)
        report_say(&step.report, "A CPU core runs one work-item after another, so no "
                                 "lane waits for another's material.");
    if (output && step.report.wrong == 0)
        hits_write(&p.hits, p.colours, output);
    return step_close(&step);
}
