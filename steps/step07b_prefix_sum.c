/* Step 07b: prefix sums: every element learns the sum up to it
 *
 * In step 07 the lanes of a warp found one sum.  Now every element needs a sum of its
 * own, of all elements from the first one up to itself.  A loop needs each sum to find
 * the next; how can lanes, warps and groups share this work?
 *
 * Read with  kernels/step07b_prefix_sum.cl and simd.clh, docs/step07b_prefix_sum.md
 * Try        GROUP = 64: how many more totals are there, and who adds them up?
 * Lens       --size 65536 prefix_sum_totals prefix_sum_of_totals
 *            prefix_sum_from_totals prefix_sum_blocks
 * Story      busy_lanes prefix_sum_from_totals prefix_sum_blocks
 */
#include "contest.h"

/* A tile is what a group works on, with EACH elements (4 * ROWS) for each work-item. */
enum { GROUP = 256, EACH = 16 };

static const struct sizes sizes = {.cpu = 1 << 19, .cpu_full = 1 << 24, .gpu = 1 << 28};

/* ---- The sums on the device. */

struct scan {
    struct step *step;
    cl_uint n, tiles, cores;
    size_t group, slot_bytes; /* of a group: work-items, and bytes of local memory */
    cl_uint *random;          /* the state of random_next() */
    cl_uint *x, *sums;
    cl_mem x_buffer, sums_buffer;
};

/* Three launches that follow each other. */
static struct launch three_launches(struct step *step, struct launch first,
                                    struct launch second, struct launch third) {
    struct launch *rest = step_array(step, 2, sizeof *rest);
    first.then = &rest[0];
    second.then = &rest[1];
    rest[0] = second;
    rest[1] = third;
    return first;
}

/* The total of each tile, the sums of these totals, and from them all sums. */
static struct launch in_tiles(const struct scan *scan) {
    struct step *step = scan->step;
    const size_t items = scan->tiles * scan->group;
    cl_mem totals_buffer = buffer_new(&step->device, scan->tiles * sizeof(cl_uint));
    const struct launch totals =
        LAUNCH(step, "prefix_sum_totals", items, scan->group, ARG(scan->x_buffer),
               ARG(totals_buffer), ARG(scan->n), LOCAL(scan->slot_bytes));
    const struct launch of_totals =
        LAUNCH(step, "prefix_sum_of_totals", scan->group, scan->group,
               ARG(totals_buffer), ARG(scan->tiles), LOCAL(scan->slot_bytes));
    const struct launch from_totals =
        LAUNCH(step, "prefix_sum_from_totals", items, scan->group, ARG(scan->x_buffer),
               ARG(totals_buffer), ARG(scan->sums_buffer), ARG(scan->n),
               LOCAL(scan->slot_bytes));
    return three_launches(step, totals, of_totals, from_totals);
}

/* The same, as suits a CPU: one long block for each core, with a single work-item. */
static struct launch in_blocks(const struct scan *scan) {
    struct step *step = scan->step;
    cl_mem totals_buffer = buffer_new(&step->device, scan->cores * sizeof(cl_uint));
    const struct launch totals =
        LAUNCH(step, "prefix_sum_block_totals", scan->cores, 1, ARG(scan->x_buffer),
               ARG(totals_buffer), ARG(scan->n));
    const struct launch of_totals =
        LAUNCH(step, "prefix_sum_of_totals", scan->group, scan->group,
               ARG(totals_buffer), ARG(scan->cores), LOCAL(scan->slot_bytes));
    const struct launch blocks =
        LAUNCH(step, "prefix_sum_blocks", scan->cores, 1, ARG(scan->x_buffer),
               ARG(totals_buffer), ARG(scan->sums_buffer), ARG(scan->n));
    return three_launches(step, totals, of_totals, blocks);
}

enum { TILES, BLOCKS, VARIANTS };
static const struct variant {
    const char *name;
    struct launch (*make_launch)(const struct scan *scan);
} variants[VARIANTS] = {{"three launches, tiles", in_tiles},
                        {"three launches, blocks", in_blocks}};

/* ---- What is right. */

/* New random numbers each time, so sums that an earlier launch has left are wrong. */
static void new_numbers(const struct scan *scan) {
    for (size_t i = 0; i < scan->n; i++)
        scan->x[i] = random_next(scan->random);
    buffer_write(&scan->step->device, scan->x_buffer, scan->x,
                 scan->n * sizeof *scan->x);
}

/* Does every element receive its sum?  Sums wrap around, here as on the device. */
static bool sums_right(const struct scan *scan) {
    cl_uint sum = 0;
    buffer_read(&scan->step->device, scan->sums_buffer, scan->sums,
                scan->n * sizeof *scan->sums);
    for (size_t i = 0; i < scan->n; i++) {
        sum += scan->x[i];
        if (scan->sums[i] != sum)
            return wrong_at(element("sums", i), (double)scan->sums[i], (double)sum);
    }
    return true;
}

static bool is_right(const struct entry *entry, bool again) {
    (void)again;
    const struct scan *scan = entry->of;
    new_numbers(scan);
    launch_ms(&scan->step->device, &entry->launch);
    return sums_right(scan);
}

static struct entry make_entry(const struct scan *scan, const struct variant *variant) {
    struct step *step = scan->step;
    struct entry entry = {.launch = variant->make_launch(scan), .of = scan};
    entry.row.variant = variant->name;
    entry.row.size = scan->n;
    entry.row.bytes = 2.0 * scan->n * sizeof(cl_uint);
    entry.row.limit = step->report.limits.copy;
    return entry;
}

int main(int argc, char **argv) {
    struct step step;
    step_open(&step, argc, argv,
              &(struct usage){
                  .step = "step07b_prefix_sum",
                  .lesson = "the sum up to every element, in tiles or in blocks"});
    struct device *device = &step.device;

    /* All launches read the same vector, of which each group takes a tile. */
    const cl_uint n = step_size(&step, &sizes, 2, sizeof(cl_uint));
    cl_uint random = step.options.seed + 1;
    struct scan scan = {
        .step = &step, .n = n, .random = &random, .cores = device->units};
    scan.group = step_group(&step, GROUP);
    scan.slot_bytes = scan.group * sizeof(cl_uint);
    const size_t tile = EACH * scan.group;
    scan.tiles = (cl_uint)((n + tile - 1) / tile);
    scan.x = step_array(&step, n, sizeof *scan.x);
    scan.sums = step_array(&step, n, sizeof *scan.sums);
    scan.x_buffer = buffer_new(device, n * sizeof *scan.x);
    scan.sums_buffer = buffer_new(device, n * sizeof *scan.sums);

    /* The lesson: the same sums by tiles of lanes, and by blocks of one work-item. */
    struct contest contest = contest_begin(&step, is_right);
    for (size_t v = 0; v < VARIANTS; v++)
        contest_add(&contest, make_entry(&scan, &variants[v]));
    const struct ratio ratio = contest_time(&contest, TILES, BLOCKS);

    /* The result. */
    report_headline(&step.report, "tiles, not blocks", ratio,
                    "A core needs no lanes, only one long block.");
    return step_close(&step);
}
