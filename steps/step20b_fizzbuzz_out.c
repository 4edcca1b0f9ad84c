/* Step 20b: the way out
 *
 * In step 20 the device waited while the host wrote the text to a pipe, and the host
 * while the device wrote the next piece.  Here a ring of slots lets both work at the
 * same time.  Then the pipe takes the pages themselves, not a copy of them.
 *
 * Read with  kernels/step20b_fizzbuzz_out.cl, docs/step20b_fizzbuzz_out.md,
 *            common/fizzbuzz/ring.h and common/fizzbuzz/text.h
 * Try        --size 500000000 --output vmsplice | wc -c, and then with --unchecked
 * Lens       --size 19200 --from 100000000 --output none --chunk 1
 * Waits      counted, too: what is left to do when the host has waited
 * Story      --repeats 3
 */
#include "fizzbuzz/ring.h"
#include "fizzbuzz/text.h"
#include "fizzbuzz/text_request.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { BLOCKS = 112, LINES = 48000000 }; /* of a piece, 4 MB; and of the text */
static const size_t NINE_DIGITS = 100000000;

/* Ways out, with the option for those that a text may take, and how many slots each
 * uses; with 0, one finished piece is sent again and again, so that only the pipe takes
 * time.  On a CPU nothing is copied to the host: pinned memory makes no difference. */
enum { LOOP, RING, PINNED, REPLAY, SPLICE, CHECKED, REPLAY_SPLICE, ROUTES };
static const struct route {
    const char *name, *option;
    size_t slots;
    bool pinned, lends, checks;
} routes[ROUTES] = {{"loop, write()", "", 1, false, false, false},
                    {"ring, write()", "", RING_SLOTS, false, false, false},
                    {"ring, pinned, write()", "write", RING_SLOTS, true, false, false},
                    {"one piece, write()", "replay", 0, true, false, false},
                    {"ring, vmsplice()", "vmsplice", RING_SLOTS, true, true, false},
                    {"ring, vmsplice, checked", "", RING_SLOTS, true, true, true},
                    {"one piece, vmsplice()", "", 0, true, true, false}};
static const char *const outputs[] = {"write", "vmsplice", "replay", "none"};

/* A text on its way. */
struct text {
    struct ring *ring;
    cl_ulong first, end; /* lines */
    bool checks, wrong;  /* is a piece checked before it leaves, and was one wrong? */
    int out;
};

/* Passes on what is in a slot; returns false if the pipe has no reader any more.  What
 * is lent has to stay there until it is read.  At the end at most these bytes are in
 * the pipe: all before them have been read. */
static bool pass_on(const struct text *text, const struct route *route,
                    const struct slot *slot, size_t bytes) {
    if (!route->lends)
        return text_write(text->out, slot->text, bytes);
    const bool reads = text_splice(text->out, slot->text, bytes);
    text_drain(text->out, bytes);
    return reads;
}

/* The lesson: in each turn the host asks for the next piece, or waits for the oldest
 * and passes it on. */
static bool send_pieces(struct text *text, const struct route *route) {
    size_t asked = 0, passed = 0; /* pieces */
    bool reads = true;
    for (cl_ulong next = text->first; next < text->end || passed < asked;) {
        const size_t lent = route->lends && passed > 0 ? 1 : 0;
        bool ask = false;
        /* exercise { */
        ask = asked + lent < passed + route->slots;
        /* } exercise */
        const bool can_ask = ask && asked - passed < RING_SLOTS;
        if (next < text->end && (can_ask || asked == passed)) {
            const struct piece piece = piece_at(next, text->end, text->ring->lines);
            ring_ask(text->ring, asked++, piece, route->pinned);
            next += piece.lines;
            continue;
        }
        const struct slot *slot = ring_wait(text->ring, passed++);
        if (text->checks && !text->wrong)
            text->wrong = !ring_is_right(text->ring, slot);
        reads = reads && !text->wrong && pass_on(text, route, slot, slot->piece.bytes);
        next = reads ? next : text->end; /* what was asked for still comes */
    }
    return reads || text->wrong;
}

static bool send_one_piece(struct text *text, const struct route *route) {
    size_t bytes = fizzbuzz_bytes(text->first, text->end), now;
    bool reads = true;
    ring_ask(text->ring, 0, piece_at(NINE_DIGITS, FIZZBUZZ_END, text->ring->lines),
             route->pinned);
    const struct slot *slot = ring_wait(text->ring, 0);
    for (; bytes > 0 && reads; bytes -= now) {
        now = bytes < slot->piece.bytes ? bytes : slot->piece.bytes;
        reads = pass_on(text, route, slot, now);
    }
    return reads;
}

static bool send_text(struct text *text, const struct route *route) {
    const bool reads =
        route->slots > 0 ? send_pieces(text, route) : send_one_piece(text, route);
    if (route->lends)
        text_drain(text->out, 0);
    return reads;
}

/* All ways out, alternating, into a pipe whose reader adds up what it reads.  First
 * every byte is checked before it leaves, and the reader is late, so that it sees what
 * changes too early.  What arrives then by write(), arrives always. */
static void try_all(struct text *text, double *ms[ROUTES], bool right[ROUTES],
                    int repeats) {
    const size_t bytes = fizzbuzz_bytes(text->first, text->end);
    struct arrived wanted[2] = {{0}}; /* of one piece, and of the text */
    for (int i = -ROUTES; i < ROUTES * repeats; i++) {
        const int r = (i + ROUTES) % ROUTES;
        const bool first = i < 0, is_text = routes[r].slots != 0;
        if (!ms[r])
            continue;
        ring_poison(text->ring);
        const struct pipe_sink sink = pipe_sink_open(first);
        text->out = sink.out;
        text->checks = first || routes[r].checks;
        const double before_ms = now_ms();
        send_text(text, &routes[r]);
        const struct arrived arrived = pipe_sink_close(sink);
        ms[r][first ? 0 : i / ROUTES] = now_ms() - before_ms;
        if (first && (r == LOOP || r == REPLAY))
            wanted[is_text] = arrived;
        right[r] = (first || right[r]) && !text->wrong && ring_all_right(text->ring) &&
                   arrived.bytes == bytes && arrived.sum == wanted[is_text].sum;
    }
}

/* Rows, each with its share of what one piece, sent by the same call, reached. */
static void measure(struct step *step, struct text *text) {
    const int repeats = step->options.repeats ? step->options.repeats : 7;
    double *ms[ROUTES] = {NULL};
    bool right[ROUTES];
    for (int r = 0; r < ROUTES; r++)
        if (routes[r].lends ? TEXT_CAN_SPLICE : r != PINNED || !step->device.is_cpu)
            ms[r] = step_array(step, (size_t)repeats, sizeof(double));
    try_all(text, ms, right, repeats);

    struct ratio ratio = {.repeats = 0};
    if (ms[SPLICE])
        ratio = ratio_of(ms[SPLICE], ms[LOOP], repeats);
    for (int r = 0; r < ROUTES; r++) {
        struct row row = {routes[r].name, text->end - text->first, .right = right[r]};
        char note[64];
        if (!ms[r])
            continue;
        const int best = routes[r].lends ? REPLAY_SPLICE : REPLAY;
        const struct ratio part = ratio_of(ms[r], ms[best], repeats);
        snprintf(note, sizeof note, "%.0f %% (%.0f-%.0f)", 100.0 * part.median,
                 100.0 * part.lower, 100.0 * part.upper);
        row.time = timing_of(ms[r], repeats);
        row.bytes = (double)fizzbuzz_bytes(text->first, text->end);
        row.note = r == best ? NULL : note;
        report_row(&step->report, row);
    }
    report_say(&step->report, "%%: of the rate of one piece, sent again and again.");
    if (ms[SPLICE])
        report_headline(&step->report, "vmsplice from a ring against a loop", ratio);
}

/* NULL: the text goes nowhere, only the rows are wanted. */
static const struct route *route_named(const char *output) {
    for (int r = 0; r < ROUTES; r++)
        if (strcmp(output, routes[r].option) == 0)
            return &routes[r];
    return NULL;
}

int main(int argc, char **argv) {
    /* Options and device.  Where the text goes to stdout, the table goes to stderr. */
    size_t blocks = BLOCKS;
    const char *unchecked = NULL;
    const struct own_option own[] = {
        {"chunk", "N", "at most N times 4800 lines in a piece", .number = &blocks,
         .min = 1, .max = 1 << 18},
        {"unchecked", NULL, "pass on what was not checked", .text = &unchecked}};
    const struct text_request_usage usage = {
        "step20b_fizzbuzz_out",
        "vmsplice is for readers that copy; replay is not the text, but as long",
        own,
        COUNT(own),
        outputs,
        COUNT(outputs),
        "the way of the text to stdout, or none"};
    struct step step;
    const struct text_request request = text_request_open(&step, argc, argv, &usage);
    const struct route *route = route_named(request.output);
    const bool given = step.options.size_given;

    /* The ring: slots on the device, and on a GPU twice as many at the host. */
    struct ring ring;
    text_request_chunk(&step.device, blocks, RING_SLOTS + 2);
    ring_open(&ring, &step, "fizzbuzz_out", blocks);

    /* The text.  Its reader may have seen enough before its end. */
    struct text text = {&ring, request.first, request.end, !unchecked,
                        .out = STDOUT_FILENO};
    const double before_ms = now_ms();
    if (route && !send_text(&text, route))
        return step_close(&step);
    if (route && (given || text.wrong))
        report_row(&step.report,
                   (struct row){"text, to stdout", step.options.size,
                                timing_of(&(double){now_ms() - before_ms}, 1),
                                .bytes = (double)fizzbuzz_bytes(text.first, text.end),
                                .right = !text.wrong});

    /* The lesson. */
    if (!given)
        text.first = NINE_DIGITS, text.end = NINE_DIGITS + LINES;
    if ((!given || !route) && text.first < text.end)
        measure(&step, &text);
    return step_close(&step);
}
