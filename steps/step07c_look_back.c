/* Step 07c: look-back: a prefix sum in one launch
 *
 * Step 07b read the array twice, in three launches.  A group that learns the sum of all
 * earlier tiles during the launch has to read its tile only once.  How can it learn it?
 *
 * Read with  kernels/step07c_look_back.cl and step07b_prefix_sum.cl,
 *            docs/step07c_look_back.md
 * Try        GROUP = 64: how much slower is the chain on a GPU, and why?
 * Lens       --size 65536 prefix_sum_chained prefix_sum_look_back prefix_sum_fall_back
 */
#include "contest.h"

/* A tile is what a group works on, with EACH elements (4 * ROWS) for each work-item. */
enum { GROUP = 256, EACH = 16 };

static const struct sizes sizes = {.cpu = 1 << 19, .cpu_full = 1 << 24, .gpu = 1 << 28};

/* The upper half of a tile's status word in the first launch: it says whether the lower
 * half is the sum of the tile's own elements or of all elements up to its end. */
enum { TOTAL = 1, PREFIX = 2 };

/* ---- The sums on the device. */

struct scan {
    struct step *step;
    cl_uint n, tiles;
    size_t group, slot_bytes; /* of a group: work-items, and bytes of local memory */
    cl_uint random;           /* the state of random_next() */
    cl_uint *x, *sums;
    cl_mem x_buffer, sums_buffer;
    cl_mem words_buffer; /* a status word for each tile, and a counter */
};

/* Three launches, one after another. */
static struct launch three_launches(struct step *step, struct launch first,
                                    struct launch second, struct launch third) {
    struct launch *rest = step_array(step, 2, sizeof *rest);
    first.then = &rest[0];
    second.then = &rest[1];
    rest[0] = second;
    rest[1] = third;
    return first;
}

/* The total of each tile, the prefix sums of the totals, and from these all sums. */
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

/* One launch, in which each group learns the sum of all earlier tiles. */
static struct launch in_one(const struct scan *scan, const char *kernel) {
    return LAUNCH(scan->step, kernel, scan->tiles * scan->group, scan->group,
                  ARG(scan->x_buffer), ARG(scan->words_buffer), ARG(scan->sums_buffer),
                  ARG(scan->n), LOCAL(scan->slot_bytes));
}

static struct launch chained(const struct scan *scan) {
    return in_one(scan, "prefix_sum_chained");
}

static struct launch looking_back(const struct scan *scan) {
    return in_one(scan, "prefix_sum_look_back");
}

static struct launch falling_back(const struct scan *scan) {
    return in_one(scan, "prefix_sum_fall_back");
}

/* All but the first need atomics of 64 bits. */
enum { TILES, CHAINED, LOOK_BACK, FALL_BACK, VARIANTS };
static const struct variant {
    const char *name;
    struct launch (*make_launch)(const struct scan *scan);
    bool half_begun; /* checked with half of the tiles begun, see begin_tiles(): only
                      * where groups take their tiles from the counter */
} variants[VARIANTS] = {{"three launches, tiles", in_tiles, false},
                        {"one launch, chained", chained, false},
                        {"one launch, look-back", looking_back, true},
                        {"one launch, fallback", falling_back, false}};

/* ---- What is right. */

/* Random numbers of 32 bits, new ones for each check, so that sums that an earlier
 * launch has left are wrong. */
static void new_numbers(struct scan *scan) {
    for (size_t i = 0; i < scan->n; i++)
        scan->x[i] = random_next(&scan->random);
    buffer_write(&scan->step->device, scan->x_buffer, scan->x,
                 scan->n * sizeof *scan->x);
}

/* Writes the status words as if the first `begun` tiles had begun: the first has
 * published its prefix, and the others only their totals.  Otherwise groups that run
 * one after another would always find a prefix at once. */
static void begin_tiles(const struct scan *scan, size_t begun) {
    const size_t tile = EACH * scan->group;
    cl_ulong *words = step_array(scan->step, scan->tiles + 1, sizeof *words);
    for (size_t t = 0; t < begun; t++) {
        const cl_ulong known = t == 0 ? PREFIX : TOTAL;
        cl_uint total = 0;
        for (size_t i = t * tile; i < (t + 1) * tile; i++)
            total += scan->x[i];
        words[t] = known << 32 | total;
    }
    words[scan->tiles] = begun; /* the counter: the next tile */
    buffer_write(&scan->step->device, scan->words_buffer, words,
                 (scan->tiles + 1) * sizeof *words);
}

/* Does every element have its sum?  Sums wrap around, here as on the device. */
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

/* A variant, and the data that all variants work on. */
struct trial {
    struct scan *scan;
    const struct variant *variant;
};

static bool is_right(const struct entry *entry, bool again) {
    const struct trial *trial = entry->of;
    struct scan *scan = trial->scan;
    new_numbers(scan);
    if (!again)
        begin_tiles(scan, trial->variant->half_begun ? scan->tiles / 2 : 0);
    launch_ms(&scan->step->device, &entry->launch);
    return sums_right(scan);
}

static struct entry make_entry(struct scan *scan, const struct variant *variant) {
    struct step *step = scan->step;
    struct trial *trial = step_array(step, 1, sizeof *trial);
    trial->scan = scan;
    trial->variant = variant;
    struct entry entry = {.launch = variant->make_launch(scan), .of = trial};
    entry.row.variant = variant->name;
    entry.row.size = scan->n;
    entry.row.bytes = 2.0 * scan->n * sizeof(cl_uint);
    entry.row.limit = step->report.limits.copy;
    return entry;
}

int main(int argc, char **argv) {
    struct step step;
    step_open(
        &step, argc, argv,
        &(struct usage){
            .step = "step07c_look_back",
            .lesson = "a prefix sum in one launch: wait, look back, or fall back"});
    struct device *device = &step.device;

    /* All variants sum up the same vector, in the same tiles. */
    const cl_uint n = step_size(&step, &sizes, 2, sizeof(cl_uint));
    struct scan scan = {.step = &step, .n = n};
    scan.random = step.options.seed + 1;
    scan.group = step_group(&step, GROUP);
    scan.slot_bytes = scan.group * sizeof(cl_uint);
    const size_t tile = EACH * scan.group;
    scan.tiles = (cl_uint)((n + tile - 1) / tile);
    scan.x = step_array(&step, n, sizeof *scan.x);
    scan.sums = step_array(&step, n, sizeof *scan.sums);
    scan.x_buffer = buffer_new(device, n * sizeof *scan.x);
    scan.sums_buffer = buffer_new(device, n * sizeof *scan.sums);
    scan.words_buffer = buffer_new(device, (scan.tiles + 1) * sizeof(cl_ulong));

    /* The lesson: the same sums in three launches, and in one. */
    const bool has_atomics = device_has(device->id, "cl_khr_int64_base_atomics");
    const size_t last = has_atomics ? FALL_BACK : TILES;
    struct contest contest = contest_begin(&step, is_right);
    for (size_t v = 0; v <= last; v++)
        contest_add(&contest, make_entry(&scan, &variants[v]));

    /* The timed launches begin with the first tile. */
    begin_tiles(&scan, 0);
    const struct ratio ratio =
        contest_time(&contest, has_atomics ? LOOK_BACK : TILES, TILES);

    /* The result. */
    if (has_atomics)
        report_headline(&step.report, "one launch, not three", ratio,
                        "A core, too, then adds up each tile once.");
    else
        report_say(&step.report, "This device has no atomics of 64 bits.");
    return step_close(&step);
}
