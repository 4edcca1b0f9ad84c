/* Step 20b: output: from the device into a pipe
 *
 * In step 20 the device waited while the host wrote the text to a pipe, and the host
 * waited while the device wrote the next piece.  Here a ring of slots lets both work at
 * the same time.  Then the pipe gets the pages themselves instead of a copy.
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

enum { BLOCKS = 112 };     /* of a piece, which has about 4 MB then */
enum { LINES = 48000000 }; /* of the text that the rows send */
enum { RING_SLOTS = 4, REPEATS = 7 };
enum { NO_TEXT = 0xff }; /* a byte that no line has */
static const size_t NINE_DIGITS = 100000000;

/* The routes to a reader.  `output` is the word of --output where the text itself may
 * take this route.  With 0 slots one finished piece is sent again and again, so the
 * device has nothing to do.  PINNED is left out on a CPU, where nothing is copied to
 * the host. */
enum { LOOP, RING, PINNED, REPLAY, SPLICE, CHECKED, REPLAY_SPLICE, ROUTES };
static const struct route {
    const char *name, *output;
    size_t slots;
    bool pinned; /* in which memory of the host a GPU's text arrives */
    bool lends;  /* pages to the pipe, by vmsplice(), and copies nothing */
    bool checks; /* each piece before it leaves, when the route is timed, too */
} routes[ROUTES] = {
    {"loop, write()", "loop", .slots = 1},
    {"ring, write()", .slots = RING_SLOTS},
    {"ring, pinned, write()", "write", RING_SLOTS, .pinned = true},
    {"one piece, write()", "replay", .pinned = true},
    {"ring, vmsplice()", "vmsplice", RING_SLOTS, .pinned = true, .lends = true},
    {"ring, vmsplice, checked", NULL, RING_SLOTS, .pinned = true, .lends = true,
     .checks = true},
    {"one piece, vmsplice()", .pinned = true, .lends = true}};
static const char *const outputs[] = {"write", "vmsplice", "loop", "replay", "none"};

/* Piece k of a text goes through slot k modulo RING_SLOTS.  Its kernel and the table of
 * fixed bytes are step 20's. */
struct slot {
    struct piece piece;
    cl_mem text_buffer;
    char *ordinary, *pinned; /* memory of the host; a CPU device needs none */
    char *text;              /* where the host finds the piece; NULL: nowhere */
    cl_event ready;          /* complete when the piece has arrived there */
};

struct ring {
    struct step *step;
    struct pages pages;
    size_t lines; /* of a piece, at most */
    struct text_check check;
    struct slot slots[RING_SLOTS];
};

/* Each slot has room for `blocks` blocks: on the device, and for a GPU also in two
 * kinds of memory of the host. */
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

/* Hands the slot back to the device: the host finds no text in it any more. */
static void give_slot(struct ring *ring, struct slot *slot) {
    struct device *device = &ring->step->device;
    if (device->is_cpu && slot->text)
        CHECK(clEnqueueUnmapMemObject(device->queue, slot->text_buffer, slot->text, 0,
                                      NULL, NULL));
    slot->text = NULL;
}

/* Launches a work-group for each block, with a work-item for each vector of a page. */
static void launch_kernel(struct ring *ring, const struct slot *slot) {
    struct device *device = &ring->step->device;
    CHECK(pages_set(&ring->pages, device->queue, slot->text_buffer, slot->piece));
    const size_t group = step_group(ring->step, page_vectors(slot->piece.digits));
    const struct launch launch =
        launch_1d(ring->pages.kernel, piece_blocks(slot->piece) * group, group);
    CHECK(clReleaseEvent(launch_start(device, &launch)));
}

/* Lets the piece come to the host.  A GPU copies it to the host's memory.  A CPU's
 * memory is the host's, so mapping the buffer is enough. */
static void fetch_text(struct ring *ring, struct slot *slot, bool pinned) {
    struct device *device = &ring->step->device;
    const size_t bytes = slot->piece.bytes;
    if (device->is_cpu) {
        cl_int status;
        slot->text = clEnqueueMapBuffer(device->queue, slot->text_buffer, CL_FALSE,
                                        CL_MAP_READ, 0, bytes, 0, NULL, NULL, &status);
        check_status(status, "mapping a piece for the host");
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

/* Waits for the pieces from `passed` to before `asked`, and does nothing with them. */
static void ring_forget(struct ring *ring, size_t passed, size_t asked) {
    for (size_t number = passed; number < asked; number++)
        ring_wait(ring, number);
}

/* Is every byte of this piece right?  If not, names the first wrong one. */
static bool slot_is_right(struct ring *ring, const struct slot *slot) {
    return text_check_is_right(&ring->check, slot->text, slot->piece);
}

/* Does slot_is_right() hold for all pieces that are in slots now? */
static bool ring_is_right(struct ring *ring) {
    for (size_t i = 0; i < RING_SLOTS; i++)
        if (ring->slots[i].text && !slot_is_right(ring, &ring->slots[i]))
            return false;
    return true;
}

/* Takes the pieces out of all slots, and fills their memory with bytes that no text
 * has. */
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

struct text {
    struct ring *ring;
    cl_ulong first, end; /* lines */
    bool checks;         /* each piece, before it leaves */
    bool wrong;          /* one of them was */
    int out;             /* the file descriptor of the pipe */
};

/* Passes on the first `bytes` bytes of a slot; returns false if the pipe has no reader
 * any more.  After vmsplice() the pipe refers to them.  When it holds no more than
 * `bytes` bytes, all earlier pieces have been read. */
static bool pass_on(const struct text *text, const struct route *route,
                    const struct slot *slot, size_t bytes) {
    if (!route->lends)
        return text_write(text->out, slot->text, bytes);
    const bool reads = text_splice(text->out, slot->text, bytes);
    text_drain(text->out, bytes);
    return reads;
}

/* Waits for piece `number`, checks it if that is wanted, and passes it on.  Returns
 * false if the piece is wrong or the pipe has no reader any more. */
static bool wait_and_pass_on(struct text *text, const struct route *route,
                             size_t number) {
    const struct slot *slot = ring_wait(text->ring, number);
    if (text->checks && !text->wrong)
        text->wrong = !slot_is_right(text->ring, slot);
    if (text->wrong)
        return false;
    return pass_on(text, route, slot, slot->piece.bytes);
}

/* The lesson: in each turn the host asks for the next piece, or waits for the oldest
 * one and passes it on.  Returns false if the text could not be sent to its end. */
static bool send_pieces(struct text *text, const struct route *route) {
    size_t asked = 0, passed = 0; /* pieces */
    cl_ulong next = text->first;  /* the first line of the next piece */
    while (next < text->end || passed < asked) {
        const size_t lent = route->lends && passed > 0 ? 1 : 0;
        bool ask = false;
        /* exercise { */
        ask = asked + lent < passed + route->slots;
        /* } exercise */
        const bool can_ask = asked - passed < RING_SLOTS && next < text->end;
        if (can_ask && (ask || asked == passed)) {
            const struct piece piece = piece_at(next, text->end, text->ring->lines);
            ring_ask(text->ring, asked, piece, route->pinned);
            asked++;
            next += piece.lines;
        } else {
            const bool goes_on = wait_and_pass_on(text, route, passed);
            passed++;
            if (!goes_on) {
                ring_forget(text->ring, passed, asked);
                return false;
            }
        }
    }
    return true;
}

/* Sends the bytes of one piece, until there are as many as the text has. */
static bool send_one_piece(struct text *text, const struct route *route) {
    ring_ask(text->ring, 0, piece_at(NINE_DIGITS, FIZZBUZZ_END, text->ring->lines),
             route->pinned);
    const struct slot *slot = ring_wait(text->ring, 0);

    size_t left = fizzbuzz_bytes(text->first, text->end);
    while (left > 0) {
        const size_t bytes = left < slot->piece.bytes ? left : slot->piece.bytes;
        if (!pass_on(text, route, slot, bytes))
            return false;
        left -= bytes;
    }
    return true;
}

/* Returns false if the text could not be sent to its end. */
static bool send_text(struct text *text, const struct route *route) {
    const bool reads =
        route->slots > 0 ? send_pieces(text, route) : send_one_piece(text, route);
    if (route->lends)
        text_drain(text->out, 0);
    return reads;
}

/* What is measured of a route. */
struct trial {
    const struct route *route;
    bool possible, right;
    double *ms;
};

/* Sends the text into a pipe, whose reader adds up what it reads, and sets how long
 * that took.  In the end every piece that is still in a slot must be right. */
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

/* The route that sends the same bytes as this one, by write(). */
static int same_as(const struct route *route) {
    return route->slots > 0 ? LOOP : REPLAY;
}

/* Tries all routes.  First every byte is checked before it leaves, and the reader is
 * late, so it would see a page that changes too early.  Whatever arrives by write() has
 * to arrive by each other route, too, and in each later run.  The timed runs
 * alternate. */
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

/* A row, with its rate as a share of the reference's: one piece, by the same call. */
static void report_trial(struct step *step, const struct text *text,
                         const struct trial *trial, const struct trial *reference,
                         int repeats) {
    struct row row = {.variant = trial->route->name,
                      .size = text->end - text->first,
                      .time = timing_of(trial->ms, repeats),
                      .bytes = (double)fizzbuzz_bytes(text->first, text->end),
                      .right = trial->right};
    if (trial != reference) {
        const struct ratio share = ratio_of(trial->ms, reference->ms, repeats);
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
        const int reference = routes[r].lends ? REPLAY_SPLICE : REPLAY;
        if (trials[r].possible)
            report_trial(step, text, &trials[r], &trials[reference], repeats);
    }
    report_say(&step->report,
               "%%: of the rate of one piece, sent again and again by the same call.");
    if (trials[SPLICE].possible)
        report_headline(&step->report, "vmsplice from a ring, not a loop",
                        ratio_of(trials[SPLICE].ms, trials[LOOP].ms, repeats), NULL);
}

/* The route that this word of --output names; NULL for "none". */
static const struct route *route_named(const char *output) {
    for (int r = 0; r < ROUTES; r++)
        if (routes[r].output && strcmp(output, routes[r].output) == 0)
            return &routes[r];
    return NULL;
}

/* Sends the text to stdout, and prints its row if a size was given or it is wrong.
 * Returns false if its reader has left, which is no error: head, for example, does. */
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
        .help = "the route of the text to stdout, or none"};
    struct step step;
    const struct text_request request = text_request_open(&step, argc, argv, &usage);
    const struct route *route = route_named(request.output);

    /* The ring. */
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

    /* The lesson, unless --size has asked for a text on stdout and nothing else. */
    const bool given = step.options.size_given;
    if (!given) {
        text.first = NINE_DIGITS;
        text.end = NINE_DIGITS + LINES;
    }
    if ((!given || !route) && text.first < text.end)
        measure(&step, &text);
    return step_close(&step);
}
