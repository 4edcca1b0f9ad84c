/* Step 19: divergence: FizzBuzz with if and else
 *
 * In step 18 all lanes did the same.  Here output lines differ: they are words or
 * numbers.  With if and else, the lanes of a warp have to wait for each other.  Words
 * repeat every 15 lines, so lanes whose lines are 15 apart need the same arm, and a
 * work-item that writes 15 lines needs no if.  Then one work-item gathers the text of
 * its group, and all other lanes wait for it.
 *
 * Read with  kernels/step19_fizzbuzz_branches.cl, docs/step19_fizzbuzz_branches.md
 * Try        GROUP = 32: how does the time change if one of 32 gathers, and why?
 * Lens       --size 1920 --from 10005 --output none
 * Story      busy_lanes fizzbuzz_branches@apart=15 fizzbuzz_branches@apart=1
 */
#define _POSIX_C_SOURCE 200809L /* strnlen */
#include "check.h"
#include "contest.h"
#include "fizzbuzz/fizzbuzz.h"
#include "fizzbuzz/text.h"
#include "fizzbuzz/text_request.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { GROUP = 128 };              /* work-items */
enum { LINE = 20, FIFTEEN = 156 }; /* bytes of a cell for 1 and for 15 lines */
enum { NOTE = 32 };                /* characters */

static const struct sizes sizes = {.cpu = 1 << 20, .cpu_full = 1 << 24, .gpu = 1 << 24};

/* How many lines a work-item writes, the bytes of its cell, and how far the line of its
 * neighbour is from its own.  Where one work-item gathers the group's text, no gaps are
 * left in it. */
enum { NEIGHBOURS, APART, FIFTEEN_EACH, GATHERED, VARIANTS };
static const struct variant {
    const char *name, *kernel;
    size_t lines, cell;
    cl_uint apart;
    bool gathers;
} variants[VARIANTS] = {
    {"a line each", "fizzbuzz_branches", 1, LINE, .apart = 1},
    {"a line each, 15 apart", "fizzbuzz_branches", 1, LINE, .apart = 15},
    {"15 lines each", "fizzbuzz_fifteen", 15, FIFTEEN, .apart = 1},
    {"15 lines, one gathers", "fizzbuzz_gather", 15, FIFTEEN, .apart = 1,
     .gathers = true}};

/* Lines as a variant leaves them on the device, from a multiple of 15 on, and what the
 * host makes of them. */
struct cells {
    struct step *step;
    const struct variant *variant;
    cl_ulong first, end; /* the first line, and the first that is no longer written */
    size_t items, group; /* work-items in all, and in a group */
    cl_mem buffer;
    char *copy,
        *text;  /* the cells at the host, and the text; all variants share them */
    char *note; /* of the row: how long the host gathered */
};

/* Memory of the host for the cells and the text of so many lines. */
struct host_memory {
    char *copy, *text;
};

/* The lines from `first` on, up to but without `end`.  Whole groups write them. */
static struct cells *cells_new(struct step *step, const struct variant *variant,
                               struct host_memory memory, cl_ulong first, cl_ulong end,
                               size_t group) {
    struct cells *cells = step_array(step, 1, sizeof *cells);
    const size_t items = (end - first) / variant->lines;
    *cells = (struct cells){.step = step,
                            .variant = variant,
                            .first = first,
                            .end = end,
                            .items = items,
                            .group = group,
                            .buffer = buffer_new(&step->device, items * variant->cell),
                            .copy = memory.copy,
                            .text = memory.text,
                            .note = step_array(step, NOTE, 1)};
    return cells;
}

/* Only the kernel that writes one line with each work-item has an argument for how far
 * apart lines are. */
static struct launch make_launch(const struct cells *cells) {
    const struct variant *variant = cells->variant;
    if (variant->lines == 1)
        return LAUNCH(cells->step, variant->kernel, cells->items, cells->group,
                      ARG(cells->buffer), ARG(cells->first), ARG(variant->apart));
    return LAUNCH(cells->step, variant->kernel, cells->items, cells->group,
                  ARG(cells->buffer), ARG(cells->first));
}

/* The cell of the work-item that writes a line, counted from the first line: `apart`
 * groups share their lines, and the lines of neighbouring lanes are `apart` from each
 * other. */
static size_t cell_of(const struct cells *cells, size_t line) {
    const size_t apart = cells->variant->apart;
    const size_t shared = apart * cells->group;       /* work-items of these groups */
    const size_t item = line / cells->variant->lines; /* in the order of lines */
    const size_t group = item / shared * apart + item % apart;
    const size_t lane = item % shared / apart;
    return group * cells->group + lane;
}

/* Copies the cells to the host, and puts together what they contain.  The text of a
 * cell, or of a group whose text is gathered, ends with a zero. */
static size_t gather(const struct cells *cells) {
    const struct variant *variant = cells->variant;
    const size_t lines = cells->end - cells->first;
    const size_t together = variant->gathers ? cells->group : 1; /* cells */
    char *to = cells->text;
    buffer_read(&cells->step->device, cells->buffer, cells->copy,
                cells->items * variant->cell);

    const double before_ms = now_ms();
    for (size_t line = 0; line < lines; line += together * variant->lines) {
        const char *from = cells->copy + cell_of(cells, line) * variant->cell;
        const size_t length = strnlen(from, together * variant->cell);
        memcpy(to, from, length);
        to += length;
    }
    snprintf(cells->note, NOTE, "gather %.0f ms", now_ms() - before_ms);
    return (size_t)(to - cells->text);
}

/* Is every line right that the last launch has left, wanted or not? */
static bool cells_are_right(const struct cells *cells) {
    const size_t bytes = gather(cells);
    const size_t expected = fizzbuzz_bytes(cells->first, cells->end);
    if (!fizzbuzz_is_right(cells->text, cells->first, cells->end - cells->first))
        return false;
    if (bytes != expected)
        return wrong("the text has %zu bytes, expected %zu", bytes, expected);
    return true;
}

static bool is_right(const struct entry *entry, bool again) {
    (void)again; /* the same lines */
    return cells_are_right(entry->of);
}

/* A mistake in one digit may show in few numbers only.  So with --all, fifteen lines
 * are checked for each count of digits and each first digit. */
static bool digits_right(struct step *step, const struct variant *variant,
                         struct host_memory memory) {
    struct cells *few = cells_new(step, variant, memory, 0, 15, 15 / variant->lines);
    const struct launch launch = make_launch(few);
    cl_uint state = mix_seed(step->options.seed);
    for (cl_ulong power = 1; power < FIZZBUZZ_END; power *= 10) {
        for (cl_ulong digit = 1; digit < 10; digit++) {
            if ((digit + 1) * power >= FIZZBUZZ_END)
                break;
            const double rest = random_next(&state) * 0x1p-32 * (double)power;
            const cl_ulong number = digit * power + (cl_ulong)rest;
            few->first = number - number % 15;
            few->end = few->first + 15;
            kernel_args(launch.kernel, ARG(few->buffer), ARG(few->first));
            buffer_poison(&step->device, few->buffer);
            launch_ms(&step->device, &launch);
            if (!cells_are_right(few))
                return false;
        }
    }
    return true;
}

/* What a variant stores: all cells with their empty ends, or the text and a zero for
 * each group. */
static double stored_bytes(const struct cells *cells) {
    if (cells->variant->gathers)
        return (double)(fizzbuzz_bytes(cells->first, cells->end) +
                        cells->items / cells->group);
    return (double)(cells->items * cells->variant->cell);
}

static struct entry make_entry(const struct cells *cells, size_t lines) {
    struct entry entry = {.of = cells, .out = cells->buffer};
    entry.launch = make_launch(cells);
    entry.row.variant = cells->variant->name;
    entry.row.size = lines;
    entry.row.bytes = stored_bytes(cells);
    entry.row.limit = cells->step->report.limits.fill;
    entry.row.note = cells->note;
    return entry;
}

/* Launches and checks all variants: false if one is wrong.  Lanes whose lines are 15
 * apart run the same kernel as neighbours, so its digits are checked once. */
static bool add_variants(struct contest *contest, struct host_memory memory,
                         cl_ulong first, cl_ulong end, size_t lines) {
    struct step *step = contest->step;
    const size_t group = step_group(step, GROUP);
    bool all_right = true;
    for (size_t v = 0; v < VARIANTS; v++) {
        const bool digits = !step->options.all || v == APART ||
                            digits_right(step, &variants[v], memory);
        const struct cells *cells =
            cells_new(step, &variants[v], memory, first, end, group);
        contest_add(contest, make_entry(cells, lines));
        contest_require(contest, v, digits);
        all_right = all_right && contest->entries[v].row.right;
    }
    return all_right;
}

int main(int argc, char **argv) {
    /* Options and device.  Where the text goes to stdout, the table goes to stderr. */
    const struct text_request_usage usage = {
        .step = "step19_fizzbuzz_branches",
        .lesson = "the same branches; which lines share a warp differs",
        .hint = "write: the text, and the table on stderr; none: only the table"};
    struct step step = {.memory = NULL};
    const cl_ulong first = text_request_read(&step.options, argc, argv, &usage).first;
    if (step.options.size == 0)
        return RIGHT;
    step.device = device_open(step.options.device);
    step.report = report_start(&step.options, &step.device);

    /* By default 20 lines are written, but more are timed, for the clock.  Whole groups
     * write them, from a multiple of 15 on. */
    const size_t lines = step_size(&step, &sizes, 3, LINE);
    const size_t before = first % 15; /* lines since the last multiple of 15 */
    const size_t unit = 15 * step_group(&step, GROUP);
    const size_t written = (before + lines + unit - 1) / unit * unit;
    const cl_ulong begin = first - before, end = begin + written;
    const struct host_memory memory = {.copy = step_array(&step, written, LINE),
                                       .text = step_array(&step, written, LINE)};

    /* All variants are checked before any is timed, and before the text is written that
     * the last one has left. */
    struct contest contest = contest_begin(&step, is_right);
    const bool all_right = add_variants(&contest, memory, begin, end, lines);
    if (step.options.text && all_right &&
        !text_write(STDOUT_FILENO, memory.text + fizzbuzz_bytes(begin, first),
                    fizzbuzz_bytes(first, first + step.options.size)))
        return step_close(&step); /* the text's reader has left */

    /* The lesson: the same kernel and the same cells, with and without divergence; then
     * what else saves time, and how long the host takes to gather.  A third kernel
     * warms the device up, so that the two are launched equally often, and the lens
     * counts both alike. */
    if (step.options.repeats != 1)
        warm_up(&step.device, &contest.entries[GATHERED].launch);
    const struct ratio ratio = contest_time(&contest, APART, NEIGHBOURS);

    /* The result. */
    report_headline(&step.report, "lanes 15 lines apart, not 1 apart", ratio,
                    "No lane waits for another one.");
    report_say(&step.report,
               "Rate: of all bytes that are stored; the text has %.4g MB.",
               (double)fizzbuzz_bytes(begin, end) * 1e-6);
    report_say(&step.report, "gather: the host puts the cells' texts together.");
    return step_close(&step);
}
