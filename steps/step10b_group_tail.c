/* Step 10b: the tail: the end of a launch
 *
 * Step 10 asked how many work-items keep a device busy.  At the end of a launch they
 * run out, and units wait for the last group: because it is one too many, or because it
 * has more work than others.
 *
 * Read with  kernels/step10b_group_tail.cl, docs/step10b_group_tail.md
 * Try        RARE = 4: is uneven work still faster in small groups?
 * Lens       --size 4000 group_tail
 * Races      LOCKSTEP_MAX_GROUP=100 --size 1003 --all
 */
#include "contest.h"
#include "pictures/timeline.h"

#include <math.h>

enum { LARGE = 1024, PIECE = 32 }; /* work-items in a group; in a piece of the work */

/* Of uneven work about one piece in RARE is expensive: its chains have EXPENSIVE
 * times as many rounds as those of the others. */
enum { RARE = 64, EXPENSIVE = 64 };
enum { CHAIN_OPERATIONS = 64 }; /* multiply-adds in a round, as in the kernel */

/* How many work-items have uneven work; the rounds of a chain of even work; and by how
 * much a cheap chain of uneven work is shorter than that.  At a --size below the
 * default there are fewer rounds, too. */
static const struct sizes sizes = {
    .cpu = 33 << 10, .cpu_full = 1 << 17, .gpu = 1 << 22};
enum { ROUNDS_ON_CPU = 64, ROUNDS = 2048 };
enum { CHEAPER_ON_CPU = 16, CHEAPER = 32 };

/* Two launches that alternate.  With even work, the first one has groups_per_unit
 * groups for each unit, and the second one has one group more.  With uneven work, both
 * have the same work-items, in groups of two sizes.  The last pair comes with --all. */
enum { UNEVEN = 3, BY_DEFAULT = 5 };
static const struct pair {
    const char *names[2];
    size_t groups_per_unit; /* 0: the work is uneven */
    size_t group_sizes[2];  /* work-items in a group */
} pairs[] = {{{"1 x units groups", "1 x units + 1 groups"}, 1, {LARGE, LARGE}},
             {{"2 x units groups", "2 x units + 1 groups"}, 2, {LARGE, LARGE}},
             {{"3 x units groups", "3 x units + 1 groups"}, 3, {LARGE, LARGE}},
             {{"uneven, small groups", "uneven, large groups"}, 0, {PIECE, LARGE}},
             {{"uneven, 2 x as large", "uneven, half as large"}, 0, {64, 512}},
             {{"uneven, 4 x as large", "uneven, a quarter"}, 0, {128, 256}}};

/* ---- The work.  Each work-item has a chain of multiply-adds, x = x * x - 1.94, each
 * of which needs the one before.  It wanders about between -1.94 and 1.83, and there is
 * no shorter way to its end. */

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

/* Which chain each work-item has. */
struct work {
    struct step *step;
    cl_uint *rounds; /* of each chain */
    cl_uint cheap;   /* rounds of a cheap one, or one less */
    float *ends;     /* what the host has found for each chain */
    float *out;      /* what the device has */
    cl_uint state;   /* of random numbers */
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

/* ---- A launch of the first n work-items. */

struct task {
    struct work *work;
    cl_uint n;
    size_t group;
    cl_mem out_buffer, moments_buffer;
};

/* When and where a work-item ran: a ulong4 in the kernel.  All 0 where kernels have no
 * clock. */
struct moments {
    cl_ulong start, unit, end, unit_again;
};

static struct task make_task(struct work *work, size_t n, size_t group) {
    struct device *device = &work->step->device;
    struct task task = {.work = work, .n = (cl_uint)n, .group = group};
    task.out_buffer = buffer_new(device, n * sizeof(float));
    task.moments_buffer = buffer_new(device, n * sizeof(struct moments));
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

/* Before each launch the output is filled with a new number above 2, which no chain
 * reaches.  So all checks are alike, whether they are made `again` or not. */
static bool is_right(const struct entry *entry, bool again) {
    const struct task *task = entry->of;
    struct work *work = task->work;
    struct device *device = &work->step->device;
    const size_t bytes = task->n * sizeof *work->out;
    (void)again;
    const float before = 2.0f + (float)(random_next(&work->state) >> 16) / 65536.0f;
    for (size_t i = 0; i < task->n; i++)
        work->out[i] = before;
    buffer_write(device, task->out_buffer, work->out, bytes);
    launch_ms(device, &entry->launch);
    buffer_read(device, task->out_buffer, work->out, bytes);
    for (size_t i = 0; i < task->n; i++)
        if (work->out[i] != work->ends[i])
            return wrong_at(element_of_item("out", i, &entry->launch),
                            (double)work->out[i], (double)work->ends[i]);
    return true;
}

/* ---- Which unit had which group, and when? */

enum { MAX_UNITS = 4096, ROWS = 8 }; /* numbers of units; rows of a picture */

/* Has each work-item recorded a start, an end that is not before it, and a unit?  What
 * it has not written is poison, which is too large for a number of a unit.  A short
 * chain may begin and end in one tick, but for one work-item at least, time passes. */
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
static cl_ulong shortest_span(const struct task *task, const struct moments *moments,
                              bool expensive) {
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
static bool spans_fit(const struct task *task, const struct moments *moments) {
    enum { MANY = 8192, LONGER = 4 };
    const cl_ulong cheap = shortest_span(task, moments, false),
                   expensive = shortest_span(task, moments, true);
    if (task->n < MANY || moments[0].end == 0 || expensive == CL_ULONG_MAX)
        return true;
    return expensive / LONGER > cheap ||
           wrong("by their clocks, long chains take %llu ticks, and short ones %llu",
                 (unsigned long long)expensive, (unsigned long long)cheap);
}

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

/* Rows of the picture for the units that had the most groups; -1 for all others. */
static void add_rows(struct step *step, struct timeline *picture,
                     const size_t groups_of[MAX_UNITS], int row_of[MAX_UNITS]) {
    for (size_t unit = 0; unit < MAX_UNITS; unit++)
        row_of[unit] = -1;
    for (int row = 0; row < ROWS; row++) {
        size_t busiest = 0, most = 0;
        for (size_t unit = 0; unit < MAX_UNITS; unit++)
            if (row_of[unit] < 0 && groups_of[unit] > most) {
                busiest = unit;
                most = groups_of[unit];
            }
        if (most == 0)
            return;
        row_of[busiest] = timeline_row(picture, step_text(step, "unit %zu", busiest));
    }
}

/* A group is "extra" if it has an expensive chain, or ends after the first `enough`
 * work-items. */
static const char *name_group(const struct task *task, size_t first, size_t count,
                              size_t enough) {
    if (first + count > enough)
        return "extra";
    for (size_t i = first; i < first + count; i++)
        if (is_expensive(task->work, i))
            return "extra";
    return "group";
}

/* Draws a span for each group.  What a tick of the kernel's clock is differs; but all
 * of them take as long as the launch, which is `ms` milliseconds.  Returns false if
 * what the work-items have recorded cannot be true. */
static bool draw(const struct task *task, size_t enough, double ms,
                 struct timeline *picture) {
    struct step *step = task->work->step;
    const size_t n = task->n, bytes = n * sizeof(struct moments);
    struct moments *moments = step_array(step, n, sizeof *moments);
    buffer_read(&step->device, task->moments_buffer, moments, bytes);
    if (!are_recorded(moments, n) || !spans_fit(task, moments))
        return false;
    const struct moments all = whole(moments, n);
    if (all.end == 0) /* no clock */
        return true;

    size_t groups_of[MAX_UNITS] = {0};
    int row_of[MAX_UNITS];
    for (size_t i = 0; i < n; i += task->group)
        groups_of[moments[i].unit]++;
    add_rows(step, picture, groups_of, row_of);

    const double tick_ms = ms / (double)(all.end - all.start);
    for (size_t i = 0; i < n; i += task->group) {
        const size_t count = n - i < task->group ? n - i : task->group;
        const struct moments group = whole(&moments[i], count);
        if (row_of[group.unit] >= 0)
            timeline_add(picture, row_of[group.unit],
                         name_group(task, i, count, enough),
                         (double)(group.start - all.start) * tick_ms,
                         (double)(group.end - all.start) * tick_ms);
    }
    return true;
}

/* ---- The rows of a pair, and their pictures; returns how many times faster the first
 * is.  Uneven work has `items` work-items. */
static struct ratio compare(struct work *work, const struct pair *pair, size_t items,
                            struct timeline pictures[2]) {
    struct step *step = work->step;
    const size_t even_groups = pair->groups_per_unit * step->device.units;
    struct task tasks[2];
    struct contest contest = contest_begin(step, is_right);
    for (size_t i = 0; i < 2; i++) {
        const size_t group = step_group(step, pair->group_sizes[i]);
        const size_t n = even_groups > 0 ? (even_groups + i) * group : items;
        tasks[i] = make_task(work, n, group);
        contest_add(&contest, make_entry(&tasks[i], pair->names[i]));
    }
    const struct ratio ratio = contest_time_pair(&contest, 0, 1);
    for (size_t i = 0; i < 2; i++) {
        struct row *row = &contest.entries[i].row;
        pictures[i] = (struct timeline){.name = row->variant};
        if (row->right)
            contest_require(
                &contest, i,
                draw(&tasks[i], tasks[0].n, row->time.median_ms, &pictures[i]));
        if (even_groups == 0) {
            row->note = step_text(step, "groups of %zu", tasks[i].group);
        } else if (i == 1 && told_apart(ratio)) {
            const double turns = (double)pair->groups_per_unit;
            row->note = step_text(step, "%.2fx, ideal %.2f", ratio.median,
                                  (turns + 1.0) / turns);
        }
        contest_print(&contest, i);
    }
    return ratio;
}

/* N groups and N + 1, on the screen; in the file, uneven work as well. */
static void show(struct step *step, struct timeline pictures[][2], const char *path) {
    enum { CHARACTERS = 50 };
    const struct timeline *even = pictures[0], *uneven = pictures[UNEVEN];
    const size_t units = step->device.units, few = units < ROWS ? units : ROWS;
    if (even[0].count > 0)
        report_say(&step->report, "N groups on N units, and then N + 1:");
    else
        report_say(&step->report, "Kernels have no clock here: no picture of units.");
    if (step->options.format == FORMAT_TABLE) {
        const double full_ms = timeline_ms(&even[1]);
        timeline_draw(&even[0], step->report.out, CHARACTERS, full_ms);
        timeline_draw(&even[1], step->report.out, CHARACTERS, full_ms);
    }
    if (path) {
        const struct timeline drawn[] = {even[0], even[1], uneven[0], uneven[1]};
        timeline_write(drawn, COUNT(drawn), path);
    }
    if (even[0].count > 0 && even[0].row_count < few)
        report_say(&step->report,
                   "The system chooses the processors: "
                   "these %zu groups had only %zu of them.",
                   even[0].count, even[0].row_count);
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
    const size_t items = step_size(&step, &sizes, 8, sizeof(struct moments));
    const size_t rounds = rounds_for(items, is_cpu);
    const size_t cheap = rounds / (is_cpu ? CHEAPER_ON_CPU : CHEAPER) + 1;
    const struct chains short_ones = make_chains(cheap),
                        long_ones = make_chains(cheap * EXPENSIVE);
    struct work uneven = make_work(&step, items, RARE, &short_ones, &long_ones);

    /* Even work, for as many groups as a pair has at most. */
    const size_t max_even = (3 * step.device.units + 1) * LARGE;
    const struct chains equal_ones = make_chains(rounds);
    struct work even = make_work(&step, max_even, 1, &equal_ones, &equal_ones);

    /* The lesson: what a launch waits for in the end. */
    const size_t count = step.options.all ? COUNT(pairs) : BY_DEFAULT;
    struct timeline pictures[COUNT(pairs)][2];
    struct ratio ratios[COUNT(pairs)];
    for (size_t p = 0; p < count; p++) {
        struct work *work = pairs[p].groups_per_unit > 0 ? &even : &uneven;
        ratios[p] = compare(work, &pairs[p], items, pictures[p]);
    }

    /* The result. */
    report_headline(&step.report, "N groups on N units, not N + 1", ratios[0], NULL);
    report_say(&step.report, "Uneven work in small groups: %s.",
               in_words(ratios[UNEVEN]).text);
    if (is_cpu)
        report_say(&step.report, "A core of a CPU runs one work-item after another, so "
                                 "that finished ones take no\nplace from others: the "
                                 "size of a group hardly matters.");
    show(&step, pictures, path);
    for (size_t p = 0; p < count; p++) {
        timeline_free(&pictures[p][0]);
        timeline_free(&pictures[p][1]);
    }
    return step_close(&step);
}
