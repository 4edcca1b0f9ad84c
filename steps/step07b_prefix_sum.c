/* Step 07b: every element learns the sum before it
 *
 * In step 07 the lanes of a warp found one sum together.  Now every element needs the
 * sum of all elements up to itself, its prefix sum.  Each needs the one before, so this
 * looks like work for one work-item alone; but it can be shared.
 *
 * Read with  kernels/step07b_prefix_sum.cl and simd.clh, docs/step07b_prefix_sum.md
 * Try        GROUP = 64: how much slower is the chain on a GPU, and why?
 * Lens       --size 65536  prefix_sum_totals prefix_sum_of_totals
 * prefix_sum_from_totals prefix_sum_chained prefix_sum_look_back
 */
#include "step.h"

/* A tile has as many elements as a group of GROUP work-items with EACH of them. */
enum { GROUP = 256, EACH = 16 };
static const struct sizes sizes = {.cpu = 1 << 19, .cpu_full = 1 << 24, .gpu = 1 << 28};

enum { TILES, BLOCKS, CHAINED, LOOK_BACK, VARIANTS }; /* two need 64-bit atomics */
static const char *const names[] = {"three launches, tiles", "three launches, blocks",
                                    "one launch, chained", "one launch, look-back"};

struct scan {
    cl_uint n, tiles, cores;
    size_t group;
    const cl_uint *x;
    cl_uint *sums;
    cl_mem x_buffer, sums_buffer, totals_buffer, words_buffer;
};

/* Three launches: totals of tiles, sums of the totals, all sums.  `then` keeps two. */
static struct launch in_tiles(struct step *step, const struct scan *p,
                              struct launch then[2]) {
    const size_t items = p->tiles * p->group, slots = p->group * sizeof(cl_uint);
    struct launch first =
        LAUNCH(step, "prefix_sum_totals", items, p->group, ARG(p->x_buffer),
               ARG(p->totals_buffer), ARG(p->n), LOCAL(slots));
    then[0] = LAUNCH(step, "prefix_sum_of_totals", p->group, p->group,
                     ARG(p->totals_buffer), ARG(p->tiles), LOCAL(slots));
    then[1] =
        LAUNCH(step, "prefix_sum_from_totals", items, p->group, ARG(p->x_buffer),
               ARG(p->totals_buffer), ARG(p->sums_buffer), ARG(p->n), LOCAL(slots));
    first.then = &then[0];
    then[0].then = &then[1];
    return first;
}

/* The same for a CPU: one long block for each core, and a work-item alone for each. */
static struct launch in_blocks(struct step *step, const struct scan *p,
                               struct launch then[2]) {
    struct launch first = LAUNCH(step, "prefix_sum_block_totals", p->cores, 1,
                                 ARG(p->x_buffer), ARG(p->totals_buffer), ARG(p->n));
    then[0] = LAUNCH(step, "prefix_sum_of_totals", 1, 1, ARG(p->totals_buffer),
                     ARG(p->cores), LOCAL(sizeof(cl_uint)));
    then[1] = LAUNCH(step, "prefix_sum_blocks", p->cores, 1, ARG(p->x_buffer),
                     ARG(p->totals_buffer), ARG(p->sums_buffer), ARG(p->n));
    first.then = &then[0];
    then[0].then = &then[1];
    return first;
}

static struct launch in_one(struct step *step, const struct scan *p, const char *name) {
    return LAUNCH(step, name, p->tiles * p->group, p->group, ARG(p->x_buffer),
                  ARG(p->words_buffer), ARG(p->sums_buffer), ARG(p->n),
                  LOCAL(p->group * sizeof(cl_uint)));
}

/* As if half of the tiles had begun: the first one knows its prefix, the others only
 * their totals.  Groups that run one after another would never look farther back. */
static void begin_half(struct step *step, const struct scan *p) {
    const size_t tile = EACH * p->group, begun = p->tiles / 2;
    cl_ulong *words = step_array(step, p->tiles + 1, sizeof *words);
    for (size_t i = 0; i < begun * tile; i++) {
        const cl_uint total = (cl_uint)words[i / tile] + p->x[i];
        words[i / tile] = (cl_ulong)(i < tile ? 2 : 1) << 32 | total;
    }
    words[p->tiles] = begun; /* the counter */
    buffer_write(&step->device, p->words_buffer, words, (p->tiles + 1) * sizeof *words);
}

/* Does every element have its sum? */
static bool is_right(struct device *device, const struct scan *p) {
    cl_uint sum = 0;
    buffer_read(device, p->sums_buffer, p->sums, p->n * sizeof *p->sums);
    for (size_t i = 0; i < p->n; i++)
        if (p->sums[i] != (sum += p->x[i]))
            return wrong_at(element("sums", i), (double)p->sums[i], (double)sum);
    return true;
}

int main(int argc, char **argv) {
    struct step step;
    step_open(&step, argc, argv, "step07b_prefix_sum");
    struct device *device = &step.device;

    /* Random numbers of 32 bits.  Their sums wrap around, here as on the host. */
    const cl_uint n = step_size(&step, &sizes, 2, sizeof(cl_uint));
    cl_uint *x = step_array(&step, n, sizeof *x);
    uint32_t random = step.options.seed + 1;
    for (size_t i = 0; i < n; i++)
        x[i] = random_next(&random);
    struct scan p = {.n = n, .x = x, .cores = device->units};
    p.group = GROUP < device->max_group ? GROUP : device->max_group;
    p.tiles = (cl_uint)((n + EACH * p.group - 1) / (EACH * p.group));
    p.sums = step_array(&step, n, sizeof *p.sums);
    p.x_buffer = buffer_from(device, x, n * sizeof *x);
    p.sums_buffer = buffer_new(device, n * sizeof *x);
    p.totals_buffer = buffer_new(device, (p.tiles + p.cores) * sizeof *x);
    cl_ulong *words = step_array(&step, p.tiles + 1, sizeof *words);
    p.words_buffer = buffer_from(device, words, (p.tiles + 1) * sizeof *words);

    /* The lesson: the same sums with three launches, and with one. */
    const int count =
        device_has(device->id, "cl_khr_int64_base_atomics") ? VARIANTS : CHAINED;
    struct launch launches[VARIANTS], then[2][2];
    bool right[VARIANTS];
    for (int v = 0; v < count; v++) {
        launches[v] = v == TILES     ? in_tiles(&step, &p, then[0])
                      : v == BLOCKS  ? in_blocks(&step, &p, then[1])
                      : v == CHAINED ? in_one(&step, &p, "prefix_sum_chained")
                                     : in_one(&step, &p, "prefix_sum_look_back");
        if (v == LOOK_BACK)
            begin_half(&step, &p);
        buffer_poison(device, p.sums_buffer);
        launch_ms(device, &launches[v]);
        right[v] = is_right(device, &p);
    }
    words[p.tiles] = p.tiles; /* when timed, no tile has begun */
    buffer_write(device, p.words_buffer, words, (p.tiles + 1) * sizeof *words);

    struct timing times[VARIANTS];
    for (int v = 0; v < count; v++) {
        buffer_poison(device, p.sums_buffer);
        struct row row = step_time(&step, names[v], &launches[v], n,
                                   2.0 * n * sizeof *x, step.report.limits.copy);
        row.right = right[v] && right_again(is_right(device, &p));
        times[v] = row.time;
        report_row(&step.report, row);
    }

    /* The result. */
    if (count > LOOK_BACK)
        report_headline(&step.report, "one launch against three",
                        ratio_between(times[LOOK_BACK], times[TILES]));
    else
        report_say(&step.report, "This device has no atomics of 64 bits.");
    if (device->is_cpu)
        report_say(&step.report, "A CPU core needs no lanes, only one long block.");
    return step_close(&step);
}
