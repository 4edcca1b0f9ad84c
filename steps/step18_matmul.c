/* Step 18: reuse: memory, then registers
 *
 * In step 17 arithmetic was the limit from the start.  A product of matrices can get
 * there, too, but only if each number that was loaded is used again and again.  From
 * row to row of the table it is kept nearer to the arithmetic.
 *
 * Read with  kernels/step18_matmul.cl, docs/step18_matmul.md
 * Try        --m 1 --k 4096 --n 4096: a row times a matrix.  What is reused there?
 * Lens       --size 16384 --k 1024 matmul_naive matmul_coalesced matmul_local
 *            matmul_column matmul_square matmul_vectors
 * Races      --size 10007 --all
 * Races      --m 128 --n 128 --k 12
 * Story      passes matmul_square matmul_local
 */
#include "check.h"
#include "data/product.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MAX_SIDE = 1 << 20, LARGE_GROUP = 256, CPU_REPEATS = 15 };
static const struct sizes sizes = {.cpu = 256 * 256, .gpu = 4096 * 4096};

/* A group's shape, and how many columns and rows of C it has. */
enum { NAIVE, COALESCED, LOCAL, SQUARE = 4 };
static const struct variant {
    const char *name, *kernel;
    size_t group[2], tile[2];
} variants[] = {{"naive", "matmul_naive", {32, 8}, {8, 32}},
                {"coalesced", "matmul_coalesced", {32, 8}, {32, 8}},
                {"local tile", "matmul_local", {16, 16}, {16, 16}},
                {"8 of a column", "matmul_column", {32, 8}, {32, 64}},
                {"8 x 8", "matmul_square", {16, 16}, {128, 128}},
                {"vectors", "matmul_vectors", {16, 16}, {128, 128}}};

/* Groups over all tiles of C.  In `naive`, the first dimension goes down a column. */
static struct launch make_launch(struct step *step, const struct product *p,
                                 const struct factors *factors,
                                 const struct variant *v) {
    const size_t wide = (p->n + v->tile[0] - 1) / v->tile[0],
                 high = (p->m + v->tile[1] - 1) / v->tile[1];
    const bool down = v == &variants[NAIVE];
    return LAUNCH_2D(step, v->kernel, (down ? high : wide) * v->group[0],
                     (down ? wide : high) * v->group[1], v->group,
                     ARG(factors->a_buffer), ARG(factors->b_buffer), ARG(p->c_buffer),
                     ARG(p->m), ARG(p->n), ARG(p->k));
}

/* Only the first two kernels work in groups of any size. */
static bool is_wanted(struct step *step, const struct variant *v, const char *only) {
    if (only && strcmp(only, v->name) != 0)
        return false;
    const size_t most = step->device.max_group;
    if (v <= &variants[COALESCED] || most >= LARGE_GROUP)
        return true;
    report_say(&step->report, "%s is left out: it needs groups of %d, not of %zu.",
               v->name, LARGE_GROUP, most);
    return false;
}

/* Times a launch, alternating with the one above it in the table if there is one. */
static void report_timed(struct step *step, const struct product *p, struct row row,
                         const struct launch *launch, const struct launch *above) {
    char note[64] = "";
    if (above) {
        const struct ratio slower = step_time_beside(step, above, launch, &row);
        if (told_apart(slower))
            snprintf(note, sizeof note, "%.2f x the row above", 1.0 / slower.median);
    } else
        row.time = time_launches(p->device, *launch, step->options.repeats);
    row.note = note;
    row.right = row.right && right_again(product_left_right(p, &p->real));
    report_row(&step->report, row);
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
        &(struct usage){.step = "step18_matmul", .own = own, .own_count = COUNT(own)});
    if (step.device.is_cpu && step.options.repeats == 0)
        step.options.repeats = CPU_REPEATS; /* or they would take 7 seconds */
    const size_t side = (size_t)sqrt(step_size(&step, &sizes, 5, sizeof(float)));
    const struct product p =
        product_new(&step, m ? m : side, n ? n : side, k ? k : side);
    report_say(&step.report, "%u x %u times %u x %u:", p.m, p.k, p.k, p.n);

    /* The lesson: each row keeps the numbers nearer to the arithmetic. */
    struct launch launches[COUNT(variants)];
    const struct launch *above = NULL;
    for (size_t v = 0; v < COUNT(variants); v++) {
        if (!is_wanted(&step, &variants[v], only))
            continue;
        const struct launch exact = make_launch(&step, &p, &p.exact, &variants[v]);
        launches[v] = make_launch(&step, &p, &p.real, &variants[v]);
        struct row row = {.variant = variants[v].name, .size = p.elements};
        row.flops = p.flops;
        row.limit = step.report.limits.fma;
        row.right = product_is_right(&p, &p.exact, &exact) &&
                    product_is_right(&p, &p.real, &launches[v]);
        report_timed(&step, &p, row, &launches[v], above);
        above = &launches[v];
    }
    if (!above)
        die("no row is named '%s', or this device's groups are too small for it" HINT
            "without --rung you see them all",
            only);

    /* The result: two of them once more, alternating with each other. */
    struct timing pair[2];
    if (above == &launches[COUNT(variants) - 1] && !only)
        report_headline(&step.report, "8 x 8 sums per item against 1",
                        time_pair(p.device, launches[SQUARE], launches[LOCAL],
                                  step.options.repeats, pair));
    if (step.device.is_cpu)
        report_say(&step.report,
                   "On a CPU local memory is ordinary memory, and its caches serve all "
                   "rows.\nReuse in registers saves loads, if the compiler keeps sums "
                   "there across barriers.");
    return step_close(&step);
}
