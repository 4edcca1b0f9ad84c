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
#include "data/product.h"

#include <math.h>
#include <stdio.h>

enum { ROWS = 12, COLUMNS = 32 }; /* of a tile of C, as in the kernels */
enum { GROUP = 16, STRIP = 16 };  /* work-items; elements that one packs of a row */
enum { MAX_SIDE = 1 << 20 };
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

/* Where A and B lie in the order in which the tiles need them. */
struct panels {
    cl_mem a, b;
};

/* Packing is a part of each product: links[0] and, for A, links[1] come before it. */
static void make_links(struct step *step, const struct product *p,
                       const struct factors *factors, const struct panels *panels,
                       const struct variant *variant, struct launch links[3]) {
    const cl_uint m = p->m, n = p->n, k = p->k;
    const size_t group[] = {GROUP, 1}, wide = variant->whole_rows ? 1 : n / COLUMNS;
    cl_mem a = variant->packs_a ? panels->a : factors->a_buffer;
    cl_mem b = variant->packs_b ? panels->b : factors->b_buffer;
    size_t last = 0;
    if (variant->packs_b)
        links[last++] = LAUNCH_2D(step, "matmul_pack_b", k, 1, group,
                                  ARG(factors->b_buffer), ARG(b), ARG(n), ARG(k));
    if (variant->packs_a)
        links[last++] =
            LAUNCH_2D(step, "matmul_pack_a", (k + STRIP - 1) / STRIP, m / ROWS, group,
                      ARG(factors->a_buffer), ARG(a), ARG(k));
    links[last] = LAUNCH_2D(step, variant->kernel, m / variant->rows, wide, group,
                            ARG(a), ARG(b), ARG(p->c_buffer), ARG(m), ARG(n), ARG(k));
    for (size_t i = 0; i < last; i++)
        links[i].then = &links[i + 1];
}

/* The exact ones from panels of NaN; the real ones from what those have left there. */
static bool is_right(const struct product *p, const struct factors *factors,
                     const struct panels *panels, const struct launch *links) {
    if (factors == &p->exact) {
        buffer_poison(p->device, panels->a);
        buffer_poison(p->device, panels->b);
    }
    return product_is_right(p, factors, links);
}

/* Its row: its speed beside the one before (~: not told apart); what packs of it. */
static void measure(struct step *step, const struct product *p,
                    const struct panels *panels, size_t v, struct launch links[][3]) {
    const int packs = variants[v].packs_a + variants[v].packs_b;
    const struct launch *before = v && links[v - 1]->kernel ? links[v - 1] : links[v];
    char note[80];
    struct timing pair[2], packing = {0};
    struct row row = {
        variants[v].name, (size_t)p->m * p->n, .note = before == links[v] ? NULL : note,
        .flops = 2.0 * p->m * p->n * p->k, .limit = step->report.limits.fma};
    struct launch exact[3];
    make_links(step, p, &p->exact, panels, &variants[v], exact);
    make_links(step, p, &p->real, panels, &variants[v], links[v]);
    row.right = is_right(p, &p->exact, panels, exact) &&
                is_right(p, &p->real, panels, links[v]);
    const struct ratio ratio =
        time_pair(p->device, *links[v], *before, step->options.repeats, pair);
    row.time = pair[0];
    row.right = row.right && right_again(is_right(p, &p->exact, panels, exact));
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
              &(struct usage){.step = "step18c_matmul_packed",
                              .own = own,
                              .own_count = COUNT(own)});
    const size_t side = (size_t)sqrt(step_size(&step, &sizes, 7, sizeof(float)));
    const struct product p =
        product_new(&step, ((m ? m : side) + ROWS - 1) / ROWS * ROWS,
                    ((n ? n : side) + COLUMNS - 1) / COLUMNS * COLUMNS, k ? k : side);
    const bool is_slow = p.flops > 2.0 * SLOW_SIDE * SLOW_SIDE * SLOW_SIDE;
    const struct panels panels = {
        buffer_new(p.device, (size_t)p.m * p.k * sizeof(float)),
        buffer_new(p.device, (size_t)p.k * p.n * sizeof(float))};

    /* The lesson: each row changes one thing more. */
    struct launch links[COUNT(variants)][3] = {{{0}}};
    for (size_t v = is_slow ? IKJ : IJK; v < COUNT(variants); v++)
        measure(&step, &p, &panels, v, links);

    /* The result: what registers are worth, by the same two once more. */
    struct timing pair[2];
    const struct ratio ratio =
        time_pair(p.device, *links[TILE], *links[ROW], step.options.repeats, pair);
    report_headline(&step.report, "12 x 32 sums against 1 x 32", ratio);
    report_say(
        &step.report, "%s%s", is_slow ? "ijk takes seconds here: left out.\n" : "",
        step.device.is_cpu
            ? "A core has registers for 12 x 32 sums, and reads on and on in panels."
            : "This step is for CPUs: a GPU's lane has no registers for 12 x 32 sums.");
    return step_close(&step);
}
