/* Step 20: FizzBuzz without divergence
 *
 * In step 19 lanes waited for each other, and where a line begins was known when all
 * lines before it had been written.  Here it follows from the line's number, and a
 * table holds what never changes in the text: every lane does the same, always.
 *
 * Read with  kernels/step20_fizzbuzz_uniform.cl, docs/step20_fizzbuzz_uniform.md
 * Try        --size 100000000 | tail -1: how many times slower is the text here than in
 *            device memory, and why?  (Step 20b finds faster ways out.)
 * Lens       --size 9600 --from 100000000 --output none
 *            fizzbuzz_own fizzbuzz_together fizzbuzz_uniform
 * Story      lines fizzbuzz_uniform fizzbuzz_own
 */
#include "check.h"
#include "fizzbuzz/pages.h"
#include "fizzbuzz/text.h"
#include "fizzbuzz/text_check.h"
#include "fizzbuzz/text_request.h"

#include <stdio.h>
#include <unistd.h>

enum { GROUP = 160, SMALL_GROUP = 16 }; /* multiples of 16 that 320 divides by */
enum { TEXT = 64 * BLOCK_LINES, CPU = 1000 * BLOCK_LINES, GPU = 10 * CPU }; /* lines */
static const struct sizes sizes = {CPU, GPU, 2 * GPU, 2 * GPU};
static const size_t NINE_DIGITS = 100000000, TWELVE_DIGITS = 123456000000;

enum { OWN, TOGETHER, TABLE, FILL, VARIANTS };
static const struct {
    const char *name, *kernel;
} variants[VARIANTS] = {{"15 lines each", "fizzbuzz_own"},
                        {"copied together", "fizzbuzz_together"},
                        {"table", "fizzbuzz_uniform"},
                        {"fill alone", "fizzbuzz_fill"}};

/* What writes lines on the device, and what the host needs to check them. */
struct writer {
    struct step *step;
    struct pages pages; /* the table's kernel */
    cl_mem text_buffer;
    struct text_check weighed;
    char *text;
};

/* Room for so many lines, and for a block more: the groups of a fill are whole. */
static struct writer writer_open(struct step *step, size_t lines) {
    const size_t bytes = (lines / BLOCK_LINES + 2) * block_bytes(FIZZBUZZ_MAX_DIGITS);
    return (struct writer){.step = step,
                           .pages = pages_new(step, variants[TABLE].kernel),
                           .text_buffer = buffer_new(&step->device, bytes),
                           .weighed.seed = step->options.seed,
                           .text = step_array(step, bytes, 1)};
}

/* With the table, a work-group for each block, and in it a work-item for each vector of
 * a page; without it, a work-item for 15 lines; for the fill, one for each vector. */
static struct launch make_launch(struct writer *w, int v, struct piece piece) {
    const size_t blocks = piece_blocks(piece), bytes = block_bytes(piece.digits),
                 page_group = step_group(w->step, page_vectors(piece.digits)),
                 group = w->step->device.max_group < GROUP ? SMALL_GROUP : GROUP;
    if (v == TABLE) {
        CHECK(pages_set(&w->pages, w->step->device.queue, w->text_buffer, piece));
        return launch_1d(w->pages.kernel, blocks * page_group, page_group);
    }
    if (v == FILL)
        return LAUNCH(w->step, variants[v].kernel, blocks * bytes / 16, page_group,
                      ARG(w->text_buffer));
    return LAUNCH(w->step, variants[v].kernel, blocks * BLOCK_LINES / WORD_LINES, group,
                  ARG(w->text_buffer), ARG(piece.first), ARG(piece.digits),
                  LOCAL(group * (8 * piece.digits + 47)));
}

/* Is every byte right that the last launch left?  (A fill has no lines.) */
static bool is_right(struct writer *w, int v, struct piece piece) {
    buffer_read(&w->step->device, w->text_buffer, w->text, piece.bytes);
    for (size_t at = 0; v == FILL && at < piece.bytes; at++)
        if (w->text[at] != "Fizz"[at % 4])
            return wrong("byte %zu of the fill is not a letter of Fizz", at);
    return v == FILL || text_check_is_right(&w->weighed, w->text, piece);
}

static bool writes_right(struct writer *w, int v, struct piece piece) {
    const struct launch launch = make_launch(w, v, piece);
    buffer_poison(&w->step->device, w->text_buffer);
    launch_ms(&w->step->device, &launch);
    return is_right(w, v, piece);
}

/* A launch begins at any of 15 places in the order of words, and numbers have any count
 * of digits: is each of them right?  (With --all.) */
static bool phases_right(struct writer *w, int v) {
    cl_ulong power = 10;
    for (cl_uint k = 0; k < WORD_LINES; k++) {
        power = 10 * power < FIZZBUZZ_END / 10 ? 10 * power : 100;
        const struct piece piece =
            piece_at(power + k, FIZZBUZZ_END, SMALL_GROUP * WORD_LINES);
        const struct launch launch =
            LAUNCH(w->step, variants[v].kernel, SMALL_GROUP, SMALL_GROUP,
                   ARG(w->text_buffer), ARG(piece.first), ARG(piece.digits),
                   LOCAL(SMALL_GROUP * (8 * piece.digits + 47)));
        launch_ms(&w->step->device, &launch);
        if (!is_right(w, v, piece))
            return false;
    }
    return true;
}

/* The text, piece by piece: the device writes one, and the host reads it, checks it and
 * passes it on.  Returns false if stdout has no reader any more. */
static bool pass_on(struct writer *w, cl_ulong first, cl_ulong end, size_t lines) {
    struct row row = {"text, to stdout", end - first, .right = true};
    bool reads = true;
    const double before_ms = now_ms();
    for (struct piece piece; reads && row.right && first < end; first += piece.lines) {
        piece = piece_at(first, end, lines);
        row.right = writes_right(w, TABLE, piece);
        row.bytes += (double)piece.bytes;
        reads = !row.right || text_write(STDOUT_FILENO, w->text, piece.bytes);
    }
    row.time = timing_of(&(double){now_ms() - before_ms}, 1);
    if (reads && (w->step->options.size_given || !row.right))
        report_row(&w->step->report, row);
    return reads;
}

/* A row for each variant.  All alternate with the fill, and the fill with the table, so
 * that each has a whole text to write.  Returns how much faster the table is. */
static struct ratio measure(struct writer *w, struct piece piece) {
    struct timing times[VARIANTS];
    for (int v = OWN; v < VARIANTS; v++) {
        char name[64];
        snprintf(name, sizeof name, piece.digits == 9 ? "%s" : "%s, %u digits",
                 variants[v].name, piece.digits);
        struct row row = {
            name, piece.lines, .bytes = (double)piece.bytes,
            .limit = w->step->report.limits.fill,
            .right = (v >= TABLE || !w->step->options.all || phases_right(w, v)) &&
                     writes_right(w, v, piece)};
        const struct launch launch = make_launch(w, v, piece),
                            other = make_launch(w, v == FILL ? TABLE : FILL, piece);
        step_time_beside(w->step, &other, &launch, &row);
        row.right = row.right && right_again(is_right(w, v, piece));
        report_row(&w->step->report, row);
        times[v] = row.time;
    }
    return ratio_between(times[TABLE], times[OWN]);
}

int main(int argc, char **argv) {
    /* Options.  Where the text goes to stdout, the table goes to stderr. */
    size_t chunk = 0;
    const struct own_option own[] = {{"chunk", "N",
                                      "at most N times 4800 lines in a launch",
                                      .number = &chunk, .min = 1, .max = 1 << 18}};
    const struct text_request_usage usage = {
        "step20_fizzbuzz_uniform",
        "step 20b has other ways out, such as --output vmsplice", .own = own,
        .own_count = COUNT(own)};
    struct step step;
    const struct text_request request = text_request_open(&step, argc, argv, &usage);
    const bool writes = step.options.text, given = step.options.size_given,
               measures = !given || !writes;

    /* A launch writes a part of a long text, or all that is measured. */
    const size_t lines = chunk      ? text_request_chunk(&step.device, chunk, 3)
                         : measures ? step_size(&step, &sizes, 3, 11)
                                    : TEXT;
    struct writer writer = writer_open(&step, lines);

    /* The text.  Its reader may have seen enough before its end. */
    if (writes && !pass_on(&writer, request.first, request.end, lines))
        return step_close(&step);

    /* The lesson: lines in device memory. */
    struct ratio ratio = {.repeats = 0};
    cl_ulong next = given ? request.first : NINE_DIGITS,
             end = given ? request.end : NINE_DIGITS + lines;
    for (struct piece piece; measures && next < end; next += piece.lines) {
        piece = piece_at(next, end, lines);
        ratio = measure(&writer, piece);
    }
    if (!given && step.options.all)
        measure(&writer, piece_at(TWELVE_DIGITS, FIZZBUZZ_END, lines));

    /* The result. */
    if (ratio.repeats > 0)
        report_headline(&step.report, "a table against 15 lines each", ratio);
    if (ratio.repeats > 0 && step.device.is_cpu)
        report_say(&step.report, "A CPU's cache gathers bytes: a GPU gains far more.");
    return step_close(&step);
}
