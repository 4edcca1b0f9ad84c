/* Step 21: every device of the machine at once
 *
 * Step 20's table keeps one device busy.  A machine may have several GPUs, and it has a
 * CPU.  Here each device takes the next piece of the text when it is free, and the host
 * puts the pieces in order.  If a device fails, the host writes what it had taken.
 *
 * Read with  kernels/step21_fizzbuzz_devices.cl, docs/step21_fizzbuzz_devices.md
 * Try        --size 10000000 --slow 0 > /dev/null: how many lines does each write?
 * Lens       --size 9600 --from 100000000 --output none --split 1
 * Races      LOCKSTEP_MAX_GROUP=100 --size 10007 --from 1000 --output none --split 1
 * --all
 */
#include "check.h"
#include "fizzbuzz/speedup.h"
#include "fizzbuzz/text.h"
#include "fizzbuzz/text_request.h"

#include <math.h>
#include <unistd.h>

/* Each device has so many workers: it writes for one of them while the text of another
 * is copied, and that of a third waits until it may go out. */
enum { WORKERS = 3, SLOTS = MAX_WORKERS };
enum { ENOUGH = 1000000 };          /* lines, for a rate of the text */
static const double PIECE_MS = 1.0; /* how long a device should need for a piece */

/* Pieces are numbered as they are taken.  Each that is taken and not yet delivered has
 * a slot in a ring: piece n has slot n % SLOTS. */
struct ring {
    struct job job;
    pthread_mutex_t lock; /* of all that follows */
    pthread_cond_t changed;
    cl_ulong next, line;     /* the next line to take; and to deliver */
    size_t taken, delivered; /* pieces */
    size_t working;          /* workers that have not left */
    struct outcome outcome;
    struct slot {
        enum { TAKEN, WRITTEN, LOST } state;
        struct piece piece;
        const char *text;
    } slots[SLOTS];
};

/* The next piece, of at most so many lines, and its slot.  The caller has the lock. */
static struct slot *take_piece(struct ring *ring, size_t max_lines) {
    struct slot *slot = &ring->slots[ring->taken++ % SLOTS];
    *slot = (struct slot){TAKEN, piece_at(ring->next, ring->job.end, max_lines), NULL};
    ring->next += slot->piece.lines;
    return slot;
}

/* As many lines as take the device PIECE_MS, if it goes on as with its last piece; a
 * block to begin with. */
static size_t choose_lines(const struct writer *writer, bool fetch) {
    const double max_blocks = (double)writer_max_blocks(writer, fetch);
    const double blocks = writer->pieces > 0 ? PIECE_MS / writer->block_ms : 1.0;
    return BLOCK_LINES * (size_t)fmax(1.0, fmin(blocks, max_blocks));
}

/* The lesson, on the workers' side.  Each is a thread that takes a piece, writes it,
 * says so in the piece's slot, and keeps the text until it is delivered. */
static void *work(void *argument) {
    struct worker *worker = argument;
    struct writer *writer = &worker->writer;
    struct ring *ring = worker->shared;
    pthread_mutex_lock(&ring->lock);
    while (writer->status == CL_SUCCESS && ring->next < ring->job.end) {
        if (ring->taken - ring->delivered == SLOTS) { /* no slot is free */
            pthread_cond_wait(&ring->changed, &ring->lock);
            continue;
        }
        const size_t number = ring->taken;
        struct slot *slot = take_piece(ring, choose_lines(writer, ring->job.fetch));
        pthread_mutex_unlock(&ring->lock);

        writer->status =
            writer_write(writer, slot->piece, ring->job.fetch, ring->job.check);

        pthread_mutex_lock(&ring->lock);
        slot->state = writer->status == CL_SUCCESS ? WRITTEN : LOST;
        slot->text = writer->text;
        ring->outcome.wrong = ring->outcome.wrong || writer->status == WRONG_TEXT;
        pthread_cond_broadcast(&ring->changed);
        /* exercise { */
        while (ring->job.fetch && ring->delivered <= number)
            pthread_cond_wait(&ring->changed, &ring->lock);
        /* } exercise */
    }
    ring->working--;
    pthread_cond_broadcast(&ring->changed);
    pthread_mutex_unlock(&ring->lock);
    return NULL;
}

/* Puts a piece out, if there is still a reader.  It must be the next one, and its text
 * must have stayed what it was. */
static bool put_out(struct ring *ring, const struct slot *slot) {
    const struct piece piece = slot->piece;
    const bool fetched = slot->state == WRITTEN && ring->job.fetch;
    if (slot->state == TAKEN || piece.first != ring->line)
        return wrong("line %zu must go out, not line %zu, which is %s",
                     (size_t)ring->line, (size_t)piece.first,
                     slot->state == TAKEN ? "not written yet" : "in another piece");
    ring->line += piece.lines;
    ring->outcome.lost += slot->state == LOST;
    if (ring->job.out >= 0 && !ring->outcome.unread)
        ring->outcome.unread = fetched
                                   ? !text_write(ring->job.out, slot->text, piece.bytes)
                                   : !writer_on_host(ring->job.out, piece);
    const size_t lines = piece.lines < WORD_LINES ? piece.lines : WORD_LINES;
    return !fetched || fizzbuzz_is_right(slot->text, piece.first, lines) ||
           wrong("a worker wrote another piece there");
}

/* The lesson, on the host's side: pieces go out in the order of their numbers.  When
 * all workers have left, the host takes the rest. */
static void deliver(struct ring *ring) {
    pthread_mutex_lock(&ring->lock);
    while (ring->delivered < ring->taken || ring->next < ring->job.end) {
        if (ring->delivered == ring->taken && ring->working == 0)
            take_piece(ring, BLOCK_LINES)->state = LOST;
        const struct slot *slot = &ring->slots[0];
        bool ready = ring->delivered < ring->taken;
        /* exercise { */
        slot = &ring->slots[ring->delivered % SLOTS];
        ready = ready && slot->state != TAKEN;
        /* } exercise */
        if (!ready) {
            pthread_cond_wait(&ring->changed, &ring->lock);
            continue;
        }
        pthread_mutex_unlock(&ring->lock);
        const bool right = put_out(ring, slot);
        pthread_mutex_lock(&ring->lock);
        ring->delivered = right ? ring->delivered + 1 : ring->taken;
        ring->outcome.wrong = ring->outcome.wrong || !right;
        if (!right || ring->outcome.unread)
            ring->next = ring->job.end; /* no worker takes another piece */
        pthread_cond_broadcast(&ring->changed);
    }
    pthread_mutex_unlock(&ring->lock);
}

/* Does a job with the workers of one device, or of all, and waits for them.  A job that
 * is to be checked does not begin if a device's trial piece is wrong. */
static struct outcome run_job(struct team team, struct job job) {
    struct ring ring = {job, PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER,
                        .next = job.first, .line = job.first};
    ring.working = team.count;
    if (job.check && !team_try(team, job))
        return (struct outcome){.wrong = true};
    const double before_ms = now_ms();
    team_start(team, work, &ring);
    deliver(&ring);
    const bool failed = !team_join(team);
    if (ring.outcome.lost > 0 && !failed)
        ring.outcome.wrong = !wrong("the host wrote a piece that no device had lost");
    ring.outcome.ms = now_ms() - before_ms;
    return ring.outcome;
}

int main(int argc, char **argv) {
    /* Options and devices. */
    size_t parts = 0, breaks = NO_DEVICE, slow = NO_DEVICE;
    const struct own_option own[] = {
        {"split", "N", "divide each CPU into N devices (2 if it is alone)",
         .number = &parts, .min = 1, .max = MAX_BACKENDS},
        {"break", "N", "let device N fail after its workers' first pieces",
         .number = &breaks, .max = NO_DEVICE - 1},
        {"slow", "N", "let device N need 20 ms more for each piece", .number = &slow,
         .max = NO_DEVICE - 1}};
    const struct text_request_usage usage = {
        "step21_fizzbuzz_devices",
        "step 20b has more ways; several devices do not change them", .own = own,
        .own_count = COUNT(own)};
    struct options options;
    const struct text_request request = text_request_read(&options, argc, argv, &usage);
    struct pool pool;
    pool_open(&pool, &options, parts, WORKERS, "fizzbuzz_devices", breaks, slow);
    struct report report = report_start(&options, &pool.together);

    /* The text, by all devices.  That its reader leaves is no error. */
    const struct job job = {request.first, request.end, true, true, STDOUT_FILENO};
    struct outcome text = {.wrong = false};
    if (options.text)
        text = run_job(pool_team(&pool, pool.count), job);
    struct row row = {.variant = "text, by all", .size = options.size, .by_host = true};
    row.time = timing_of(&text.ms, 1);
    row.right = !text.wrong;
    if (options.size < ENOUGH)
        row.note = "too few lines"; /* for a rate */
    else if (row.right)
        row.bytes = (double)fizzbuzz_bytes(job.first, job.end);
    if (options.text && !text.unread)
        report_row(&report, row);

    /* The comparison. */
    if (!text.unread && !(options.text && options.size_given))
        speedup_measure(&report, &pool, job.first, run_job);
    if (!text.unread)
        pool_say(&report, &pool);
    pool_close(&pool);
    return report_end(&report);
}
