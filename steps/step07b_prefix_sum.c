/* Step 07b: every element learns the sum before it
 *
 * In step 07 the lanes of a warp found one sum.  Now every element needs the sum of all
 * elements up to itself, its prefix sum.  Each needs the one before; can it be shared?
 *
 * Read with  kernels/step07b_prefix_sum.cl and simd.clh, docs/step07b_prefix_sum.md
 * Try        GROUP = 64: how much slower is the chain on a GPU, and why?
 * Lens       --size 65536 prefix_sum_totals prefix_sum_of_totals
 *            prefix_sum_from_totals prefix_sum_chained prefix_sum_look_back
 */
#include "step.h"

/* A tile is what a group works on, with EACH elements (4 * ROWS) for each work-item. */
enum { GROUP = 256, EACH = 16 };
static const struct sizes sizes = {.cpu = 1 << 19, .cpu_full = 1 << 24, .gpu = 1 << 28};

enum { TILES, BLOCKS, CHAINED, LOOK_BACK, VARIANTS }; /* two need 64-bit atomics */
static const char *const names[] = {"three launches, tiles", "three launches, blocks",
                                    "one launch, chained", "one launch, look-back"};

struct scan {
    struct step *step;
    cl_uint n, tiles, cores, random;
    size_t group, slots; /* work-items of a group, and bytes of its local memory */
    cl_uint *x, *sums;
    cl_mem x_buffer, sums_buffer, words_buffer;
};

/* Three launches: totals of tiles, sums of the totals, all sums.  `then` keeps two. */
static struct launch in_tiles(const struct scan *p, struct launch then[2]) {
    const size_t items = p->tiles * p->group;
    cl_mem totals = buffer_new(&p->step->device, p->tiles * sizeof(cl_uint));
    struct launch first =
        LAUNCH(p->step, "prefix_sum_totals", items, p->group, ARG(p->x_buffer),
               ARG(totals), ARG(p->n), LOCAL(p->slots));
    then[0] = LAUNCH(p->step, "prefix_sum_of_totals", p->group, p->group, ARG(totals),
                     ARG(p->tiles), LOCAL(p->slots));
    then[1] =
        LAUNCH(p->step, "prefix_sum_from_totals", items, p->group, ARG(p->x_buffer),
               ARG(totals), ARG(p->sums_buffer), ARG(p->n), LOCAL(p->slots));
    first.then = &then[0];
    then[0].then = &then[1];
    return first;
}

/* The same for a CPU: one long block for each core, and a work-item alone for each. */
static struct launch in_blocks(const struct scan *p, struct launch then[2]) {
    cl_mem totals = buffer_new(&p->step->device, p->cores * sizeof(cl_uint));
    struct launch first = LAUNCH(p->step, "prefix_sum_block_totals", p->cores, 1,
                                 ARG(p->x_buffer), ARG(totals), ARG(p->n));
    then[0] = LAUNCH(p->step, "prefix_sum_of_totals", p->group, p->group, ARG(totals),
                     ARG(p->cores), LOCAL(p->slots));
    then[1] = LAUNCH(p->step, "prefix_sum_blocks", p->cores, 1, ARG(p->x_buffer),
                     ARG(totals), ARG(p->sums_buffer), ARG(p->n));
    first.then = &then[0];
    then[0].then = &then[1];
    return first;
}

static struct launch in_one(const struct scan *p, const char *name) {
    return LAUNCH(p->step, name, p->tiles * p->group, p->group, ARG(p->x_buffer),
                  ARG(p->words_buffer), ARG(p->sums_buffer), ARG(p->n),
                  LOCAL(p->slots));
}

static void new_numbers(struct scan *p) {
    for (size_t i = 0; i < p->n; i++)
        p->x[i] = random_next(&p->random); /* of 32 bits, and others each time */
    buffer_write(&p->step->device, p->x_buffer, p->x, p->n * sizeof *p->x);
}

/* As if `begun` tiles had begun: the first one knows its prefix, the others only their
 * totals.  Groups that run one after another would never look farther back. */
static void begin(const struct scan *p, size_t begun) {
    const size_t tile = EACH * p->group;
    cl_ulong *words = step_array(p->step, p->tiles + 1, sizeof *words);
    for (size_t i = 0; i < begun * tile; i++) {
        const cl_uint total = (cl_uint)words[i / tile] + p->x[i];
        words[i / tile] = (cl_ulong)(i < tile ? 2 : 1) << 32 | total;
    }
    words[p->tiles] = begun; /* the counter: the next tile to begin */
    buffer_write(&p->step->device, p->words_buffer, words,
                 (p->tiles + 1) * sizeof *words);
}

/* Does every element receive its sum?  Sums wrap around, here as on the device. */
static bool is_right(const struct scan *p, const struct launch *launch) {
    cl_uint sum = 0;
    launch_ms(&p->step->device, launch);
    buffer_read(&p->step->device, p->sums_buffer, p->sums, p->n * sizeof *p->sums);
    for (size_t i = 0; i < p->n; i++)
        if (p->sums[i] != (sum += p->x[i]))
            return wrong_at(element("sums", i), (double)p->sums[i], (double)sum);
    return true;
}

int main(int argc, char **argv) {
    struct step step;
    step_open(&step, argc, argv, &(struct usage){.step = "step07b_prefix_sum"});
    struct device *device = &step.device;
    const cl_uint n = step_size(&step, &sizes, 2, sizeof(cl_uint));
    struct scan p = {.step = &step, .n = n, .cores = device->units};
    p.random = step.options.seed + 1;
    p.group = step_group(&step, GROUP);
    p.slots = p.group * sizeof(cl_uint);
    p.tiles = (cl_uint)((n + EACH * p.group - 1) / (EACH * p.group));
    p.x = step_array(&step, n, sizeof *p.x);
    p.sums = step_array(&step, n, sizeof *p.sums);
    p.x_buffer = buffer_new(device, n * sizeof *p.x);
    p.sums_buffer = buffer_new(device, n * sizeof *p.sums);
    p.words_buffer = buffer_new(device, (p.tiles + 1) * sizeof(cl_ulong));

    /* The lesson: the same sums with three launches, and with one. */
    int last = device_has(device->id, "cl_khr_int64_base_atomics") ? LOOK_BACK : BLOCKS;
    struct launch launches[VARIANTS], then[2][2];
    bool right[VARIANTS];
    for (int v = 0; v <= last; v++) {
        launches[v] = v == TILES     ? in_tiles(&p, then[0])
                      : v == BLOCKS  ? in_blocks(&p, then[1])
                      : v == CHAINED ? in_one(&p, "prefix_sum_chained")
                                     : in_one(&p, "prefix_sum_look_back");
        new_numbers(&p);
        begin(&p, v == LOOK_BACK ? p.tiles / 2 : 0);
        right[v] = is_right(&p, &launches[v]);
    }
    begin(&p, 0);
    /* Two alternate, so that whatever disturbs this machine disturbs both. */
    struct timing pair[2];
    const struct ratio ratio =
        time_pair(device, launches[last], launches[TILES], step.options.repeats, pair);
    for (int v = 0; v <= last; v++) {
        struct row row = {.variant = names[v], .size = n, .bytes = 8.0 * n};
        row.limit = step.report.limits.copy;
        row.time = v == TILES || v == last
                       ? pair[v == TILES]
                       : time_launches(device, launches[v], step.options.repeats);
        new_numbers(&p); /* what earlier launches have left is wrong now */
        row.right = right[v] && right_again(is_right(&p, &launches[v]));
        report_row(&step.report, row);
    }

    /* The result. */
    if (last == LOOK_BACK)
        report_headline(&step.report, "one launch against three", ratio);
    else
        report_say(&step.report, "This device has no atomics of 64 bits.");
    if (device->is_cpu)
        report_say(&step.report, "A CPU core needs no lanes, only one long block.");
    return step_close(&step);
}
