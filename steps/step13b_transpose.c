/* Step 13b: transposition: rows in, columns out
 *
 * In step 13 the shape of the group and the layout of the data could be made to agree.
 * A transposition reads rows and writes columns, so no shape suits both.  A block in
 * local memory turns rows into columns, but local memory has a rule of its own.
 *
 * Read with  kernels/step13b_transpose.cl, docs/step13b_transpose.md
 * Try        BLOCK + 2 in transpose_padded: how many passes are it now, and why?
 * Lens       --size 65536 transpose_rows transpose_local transpose_padded
 *            transpose_quads
 * Story      moved_bytes transpose_padded transpose_rows@256
 */
#include "contest.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MULTIPLE = 64 }; /* rows and columns are padded to whole blocks of the kernels */

static const struct sizes sizes = {.cpu = 1100000, .cpu_full = 1 << 24, .gpu = 1 << 26};

/* The shape of a group, and the side of the block that it transposes; 0: it has one
 * work-item for each element, or for each four of the copy. */
enum { COPY, BY_ROWS, BY_ROWS_OF_8, LOCAL, PADDED, COPY_LOCAL, FOUR, QUADS, VARIANTS };
static const struct variant {
    const char *name, *kernel;
    bool copies; /* each element keeps its place */
    size_t width, height, block;
} variants[VARIANTS] = {
    [COPY] = {"copy", "transpose_copy", true, 256, 1, 0},
    [BY_ROWS] = {"rows, 256 x 1", "transpose_rows", false, 256, 1, 0},
    [BY_ROWS_OF_8] = {"rows, 8 x 32", "transpose_rows", false, 8, 32, 0},
    [LOCAL] = {"local memory", "transpose_local", false, 32, 8, 32},
    [PADDED] = {"local memory, padded", "transpose_padded", false, 32, 8, 32},
    [COPY_LOCAL] = {"copy, local memory", "transpose_copy_local", true, 32, 8, 32},
    [FOUR] = {"padded, four in flight", "transpose_padded_four", false, 32, 8, 32},
    [QUADS] = {"4 x 4 each, swizzled", "transpose_quads", false, 16, 16, 64}};

struct matrix {
    struct step *step;
    size_t pitch, count; /* elements of a row, and of all rows */
    float *in, *transposed, *found;
    cl_mem in_buffer, out_buffer;
};

/* What a variant has to make of the matrix, and the other one of the two. */
struct task {
    const struct matrix *matrix;
    const float *expected, *other;
};

/* Random numbers of 24 bits and a sign, so that hardly two are equal.  They need every
 * bit of a float, and their fractions do not fit an int.  Some are -0, and some NaN, of
 * which there are many: a kernel that only moves numbers keeps all of their bits. */
static float *make_numbers(struct step *step, size_t count) {
    float *numbers = step_array(step, count, sizeof *numbers);
    cl_uint state = step->options.seed + 13;
    for (size_t i = 0; i < count; i++) {
        const cl_uint random = random_next(&state);
        const cl_uint nan_bits = 0x7fc00000u | random >> 12;
        if (i % 67 == 2)
            memcpy(&numbers[i], &nan_bits, sizeof nan_bits);
        else if (i % 61 == 1)
            numbers[i] = -0.0f;
        else
            numbers[i] = 0.25f * (float)((cl_int)random >> 7);
    }
    return numbers;
}

static void transpose_on_host(const float *in, float *out, size_t pitch) {
    for (size_t y = 0; y < pitch; y++)
        for (size_t x = 0; x < pitch; x++)
            out[x * pitch + y] = in[y * pitch + x];
}

static struct matrix make_matrix(struct step *step, size_t n) {
    const size_t side = (size_t)ceil(sqrt((double)n));
    struct matrix m = {.step = step};
    m.pitch = (side + MULTIPLE - 1) / MULTIPLE * MULTIPLE;
    m.count = m.pitch * m.pitch;
    m.in = make_numbers(step, m.count);
    m.found = step_array(step, m.count, sizeof(float));
    m.transposed = step_array(step, m.count, sizeof(float));
    transpose_on_host(m.in, m.transposed, m.pitch);
    m.in_buffer = buffer_from(&step->device, m.in, m.count * sizeof(float));
    m.out_buffer = buffer_new(&step->device, m.count * sizeof(float));
    return m;
}

static cl_uint bits_of(float number) {
    cl_uint bits;
    memcpy(&bits, &number, sizeof bits);
    return bits;
}

/* Compares every element with where it belongs, bit by bit. */
static bool is_moved(const struct matrix *m, const float *expected) {
    for (size_t i = 0; i < m->count; i++) {
        const cl_uint found = bits_of(m->found[i]);
        const cl_uint wanted = bits_of(expected[i]);
        if (found == wanted)
            continue;
        const struct place place = element_2d("out", i % m->pitch, i / m->pitch);
        if (isnan(m->found[i]) && isnan(expected[i]))
            return wrong("%s has the bits 0x%08x, expected the NaN 0x%08x", place.what,
                         found, wanted);
        return wrong_at(place, (double)m->found[i], (double)expected[i]);
    }
    return true;
}

/* A launch must overwrite what it finds in `out`: nothing yet, or the other one of the
 * two matrices. */
static bool is_right(const struct entry *entry, bool again) {
    const struct task *task = entry->of;
    const struct matrix *m = task->matrix;
    struct device *device = &m->step->device;
    if (again)
        buffer_write(device, m->out_buffer, task->other, m->count * sizeof(float));
    else
        buffer_poison(device, m->out_buffer);
    launch_ms(device, &entry->launch);
    buffer_read(device, m->out_buffer, m->found, m->count * sizeof(float));
    return is_moved(m, task->expected);
}

/* In groups of the variant's shape, or lower ones where a device does not allow it. */
static struct launch make_launch(const struct matrix *m,
                                 const struct variant *variant) {
    const cl_uint pitch = (cl_uint)m->pitch;
    size_t group[] = {variant->width, variant->height};
    step_shape(m->step, group);
    if (variant == &variants[COPY]) /* four elements each, whatever their row */
        return LAUNCH(m->step, variant->kernel, m->count / 4, group[0],
                      ARG(m->in_buffer), ARG(m->out_buffer));

    size_t width = m->pitch, height = m->pitch;
    if (variant->block > 0) { /* a group for each block */
        width = m->pitch / variant->block * group[0];
        height = m->pitch / variant->block * group[1];
    }
    return LAUNCH_2D(m->step, variant->kernel, width, height, group, ARG(m->in_buffer),
                     ARG(m->out_buffer), ARG(pitch));
}

static struct entry make_entry(const struct matrix *m, const struct variant *variant) {
    struct task *task = step_array(m->step, 1, sizeof *task);
    task->matrix = m;
    task->expected = variant->copies ? m->in : m->transposed;
    task->other = variant->copies ? m->transposed : m->in;

    struct entry entry = {.of = task, .launch = make_launch(m, variant)};
    entry.row.variant = variant->name;
    entry.row.size = m->count;
    entry.row.bytes = 2.0 * (double)m->count * sizeof(float);
    entry.row.limit = m->step->report.limits.copy;
    return entry;
}

int main(int argc, char **argv) {
    struct step step;
    step_open(
        &step, argc, argv,
        &(struct usage){
            .step = "step13b_transpose",
            .lesson = "the same transpose; only where rows become columns differs"});
    step_need_group(&step, variants[PADDED].width);
    const cl_uint n = step_size(&step, &sizes, 2, sizeof(float));
    const struct matrix matrix = make_matrix(&step, n);

    /* The lesson: one side is scattered, then only local memory is, then nothing. */
    struct contest contest = contest_begin(&step, is_right);
    for (size_t v = 0; v < VARIANTS; v++)
        contest_add(&contest, make_entry(&matrix, &variants[v]));

    /* Each alternates with a copy of as many bytes. */
    for (size_t v = 0; v < VARIANTS; v++) {
        char note[64];
        const struct ratio against_copy = contest_time_beside(&contest, v, COPY);
        snprintf(note, sizeof note, "%.2f x copy", against_copy.median);
        if (v != COPY && told_apart(against_copy))
            contest.entries[v].row.note = note;
        contest_print(&contest, v);
    }

    /* The result: the same two once more, alternating with each other. */
    report_headline(&step.report, "padded local memory, not rows",
                    contest_compare(&contest, PADDED, BY_ROWS),
                    "A CPU has no banks to pad for; blocks help once its cache cannot "
                    "keep a column.");
    report_say(&step.report, "Without padding, a column of the block is in one bank: "
                             "32 passes for a warp, not 1.");
    report_say(&step.report,
               "x copy: how many times slower than a copy, measured alternately.");
    return step_close(&step);
}
