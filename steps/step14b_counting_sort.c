/* Step 14b: radix sort: counts, prefix sums, ranks
 *
 * In step 14 hits were sorted by material.  Here is how: count the keys of each bin,
 * and the prefix sums of the counts say where each bin begins.  What is left is to find
 * out how many earlier keys are in the same bin, and to write in runs.
 *
 * Read with  kernels/step14b_counting_sort.cl, docs/step14b_counting_sort.md
 * Try        EACH = 4, here and in the kernels: which rows become slower, and why?
 * Lens       --size 24576 counting_sort_alone counting_sort_by_items
 *            counting_sort_direct counting_sort_tiles
 * Story      store_sectors counting_sort_tiles counting_sort_direct
 */
#include "contest.h"

/* The array is cut into tiles, for a group each, with EACH keys for each work-item (in
 * the kernels, too); or into blocks of BLOCK keys, for a work-item each. */
enum { GROUP = 384, EACH = 16 };
enum { BLOCK_GROUP = 32, BLOCK = 4096 };

static const struct sizes sizes = {.cpu = 300000, .cpu_full = 1 << 22, .gpu = 1 << 26};

/* A block is counted by its work-item alone; in a tile, each work-item has counters, or
 * each warp.  Pairs go to their places directly, or after their tile was sorted first.
 * Each pass sorts by at most MAX_BITS bits, and by 0 bits if it is not needed.  The
 * variants after the first four come with --all. */
enum { MAX_PASSES = 4, MAX_BITS = 8 };
enum {
    BLOCKS,
    BY_ITEMS,
    DIRECT,
    SORTED_FIRST,
    FOUR_BITS,
    TWELVE_BITS,
    ALL_BITS,
    VARIANTS
};
enum { SHOWN_BY_DEFAULT = 4 };
static const struct variant {
    const char *name, *kernel;
    bool has_blocks; /* not tiles */
    cl_uint bits[MAX_PASSES];
} variants[VARIANTS] = {
    [BLOCKS] = {"blocks, one item each", "counting_sort_alone", true, {8}},
    [BY_ITEMS] = {"counts of items, 2 x 4", "counting_sort_by_items", false, {4, 4}},
    [DIRECT] = {"counts of warps, direct", "counting_sort_direct", false, {8}},
    [SORTED_FIRST] = {"counts of warps, sorted", "counting_sort_tiles", false, {8}},
    [FOUR_BITS] = {"sorted, 4 bits", "counting_sort_tiles", false, {4}},
    [TWELVE_BITS] = {"sorted, 12 bits, 2 x 6", "counting_sort_tiles", false, {6, 6}},
    [ALL_BITS] = {
        "sorted, 32 bits, 4 x 8", "counting_sort_tiles", false, {8, 8, 8, 8}}};

static int passes_of(const struct variant *variant) {
    int passes = 0;
    while (passes < MAX_PASSES && variant->bits[passes] > 0)
        passes++;
    return passes;
}

/* Pairs of a key and a value.  Buffer 0 has them as they come, and keeps them so; the
 * first pass writes to buffer 1, and the next ones to 2, 1, 2. */
enum { PAIRS_BUFFERS = 3 };
struct pairs {
    struct step *step;
    cl_uint n;
    size_t bytes; /* of all keys, and of all values */
    cl_uint *keys, *values, *keys_found, *values_found;
    cl_mem keys_buffers[PAIRS_BUFFERS], values_buffers[PAIRS_BUFFERS];
    cl_mem counts_buffer, begins_buffer;
};

/* The buffer that has the pairs after so many passes. */
static int buffer_after(int passes) {
    if (passes == 0)
        return 0;
    return passes % 2 == 1 ? 1 : 2;
}

/* A variant, and the launches that sort with it. */
enum { LAUNCHES = 4 }; /* of a pass */
struct sort {
    const struct variant *variant;
    struct pairs *pairs;
    struct launch launches[MAX_PASSES * LAUNCHES];
};

static struct pairs make_pairs(struct step *step, cl_uint n) {
    struct device *device = &step->device;
    struct pairs pairs = {.step = step, .n = n, .bytes = n * sizeof(cl_uint)};
    pairs.keys = step_array(step, n, sizeof(cl_uint));
    pairs.values = step_array(step, n, sizeof(cl_uint));
    pairs.keys_found = step_array(step, n, sizeof(cl_uint));
    pairs.values_found = step_array(step, n, sizeof(cl_uint));
    for (int i = 0; i < PAIRS_BUFFERS; i++) {
        pairs.keys_buffers[i] = buffer_new(device, pairs.bytes);
        pairs.values_buffers[i] = buffer_new(device, pairs.bytes);
    }

    /* A count for each bin of each part, with room for tiles or for blocks.  The last
     * tile may be cut, and the last group may have work-items without a block. */
    const size_t bins = 1 << MAX_BITS;
    const size_t tiles = n / (EACH * step_group(step, GROUP)) + 1;
    const size_t blocks = n / BLOCK + BLOCK_GROUP;
    pairs.counts_buffer = buffer_new(device, (tiles + blocks) * bins * sizeof(cl_uint));
    pairs.begins_buffer = buffer_new(device, bins * sizeof(cl_uint));
    return pairs;
}

/* A key is the high halves of two random numbers, because the low bits of random_next()
 * soon repeat.  A value is the place of its pair, as in a list of indices.  With
 * many_equal, about a third of the keys are 1, so that from about n = 196,608 on a bin
 * has more keys than 16 bits can count. */
static void new_pairs(struct pairs *pairs, bool many_equal) {
    struct device *device = &pairs->step->device;
    cl_uint state = pairs->step->options.seed + (many_equal ? 2 : 1);
    for (cl_uint i = 0; i < pairs->n; i++) {
        const cl_uint random = random_next(&state);
        pairs->keys[i] = random >> 16 | (random_next(&state) & 0xffff0000u);
        if (many_equal && random % 3 == 0)
            pairs->keys[i] = 1;
        pairs->values[i] = i;
    }
    buffer_write(device, pairs->keys_buffers[0], pairs->keys, pairs->bytes);
    buffer_write(device, pairs->values_buffers[0], pairs->values, pairs->bytes);
}

/* Is each pair where a stable sort by the lowest bits of the keys puts it?  A value
 * says where its pair came from.  So it is enough that each key is the one that came
 * from there, that no bin is followed by a smaller one, and that within a bin the
 * values become larger: then no pair is there twice, and so none is missing. */
static bool are_sorted(const struct pairs *pairs, cl_uint bits) {
    const cl_uint *keys = pairs->keys_found, *values = pairs->values_found;
    const cl_uint mask = ~0u >> (32 - bits);
    cl_uint last_bin = 0, last_value = 0;
    for (cl_uint i = 0; i < pairs->n; i++) {
        const cl_uint bin = keys[i] & mask, value = values[i];
        if (value >= pairs->n)
            return wrong("values[%u] is %u, and there are %u pairs", i, value,
                         pairs->n);
        if (keys[i] != pairs->keys[value])
            return wrong_at(element("keys", i), keys[i], pairs->keys[value]);
        if (i > 0 && bin < last_bin)
            return wrong("keys[%u] belongs to bin %u, after a key of bin %u", i, bin,
                         last_bin);
        if (i > 0 && bin == last_bin && value <= last_value)
            return wrong("values[%u] is %u, after %u in the same bin", i, value,
                         last_value);
        last_bin = bin;
        last_value = value;
    }
    return true;
}

/* Sorts once.  Before that, values are written where keys are to come, and keys where
 * values are to come.  When it is asked `again`, after the timed launches, other pairs
 * are sorted, many with equal keys: what those launches have left is wrong for them. */
static bool is_right(const struct entry *entry, bool again) {
    const struct sort *sort = entry->of;
    struct pairs *pairs = sort->pairs;
    struct device *device = &pairs->step->device;
    const int passes = passes_of(sort->variant), last = buffer_after(passes);
    cl_uint bits = 0;
    for (int pass = 0; pass < passes; pass++)
        bits += sort->variant->bits[pass];

    new_pairs(pairs, again);
    for (int i = 1; i < PAIRS_BUFFERS; i++) {
        buffer_write(device, pairs->keys_buffers[i], pairs->values, pairs->bytes);
        buffer_write(device, pairs->values_buffers[i], pairs->keys, pairs->bytes);
    }
    launch_ms(device, &entry->launch);
    buffer_read(device, pairs->keys_buffers[last], pairs->keys_found, pairs->bytes);
    buffer_read(device, pairs->values_buffers[last], pairs->values_found, pairs->bytes);
    const bool right = are_sorted(pairs, bits);

    if (again)
        new_pairs(pairs, false); /* what is timed next gets the same as all others */
    return right;
}

/* A pass sorts by the bits from `shift` on, in four launches.  The first one counts the
 * keys of each bin in each part (a tile or a block); the second one makes prefix sums
 * of each bin's counts over all parts; the third one makes prefix sums of the bins'
 * totals; and the fourth one moves all pairs to their places. */
static void make_pass(struct sort *sort, int pass, cl_uint shift) {
    const struct variant *variant = sort->variant;
    struct pairs *pairs = sort->pairs;
    struct step *step = pairs->step;
    struct launch *launch = &sort->launches[pass * LAUNCHES];
    const int from = buffer_after(pass), to = buffer_after(pass + 1);
    const cl_uint n = pairs->n, bins = 1u << variant->bits[pass];
    const size_t tile_group = step_group(step, GROUP);
    const size_t block_group = step_group(step, BLOCK_GROUP);
    const size_t group = variant->has_blocks ? block_group : tile_group;
    const size_t each = variant->has_blocks ? BLOCK : EACH;
    const size_t items = (n + each - 1) / each;

    launch[0] = LAUNCH(step, variant->has_blocks ? "count_alone" : "count_tile", items,
                       group, ARG(pairs->keys_buffers[from]), ARG(pairs->counts_buffer),
                       ARG(n), ARG(shift), ARG(bins));

    const size_t part = variant->has_blocks ? 1 : group;
    const cl_uint parts = (cl_uint)(launch[0].global[0] / part);
    launch[1] =
        LAUNCH(step, "sum_rows", bins * tile_group, tile_group,
               ARG(pairs->counts_buffer), ARG(parts), ARG(pairs->begins_buffer));
    launch[2] = LAUNCH(step, "sum_rows", tile_group, tile_group,
                       ARG(pairs->begins_buffer), ARG(bins), ARG(pairs->begins_buffer));
    launch[3] =
        LAUNCH(step, variant->kernel, items, group, ARG(pairs->keys_buffers[from]),
               ARG(pairs->values_buffers[from]), ARG(pairs->counts_buffer),
               ARG(pairs->begins_buffer), ARG(pairs->keys_buffers[to]),
               ARG(pairs->values_buffers[to]), ARG(n), ARG(shift), ARG(bins));
}

/* The launches of all passes follow each other, and are timed together. */
static struct entry make_entry(struct pairs *pairs, const struct variant *variant) {
    struct step *step = pairs->step;
    struct sort *sort = step_array(step, 1, sizeof *sort);
    sort->variant = variant;
    sort->pairs = pairs;
    const int passes = passes_of(variant);
    cl_uint shift = 0;
    for (int pass = 0; pass < passes; pass++) {
        make_pass(sort, pass, shift);
        shift += variant->bits[pass];
    }
    for (int i = 0; i + 1 < passes * LAUNCHES; i++)
        sort->launches[i].then = &sort->launches[i + 1];

    struct entry entry = {.of = sort, .launch = sort->launches[0]};
    entry.row.variant = variant->name;
    entry.row.size = pairs->n;
    entry.row.bytes = 16.0 * pairs->n; /* both numbers of a pair, in and out */
    entry.row.limit = step->report.limits.copy;
    return entry;
}

/* Are blocks, which share nothing, faster than all others, by more than the noise? */
static bool blocks_are_fastest(const struct contest *contest) {
    const struct timing blocks = contest->entries[BLOCKS].row.time;
    for (size_t v = 0; v < contest->count; v++) {
        if (v == BLOCKS)
            continue;
        const struct ratio faster = ratio_between(blocks, contest->entries[v].row.time);
        if (!told_apart(faster) || faster.median <= 1.0)
            return false;
    }
    return true;
}

int main(int argc, char **argv) {
    struct step step;
    step_open(&step, argc, argv,
              &(struct usage){
                  .step = "step14b_counting_sort",
                  .lesson = "the same sort; only how its counts are made differs"});

    /* Keys and values, as they come and as the passes leave them. */
    const cl_uint n = step_size(&step, &sizes, 2 * PAIRS_BUFFERS, sizeof(cl_uint));
    struct pairs pairs = make_pairs(&step, n);

    /* The lesson: who counts, and in which order are pairs stored? */
    struct contest contest = contest_begin(&step, is_right);
    const size_t count = step.options.all ? VARIANTS : SHOWN_BY_DEFAULT;
    for (size_t v = 0; v < count; v++)
        contest_add(&contest, make_entry(&pairs, &variants[v]));
    const struct ratio ratio = contest_time(&contest, SORTED_FIRST, DIRECT);

    /* The result. */
    report_headline(&step.report, "tile sorted first, not direct", ratio,
                    blocks_are_fastest(&contest)
                        ? "A core sorts best alone: it shares no counters."
                        : NULL);
    return step_close(&step);
}
