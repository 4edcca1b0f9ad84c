/* Step 08: the order of a float sum
 *
 * The steps before added odd quarters or whole numbers, whose sums are exact in any
 * order.  Most floats are not like that: each addition rounds, and in another order it
 * rounds elsewhere.  So the CPU's sum and the GPU's are different.  Which one is right?
 *
 * Read with  kernels/step08_sum_accuracy.cl, docs/step08_sum_accuracy.md
 * Try        ARTICLE = 1.5f, then 1.9f: which orders are exact, and why?
 * Lens       --size 65536
 * Story      busy_lanes sum_pairwise sum_single
 */
#include "step.h"
#include "ulp.h"

#include <math.h>
#include <string.h>

enum { LANES = 32, GROUP = 64, SHARE = 1024, TRIES = 16 };
static const float ARTICLE = 1.1f;
static const struct sizes sizes = {.cpu = 1 << 20, .gpu = 1 << 20};

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
static float add_strided(const float *x, size_t n, size_t stride) {
    return stride >= n ? *x
                       : add_strided(x, n, 2 * stride) +
                             add_strided(x + stride, n - stride, 2 * stride);
}

static float add_pairwise(const float *x, size_t n) {
    return add_strided(x, n, 1);
}

/* Three ways to add.  Each group of work-items leaves the sum of its share, and the
 * host adds the sums that are left. */
enum { IN_ORDER, BLOCKED, PAIRWISE, WAYS };
static const struct way {
    const char *name, *kernel;
    size_t group, share; /* work-items, and elements */
    float (*add)(const float *x, size_t n), (*add_rest)(const float *x, size_t n);
} ways[] = {
    {"one after another", "sum_single", 1, UINT32_MAX, add_in_order, add_in_order},
    {"blocked, 32 x 32", "sum_blocked", LANES, SHARE, add_blocked, add_in_order},
    {"pairwise", "sum_pairwise", GROUP, SHARE, add_pairwise, add_pairwise}};

/* What is added: equal numbers, random ones, or the worst of several random vectors. */
enum data { EQUAL, RANDOM, WORST };
static const char *const endings[] = {", 1.1f", ", 0..1", ""};
struct problem {
    struct step step;
    float *quarters, *x, *sums; /* elements, and what the groups have left */
    cl_mem x_buffer, sums_buffer;
    double errors[WAYS]; /* in ulp */
};

/* Has each group left the host's sum, bit by bit?  Then *sum is the sum of all. */
static bool is_right(struct problem *p, const struct way *way, const float *x, size_t n,
                     float *sum) {
    const size_t groups = (n - 1) / way->share + 1;
    buffer_read(&p->step.device, p->sums_buffer, p->sums, groups * sizeof *p->sums);
    for (size_t i = 0; i < groups; i++, x += way->share, n -= way->share) {
        const float ours = way->add(x, n < way->share ? n : way->share);
        if (memcmp(&ours, &p->sums[i], sizeof ours) != 0)
            return wrong_at(element_of_group("sums", i), (double)p->sums[i],
                            (double)ours);
    }
    *sum = way->add_rest(p->sums, groups);
    return true;
}

/* One row.  Vector 1 shows that nothing is lost: a sum of odd quarters has no error. */
static struct timing report_sum(struct problem *p, int w, enum data data, cl_uint n) {
    const struct way *way = &ways[w];
    const size_t items = ((n - 1) / way->share + 1) * way->group;
    const struct launch launch = LAUNCH(&p->step, way->kernel, items, way->group,
                                        ARG(p->x_buffer), ARG(p->sums_buffer), ARG(n));
    char name[32], note[32];
    struct row row = {.variant = name, .size = n, .right = true, .note = note};
    float sum = NAN;
    const unsigned last = data == WORST ? TRIES + 1 : 2;
    for (unsigned i = 0; i <= last; i++) {
        const float *x = i == 1 ? p->quarters : p->x;
        random_numbers(p->x, n, p->step.options.seed + 80 + i);
        for (size_t k = 0; data == EQUAL && i == last && k < n; k++)
            p->x[k] = ARTICLE;
        buffer_write(&p->step.device, p->x_buffer, x, n * sizeof *x);
        buffer_poison(&p->step.device, p->sums_buffer);
        launch_ms(&p->step.device, &launch);
        row.right = is_right(p, way, x, n, &sum) && row.right;
        const double error = ulps_off(sum, exact_sum(x, n));
        row.right = row.right && (i != 1 || error == 0.0);
        p->errors[w] = data == WORST && i > 1 ? fmax(p->errors[w], error) : error;
    }
    if (data != WORST) {
        row.time = time_launches(&p->step.device, launch, p->step.options.repeats);
        row.right = row.right && right_again(is_right(p, way, p->x, n, &sum));
    }
    snprintf(name, sizeof name, "%s%s", way->name, endings[data]);
    snprintf(note, sizeof note, "error %.4g ulp", p->errors[w]);
    if (data == EQUAL)
        snprintf(note, sizeof note, "%.10g", (double)sum);
    report_row(&p->step.report, row);
    return row.time;
}

int main(int argc, char **argv) {
    struct problem p = {.step = {.memory = NULL}};
    struct step *step = &p.step;
    step_open(step, argc, argv, "step08_sum_accuracy");
    const cl_uint n = step_size(step, &sizes, 2, sizeof(float));
    p.quarters = step_numbers(step, n, 1);
    p.x = step_array(step, n, sizeof *p.x);
    p.sums = step_array(step, n, sizeof *p.sums);
    p.x_buffer = buffer_new(&step->device, n * sizeof *p.x);
    p.sums_buffer = buffer_new(&step->device, n * sizeof *p.sums);

    /* The lesson: the same numbers in three orders, first the article's. */
    struct timing times[WAYS];
    for (int way = 0; way < WAYS; way++)
        report_sum(&p, way, EQUAL, n);
    report_say(
        &step->report, "%u times %.10g is exactly %.10g: %.0f, %.0f, %.0f ulp off.", n,
        (double)ARTICLE, n * (double)ARTICLE, p.errors[0], p.errors[1], p.errors[2]);
    for (int way = 0; way < WAYS; way++)
        times[way] = report_sum(&p, way, RANDOM, n);
    for (cl_uint m = 16; step->options.all && m <= n && m >= 16; m *= 4)
        for (int way = 0; way < WAYS; way++)
            report_sum(&p, way, WORST, m);
    /* The result. */
    report_headline(&step->report, "pairwise sum against one long sum",
                    ratio_between(times[PAIRWISE], times[IN_ORDER]));
    if (step->device.is_cpu)
        report_say(&step->report, "A CPU core runs one work-item after another, so a "
                                  "chain of additions keeps nothing waiting.");
    return step_close(step);
}
