/* Step 13b: rows in, columns out
 *
 * In step 13 the shape of the group and the layout of the data could be made to agree.
 * A transposition reads rows and writes columns, so that no shape suits both.  Local
 * memory stands between them, and has a rule of its own.
 *
 * Read with  kernels/step13b_transpose.cl, docs/step13b_transpose.md
 * Try        BLOCK + 2 in transpose_padded: how many passes are it now, and why?
 * Lens       --size 65536
 * Story      store_sectors transpose_padded transpose_rows@256x1
 */
#include "step.h"

#include <math.h>

enum { MULTIPLE = 64 }; /* a row has so many elements, twice as many ... */
static const struct sizes sizes = {
    .cpu = 1 << 20, .cpu_full = 1 << 24, .gpu = 1 << 26};

/* The shape of a group, and the side of the block that it transposes; 0 stands for a
 * work-item for each element, and the copy has none of both. */
enum { COPY, BY_ROWS, PADDED = 4 };
static const struct variant {
    const char *name, *kernel;
    size_t width, height, block;
} variants[] = {{"copy", "transpose_copy", 256, 1, 0},
                {"rows, 256 x 1", "transpose_rows", 256, 1, 0},
                {"rows, 16 x 16", "transpose_rows", 16, 16, 0},
                {"local memory", "transpose_local", 32, 8, 32},
                {"local memory, padded", "transpose_padded", 32, 8, 32},
                {"4 x 4 each, swizzled", "transpose_quads", 16, 16, 64},
                {"C rows 32 x 8", "transpose_rows", 32, 8, 0},
                {"C rows 8 x 32", "transpose_rows", 8, 32, 0},
                {"C padded64", "transpose_padded64", 64, 4, 64},
                {"C padded64u", "transpose_padded64u", 64, 4, 64},
                {"C padded32u", "transpose_padded32u", 32, 8, 32},
                {"C registers 16x16", "transpose_registers", 16, 16, 64},
                {"C quads 16x8", "transpose_quads", 16, 8, 64},
};

struct matrix {
    struct step *step;
    size_t pitch, count; /* elements of a row, and of all rows */
    float *in, *transposed, *out;
    cl_mem in_buffer, out_buffer;
};

static void transpose_on_host(const struct matrix *m) {
    for (size_t y = 0; y < m->pitch; y++)
        for (size_t x = 0; x < m->pitch; x++)
            m->transposed[x * m->pitch + y] = m->in[y * m->pitch + x];
}

/* Is every element of the copy, or of the transposed matrix, where it belongs? */
static bool is_right(const struct matrix *m, bool copied) {
    const float *expected = copied ? m->in : m->transposed;
    buffer_read(&m->step->device, m->out_buffer, m->out, m->count * sizeof *m->out);
    for (size_t i = 0; i < m->count; i++)
        if (m->out[i] != expected[i])
            return wrong_at(element_2d("out", i % m->pitch, i / m->pitch),
                            (double)m->out[i], (double)expected[i]);
    return true;
}

static bool launch_is_right(const struct matrix *m, const struct launch *launch,
                            bool copied) {
    buffer_poison(&m->step->device, m->out_buffer);
    launch_ms(&m->step->device, launch);
    return is_right(m, copied);
}

static struct launch launch_of(const struct matrix *m, const struct variant *variant) {
    const cl_uint pitch = (cl_uint)m->pitch;
    const bool copies = variant == &variants[COPY];
    struct arg args[] = {ARG(m->in_buffer), ARG(m->out_buffer), ARG(pitch)};
    cl_kernel kernel =
        kernel_load(&m->step->device, &m->step->options, variant->kernel);
    kernel_set_args(kernel, args, copies ? 2 : 3);
    size_t shape[] = {variant->width, variant->height};
    while (shape[0] * shape[1] > m->step->device.max_group)
        shape[shape[1] > 1] /= 2;
    if (copies)
        return launch_1d(kernel, m->count / 4, shape[0]);
    const size_t groups = variant->block ? m->pitch / variant->block : 0;
    return launch_2d(kernel, groups ? groups * shape[0] : m->pitch,
                     groups ? groups * shape[1] : m->pitch, shape);
}

int main(int argc, char **argv) {
    struct step step;
    step_open(&step, argc, argv, "step13b_transpose");
    struct device *device = &step.device;

    const cl_uint n = step_size(&step, &sizes, 2, sizeof(float));
    const size_t side = (size_t)ceil(sqrt((double)n));
    struct matrix m = {.step = &step};
    m.pitch = (side + MULTIPLE - 1) / MULTIPLE * MULTIPLE;
    m.count = m.pitch * m.pitch;
    m.in = step_numbers(&step, m.count, 1);
    m.out = step_array(&step, m.count, sizeof *m.out);
    m.transposed = step_array(&step, m.count, sizeof *m.transposed);
    transpose_on_host(&m);
    m.in_buffer = buffer_from(device, m.in, m.count * sizeof *m.in);
    m.out_buffer = buffer_new(device, m.count * sizeof *m.out);

    const struct launch copy = launch_of(&m, &variants[COPY]);
    for (size_t v = 0; v < COUNT(variants); v++) {
        const struct launch launch = launch_of(&m, &variants[v]);
        struct timing times[2];
        struct row row = {.variant = variants[v].name, .size = m.count};
        row.bytes = 2.0 * (double)m.count * sizeof(float);
        row.limit = step.report.limits.copy;
        row.right = launch_is_right(&m, &launch, v == COPY);
        const struct ratio copies =
            time_pair(device, copy, launch, step.options.repeats, times);
        row.time = times[1];
        row.right = row.right && right_again(launch_is_right(&m, &launch, v == COPY));
        row.note = in_words(copies).text;
        report_row(&step.report, row);
    }
    return step_close(&step);
}
