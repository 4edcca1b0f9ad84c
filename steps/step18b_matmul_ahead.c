/* Step 18b: the last fifth
 *
 * Step 18's last kernel uses each number so often that memory is no longer the limit.
 * But its arithmetic still waits: at barriers, for local memory, and at the end, for
 * groups that have more to do than others.  Here it waits for less and less.
 *
 * Read with  kernels/step18b_matmul_ahead.cl, docs/step18b_matmul_ahead.md
 * Try        --size 1048576: which rows lose most by a smaller matrix, and why?
 * Lens       --size 16384 --tall 128
 * Races      --m 129 --n 30 --k 50 --groups 5
 * Story      barriers matmul_buffers matmul_vectors
 */
#include "check.h"
#include "data/product.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SIDE = 128, HALF = 64, DEPTH = 8 }; /* of the tiles and slabs of the kernels */
enum { LEAST = 16 };  /* slabs of a share: the sums of many are added up slowly */
enum { MOST = 8 };    /* tiles of a share: longer ones lie far apart */
enum { SMALLER = 4 }; /* so much shorter are the sides of the small product */
static const struct sizes sizes = {.cpu = 1 << 16, .cpu_full = 1 << 18, .gpu = 1 << 24};

/* The work-items of a group, and the rows of a tile: 0 if those are to be chosen. From
 * SMALL on, it is the small product. */
enum { VECTORS, SHARES = 3, SMALL = 4, CHOSEN = 6 };
static const struct variant {
    const char *name, *kernel;
    size_t items, tall;
} variants[] = {{"vectors", "matmul_vectors", 256, SIDE},
                {"two buffers", "matmul_buffers", 256, SIDE},
                {"8 x 16, ahead", "matmul_ahead", 128, SIDE},
                {"equal shares", "matmul_shares", 128, 0},
                {"small, ahead", "matmul_ahead", 128, SIDE},
                {"small, whole tiles", "matmul_shares", 128, SIDE},
                {"small, equal shares", "matmul_shares", 128, 0}};

/* What the command line says of rows and shares; 0: nothing. */
struct wish {
    const char *rung;
    size_t tall, groups;
};

static size_t lesser(size_t a, size_t b) {
    return a < b ? a : b;
}

/* A group for each tile; or as many groups as the device has places, which share. */
static struct launch make_launch(struct step *step, const struct product *p,
                                 const struct factors *f, const struct variant *v,
                                 const struct wish *wish) {
    const size_t units = step->device.units, whole = p->n / SIDE * (p->m / SIDE);
    const struct arg args[] = {ARG(f->a_buffer), ARG(f->b_buffer), ARG(p->c_buffer),
                               ARG(p->n),        ARG(p->k),        ARG(p->m)};
    if (strcmp(v->kernel, "matmul_shares") != 0)
        return step_launch(step, v->kernel, whole * v->items, v->items, args,
                           v->items == 256 ? 5 : 6);

    /* With fewer tiles than units, half tiles, of which a unit has places for three.
     * With very many, several shares for each place: what runs at the same time must be
     * near to each other, so that the groups find each other's A and B in the cache. */
    const size_t wanted = v->tall ? v->tall : wish->tall,
                 tall = (wanted ? wanted < SIDE : whole < units) ? HALF : SIDE,
                 tiles = whole * (SIDE / tall), all = tiles * (p->k / DEPTH),
                 places = units * (tall == HALF ? 3 : 2),
                 shares = places * (1 + tiles / (MOST * places)),
                 groups = lesser(wish->groups ? wish->groups : shares,
                                 wish->groups ? all : 1 + (all - 1) / LEAST);
    const size_t bytes = (groups + 1) * sizeof(cl_uint);
    const cl_mem flags = buffer_from(&step->device, step_array(step, bytes, 1), bytes),
                 sums = buffer_new(&step->device, groups * tall * SIDE * sizeof(float));
    return LAUNCH(step, tall == HALF ? "matmul_shares_half" : v->kernel,
                  groups * v->items, v->items, args[0], args[1], args[2], args[3],
                  args[4], args[5], ARG(sums), ARG(flags));
}

/* The rows of a product, each alternating with the first; returns how many times
 * faster the last one is than the first. */
static struct ratio compare(struct step *step, const struct product *p, size_t first,
                            size_t last, const struct wish *wish) {
    struct launch begin, real;
    for (size_t v = first; v <= last; v++) {
        const struct variant *rung = &variants[v];
        if (wish->rung && strcmp(wish->rung, rung->name) != 0)
            continue;
        const struct launch exact = make_launch(step, p, &p->exact, rung, wish);
        real = make_launch(step, p, &p->real, rung, wish);
        if (v == first || wish->rung)
            begin = real;
        char note[64] = "";
        struct row row = {.variant = rung->name, .size = p->elements, .note = note};
        row.flops = p->flops;
        row.limit = step->report.limits.fma;
        row.right = product_is_right(p, &p->exact, &exact) &&
                    product_is_right(p, &p->real, &real);
        const struct ratio slower = step_time_beside(step, &begin, &real, &row);
        if (v != first && told_apart(slower))
            snprintf(note, sizeof note, "%.2f x the rate", 1.0 / slower.median);
        row.right = row.right && right_again(product_left_right(p, &p->real) &&
                                             product_is_right(p, &p->exact, &exact));
        report_row(&step->report, row);
    }
    struct timing pair[2];
    if (wish->rung)
        return (struct ratio){0};
    return time_pair(&step->device, real, begin, step->options.repeats, pair);
}

int main(int argc, char **argv) {
    size_t m = 0, n = 0, k = 0;
    struct wish wish = {0};
    const struct own_option own[] = {
        {"rung", "NAME", "only the row of this name", .text = &wish.rung},
        {"m", "N", "rows of A and C", .number = &m, .min = 1, .max = 1 << 16},
        {"n", "N", "columns of B and C", .number = &n, .min = 1, .max = 1 << 16},
        {"k", "N", "columns of A, rows of B", .number = &k, .min = 1, .max = 1 << 16},
        {"tall", "N", "rows of a tile", .number = &wish.tall, .min = HALF, .max = SIDE},
        {"groups", "N", "so many share", .number = &wish.groups, .max = 1 << 16}};
    struct step step;
    step_open(&step, argc, argv,
              &(struct usage){
                  .step = "step18b_matmul_ahead", .own = own, .own_count = COUNT(own)});
    step_need_group(&step, variants[VECTORS].items);
    const size_t side = (size_t)ceil(sqrt(step_size(&step, &sizes, 5, sizeof(float))));
    m = m ? m : side, n = n ? n : side, k = k ? k : side;
    const struct product large = product_in_tiles(&step, m, n, k, SIDE, DEPTH),
                         small = product_in_tiles(&step, 1 + (m - 1) / SMALLER,
                                                  1 + (n - 1) / SMALLER,
                                                  1 + (k - 1) / SMALLER, SIDE, DEPTH);

    /* The lesson: for what does the arithmetic still wait? */
    const struct ratio last_fifth = compare(&step, &large, VECTORS, SHARES, &wish),
                       tail = compare(&step, &small, SMALL, CHOSEN, &wish);
    if (!step.report.begun)
        die("no row is named '%s'" HINT "without --rung you see them all", wish.rung);
    if (wish.rung)
        return step_close(&step);

    /* The result. */
    report_headline(&step.report, "nothing waits against vectors", last_fifth);
    report_say(&step.report, "Equal shares for the small product: %s.",
               in_words(tail).text);
    if (step.device.is_cpu)
        report_say(&step.report, "At a barrier a CPU keeps registers in memory: few "
                                 "barriers help it, too.");
    return step_close(&step);
}
