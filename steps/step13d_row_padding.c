/* Step 13d: row padding: no two rows begin in the same bank
 *
 * In step 13b a column of a block in local memory was in one bank, and padding its rows
 * helped.  The L1 cache is the same memory and has the same banks.  So padding can help
 * a kernel that has no local memory at all, if lanes go down the rows of a matrix.
 *
 * Read with  kernels/step13d_row_padding.cl, docs/step13d_row_padding.md
 * Try        --columns 100: why is padding worth so little now?
 * Lens       --size 4096 multiply_rows multiply_rows_float4 multiply_rotated
 *            multiply_transposed
 * Banks      of the L1 are counted, too
 * Story      l1_passes multiply_rows@pitch=129 multiply_rows@pitch=128
 */
#include "contest.h"

#include <math.h>

enum { ROWS = 128, COLUMNS = 128, GROUP = 128 };

/* A large matrix that is read once has one result for so many of the small one's. */
enum { FEWER = 8 };

/* Results: numbers of all products. */
static const struct sizes sizes = {.cpu = 1 << 17, .cpu_full = 1 << 19, .gpu = 1 << 22};

/* Each variant changes one thing.  `padding`: numbers between the end of a row and the
 * next one. */
enum { PLAIN, PADDED = 4, TRANSPOSED = 8, VARIANTS = 11 };
static const struct variant {
    const char *name; /* to which its pitch is added, as in "128 apart" */
    const char *kernel;
    cl_uint padding;
    bool transposed, large;
} variants[VARIANTS] = {{"", "multiply_rows", 0, false, false},
                        {"", "multiply_rows", 16, false, false},
                        {"", "multiply_rows", 8, false, false},
                        {"", "multiply_rows", 4, false, false},
                        {"", "multiply_rows", 1, false, false},
                        {"rotated, ", "multiply_rotated", 0, false, false},
                        {"float4, ", "multiply_rows_float4", 0, false, false},
                        {"float4, ", "multiply_rows_float4", 4, false, false},
                        {"transposed", "multiply_transposed", 0, true, false},
                        {"read once, ", "multiply_rows", 0, false, true},
                        {"read once, ", "multiply_rows", 1, false, true}};

/* A matrix, the vectors that it is multiplied with, and all products.  A number of the
 * matrix is in the host's memory once, and on the device in each variant's layout. */
struct products {
    struct step *step;
    cl_uint rows, columns, vectors;
    const float *matrix, *x;
    cl_mem x_buffer;
    double *expected;
    float *found;
};

static double product_on_host(const float *row, const float *x, size_t columns) {
    double sum = 0.0;
    for (size_t k = 0; k < columns; k++)
        sum += (double)row[k] * (double)x[k];
    return sum;
}

static struct products make_products(struct step *step, cl_uint rows, cl_uint columns,
                                     cl_uint vectors, const float *x, cl_mem x_buffer) {
    const size_t results = (size_t)vectors * rows;
    struct products p = {step, rows, columns, vectors, .x = x, .x_buffer = x_buffer};
    float *matrix = step_numbers(step, (size_t)rows * columns, 1);
    p.matrix = matrix;
    p.expected = step_array(step, results, sizeof *p.expected);
    p.found = step_array(step, results, sizeof *p.found);
    for (size_t vector = 0; vector < vectors; vector++)
        for (size_t row = 0; row < rows; row++)
            p.expected[vector * rows + row] =
                product_on_host(&matrix[row * columns], &x[vector * columns], columns);
    return p;
}

/* The matrix on the device, with its rows, or its columns, `pitch` numbers apart.
 * Padding is NaN, so that a kernel which reads it is wrong. */
static cl_mem make_layout(const struct products *p, cl_uint pitch, bool transposed) {
    const size_t count = (size_t)(transposed ? p->columns : p->rows) * pitch;
    float *laid = step_array(p->step, count, sizeof *laid);
    for (size_t i = 0; i < count; i++)
        laid[i] = NAN;
    for (size_t row = 0; row < p->rows; row++)
        for (size_t k = 0; k < p->columns; k++)
            laid[transposed ? k * pitch + row : row * pitch + k] =
                p->matrix[row * p->columns + k];
    return buffer_from(&p->step->device, laid, count * sizeof *laid);
}

/* All sums are exact, in every order of adding. */
static bool is_right(const struct entry *entry, bool again) {
    const struct products *p = entry->of;
    const size_t results = (size_t)p->vectors * p->rows;
    const double scale = again ? (double)TINY : 1.0;
    buffer_read(&p->step->device, entry->out, p->found, results * sizeof *p->found);
    for (size_t i = 0; i < results; i++) {
        const double expected = p->expected[i] * scale;
        if ((double)p->found[i] != expected)
            return wrong_at(element_2d("y", i % p->rows, i / p->rows),
                            (double)p->found[i], expected);
    }
    return true;
}

static struct entry make_entry(const struct products *p,
                               const struct variant *variant) {
    struct step *step = p->step;
    const cl_uint pitch =
        (variant->transposed ? p->rows : p->columns) + variant->padding;
    const size_t results = (size_t)p->vectors * p->rows;
    cl_mem matrix_buffer = make_layout(p, pitch, variant->transposed);
    size_t group[] = {GROUP, 1};
    step_shape(step, group);

    struct entry entry = {.of = p};
    entry.out = buffer_new(&step->device, results * sizeof(float));
    entry.launch = LAUNCH_2D(step, variant->kernel, p->rows, p->vectors, group,
                             ARG(matrix_buffer), ARG(p->x_buffer), ARG(entry.out),
                             ARG(p->rows), ARG(p->columns), ARG(pitch));
    entry.row.variant = variant->transposed
                            ? variant->name
                            : step_text(step, "%s%u apart", variant->name, pitch);
    entry.row.size = results;
    if (variant->large) {
        entry.row.bytes = (double)results * p->columns * sizeof(float);
        entry.row.limit = step->report.limits.read;
    } else {
        entry.row.flops = 2.0 * (double)results * p->columns;
    }
    return entry;
}

/* Each row alternates with the control, unless it does other work. */
static void time_row(struct contest *contest, size_t v) {
    if (variants[v].large) {
        contest_time_alone(contest, v);
    } else {
        const struct ratio slower = contest_time_beside(contest, v, TRANSPOSED);
        if (v != TRANSPOSED && told_apart(slower))
            contest->entries[v].row.note =
                slower.median > 1.0
                    ? step_text(contest->step, "%.2f x slower", slower.median)
                    : step_text(contest->step, "%.2f x faster", 1.0 / slower.median);
    }
    contest_print(contest, v);
}

int main(int argc, char **argv) {
    size_t columns = COLUMNS;
    const struct own_option own = {.name = "columns",
                                   .value = "N",
                                   .help =
                                       "columns of the matrix, made a multiple of 4",
                                   .number = &columns,
                                   .min = 4,
                                   .max = 1024};
    struct step step;
    step_open(
        &step, argc, argv,
        &(struct usage){.step = "step13d_row_padding",
                        .lesson = "the same products; only where a row begins differs",
                        .own = &own,
                        .own_count = 1});
    const cl_uint wide = (cl_uint)(columns + 3) / 4 * 4;

    /* The largest buffers are the large matrix, with padding and without it; all others
     * together are no larger than another one of these. */
    const size_t bytes = (wide / FEWER + VARIANTS) * sizeof(float);
    const cl_uint n = step_size(&step, &sizes, 3, bytes);
    const cl_uint vectors = (n + ROWS - 1) / ROWS;

    /* The small matrix stays in the L1.  The large one passes through it once. */
    const size_t x_count = (size_t)vectors * wide;
    float *x = step_numbers(&step, x_count, 2);
    cl_mem x_buffer = buffer_from(&step.device, x, x_count * sizeof *x);
    const struct products small =
        make_products(&step, ROWS, wide, vectors, x, x_buffer);
    const struct products large =
        make_products(&step, (n + FEWER - 1) / FEWER, wide, 1, x, x_buffer);

    /* The lesson: in which banks do the rows of 32 lanes begin? */
    struct contest contest = contest_begin(&step, is_right);
    for (size_t v = 0; v < VARIANTS; v++)
        contest_add(&contest,
                    make_entry(variants[v].large ? &large : &small, &variants[v]));

    /* From here on x is 2^60 times smaller, so that a kernel that adds in fixed point
     * finds 0. */
    contest_make_tiny(&contest, x_buffer, x, x_count);
    for (size_t v = 0; v < VARIANTS; v++)
        time_row(&contest, v);

    /* The result: two of them once more, alternating with each other. */
    report_headline(
        &step.report, "padded rows, not whole lines",
        contest_compare(&contest, PADDED, PLAIN),
        "A core runs one work-item at a time, so no two need the same bank at once.");
    report_say(&step.report, "Without padding, the numbers that a warp loads together "
                             "are all in one bank of the L1.");
    report_say(&step.report, "x slower, x faster: than transposed, whose lanes read "
                             "neighbouring numbers.");
    return step_close(&step);
}
