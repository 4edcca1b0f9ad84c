/* Step 10b: the tail: the end of a launch
 *
 * Step 10 asked how many work-items keep a device busy.  At the end of a launch they
 * run out, and units wait for the last group: because it is one too many, or because it
 * has more work than others.
 *
 * Read with  kernels/step10b_group_tail.cl, docs/step10b_group_tail.md
 * Try        RARE = 4: which sizes of groups are slow now?
 * Lens       --size 4000 group_tail
 * Races      LOCKSTEP_MAX_GROUP=100 --size 1003 --all
 */
#include "contest.h"
#include "pictures/timeline.h"

#include <math.h>

enum { LARGE = 1024 };          /* work-items in a group of even work */
enum { PIECE = 32 };            /* neighbours whose chains are about equally long */
enum { RARE = 64 };             /* about one piece in RARE is expensive */
enum { EXPENSIVE = 64 };        /* rounds of its chains, for each of a cheap chain */
enum { CHAIN_OPERATIONS = 64 }; /* multiply-adds in a round, as in the kernel */

/* How many work-items have uneven work; the rounds of a chain of even work; and by how
 * much a cheap chain of uneven work is shorter than that.  At a --size below the
 * default there are fewer rounds, too. */
static const struct sizes sizes = {
    .cpu = 33 << 10, .cpu_full = 1 << 17, .gpu = 1 << 22};
enum { ROUNDS_ON_CPU = 64, CHEAPER_ON_CPU = 16 };
enum { ROUNDS = 2048, CHEAPER = 32 };

/* Even work has groups_per_unit groups for each unit, and then one group more.  Uneven
 * work has the same chains in each row, in groups of another size. */
static const struct variant {
    const char *name;
    size_t group;                        /* work-items in a group */
    size_t groups_per_unit, more_groups; /* 0 and 0: the work is uneven */
    bool only_with_all;
} variants[] = {
    {"1 x units groups", LARGE, 1, 0, false},
    {"1 x units + 1 groups", LARGE, 1, 1, false},
    {"2 x units groups", LARGE, 2, 0, false},
    {"2 x units + 1 groups", LARGE, 2, 1, false},
    {"3 x units groups", LARGE, 3, 0, false},
    {"3 x units + 1 groups", LARGE, 3, 1, false},
    {"uneven, groups of 32", 32, 0, 0, false},
    {"uneven, groups of 64", 64, 0, 0, true},
    {"uneven, groups of 128", 128, 0, 0, true},
    {"uneven, groups of 256", 256, 0, 0, false},
    {"uneven, groups of 512", 512, 0, 0, false},
    {"uneven, groups of 1024", 1024, 0, 0, false},
};
enum { EVEN = 6 }; /* rows of even work, which come first */

/* ---- The work.  Each work-item has a chain of multiply-adds, x = x * x - 1.94, each
 * of which needs the result of the previous one.  x wanders about between -1.94 and
 * 1.83, and there is no shorter way to its end. */

static float end_on_host(float x, size_t rounds) {
    for (size_t i = rounds * CHAIN_OPERATIONS; i > 0; i--)
        x = fmaf(x, x, -1.94f);
    return x;
}

/* A chain's number says where it starts, and whether it has one round more, so that no
 * work-item can take its neighbour's number of rounds. */
enum { STARTS = 31, CHAINS = 2 * STARTS };

static float start_of(cl_uint number) {
    return 0.03125f * (float)(1 + number % STARTS);
}

/* A chain of each number, of `rounds` rounds or of one more, and where each ends. */
struct chains {
    cl_uint rounds;
    float ends[CHAINS];
};

static struct chains make_chains(size_t rounds) {
    struct chains chains = {.rounds = (cl_uint)rounds};
    for (cl_uint number = 0; number < CHAINS; number++)
        chains.ends[number] = end_on_host(start_of(number), rounds + number / STARTS);
    return chains;
}

/* When and where a work-item ran: a ulong4 in the kernel.  All 0 where kernels have no
 * clock. */
struct moments {
    cl_ulong start, unit, end, unit_again;
};

/* Which chain each work-item has. */
struct work {
    struct step *step;
    cl_uint *rounds; /* of each chain */
    cl_uint cheap;   /* rounds of a cheap one, or one less */
    float *ends;     /* what the host has found for each chain */
    float *out;      /* what the device has found */
    struct moments *moments;
    cl_uint state; /* of random numbers */
    cl_mem starts_buffer, rounds_buffer;
};

/* Pieces of neighbours have about the same number of rounds, like the pixels of one
 * object: about one piece in `rare` is expensive.  Buffers are longer than `count`, so
 * that a kernel that goes on too far finds ordinary rounds, and comes to an end. */
static struct work make_work(struct step *step, size_t count, size_t rare,
                             const struct chains *cheap,
                             const struct chains *expensive) {
    enum { MORE = 1024 };
    const size_t all = count + MORE;
    struct work work = {.step = step, .cheap = cheap->rounds};
    float *starts = step_array(step, all, sizeof *starts);
    work.rounds = step_array(step, all, sizeof *work.rounds);
    work.ends = step_array(step, all, sizeof *work.ends);
    work.out = step_array(step, all, sizeof *work.out);
    work.moments = step_array(step, all, sizeof *work.moments);
    work.state = step->options.seed + 1;
    const struct chains *chains = cheap;
    for (size_t i = 0; i < all; i++) {
        if (i % PIECE == 0)
            chains = (random_next(&work.state) >> 16) % rare == 0 ? expensive : cheap;
        const cl_uint number = (random_next(&work.state) >> 16) % CHAINS;
        starts[i] = start_of(number);
        work.rounds[i] = chains->rounds + number / STARTS;
        work.ends[i] = chains->ends[number];
    }
    work.starts_buffer = buffer_from(&step->device, starts, all * sizeof *starts);
    work.rounds_buffer =
        buffer_from(&step->device, work.rounds, all * sizeof *work.rounds);
    return work;
}

static bool is_expensive(const struct work *work, size_t i) {
    return work->rounds[i] > work->cheap + 1;
}

/* The multiplications and additions of the first n work-items. */
static double count_flops(const struct work *work, size_t n) {
    double rounds = 0.0;
    for (size_t i = 0; i < n; i++)
        rounds += work->rounds[i];
    return rounds * CHAIN_OPERATIONS * 2.0;
}

/* ---- Has a launch recorded when and where its work-items ran? */

/* A launch of the first n work-items. */
struct task {
    struct work *work;
    cl_uint n;
    size_t group;
    size_t exact_items; /* of even work: those of full turns of all units */
    cl_mem out_buffer, moments_buffer;
};

enum { MAX_UNITS = 4096 }; /* numbers of units */

/* Has each work-item recorded a start, an end that is not earlier, and a unit?  What it
 * has not written is poison, which is too large for a number of a unit.  A short chain
 * may begin and end in one tick, but for one work-item at least, time passes. */
static bool are_recorded(const struct moments *moments, size_t n) {
    const bool has_clock = moments[0].end > 0;
    bool has_passed = false;
    for (size_t i = 0; i < n; i++) {
        const struct moments at = moments[i];
        const bool is_empty = at.end + at.unit + at.unit_again == 0;
        if (at.unit >= MAX_UNITS || at.unit_again >= MAX_UNITS || at.start > at.end)
            return wrong("work-item %zu recorded no start, no end, or no unit", i);
        if ((has_clock && at.start == 0) || (!has_clock && !is_empty))
            return wrong("work-item %zu recorded a time or a unit, but not both", i);
        if (at.start < at.end)
            has_passed = true;
    }
    return !has_clock || has_passed || wrong("no work-item's time has passed");
}

/* The shortest, because any chain may have been interrupted.  CL_ULONG_MAX: there are
 * none. */
static cl_ulong shortest_span(const struct task *task, bool expensive) {
    const struct moments *moments = task->work->moments;
    cl_ulong shortest = CL_ULONG_MAX;
    for (size_t i = 0; i < task->n; i++) {
        const cl_ulong span = moments[i].end - moments[i].start;
        if (is_expensive(task->work, i) == expensive && span < shortest)
            shortest = span;
    }
    return shortest;
}

/* Does an expensive chain take at least LONGER times the span of a cheap one, even if
 * the clock says a tick too little for the cheap one?  (If there are few work-items, an
 * expensive one may be in every warp, and all others wait for it.) */
static bool spans_fit(const struct task *task) {
    enum { MANY = 8192, LONGER = 4 };
    const cl_ulong cheap = shortest_span(task, false);
    const cl_ulong expensive = shortest_span(task, true);
    const bool has_clock = task->work->moments[0].end > 0;
    if (task->n < MANY || !has_clock || expensive == CL_ULONG_MAX)
        return true;
    return expensive / LONGER > cheap ||
           wrong("by their clocks, long chains take %llu ticks, and short ones %llu",
                 (unsigned long long)expensive, (unsigned long long)cheap);
}

/* ---- A launch, and whether it is right. */

/* The work-items of the row, and its buffers. */
static struct task *make_task(struct work *work, const struct variant *variant,
                              size_t uneven_items) {
    struct step *step = work->step;
    const size_t group = step_group(step, variant->group);
    const size_t exact_groups = variant->groups_per_unit * step->device.units;
    const bool is_even = exact_groups > 0;
    const size_t n =
        is_even ? (exact_groups + variant->more_groups) * group : uneven_items;
    struct task *task = step_array(step, 1, sizeof *task);
    *task = (struct task){.work = work,
                          .n = (cl_uint)n,
                          .group = group,
                          .exact_items = is_even ? exact_groups * group : n};
    task->out_buffer = buffer_new(&step->device, n * sizeof(float));
    task->moments_buffer = buffer_new(&step->device, n * sizeof(struct moments));
    return task;
}

static struct entry make_entry(const struct task *task, const char *name) {
    const struct work *work = task->work;
    struct step *step = work->step;
    struct entry entry = {.of = task};
    entry.launch =
        LAUNCH(step, "group_tail", task->n, task->group, ARG(work->starts_buffer),
               ARG(work->rounds_buffer), ARG(task->out_buffer),
               ARG(task->moments_buffer), ARG(task->n));
    entry.row.variant = name;
    entry.row.size = task->n;
    entry.row.flops = count_flops(work, task->n);
    entry.row.limit = step->report.limits.fma;
    return entry;
}

/* Launches, and reads what the work-items have recorded; returns milliseconds. */
static double launch_and_read(const struct entry *entry) {
    const struct task *task = entry->of;
    struct device *device = &task->work->step->device;
    buffer_poison(device, task->moments_buffer);
    const double ms = launch_ms(device, &entry->launch);
    buffer_read(device, task->moments_buffer, task->work->moments,
                task->n * sizeof(struct moments));
    return ms;
}

/* Before each launch the output is filled with a new number above 2, which no chain
 * reaches.  So all checks are alike, whether they are made `again` or not. */
static bool is_right(const struct entry *entry, bool again) {
    (void)again;
    const struct task *task = entry->of;
    struct work *work = task->work;
    struct device *device = &work->step->device;
    const size_t bytes = task->n * sizeof *work->out;
    const float before = 2.0f + (float)(random_next(&work->state) >> 16) / 65536.0f;
    for (size_t i = 0; i < task->n; i++)
        work->out[i] = before;
    buffer_write(device, task->out_buffer, work->out, bytes);
    launch_and_read(entry);
    buffer_read(device, task->out_buffer, work->out, bytes);

    for (size_t i = 0; i < task->n; i++)
        if (work->out[i] != work->ends[i])
            return wrong_at(element_of_item("out", i, &entry->launch),
                            (double)work->out[i], (double)work->ends[i]);
    return are_recorded(work->moments, task->n) && spans_fit(task);
}

/* ---- The pictures: which unit had which group, and when? */

enum { ROWS = 8 }; /* units of a picture */

/* Of several work-items, the unit of the first one, from the first start to the last
 * end. */
static struct moments whole(const struct moments *moments, size_t count) {
    struct moments whole = moments[0];
    for (size_t i = 1; i < count; i++) {
        if (moments[i].start < whole.start)
            whole.start = moments[i].start;
        if (moments[i].end > whole.end)
            whole.end = moments[i].end;
    }
    return whole;
}

/* A group is "extra" if it is one too many, or has an expensive chain. */
static const char *name_group(const struct task *task, size_t first, size_t count) {
    if (first >= task->exact_items)
        return "extra";
    for (size_t i = first; i < first + count; i++)
        if (is_expensive(task->work, i))
            return "extra";
    return "group";
}

/* A launch once more, with a span for each group, in rows for the units that had the
 * last groups.  What a tick of the kernel's clock is differs; but all of them take as
 * long as the launch. */
static struct timeline draw(const struct entry *entry) {
    const struct task *task = entry->of;
    struct step *step = task->work->step;
    struct timeline picture = {.name = entry->row.variant};
    const double ms = launch_and_read(entry);
    const struct moments *moments = task->work->moments;
    const struct moments all = whole(moments, task->n);
    const bool has_moments = entry->row.right && are_recorded(moments, task->n);
    if (!has_moments || all.end == 0) /* wrong, or there is no clock */
        return picture;

    int row_of[MAX_UNITS];
    for (size_t unit = 0; unit < MAX_UNITS; unit++)
        row_of[unit] = -1;
    const double tick_ms = ms / (double)(all.end - all.start);
    const size_t groups = (task->n + task->group - 1) / task->group;
    for (size_t g = groups; g > 0; g--) {
        const size_t first = (g - 1) * task->group;
        const size_t left = task->n - first;
        const size_t count = left < task->group ? left : task->group;
        const struct moments group = whole(&moments[first], count);
        int *row = &row_of[group.unit];
        if (*row < 0 && picture.row_count < ROWS)
            *row = timeline_row(&picture, step_text(step, "unit %d", (int)group.unit));
        if (*row >= 0)
            timeline_add(&picture, *row, name_group(task, first, count),
                         (double)(group.start - all.start) * tick_ms,
                         (double)(group.end - all.start) * tick_ms);
    }
    return picture;
}

/* N groups and N + 1, on the screen; in the file, the smallest and the largest groups
 * of uneven work as well. */
static void show(struct contest *contest, const char *path) {
    enum { ON_SCREEN = 2 };
    const size_t shown[] = {0, 1, EVEN, contest->count - 1};
    struct timeline pictures[COUNT(shown)];
    for (size_t i = 0; i < COUNT(shown); i++)
        pictures[i] = draw(&contest->entries[shown[i]]);
    if (pictures[0].count == 0)
        report_say(&contest->step->report,
                   "Kernels have no clock here: no picture of units.");
    timelines_show(contest->step, pictures, COUNT(shown), ON_SCREEN, 0.0, path);
}

/* ---- The rows. */

/* Pairs of even work, which alternate; returns how many times faster N groups are on N
 * units than one more. */
static struct ratio time_even(struct contest *contest) {
    struct ratio first = {0};
    for (size_t i = 0; i < EVEN; i += 2) {
        const struct ratio ratio = contest_time_pair(contest, i, i + 1);
        const double turns = (double)variants[i].groups_per_unit;
        if (told_apart(ratio))
            contest->entries[i + 1].row.note =
                step_text(contest->step, "%.2fx, ideal %.2f", ratio.median,
                          (turns + 1.0) / turns);
        contest_print(contest, i);
        contest_print(contest, i + 1);
        if (i == 0)
            first = ratio;
    }
    return first;
}

/* Uneven work: each size of the groups alternates with the largest one. */
static void time_uneven(struct contest *contest) {
    const size_t largest = contest->count - 1;
    const size_t group = contest->entries[largest].launch.local[0];
    for (size_t i = EVEN; i < largest; i++) {
        const struct ratio slower = contest_time_beside(contest, i, largest);
        const char **note = &contest->entries[i].row.note;
        if (!told_apart(slower))
            *note = step_text(contest->step, "not told apart from %zu", group);
        else if (slower.median > 1.0)
            *note =
                step_text(contest->step, "%.2fx slower than %zu", slower.median, group);
        else
            *note = step_text(contest->step, "%.2fx faster than %zu",
                              1.0 / slower.median, group);
        contest_print(contest, i);
    }
    contest_time_alone(contest, largest);
    contest_print(contest, largest);
}

/* The rounds of even work: fewer if there are fewer work-items than by default. */
static size_t rounds_for(size_t items, bool is_cpu) {
    const size_t by_default = is_cpu ? sizes.cpu : sizes.gpu;
    const size_t counted = items < by_default ? items : by_default;
    return (is_cpu ? ROUNDS_ON_CPU : ROUNDS) * counted / by_default + 1;
}

int main(int argc, char **argv) {
    const char *path = NULL;
    const struct own_option own = {"timeline", "FILE",
                                   "draw what each unit did when: SVG, or .json",
                                   .file = &path};
    struct usage usage = {.step = "step10b_group_tail",
                          .lesson =
                              "the same groups; how full is the device at their end?",
                          .own = &own,
                          .own_count = 1};
    struct step step;
    step_open(&step, argc, argv, &usage);

    /* Uneven work: six launches of it with --all, which leave nearly as much as eight
     * arrays of moments. */
    const bool is_cpu = step.device.is_cpu;
    const size_t uneven_items = step_size(&step, &sizes, 8, sizeof(struct moments));
    const size_t even_rounds = rounds_for(uneven_items, is_cpu);
    const size_t cheap_rounds = even_rounds / (is_cpu ? CHEAPER_ON_CPU : CHEAPER) + 1;
    const struct chains cheap = make_chains(cheap_rounds);
    const struct chains expensive = make_chains(cheap_rounds * EXPENSIVE);
    struct work uneven = make_work(&step, uneven_items, RARE, &cheap, &expensive);

    /* Even work, for as many groups as a row has at most. */
    const size_t max_even = (3 * step.device.units + 1) * LARGE;
    const struct chains equal = make_chains(even_rounds);
    struct work even = make_work(&step, max_even, 1, &equal, &equal);

    /* The rows, except those of groups that this device does not allow. */
    struct contest contest = contest_begin(&step, is_right);
    for (size_t v = 0; v < COUNT(variants); v++) {
        const struct variant *variant = &variants[v];
        const bool allowed = step_group(&step, variant->group) == variant->group;
        if (v > EVEN && (!allowed || (variant->only_with_all && !step.options.all)))
            continue;
        const struct task *task =
            make_task(v < EVEN ? &even : &uneven, variant, uneven_items);
        contest_add(&contest, make_entry(task, variant->name));
    }

    /* The lesson: what a launch waits for in the end. */
    const struct ratio exact = time_even(&contest);
    time_uneven(&contest);

    /* The result. */
    report_headline(&step.report, "N groups on N units, not N + 1", exact, NULL);
    if (is_cpu)
        report_say(&step.report, "A core of a CPU runs one work-item after another: "
                                 "the size of a group hardly matters.");
    show(&contest, path);
    return step_close(&step);
}
