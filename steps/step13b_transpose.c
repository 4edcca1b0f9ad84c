/* Step 13b: rows in, columns out
 *
 * In step 13 the shape of the group and the layout of the data could be made to agree.
 * A transposition reads rows and writes columns, so that no shape suits both.  Local
 * memory stands between them, and has a rule of its own.
 *
 * Read with  kernels/step13b_transpose.cl, docs/step13b_transpose.md
 * Try        BLOCK + 2 in transpose_padded: how many passes are it now, and why?
 * Lens       --size 65536 transpose_rows transpose_local transpose_padded
 *            transpose_quads
 * Story      store_sectors transpose_padded transpose_rows@256
 */
#include "step.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MULTIPLE = 64 }; /* rows and columns are padded to whole blocks of the kernels */
static const struct sizes sizes = {.cpu = 1100000, .cpu_full = 1 << 24, .gpu = 1 << 26};

/* The shape of a group, and the side of the block that it transposes; 0: it has one
 * work-item for each element. */
enum { COPY, COPY_LOCAL, BY_ROWS, PADDED = 5 };
static const struct variant {
    const char *name, *kernel;
    size_t width, height, block;
} variants[] = {{"copy", "transpose_copy", 256, 1, 0},
                {"copy, local memory", "transpose_copy_local", 32, 8, 32},
                {"rows, 256 x 1", "transpose_rows", 256, 1, 0},
                {"rows, 8 x 32", "transpose_rows", 8, 32, 0},
                {"local memory", "transpose_local", 32, 8, 32},
                {"local memory, padded", "transpose_padded", 32, 8, 32},
                {"4 x 4 each, swizzled", "transpose_quads", 16, 16, 64}};

struct matrix {
    struct device *device;
    size_t pitch, count; /* elements of a row, and of all rows */
    const float *in;
    float *transposed, *found;
    cl_mem in_buffer, out_buffer;
};

/* Random numbers of 24 bits and a sign, so that hardly two are equal.  They need every
 * bit of a float, and their fractions do not fit an int.  Some are -0, and some NaN, of
 * which there are many: a kernel that only moves numbers keeps all of their bits. */
static const float *make_numbers(struct step *step, size_t count) {
    float *numbers = step_array(step, count, sizeof *numbers);
    cl_uint state = step->options.seed + 13;
    for (size_t i = 0; i < count; i++) {
        const cl_uint random = random_next(&state), bits = 0x7fc00000u | random >> 12;
        numbers[i] = i % 61 == 1 ? -0.0f : 0.25f * (float)((cl_int)random >> 7);
        if (i % 67 == 2)
            memcpy(&numbers[i], &bits, sizeof bits);
    }
    return numbers;
}

static void transpose_on_host(const struct matrix *m) {
    for (size_t y = 0; y < m->pitch; y++)
        for (size_t x = 0; x < m->pitch; x++)
            m->transposed[x * m->pitch + y] = m->in[y * m->pitch + x];
}

static struct matrix make_matrix(struct step *step) {
    const cl_uint n = step_size(step, &sizes, 2, sizeof(float));
    const size_t side = (size_t)ceil(sqrt((double)n));
    struct matrix m = {.device = &step->device};
    m.pitch = (side + MULTIPLE - 1) / MULTIPLE * MULTIPLE;
    m.count = m.pitch * m.pitch;
    m.in = make_numbers(step, m.count);
    m.found = step_array(step, m.count, sizeof(float));
    m.transposed = step_array(step, m.count, sizeof(float));
    transpose_on_host(&m);
    m.in_buffer = buffer_from(m.device, m.in, m.count * sizeof(float));
    m.out_buffer = buffer_new(m.device, m.count * sizeof(float));
    return m;
}

static cl_uint bits_of(float number) {
    cl_uint bits;
    memcpy(&bits, &number, sizeof bits);
    return bits;
}

/* Launches, and compares every element with where it belongs.  A launch must overwrite
 * what it finds in `out`: nothing yet, or the other one of the two matrices. */
static bool is_right(const struct matrix *m, const struct launch *launch, bool copies,
                     bool again) {
    const float *expected = copies ? m->in : m->transposed;
    const size_t bytes = m->count * sizeof(float);
    if (again)
        buffer_write(m->device, m->out_buffer, copies ? m->transposed : m->in, bytes);
    else
        buffer_poison(m->device, m->out_buffer);
    launch_ms(m->device, launch);
    buffer_read(m->device, m->out_buffer, m->found, bytes);
    for (size_t i = 0; i < m->count; i++) {
        const cl_uint found = bits_of(m->found[i]), wanted = bits_of(expected[i]);
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

/* In groups of the variant's shape, or lower ones where a device does not allow it. */
static struct launch make_launch(struct step *step, const struct matrix *m,
                                 const struct variant *variant) {
    const cl_uint pitch = (cl_uint)m->pitch;
    size_t group[] = {variant->width, variant->height};
    step_shape(step, group);
    if (variant == &variants[COPY])
        return LAUNCH(step, variant->kernel, m->count / 4, group[0], ARG(m->in_buffer),
                      ARG(m->out_buffer));
    const size_t blocks = variant->block ? m->pitch / variant->block : 0;
    return LAUNCH_2D(step, variant->kernel, blocks ? blocks * group[0] : m->pitch,
                     blocks ? blocks * group[1] : m->pitch, group, ARG(m->in_buffer),
                     ARG(m->out_buffer), ARG(pitch));
}

int main(int argc, char **argv) {
    struct step step;
    step_open(&step, argc, argv, &(struct usage){.step = "step13b_transpose"});
    step_need_group(&step, variants[PADDED].block);
    const struct matrix m = make_matrix(&step);

    /* The lesson: one side is scattered, then neither, then not even local memory.
     * Each alternates with a copy of as many bytes. */
    struct launch launches[COUNT(variants)];
    for (size_t v = 0; v < COUNT(variants); v++)
        launches[v] = make_launch(&step, &m, &variants[v]);
    for (size_t v = 0; v < COUNT(variants); v++) {
        char note[64] = "";
        const struct launch *launch = &launches[v];
        struct row row = {.variant = variants[v].name, .size = m.count, .note = note};
        row.bytes = 2.0 * (double)m.count * sizeof(float);
        row.limit = step.report.limits.copy;
        row.right = is_right(&m, launch, v <= COPY_LOCAL, false);
        const struct ratio against_copy =
            step_time_beside(&step, &launches[COPY], launch, &row);
        row.right =
            row.right && right_again(is_right(&m, launch, v <= COPY_LOCAL, true));
        if (v != COPY && told_apart(against_copy))
            snprintf(note, sizeof note, "%.2f x copy", against_copy.median);
        report_row(&step.report, row);
    }

    /* The result: the same two once more, alternating with each other. */
    struct timing pair[2];
    report_headline(&step.report, "padded block against row by row",
                    time_pair(m.device, launches[PADDED], launches[BY_ROWS],
                              step.options.repeats, pair));
    if (step.device.is_cpu)
        report_say(&step.report, "A CPU has no banks to pad for.  Blocks help if its "
                                 "cache cannot keep the lines of a column.");
    return step_close(&step);
}
