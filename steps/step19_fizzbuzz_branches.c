/* Step 19: FizzBuzz with if and else
 *
 * In step 18 all lanes did the same.  Here output lines differ: they are words or
 * numbers.  With if and else, the lanes of a warp have to wait for each other.  The
 * order of words in 15 lines is always the same, so lanes that are 15 lines apart need
 * the same arm, and a work-item that writes 15 lines needs no if.  But is that faster
 * in the end?
 *
 * Read with  kernels/step19_fizzbuzz_branches.cl, docs/step19_fizzbuzz_branches.md
 * Try        GROUP = 32: how does the time change if one of 32 gathers, and why?
 * Lens       --size 1920 --from 10005 --output none
 * Story      busy_lanes fizzbuzz_branches@apart=15 fizzbuzz_branches@apart=1
 */
#define _POSIX_C_SOURCE 200809L /* strnlen */
#include "check.h"
#include "fizzbuzz/fizzbuzz.h"
#include "fizzbuzz/text.h"
#include "fizzbuzz/text_request.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { GROUP = 128 };              /* work-items */
enum { LINE = 20, FIFTEEN = 156 }; /* bytes of a cell for 1 and for 15 lines */
static const struct sizes sizes = {.cpu = 1 << 20, .cpu_full = 1 << 24, .gpu = 1 << 24};

/* How many lines a work-item writes, into a cell of so many bytes.  If it is one, how
 * many lines later is its neighbour's? */
enum { NEIGHBOURS, APART, FIFTEEN_EACH, GATHERED, VARIANTS };
static const struct variant {
    const char *name, *kernel;
    size_t lines, cell;
    cl_uint apart;
} variants[VARIANTS] = {{"a line each", "fizzbuzz_branches", 1, LINE, 1},
                        {"a line each, 15 apart", "fizzbuzz_branches", 1, LINE, 15},
                        {"15 lines each", "fizzbuzz_fifteen", 15, FIFTEEN, 1},
                        {"15 lines, one gathers", "fizzbuzz_gather", 15, FIFTEEN, 1}};

/* Whole groups write lines from a multiple of 15 on, at least those that are wanted. */
struct problem {
    struct device *device;
    cl_ulong first, end;
    char *cells, *text;
    double gather_ms;
    cl_mem buffers[VARIANTS];
    struct launch launches[VARIANTS];
};

static struct launch make_launch(struct step *step, const struct problem *p, int v,
                                 size_t items, size_t group) {
    const char *kernel = variants[v].kernel;
    if (variants[v].lines > 1)
        return LAUNCH(step, kernel, items, group, ARG(p->buffers[v]), ARG(p->first));
    return LAUNCH(step, kernel, items, group, ARG(p->buffers[v]), ARG(p->first),
                  ARG(variants[v].apart));
}

static struct problem make_problem(struct step *step, cl_ulong first, size_t wanted) {
    struct problem p = {.device = &step->device, .first = first - first % 15};
    const size_t group = step_group(step, GROUP), unit = 15 * group;
    const size_t lines = (first - p.first + wanted + unit - 1) / unit * unit;
    p.end = p.first + lines;
    p.cells = step_array(step, lines, LINE);
    p.text = step_array(step, lines, LINE);
    for (int v = 0; v < VARIANTS; v++) {
        const size_t items = lines / variants[v].lines;
        p.buffers[v] = buffer_new(p.device, items * variants[v].cell);
        p.launches[v] = make_launch(step, &p, v, items, group);
    }
    return p;
}

/* The cell of the work-item that writes line i: `apart` groups share their lines, and
 * each of their lanes begins so many lines behind the lane before it. */
static size_t cell_of(const struct problem *p, int v, size_t i) {
    const size_t items = p->launches[v].local[0], apart = variants[v].apart,
                 item = i / variants[v].lines, shared = apart * items;
    const size_t group = item / shared * apart + item % apart,
                 lane = item % shared / apart;
    return group * items + lane;
}

/* Puts together the texts of all cells, or groups: each ends with a zero. */
static size_t gather(struct problem *p, int v) {
    const size_t cell = variants[v].cell, bytes = p->launches[v].global[0] * cell,
                 cells = v == GATHERED ? p->launches[v].local[0] : 1,
                 lines = p->end - p->first;
    char *to = p->text;
    buffer_read(p->device, p->buffers[v], p->cells, bytes);
    const double before_ms = now_ms();
    for (size_t i = 0; i < lines; i += cells * variants[v].lines) {
        const char *from = p->cells + cell_of(p, v, i) * cell;
        const size_t length = strnlen(from, cells * cell);
        memcpy(to, from, length);
        to += length;
    }
    p->gather_ms = now_ms() - before_ms;
    return (size_t)(to - p->text);
}

/* Is each line right that the last launch has left, wanted or not? */
static bool is_right(struct problem *p, int v) {
    const size_t bytes = gather(p, v), expected = fizzbuzz_bytes(p->first, p->end);
    return fizzbuzz_is_right(p->text, p->first, p->end - p->first) &&
           (bytes == expected ||
            wrong("the text has %zu bytes, expected %zu", bytes, expected));
}

/* All cells with their empty ends, or the text and a zero for each group. */
static double stored_bytes(const struct problem *p, int v) {
    const size_t *items = p->launches[v].global;
    return (double)(v == GATHERED ? fizzbuzz_bytes(p->first, p->end) +
                                        *items / p->launches[v].local[0]
                                  : *items * variants[v].cell);
}

/* Fifteen lines from `first` on: are they right? */
static bool few_right(struct problem *few, int v, cl_ulong first) {
    few->first = first - first % 15;
    few->end = few->first + 15;
    kernel_set_args(few->launches[v].kernel,
                    (struct arg[]){ARG(few->buffers[v]), ARG(few->first)}, 2);
    buffer_poison(few->device, few->buffers[v]);
    launch_ms(few->device, &few->launches[v]);
    return is_right(few, v);
}

/* A number's digits are found one by one, and one of them may be wrong in few numbers
 * only: so with --all a few are looked at for each count of digits and each first
 * digit.  (Lanes that are 15 lines apart run the same kernel.) */
static bool digits_right(struct step *step, struct problem few, int v) {
    const size_t items = 15 / variants[v].lines;
    few.buffers[v] = buffer_new(few.device, items * variants[v].cell);
    few.launches[v] = make_launch(step, &few, v, items, items);
    cl_uint state = mix_seed(step->options.seed);
    for (cl_ulong power = 1; power < FIZZBUZZ_END; power *= 10)
        for (cl_ulong digit = 1; digit < 10 && digit * power < FIZZBUZZ_END - power;
             digit++) {
            const double rest = random_next(&state) * 0x1p-32 * (double)power;
            if (!few_right(&few, v, digit * power + (cl_ulong)rest))
                return false;
        }
    return true;
}

int main(int argc, char **argv) {
    const struct text_request_usage usage = {
        "step19_fizzbuzz_branches",
        "write: the text, and the table on stderr; none: only the table", .own = NULL};
    struct step step = {.memory = NULL};
    const cl_ulong first = text_request_read(&step.options, argc, argv, &usage).first;
    if (step.options.size == 0)
        return RIGHT;
    step.device = device_open(step.options.device);
    step.report = report_start(&step.options, &step.device);

    /* All variants are right before the last one's text is written, and before any is
     * timed.  By default 20 lines are written, but more are timed, for the clock. */
    const size_t lines = step_size(&step, &sizes, 3, LINE);
    struct problem p = make_problem(&step, first, lines);
    bool right[VARIANTS], all_right = true;
    for (int v = 0; v < VARIANTS; v++) {
        right[v] = !step.options.all || v == APART || digits_right(&step, p, v);
        launch_ms(p.device, &p.launches[v]);
        right[v] = is_right(&p, v) && right[v];
        all_right &= right[v];
    }
    if (step.options.text && all_right &&
        !text_write(STDOUT_FILENO, p.text + fizzbuzz_bytes(p.first, first),
                    fizzbuzz_bytes(first, first + step.options.size)))
        return step_close(&step); /* its reader has left */

    /* The lesson: the same kernel and the same cells, with and without divergence; then
     * what else saves time, and how long the host takes to gather. */
    struct timing pair[2];
    if (step.options.repeats != 1)
        warm_up(p.device, &p.launches[GATHERED]);
    const struct ratio ratio =
        time_pair(p.device, p.launches[APART], p.launches[NEIGHBOURS],
                  step.options.repeats, pair);
    for (int v = 0; v < VARIANTS; v++) {
        char note[32];
        struct row row = {variants[v].name, lines, .note = note};
        row.bytes = stored_bytes(&p, v);
        row.limit = step.report.limits.fill;
        row.time = v <= APART
                       ? pair[v == NEIGHBOURS]
                       : time_launches(p.device, p.launches[v], step.options.repeats);
        row.right = right[v] && right_again(is_right(&p, v));
        snprintf(note, sizeof note, "gather %.2f ms", p.gather_ms);
        report_row(&step.report, row);
    }
    report_headline(&step.report, "lanes 15 lines apart against 1 apart", ratio);
    report_say(&step.report,
               "Rate: of all bytes that are stored; the text has %.4g MB.",
               (double)fizzbuzz_bytes(p.first, p.end) * 1e-6);
    report_say(&step.report, "gather: the host puts the cells' texts together.");
    if (step.device.is_cpu)
        report_say(&step.report, "On a CPU no lane waits for another one.");
    return step_close(&step);
}
