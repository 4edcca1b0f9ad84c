/* Step 09b: nothing is left for the host
 *
 * In step 06 every group left one sum for the host.  The device can add up these, too,
 * but its groups run in no order: how does one know that all others have finished?
 *
 * Read with  kernels/step09b_last_group.cl, docs/step09b_last_group.md
 * Try        MAX_GROUPS = 65536: which variant becomes slower at --full?  Why?
 * Lens       --size 262144 last_group_first last_group last_group_fixed
 * Races      LOCKSTEP_MAX_GROUP=100 --size 270003 --all
 * Story      atomics last_group last_group_first
 */
#include "measure/ulp.h"
#include "step.h"

#include <math.h>
#include <string.h>

enum { GROUP = 512, LEAST = 64, MAX_GROUPS = 2048, RUNS = 10 }; /* LEAST: elements */
static const struct sizes sizes = {.cpu = 1 << 22, .cpu_full = 1 << 26, .gpu = 1 << 28};

/* Ways to finish a sum; the dot product comes with --all. */
enum { TWO, LAST, FLOATS, FIXED, DOT, WAYS };
static const char *const names[] = {"two launches", "one launch, last group",
                                    "float atomics", "fixed point atomics",
                                    "dot product, last group"};

/* The sums of the groups, and the result; `then[w]` is a way's second launch. */
struct problem {
    struct device *device;
    cl_uint groups, most; /* `most` elements are added up by one work-item */
    cl_mem x, y, finished, sums, result, words; /* two words, to which atomics add */
    struct launch ways[WAYS], then[WAYS];
};

/* In a group a work-item has LEAST elements, or more if there are MAX_GROUPS. */
static void make_problem(struct step *step, struct problem *p, const float *x,
                         const float *y, cl_uint n) {
    struct device *device = p->device = &step->device;
    const size_t group = step_group(step, GROUP), least = LEAST * group;
    p->groups = n > MAX_GROUPS * least ? MAX_GROUPS : (cl_uint)((n - 1) / least + 1);
    const size_t items = p->groups * group, bytes = group * sizeof *x;
    p->most = (cl_uint)(n / items) + 32; /* two more rounds of 16 may begin */
    p->x = buffer_from(device, x, n * sizeof *x);
    p->y = buffer_from(device, y, n * sizeof *y);
    p->finished = buffer_from(device, &(cl_uint){0}, sizeof(cl_uint));
    p->sums = buffer_new(device, p->groups * sizeof *x);
    p->result = buffer_new(device, sizeof *x);
    p->words = buffer_new(device, sizeof(int64_t));
    p->ways[TWO] = LAUNCH(step, "last_group_first", items, group, ARG(p->x),
                          ARG(p->sums), LOCAL(bytes), ARG(n));
    p->then[TWO] = LAUNCH(step, "last_group_second", group, group, ARG(p->sums),
                          ARG(p->result), LOCAL(bytes), ARG(p->groups));
    p->ways[LAST] = LAUNCH(step, "last_group", items, group, ARG(p->x), ARG(p->sums),
                           ARG(p->finished), ARG(p->result), LOCAL(bytes), ARG(n));
    p->ways[FLOATS] = p->ways[FIXED] =
        LAUNCH(step, "last_group_zero", 1, 1, ARG(p->words));
    p->then[FLOATS] = LAUNCH(step, "last_group_floats", items, group, ARG(p->x),
                             ARG(p->words), LOCAL(bytes), ARG(n));
    p->then[FIXED] = LAUNCH(step, "last_group_fixed", items, group, ARG(p->x),
                            ARG(p->words), LOCAL(2 * bytes), ARG(n));
    p->ways[DOT] =
        LAUNCH(step, "last_group_dot", items, group, ARG(p->x), ARG(p->y), ARG(p->sums),
               ARG(p->finished), ARG(p->result), LOCAL(bytes), ARG(n));
    for (int w = 0; w < WAYS; w++)
        p->ways[w].then = w == LAST || w == DOT ? NULL : &p->then[w];
}

/* Finishes a sum: it is a float or, in fixed point, a whole multiple of 2^-24. */
static double run(const struct problem *p, int w, bool poisoned) {
    int64_t whole = 0;
    float sum;
    cl_mem result = w == FLOATS || w == FIXED ? p->words : p->result;
    buffer_poison(p->device, p->sums);
    if (poisoned)
        buffer_poison(p->device, result);
    launch_ms(p->device, &p->ways[w]);
    buffer_read(p->device, result, &whole, w == FIXED ? sizeof whole : sizeof sum);
    buffer_read(p->device, result, &sum, sizeof sum);
    return w == FIXED ? (double)whole * 0x1p-24 : (double)sum;
}

/* Counts the different sums of RUNS runs.  False if one is farther off than half an ulp
 * for each addition: a work-item's, two trees', and one for each sum that follows. */
static bool count_answers(const struct problem *p, int w, double exact, int *answers) {
    const size_t sums = p->groups / (w == FLOATS ? 1 : p->ways[LAST].local[0]);
    double found[RUNS], additions = w == FIXED ? 0.0 : (double)(p->most + 20 + sums);
    for (int r = 0, before = 0; r < RUNS; r++, before = 0) {
        found[r] = run(p, w, true);
        if (!(fabs(found[r] - exact) <= additions * 0x1p-24 * exact))
            return equal_sum(found[r], exact);
        while (found[before] != found[r])
            before++;
        *answers += before == r;
    }
    return true;
}

/* Sums of groups at the edge of a word: -1, 0, 1 or 2^31, and some of them 2^32 more,
 * in fixed point.  Each group has its own in the tile that it takes first. */
static bool carries_right(const struct problem *p, float *x, cl_uint n) {
    static const float edges[] = {-0x1p-24f, 0x1p-24f, 0.0f, -0x1p-24f, 0x1p7f};
    const size_t tile = 16 * p->ways[LAST].local[0];
    memset(x, 0, n * sizeof *x);
    for (size_t g = 0; g < p->groups && g * tile + 1 < n; g++) {
        x[g * tile] = edges[g % 5];
        x[g * tile + 1] = g % 3 == 0 ? 0x1p8f : 0.0f;
    }
    buffer_write(p->device, p->x, x, n * sizeof *x);
    return equal_sum(run(p, FIXED, true), (double)exact_sum(x, n) * 0x1p-24);
}

/* Of numbers that are small enough, fixed point keeps nothing; all others must. */
static bool tiny_right(const struct problem *p, int w, const float *x, cl_uint n,
                       double sum) {
    if (w == FIXED)
        return true;
    buffer_write(p->device, p->x, x, n * sizeof *x);
    return right_when_tiny(equal_sum(run(p, w, true), sum * (double)TINY));
}

int main(int argc, char **argv) {
    struct step step;
    step_open(&step, argc, argv, &(struct usage){.step = "step09b_last_group"});
    /* Odd quarters have one sum in every order of adding; random numbers do not. */
    const cl_uint n = step_size(&step, &sizes, 2, sizeof(float));
    float *x = step_numbers(&step, n, 1), *y = step_numbers(&step, n, 2);
    float *z = step_array(&step, n, sizeof *x);
    for (cl_uint i = 0; i < n; i++)
        z[i] = x[i] * y[i];
    const double sum = (double)exact_sum(x, n) * 0x1p-24,
                 sums[WAYS] = {sum, sum, sum, sum, (double)exact_sum(z, n) * 0x1p-24};
    struct problem p;
    make_problem(&step, &p, x, y, n);

    /* Each way has to be right; how many answers has it for random numbers? */
    bool right[WAYS];
    int answers[DOT] = {0}, count = step.options.all ? WAYS : DOT;
    for (int w = 0; w < count; w++)
        right[w] = equal_sum(run(&p, w, true), sums[w]);
    right[FIXED] = carries_right(&p, z, n) && right[FIXED];
    random_numbers(z, n, step.options.seed + 3);
    buffer_write(p.device, p.x, z, n * sizeof *x);
    const double exact = (double)exact_sum(z, n) * 0x1p-24;
    for (int w = 0; w < DOT; w++)
        right[w] = count_answers(&p, w, exact, &answers[w]) && right[w];
    memcpy(z, x, n * sizeof *x);
    make_tiny(z, n);
    for (int w = 0; w < count; w++)
        right[w] = right[w] && tiny_right(&p, w, z, n, sums[w]);

    /* The lesson, with odd quarters; the launch after it must be right, too. */
    struct timing pair[2];
    buffer_write(p.device, p.x, x, n * sizeof *x);
    const struct ratio ratio =
        time_pair(p.device, p.ways[LAST], p.ways[TWO], step.options.repeats, pair);
    for (int w = 0; w < count; w++) {
        struct row row = {names[w], n, .limit = step.report.limits.read};
        row.bytes = (w == DOT ? 2.0 : 1.0) * n * sizeof *x;
        row.time = w <= LAST ? pair[w == TWO]
                             : time_launches(p.device, p.ways[w], step.options.repeats);
        row.right = right[w] && right_again(equal_sum(run(&p, w, false), sums[w]));
        report_row(&step.report, row);
    }

    /* The result; and pi, because 1/1 + 1/4 + 1/9 + ... is pi^2 / 6. */
    report_headline(&step.report, "one launch against two", ratio);
    report_say(&step.report,
               "Answers in %d runs with random numbers:\n"
               "two launches %d, last group %d, float atomics %d, fixed point %d.%s",
               RUNS, answers[TWO], answers[LAST], answers[FLOATS], answers[FIXED],
               p.device->is_cpu ? "\nOn a CPU few groups run at once." : "");
    for (cl_uint i = 0; count == WAYS && i < n; i++)
        x[i] = 1.0f / (float)(i + 1);
    buffer_write(p.device, p.x, x, n * sizeof *x);
    buffer_write(p.device, p.y, x, n * sizeof *x);
    if (count == WAYS)
        report_say(&step.report, "pi is about %.7f.", sqrt(6.0 * run(&p, DOT, true)));
    return step_close(&step);
}
