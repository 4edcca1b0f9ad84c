/* Step 20b: output: from the device into a pipe
 *
 * In step 20 the device waited while the host wrote the text to a pipe, and the host
 * while the device wrote the next piece.  Here a ring of slots lets both work at the
 * same time.  Then the pipe takes the pages themselves, not a copy of them.
 *
 * Read with  kernels/step20b_fizzbuzz_out.cl, docs/step20b_fizzbuzz_out.md
 *            and common/fizzbuzz/text.h
 * Try        --size 500000000 --output vmsplice | wc -c, and then with --unchecked
 * Lens       --size 19200 --from 100000000 --output none --chunk 1
 * Waits      counted, too: what is left to do when the host has waited
 * Story      --repeats 3
 */
#include "check.h"
#include "fizzbuzz/pages.h"
#include "fizzbuzz/text.h"
#include "fizzbuzz/text_check.h"
#include "fizzbuzz/text_request.h"

#include <string.h>
#include <unistd.h>

enum { BLOCKS = 112, LINES = 48000000 }; /* of a piece, 4 MB; and of the text */
enum { RING_SLOTS = 4, REPEATS = 7 };
enum { NO_TEXT = 0xff }; /* a byte that no line has */
static const size_t NINE_DIGITS = 100000000;

/* Ways out, with the word of --output for those that a text may take, and how many
 * slots each uses; with 0, one finished piece is sent again and again, so that only the
 * pipe takes time.  On a CPU nothing is copied to the host: pinned memory makes no
 * difference. */
enum { LOOP, RING, PINNED, REPLAY, SPLICE, CHECKED, REPLAY_SPLICE, ROUTES };
static const struct route {
    const char *name, *output;
    size_t slots;
    bool pinned; /* in which memory of the host a GPU's text arrives */
    bool lends;  /* pages to the pipe, by vmsplice(), and copies nothing */
    bool checks; /* each piece before it leaves, when the route is timed, too */
} routes[ROUTES] = {
    {"loop, write()", .slots = 1},
    {"ring, write()", .slots = RING_SLOTS},
    {"ring, pinned, write()", "write", RING_SLOTS, .pinned = true},
    {"one piece, write()", "replay", .pinned = true},
    {"ring, vmsplice()", "vmsplice", RING_SLOTS, .pinned = true, .lends = true},
    {"ring, vmsplice, checked", NULL, RING_SLOTS, .pinned = true, .lends = true,
     .checks = true},
    {"one piece, vmsplice()", .pinned = true, .lends = true}};
static const char *const outputs[] = {"write", "vmsplice", "replay", "none"};

/* Piece 0 of a text goes through slot 0, piece 1 through slot 1, and so on, around and
 * around.  The table and the kernel that writes from it are those of step 20. */
struct slot {
    struct piece piece;
    cl_mem text_buffer;
    char *ordinary, *pinned; /* memory of the host; a CPU device needs none */
    char *text;              /* where the host finds the piece; NULL: nowhere */
    cl_event ready;
};

struct ring {
    struct step *step;
    struct pages pages;
    size_t lines; /* of a piece, at most */
    struct text_check check;
    struct slot slots[RING_SLOTS];
};

/* Slots on the device, and on a GPU twice as many at the host, for pieces of at most so
 * many blocks. */
static void ring_open(struct ring *ring, struct step *step, size_t blocks) {
    struct device *device = &step->device;
    const size_t bytes = blocks * block_bytes(FIZZBUZZ_MAX_DIGITS);
    *ring = (struct ring){.step = step, .lines = blocks * BLOCK_LINES};
    ring->check.seed = step->options.seed;
    ring->pages = pages_new(step, "fizzbuzz_out");
    for (size_t i = 0; i < RING_SLOTS; i++) {
        struct slot *slot = &ring->slots[i];
        slot->text_buffer = buffer_new(device, bytes);
        if (!device->is_cpu) {
            slot->ordinary = step_array(step, bytes, 1);
            slot->pinned = buffer_pinned(device, bytes);
        }
    }
}

/* From here on the slot is the device's, and the host finds no text in it. */
static void give_slot(struct ring *ring, struct slot *slot) {
    struct device *device = &ring->step->device;
    if (device->is_cpu && slot->text)
        CHECK(clEnqueueUnmapMemObject(device->queue, slot->text_buffer, slot->text, 0,
                                      NULL, NULL));
    slot->text = NULL;
}

/* A work-group for each block, and in it a work-item for each vector of a page. */
static void launch_kernel(struct ring *ring, const struct slot *slot) {
    struct device *device = &ring->step->device;
    CHECK(pages_set(&ring->pages, device->queue, slot->text_buffer, slot->piece));
    const size_t group = step_group(ring->step, page_vectors(slot->piece.digits));
    const struct launch launch =
        launch_1d(ring->pages.kernel, piece_blocks(slot->piece) * group, group);
    CHECK(clReleaseEvent(launch_start(device, &launch)));
}

/* The way of a piece to the host: a GPU copies it to the host's memory, and a CPU,
 * whose memory is the host's, has only to say where it is. */
static void fetch_text(struct ring *ring, struct slot *slot, bool pinned) {
    struct device *device = &ring->step->device;
    const size_t bytes = slot->piece.bytes;
    if (device->is_cpu) {
        cl_int status;
        slot->text = clEnqueueMapBuffer(device->queue, slot->text_buffer, CL_FALSE,
                                        CL_MAP_READ, 0, bytes, 0, NULL, NULL, &status);
        check_status(status, "the way of a piece to the host");
        return;
    }
    slot->text = pinned ? slot->pinned : slot->ordinary;
    CHECK(clEnqueueReadBuffer(device->queue, slot->text_buffer, CL_FALSE, 0, bytes,
                              slot->text, 0, NULL, NULL));
}

/* Asks for piece `number` of a text, and does not wait for it. */
static void ring_ask(struct ring *ring, size_t number, struct piece piece,
                     bool pinned) {
    struct device *device = &ring->step->device;
    struct slot *slot = &ring->slots[number % RING_SLOTS];
    give_slot(ring, slot);
    slot->piece = piece;
    launch_kernel(ring, slot);
    fetch_text(ring, slot, pinned);
    CHECK(clEnqueueMarkerWithWaitList(device->queue, 0, NULL, &slot->ready));
    CHECK(clFlush(device->queue)); /* or it may rest until the host waits */
}

/* Waits until piece `number` is at the host. */
static const struct slot *ring_wait(struct ring *ring, size_t number) {
    struct slot *slot = &ring->slots[number % RING_SLOTS];
    CHECK(clWaitForEvents(1, &slot->ready));
    CHECK(clReleaseEvent(slot->ready));
    return slot;
}

/* Is every byte of this piece right?  If not, names the first wrong one. */
static bool slot_is_right(struct ring *ring, const struct slot *slot) {
    return text_check_is_right(&ring->check, slot->text, slot->piece);
}

/* The same for all pieces that are in slots now. */
static bool ring_is_right(struct ring *ring) {
    for (size_t i = 0; i < RING_SLOTS; i++)
        if (ring->slots[i].text && !slot_is_right(ring, &ring->slots[i]))
            return false;
    return true;
}

/* No slot has a piece any more, and no memory of theirs has any text. */
static void ring_poison(struct ring *ring) {
    struct device *device = &ring->step->device;
    for (size_t i = 0; i < RING_SLOTS; i++) {
        struct slot *slot = &ring->slots[i];
        give_slot(ring, slot);
        buffer_poison(device, slot->text_buffer);
        if (!device->is_cpu) {
            const size_t bytes =
                piece_blocks(slot->piece) * block_bytes(slot->piece.digits);
            memset(slot->ordinary, NO_TEXT, bytes);
            memset(slot->pinned, NO_TEXT, bytes);
        }
    }
}

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
 * and passes it on.  Where a piece is wrong or the reader has left, it asks for no
 * more, and only waits for those that it has asked for. */
static bool send_pieces(struct text *text, const struct route *route) {
    size_t asked = 0, passed = 0; /* pieces */
    cl_ulong next = text->first;
    bool reads = true;
    while (next < text->end || passed < asked) {
        const size_t lent = route->lends && passed > 0 ? 1 : 0;
        bool ask = false;
        /* exercise { */
        ask = asked + lent < passed + route->slots;
        /* } exercise */
        if (asked == passed) /* or it would wait for nothing */
            ask = true;
        if (asked - passed == RING_SLOTS || next == text->end)
            ask = false;

        if (ask) {
            const struct piece piece = piece_at(next, text->end, text->ring->lines);
            ring_ask(text->ring, asked, piece, route->pinned);
            asked++;
            next += piece.lines;
            continue;
        }
        const struct slot *slot = ring_wait(text->ring, passed);
        passed++;
        if (text->checks && !text->wrong)
            text->wrong = !slot_is_right(text->ring, slot);
        if (reads && !text->wrong)
            reads = pass_on(text, route, slot, slot->piece.bytes);
        if (!reads || text->wrong)
            next = text->end;
    }
    return reads;
}

/* As many bytes as the text has, all of them from one piece. */
static bool send_one_piece(struct text *text, const struct route *route) {
    const size_t bytes = fizzbuzz_bytes(text->first, text->end);
    ring_ask(text->ring, 0, piece_at(NINE_DIGITS, FIZZBUZZ_END, text->ring->lines),
             route->pinned);
    const struct slot *slot = ring_wait(text->ring, 0);
    bool reads = true;
    size_t sent = 0;
    while (reads && sent < bytes) {
        const size_t left = bytes - sent,
                     now = left < slot->piece.bytes ? left : slot->piece.bytes;
        reads = pass_on(text, route, slot, now);
        sent += now;
    }
    return reads;
}

/* Returns false if the text has no reader any more. */
static bool send_text(struct text *text, const struct route *route) {
    const bool reads =
        route->slots > 0 ? send_pieces(text, route) : send_one_piece(text, route);
    if (route->lends)
        text_drain(text->out, 0);
    return reads;
}

/* How a route fares when it is measured. */
struct trial {
    const struct route *route;
    bool possible, right;
    double *ms;
};

/* Sends the text into a pipe, whose reader adds up what it reads, and sets how long
 * that took.  Every piece that is in a slot then must still be right. */
static struct arrived send_to_reader(struct text *text, struct trial *trial, bool late,
                                     double *ms) {
    ring_poison(text->ring);
    const struct pipe_sink sink = pipe_sink_open(late);
    text->out = sink.out;
    const double before_ms = now_ms();
    send_text(text, trial->route);
    const struct arrived arrived = pipe_sink_close(sink);
    *ms = now_ms() - before_ms;
    trial->right = trial->right && !text->wrong && ring_is_right(text->ring) &&
                   arrived.bytes == fizzbuzz_bytes(text->first, text->end);
    return arrived;
}

/* Which route's bytes must arrive, too, when this one sends? */
static int same_as(const struct route *route) {
    return route->slots > 0 ? LOOP : REPLAY;
}

/* All ways out.  First every byte is checked before it leaves, and the reader is late,
 * so that it sees what changes too early.  What arrives then by write() must always
 * arrive.  The timed runs alternate. */
static void try_all(struct text *text, struct trial trials[ROUTES], int repeats) {
    uint64_t sums[ROUTES] = {0}; /* of what arrived first */
    for (int r = 0; r < ROUTES; r++) {
        double unused_ms;
        struct trial *trial = &trials[r];
        if (!trial->possible)
            continue;
        text->checks = true;
        trial->right = true;
        sums[r] = send_to_reader(text, trial, true, &unused_ms).sum;
        if (sums[r] != sums[same_as(trial->route)])
            trial->right = false;
    }
    for (int i = 0; i < repeats; i++) {
        for (int r = 0; r < ROUTES; r++) {
            struct trial *trial = &trials[r];
            if (!trial->possible)
                continue;
            text->checks = trial->route->checks;
            const struct arrived arrived =
                send_to_reader(text, trial, false, &trial->ms[i]);
            if (arrived.sum != sums[same_as(trial->route)])
                trial->right = false;
        }
    }
}

/* A row, with its share of what one piece, sent by the same call, reached. */
static void report_trial(struct step *step, const struct text *text,
                         const struct trial *trial, const struct trial *best,
                         int repeats) {
    struct row row = {.variant = trial->route->name,
                      .size = text->end - text->first,
                      .time = timing_of(trial->ms, repeats),
                      .bytes = (double)fizzbuzz_bytes(text->first, text->end),
                      .right = trial->right};
    if (trial != best) {
        const struct ratio share = ratio_of(trial->ms, best->ms, repeats);
        row.note = step_text(step, "%.0f %% (%.0f-%.0f)", 100.0 * share.median,
                             100.0 * share.lower, 100.0 * share.upper);
    }
    report_row(&step->report, row);
}

static void measure(struct step *step, struct text *text) {
    const int repeats = step->options.repeats ? step->options.repeats : REPEATS;
    struct trial trials[ROUTES];
    for (int r = 0; r < ROUTES; r++) {
        const struct route *route = &routes[r];
        bool possible = !route->lends || TEXT_CAN_SPLICE;
        if (r == PINNED && step->device.is_cpu)
            possible = false;
        trials[r] =
            (struct trial){.route = route,
                           .possible = possible,
                           .ms = step_array(step, (size_t)repeats, sizeof(double))};
    }
    try_all(text, trials, repeats);

    for (int r = 0; r < ROUTES; r++) {
        const int best = routes[r].lends ? REPLAY_SPLICE : REPLAY;
        if (trials[r].possible)
            report_trial(step, text, &trials[r], &trials[best], repeats);
    }
    report_say(&step->report, "%%: of the rate of one piece, sent again and again.");
    if (trials[SPLICE].possible)
        report_headline(&step->report, "vmsplice from a ring, not a loop",
                        ratio_of(trials[SPLICE].ms, trials[LOOP].ms, repeats), NULL);
}

/* The route of this word of --output.  NULL: the text goes nowhere, only the rows are
 * wanted. */
static const struct route *route_named(const char *output) {
    for (int r = 0; r < ROUTES; r++)
        if (routes[r].output && strcmp(output, routes[r].output) == 0)
            return &routes[r];
    return NULL;
}

/* The text, to stdout, and its row if it was asked for by its size, or is wrong.
 * Returns false if its reader has left, who may have seen enough before its end. */
static bool write_out(struct step *step, struct text *text, const struct route *route) {
    const double before_ms = now_ms();
    const bool reads = send_text(text, route);
    double ms = now_ms() - before_ms;
    if (!reads && !text->wrong)
        return false;
    if (step->options.size_given || text->wrong)
        report_row(&step->report,
                   (struct row){.variant = "text, to stdout",
                                .size = step->options.size,
                                .time = timing_of(&ms, 1),
                                .bytes = (double)fizzbuzz_bytes(text->first, text->end),
                                .right = !text->wrong});
    return true;
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
        .step = "step20b_fizzbuzz_out",
        .lesson = "the same text, sent out in different ways",
        .hint =
            "vmsplice is for readers that copy; replay is not the text, but as long",
        .own = own,
        .own_count = COUNT(own),
        .outputs = outputs,
        .output_count = COUNT(outputs),
        .help = "the way of the text to stdout, or none"};
    struct step step;
    const struct text_request request = text_request_open(&step, argc, argv, &usage);
    const struct route *route = route_named(request.output);

    /* The ring: slots on the device, and on a GPU twice as many at the host. */
    struct ring ring;
    text_request_chunk(&step.device, blocks, RING_SLOTS + 2);
    ring_open(&ring, &step, blocks);

    /* The text. */
    struct text text = {.ring = &ring,
                        .first = request.first,
                        .end = request.end,
                        .checks = !unchecked,
                        .out = STDOUT_FILENO};
    if (route && !write_out(&step, &text, route))
        return step_close(&step);

    /* The lesson.  A text of a given size that goes to stdout is all that was asked
     * for. */
    const bool given = step.options.size_given;
    if (!given) {
        text.first = NINE_DIGITS;
        text.end = NINE_DIGITS + LINES;
    }
    if ((!given || !route) && text.first < text.end)
        measure(&step, &text);
    return step_close(&step);
}
