/* Step 18c: from plain loops to packed panels, on a CPU
 *
 * A GPU's product of matrices keeps numbers in local memory.  A CPU's core has none,
 * but it has long vectors, 32 registers for them, and caches that like to read on and
 * on. Five changes lead from the textbook's three loops to what a CPU's libraries do.
 *
 * Read with  kernels/step18c_matmul_packed.cl, docs/step18c_matmul_packed.md
 * Try        ROWS = 4, and then 20, here and in the kernels: why are both slower?
 * Lens       --size 36864 matmul_row matmul_tile matmul_packed
 * Story      --repeats 3
 */
#include "step.h"

#include <math.h>
#include <stdio.h>

enum { ROWS = 12, COLUMNS = 32 };     /* of a tile of C, as in the kernels */
enum { GROUP = 16, STRIP = 16 };      /* work-items; elements that one packs of a row */
enum { SIDE = 511, SLOW_SIDE = 600 }; /* by default; where ijk begins to take seconds */
static const struct sizes sizes = {SIDE * SIDE, SIDE *SIDE, 4 * SIDE *SIDE, 0};

/* How many rows of C a work-item has, and whether it has all of their columns. */
enum { IJK, IKJ, ROW, TILE };
static const struct variant {
    const char *name, *kernel;
    size_t rows;
    bool whole_rows, packs_a, packs_b;
} variants[] = {{"ijk", "matmul_ijk", 1, true, false, false},
                {"ikj, vectors", "matmul_ikj", 1, true, false, false},
                {"1 x 32 in registers", "matmul_row", 1, false, false, false},
                {"12 x 32 in registers", "matmul_tile", ROWS, false, false, false},
                {"B packed", "matmul_packed_b", ROWS, false, false, true},
                {"A and B packed", "matmul_packed", ROWS, false, true, true}};

/* A is m x k, B is k x n, C is m x n; C consists of whole tiles. */
struct product {
    struct device *device;
    cl_uint m, n, k;
    float *c, *found;
    cl_mem a_buffer, b_buffer, c_buffer, a_panels, b_panels;
};

/* The host's product is exact: sums of sixteenths are not rounded (see data.h). */
static struct product make_product(struct step *step, size_t side) {
    struct product p = {.device = &step->device, .k = (cl_uint)side};
    p.m = (cl_uint)((side + ROWS - 1) / ROWS * ROWS);
    p.n = (cl_uint)((side + COLUMNS - 1) / COLUMNS * COLUMNS);
    const size_t m = p.m, n = p.n, k = p.k;
    const float *a = step_numbers(step, m * k, 1), *b = step_numbers(step, k * n, 2);
    p.c = step_array(step, m * n, sizeof(float));
    p.found = step_array(step, m * n, sizeof(float));
    for (size_t row = 0; row < m; row++)
        for (size_t i = 0; i < k; i++)
            for (size_t j = 0; j < n; j++)
                p.c[row * n + j] += a[row * k + i] * b[i * n + j];
    p.a_buffer = buffer_from(p.device, a, m * k * sizeof(float));
    p.b_buffer = buffer_from(p.device, b, k * n * sizeof(float));
    p.c_buffer = buffer_new(p.device, m * n * sizeof(float));
    p.a_panels = buffer_new(p.device, m * k * sizeof(float));
    p.b_panels = buffer_new(p.device, k * n * sizeof(float));
    return p;
}

/* Packing is a part of each product: links[0] and, for A, links[1] come before it. */
static void make_links(struct step *step, const struct product *p,
                       const struct variant *variant, struct launch links[3]) {
    const cl_uint m = p->m, n = p->n, k = p->k;
    const size_t group[] = {GROUP, 1}, wide = variant->whole_rows ? 1 : n / COLUMNS;
    cl_mem a = variant->packs_a ? p->a_panels : p->a_buffer;
    cl_mem b = variant->packs_b ? p->b_panels : p->b_buffer;
    struct launch *last = links;
    if (variant->packs_b)
        *last++ = LAUNCH_2D(step, "matmul_pack_b", k, 1, group, ARG(p->b_buffer),
                            ARG(b), ARG(n), ARG(k));
    if (variant->packs_a)
        *last++ = LAUNCH_2D(step, "matmul_pack_a", (k + STRIP - 1) / STRIP, m / ROWS,
                            group, ARG(p->a_buffer), ARG(a), ARG(k));
    *last = LAUNCH_2D(step, variant->kernel, m / variant->rows, wide, group, ARG(a),
                      ARG(b), ARG(p->c_buffer), ARG(m), ARG(n), ARG(k));
    while (last-- > links)
        last->then = last + 1;
}

/* Launches where C is NaN, or wrong numbers; and compares every element. */
static bool is_right(const struct product *p, const struct launch *links, bool again) {
    const size_t count = (size_t)p->m * p->n;
    for (size_t i = 0; i < count; i++)
        p->found[i] = again ? p->c[i] + 1.0f : NAN;
    buffer_write(p->device, p->c_buffer, p->found, count * sizeof(float));
    buffer_poison(p->device, p->a_panels);
    buffer_poison(p->device, p->b_panels);
    launch_ms(p->device, links);
    buffer_read(p->device, p->c_buffer, p->found, count * sizeof(float));
    for (size_t i = 0; i < count; i++)
        if (p->found[i] != p->c[i])
            return wrong_at(element_2d("C", i % p->n, i / p->n), (double)p->found[i],
                            (double)p->c[i]);
    return true;
}

/* Its row: its speed beside the one before (~: not told apart); what packs of it. */
static void measure(struct step *step, const struct product *p, size_t v,
                    struct launch links[][3]) {
    const int packs = variants[v].packs_a + variants[v].packs_b;
    const struct launch *before = v && links[v - 1]->kernel ? links[v - 1] : links[v];
    char note[80];
    struct timing pair[2], packing = {0};
    struct row row = {
        variants[v].name, (size_t)p->m * p->n, .note = before == links[v] ? NULL : note,
        .flops = 2.0 * p->m * p->n * p->k, .limit = step->report.limits.fma};
    row.right = is_right(p, links[v], false);
    const struct ratio ratio =
        time_pair(p->device, *links[v], *before, step->options.repeats, pair);
    row.time = pair[0];
    row.right = row.right && right_again(is_right(p, links[v], true));
    if (packs > 0) {
        links[v][packs - 1].then = NULL;
        packing = time_launches(p->device, *links[v], step->options.repeats);
        links[v][packs - 1].then = &links[v][packs];
    }
    snprintf(note, sizeof note, packs ? "%s%.1f x, pack %.0f %%" : "%s%.1f x",
             told_apart(ratio) ? "" : "~", ratio.median,
             100.0 * packing.median_ms / row.time.median_ms);
    report_row(&step->report, row);
}

int main(int argc, char **argv) {
    struct step step;
    step_open(&step, argc, argv, "step18c_matmul_packed");
    const size_t side = (size_t)sqrt(step_size(&step, &sizes, 5, sizeof(float)));
    const struct product p = make_product(&step, side);

    /* The lesson: each row changes one thing more. */
    struct launch links[COUNT(variants)][3] = {{{0}}};
    for (size_t v = side < SLOW_SIDE ? IJK : IKJ; v < COUNT(variants); v++) {
        make_links(&step, &p, &variants[v], links[v]);
        measure(&step, &p, v, links);
    }

    /* The result: what registers are worth, by the same two once more. */
    struct timing pair[2];
    const struct ratio ratio =
        time_pair(p.device, *links[TILE], *links[ROW], step.options.repeats, pair);
    report_headline(&step.report, "12 x 32 sums against 1 x 32", ratio);
    report_say(&step.report,
               "%sA CPU's core has registers for 12 x 32 sums; a GPU's lane "
               "does not.",
               side < SLOW_SIDE ? "" : "ijk takes seconds here: left out.\n");
    return step_close(&step);
}
