/* Step 05: the same work, scattered
 *
 * In steps 03 and 04 neighbouring work-items read neighbouring elements.  Here as many
 * work-items read the same elements, but what neighbours read lies farther and farther
 * apart.
 *
 * Read with  kernels/step05_dot_strided.cl, docs/step05_dot_strided.md
 * Try        GROUP = 32: do the ratios change, and why?
 * Lens       --size 2097152
 * Story      load_sectors dot_coalesced dot_contiguous
 */
#include "step.h"

enum { GROUP = 256, MAX_ITEMS = 1 << 18 };
enum { FEW = 8, ODD_ELEMENTS = 1 << 16 }; /* work-items, and at most so many elements */
enum { ODD_STRIDE = 129 };                /* at least */

static const struct sizes sizes = {.cpu = 1 << 24, .cpu_full = 1 << 27, .gpu = 1 << 27};

/* A stride of 0 stands for a kernel that has none, and 0 work-items for as many as
 * there can be.  The last variants come with --all. */
enum { COALESCED, CONTIGUOUS, BY_DEFAULT = 7 };
static const struct variant {
    const char *name, *kernel;
    cl_uint stride;
    size_t items;
} variants[] = {{"coalesced", "dot_coalesced", 0, 0},
                {"contiguous", "dot_contiguous", 0, 0},
                {"stride 2", "dot_strided", 2, 0},
                {"stride 4", "dot_strided", 4, 0},
                {"stride 8", "dot_strided", 8, 0},
                {"stride 16", "dot_strided", 16, 0},
                {"stride 32", "dot_strided", 32, 0},
                {"stride 64", "dot_strided", 64, 0},
                {"stride 1", "dot_strided", 1, 0},
                {"4096 items, coalesced", "dot_coalesced", 0, 4096},
                {"4096 items, contiguous", "dot_contiguous", 0, 4096},
                {"32768 items, coalesced", "dot_coalesced", 0, 32768},
                {"32768 items, contiguous", "dot_contiguous", 0, 32768}};

/* How many work-items; the default strides all get as many, so that each has at least
 * one full round. */
static size_t items_of(const struct variant *variant, size_t n) {
    const size_t stride = variant->stride > 32 ? variant->stride : 32;
    size_t items = variant->items ? variant->items : MAX_ITEMS;
    while (items * stride > n && items > GROUP)
        items /= 2;
    return items;
}

static double dot_on_host(const float *x, const float *y, size_t n) {
    double sum = 0.0;
    for (size_t i = 0; i < n; i++)
        sum += (double)x[i] * (double)y[i];
    return sum;
}

/* Every work-item has left one sum.  Is what the host adds up from them right? */
static bool is_right(struct device *device, const struct launch *launch,
                     cl_mem sums_buffer, float *sums, double expected) {
    const size_t items = launch->global[0];
    double sum = 0.0;
    buffer_read(device, sums_buffer, sums, items * sizeof *sums);
    for (size_t i = 0; i < items; i++)
        sum += (double)sums[i];
    return equal_sum(sum, expected);
}

/* The kernels must be right with any number of rounds, and any stride.  With --all a
 * few work-items are checked that have many rounds, and an odd number of them; their
 * stride comes from the seed. */
static void check_few(struct step *step, cl_mem x_buffer, cl_mem y_buffer,
                      const float *x, const float *y, cl_uint n) {
    const cl_uint stride = ODD_STRIDE + (cl_uint)(step->options.seed % ODD_STRIDE),
                  some = n < ODD_ELEMENTS ? n : ODD_ELEMENTS,
                  odd_n = some < FEW || some / FEW % 2 ? some : some - FEW;
    float sums[FEW];
    cl_mem sums_buffer = buffer_new(&step->device, sizeof sums);
    const struct arg args[] = {ARG(x_buffer), ARG(y_buffer), ARG(sums_buffer),
                               ARG(odd_n), ARG(stride)};
    for (size_t v = 0; step->options.all && v < 3; v++) {
        const struct launch launch = step_launch(step, variants[v].kernel, FEW, FEW,
                                                 args, variants[v].stride ? 5 : 4);
        buffer_poison(&step->device, sums_buffer);
        launch_ms(&step->device, &launch);
        if (!is_right(&step->device, &launch, sums_buffer, sums,
                      dot_on_host(x, y, odd_n)))
            report_row(&step->report,
                       (struct row){.variant = variants[v].kernel, .size = odd_n});
    }
}

int main(int argc, char **argv) {
    struct step step;
    step_open(&step, argc, argv, "step05_dot_strided");
    struct device *device = &step.device;

    /* Two vectors of odd quarters: every order of adding gives the same sum. */
    const cl_uint n = step_size(&step, &sizes, 2, sizeof(float));
    float *x = step_numbers(&step, n, 1), *y = step_numbers(&step, n, 2);
    double expected = dot_on_host(x, y, n);
    cl_mem x_buffer = buffer_from(device, x, n * sizeof *x);
    cl_mem y_buffer = buffer_from(device, y, n * sizeof *y);

    float *sums = step_array(&step, MAX_ITEMS, sizeof *sums);

    /* The lesson: how far apart are the elements that neighbours read?  First of all,
     * every variant has to be right. */
    const size_t count = step.options.all ? COUNT(variants) : BY_DEFAULT;
    struct launch launches[COUNT(variants)];
    cl_mem sums_buffers[COUNT(variants)];
    bool right[COUNT(variants)];
    for (size_t v = 0; v < count; v++) {
        const size_t items = items_of(&variants[v], n);
        cl_mem sums_buffer = sums_buffers[v] = buffer_new(device, items * sizeof *sums);
        const struct arg args[] = {ARG(x_buffer), ARG(y_buffer), ARG(sums_buffer),
                                   ARG(n), ARG(variants[v].stride)};
        launches[v] = step_launch(&step, variants[v].kernel, items, GROUP, args,
                                  variants[v].stride ? 5 : 4);
        launch_ms(device, &launches[v]);
        right[v] = is_right(device, &launches[v], sums_buffer, sums, expected);
    }
    check_few(&step, x_buffer, y_buffer, x, y, n);
    /* The first two alternate, so that whatever disturbs this machine disturbs both.
     * Of this x a sum in quarters would keep nothing. */
    buffer_make_tiny(device, x_buffer, x, n);
    expected *= (double)TINY;
    struct timing times[COUNT(variants)];
    const struct ratio ratio = time_pair(
        device, launches[COALESCED], launches[CONTIGUOUS], step.options.repeats, times);
    for (size_t v = 0; v < count; v++) {
        struct row row = {.variant = variants[v].name, .size = n};
        if (v > CONTIGUOUS)
            times[v] = time_launches(device, launches[v], step.options.repeats);
        row.time = times[v];
        row.bytes = 2.0 * n * sizeof *x;
        row.limit = step.report.limits.read;
        row.right =
            right[v] && right_when_tiny(is_right(device, &launches[v], sums_buffers[v],
                                                 sums, expected));
        if (launches[v].global[0] * variants[v].stride > n)
            row.note = "not one round";
        report_row(&step.report, row);
    }

    /* The result. */
    report_headline(&step.report, "coalesced against contiguous chunks", ratio);
    if (device->is_cpu)
        report_say(&step.report, "A CPU core runs one work-item after another, and "
                                 "uses every byte of a contiguous chunk.");
    return step_close(&step);
}
