/* Step 08: rounding: the order of a float sum
 *
 * Earlier steps added odd quarters or whole numbers, whose sums are exact in any order.
 * With most floats each addition rounds, and in another order other sums are rounded.
 * So the CPU's sum and the GPU's are different.  Which one is right?
 *
 * Read with  kernels/step08_sum_accuracy.cl, docs/step08_sum_accuracy.md
 * Try        ARTICLE = 1.5f, then 1.9f: which orders are exact, and why?
 * Lens       --size 65536
 * Story      barriers sum_blocked sum_pairwise
 */
#include "contest.h"
#include "measure/ulp.h"

#include <math.h>
#include <string.h>

enum { LANES = 32, SHARE = 1024, TRIES = 16 };
static const float ARTICLE = 1.1f;

static const struct sizes sizes = {.cpu = 1 << 20, .gpu = 1 << 20},
                          timed_sizes = {.cpu = 1 << 20, .gpu = 1 << 26};

/* ---- The kernels' three orders on the host, addition for addition. */

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

/* The tree over each `stride`-th element adds two trees, one over every second of these
 * elements, and one over the others.  In the kernel this addition is the last level. */
static float tree(const float *x, size_t n, size_t stride) {
    if (stride >= n)
        return x[0];
    return tree(x, n, 2 * stride) + tree(x + stride, n - stride, 2 * stride);
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
} ways[WAYS] = {
    {"one after another", "sum_single", 1, UINT32_MAX, add_in_order, add_in_order},
    {"blocked, 32 x 32", "sum_blocked", LANES, SHARE, add_blocked, add_in_order},
    {"pairwise", "sum_pairwise", LANES, SHARE, add_pairwise, add_pairwise}};

/* ---- What is added. */

struct numbers {
    struct step *step;
    const float *quarters;
    float *x; /* the numbers to be added, here and on the device */
    cl_mem x_buffer;
};

static void write_numbers(const struct numbers *numbers, size_t n) {
    buffer_write(&numbers->step->device, numbers->x_buffer, numbers->x,
                 n * sizeof *numbers->x);
}

/* From 0 to 1, other numbers for each `vector`.  Their sum shows which order it had. */
static void fill_random(const struct numbers *numbers, unsigned vector, size_t n) {
    random_numbers(numbers->x, n, numbers->step->options.seed + 80 + vector);
    write_numbers(numbers, n);
}

/* Odd quarters: their sum is exact in any order, so a lost element shows. */
static void fill_quarters(const struct numbers *numbers, size_t n) {
    memcpy(numbers->x, numbers->quarters, n * sizeof *numbers->x);
    write_numbers(numbers, n);
}

static void fill_equal(const struct numbers *numbers, size_t n) {
    for (size_t i = 0; i < n; i++)
        numbers->x[i] = ARTICLE;
    write_numbers(numbers, n);
}

/* ---- One way to add n of these numbers, on the device. */

struct addition {
    const struct numbers *numbers;
    const struct way *way;
    cl_uint n;
    size_t groups;
    float *sums; /* what the groups have left */
    cl_mem sums_buffer;
    struct launch launch;
};

static struct addition *addition_new(const struct numbers *numbers,
                                     const struct way *way, cl_uint n) {
    struct step *step = numbers->step;
    const size_t groups = (n - 1) / way->share + 1;
    struct addition *addition = step_array(step, 1, sizeof *addition);
    *addition = (struct addition){
        .numbers = numbers,
        .way = way,
        .n = n,
        .groups = groups,
        .sums = step_array(step, groups, sizeof(float)),
        .sums_buffer = buffer_new(&step->device, groups * sizeof(float))};
    addition->launch =
        LAUNCH(step, way->kernel, groups * way->group, way->group,
               ARG(numbers->x_buffer), ARG(addition->sums_buffer), ARG(n));
    return addition;
}

/* Has each group left the host's sum, bit by bit? */
static bool bits_right(const struct addition *addition) {
    const struct way *way = addition->way;
    buffer_read(&addition->numbers->step->device, addition->sums_buffer, addition->sums,
                addition->groups * sizeof *addition->sums);
    for (size_t g = 0; g < addition->groups; g++) {
        const size_t first = g * way->share, rest = addition->n - first;
        const float ours = way->add(addition->numbers->x + first,
                                    rest < way->share ? rest : way->share);
        const float theirs = addition->sums[g];
        if (memcmp(&ours, &theirs, sizeof ours) != 0)
            return wrong_at(element_of_group("sums", g), (double)theirs, (double)ours);
    }
    return true;
}

/* Where the launch writes, it finds the sums of other numbers. */
static bool launch_right(const struct addition *addition) {
    launch_ms(&addition->numbers->step->device, &addition->launch);
    return bits_right(addition);
}

/* The sum of all that bits_right() has read, and how many ulp it is off. */
static float sum_of_all(const struct addition *addition) {
    return addition->way->add_rest(addition->sums, addition->groups);
}

static double error_of(const struct addition *addition) {
    return ulps_off(sum_of_all(addition), exact_sum(addition->numbers->x, addition->n));
}

static const char *error_note(struct step *step, double error) {
    return step_text(step, "error %.3g ulp", error);
}

/* ---- The rows. */

/* Every row begins with two checks: random numbers, and numbers with an exact sum. */
static struct row begin_row(const struct addition *addition, const char *ending) {
    const struct numbers *numbers = addition->numbers;
    struct row row = {.size = addition->n, .right = true};
    row.variant = step_text(numbers->step, "%s%s", addition->way->name, ending);
    fill_random(numbers, 0, addition->n);
    if (!launch_right(addition))
        row.right = false;
    fill_quarters(numbers, addition->n);
    if (!launch_right(addition) || error_of(addition) != 0.0)
        row.right = false;
    return row;
}

/* The article's numbers.  Returns how many ulp their sum is off. */
static double report_equal(const struct numbers *numbers, const struct way *way,
                           cl_uint n) {
    const struct addition *addition = addition_new(numbers, way, n);
    struct row row = begin_row(addition, ", 1.1f");
    fill_equal(numbers, n);
    if (!launch_right(addition))
        row.right = false;
    row.note = step_text(numbers->step, "%.10g", (double)sum_of_all(addition));
    report_row(&numbers->step->report, row);
    return error_of(addition);
}

/* Random numbers, which are timed, too. */
static void report_random(const struct numbers *numbers, const struct way *way,
                          cl_uint n) {
    struct step *step = numbers->step;
    const struct addition *addition = addition_new(numbers, way, n);
    struct row row = begin_row(addition, ", 0..1");
    fill_random(numbers, 2, n);
    if (!launch_right(addition))
        row.right = false;
    row.note = error_note(step, error_of(addition));

    buffer_poison(&step->device, addition->sums_buffer);
    row.time = time_launches(&step->device, addition->launch, step->options.repeats);
    if (row.right)
        row.right = right_again(bits_right(addition));
    report_row(&step->report, row);
}

/* The largest error of several vectors of random numbers. */
static void report_worst(const struct numbers *numbers, const struct way *way,
                         cl_uint n) {
    const struct addition *addition = addition_new(numbers, way, n);
    struct row row = begin_row(addition, "");
    double worst = 0.0;
    for (unsigned vector = 2; vector < 2 + TRIES; vector++) {
        fill_random(numbers, vector, n);
        if (!launch_right(addition))
            row.right = false;
        worst = fmax(worst, error_of(addition));
    }
    row.note = error_note(numbers->step, worst);
    report_row(&numbers->step->report, row);
}

/* ---- What does an order cost?  Equally many work-items add the same numbers in two
 * orders, and there are enough numbers for a GPU's clock. */

static bool is_right(const struct entry *entry, bool again) {
    const struct addition *addition = entry->of;
    (void)again; /* the numbers stay the same */
    return bits_right(addition);
}

static void add_order(struct contest *contest, const struct addition *addition) {
    struct step *step = contest->step;
    struct entry entry = {.launch = addition->launch, .of = addition};
    entry.out = addition->sums_buffer;
    entry.row.variant = step_text(step, "time: %s", addition->way->name);
    entry.row.size = addition->n;
    entry.row.bytes = (double)addition->n * sizeof(float);
    entry.row.limit = step->report.limits.read;
    contest_add(contest, entry);
    contest->entries[contest->count - 1].row.note =
        error_note(step, error_of(addition));
    buffer_poison(&step->device, entry.out); /* timed launches must write it again */
}

static struct ratio compare_orders(const struct numbers *numbers, cl_uint n) {
    struct contest contest = contest_begin(numbers->step, is_right);
    fill_random(numbers, 2, n);
    add_order(&contest, addition_new(numbers, &ways[BLOCKED], n));
    add_order(&contest, addition_new(numbers, &ways[PAIRWISE], n));
    return contest_time(&contest, 0, 1);
}

int main(int argc, char **argv) {
    struct step step;
    step_open(&step, argc, argv,
              &(struct usage){.step = "step08_sum_accuracy",
                              .lesson = "the same sum, added in three orders"});

    /* Room for the numbers of each row, which are not always the same. */
    const cl_uint n = step_size(&step, &sizes, 2, sizeof(float)),
                  many = step_size(&step, &timed_sizes, 2, sizeof(float)),
                  most = many > n ? many : n;
    struct numbers numbers = {.step = &step, .quarters = step_numbers(&step, n, 1)};
    numbers.x = step_array(&step, most, sizeof(float));
    numbers.x_buffer = buffer_new(&step.device, most * sizeof(float));

    /* The lesson: the same numbers in three orders, first the article's. */
    double off[WAYS];
    for (size_t w = 0; w < WAYS; w++)
        off[w] = report_equal(&numbers, &ways[w], n);
    report_say(&step.report, "%u times %.10g is %.10g: %.0f, %.0f, %.0f ulp off.", n,
               (double)ARTICLE, n * (double)ARTICLE, off[IN_ORDER], off[BLOCKED],
               off[PAIRWISE]);
    for (size_t w = 0; w < WAYS; w++)
        report_random(&numbers, &ways[w], n);

    /* How the errors grow with the number of elements. */
    if (step.options.all)
        for (cl_ulong few = 16; few <= n; few *= 4)
            for (size_t w = 0; w < WAYS; w++)
                report_worst(&numbers, &ways[w], (cl_uint)few);

    /* The result: what the better order costs. */
    const struct ratio ratio = compare_orders(&numbers, many);
    report_headline(&step.report, "blocked sum, not pairwise", ratio,
                    "A barrier ends one loop over work-items and begins another.");
    return step_close(&step);
}
