/* Step 09b: fences: the last group finishes the sum
 *
 * In step 06 every group left one sum for the host.  The device can add up these sums,
 * too, but its groups run in no order: how does one know that all others have finished?
 *
 * Read with  kernels/step09b_last_group.cl, docs/step09b_last_group.md
 * Try        MAX_GROUPS = 65536: which variant becomes slower at --full?  Why?
 * Lens       --size 262144 last_group_first last_group last_group_fixed
 * Races      LOCKSTEP_MAX_GROUP=100 --size 270003 --all
 * Story      atomics
 */
#include "contest.h"
#include "measure/ulp.h"

#include <math.h>
#include <string.h>

enum { GROUP = 512, MAX_GROUPS = 2048 };
enum { MIN_EACH = 64 }; /* elements of a work-item; more if there are MAX_GROUPS */
enum { RUNS = 10 };     /* of each variant, with random numbers */

#define UNIT 0x1p-24     /* of fixed point, as in the kernel */
#define HALF_ULP 0x1p-24 /* of a float: a rounding changes it by this part at most */

static const struct sizes sizes = {.cpu = 1 << 22, .cpu_full = 1 << 26, .gpu = 1 << 28};

/* Ways to finish a sum.  The last one, a dot product, comes with --all. */
enum { TWO_LAUNCHES, LAST_GROUP, FLOAT_ATOMICS, FIXED_POINT, DOT_PRODUCT, WAYS };
enum { BY_DEFAULT = 4 };
static const char *const names[WAYS] = {"two launches", "one launch, last group",
                                        "float atomics", "fixed point atomics",
                                        "dot product, last group"};

/* The numbers, and the groups, each of which adds up a part of them. */
struct problem {
    struct step *step;
    cl_uint n, groups;
    size_t group; /* work-items in a group */
    cl_mem x_buffer, y_buffer;
    cl_mem sums_buffer; /* what the groups leave */
    float *numbers;     /* on the host: what a check puts in the place of x */
};

/* How the sum is finished, and where the result is: a float, or two words of fixed
 * point. */
struct way {
    const struct problem *problem;
    const char *name;
    struct launch launch, second;
    cl_mem result_buffer;
    bool is_fixed;
    double vectors;  /* that it reads: x, or x and y */
    double expected; /* the sum of odd quarters */
};

/* Exact: all numbers are multiples of UNIT, and whole numbers of units are added. */
static double sum_on_host(const float *x, size_t n) {
    return (double)exact_sum(x, n) * UNIT;
}

static double dot_on_host(const float *x, const float *y, size_t n, float *products) {
    for (size_t i = 0; i < n; i++)
        products[i] = x[i] * y[i];
    return sum_on_host(products, n);
}

static struct problem make_problem(struct step *step, const float *x, const float *y,
                                   cl_uint n) {
    struct device *device = &step->device;
    const size_t group = step_group(step, GROUP), least = MIN_EACH * group,
                 groups = (n - 1) / least + 1;
    struct problem problem = {.step = step, .n = n, .group = group};
    problem.groups = groups < MAX_GROUPS ? (cl_uint)groups : MAX_GROUPS;
    problem.numbers = step_array(step, n, sizeof *problem.numbers);
    problem.x_buffer = buffer_from(device, x, n * sizeof *x);
    problem.y_buffer = buffer_from(device, y, n * sizeof *y);
    problem.sums_buffer = buffer_new(device, problem.groups * sizeof(float));
    return problem;
}

/* The second launch begins when the first one has ended. */
static void set_launches(struct way *way, struct launch first, struct launch second) {
    way->second = second;
    way->launch = first;
    way->launch.then = &way->second;
}

static void make_ways(const struct problem *problem, struct way ways[WAYS]) {
    struct step *step = problem->step;
    const size_t group = problem->group, items = problem->groups * group,
                 tree_bytes = group * sizeof(float);
    const cl_uint n = problem->n, groups = problem->groups, zero = 0;
    cl_mem x = problem->x_buffer, y = problem->y_buffer, sums = problem->sums_buffer;
    cl_mem finished = buffer_from(&step->device, &zero, sizeof zero);
    cl_mem result = buffer_new(&step->device, sizeof(float));
    cl_mem words = buffer_new(&step->device, 2 * sizeof(cl_uint));
    for (size_t w = 0; w < WAYS; w++)
        ways[w] = (struct way){.problem = problem,
                               .name = names[w],
                               .result_buffer = result,
                               .vectors = 1.0};

    /* Each group leaves a sum, and one group of a second launch adds them up. */
    set_launches(&ways[TWO_LAUNCHES],
                 LAUNCH(step, "last_group_first", items, group, ARG(x), ARG(sums),
                        LOCAL(tree_bytes), ARG(n)),
                 LAUNCH(step, "last_group_second", group, group, ARG(sums), ARG(result),
                        LOCAL(tree_bytes), ARG(groups)));

    /* Each group leaves a sum and counts, and the last one to count adds them up. */
    ways[LAST_GROUP].launch =
        LAUNCH(step, "last_group", items, group, ARG(x), ARG(sums), ARG(finished),
               ARG(result), LOCAL(tree_bytes), ARG(n));
    ways[DOT_PRODUCT].vectors = 2.0;
    ways[DOT_PRODUCT].launch =
        LAUNCH(step, "last_group_dot", items, group, ARG(x), ARG(y), ARG(sums),
               ARG(finished), ARG(result), LOCAL(tree_bytes), ARG(n));

    /* Each group adds its sum to one address, which an earlier launch has set to 0. */
    const struct launch clear = LAUNCH(step, "last_group_zero", 1, 1, ARG(words));
    set_launches(&ways[FLOAT_ATOMICS], clear,
                 LAUNCH(step, "last_group_floats", items, group, ARG(x), ARG(words),
                        LOCAL(tree_bytes), ARG(n)));
    set_launches(&ways[FIXED_POINT], clear,
                 LAUNCH(step, "last_group_fixed", items, group, ARG(x), ARG(words),
                        LOCAL(group * sizeof(cl_long)), ARG(n)));
    ways[FLOAT_ATOMICS].result_buffer = words;
    ways[FIXED_POINT].result_buffer = words;
    ways[FIXED_POINT].is_fixed = true;
}

/* The groups' sums are poisoned; the result is what the previous launch has left. */
static double launch_and_read(const struct way *way) {
    struct device *device = &way->problem->step->device;
    buffer_poison(device, way->problem->sums_buffer);
    launch_ms(device, &way->launch);
    if (way->is_fixed) {
        int64_t whole;
        buffer_read(device, way->result_buffer, &whole, sizeof whole);
        return (double)whole * UNIT;
    }
    float sum;
    buffer_read(device, way->result_buffer, &sum, sizeof sum);
    return (double)sum;
}

static double poison_launch_and_read(const struct way *way) {
    buffer_poison(&way->problem->step->device, way->result_buffer);
    return launch_and_read(way);
}

/* Odd quarters have one sum, whatever the order.  The first check overwrites poison.
 * The last one (`again`) overwrites an earlier result, as the timed launches do. */
static bool is_right(const struct entry *entry, bool again) {
    const struct way *way = entry->of;
    const double found = again ? launch_and_read(way) : poison_launch_and_read(way);
    return equal_sum(found, way->expected);
}

static struct entry make_entry(const struct way *way) {
    const struct problem *problem = way->problem;
    struct entry entry = {.launch = way->launch, .of = way};
    entry.row.variant = way->name;
    entry.row.size = problem->n;
    entry.row.bytes = way->vectors * problem->n * sizeof(float);
    entry.row.limit = problem->step->report.limits.read;
    return entry;
}

static void set_numbers(const struct problem *problem, const float *x) {
    buffer_write(&problem->step->device, problem->x_buffer, x, problem->n * sizeof *x);
}

/* ---- Does fixed point carry?  The sums of the groups are -1, 0, 1 or 2^31 units, at
 * the edge of the low word, and every third group has 2^32 units more.  A group finds
 * its two numbers in the tile that it takes first. */
static void check_carries(struct contest *contest, const struct way *way) {
    static const double edges[] = {-1.0, 1.0, 0.0, -1.0, 0x1p31}; /* in units */
    const struct problem *problem = way->problem;
    const size_t n = problem->n, tile = 16 * problem->group;
    float *numbers = problem->numbers;
    memset(numbers, 0, n * sizeof *numbers);
    for (size_t g = 0; g < problem->groups && g * tile + 1 < n; g++) {
        numbers[g * tile] = (float)(edges[g % COUNT(edges)] * UNIT);
        numbers[g * tile + 1] = g % 3 == 0 ? (float)(0x1p32 * UNIT) : 0.0f;
    }
    set_numbers(problem, numbers);
    contest_require(contest, FIXED_POINT,
                    equal_sum(poison_launch_and_read(way), sum_on_host(numbers, n)));
}

/* ---- How many answers?  A sum of random numbers is rounded after every addition, so
 * that another order of adding may give another sum. */
struct distinct_sums {
    int count;
    double sums[RUNS];
};

static struct distinct_sums run_many_times(const struct way *way) {
    struct distinct_sums distinct = {0};
    for (int run = 0; run < RUNS; run++) {
        const double sum = poison_launch_and_read(way);
        int known = 0;
        while (known < distinct.count && distinct.sums[known] != sum)
            known++;
        if (known == distinct.count)
            distinct.sums[distinct.count++] = sum;
    }
    return distinct;
}

/* How many additions, one after the other, may have rounded the sum of way number w:
 * those of a work-item, those of its group's tree, and those that finish the sum, which
 * may be a tree, too.  A work-item may have one round of tiles more than the average,
 * and up to a round of numbers that no tile covers.  Fixed point rounds nothing. */
static double count_additions(const struct problem *problem, size_t w) {
    enum { ROUND = 16 };  /* numbers that a work-item adds up of one tile */
    enum { LEVELS = 10 }; /* of a tree, in groups of up to 1024 */
    if (w == FIXED_POINT)
        return 0.0;
    const size_t average = problem->n / (problem->groups * problem->group);
    const size_t sums_each = problem->groups / problem->group; /* in the last group */
    const size_t last = w == FLOAT_ATOMICS ? problem->groups : sums_each;
    return (double)(average + 2 * ROUND + 2 * LEVELS + last);
}

/* No number is negative, so no running sum is larger than the last one, and no rounding
 * changes it by more than HALF_ULP of the last one. */
static bool are_near(const struct distinct_sums *found, double exact,
                     double additions) {
    const double most = additions * HALF_ULP * exact;
    for (int i = 0; i < found->count; i++)
        if (!(fabs(found->sums[i] - exact) <= most)) /* NaN is far off */
            return wrong("the sum is %.9g, expected %.9g: %.2g off, of which roundings "
                         "explain %.2g at most",
                         found->sums[i], exact, found->sums[i] - exact, most);
    return true;
}

static void count_answers(struct contest *contest, const struct way ways[WAYS],
                          int answer_counts[BY_DEFAULT]) {
    const struct problem *problem = ways[0].problem;
    const size_t n = problem->n;
    float *numbers = problem->numbers;
    random_numbers(numbers, n, problem->step->options.seed + 3);
    const double exact = sum_on_host(numbers, n);
    set_numbers(problem, numbers);
    for (size_t w = 0; w < BY_DEFAULT; w++) {
        const struct distinct_sums found = run_many_times(&ways[w]);
        answer_counts[w] = found.count;
        contest_require(contest, w,
                        are_near(&found, exact, count_additions(problem, w)));
    }
}

/* ---- Fixed point keeps nothing of tiny numbers; all other ways must keep them. */
static void check_tiny(struct contest *contest, const struct way ways[WAYS],
                       const float *x) {
    const struct problem *problem = ways[0].problem;
    memcpy(problem->numbers, x, problem->n * sizeof *x);
    make_tiny(problem->numbers, problem->n);
    set_numbers(problem, problem->numbers);
    for (size_t w = 0; w < contest->count; w++) {
        if (ways[w].is_fixed)
            continue;
        const double expected = ways[w].expected * (double)TINY,
                     found = poison_launch_and_read(&ways[w]);
        contest_require(contest, w, right_when_tiny(equal_sum(found, expected)));
    }
}

int main(int argc, char **argv) {
    struct step step;
    step_open(
        &step, argc, argv,
        &(struct usage){
            .step = "step09b_last_group",
            .lesson = "the same sum, all on the device, in two launches or in one"});

    /* Two vectors of odd quarters. */
    const cl_uint n = step_size(&step, &sizes, 2, sizeof(float));
    float *x = step_numbers(&step, n, 1), *y = step_numbers(&step, n, 2);
    const struct problem problem = make_problem(&step, x, y, n);
    struct way ways[WAYS];
    make_ways(&problem, ways);
    const double sum = sum_on_host(x, n);
    for (size_t w = 0; w < WAYS; w++)
        ways[w].expected = sum;
    ways[DOT_PRODUCT].expected = dot_on_host(x, y, n, problem.numbers);

    /* Each way has to be right before it is timed; and for random numbers, how many
     * answers does it give? */
    struct contest contest = contest_begin(&step, is_right);
    const size_t count = step.options.all ? WAYS : BY_DEFAULT;
    for (size_t w = 0; w < count; w++)
        contest_add(&contest, make_entry(&ways[w]));
    int answer_counts[BY_DEFAULT];
    check_carries(&contest, &ways[FIXED_POINT]);
    count_answers(&contest, ways, answer_counts);
    check_tiny(&contest, ways, x);

    /* The lesson: one launch or two, with odd quarters again. */
    set_numbers(&problem, x);
    const struct ratio ratio = contest_time(&contest, LAST_GROUP, TWO_LAUNCHES);

    /* The result. */
    report_headline(&step.report, "one launch, not two", ratio,
                    "Few groups run at once.");
    report_say(&step.report,
               "Answers in %d runs with random numbers:\n"
               "two launches %d, last group %d, float atomics %d, fixed point %d.",
               RUNS, answer_counts[TWO_LAUNCHES], answer_counts[LAST_GROUP],
               answer_counts[FLOAT_ATOMICS], answer_counts[FIXED_POINT]);
    return step_close(&step);
}
