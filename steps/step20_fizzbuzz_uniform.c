/* Step 20: FizzBuzz without divergence
 *
 * In step 19 lanes waited at every if, and one of 128 copied what all had written. Here
 * no lane waits: each line's place follows from its number, and what never changes in
 * the text stands in a table.  Then the text has to get out, which is another matter.
 *
 * Read with  kernels/step20_fizzbuzz_uniform.cl, docs/step20_fizzbuzz_uniform.md
 * Try        --size 500000000 | wc -c, and then with --output vmsplice
 * Lens       --size 9600 --from 100000000 --output none
 * Story      passes fizzbuzz_uniform fizzbuzz_own
 */
#include "buffer.h"
#include "check.h"
#include "compare.h"
#include "data.h"
#include "report.h"
#include "text.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LINE = 24, MOST_DIGITS = 13, SLOTS = 4, GROUP = 160, LINES_EACH = 15 };
enum { PAGE_LINES = 1200, BLOCK_LINES = 4 * PAGE_LINES };
enum { BLOCKS_ON_CPU = 32, BLOCKS_ON_GPU = 128, PAIRS = 5 };
enum { LINES_ON_CPU = 4800000, LINES = 48000000, LINES_FULL = 96000000 };
static const size_t MOST = 1000000000000, TOP = 10000000000, NINE_DIGITS = 100000000;

/* One line, and its length: what the kernels are compared with. */
static size_t line_on_host(char line[LINE], cl_ulong number) {
    const char *word = number % 15 == 0  ? "FizzBuzz\n"
                       : number % 5 == 0 ? "Buzz\n"
                       : number % 3 == 0 ? "Fizz\n"
                                         : NULL;
    if (word)
        return strlen(strcpy(line, word));
    size_t digits = 0;
    for (cl_ulong rest = number; rest > 0; rest /= 10)
        digits++;
    for (size_t i = digits; i-- > 0; number /= 10)
        line[i] = (char)('0' + number % 10);
    line[digits] = '\n';
    return digits + 1;
}

static bool is_right(const char *text, cl_ulong first, size_t lines) {
    char line[LINE];
    size_t at = 0;
    for (size_t i = 0, length; i < lines; i++, at += length) {
        length = line_on_host(line, first + i);
        if (memcmp(text + at, line, length) != 0)
            return wrong_line(first + i, at, text + at, line, length);
    }
    return true;
}

/* A checksum of a text that was found to be right (FNV-1a, by eight bytes): to look at
 * all of it once more takes much less time than to make its lines. */
static cl_ulong checksum(const char *text, size_t bytes) {
    cl_ulong sum = 14695981039346656037u;
    for (size_t at = 0; at < bytes; at += sizeof sum) {
        cl_ulong word = 0;
        memcpy(&word, text + at, bytes - at < sizeof word ? bytes - at : sizeof word);
        sum = (sum ^ word) * 1099511628211u;
    }
    return sum;
}

/* Lines that one launch writes.  Their numbers are equally long, and have the same
 * digits above the tenth. */
struct piece {
    cl_ulong first;
    size_t lines;
    cl_uint digits;
};

static size_t smaller(size_t a, size_t b) {
    return a < b ? a : b;
}

static struct piece piece_at(cl_ulong first, cl_ulong end, size_t most_lines) {
    struct piece piece = {.first = first, .digits = 1};
    cl_ulong limit = 10;
    for (; limit <= first; limit *= 10)
        piece.digits++;
    limit = smaller(smaller(limit, (first / TOP + 1) * TOP), end);
    piece.lines = smaller(limit - first, most_lines);
    return piece;
}

/* 15 lines in a row are 8 numbers, 32 letters and 15 line ends. */
static size_t bytes_of(struct piece piece) {
    char line[LINE];
    const size_t odd = piece.lines % LINES_EACH;
    size_t bytes = piece.lines / LINES_EACH * (8 * piece.digits + 47);
    for (size_t i = piece.lines - odd; i < piece.lines; i++)
        bytes += line_on_host(line, piece.first + i);
    return bytes;
}

static size_t text_bytes(cl_ulong first, cl_ulong end) {
    size_t bytes = 0;
    for (struct piece piece; first < end; first += piece.lines) {
        piece = piece_at(first, end, SIZE_MAX);
        bytes += bytes_of(piece);
    }
    return bytes;
}

/* How many times 16 bytes a page has: 80 times 15 lines. */
static cl_uint positions_of(cl_uint digits) {
    return 40 * digits + 235;
}

/* What a buffer needs for these lines: kernels write whole blocks. */
static size_t room_for(struct piece piece) {
    const size_t blocks = (piece.lines + BLOCK_LINES - 1) / BLOCK_LINES;
    return blocks * 4 * 16 * positions_of(piece.digits);
}

/* The table: the bytes of a page that never change, and for each four of them the
 * window through which they see eight digits of a number (the kernel's file has a
 * picture). */
struct table {
    struct piece of;
    cl_uchar fixed[16 * (40 * MOST_DIGITS + 235)];
    cl_uchar windows[4 * (40 * MOST_DIGITS + 235)];
};

static void table_make(struct table *table, struct piece piece) {
    memset(table, 0, sizeof *table);
    table->of = piece;
    const size_t bytes = 16 * (size_t)positions_of(piece.digits);
    size_t at = 0;
    for (cl_ulong number = piece.first; at < bytes; number++) {
        char line[LINE];
        const size_t length = line_on_host(line, number);
        const size_t hundreds = number / 100 - piece.first / 100;
        for (size_t i = 0; i < length && at < bytes; i++, at++) {
            const size_t digit = i + 11 - length; /* the eighth, 7, are the hundreds */
            if (isdigit((unsigned char)line[0]) && digit < 8)
                table->windows[at / 4] = (cl_uchar)(13 * hundreds + digit + 4 - at % 4);
            else
                table->fixed[at] = (cl_uchar)line[i];
        }
    }
}

/* Is this piece as many whole pages behind the one that the table was made for? */
static bool table_fits(struct piece of, struct piece piece) {
    return of.digits == piece.digits && of.first / TOP == piece.first / TOP &&
           piece.first >= of.first && (piece.first - of.first) % PAGE_LINES == 0;
}

enum rung { OWN, TOGETHER, TABLE, RUNGS };
static const struct {
    const char *name, *kernel;
} rungs[RUNGS] = {{"15 lines each", "fizzbuzz_own"},
                  {"copied together", "fizzbuzz_together"},
                  {"table", "fizzbuzz_uniform"}};

/* What writes text on the device. */
struct writer {
    struct device *device;
    cl_kernel kernels[RUNGS], fill;
    cl_mem fixed_buffer, windows_buffer;
    struct table table; /* what these two hold */
    cl_mem text_buffer; /* for text that stays there, */
    char *text;         /* and for the host's look at it */
};

static struct writer *writer_open(struct device *device, const struct options *options,
                                  size_t lines) {
    struct writer *writer = allocate(1, sizeof *writer);
    const size_t room = room_for((struct piece){0, lines, MOST_DIGITS});
    writer->device = device;
    for (enum rung rung = 0; rung < RUNGS; rung++)
        writer->kernels[rung] = kernel_load(device, options, rungs[rung].kernel);
    writer->fill = kernel_load(device, options, "fizzbuzz_fill");
    writer->fixed_buffer = buffer_new(device, sizeof writer->table.fixed);
    writer->windows_buffer = buffer_new(device, sizeof writer->table.windows);
    writer->text_buffer = buffer_new(device, room);
    writer->text = allocate(1, room);
    return writer;
}

static struct launch launch_of_table(struct writer *writer, struct piece piece,
                                     cl_mem text_buffer) {
    struct table *table = &writer->table;
    if (!table_fits(table->of, piece)) {
        table_make(table, piece);
        buffer_write(writer->device, writer->fixed_buffer, table->fixed,
                     sizeof table->fixed);
        buffer_write(writer->device, writer->windows_buffer, table->windows,
                     sizeof table->windows);
    }
    const cl_uint positions = positions_of(piece.digits);
    const cl_uint hundreds = (cl_uint)(piece.first / 100 % 100000000);
    const cl_uint unused = piece.digits < 10 ? 10 - piece.digits : 0;
    const cl_ulong used = unused < 8 ? ~(cl_ulong)0 << 8 * unused : 0;
    cl_kernel kernel = writer->kernels[TABLE];
    kernel_args(kernel, ARG(text_buffer), ARG(writer->fixed_buffer),
                ARG(writer->windows_buffer), ARG(positions), ARG(hundreds), ARG(used));
    const size_t group = smaller(positions, writer->device->max_group);
    return launch_1d(kernel, (piece.lines + BLOCK_LINES - 1) / BLOCK_LINES * group,
                     group);
}

static struct launch launch_of(struct writer *writer, enum rung rung,
                               struct piece piece, cl_mem text_buffer) {
    if (rung == TABLE)
        return launch_of_table(writer, piece, text_buffer);
    size_t group = GROUP; /* a multiple of 16: then its text is one of 16 bytes */
    while (group > writer->device->max_group && group > 16)
        group = group % 32 == 0 ? group / 2 : 16;
    kernel_args(writer->kernels[rung], ARG(text_buffer), ARG(piece.first),
                ARG(piece.digits), LOCAL(group * (8 * piece.digits + 47)));
    const size_t blocks = (piece.lines + BLOCK_LINES - 1) / BLOCK_LINES;
    return launch_1d(writer->kernels[rung], blocks * (BLOCK_LINES / LINES_EACH), group);
}

/* Whether a kernel writes every byte of these lines as the host does. */
static bool piece_is_right(struct writer *writer, enum rung rung, struct piece piece) {
    const struct launch launch = launch_of(writer, rung, piece, writer->text_buffer);
    launch_ms(writer->device, &launch);
    buffer_read(writer->device, writer->text_buffer, writer->text, bytes_of(piece));
    return is_right(writer->text, piece.first, piece.lines);
}

/* The same for the first and the last piece of all that is equally long, as they will
 * be launched: between them is the same kernel with other numbers. */
static bool edges_are_right(struct writer *writer, cl_ulong first, cl_ulong end,
                            size_t lines) {
    bool right = true;
    while (first < end && right) {
        const cl_ulong next = first + piece_at(first, end, SIZE_MAX).lines;
        const cl_ulong last = next - 1 - (next - 1 - first) % lines;
        buffer_poison(writer->device, writer->text_buffer);
        right = piece_is_right(writer, TABLE, piece_at(first, next, lines)) &&
                piece_is_right(writer, TABLE, piece_at(last, next, lines));
        first = next;
    }
    return right;
}

/* The way out is a ring: while the host passes on what stands in one slot, the device
 * writes the next, and a copy to the host's memory is under way in another. */
struct ring {
    struct writer *writer;
    cl_command_queue copies; /* beside the kernels' queue */
    size_t lines;            /* in one piece, at most */
    bool wrong;              /* was a piece? then nothing more is passed on */
    struct slot {
        struct piece piece;
        cl_mem text_buffer, pinned_buffer;
        char *text; /* where the host finds it */
        cl_event ready;
    } slots[SLOTS];
};

/* What is done with a piece: the device writes it, it is copied to the host, and passed
 * on to `out`.  Each may be left out, to see what the rest takes. */
struct course {
    const char *name;
    bool write, copy;
    bool (*pass)(int out, const char *text, size_t bytes);
    bool again; /* pass on one and the same piece again and again */
    int out;
};

static struct ring ring_open(struct writer *writer, size_t lines) {
    cl_int status;
    struct device *device = writer->device;
    const size_t bytes = room_for((struct piece){0, lines, MOST_DIGITS});
    struct ring ring = {.writer = writer, .lines = lines};
    ring.copies = clCreateCommandQueue(device->context, device->id, 0, &status);
    check_status(status, "clCreateCommandQueue");
    for (struct slot *slot = ring.slots; slot < ring.slots + SLOTS; slot++) {
        slot->text_buffer = buffer_new(device, bytes);
        if (device->is_cpu) /* its memory is the host's: there is nothing to copy */
            continue;
        slot->pinned_buffer = clCreateBuffer(device->context, CL_MEM_ALLOC_HOST_PTR,
                                             bytes, NULL, &status);
        check_status(status, "clCreateBuffer with CL_MEM_ALLOC_HOST_PTR");
        slot->text = clEnqueueMapBuffer(ring.copies, slot->pinned_buffer, CL_TRUE,
                                        CL_MAP_READ | CL_MAP_WRITE, 0, bytes, 0, NULL,
                                        NULL, &status);
        check_status(status, "clEnqueueMapBuffer");
    }
    return ring;
}

static void ring_close(struct ring *ring) {
    CHECK(clFinish(ring->writer->device->queue));
    for (struct slot *slot = ring->slots; slot < ring->slots + SLOTS; slot++)
        if (slot->pinned_buffer) {
            CHECK(clEnqueueUnmapMemObject(ring->copies, slot->pinned_buffer, slot->text,
                                          0, NULL, NULL));
            CHECK(clReleaseMemObject(slot->pinned_buffer));
        }
    CHECK(clFinish(ring->copies));
    CHECK(clReleaseCommandQueue(ring->copies));
}

/* Asks for a piece, and does not wait. */
static void slot_ask(struct ring *ring, struct slot *slot, struct piece piece,
                     const struct course *course) {
    cl_int status = CL_SUCCESS;
    cl_event written = NULL;
    struct device *device = ring->writer->device;
    const size_t bytes = bytes_of(piece);
    slot->piece = piece;
    if (course->write) {
        const struct launch launch =
            launch_of_table(ring->writer, piece, slot->text_buffer);
        slot->ready = written = launch_start(device, &launch);
        CHECK(clFlush(device->queue));
    }
    const cl_uint waits = written ? 1 : 0;
    const cl_event *wait = written ? &written : NULL;
    if (course->copy && device->is_cpu)
        slot->text =
            clEnqueueMapBuffer(ring->copies, slot->text_buffer, CL_FALSE, CL_MAP_READ,
                               0, bytes, waits, wait, &slot->ready, &status);
    else if (course->copy)
        status = clEnqueueReadBuffer(ring->copies, slot->text_buffer, CL_FALSE, 0,
                                     bytes, slot->text, waits, wait, &slot->ready);
    check_status(status, "the copy to the host");
    CHECK(clFlush(ring->copies));
    if (written && slot->ready != written)
        CHECK(clReleaseEvent(written));
}

/* Waits for a piece, looks at its first 15 lines, and passes it on.  Returns false when
 * nobody reads any more. */
static bool slot_pass(struct ring *ring, struct slot *slot,
                      const struct course *course) {
    CHECK(clWaitForEvents(1, &slot->ready));
    CHECK(clReleaseEvent(slot->ready));
    const struct piece piece = slot->piece;
    if (course->write && course->copy &&
        !is_right(slot->text, piece.first, smaller(piece.lines, LINES_EACH)))
        ring->wrong = true;
    const bool reads = !course->pass || ring->wrong ||
                       course->pass(course->out, slot->text, bytes_of(piece));
    if (course->copy && ring->writer->device->is_cpu)
        CHECK(clEnqueueUnmapMemObject(ring->writer->device->queue, slot->text_buffer,
                                      slot->text, 0, NULL, NULL));
    return reads;
}

/* All lines, piece by piece.  A slot is asked for again when it was passed on; but what
 * was lent to a pipe may not change before somebody has read it, so then one slot
 * rests. */
static bool ring_run(struct ring *ring, cl_ulong first, cl_ulong end,
                     const struct course *course) {
    bool reads = true;
    size_t asked = 0, passed = 0, last_bytes = 0;
    const size_t resting = course->pass == text_splice ? 1 : 0;
    while (reads && !ring->wrong && (first < end || passed < asked)) {
        while (first < end && asked + resting < passed + SLOTS) {
            const struct piece piece = piece_at(first, end, ring->lines);
            if (resting)
                text_drain(course->out, last_bytes);
            slot_ask(ring, &ring->slots[asked++ % SLOTS], piece, course);
            first += piece.lines;
        }
        struct slot *slot = &ring->slots[passed++ % SLOTS];
        reads = slot_pass(ring, slot, course);
        last_bytes = bytes_of(slot->piece);
    }
    if (resting)
        text_drain(course->out, 0);
    /* Whoever read has left: what was asked for still comes, and goes nowhere. */
    while (passed < asked)
        slot_pass(ring, &ring->slots[passed++ % SLOTS],
                  &(struct course){.copy = course->copy});
    return reads;
}

/* As many bytes, out of one finished piece: what the rest of the way can carry. */
static bool ring_replay(struct ring *ring, size_t bytes, const struct course *course) {
    bool reads = true;
    struct slot *slot = &ring->slots[0];
    slot_ask(ring, slot, piece_at(NINE_DIGITS, MOST, ring->lines), course);
    CHECK(clWaitForEvents(1, &slot->ready));
    const size_t most = bytes_of(slot->piece);
    for (; bytes > 0 && reads; bytes -= smaller(bytes, most))
        reads = course->pass(course->out, slot->text, smaller(bytes, most));
    text_drain(course->out, 0);
    slot_pass(ring, slot, &(struct course){.copy = true});
    return reads;
}

/* Sends all lines on a course, into a pipe if somebody is to get them, and returns the
 * milliseconds by the host's clock until everything is there. */
static double course_ms(struct ring *ring, cl_ulong first, cl_ulong end,
                        struct course course, bool *right) {
    const size_t bytes = text_bytes(first, end);
    const double before_ms = now_ms();
    if (!course.pass) {
        ring_run(ring, first, end, &course);
        return now_ms() - before_ms;
    }
    const struct pipe_sink counter = pipe_sink_open();
    course.out = counter.out;
    if (course.again)
        ring_replay(ring, bytes, &course);
    else
        ring_run(ring, first, end, &course);
    const size_t counted = pipe_sink_close(counter);
    *right = *right && counted == bytes;
    return now_ms() - before_ms;
}

/* Is every piece right that stands in the slots after a run? */
static bool slots_are_right(struct ring *ring) {
    struct writer *writer = ring->writer;
    for (const struct slot *slot = ring->slots; slot < ring->slots + SLOTS; slot++) {
        if (slot->piece.lines == 0)
            continue;
        buffer_read(writer->device, slot->text_buffer, writer->text,
                    bytes_of(slot->piece));
        if (!is_right(writer->text, slot->piece.first, slot->piece.lines))
            return false;
    }
    return true;
}

/* Two rows, taken in turn, and how close the first comes to the second. */
static void compare(struct report *report, struct ring *ring, cl_ulong first,
                    cl_ulong end, struct course course, struct course best) {
    enum { MOST_PAIRS = 101 };
    double ours_ms[MOST_PAIRS], best_ms[MOST_PAIRS];
    struct row row = {.size = end - first, .right = true};
    int pairs = report->options->repeats ? report->options->repeats : PAIRS;
    pairs = pairs < MOST_PAIRS ? pairs : MOST_PAIRS;
    for (int i = -1; i < pairs; i++) { /* the first warms up */
        const int at = i < 0 ? 0 : i;
        const bool is_last = i == pairs - 1;
        ours_ms[at] = course_ms(ring, first, end, course, &row.right);
        row.right = row.right && (!is_last || slots_are_right(ring));
        best_ms[at] = course_ms(ring, first, end, best, &row.right);
        row.right = row.right && (!is_last || !best.write || slots_are_right(ring));
    }
    row.right = row.right && !ring->wrong;
    const struct ratio ratio = ratio_of(ours_ms, best_ms, pairs);
    row.bytes = (double)text_bytes(first, end);
    row.variant = course.name;
    row.time = timing_of(ours_ms, pairs);
    report_row(report, row);
    row.variant = best.name;
    row.time = timing_of(best_ms, pairs);
    report_row(report, row);
    report_say(report, "%28s %.1f %% of it (%.1f to %.1f)%s", "", 100.0 * ratio.median,
               100.0 * ratio.lower, 100.0 * ratio.upper,
               ratio.lower > 1.0   ? ", so something disturbs"
               : ratio.upper > 1.0 ? ": inside the spread"
                                   : "");
}

/* One row in device memory, by the device's clock.  Every line is checked; the longest
 * piece, which is returned, is timed, and checked again; `time` receives its time. */
static struct piece rung_row(struct report *report, struct writer *writer,
                             enum rung rung, cl_ulong first, cl_ulong end,
                             struct timing *time) {
    char variant[64];
    struct piece longest = {0};
    cl_ulong sum = 0; /* of the longest */
    struct row row = {.right = true, .limit = report->limits.fill};
    buffer_poison(writer->device, writer->text_buffer);
    for (struct piece piece; first < end; first += piece.lines) {
        piece = piece_at(first, end, SIZE_MAX);
        row.right = row.right && piece_is_right(writer, rung, piece);
        if (piece.lines > longest.lines) {
            longest = piece;
            sum = checksum(writer->text, bytes_of(piece));
        }
    }
    snprintf(variant, sizeof variant, "%s, %u digits", rungs[rung].name,
             longest.digits);
    row.variant = variant;
    row.size = longest.lines;
    row.bytes = (double)bytes_of(longest);
    row.time = *time = time_launches(
        writer->device, launch_of(writer, rung, longest, writer->text_buffer),
        report->options->repeats);
    buffer_read(writer->device, writer->text_buffer, writer->text, bytes_of(longest));
    row.right =
        row.right && right_again(checksum(writer->text, bytes_of(longest)) == sum ||
                                 is_right(writer->text, longest.first, longest.lines));
    report_row(report, row);
    return longest;
}

/* Rung by rung; then the last in turn with a kernel that does nothing but store.
 * Returns how many times faster the last is than the first. */
static struct ratio climb(struct report *report, struct writer *writer, cl_ulong first,
                          cl_ulong end) {
    struct device *device = writer->device;
    struct piece piece = {0};
    struct timing rung_times[RUNGS], times[2];
    for (enum rung rung = 0; rung < RUNGS; rung++)
        piece = rung_row(report, writer, rung, first, end, &rung_times[rung]);

    const struct launch table = launch_of(writer, TABLE, piece, writer->text_buffer);
    const size_t group = table.local[0];
    kernel_args(writer->fill, ARG(writer->text_buffer));
    const struct ratio ratio =
        time_pair(device, table,
                  launch_1d(writer->fill, room_for(piece) / 16 / group * group, group),
                  report->options->repeats, times);
    report_say(report, "%28s %.1f %% of a fill's rate (%.1f to %.1f)", "",
               100.0 * ratio.median, 100.0 * ratio.lower, 100.0 * ratio.upper);
    return ratio_between(rung_times[TABLE], rung_times[OWN]);
}

/* How fast it gets out: from the device, and through a pipe. */
static void ways_out(struct report *report, struct ring *ring, cl_ulong first,
                     cl_ulong end) {
    static const struct course
        to_host = {"to the host", true, true, NULL, false, 0},
        copied = {"  copied, not written", false, true, NULL, false, 0},
        write = {"write() to a pipe", true, true, text_write, false, 0},
        replay = {"  one piece, replayed", true, true, text_write, true, 0},
        lend = {"vmsplice() to a pipe", true, true, text_splice, false, 0},
        replay_lent = {"  one piece, replayed", true, true, text_splice, true, 0};
    if (!ring->writer->device->is_cpu)
        compare(report, ring, first, end, to_host, copied);
    compare(report, ring, first, end, write, replay);
    if (TEXT_CAN_SPLICE)
        compare(report, ring, first, end, lend, replay_lent);
}

/* What the command line asks for, beside what every step has. */
struct wishes {
    cl_ulong first;
    size_t chunk; /* blocks of 4800 lines in one piece; 0: as the device likes it */
    struct course course;
};

static struct course course_named(const char *output) {
    struct course course = {"text, by write()", true, true, text_write, false, 1};
    if (strcmp(output, "vmsplice") == 0) {
        course.name = "text, by vmsplice()";
        course.pass = text_splice;
    } else if (strcmp(output, "replay") == 0) {
        course.name = "not the text, but as much";
        course.again = true;
    } else if (strcmp(output, "none") == 0) {
        course.pass = NULL;
    } else if (strcmp(output, "write") != 0) {
        die("--output wants write, vmsplice, replay or none, not '%s'" HINT
            "--help shows what they are for",
            output);
    }
    return course;
}

static struct wishes wishes_read(int argc, char **argv, struct options *options) {
    const char *first = "1", *from = NULL, *output = NULL, *chunk = NULL;
    const struct own_option own[] = {
        {"first", "N", "the first line's number, 0 or 1 (1)", .text = &first},
        {"from", "N", "begin with line N instead", .text = &from},
        {"output", "WAY",
         "write: the text to stdout; vmsplice: to a pipe, without a\n"
         "                 copy, for readers that copy; replay: as many bytes, all\n"
         "                 from one piece; none (write)",
         .text = &output},
        {"chunk", "N", "write N times 4800 lines at once", .text = &chunk}};
    *options = options_read_own(
        argc, argv,
        &(struct usage){
            .step = "step20_fizzbuzz_uniform", .size = 20, .own = own, .own_count = 4});
    if (options->size > MOST)
        die("%zu lines are too many" HINT "at most %zu are possible", options->size,
            MOST);
    struct wishes wishes = {.first = option_number("--first", first, 0, 1)};
    if (from)
        wishes.first = option_number("--from", from, 0, MOST);
    if (chunk)
        wishes.chunk = option_number("--chunk", chunk, 1, 1 << 16);
    wishes.course = course_named(output ? output : options->full ? "none" : "write");
    options->text = wishes.course.pass != NULL;
    return wishes;
}

/* The text, once its edges are right.  Returns false when nobody reads any more. */
static bool write_text(struct ring *ring, cl_ulong first, cl_ulong end,
                       const struct course *course, struct row *row) {
    const size_t bytes = text_bytes(first, end);
    *row = (struct row){.variant = course->name, .size = end - first};
    row->right = edges_are_right(ring->writer, first, end, ring->lines);
    if (!row->right)
        return true;
    const double before_ms = now_ms();
    const bool reads = course->again ? ring_replay(ring, bytes, course)
                                     : ring_run(ring, first, end, course);
    row->time = timing_of(&(double){now_ms() - before_ms}, 1);
    row->bytes = (double)bytes;
    row->right = !ring->wrong;
    return reads;
}

static void close_all(struct ring *ring) {
    struct writer *writer = ring->writer;
    ring_close(ring);
    device_close(writer->device);
    free(writer->text);
    free(writer);
}

int main(int argc, char **argv) {
    struct options options;
    const struct wishes wishes = wishes_read(argc, argv, &options);
    const cl_ulong first = wishes.first, end = first + options.size;
    if (options.text)
        text_start();
    struct device device = device_open(options.device);

    /* How much is written at once. */
    const size_t most_blocks = device_capacity(&device, SLOTS + 3, 11) / BLOCK_LINES;
    size_t blocks = device.is_cpu ? BLOCKS_ON_CPU : BLOCKS_ON_GPU;
    if (wishes.chunk > most_blocks)
        die("pieces of %zu x %d lines are too large for %s" HINT
            "at most %zu fit: try --chunk %zu",
            wishes.chunk, BLOCK_LINES, device.name, most_blocks, most_blocks);
    blocks = wishes.chunk ? wishes.chunk : smaller(blocks, most_blocks);

    /* What stays in device memory: all that was asked for, or enough to measure. */
    size_t lines = options.full ? LINES_FULL : device.is_cpu ? LINES_ON_CPU : LINES;
    lines = smaller(lines, device_capacity(&device, 3, 11) / BLOCK_LINES * BLOCK_LINES);
    if (options.size_given)
        lines = options.text ? 1 : device_check_size(&device, options.size, 3, 11);
    if (lines < blocks * BLOCK_LINES)
        lines = blocks * BLOCK_LINES;
    struct writer *writer = writer_open(&device, &options, lines);
    struct ring ring = ring_open(writer, blocks * BLOCK_LINES);

    /* The text. */
    struct row row;
    if (options.text && !write_text(&ring, first, end, &wishes.course, &row)) {
        close_all(&ring); /* whoever read has seen enough */
        return RIGHT;
    }
    struct report report = report_start(&options, &device);
    if (options.text)
        report_row(&report, row);

    /* The lesson: rung by rung in device memory, then the ways out. */
    struct ratio ratio = {.repeats = 0};
    if (options.size_given && !options.text && end > first)
        ratio = climb(&report, writer, first, end);
    if (!options.size_given) {
        report_say(&report,
                   "\n%zu lines in device memory, by the device's clock:", lines);
        ratio = climb(&report, writer, NINE_DIGITS, NINE_DIGITS + lines);
        climb(&report, writer, 1000 * NINE_DIGITS, 1000 * NINE_DIGITS + lines);
        lines /= 2; /* another size: no table compares this clock with the other */
        report_say(&report,
                   "\n%zu lines and their way out, by the host's clock:", lines);
        ways_out(&report, &ring, NINE_DIGITS, NINE_DIGITS + lines);
    }
    if (ratio.repeats > 0)
        report_headline(&report, "16 bytes per item against 15 lines", ratio);

    close_all(&ring);
    return report_end(&report);
}
