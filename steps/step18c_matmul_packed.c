/* Step 18c: matrix product on a CPU: vectors and packed panels
 *
 * A GPU's product of matrices keeps numbers in local memory.  A CPU's core has none.
 * It has registers for long vectors instead, and caches that fetch ahead where memory
 * is read in order.  Five changes lead from the textbook's three loops to what the
 * libraries of a CPU do.
 *
 * Read with  kernels/step18c_matmul_packed.cl, docs/step18c_matmul_packed.md
 * Try        ROWS = 4, and then 20, here and in the kernels: why are both slower?
 * Lens       --size 36864 matmul_row matmul_tile matmul_packed
 * Story      --repeats 3
 */
#include "contest.h"
#include "data/product.h"

#include <math.h>
#include <stdio.h>

enum { ROWS = 12, COLUMNS = 32 }; /* of a tile; 6 and 16 if the kernels' WIDTH is 8 */
enum { GROUP = 16, STRIP = 16 };  /* work-items; elements that one packs of a row */
enum { MAX_SIDE = 1 << 20 };
enum { SIDE = 511, FULL_SIDE = 2 * SIDE };
enum { SLOW_SIDE = 600 }; /* of larger matrices ijk takes seconds */

static const struct sizes sizes = {
    .cpu = SIDE * SIDE, .cpu_full = FULL_SIDE * FULL_SIDE, .gpu = SIDE * SIDE};

/* Each variant changes one thing: how many rows of C a work-item has, whether it has
 * all of their columns, and what is packed before. */
enum { IJK, IKJ, ROW, TILE, B_PACKED, ALL_PACKED, VARIANTS };
static const struct variant {
    const char *name, *kernel;
    size_t rows;
    bool whole_rows, packs_a, packs_b;
} variants[VARIANTS] = {
    {"ijk", "matmul_ijk", 1, true, false, false},
    {"ikj, vectors", "matmul_ikj", 1, true, false, false},
    {"1 x 32 in registers", "matmul_row", 1, false, false, false},
    {"12 x 32 in registers", "matmul_tile", ROWS, false, false, false},
    {"B packed", "matmul_packed_b", ROWS, false, false, true},
    {"A and B packed", "matmul_packed", ROWS, false, true, true}};

/* A and B in the order in which the tiles load them. */
struct panels {
    cl_mem a, b;
};

/* Packing is a part of each product: up to two launches come before that of the tiles.
 */
struct chain {
    struct launch launches[3];
    size_t packs; /* how many of the launches pack */
};

static size_t round_up(size_t number, size_t unit) {
    return (number + unit - 1) / unit * unit;
}

static struct chain *chain_new(struct step *step, const struct variant *variant,
                               const struct product *product,
                               const struct factors *factors,
                               const struct panels *panels) {
    struct chain *chain = step_array(step, 1, sizeof *chain);
    struct launch *launches = chain->launches;
    const cl_uint m = product->m, n = product->n, k = product->k;
    const size_t group[] = {GROUP, 1};
    const size_t strips = round_up(k, STRIP) / STRIP;
    const size_t tiles_down = m / variant->rows;
    const size_t tiles_across = variant->whole_rows ? 1 : n / COLUMNS;

    cl_mem a = factors->a_buffer, b = factors->b_buffer;
    if (variant->packs_b) {
        b = panels->b;
        launches[chain->packs++] =
            LAUNCH_2D(step, "matmul_pack_b", k, 1, group, ARG(factors->b_buffer),
                      ARG(b), ARG(n), ARG(k));
    }
    if (variant->packs_a) {
        a = panels->a;
        launches[chain->packs++] =
            LAUNCH_2D(step, "matmul_pack_a", strips, m / ROWS, group,
                      ARG(factors->a_buffer), ARG(a), ARG(k));
    }

    launches[chain->packs] =
        LAUNCH_2D(step, variant->kernel, tiles_down, tiles_across, group, ARG(a),
                  ARG(b), ARG(product->c_buffer), ARG(m), ARG(n), ARG(k));
    for (size_t i = 0; i < chain->packs; i++)
        launches[i].then = &launches[i + 1];
    return chain;
}

/* Realistic numbers are timed; exact ones show the smallest mistake. */
struct work {
    const struct product *product;
    const struct panels *panels;
    struct chain *exact, *realistic;
};

/* The exact product begins with panels of NaN, and the realistic one with what is left
 * there of the exact one. */
static bool is_right(const struct entry *entry, bool again) {
    const struct work *work = entry->of;
    const struct product *product = work->product;
    buffer_poison(product->device, work->panels->a);
    buffer_poison(product->device, work->panels->b);
    if (!product_launch_is_right(product, &product->exact, &work->exact->launches[0]))
        return false;
    return again ||
           product_launch_is_right(product, &product->realistic, &entry->launch);
}

static struct entry make_entry(struct step *step, const struct variant *variant,
                               const struct product *product,
                               const struct panels *panels) {
    struct work *work = step_array(step, 1, sizeof *work);
    work->product = product;
    work->panels = panels;
    work->exact = chain_new(step, variant, product, &product->exact, panels);
    work->realistic = chain_new(step, variant, product, &product->realistic, panels);
    struct entry entry = {.launch = work->realistic->launches[0], .of = work};
    entry.row.variant = variant->name;
    entry.row.size = product->elements;
    entry.row.flops = product->flops;
    entry.row.limit = step->report.limits.fma;
    return entry;
}

/* The time of the chain without its last launch, which multiplies. */
static double packing_ms(struct step *step, struct chain *chain) {
    struct launch *last = &chain->launches[chain->packs - 1];
    last->then = NULL;
    const struct timing time =
        time_launches(&step->device, chain->launches[0], step->options.repeats);
    last->then = &chain->launches[chain->packs];
    return time.median_ms;
}

/* How many times as fast row `i` is as the row above it, with which it alternates (~:
 * not told apart), and which share of its time it packs. */
static const char *time_row(struct contest *contest, size_t i) {
    enum { NOTE_LENGTH = 80 };
    char *note = step_array(contest->step, NOTE_LENGTH, 1);
    const struct ratio slower = contest_time_beside(contest, i, i - 1);
    const struct entry *entry = &contest->entries[i];
    const struct work *work = entry->of;
    const char *about = told_apart(slower) ? "" : "~";
    const double speed = 1.0 / slower.median;

    if (work->realistic->packs == 0) {
        snprintf(note, NOTE_LENGTH, "%s%.1f x above", about, speed);
        return note;
    }

    const double share =
        packing_ms(contest->step, work->realistic) / entry->row.time.median_ms;
    snprintf(note, NOTE_LENGTH, "%s%.1f x above, pack %.0f %%", about, speed,
             100.0 * share);
    return note;
}

static void time_rows(struct contest *contest) {
    contest_time_alone(contest, 0);
    contest_print(contest, 0);
    for (size_t i = 1; i < contest->count; i++) {
        contest->entries[i].row.note = time_row(contest, i);
        contest_print(contest, i);
    }
}

int main(int argc, char **argv) {
    size_t m = 0, n = 0, k = 0;
    const struct own_option own[] = {
        {"m", "N", "rows of A and C: the root of --size unless given", .number = &m,
         .min = 1, .max = MAX_SIDE},
        {"n", "N", "columns of B and C: the same", .number = &n, .min = 1,
         .max = MAX_SIDE},
        {"k", "N", "columns of A, rows of B: the same", .number = &k, .min = 1,
         .max = PRODUCT_MAX_K}};
    struct step step;
    step_open(&step, argc, argv,
              &(struct usage){
                  .step = "step18c_matmul_packed",
                  .lesson = "the same product for a CPU, from loops to packed panels",
                  .own = own,
                  .own_count = COUNT(own)});

    /* Two matrices of whole tiles, and what is known of their product. */
    const size_t side =
        (size_t)sqrt(step_size(&step, &sizes, PRODUCT_BUFFERS + 2, sizeof(float)));
    const struct product product =
        product_new(&step, round_up(m ? m : side, ROWS),
                    round_up(n ? n : side, COLUMNS), k ? k : side);
    const struct panels panels = {
        buffer_new(&step.device, (size_t)product.m * product.k * sizeof(float)),
        buffer_new(&step.device, (size_t)product.k * product.n * sizeof(float))};

    /* The lesson: each row changes one more thing. */
    struct contest contest = contest_begin(&step, is_right);
    const bool is_slow = product.flops > 2.0 * SLOW_SIDE * SLOW_SIDE * SLOW_SIDE;
    const size_t first = is_slow ? IKJ : IJK;
    for (size_t v = first; v < VARIANTS; v++)
        contest_add(&contest, make_entry(&step, &variants[v], &product, &panels));
    time_rows(&contest);

    /* The result: what registers are worth, by the same two once more. */
    report_headline(&step.report, "12 x 32 sums, not 1 x 32",
                    contest_compare(&contest, TILE - first, ROW - first),
                    "A core uses each vector of B that it loads for 12 rows of C.");
    if (is_slow)
        report_say(&step.report, "ijk takes seconds here: left out.");
    if (!step.device.is_cpu)
        report_say(&step.report, "This step is for CPUs: a GPU's lane has no registers "
                                 "for 12 x 32 sums.");
    return step_close(&step);
}
