/* Step 10c: launch overhead: a chain of tiny launches
 *
 * Step 10b looked at the end of one launch.  Here an algorithm is all end: each launch
 * has half as many work-items as the last one, until hardly any unit has work, but each
 * still takes the time of a launch.  By groups, the same sum takes few launches.
 *
 * Read with  kernels/step10c_tiny_launches.cl, docs/step10c_tiny_launches.md
 * Try        --all: fewer launches, or only fewer work-items?
 * Lens       --size 16384 halve sum_groups
 * Races      LOCKSTEP_MAX_GROUP=100 --size 40007 --all
 */
#include "contest.h"

enum { GROUP = 256, EACH = 16 };      /* EACH: numbers that a work-item adds up alone */
enum { FIRST_ON_CPU = 8, FIRST = 4 }; /* launches of halving before few are left */
enum { IN_ONE_GROUP = GROUP * EACH };

static const struct sizes sizes = {.cpu = 600000, .cpu_full = 1 << 22, .gpu = 1 << 26};

/* How a sum is found.  While more than `halve_to` numbers are left, a launch halves
 * them. After that groups add them up, and each work-item has at most `each` of them.
 */
struct way {
    const char *name;
    cl_uint halve_to, each;
};

/* Two ways that alternate, one and the other.  Few numbers are as many as
 * halving has left after its first launches.  The last pair comes with --all. */
enum { ONE, OTHER, WAYS };
enum { ONE_GROUP, BY_GROUPS, FEW, MANY_EACH };
enum { BY_DEFAULT = 3, PAIRS = 4 };
static const struct way pairs[PAIRS][WAYS] = {
    [ONE_GROUP] = {{"halving", 1, EACH},
                   {"halving, then one group", IN_ONE_GROUP, EACH}},
    [BY_GROUPS] = {{"by groups, 1 each", UINT32_MAX, 1},
                   {"by groups, 16 each", UINT32_MAX, EACH}},
    [FEW] = {{"few numbers, halving", 1, EACH},
             {"few numbers, by groups", UINT32_MAX, EACH}},
    [MANY_EACH] = {{"by groups, 64 each", UINT32_MAX, 64},
                   {"by groups, 1024 each", UINT32_MAX, 1024}}};

/* The numbers, here and on the device.  Each check draws new ones. */
struct numbers {
    struct step *step;
    cl_uint state, *x;
    cl_mem x_buffer;
};

/* The launches that add up the first n numbers, one after the other.  Each leaves its
 * sums in a buffer of its own, which has room for just these; the last one leaves the
 * sum of all. */
enum { MAX_LAUNCHES = 33 };
struct chain {
    struct numbers *numbers;
    cl_uint n;    /* numbers before the first launch */
    cl_uint left; /* and after the last launch so far, in `left_buffer` */
    cl_mem left_buffer;
    int count;
    struct launch launches[MAX_LAUNCHES];
};

static void append(struct chain *chain, struct launch launch, cl_uint left,
                   cl_mem left_buffer) {
    struct launch *last = &chain->launches[chain->count];
    *last = launch;
    if (chain->count > 0)
        chain->launches[chain->count - 1].then = last;
    chain->count++;
    chain->left = left;
    chain->left_buffer = left_buffer;
}

/* Adds the upper half of the numbers to the lower half. */
static void append_halving(struct chain *chain) {
    struct step *step = chain->numbers->step;
    const cl_uint left = chain->left, next = (left + 1) / 2;
    cl_mem to = buffer_new(&step->device, next * sizeof(cl_uint));
    append(chain,
           LAUNCH(step, "halve", next, step_group(step, GROUP), ARG(chain->left_buffer),
                  ARG(to), ARG(left)),
           next, to);
}

/* Each group leaves one number, and each work-item has at most `most` of them to add:
 * no more than it takes for one group to be enough. */
static void append_groups(struct chain *chain, cl_uint most) {
    struct step *step = chain->numbers->step;
    const size_t group = step_group(step, GROUP);
    const cl_uint left = chain->left;
    const cl_uint pieces = (cl_uint)((left + group - 1) / group); /* one number each */
    const cl_uint each = pieces < most ? pieces : most;
    const cl_uint groups = (pieces + each - 1) / each;

    cl_mem to = buffer_new(&step->device, groups * sizeof(cl_uint));
    append(chain,
           LAUNCH(step, "sum_groups", groups * group, group, ARG(chain->left_buffer),
                  ARG(to), ARG(left), ARG(each), LOCAL(group * sizeof(cl_uint))),
           groups, to);
}

/* The launches point to each other, so the chain must not be copied. */
static void make_chain(struct chain *chain, struct numbers *numbers,
                       const struct way *way, cl_uint n) {
    *chain = (struct chain){
        .numbers = numbers, .n = n, .left = n, .left_buffer = numbers->x_buffer};
    do {
        if (chain->left > way->halve_to)
            append_halving(chain);
        else
            append_groups(chain, way->each);
    } while (chain->left > 1);
}

static struct entry make_entry(const struct chain *chain, const struct way *way) {
    struct step *step = chain->numbers->step;
    struct entry entry = {.launch = chain->launches[0], .of = chain};
    entry.row.variant = way->name;
    entry.row.size = chain->n;
    entry.row.bytes = (double)chain->n * sizeof(cl_uint);
    entry.row.limit = step->report.limits.read;
    entry.row.note = step_text(step, "launches: %d", chain->count);
    return entry;
}

/* Do the launches find the sum of new numbers?  The buffers still hold what earlier
 * launches have left there, so a kernel that keeps old sums is found out. */
static bool is_right(const struct entry *entry, bool again) {
    const struct chain *chain = entry->of;
    struct numbers *numbers = chain->numbers;
    struct device *device = &numbers->step->device;
    (void)again;

    cl_uint expected = 0; /* wraps around as on the device, in any order */
    for (cl_uint i = 0; i < chain->n; i++) {
        numbers->x[i] = random_next(&numbers->state);
        expected += numbers->x[i];
    }
    buffer_write(device, numbers->x_buffer, numbers->x, chain->n * sizeof(cl_uint));
    launch_ms(device, &entry->launch);

    cl_uint found;
    buffer_read(device, chain->left_buffer, &found, sizeof found);
    return equal_sum(found, expected);
}

/* All numbers by one group, whose work-items have more of them than in any row.  That
 * is slow, so it is a row only if it is wrong. */
static void check_one_group(struct numbers *numbers, cl_uint n) {
    const struct way one_group = {"one group", UINT32_MAX, UINT32_MAX};
    struct contest contest = contest_begin(numbers->step, is_right);
    struct chain chain;
    make_chain(&chain, numbers, &one_group, n);
    contest_check(&contest, make_entry(&chain, &one_group));
}

/* How many times faster the other way of a pair is, and how long the first one takes.
 */
struct outcome {
    struct ratio ratio;
    struct timing one;
};

static struct outcome compare(struct numbers *numbers, const struct way pair[WAYS],
                              cl_uint n) {
    struct contest contest = contest_begin(numbers->step, is_right);
    struct chain chains[WAYS];
    for (size_t w = 0; w < WAYS; w++) {
        make_chain(&chains[w], numbers, &pair[w], n);
        contest_add(&contest, make_entry(&chains[w], &pair[w]));
    }

    const struct ratio ratio = contest_time_pair(&contest, OTHER, ONE);
    for (size_t w = 0; w < WAYS; w++)
        contest_print(&contest, w);
    return (struct outcome){ratio, contest.entries[ONE].row.time};
}

int main(int argc, char **argv) {
    struct step step;
    step_open(
        &step, argc, argv,
        &(struct usage){.step = "step10c_tiny_launches",
                        .lesson = "the same sum, by many tiny launches or by few"});
    step_need_group(&step, 2); /* a group of one adds up nothing */

    /* Room for the numbers, and for what chains of launches leave.  The two that halve
     * all numbers leave nearly as many each, and the others few. */
    const cl_uint n = step_size(&step, &sizes, 4, sizeof(cl_uint));
    struct numbers numbers = {.step = &step, .state = step.options.seed + 10};
    numbers.x = step_array(&step, n, sizeof *numbers.x);
    numbers.x_buffer = buffer_new(&step.device, n * sizeof *numbers.x);
    if (step.options.all)
        check_one_group(&numbers, n);

    /* The lesson: in few launches, few are tiny. */
    const unsigned first = step.device.is_cpu ? FIRST_ON_CPU : FIRST;
    const cl_uint few = ((n - 1) >> first) + 1;
    const int count = step.options.all ? PAIRS : BY_DEFAULT;
    struct outcome outcomes[PAIRS];
    for (int p = 0; p < count; p++)
        outcomes[p] = compare(&numbers, pairs[p], p == FEW ? few : n);

    /* The result. */
    report_headline(&step.report, "few launches, not many", outcomes[FEW].ratio,
                    "A barrier costs time, too: it ends one loop over work-items and "
                    "begins another.");
    const struct timing late = outcomes[FEW].one, all = outcomes[ONE_GROUP].one;
    if (n > 1U << first && told_apart(ratio_between(late, all)))
        report_say(&step.report,
                   "Halving: all launches after the first %u add up 1/%u of the "
                   "numbers.\nAlone they take about %.0f %% of the time.",
                   first, 1U << first, 100.0 * late.median_ms / all.median_ms);
    return step_close(&step);
}
