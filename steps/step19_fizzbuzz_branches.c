/* Step 19: FizzBuzz with if and else
 *
 * In step 18 all work-items did the same, a matrix product.  Here the same devices
 * write text, and each line asks for something else: a word, another, both, or a
 * number. First a work-item for each line, with if and else: lanes wait for each other.
 * Then one for each 15 lines, where nobody has to ask.
 *
 * Read with  kernels/step19_fizzbuzz_branches.cl, docs/step19_fizzbuzz_branches.md
 * Try        --size 100 | tail -1; GROUP_SIZE = 32: is the one that copies faster now?
 * Lens       --size 1920 --first 0 --output none
 * Story      busy_lanes fizzbuzz_branches fizzbuzz_fifteen
 */
#define _XOPEN_SOURCE 700 /* memccpy */
#include "buffer.h"
#include "check.h"
#include "compare.h"
#include "data.h"
#include "report.h"
#include "text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { GROUP_SIZE = 128, SIZE = 20, LARGER = 1 << 24, LARGER_ON_CPU = 1 << 20 };
enum { LINE = 16 }; /* bytes for a line: 13 digits and '\n' fit */

static size_t fizzbuzz_on_host(size_t first, size_t lines, char *text) {
    char *at = text;
    for (size_t number = first; number < first + lines; number++)
        if (number % 15 == 0)
            at += sprintf(at, "FizzBuzz\n");
        else if (number % 3 == 0)
            at += sprintf(at, "Fizz\n");
        else if (number % 5 == 0)
            at += sprintf(at, "Buzz\n");
        else
            at += sprintf(at, "%zu\n", number);
    return (size_t)(at - text);
}

/* A launch of whole groups, that begins `before` lines early and ends `after` late; and
 * its text.  The one that was asked for has `bytes` bytes, behind the first `skip`. */
struct work {
    struct launch launch;
    size_t begin, before, after;      /* the first line's number */
    size_t groups, room;              /* bytes of the cells of a group */
    cl_mem cells_buffer, used_buffer; /* all cells; what each group used of its own */
    char *cells, *text, *expected;
    cl_uint *used;
    size_t skip, bytes, all; /* the last: of the expected text */
    bool right;
};

/* Moves the lines together: each ends with the first '\n' of its cell. */
static size_t gather_lines(struct work *work) {
    const char *end = work->cells + work->groups * work->room;
    char *to = work->text;
    for (const char *cell = work->cells; cell < end; cell += LINE) {
        char *behind = memccpy(to, cell, '\n', LINE);
        to = behind ? behind : to + LINE;
    }
    return (size_t)(to - work->text);
}

/* Moves the groups' texts together. */
static size_t gather_groups(struct work *work) {
    size_t bytes = 0;
    for (size_t i = 0; i < work->groups; i++) {
        const size_t used = work->used[i] < work->room ? work->used[i] : work->room;
        memcpy(work->text + bytes, work->cells + i * work->room, used);
        bytes += used;
    }
    return bytes;
}

/* Of both ways: how many lines a work-item writes, and into how many bytes. */
enum { BRANCHES, FIFTEEN, WAYS };
static const struct {
    const char *name, *kernel;
    size_t lines, cell;
    size_t (*gather)(struct work *work);
} ways[WAYS] = {{"a line per item", "fizzbuzz_branches", 1, LINE, gather_lines},
                {"15 lines per item", "fizzbuzz_fifteen", 15, 160, gather_groups}};

static struct work work_for(struct device *device, int way, cl_kernel kernel,
                            size_t first, size_t lines) {
    const size_t most = device->max_group,
                 group = GROUP_SIZE < most ? GROUP_SIZE : most,
                 in_group = group * ways[way].lines;
    struct work work = {.before = first % ways[way].lines};
    work.groups = (work.before + lines + in_group - 1) / in_group;
    work.after = work.groups * in_group - work.before - lines;
    work.room = group * ways[way].cell;
    work.cells_buffer = buffer_new(device, work.groups * work.room);
    work.used_buffer = buffer_new(device, work.groups * sizeof *work.used);
    work.used = allocate(work.groups, sizeof *work.used);
    work.cells = allocate(work.groups, work.room);
    work.text = allocate(work.groups, work.room);

    const cl_ulong begin = work.begin = first - work.before;
    work.launch = launch_1d(kernel, work.groups * group, group);
    if (way == BRANCHES)
        kernel_args(kernel, ARG(work.cells_buffer), ARG(begin));
    else
        kernel_args(kernel, ARG(work.cells_buffer), ARG(work.used_buffer), ARG(begin));
    return work;
}

/* Is the text right that the last launch left, and what is too much of it as well? */
static bool is_left_right(struct device *device, int way, struct work *work) {
    buffer_read(device, work->cells_buffer, work->cells, work->groups * work->room);
    buffer_read(device, work->used_buffer, work->used,
                work->groups * sizeof *work->used);
    const size_t bytes = ways[way].gather(work);
    size_t number = work->begin;
    for (size_t at = 0, line; at < work->all; at += line, number++) {
        const char *expected = work->expected + at;
        line = (size_t)((char *)memchr(expected, '\n', work->all - at) - expected) + 1;
        if (at + line > bytes || memcmp(work->text + at, expected, line) != 0)
            return at + line > bytes
                       ? wrong("the text ends after %zu bytes, expected %zu", bytes,
                               work->all)
                       : wrong_line(number, at, work->text + at, expected, line);
    }
    return bytes == work->all ||
           wrong("the text has %zu bytes, expected %zu", bytes, work->all);
}

/* The same lines in both ways. */
static void solve(struct device *device, const cl_kernel kernels[WAYS], size_t first,
                  size_t lines, struct work works[WAYS]) {
    for (int way = 0; way < WAYS; way++) {
        struct work work = work_for(device, way, kernels[way], first, lines);
        char *expected = allocate(work.before + lines + work.after + 1, LINE);
        work.expected = expected;
        work.skip = fizzbuzz_on_host(first - work.before, work.before, expected);
        work.bytes = fizzbuzz_on_host(first, lines, expected + work.skip);
        work.all = work.skip + work.bytes;
        work.all += fizzbuzz_on_host(first + lines, work.after, expected + work.all);

        launch_ms(device, &work.launch);
        work.right = is_left_right(device, way, &work);
        works[way] = work;
    }
}

static double gather_ms(int way, struct work *work) {
    double samples_ms[5];
    for (int i = 0; i < 5; i++) {
        const double before_ms = now_ms();
        ways[way].gather(work);
        samples_ms[i] = now_ms() - before_ms;
    }
    return timing_of(samples_ms, 5).median_ms;
}

static void forget(struct work works[WAYS]) {
    for (int way = 0; way < WAYS; way++) {
        free(works[way].expected);
        free(works[way].text);
        free(works[way].cells);
        free(works[way].used);
    }
}

/* Rows for both ways, whose works end here.  Returns how many times faster the first
 * way is. */
static struct ratio measure(struct report *report, struct device *device, size_t lines,
                            struct work works[WAYS]) {
    struct timing times[WAYS];
    for (int way = 0; way < WAYS; way++) {
        struct row row = {.variant = ways[way].name, .size = lines};
        row.bytes = (double)works[way].bytes;
        row.limit = report->limits.fill;
        row.time = times[way] =
            time_launches(device, works[way].launch, report->options->repeats);
        row.right =
            works[way].right && right_again(is_left_right(device, way, &works[way]));
        report_row(report, row);
        report_say(report, "%28s then the host gathers: %.4f ms by its own clock", "",
                   gather_ms(way, &works[way]));
    }
    forget(works);
    return ratio_between(times[BRANCHES], times[FIFTEEN]);
}

/* Prints the text, if it came out right both times; returns false when nobody reads. */
static bool print(const struct work works[WAYS]) {
    const struct work *last = &works[FIFTEEN];
    if (!works[BRANCHES].right || !last->right)
        return true;
    return text_write(STDOUT_FILENO, last->text + last->skip, last->bytes);
}

/* Is stdout for the text?  Then the table goes to stderr. */
static bool wants_text(const char *output, bool full) {
    if (!output)
        return !full;
    if (strcmp(output, "write") != 0 && strcmp(output, "none") != 0)
        die("--output wants write or none, not '%s'" HINT
            "write prints the text, none only the table",
            output);
    return strcmp(output, "write") == 0;
}

int main(int argc, char **argv) {
    const char *first_text = "1", *from = NULL, *output = NULL;
    const struct own_option own[] = {
        {"first", "N", "the first line's number, 0 or 1 (1 unless told)",
         .text = &first_text},
        {"from", "N", "or any other, up to 1000000000000", .text = &from},
        {"output", "WAY", "write: the text; none: the table (--full: none)",
         .text = &output}};
    const struct usage usage = {"step19_fizzbuzz_branches", SIZE, 0, own, 3};
    struct options options = options_read_own(argc, argv, &usage);
    options.text = wants_text(output, options.full);
    size_t first = option_number("--first", first_text, 0, 1);
    if (from)
        first = option_number("--from", from, 0, 1000000000000);
    if (options.text)
        text_start();
    if (options.size == 0)
        return RIGHT;

    struct device device = device_open(options.device);
    const size_t room = device_capacity(&device, 4, LINE);
    const size_t wanted = device.is_cpu && !options.full ? LARGER_ON_CPU : LARGER;
    const size_t larger = wanted < room ? wanted : room;
    if (options.full && !options.size_given)
        options.size = larger;
    const size_t lines = device_check_size(&device, options.size, 4, LINE);
    cl_kernel kernels[WAYS];
    for (int way = 0; way < WAYS; way++)
        kernels[way] = kernel_load(&device, &options, ways[way].kernel);

    /* The lesson: both ways are right before anything is printed. */
    struct work works[WAYS];
    solve(&device, kernels, first, lines, works);
    if (options.text && !print(works)) {
        forget(works);
        device_close(&device);
        return RIGHT;
    }

    /* The table; and more lines, as 20 are too few for any clock. */
    struct report report = report_start(&options, &device);
    struct ratio ratio = measure(&report, &device, lines, works);
    if (!options.size_given && !options.full) {
        solve(&device, kernels, first, larger, works);
        report_say(&report, "\n%zu lines:", larger);
        ratio = measure(&report, &device, larger, works);
    }
    report_headline(&report, "a line per item against 15 lines", ratio);

    device_close(&device);
    return report_end(&report);
}
