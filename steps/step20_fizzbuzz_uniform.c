/* Step 20: lookup tables: FizzBuzz without divergence
 *
 * In step 19 lanes waited for each other, and where a line begins was known only after
 * all earlier lines had been written.  Here it follows from the line's number, and a
 * table holds what never changes in the text: every lane does the same, always.
 *
 * Read with  kernels/step20_fizzbuzz_uniform.cl, docs/step20_fizzbuzz_uniform.md
 * Try        --size 100000000 | tail -1: how many times slower is the text here than in
 *            device memory, and why?  (Step 20b finds faster ways out.)
 * Lens       --size 9600 --from 100000000 --output none
 *            fizzbuzz_own fizzbuzz_together fizzbuzz_uniform
 * Story      moved_bytes fizzbuzz_uniform fizzbuzz_own
 */
#include "contest.h"
#include "fizzbuzz/text.h"
#include "fizzbuzz/text_check.h"
#include "fizzbuzz/text_request.h"

#include <ctype.h>
#include <string.h>
#include <unistd.h>

/* Work-items of a group without the table: multiples of 16 that divide 320, because the
 * 4800 lines of a block are 320 times 15. */
enum { GROUP = 160, SMALL_GROUP = 16 };

/* Lines of a launch: where the text goes to stdout, and where it is measured. */
enum { TEXT_LINES = 64 * BLOCK_LINES, LINES = 1000 * BLOCK_LINES };
static const struct sizes sizes = {
    .cpu = LINES, .cpu_full = 20 * LINES, .gpu = 20 * LINES};
static const size_t NINE_DIGITS = 100000000, TWELVE_DIGITS = 123456000000;

enum { OWN, TOGETHER, TABLE, FILL, VARIANTS };
static const struct {
    const char *name, *kernel;
} variants[VARIANTS] = {{"15 lines each", "fizzbuzz_own"},
                        {"copied together", "fizzbuzz_together"},
                        {"table", "fizzbuzz_uniform"},
                        {"fill alone", "fizzbuzz_fill"}};

/* The table of a page.  `fixed` holds the bytes that are the same on every page, and a
 * zero byte for each digit that is not.  `windows` holds a byte for each word of four
 * bytes: through which of 12 windows the missing digits are seen, and of which
 * hundreds, counted from the first of the page.  That is STRIDE * hundreds + window. */
enum { MAX_VECTORS = 40 * FIZZBUZZ_MAX_DIGITS + 235, STRIDE = 13 };
struct table {
    struct piece of; /* the first piece that it was made for */
    cl_uchar fixed[16 * MAX_VECTORS];
    cl_uchar windows[4 * MAX_VECTORS];
};

/* Puts the digits of a number into the table.  The eight before its last two, A to H,
 * are left out of `fixed`, because they change from page to page.  If a word begins
 * with A, its window is 4, `ABCD`.  The next letter in the same byte has the next
 * window, and the same letter a byte later has the window before. */
static void put_number(struct table *table, size_t at, const char *line, int digits,
                       int hundreds) {
    for (int i = 0; i < digits; i++) {
        const int letter = i + 10 - digits; /* 0 to 7 are A to H */
        const int byte = (int)(at % 4);     /* of its word */
        const int window = 4 + letter - byte;
        if (letter >= 0 && letter < 8)
            table->windows[at / 4] = (cl_uchar)(STRIDE * hundreds + window);
        else
            table->fixed[at] = (cl_uchar)line[i];
        at++;
    }
}

/* Makes the table from the lines of one page, the first of this piece.  If the numbers
 * get longer on that page, the rest of the table is of no use, but it is not needed
 * either, because the piece has ended there. */
static void make_table(struct table *table, struct piece piece) {
    memset(table, 0, sizeof *table);
    table->of = piece;

    size_t at = 0;
    for (cl_ulong number = piece.first; number < piece.first + PAGE_LINES; number++) {
        char line[FIZZBUZZ_LINE];
        const size_t length = fizzbuzz_line(line, number);
        if (isdigit((unsigned char)line[0])) {
            const int digits = (int)length - 1;
            put_number(table, at, line, digits,
                       (int)(number / 100 - piece.first / 100));
            table->fixed[at + length - 1] = '\n';
        } else {
            memcpy(table->fixed + at, line, length);
        }
        at += length;
    }
}

/* Does this piece begin whole pages after the one that the table was made for? */
static bool table_fits(const struct table *table, struct piece piece) {
    return table->of.digits == piece.digits &&
           table->of.first / PIECE_SPAN == piece.first / PIECE_SPAN &&
           piece.first >= table->of.first &&
           (piece.first - table->of.first) % PAGE_LINES == 0;
}

/* A mask with a byte of ones for each of the eight digits A to H that numbers of this
 * length have.  A is in the lowest byte, and H in the highest. */
static cl_ulong used_digits(cl_uint digits) {
    cl_ulong used = 0;
    for (cl_uint digit = 3; digit <= 10 && digit <= digits; digit++)
        used |= (cl_ulong)0xff << 8 * (10 - digit);
    return used;
}

/* What writes lines on the device, and what the host needs to check them. */
struct writer {
    struct step *step;
    cl_kernel table_kernel;
    struct table table;
    cl_mem fixed_buffer, windows_buffer, text_buffer;
    struct text_check check;
    char *text;
};

/* Room for so many lines, and for a block more: the groups of a fill are whole. */
static struct writer writer_open(struct step *step, size_t lines) {
    struct device *device = &step->device;
    const size_t bytes = (lines / BLOCK_LINES + 2) * block_bytes(FIZZBUZZ_MAX_DIGITS);
    struct writer writer = {.step = step, .check.seed = step->options.seed};
    writer.table_kernel = kernel_load(device, &step->options, variants[TABLE].kernel);
    writer.fixed_buffer = buffer_new(device, sizeof writer.table.fixed);
    writer.windows_buffer = buffer_new(device, sizeof writer.table.windows);
    writer.text_buffer = buffer_new(device, bytes);
    writer.text = step_array(step, bytes, 1);
    return writer;
}

/* A work-group for each block, and in it a work-item for each vector of a page.  All
 * launches share one kernel, because a long text has many. */
static struct launch launch_table(struct writer *writer, struct piece piece) {
    struct device *device = &writer->step->device;
    struct table *table = &writer->table;
    if (!table_fits(table, piece)) {
        make_table(table, piece);
        buffer_write(device, writer->fixed_buffer, table->fixed, sizeof table->fixed);
        buffer_write(device, writer->windows_buffer, table->windows,
                     sizeof table->windows);
    }
    const cl_uint vectors = page_vectors(piece.digits),
                  hundreds = (cl_uint)(piece.first % PIECE_SPAN / 100);
    const cl_ulong used = used_digits(piece.digits);
    kernel_args(writer->table_kernel, ARG(writer->text_buffer),
                ARG(writer->fixed_buffer), ARG(writer->windows_buffer), ARG(vectors),
                ARG(hundreds), ARG(used));
    const size_t group = step_group(writer->step, vectors);
    return launch_1d(writer->table_kernel, piece_blocks(piece) * group, group);
}

/* Without the table, a work-item for each 15 lines. */
static struct launch launch_lines(const struct writer *writer, size_t variant,
                                  struct piece piece, size_t items, size_t group) {
    return LAUNCH(writer->step, variants[variant].kernel, items, group,
                  ARG(writer->text_buffer), ARG(piece.first), ARG(piece.digits),
                  LOCAL(group * (8 * piece.digits + 47)));
}

static struct launch make_launch(struct writer *writer, size_t variant,
                                 struct piece piece) {
    struct step *step = writer->step;
    const size_t blocks = piece_blocks(piece);
    if (variant == TABLE)
        return launch_table(writer, piece);
    if (variant == FILL)
        return LAUNCH(
            step, variants[FILL].kernel, blocks * block_bytes(piece.digits) / 16,
            step_group(step, page_vectors(piece.digits)), ARG(writer->text_buffer));
    return launch_lines(writer, variant, piece, blocks * BLOCK_LINES / WORD_LINES,
                        step->device.max_group < GROUP ? SMALL_GROUP : GROUP);
}

static bool fill_is_right(const char *text, size_t bytes) {
    for (size_t at = 0; at < bytes; at++)
        if (text[at] != "Fizz"[at % 4])
            return wrong("byte %zu of the fill is not a letter of Fizz", at);
    return true;
}

/* Is every byte right that the last launch left?  (A fill has no lines.) */
static bool text_is_right(struct writer *writer, size_t variant, struct piece piece) {
    buffer_read(&writer->step->device, writer->text_buffer, writer->text, piece.bytes);
    if (variant == FILL)
        return fill_is_right(writer->text, piece.bytes);
    return text_check_is_right(&writer->check, writer->text, piece);
}

/* A launch begins at any of 15 places in the order of words, and numbers have any count
 * of digits: is each of them right? */
static bool phases_right(struct writer *writer, size_t variant) {
    cl_ulong power = 100;
    for (cl_uint phase = 0; phase < WORD_LINES; phase++) {
        const struct piece piece =
            piece_at(power + phase, FIZZBUZZ_END, SMALL_GROUP * WORD_LINES);
        const struct launch launch =
            launch_lines(writer, variant, piece, SMALL_GROUP, SMALL_GROUP);
        launch_ms(&writer->step->device, &launch);
        if (!text_is_right(writer, variant, piece))
            return false;
        power *= 10;
        if (power > FIZZBUZZ_END / 10)
            power = 100;
    }
    return true;
}

/* The text, piece by piece: the device writes one, and the host reads it, checks it and
 * passes it on.  Returns false if stdout has no reader any more. */
static bool pass_on(struct writer *writer, cl_ulong first, cl_ulong end, size_t lines) {
    struct device *device = &writer->step->device;
    struct row row = {"text, to stdout", end - first, .right = true};
    bool reads = true;
    cl_ulong next = first;
    const double before_ms = now_ms();
    while (reads && row.right && next < end) {
        const struct piece piece = piece_at(next, end, lines);
        const struct launch launch = launch_table(writer, piece);
        buffer_poison(device, writer->text_buffer);
        launch_ms(device, &launch);
        row.right = text_is_right(writer, TABLE, piece);
        if (row.right)
            reads = text_write(STDOUT_FILENO, writer->text, piece.bytes);
        row.bytes += (double)piece.bytes;
        next += piece.lines;
    }
    double ms = now_ms() - before_ms;
    row.time = timing_of(&ms, 1);
    if (reads && (writer->step->options.size_given || !row.right))
        report_row(&writer->step->report, row);
    return reads;
}

/* One variant's lines in device memory. */
struct job {
    struct writer *writer;
    size_t variant;
    struct piece piece;
};

static bool is_right(const struct entry *entry, bool again) {
    const struct job *job = entry->of;
    (void)again; /* the same lines */
    return text_is_right(job->writer, job->variant, job->piece);
}

static struct entry make_entry(struct writer *writer, size_t variant,
                               struct piece piece) {
    struct step *step = writer->step;
    struct job *job = step_array(step, 1, sizeof *job);
    *job = (struct job){writer, variant, piece};
    struct entry entry = {.of = job, .out = writer->text_buffer};
    entry.launch = make_launch(writer, variant, piece);
    entry.row.variant = variants[variant].name;
    if (piece.digits != 9)
        entry.row.variant =
            step_text(step, "%s, %u digits", variants[variant].name, piece.digits);
    entry.row.size = piece.lines;
    entry.row.bytes = (double)piece.bytes;
    entry.row.limit = step->report.limits.fill;
    return entry;
}

/* The lesson: a row for each variant.  All alternate with the fill, and the fill with
 * the table.  They share the memory of the text, so each row is checked right after it
 * was timed.  Returns how much faster the table is. */
static struct ratio measure(struct writer *writer, struct piece piece) {
    struct contest contest = contest_begin(writer->step, is_right);
    for (size_t v = 0; v < VARIANTS; v++)
        contest_add(&contest, make_entry(writer, v, piece));
    if (writer->step->options.all) {
        contest_require(&contest, OWN, phases_right(writer, OWN));
        contest_require(&contest, TOGETHER, phases_right(writer, TOGETHER));
    }
    for (size_t v = 0; v < VARIANTS; v++) {
        contest_time_beside(&contest, v, v == FILL ? TABLE : FILL);
        contest_print(&contest, v);
    }
    return ratio_between(contest.entries[TABLE].row.time,
                         contest.entries[OWN].row.time);
}

/* Lines may be several pieces: returns the ratio of the last one. */
static struct ratio measure_all(struct writer *writer, cl_ulong first, cl_ulong end,
                                size_t lines) {
    struct ratio ratio = {.repeats = 0};
    cl_ulong next = first;
    while (next < end) {
        const struct piece piece = piece_at(next, end, lines);
        ratio = measure(writer, piece);
        next += piece.lines;
    }
    return ratio;
}

int main(int argc, char **argv) {
    /* Options and device.  Where the text goes to stdout, the table goes to stderr. */
    size_t chunk = 0;
    const struct own_option own[] = {{"chunk", "N",
                                      "at most N times 4800 lines in a launch",
                                      .number = &chunk, .min = 1, .max = 1 << 18}};
    const struct text_request_usage usage = {
        .step = "step20_fizzbuzz_uniform",
        .lesson = "the same text; where lanes find its bytes differs",
        .hint = "step 20b has other ways out, such as --output vmsplice",
        .own = own,
        .own_count = COUNT(own)};
    struct step step;
    const struct text_request request = text_request_open(&step, argc, argv, &usage);
    const bool given = step.options.size_given, measures = !given || !step.options.text;

    /* A launch writes a part of a long text, or all that is measured. */
    size_t lines = TEXT_LINES;
    if (chunk)
        lines = text_request_chunk(&step.device, chunk, 3);
    else if (measures)
        lines = step_size(&step, &sizes, 3, 11);
    struct writer writer = writer_open(&step, lines);

    /* The text.  Its reader may have seen enough before its end. */
    if (step.options.text && !pass_on(&writer, request.first, request.end, lines))
        return step_close(&step);
    if (!measures)
        return step_close(&step);

    /* The lesson: lines in device memory, those that were asked for, or some of 9
     * digits.  With --all, 12 digits follow. */
    struct ratio ratio;
    if (given) {
        ratio = measure_all(&writer, request.first, request.end, lines);
    } else {
        ratio = measure_all(&writer, NINE_DIGITS, NINE_DIGITS + lines, lines);
        if (step.options.all)
            measure(&writer, piece_at(TWELVE_DIGITS, FIZZBUZZ_END, lines));
    }

    /* The result. */
    if (ratio.repeats > 0) {
        report_headline(&step.report, "a table, not 15 lines each", ratio,
                        "A cache gathers the bytes here: a GPU gains far more.");
        report_say(
            &step.report,
            "The table is read once for all lines.  Lines to be copied are first "
            "made, byte by byte.");
    }
    return step_close(&step);
}
