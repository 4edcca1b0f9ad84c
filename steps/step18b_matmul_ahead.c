/* Step 18b: double buffering: the next slab loads while this one is multiplied
 *
 * Step 18's last kernel uses each number so often that memory is no longer the limit.
 * But its arithmetic still waits: at barriers, for local memory, and at the end of the
 * launch for groups that have more to do than others.  Each variant removes one of
 * these three waits.
 *
 * Read with  kernels/step18b_matmul_ahead.cl, docs/step18b_matmul_ahead.md
 * Try        --size 1048576: which rows lose most by a smaller matrix, and why?
 * Lens       --size 16384 --tall 128 --products 1
 * Races      --m 129 --n 30 --k 50 --groups 5
 * Story      barriers matmul_ahead matmul_vectors
 */
#include "check.h"
#include "contest.h"
#include "data/product.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SIDE = 128, HALF = 64, DEPTH = 8 }; /* of the tiles and slabs of the kernels */
enum { PLACES = 2, HALF_PLACES = 3 }; /* groups on a unit: of whole, of half tiles */
enum { MAX_TILES = 8 };               /* of a share */
enum { MIN_SLABS = 16 };              /* of a share */
enum { SMALLER = 4 }; /* the sides of the small product are so many times shorter */
enum { MAX_SIDE = 1 << 16, MAX_GROUPS = 1 << 16 };

static const struct sizes sizes = {.cpu = 1 << 16, .cpu_full = 1 << 18, .gpu = 1 << 24};

/* Each variant changes one thing.  A group has `items` work-items and a tile `rows`
 * rows, or 0 if the program chooses them.  With `shares` all groups share all tiles,
 * and without them each group has a tile of its own.  `arguments`: how many of A, B, C,
 * n, k, m, sums, flags the kernel takes. */
struct variant {
    const char *name, *kernel;
    size_t items, rows;
    bool shares;
    size_t arguments;
};
static const struct variant large_variants[] = {
    {"vectors", "matmul_vectors", 256, SIDE, false, 5},
    {"two buffers", "matmul_buffers", 256, SIDE, false, 5},
    {"8 x 16, ahead", "matmul_ahead", 128, SIDE, false, 6},
    {"equal shares", "matmul_shares", 128, 0, true, 8}};
static const struct variant small_variants[] = {
    {"small, ahead", "matmul_ahead", 128, SIDE, false, 6},
    {"small, whole tiles", "matmul_shares", 128, SIDE, true, 8},
    {"small, equal shares", "matmul_shares", 128, 0, true, 8}};

/* The rows that the results compare with the first one. */
enum { LARGE_AHEAD = 2, SMALL_SHARES = 2 };

/* What the command line asks for: one variant alone, rows of a tile, and groups that
 * share; NULL or 0: nothing.  And how many products: with 1 there is no small one. */
struct wanted {
    const char *variant;
    size_t rows, groups, products;
};

/* ---- Who has which part of C? ---- */

static size_t whole_tiles(const struct product *product) {
    return (size_t)(product->m / SIDE) * (product->n / SIDE);
}

/* A group for each tile. */
static struct launch launch_tiles(struct step *step, const struct variant *variant,
                                  const struct product *product,
                                  const struct factors *factors) {
    const struct arg args[] = {ARG(factors->a_buffer), ARG(factors->b_buffer),
                               ARG(product->c_buffer), ARG(product->n),
                               ARG(product->k),        ARG(product->m)};
    return step_launch(step, variant->kernel, whole_tiles(product) * variant->items,
                       variant->items, args, variant->arguments);
}

/* How many rows a tile has.  With fewer whole tiles than units, shares are so short
 * that many of them meet in a tile.  Half tiles are twice as many, and as their groups
 * need fewer registers, a unit has places for three of them.  But a number that was
 * loaded is used less often in a half tile, so large products keep whole ones. */
static size_t choose_rows(const struct step *step, const struct variant *variant,
                          const struct product *product, const struct wanted *wanted) {
    if (variant->rows > 0)
        return variant->rows;
    if (wanted->rows > 0)
        return wanted->rows;
    return whole_tiles(product) < step->device.units ? HALF : SIDE;
}

/* How many groups share `tiles` tiles of so many rows.  There are as many as the device
 * has places, unless one of two limits says otherwise.
 *
 * A share has at most MAX_TILES tiles, because all groups walk through their shares at
 * the same time: with long shares they are far apart, and find less of each other's A
 * and B in the cache.  If the tiles are more, each place has two shares or more, one
 * after another. So 8,192 x 8,192 on 264 places, which are 15.5 tiles for each, are 528
 * shares.
 *
 * And a share has at least MIN_SLABS slabs, because the owner of a tile adds up the
 * sums of its other groups one after another.  So 512 x 512, which are 32 half tiles of
 * 64 slabs, have 128 groups, and an owner adds the sums of three others.  On a device
 * with 396 places it would else add the sums of about eleven. */
static size_t choose_groups(const struct step *step, size_t tiles, size_t rows,
                            size_t slabs, const struct wanted *wanted) {
    const size_t most = wanted->groups > 0 ? slabs : 1 + (slabs - 1) / MIN_SLABS;
    const size_t places = step->device.units * (rows == HALF ? HALF_PLACES : PLACES);
    const size_t shares_of_a_place = 1 + tiles / (MAX_TILES * places);
    const size_t groups =
        wanted->groups > 0 ? wanted->groups : places * shares_of_a_place;
    return groups < most ? groups : most;
}

/* Groups that each have equally many slabs, of one tile or of several.  Each leaves
 * sums and a flag for another group.  After the flags comes the counter from which
 * groups take their numbers.  No flag is set yet, and the counter is 0. */
static struct launch launch_shares(struct step *step, const struct variant *variant,
                                   const struct product *product,
                                   const struct factors *factors,
                                   const struct wanted *wanted) {
    const size_t rows = choose_rows(step, variant, product, wanted);
    const size_t tiles = whole_tiles(product) * (SIDE / rows);
    const size_t slabs = tiles * (product->k / DEPTH);
    const size_t groups = choose_groups(step, tiles, rows, slabs, wanted);

    const size_t words = groups + 1; /* the flags and the counter */
    const cl_uint *zeros = step_array(step, words, sizeof *zeros);
    const cl_mem flags = buffer_from(&step->device, zeros, words * sizeof *zeros);
    const cl_mem sums = buffer_new(&step->device, groups * rows * SIDE * sizeof(float));

    const struct arg args[] = {ARG(factors->a_buffer),
                               ARG(factors->b_buffer),
                               ARG(product->c_buffer),
                               ARG(product->n),
                               ARG(product->k),
                               ARG(product->m),
                               ARG(sums),
                               ARG(flags)};
    return step_launch(step, rows == HALF ? "matmul_shares_half" : variant->kernel,
                       groups * variant->items, variant->items, args,
                       variant->arguments);
}

static struct launch make_launch(struct step *step, const struct variant *variant,
                                 const struct product *product,
                                 const struct factors *factors,
                                 const struct wanted *wanted) {
    if (variant->shares)
        return launch_shares(step, variant, product, factors, wanted);
    return launch_tiles(step, variant, product, factors);
}

/* ---- Is C right? ---- */

/* The same launch for numbers of two kinds: exact ones show the smallest mistake, and
 * realistic ones are timed. */
struct launch_pair {
    const struct product *product;
    struct launch exact, realistic;
};

/* `again`: C must be what the timed launch has left there; and as its realistic numbers
 * may hide a small mistake, the exact ones are multiplied once more. */
static bool is_right(const struct entry *entry, bool again) {
    const struct launch_pair *pair = entry->of;
    const struct product *product = pair->product;
    if (again)
        return product_in_c_is_right(product, &product->realistic) &&
               product_launch_is_right(product, &product->exact, &pair->exact);
    return product_launch_is_right(product, &product->exact, &pair->exact) &&
           product_launch_is_right(product, &product->realistic, &pair->realistic);
}

static struct entry make_entry(struct step *step, const struct variant *variant,
                               const struct product *product,
                               const struct wanted *wanted) {
    struct launch_pair *pair = step_array(step, 1, sizeof *pair);
    pair->product = product;
    pair->exact = make_launch(step, variant, product, &product->exact, wanted);
    pair->realistic = make_launch(step, variant, product, &product->realistic, wanted);
    struct entry entry = {.of = pair, .launch = pair->realistic};
    entry.row.variant = variant->name;
    entry.row.size = product->elements;
    entry.row.flops = product->flops;
    entry.row.limit = step->report.limits.fma;
    return entry;
}

/* ---- The experiment ---- */

/* A side of the small product. */
static size_t shorter(size_t side) {
    return 1 + (side - 1) / SMALLER;
}

static bool is_named(const char *name, const struct variant *variants, size_t count) {
    for (size_t v = 0; v < count; v++)
        if (strcmp(name, variants[v].name) == 0)
            return true;
    return false;
}

/* Ends the program if the command line asks for what there is not. */
static void check_wanted(const struct wanted *wanted) {
    if (wanted->rows > 0 && wanted->rows != HALF && wanted->rows != SIDE)
        die("--tall needs %d or %d, not %zu" HINT "the kernels have tiles of no other "
            "height",
            HALF, SIDE, wanted->rows);
    const char *name = wanted->variant;
    if (name && !is_named(name, large_variants, COUNT(large_variants)) &&
        !is_named(name, small_variants, COUNT(small_variants)))
        die("no row is named '%s'" HINT "without --rung you see them all", name);
}

/* Times and prints the rows of a product, or only the one that is wanted.  Each
 * alternates with the first, which alternates with itself, so that all are timed alike.
 * Returns how many times faster row number `told` is than the first. */
static struct ratio compare(struct step *step, const struct product *product,
                            const struct variant *variants, size_t count, size_t told,
                            const struct wanted *wanted) {
    enum { NOTE_LENGTH = 64 };
    struct contest contest = contest_begin(step, is_right);
    for (size_t v = 0; v < count; v++)
        if (!wanted->variant || strcmp(wanted->variant, variants[v].name) == 0)
            contest_add(&contest, make_entry(step, &variants[v], product, wanted));

    for (size_t i = 0; i < contest.count; i++) {
        char *note = step_array(step, NOTE_LENGTH, 1);
        const struct ratio slower = contest_time_beside(&contest, i, 0);
        if (i > 0 && told_apart(slower))
            snprintf(note, NOTE_LENGTH, "%.2f x the rate", 1.0 / slower.median);
        contest.entries[i].row.note = note;
        contest_print(&contest, i);
    }
    if (wanted->variant) /* one row, or none: nothing to compare */
        return (struct ratio){0};
    return contest_compare(&contest, told, 0);
}

int main(int argc, char **argv) {
    size_t m = 0, n = 0, k = 0;
    struct wanted wanted = {.products = 2};
    const struct own_option own[] = {
        {"rung", "NAME", "only the row of this name", .text = &wanted.variant},
        {"m", "N", "rows of A and C", .number = &m, .min = 1, .max = MAX_SIDE},
        {"n", "N", "columns of B and C", .number = &n, .min = 1, .max = MAX_SIDE},
        {"k", "N", "columns of A, rows of B", .number = &k, .min = 1, .max = MAX_SIDE},
        {"tall", "N", "rows of a tile: 64 or 128", .number = &wanted.rows, .min = HALF,
         .max = SIDE},
        {"groups", "N", "groups that share the tiles", .number = &wanted.groups,
         .max = MAX_GROUPS},
        {"products", "N", "1 leaves out the small product", .number = &wanted.products,
         .min = 1, .max = 2}};
    struct step step;
    step_open(&step, argc, argv,
              &(struct usage){.step = "step18b_matmul_ahead",
                              .lesson = "the same matrix product; less and less waits",
                              .own = own,
                              .own_count = COUNT(own)});
    check_wanted(&wanted);
    step_need_group(&step, large_variants[0].items);

    /* The lesson: what does the arithmetic still wait for? */
    const size_t side =
        (size_t)ceil(sqrt(step_size(&step, &sizes, PRODUCT_BUFFERS, sizeof(float))));
    m = m ? m : side;
    n = n ? n : side;
    k = k ? k : side;
    const struct product large = product_in_tiles(&step, m, n, k, SIDE, DEPTH);
    const struct ratio ahead = compare(&step, &large, large_variants,
                                       COUNT(large_variants), LARGE_AHEAD, &wanted);

    /* A product with too few tiles for a GPU. */
    struct ratio shares = {0};
    if (wanted.products > 1) {
        const struct product small =
            product_in_tiles(&step, shorter(m), shorter(n), shorter(k), SIDE, DEPTH);
        shares = compare(&step, &small, small_variants, COUNT(small_variants),
                         SMALL_SHARES, &wanted);
    }
    if (wanted.variant)
        return step_close(&step);

    /* The result. */
    report_headline(
        &step.report, "loads ahead, not vectors alone", ahead,
        ahead.median > 1.0
            ? "At a barrier a CPU keeps registers in memory: few barriers help, too."
            : "A core does one work-item after another: nothing is loaded ahead.");
    if (wanted.products > 1)
        report_say(&step.report, "Equal shares for the small product: %s.",
                   in_words(shares).text);
    return step_close(&step);
}
