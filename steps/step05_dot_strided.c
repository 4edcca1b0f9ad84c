/* Step 05: coalescing: the same work, scattered
 *
 * Many work-items share the elements of two vectors.  First, neighbours read
 * neighbouring elements, and then elements that are farther and farther apart.  The
 * work stays the same, but a load touches more and more sectors.
 *
 * Read with  kernels/step05_dot_strided.cl, docs/step05_dot_strided.md
 * Try        GROUP = 32: do the ratios change, and why?
 * Lens       --size 2097152
 * Story      load_sectors dot_coalesced dot_contiguous
 */
#include "contest.h"

enum { GROUP = 256, MAX_ITEMS = 1 << 18 };

static const struct sizes sizes = {.cpu = 1 << 24, .cpu_full = 1 << 27, .gpu = 1 << 27};

/* A stride of 0 stands for a kernel that has none, and 0 work-items for as many as
 * there can be.  From top to bottom a load of 32 lanes moves more sectors.  The
 * variants after the first seven come with --all. */
enum { COALESCED, STRIDE_2, CONTIGUOUS = 6, BY_DEFAULT, VARIANTS = 13 };
static const struct variant {
    const char *name, *kernel;
    cl_uint stride;
    size_t items;
} variants[VARIANTS] = {{"coalesced", "dot_coalesced", 0, 0},
                        {"stride 2", "dot_strided", 2, 0},
                        {"stride 4", "dot_strided", 4, 0},
                        {"stride 8", "dot_strided", 8, 0},
                        {"stride 16", "dot_strided", 16, 0},
                        {"stride 32", "dot_strided", 32, 0},
                        {"contiguous", "dot_contiguous", 0, 0},
                        {"stride 64", "dot_strided", 64, 0},
                        {"stride 1", "dot_strided", 1, 0},
                        {"4096 items, coalesced", "dot_coalesced", 0, 4096},
                        {"4096 items, contiguous", "dot_contiguous", 0, 4096},
                        {"32768 items, coalesced", "dot_coalesced", 0, 32768},
                        {"32768 items, contiguous", "dot_contiguous", 0, 32768}};

/* How many work-items.  It is the same number for all strides up to 32, and small
 * enough for a full round with any of them, if n has that many elements. */
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

/* A dot product of two vectors on the device. */
struct product {
    struct step *step;
    cl_mem x_buffer, y_buffer;
    cl_uint n;
    double expected;
    float *sums; /* what the work-items have left */
};

/* Every work-item has left one sum.  Is what the host adds up from them right? */
static bool is_right(const struct entry *entry, bool again) {
    const struct product *product = entry->of;
    const size_t items = entry->launch.global[0];
    double sum = 0.0;
    buffer_read(&product->step->device, entry->out, product->sums,
                items * sizeof *product->sums);
    for (size_t i = 0; i < items; i++)
        sum += (double)product->sums[i];
    return equal_sum(sum, again ? product->expected * (double)TINY : product->expected);
}

static struct entry make_entry(const struct product *product,
                               const struct variant *variant, size_t items,
                               size_t group, cl_uint stride) {
    struct step *step = product->step;
    const cl_uint n = product->n;
    cl_mem sums_buffer = buffer_new(&step->device, items * sizeof(float));
    const struct arg args[] = {ARG(product->x_buffer), ARG(product->y_buffer),
                               ARG(sums_buffer), ARG(n), ARG(stride)};
    const size_t arg_count = variant->stride ? COUNT(args) : COUNT(args) - 1;
    struct entry entry = {.row.variant = variant->name, .row.size = n};
    entry.row.bytes = 2.0 * n * sizeof(float);
    entry.row.limit = step->report.limits.read;
    entry.launch = step_launch(step, variant->kernel, items, group, args, arg_count);
    entry.out = sums_buffer;
    entry.of = product;
    return entry;
}

/* Kernels that are right for the sizes and strides above may be wrong for others.  With
 * --all a few work-items are checked, which have many rounds (without a stride an odd
 * number of them: no power of two) and a large stride that depends on the seed. */
static void check_few(struct contest *contest, const struct product *product,
                      const float *x, const float *y) {
    enum { ITEMS = 8, MAX_ELEMENTS = 1 << 16, MIN_STRIDE = 129, STRIDES = 129 };
    const cl_uint stride =
        MIN_STRIDE + (cl_uint)(product->step->options.seed % STRIDES);
    struct product few = *product;
    few.n = product->n < MAX_ELEMENTS ? product->n : MAX_ELEMENTS;
    if (few.n / ITEMS > 0 && few.n / ITEMS % 2 == 0)
        few.n -= ITEMS;
    few.expected = dot_on_host(x, y, few.n);
    const size_t of_each_kernel[] = {COALESCED, STRIDE_2, CONTIGUOUS};
    for (size_t k = 0; k < COUNT(of_each_kernel); k++) {
        const struct variant *variant = &variants[of_each_kernel[k]];
        struct entry entry = make_entry(&few, variant, ITEMS, ITEMS, stride);
        entry.row.variant = variant->kernel; /* the stride is another one */
        contest_check(contest, entry);
    }
}

int main(int argc, char **argv) {
    struct step step;
    step_open(
        &step, argc, argv,
        &(struct usage){
            .step = "step05_dot_strided",
            .lesson = "the same dot product; only the order of its reads differs"});

    /* Two vectors of odd quarters: every order of adding gives the same sum. */
    const cl_uint n = step_size(&step, &sizes, 2, sizeof(float));
    struct product product = {.step = &step, .n = n};
    float *x = step_numbers(&step, n, 1), *y = step_numbers(&step, n, 2);
    product.x_buffer = buffer_from(&step.device, x, n * sizeof *x);
    product.y_buffer = buffer_from(&step.device, y, n * sizeof *y);
    product.expected = dot_on_host(x, y, n);
    product.sums = step_array(&step, MAX_ITEMS, sizeof *product.sums);

    /* The lesson: how far apart are the elements that neighbours read? */
    struct contest contest = contest_begin(&step, is_right);
    const size_t count = step.options.all ? VARIANTS : BY_DEFAULT;
    for (size_t v = 0; v < count; v++) {
        const size_t items = items_of(&variants[v], n);
        struct entry entry =
            make_entry(&product, &variants[v], items, GROUP, variants[v].stride);
        if (items * variants[v].stride > n)
            entry.row.note = "not one round";
        contest_add(&contest, entry);
    }
    if (step.options.all)
        check_few(&contest, &product, x, y);

    /* From here on x is 2^60 times smaller, so that a kernel that adds in fixed point
     * finds 0. */
    contest_make_tiny(&contest, product.x_buffer, x, n);
    const struct ratio ratio = contest_time(&contest, COALESCED, CONTIGUOUS);

    /* The result. */
    report_headline(
        &step.report, "coalesced, not contiguous chunks", ratio,
        "A core runs one work-item after another, and uses every byte of a chunk.");
    report_say(&step.report,
               "Where 32 sectors are touched, caches keep some of them for "
               "the next rounds.");
    return step_close(&step);
}
