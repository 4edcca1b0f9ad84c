/* Step 18b: the last fifth
 *
 * Step 18's last kernel uses each number so often that memory is no longer the limit.
 * But its arithmetic still waits: at barriers, for local memory, and at the end, for
 * groups that have more to do than others.  Here it waits for less and less.
 *
 * Read with  kernels/step18b_matmul_ahead.cl, docs/step18b_matmul_ahead.md
 * Try        --size 1048576: which rows lose most by a smaller matrix, and why?
 * Lens       --size 16384
 * Races      --m 129 --n 30 --k 50
 * Story      barriers matmul_buffers matmul_vectors
 */
#include "check.h"
#include "product.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SIDE = 128, DEPTH = 8 }; /* matrices are stored in whole tiles, as in kernels */
enum { SMALLER = 4 };           /* so much shorter are the sides of the small product */
static const struct sizes sizes = {.cpu = 1 << 16, .cpu_full = 1 << 18, .gpu = 1 << 24};

/* The rows of a tile, the work-items of a group, and how many groups there are for each
 * unit; 0: one for each tile.  From SMALL on, it is the small product. */
enum { VECTORS, SHARES = 3, SMALL = 4, HALF = 6 };
static const struct variant {
    const char *name, *kernel;
    size_t tall, items, each;
} variants[] = {{"vectors", "matmul_vectors", 128, 256, 0},
                {"two buffers", "matmul_buffers", 128, 256, 0},
                {"8 x 16, ahead", "matmul_ahead", 128, 128, 0},
                {"equal shares", "matmul_shares", 128, 128, 2},
                {"small, ahead", "matmul_ahead", 128, 128, 0},
                {"small, equal shares", "matmul_shares", 128, 128, 2},
                {"small, half tiles", "matmul_shares_half", 64, 128, 3}};

/* A group for each tile; or some for each unit, which share all slabs.  There are no
 * more of these than slabs, because others wait for what a group leaves. */
static struct launch make_launch(const struct product *p, const struct variant *v,
                                 size_t each) {
    struct device *device = &p->step->device;
    if (device->max_group < v->items)
        die("%s needs groups of %zu work-items" HINT "this device allows %zu",
            v->kernel, v->items, device->max_group);
    const size_t tiles = p->n / SIDE * (p->m / v->tall), all = tiles * (p->k / DEPTH);
    size_t groups = (each ? each : v->each) * device->units;
    if (v->each == 0 || groups > all)
        groups = v->each == 0 ? tiles : all;
    cl_uint *zeros = step_array(p->step, groups + 1, sizeof *zeros);
    cl_mem flags = buffer_from(device, zeros, (groups + 1) * sizeof *zeros);
    cl_mem sums = buffer_new(device, groups * v->tall * SIDE * sizeof(float));
    const struct arg args[] = {ARG(p->a_buffer), ARG(p->b_buffer), ARG(p->c_buffer),
                               ARG(p->n),        ARG(p->k),        ARG(p->m),
                               ARG(sums),        ARG(flags)};
    return step_launch(p->step, v->kernel, groups * v->items, v->items, args,
                       v->each           ? 8
                       : v->items == 256 ? 5
                                         : 6);
}

/* The rows of a product, each alternating with the first; returns how many times
 * faster the last one is than the first. */
static struct ratio compare(struct product *p, size_t first, size_t last, size_t each) {
    struct step *step = p->step;
    struct launch launches[COUNT(variants)];
    struct row rows[COUNT(variants)];
    char notes[COUNT(variants)][64] = {""};
    product_numbers(p, true);
    for (size_t v = first; v <= last; v++) {
        launches[v] = make_launch(p, &variants[v], each);
        rows[v] = (struct row){.variant = variants[v].name, .note = notes[v]};
        rows[v].size = (size_t)p->sides[0] * p->sides[1];
        rows[v].flops = product_flops(p);
        rows[v].limit = step->report.limits.fma;
        rows[v].right = product_right(p, &launches[v], false);
    }
    product_numbers(p, false);
    struct ratio slower = {0};
    for (size_t v = first; v <= last; v++) {
        slower = step_time_beside(step, &launches[first], &launches[v], &rows[v]);
        if (v != first && told_apart(slower))
            snprintf(notes[v], sizeof notes[v], "%.2f x the rate", 1.0 / slower.median);
    }
    product_numbers(p, true); /* C of earlier launches is wrong now */
    for (size_t v = first; v <= last; v++) {
        rows[v].right =
            rows[v].right && right_again(product_right(p, &launches[v], true));
        report_row(&step->report, rows[v]);
    }
    struct timing pair[2];
    return time_pair(&step->device, launches[last], launches[first],
                     step->options.repeats, pair);
}

int main(int argc, char **argv) {
    size_t sides[3] = {0}, each = 0;
    const char *only = NULL;
    const struct own_option own[] = {
        {"only", "ROW", "no row but this one, such as \"two buffers\"", .text = &only},
        {"m", "N", "rows of A and C", .number = &sides[0], .min = 1, .max = 1 << 16},
        {"n", "N", "columns of B and C", .number = &sides[1], .min = 1, .max = 1 << 16},
        {"k", "N", "columns of A, rows of B", .number = &sides[2], .min = 1,
         .max = 1 << 16},
        {"each", "N", "groups for each unit that share", .number = &each, .min = 1,
         .max = 64}};
    struct usage usage = {"step18b_matmul_ahead", 0, 1, own, COUNT(own)};
    struct step step;
    step_open_own(&step, argc, argv, &usage);
    const cl_uint size = step_size(&step, &sizes, 3, sizeof(float));
    size_t shorter[3];
    for (int i = 0; i < 3; i++) {
        sides[i] = sides[i] ? sides[i] : (size_t)ceil(sqrt(size));
        shorter[i] = (sides[i] + SMALLER - 1) / SMALLER;
    }

    /* The lesson: for what does the arithmetic still wait? */
    struct product large = product_new(&step, sides, SIDE, DEPTH),
                   small = product_new(&step, shorter, SIDE, DEPTH);
    for (size_t v = 0; only && v < COUNT(variants); v++)
        if (strcmp(only, variants[v].name) == 0) {
            compare(v < SMALL ? &large : &small, v, v, each);
            return step_close(&step);
        }
    if (only)
        die("there is no row \"%s\"" HINT "the first is \"%s\"", only,
            variants[0].name);
    const struct ratio last_fifth = compare(&large, VECTORS, SHARES, each),
                       tail = compare(&small, SMALL, HALF, each);

    /* The result. */
    report_headline(&step.report, "nothing waits against vectors", last_fifth);
    report_say(&step.report, "Equal shares of half tiles for the small product: %s.",
               in_words(tail).text);
    if (step.device.is_cpu)
        report_say(
            &step.report,
            "A CPU keeps what work-items have in registers in memory at each\n"
            "barrier: few barriers help it, too.  It has few cores to share among.");
    return step_close(&step);
}
