/* Step 10c: a chain of tiny launches
 *
 * Step 10b looked at the end of one launch.  Here an algorithm is all end: each launch
 * needs half as many work-items as the one before, until hardly any unit has work, and
 * every launch takes its time even so.  By groups, the same sum takes few launches.
 *
 * Read with  kernels/step10c_tiny_launches.cl, docs/step10c_tiny_launches.md
 * Try        --all: fewer launches, or only fewer work-items?
 * Lens       --size 16384 halve sum_groups
 * Races      LOCKSTEP_MAX_GROUP=100 --size 40007 --all
 */
#include "step.h"

#include <stdio.h>

enum { GROUP = 256, EACH = 16 };      /* EACH: numbers that a work-item adds up alone */
enum { FIRST_ON_CPU = 8, FIRST = 4 }; /* launches of halving before few are left */
enum { IN_ONE_GROUP = GROUP * EACH, MAX_LAUNCHES = 33 };

static const struct sizes sizes = {.cpu = 600000, .cpu_full = 1 << 22, .gpu = 1 << 26};

/* Two ways that alternate.  Numbers are halved while there are more than `halve_to`;
 * then groups add up the rest, up to `each` for each work-item.  Few numbers are as
 * many as halving has left after its first launches.  The last pair comes with --all.
 */
enum { ONE_GROUP, BY_GROUPS, FEW, MANY_EACH, PAIRS };
static const struct way {
    const char *name;
    cl_uint halve_to, each;
} pairs[PAIRS][2] = {
    {{"halving, then one group", IN_ONE_GROUP, EACH}, {"halving", 1, EACH}},
    {{"by groups, 16 each", UINT32_MAX, EACH}, {"by groups, 1 each", UINT32_MAX, 1}},
    {{"few numbers, by groups", UINT32_MAX, EACH}, {"few numbers, halving", 1, EACH}},
    {{"by groups, 1024 each", UINT32_MAX, 1024},
     {"by groups, 64 each", UINT32_MAX, 64}}};

struct numbers {
    struct step *step;
    cl_uint state, *x;
    cl_mem x_buffer;
};

/* The launches that add up the first n numbers, one after the other.  Each leaves what
 * it adds up in a buffer that has no room for more; the last leaves the sum. */
struct chain {
    cl_uint n;
    int count;
    struct launch launches[MAX_LAUNCHES];
    cl_mem sum_buffer;
};

static void make_launches(const struct numbers *numbers, const struct way *way,
                          cl_uint n, struct chain *chain) {
    struct step *step = numbers->step;
    const size_t group = step_group(step, GROUP);
    cl_mem from = numbers->x_buffer;
    *chain = (struct chain){.n = n};
    for (cl_uint left = n; left > 1 || chain->count == 0; chain->count++) {
        const cl_uint pieces = (cl_uint)((left + group - 1) / group),
                      each = pieces < way->each ? pieces : way->each;
        const bool halve = left > way->halve_to;
        const cl_uint next = halve ? (left + 1) / 2 : (pieces + each - 1) / each;
        cl_mem to = buffer_new(&step->device, next * sizeof(cl_uint));
        struct launch *launch = &chain->launches[chain->count];
        *launch =
            halve ? LAUNCH(step, "halve", next, group, ARG(from), ARG(to), ARG(left))
                  : LAUNCH(step, "sum_groups", next * group, group, ARG(from), ARG(to),
                           ARG(left), ARG(each), LOCAL(group * sizeof(cl_uint)));
        if (chain->count > 0)
            chain->launches[chain->count - 1].then = launch;
        left = next;
        chain->sum_buffer = from = to;
    }
}

/* Do the launches find the sum of new numbers?  Buffers still hold what earlier
 * launches have left, so that a kernel that keeps it is wrong. */
static bool is_right(struct numbers *numbers, const struct chain *chain) {
    struct device *device = &numbers->step->device;
    cl_uint found, expected = 0;
    for (cl_uint i = 0; i < chain->n; i++)
        expected += numbers->x[i] = random_next(&numbers->state);
    buffer_write(device, numbers->x_buffer, numbers->x, chain->n * sizeof(cl_uint));
    launch_ms(device, chain->launches);
    buffer_read(device, chain->sum_buffer, &found, sizeof found);
    return equal_sum(found, expected);
}

/* The rows of a pair; returns how many times faster the first way is. */
static struct ratio compare(struct numbers *numbers, const struct way ways[2],
                            cl_uint n, struct timing times[2]) {
    struct step *step = numbers->step;
    struct chain chains[2];
    bool right[2];
    for (int i = 0; i < 2; i++) {
        make_launches(numbers, &ways[i], n, &chains[i]);
        right[i] = is_right(numbers, &chains[i]);
    }
    const struct ratio ratio =
        time_pair(&step->device, chains[0].launches[0], chains[1].launches[0],
                  step->options.repeats, times);
    for (int i = 1; i >= 0; i--) {
        char note[40];
        snprintf(note, sizeof note, "launches: %d", chains[i].count);
        struct row row = {ways[i].name, n, times[i], .note = note};
        row.bytes = (double)n * sizeof(cl_uint);
        row.limit = step->report.limits.read;
        row.right = right[i] && right_again(is_right(numbers, &chains[i]));
        report_row(&step->report, row);
    }
    return ratio;
}

/* All numbers by one group, whose work-items have more of them than in any row. */
static bool alone_right(struct numbers *numbers, cl_uint n) {
    const struct way alone = {"one group", UINT32_MAX, UINT32_MAX};
    struct chain chain;
    make_launches(numbers, &alone, n, &chain);
    return is_right(numbers, &chain);
}

int main(int argc, char **argv) {
    struct step step;
    step_open(&step, argc, argv, &(struct usage){.step = "step10c_tiny_launches"});
    step_need_group(&step, 2); /* a group of one adds up nothing */

    /* Room for the numbers, and for what chains of launches leave: nearly as many by
     * each of the two that halve all numbers, and few by the others. */
    const cl_uint n = step_size(&step, &sizes, 4, sizeof(cl_uint));
    struct numbers numbers = {.step = &step, .state = step.options.seed + 10};
    numbers.x = step_array(&step, n, sizeof *numbers.x);
    numbers.x_buffer = buffer_new(&step.device, n * sizeof *numbers.x);

    if (step.options.all && !alone_right(&numbers, n)) /* slow: a row only if wrong */
        report_row(&step.report, (struct row){.variant = "one group", .size = n});

    /* The lesson: the fewer launches, the fewer of them are tiny. */
    const unsigned first = step.device.is_cpu ? FIRST_ON_CPU : FIRST;
    struct timing times[PAIRS][2];
    struct ratio ratios[PAIRS];
    for (int p = 0; p < (step.options.all ? PAIRS : MANY_EACH); p++)
        ratios[p] = compare(&numbers, pairs[p], p == FEW ? ((n - 1) >> first) + 1 : n,
                            times[p]);

    /* The result. */
    report_headline(&step.report, "few launches against many", ratios[FEW]);
    const struct timing late = times[FEW][1], all = times[ONE_GROUP][1];
    if (n > 1U << first && told_apart(ratio_between(late, all)))
        report_say(&step.report,
                   "Halving: all launches after the first %u add up 1/%u of the "
                   "numbers.\nAlone they take about %.0f %% of the time.",
                   first, 1U << first, 100.0 * late.median_ms / all.median_ms);
    if (step.device.is_cpu)
        report_say(&step.report, "On a CPU a barrier costs time, too: it ends one loop "
                                 "over work-items and begins another.");
    return step_close(&step);
}
