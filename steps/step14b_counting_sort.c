/* Step 14b: sorting on the device, out of counts and prefix sums
 *
 * In step 14 hits were sorted by material.  Here is how: count the keys of each bin,
 * and the prefix sums of the counts say where each bin begins.  What is left is to find
 * out how many equal keys are in front of each key, and to write in runs.
 *
 * Read with  kernels/step14b_counting_sort.cl, docs/step14b_counting_sort.md
 * Try        EACH = 4, here and in the kernels: which rows become slower, and why?
 * Lens       --size 16384 counting_sort_alone counting_sort_by_items
 *            counting_sort_direct counting_sort_tiles
 * Story      store_sectors counting_sort_tiles counting_sort_direct
 */
#include "step.h"

/* EACH keys for each work-item, in the kernels, too; BLOCK for one that works alone. */
enum { GROUP = 256, EACH = 16, ALONE_GROUP = 32, BLOCK = 4096, BITS = 8 };
static const struct sizes sizes = {.cpu = 300000, .cpu_full = 1 << 22, .gpu = 1 << 26};

/* How places are found, and the bits of each pass; the last two come with --all. */
enum { ALONE, BY_ITEMS, DIRECT, SORTED, BY_DEFAULT, PASSES = 2, LAUNCHES = 4 };
static const struct variant {
    const char *name, *kernel;
    cl_uint bits[PASSES];
} variants[] = {{"blocks, one item each", "counting_sort_alone", {8}},
                {"counts of items, 2 x 4", "counting_sort_by_items", {4, 4}},
                {"counts of warps, direct", "counting_sort_direct", {8}},
                {"counts of warps, sorted", "counting_sort_tiles", {8}},
                {"sorted, 4 bits", "counting_sort_tiles", {4}},
                {"sorted, 12 bits, 2 x 6", "counting_sort_tiles", {6, 6}}};

struct sort {
    struct step *step;
    struct device *device;
    cl_uint n;
    size_t group, bytes;                           /* of all keys */
    cl_uint *pairs[2], *found[2];                  /* keys, and values */
    cl_mem buffers[PASSES + 1][2], counts, begins; /* the first two: the pairs */
};

static struct sort make_sort(struct step *step, cl_uint n) {
    struct sort p = {.step = step, .device = &step->device, .n = n};
    p.group = step_group(step, GROUP);
    p.bytes = n * sizeof(cl_uint);
    for (int k = 0; k < 2; k++) {
        p.pairs[k] = step_array(step, n, sizeof(cl_uint));
        p.found[k] = step_array(step, n, sizeof(cl_uint));
        for (int i = 0; i <= PASSES; i++)
            p.buffers[i][k] = buffer_new(p.device, p.bytes);
    }
    const size_t parts = n / (EACH * p.group) + 1 + n / BLOCK + ALONE_GROUP;
    p.counts = buffer_new(p.device, parts * sizeof(cl_uint) << BITS);
    p.begins = buffer_new(p.device, sizeof(cl_uint) << BITS);
    return p;
}

/* Keys are sorted by their low bits, so these are the high ones of random numbers; or,
 * in a third of the keys, all equal, so that a bin has more than fits in 16 bits. */
static void new_pairs(struct sort *p, bool equal) {
    cl_uint state = p->step->options.seed + 1 + equal;
    for (cl_uint i = 0; i < p->n; i++) {
        const cl_uint random = random_next(&state);
        p->pairs[0][i] = equal && random % 3 == 0 ? 1 : random << 12 | random >> 20;
        p->pairs[1][i] = random_next(&state);
    }
    for (int k = 0; k < 2; k++)
        buffer_write(p->device, p->buffers[0][k], p->pairs[k], p->bytes);
}

/* Is each pair where a stable sort puts it?  It has to replace other numbers. */
static bool is_right(struct sort *p, size_t v, const struct launch *launch) {
    const cl_uint *bits = variants[v].bits, bins = 1u << (bits[0] + bits[1]);
    for (int i = 2; i < 2 * PASSES + 2; i++)
        buffer_write(p->device, p->buffers[i / 2][i % 2], p->pairs[1 - i % 2],
                     p->bytes);
    launch_ms(p->device, launch);
    for (int k = 0; k < 2; k++)
        buffer_read(p->device, p->buffers[bits[1] ? 2 : 1][k], p->found[k], p->bytes);
    cl_uint *next = step_array(p->step, bins + 1, sizeof *next);
    for (cl_uint i = 0; i < p->n; i++)
        next[p->pairs[0][i] % bins + 1]++;
    for (cl_uint bin = 0; bin < bins; bin++)
        next[bin + 1] += next[bin];
    for (cl_uint i = 0; i < p->n; i++) {
        const cl_uint at = next[p->pairs[0][i] % bins]++;
        for (int k = 0; k < 2; k++)
            if (p->found[k][at] != p->pairs[k][i])
                return wrong_at(element(k ? "values" : "keys", at), p->found[k][at],
                                p->pairs[k][i]);
    }
    return true;
}

/* Each part counts its bins; the sums in each bin, and of the bins; all pairs move. */
static void make_pass(const struct sort *p, size_t v, int pass, struct launch *l) {
    const cl_uint *bits = variants[v].bits, bins = 1u << bits[pass];
    const cl_uint shift = pass ? bits[0] : 0, alone = v == ALONE;
    const cl_mem *in = p->buffers[pass], *out = p->buffers[pass + 1];
    const size_t group = alone ? step_group(p->step, ALONE_GROUP) : p->group,
                 each = alone ? BLOCK : EACH, items = (p->n + each - 1) / each;
    l[0] = LAUNCH(p->step, alone ? "count_alone" : "count_tile", items, group,
                  ARG(in[0]), ARG(p->counts), ARG(p->n), ARG(shift), ARG(bins));
    const cl_uint parts = (cl_uint)(l[0].global[0] / (alone ? 1 : group));
    l[1] = LAUNCH(p->step, "sum_rows", bins * p->group, p->group, ARG(p->counts),
                  ARG(parts), ARG(p->begins));
    l[2] = LAUNCH(p->step, "sum_rows", p->group, p->group, ARG(p->begins), ARG(bins),
                  ARG(p->begins));
    l[3] = LAUNCH(p->step, variants[v].kernel, items, group, ARG(in[0]), ARG(in[1]),
                  ARG(p->counts), ARG(p->begins), ARG(out[0]), ARG(out[1]), ARG(p->n),
                  ARG(shift), ARG(bins));
    for (int i = pass ? -1 : 0; i + 1 < LAUNCHES; i++)
        l[i].then = &l[i + 1];
}

int main(int argc, char **argv) {
    struct step step;
    step_open(&step, argc, argv, &(struct usage){.step = "step14b_counting_sort"});
    const cl_uint n = step_size(&step, &sizes, 6, sizeof(cl_uint));

    /* The lesson: who counts, and in which order are pairs stored? */
    struct sort p = make_sort(&step, n);
    const size_t count = step.options.all ? COUNT(variants) : BY_DEFAULT;
    struct launch launches[COUNT(variants)][PASSES * LAUNCHES];
    struct timing times[COUNT(variants)], pair[2];
    for (size_t v = 0; v < count; v++) {
        for (int pass = 0; pass < PASSES && variants[v].bits[pass] > 0; pass++)
            make_pass(&p, v, pass, &launches[v][pass * LAUNCHES]);
        new_pairs(&p, false);
        const bool right = is_right(&p, v, launches[v]);
        struct row row = step_time(&step, variants[v].name, launches[v], n, 16.0 * n,
                                   step.report.limits.copy);
        times[v] = row.time;
        new_pairs(&p, true); /* what earlier launches have left is wrong now */
        row.right = right && right_again(is_right(&p, v, launches[v]));
        report_row(&step.report, row);
    }

    /* The result: two once more, alternating. */
    new_pairs(&p, false);
    report_headline(&step.report, "tile sorted first against direct",
                    time_pair(p.device, *launches[SORTED], *launches[DIRECT],
                              step.options.repeats, pair));
    bool best = step.device.is_cpu;
    for (size_t v = ALONE + 1; v < count; v++) {
        const struct ratio slower = ratio_between(times[ALONE], times[v]);
        best = best && told_apart(slower) && slower.median > 1.0;
    }
    if (best)
        report_say(&step.report, "A CPU core sorts best alone: it shares no counters.");
    return step_close(&step);
}
