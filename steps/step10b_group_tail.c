/* Step 10b: the end of a launch
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
#include "data/chains.h"

#include <math.h>
#include <stdio.h>

enum { LARGE = 1024, PIECE = 32 }; /* work-items in a group; in a piece of the work */
enum { RARE = 64, TIMES = 64 };    /* one piece of RARE has TIMES as many rounds */
enum { STEPS = 64 };               /* multiply-adds in a round, as in the kernel */

/* How many work-items have uneven work, and the rounds of even work.  With fewer
 * work-items, these are fewer, too. */
static const struct sizes sizes = {
    .cpu = 33 << 10, .cpu_full = 1 << 17, .gpu = 1 << 22};
enum { ROUNDS_ON_CPU = 64, ROUNDS = 2048 };

/* Two launches that alternate: as many groups for each unit, and one group more; or,
 * where `each` is 0, the same uneven work in small and in large groups.  The last two
 * pairs come with --all. */
enum { UNEVEN = 3, BY_DEFAULT };
static const struct pair {
    const char *names[2];
    size_t each, groups[2];
} pairs[] = {{{"1 x units groups", "1 x units + 1 groups"}, 1, {LARGE, LARGE}},
             {{"2 x units groups", "2 x units + 1 groups"}, 2, {LARGE, LARGE}},
             {{"3 x units groups", "3 x units + 1 groups"}, 3, {LARGE, LARGE}},
             {{"uneven, small groups", "uneven, large groups"}, 0, {PIECE, LARGE}},
             {{"uneven, 2 x as large", "uneven, half as large"}, 0, {64, 512}},
             {{"uneven, 4 x as large", "uneven, a quarter"}, 0, {128, 256}}};

/* What the end of a chain must be. */
static float end_on_host(float x, size_t rounds) {
    for (size_t i = rounds * STEPS; i > 0; i--)
        x = fmaf(x, x, -1.94f);
    return x;
}

/* The rows of a pair, and their pictures; returns how many times faster the first is.
 * Uneven work has `items` work-items. */
static struct ratio compare(struct chains *chains, const struct pair *pair,
                            size_t items, struct timeline pictures[2]) {
    struct step *step = chains->step;
    struct chains_task tasks[2];
    struct timing times[2];
    bool right[2];
    for (cl_uint i = 0; i < 2; i++) {
        struct chains_task *task = &tasks[i];
        const size_t group = step_group(step, pair->groups[i]),
                     enough = pair->each * step->device.units;
        task->n = (cl_uint)(enough > 0 ? (enough + i) * group : items);
        task->out = buffer_new(&step->device, task->n * sizeof(float));
        task->moments = buffer_new(&step->device, task->n * sizeof(struct moments));
        task->launch = LAUNCH(step, "group_tail", task->n, group,
                              ARG(chains->starts_buffer), ARG(chains->rounds_buffer),
                              ARG(task->out), ARG(task->moments), ARG(task->n));
        right[i] = chains_right(chains, task);
    }
    const struct ratio ratio = time_pair(&step->device, tasks[0].launch,
                                         tasks[1].launch, step->options.repeats, times);
    for (int i = 0; i < 2; i++) {
        char note[40] = "";
        struct row row = {pair->names[i], tasks[i].n, times[i], .note = note};
        row.flops = chains_rounds(chains, row.size) * STEPS * 2.0;
        row.limit = step->report.limits.fma;
        pictures[i] = (struct timeline){.name = row.variant};
        row.right = right[i] && right_again(chains_right(chains, &tasks[i])) &&
                    chains_draw(chains, &tasks[i], tasks[0].n, row.time.median_ms,
                                &pictures[i]);
        if (pair->each == 0)
            snprintf(note, sizeof note, "groups of %zu", tasks[i].launch.local[0]);
        else if (i == 1 && told_apart(ratio))
            snprintf(note, sizeof note, "%.2f x, by count %.2f", ratio.median,
                     ((double)pair->each + 1.0) / (double)pair->each);
        report_row(&step->report, row);
    }
    return ratio;
}

/* N groups and N + 1, on the screen; in the file, uneven work as well. */
static void show(struct step *step, const struct timeline *pictures, const char *path) {
    const size_t units = step->device.units;
    const struct timeline *uneven = &pictures[2 * UNEVEN],
                          shown[] = {pictures[0], pictures[1], uneven[0], uneven[1]};
    report_say(&step->report, shown[0].count
                                  ? "N groups on N units, and then N + 1:"
                                  : "Kernels have no clock here: no picture of units.");
    for (int i = 0; i < 2 && step->options.format == FORMAT_TABLE; i++)
        timeline_draw(&shown[i], step->report.out, 50, timeline_ms(&shown[1]));
    if (path)
        timeline_write(shown, COUNT(shown), path);
    if (shown[0].count > 0 && shown[0].row_count < (units < 8 ? units : 8))
        report_say(&step->report,
                   "The system chooses the processors: "
                   "these %zu groups had only %zu of them.",
                   shown[0].count, shown[0].row_count);
}

int main(int argc, char **argv) {
    const char *path = NULL;
    const struct own_option own = {"timeline", "FILE",
                                   "draw what each unit did when: SVG, or .json",
                                   .file = &path};
    struct usage usage = {.step = "step10b_group_tail", .own = &own, .own_count = 1};
    struct step step;
    step_open(&step, argc, argv, &usage);

    /* Even work for as many groups as there are at most, and uneven work: six launches
     * of it with --all, which leave nearly as much as eight arrays of moments. */
    const bool is_cpu = step.device.is_cpu;
    const size_t items = step_size(&step, &sizes, 8, sizeof(struct moments)),
                 usual = is_cpu ? sizes.cpu : sizes.gpu,
                 some = items < usual ? items : usual,
                 rounds = (is_cpu ? ROUNDS_ON_CPU : ROUNDS) * some / usual + 1,
                 cheap = rounds / (is_cpu ? 16 : 32) + 1, units = step.device.units;
    struct chains even = chains_new(&step, (3 * units + 1) * LARGE, PIECE, 1, rounds,
                                    rounds, end_on_host);
    struct chains uneven =
        chains_new(&step, items, PIECE, RARE, cheap, cheap * TIMES, end_on_host);

    /* The lesson: what a launch waits for in the end. */
    const size_t count = step.options.all ? COUNT(pairs) : BY_DEFAULT;
    struct timeline pictures[2 * COUNT(pairs)];
    struct ratio ratios[COUNT(pairs)];
    for (size_t p = 0; p < count; p++)
        ratios[p] = compare(pairs[p].each ? &even : &uneven, &pairs[p], items,
                            &pictures[2 * p]);

    /* The result. */
    report_headline(&step.report, "N groups on N units against N + 1", ratios[0]);
    report_say(&step.report, "Uneven work in small groups: %s.",
               in_words(ratios[UNEVEN]).text);
    if (is_cpu)
        report_say(&step.report, "A core of a CPU runs one work-item after another, so "
                                 "that finished ones keep no\nplaces: the size of a "
                                 "group hardly matters.");
    show(&step, pictures, path);
    for (size_t i = 0; i < 2 * count; i++)
        timeline_free(&pictures[i]);
    return step_close(&step);
}
