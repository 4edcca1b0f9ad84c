/* Step 18: matrix product: reuse in memory, then in registers
 *
 * In step 17 arithmetic was the limit from the start.  A product of matrices can get
 * there, too, but only if each number that was loaded is used again and again.  From
 * row to row of the table it is kept nearer to the arithmetic.
 *
 * Read with  kernels/step18_matmul.cl, docs/step18_matmul.md
 * Try        --m 1 --k 4096 --n 4096: a row times a matrix.  What is reused there?
 * Lens       --size 16384 --k 1024 matmul_naive matmul_padded matmul_coalesced
 *            matmul_local matmul_column matmul_square matmul_vectors
 * Races      --size 10007 --all
 * Races      --m 128 --n 128 --k 12
 * Story      passes matmul_square matmul_local
 */
#include "check.h"
#include "contest.h"
#include "data/product.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MAX_SIDE = 1 << 20 };
enum { CPU_REPEATS = 15 };              /* or the rows would take 7 seconds */
enum { BUFFERS = PRODUCT_BUFFERS + 2 }; /* A with padded rows, exact and realistic */

static const struct sizes sizes = {.cpu = 256 * 256, .gpu = 4096 * 4096};

/* Each variant changes one thing.  A group has a shape, and computes a tile of C, which
 * has so many columns and rows.  Where lanes go down a column of C, the group's first
 * dimension does.  Where a kernel wants whole groups, a device must allow that size. */
enum { NAIVE, PADDED, COALESCED, LOCAL, COLUMN, SQUARE, VECTORS, VARIANTS };
static const struct variant {
    const char *name, *kernel;
    size_t group[2], tile[2];
    bool down, padded, whole;
} variants[VARIANTS] = {
    {"naive", "matmul_naive", .group = {32, 8}, .tile = {8, 32}, .down = true},
    {"naive, padded", "matmul_padded", .group = {32, 8}, .tile = {8, 32}, .down = true,
     .padded = true},
    {"coalesced", "matmul_coalesced", .group = {32, 8}, .tile = {32, 8}},
    {"local tile", "matmul_local", .group = {16, 16}, .tile = {16, 16}, .whole = true},
    {"8 of a column", "matmul_column", .group = {32, 8}, .tile = {32, 64},
     .whole = true},
    {"8 x 8", "matmul_square", .group = {16, 16}, .tile = {128, 128}, .whole = true},
    {"vectors", "matmul_vectors", .group = {16, 16}, .tile = {128, 128},
     .whole = true}};

/* A with rows that are k + 1 numbers apart.  No kernel may read what lies between. */
static cl_mem padded_rows(struct step *step, const struct product *product,
                          const float *a) {
    const size_t k = product->k, distance = k + 1;
    float *rows = step_array(step, product->m * distance, sizeof *rows);
    for (size_t row = 0; row < product->m; row++) {
        memcpy(rows + row * distance, a + row * k, k * sizeof *a);
        rows[row * distance + k] = NAN;
    }
    return buffer_from(&step->device, rows, product->m * distance * sizeof *rows);
}

/* Groups over all tiles of C. */
static struct launch make_launch(struct step *step, const struct variant *variant,
                                 const struct product *product,
                                 const struct factors *factors) {
    const size_t wide = (product->n + variant->tile[0] - 1) / variant->tile[0],
                 high = (product->m + variant->tile[1] - 1) / variant->tile[1];
    size_t groups[] = {wide, high};
    if (variant->down) {
        groups[0] = high;
        groups[1] = wide;
    }
    cl_mem a_buffer = factors->a_buffer;
    if (variant->padded)
        a_buffer = padded_rows(step, product, factors->a);
    return LAUNCH_2D(step, variant->kernel, groups[0] * variant->group[0],
                     groups[1] * variant->group[1], variant->group, ARG(a_buffer),
                     ARG(factors->b_buffer), ARG(product->c_buffer), ARG(product->m),
                     ARG(product->n), ARG(product->k));
}

/* The same launch for numbers of two kinds: exact ones show the smallest mistake, and
 * realistic ones are timed. */
struct launch_pair {
    const struct product *product;
    struct launch exact, realistic;
};

static bool is_right(const struct entry *entry, bool again) {
    const struct launch_pair *pair = entry->of;
    const struct product *product = pair->product;
    if (again)
        return product_in_c_is_right(product, &product->realistic);
    return product_launch_is_right(product, &product->exact, &pair->exact) &&
           product_launch_is_right(product, &product->realistic, &pair->realistic);
}

static struct entry make_entry(struct step *step, const struct variant *variant,
                               const struct product *product) {
    struct launch_pair *pair = step_array(step, 1, sizeof *pair);
    pair->product = product;
    pair->exact = make_launch(step, variant, product, &product->exact);
    pair->realistic = make_launch(step, variant, product, &product->realistic);
    struct entry entry = {.of = pair, .launch = pair->realistic};
    entry.row.variant = variant->name;
    entry.row.size = product->elements;
    entry.row.flops = product->flops;
    entry.row.limit = step->report.limits.fma;
    return entry;
}

/* `only` is the name of the one row that is wanted, or NULL. */
static bool is_wanted(struct step *step, const struct variant *variant,
                      const char *only) {
    if (only && strcmp(only, variant->name) != 0)
        return false;
    const size_t needed = variant->group[0] * variant->group[1],
                 most = step->device.max_group;
    if (!variant->whole || most >= needed)
        return true;
    report_say(&step->report, "%s is left out: it needs groups of %zu, not of %zu.",
               variant->name, needed, most);
    return false;
}

/* The rows, each of which alternates with the one above it. */
static void time_rows(struct contest *contest) {
    enum { NOTE_LENGTH = 64 };
    contest_time_alone(contest, 0);
    contest_print(contest, 0);
    for (size_t i = 1; i < contest->count; i++) {
        char *note = step_array(contest->step, NOTE_LENGTH, 1);
        const struct ratio slower = contest_time_beside(contest, i, i - 1);
        if (told_apart(slower))
            snprintf(note, NOTE_LENGTH, "%.2f x above", 1.0 / slower.median);
        contest->entries[i].row.note = note;
        contest_print(contest, i);
    }
}

int main(int argc, char **argv) {
    size_t m = 0, n = 0, k = 0;
    const char *only = NULL;
    const struct own_option own[] = {
        {"m", "N", "rows of A and C: the root of --size unless given", .number = &m,
         .min = 1, .max = MAX_SIDE},
        {"n", "N", "columns of B and C: the same", .number = &n, .min = 1,
         .max = MAX_SIDE},
        {"k", "N", "columns of A, rows of B: the same", .number = &k, .min = 1,
         .max = PRODUCT_MAX_K},
        {"rung", "NAME", "only the row of this name", .text = &only}};
    struct step step;
    step_open(
        &step, argc, argv,
        &(struct usage){.step = "step18_matmul",
                        .lesson = "the same matrix product, with more and more reuse",
                        .own = own,
                        .own_count = COUNT(own)});
    if (step.device.is_cpu && step.options.repeats == 0)
        step.options.repeats = CPU_REPEATS;

    /* Two matrices, and what is known of their product. */
    const size_t side = (size_t)sqrt(step_size(&step, &sizes, BUFFERS, sizeof(float)));
    const struct product product =
        product_new(&step, m ? m : side, n ? n : side, k ? k : side);

    /* The lesson: each row keeps the numbers nearer to the arithmetic. */
    struct contest contest = contest_begin(&step, is_right);
    for (int v = 0; v < VARIANTS; v++)
        if (is_wanted(&step, &variants[v], only))
            contest_add(&contest, make_entry(&step, &variants[v], &product));
    if (contest.count == 0)
        die("no row is named '%s', or this device's groups are too small for it" HINT
            "without --rung you see them all",
            only);
    time_rows(&contest);

    /* The result: two of them once more, alternating with each other. */
    if (contest.count == VARIANTS)
        report_headline(&step.report, "8 x 8 sums per item, not 1",
                        contest_compare(&contest, SQUARE, LOCAL),
                        "Local memory is ordinary memory here; reuse in registers is "
                        "what saves loads.");
    report_say(&step.report, "x above: how many times faster than the row above, "
                             "measured alternately.");
    report_say(&step.report, "Here %u x %u times %u x %u.", product.m, product.k,
               product.k, product.n);
    return step_close(&step);
}
