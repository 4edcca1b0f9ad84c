/* Step 08: the order of a float sum
 *
 * The steps before added odd quarters or whole numbers, whose sums are exact in any
 * order.  With most floats each addition rounds, and in another order it rounds
 * elsewhere.  So the CPU's sum and the GPU's are different.  Which one is right?
 *
 * Read with  kernels/step08_sum_accuracy.cl, docs/step08_sum_accuracy.md
 * Try        ARTICLE = 1.5f, then 1.9f: which orders are exact, and why?
 * Lens       --size 65536
 * Story      barriers sum_blocked sum_pairwise
 */
#include "measure/ulp.h"
#include "step.h"

#include <math.h>
#include <string.h>

enum { LANES = 32, SHARE = 1024, TRIES = 16 };
static const float ARTICLE = 1.1f;
static const struct sizes sizes = {.cpu = 1 << 20, .gpu = 1 << 20},
                          timed = {.cpu = 1 << 20, .gpu = 1 << 26};

/* ---- The kernels' sums on the host, addition for addition. */
static float add_in_order(const float *x, size_t n) {
    float sum = 0.0f;
    for (size_t i = 0; i < n; i++)
        sum += x[i];
    return sum;
}

static float add_blocked(const float *x, size_t n) {
    float lane_sums[LANES] = {0.0f};
    for (size_t i = 0; i < n; i++)
        lane_sums[i % LANES] += x[i];
    return add_in_order(lane_sums, LANES);
}

/* Every second element, and those in between; in the kernel this is the last level. */
static float tree(const float *x, size_t n, size_t step) {
    return step >= n ? *x : tree(x, n, 2 * step) + tree(x + step, n - step, 2 * step);
}

static float add_pairwise(const float *x, size_t n) {
    return tree(x, n, 1);
}

/* Each group leaves the sum of its share, and the host adds the sums that are left. */
enum { IN_ORDER, BLOCKED, PAIRWISE, WAYS };
static const struct way {
    const char *name, *kernel;
    size_t group, share; /* work-items, and elements */
    float (*add)(const float *x, size_t n), (*add_rest)(const float *x, size_t n);
} ways[] = {
    {"one after another", "sum_single", 1, UINT32_MAX, add_in_order, add_in_order},
    {"blocked, 32 x 32", "sum_blocked", LANES, SHARE, add_blocked, add_in_order},
    {"pairwise", "sum_pairwise", LANES, SHARE, add_pairwise, add_pairwise}};

/* What is added: equal numbers, random ones, or the worst of several random vectors. */
enum data { EQUAL, RANDOM, WORST };
static const char *const endings[] = {", 1.1f", ", 0..1", ""};
struct problem {
    struct step step;
    float *quarters, *x, *sums; /* elements, and what the groups have left */
    cl_mem x_buffer, sums_buffer;
    double off[WAYS]; /* how many ulp a sum is off */
};

/* Vectors 0 and 1 of every row are random numbers, which show each change of the order,
 * and odd quarters: their sum is exact, so a lost one shows.  Others are its own. */
static void fill(struct problem *p, enum data data, unsigned i, size_t n) {
    random_numbers(p->x, n, p->step.options.seed + 80 + i);
    if (i == 1)
        memcpy(p->x, p->quarters, n * sizeof *p->x);
    for (size_t k = 0; data == EQUAL && i > 1 && k < n; k++)
        p->x[k] = ARTICLE;
    buffer_write(&p->step.device, p->x_buffer, p->x, n * sizeof *p->x);
}

/* Has each group left the host's sum, bit by bit?  Then *sum is the sum of all. */
static bool is_right(struct problem *p, const struct way *way, size_t n, float *sum) {
    const size_t share = way->share, groups = (n - 1) / share + 1;
    buffer_read(&p->step.device, p->sums_buffer, p->sums, groups * sizeof *p->sums);
    for (size_t i = 0; i < groups; i++) {
        const size_t first = i * share, rest = n - first;
        const float ours = way->add(p->x + first, rest < share ? rest : share);
        const float theirs = p->sums[i];
        if (memcmp(&ours, &theirs, sizeof ours) != 0)
            return wrong_at(element_of_group("sums", i), (double)theirs, (double)ours);
    }
    *sum = way->add_rest(p->sums, groups);
    return true;
}

/* A launch that adds n elements, into a buffer of its own. */
static struct launch make_launch(struct problem *p, const struct way *way, cl_uint n) {
    const size_t groups = (n - 1) / way->share + 1, items = groups * way->group;
    p->sums_buffer = buffer_new(&p->step.device, groups * sizeof *p->sums);
    return LAUNCH(&p->step, way->kernel, items, way->group, ARG(p->x_buffer),
                  ARG(p->sums_buffer), ARG(n));
}

/* One row.  Each vector's launch finds the sums of another one where it writes. */
static void report_sum(struct problem *p, int w, enum data data, cl_uint n) {
    const struct way *way = &ways[w];
    const struct launch launch = make_launch(p, way, n);
    char name[32], note[32];
    struct row row = {.variant = name, .size = n, .right = true, .note = note};
    float sum = NAN;
    for (unsigned i = 0; i < (data == WORST ? 2 + TRIES : 3); i++) {
        fill(p, data, i, n);
        launch_ms(&p->step.device, &launch);
        row.right = is_right(p, way, n, &sum) && row.right;
        const double error = ulps_off(sum, exact_sum(p->x, n));
        row.right = row.right && (i != 1 || error == 0.0);
        p->off[w] = i > 2 ? fmax(p->off[w], error) : error;
    }
    if (data == RANDOM) {
        buffer_poison(&p->step.device, p->sums_buffer);
        row.time = time_launches(&p->step.device, launch, p->step.options.repeats);
        row.right = row.right && right_again(is_right(p, way, n, &sum));
    }
    snprintf(name, sizeof name, "%s%s", way->name, endings[data]);
    snprintf(note, sizeof note, data == EQUAL ? "%.10g" : "error %.4g ulp",
             data == EQUAL ? (double)sum : p->off[w]);
    report_row(&p->step.report, row);
}

/* What does an order cost?  Equally many work-items add the same numbers in two orders,
 * and their launches alternate.  There are enough elements for a GPU's clock. */
static void compare_orders(struct problem *p, cl_uint n) {
    struct step *step = &p->step;
    struct launch launches[WAYS];
    cl_mem sums_buffers[WAYS];
    struct timing times[WAYS];
    bool right[WAYS];
    float sum = NAN;
    fill(p, RANDOM, 2, n);
    for (int w = BLOCKED; w <= PAIRWISE; w++) {
        launches[w] = make_launch(p, &ways[w], n);
        launch_ms(&step->device, &launches[w]);
        right[w] = is_right(p, &ways[w], n, &sum);
        buffer_poison(&step->device, p->sums_buffer);
        sums_buffers[w] = p->sums_buffer;
    }
    const struct ratio ratio =
        time_pair(&step->device, launches[BLOCKED], launches[PAIRWISE],
                  step->options.repeats, &times[BLOCKED]);
    for (int w = BLOCKED; w <= PAIRWISE; w++) {
        char name[32], note[32];
        struct row row = {name, n, times[w], .note = note};
        row.bytes = (double)n * sizeof *p->x;
        row.limit = step->report.limits.read;
        p->sums_buffer = sums_buffers[w];
        row.right = right[w] && right_again(is_right(p, &ways[w], n, &sum));
        snprintf(name, sizeof name, "time: %s", ways[w].name);
        snprintf(note, sizeof note, "error %.4g ulp",
                 ulps_off(sum, exact_sum(p->x, n)));
        report_row(&step->report, row);
    }
    report_headline(&step->report, "blocked sum against pairwise sum", ratio);
}

int main(int argc, char **argv) {
    struct problem p = {.step = {.memory = NULL}};
    struct step *step = &p.step;
    step_open(step, argc, argv, &(struct usage){.step = "step08_sum_accuracy"});
    const cl_uint n = step_size(step, &sizes, 2, sizeof(float)),
                  many = step_size(step, &timed, 2, sizeof(float)),
                  most = many > n ? many : n;
    p.quarters = step_numbers(step, n, 1);
    p.x = step_array(step, most, sizeof *p.x);
    p.sums = step_array(step, most, sizeof *p.sums);
    p.x_buffer = buffer_new(&step->device, most * sizeof *p.x);

    /* The lesson: the same numbers in three orders, first the article's. */
    for (int way = 0; way < WAYS; way++)
        report_sum(&p, way, EQUAL, n);
    report_say(&step->report, "%u times %.10g is %.10g: %.0f, %.0f, %.0f ulp off.", n,
               (double)ARTICLE, n * (double)ARTICLE, p.off[0], p.off[1], p.off[2]);
    for (int way = 0; way < WAYS; way++)
        report_sum(&p, way, RANDOM, n);
    for (size_t m = 16; step->options.all && m <= n; m *= 4)
        for (int way = 0; way < WAYS; way++)
            report_sum(&p, way, WORST, (cl_uint)m);

    /* The result: what the better order costs. */
    compare_orders(&p, many);
    if (step->device.is_cpu)
        report_say(&step->report, "On a CPU core a chain keeps no other lane waiting.");
    return step_close(step);
}
