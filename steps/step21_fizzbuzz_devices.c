/* Step 21: several devices: all of one machine
 *
 * Step 20's table keeps one device busy.  A machine may have several GPUs, and it has a
 * CPU.  Here the text is cut into numbered pieces.  Threads of the host, three for each
 * device, take the next piece whenever they are free, and the main thread puts the
 * pieces out in order.  If a device fails, the host writes the pieces that it has lost.
 *
 * Read with  kernels/step21_fizzbuzz_devices.cl, docs/step21_fizzbuzz_devices.md
 * Try        WORKERS = 1: when does a device wait, and which row shows it?
 * Lens       --size 9600 --from 100000000 --output none --split 1
 * Races      LOCKSTEP_MAX_GROUP=100 --size 10007 --from 1000 --output none --split 1
 * --all
 */
#include "check.h"
#include "compare.h"
#include "fizzbuzz/backend.h"
#include "fizzbuzz/text.h"
#include "fizzbuzz/text_request.h"
#include "fizzbuzz/writer.h"

#include <math.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

/* The workers of each device.  The device writes for one of them while the text of the
 * second is copied, and the text of the third waits until it may go out. */
enum { WORKERS = 3, MAX_WORKERS = WORKERS * MAX_BACKENDS };
static const double PIECE_MS = 1.0; /* how long a device should need for a piece */

/* A piece that is taken has a slot until it is delivered.  A slot for each worker is
 * enough where the text comes to the host, because a worker takes its next piece only
 * when its last one has been delivered. */
enum { SLOTS = MAX_WORKERS };

enum { ENOUGH = 1000000 }; /* lines: of fewer, the text has a time and no rate */
enum { SLOW_MS = 20 };     /* added to each piece of the device of --slow */
enum { NO_DEVICE = MAX_BACKENDS }; /* a number that no device has */

/* What is compared: lines of 9 digits, which the host gets, and of 12, which stay.
 * In the numbers of 12 digits, the tenth from the right changes, and the eleventh. */
static const struct way {
    const char *name;
    cl_ulong first;
    size_t on_cpus, on_gpus; /* lines */
    bool fetch;
} ways[] = {{"to the host", 100000000, 9600000, 480000000, true},
            {"kept there", 129999990000, 19200000, 9600000000, false}};
enum { RUNS = 5, MAX_RUNS = 51, MAX_SHOWN = 4 };

/* Lines to be written. */
struct job {
    cl_ulong first, end; /* the first line, and the line after the last one */
    bool fetch, check;   /* does the text come to the host?  Is every byte checked? */
    int out;             /* where the text goes, or -1 */
};

/* What became of them. */
struct outcome {
    bool wrong, unread; /* is a text wrong?  Has its reader gone? */
    size_t lost;        /* pieces that the host wrote */
    double ms;
};

/* Pieces are numbered as they are taken.  A piece that is taken and not yet delivered
 * has a slot in a ring: piece n has slot n % SLOTS. */
struct ring {
    struct job job;
    pthread_mutex_t lock; /* protects all that follows */
    pthread_cond_t changed;
    cl_ulong next, line;     /* the next line to take; the next line to deliver */
    size_t taken, delivered; /* pieces */
    size_t working;          /* workers that have not ended */
    struct outcome outcome;
    struct slot {
        enum { TAKEN, WRITTEN, LOST } state;
        struct piece piece;
        const char *text;
    } slots[SLOTS];
};

/* A thread of the host, and what it has on a device. */
struct worker {
    struct writer writer;
    cl_int status; /* of the first call that failed */
    struct ring *ring;
    pthread_t thread;
    size_t pieces, lines; /* that it has written; they are right where it has checked */
    size_t lost;          /* pieces: none or one, because it ends with the first */
    double block_ms;      /* what a block of its last piece took, with the copy */
    bool breaks, slow;
};

/* The devices that share the work, and the workers on them: WORKERS of device 0, then
 * WORKERS of device 1 ... */
struct pool {
    struct backend devices[MAX_BACKENDS];
    struct worker workers[MAX_WORKERS];
    size_t count;           /* devices */
    struct device together; /* what the report calls them */
};

static void check_number(const struct pool *pool, size_t device, const char *what) {
    if (device != NO_DEVICE && device >= pool->count)
        die("there is no device %zu to %s" HINT "they are 0 to %zu", device, what,
            pool->count - 1);
}

/* Opens the devices, with each CPU divided into `parts`, and their workers.  If a
 * device cannot be opened, its workers have a status, and the others do the work. */
static void pool_open(struct pool *pool, const struct options *options, size_t parts,
                      size_t breaks, size_t slow) {
    *pool = (struct pool){.together = {.is_cpu = true}};
    pool->count = backends_open(pool->devices, options, parts);
    snprintf(pool->together.name, sizeof pool->together.name, "%zu device%s",
             pool->count, pool->count == 1 ? "" : "s");
    for (size_t i = 0; i < WORKERS * pool->count; i++) {
        const size_t device = i / WORKERS;
        struct worker *worker = &pool->workers[i];
        worker->status =
            writer_open(&worker->writer, &pool->devices[device], "fizzbuzz_devices");
        worker->breaks = device == breaks;
        worker->slow = device == slow;
        if (!pool->devices[device].device.is_cpu)
            pool->together.is_cpu = false;
    }
    check_number(pool, breaks, "break");
    check_number(pool, slow, "slow down");
}

static void pool_close(struct pool *pool) {
    for (size_t i = 0; i < WORKERS * pool->count; i++)
        writer_close(&pool->workers[i].writer);
    backends_close(pool->devices, pool->count);
}

/* Writes a piece on the device.  The device of --break fails after the first piece of
 * each worker. */
static cl_int write_piece(struct worker *worker, const struct job *job,
                          struct piece piece) {
    const double before_ms = now_ms();
    if (worker->breaks && worker->pieces > 0)
        return CL_OUT_OF_RESOURCES;
    if (worker->slow)
        poll(NULL, 0, SLOW_MS);
    TRY(writer_write(&worker->writer, piece, job->fetch));
    worker->block_ms = (now_ms() - before_ms) / (double)piece_blocks(piece);
    if (job->check)
        TRY(writer_check(&worker->writer, piece));
    worker->pieces++;
    worker->lines += piece.lines;
    return CL_SUCCESS;
}

/* How many lines take the device PIECE_MS, judged by this worker's last piece?  Its
 * first piece is a block. */
static size_t choose_lines(const struct worker *worker, bool fetch) {
    const double max_blocks = (double)writer_max_blocks(&worker->writer, fetch);
    const double blocks = worker->pieces > 0 ? PIECE_MS / worker->block_ms : 1.0;
    return BLOCK_LINES * (size_t)fmax(1.0, fmin(blocks, max_blocks));
}

/* Takes the next piece, of at most `max_lines`, and returns its slot.  The caller has
 * the lock. */
static struct slot *take_piece(struct ring *ring, size_t max_lines) {
    struct slot *slot = &ring->slots[ring->taken % SLOTS];
    slot->state = TAKEN;
    slot->piece = piece_at(ring->next, ring->job.end, max_lines);
    slot->text = NULL;
    ring->taken++;
    ring->next += slot->piece.lines;
    return slot;
}

/* The lesson, in a worker: a thread that takes a piece, writes it, says so in the
 * piece's slot, and keeps the text until it has been delivered. */
static void *work(void *argument) {
    struct worker *worker = argument;
    struct ring *ring = worker->ring;
    pthread_mutex_lock(&ring->lock);
    while (worker->status == CL_SUCCESS && ring->next < ring->job.end) {
        if (ring->taken - ring->delivered == SLOTS) { /* no slot is free */
            pthread_cond_wait(&ring->changed, &ring->lock);
            continue;
        }

        const size_t number = ring->taken;
        struct slot *slot = take_piece(ring, choose_lines(worker, ring->job.fetch));
        pthread_mutex_unlock(&ring->lock);

        worker->status = write_piece(worker, &ring->job, slot->piece);

        pthread_mutex_lock(&ring->lock);
        slot->state = worker->status == CL_SUCCESS ? WRITTEN : LOST;
        slot->text = worker->writer.text;
        if (slot->state == LOST)
            worker->lost++;
        if (worker->status == WRONG_TEXT)
            ring->outcome.wrong = true;
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

/* Writes a lost piece on the host.  Returns false if the reader has gone. */
static bool write_on_host(int out, struct piece piece) {
    char text[1 << 16];
    size_t used = 0;
    for (size_t i = 0; i < piece.lines; i++) {
        used += fizzbuzz_line(text + used, piece.first + i);
        if (used > sizeof text - FIZZBUZZ_LINE) {
            if (!text_write(out, text, used))
                return false;
            used = 0;
        }
    }
    return text_write(out, text, used);
}

/* Puts a piece out, if there is still a reader.  Returns false, with a message, if it
 * is not the next piece, or if its text has been overwritten. */
static bool put_out(struct ring *ring, const struct slot *slot) {
    const struct piece piece = slot->piece;
    if (slot->state == TAKEN || piece.first != ring->line)
        return wrong("line %zu must go out, not line %zu, which is %s",
                     (size_t)ring->line, (size_t)piece.first,
                     slot->state == TAKEN ? "not written yet" : "in another piece");
    ring->line += piece.lines;
    if (slot->state == LOST)
        ring->outcome.lost++;

    const bool fetched = slot->state == WRITTEN && ring->job.fetch;
    if (ring->job.out >= 0 && !ring->outcome.unread) {
        bool reads;
        if (fetched)
            reads = text_write(ring->job.out, slot->text, piece.bytes);
        else
            reads = write_on_host(ring->job.out, piece);
        ring->outcome.unread = !reads;
    }

    const size_t lines = piece.lines < WORD_LINES ? piece.lines : WORD_LINES;
    return !fetched || fizzbuzz_is_right(slot->text, piece.first, lines) ||
           wrong("a worker wrote another piece there");
}

/* The lesson, in the main thread: pieces go out in the order of their numbers.  When
 * all workers have ended, the main thread takes the rest. */
static void deliver(struct ring *ring) {
    pthread_mutex_lock(&ring->lock);
    while (ring->delivered < ring->taken || ring->next < ring->job.end) {
        if (ring->delivered == ring->taken && ring->working == 0) {
            struct slot *rest = take_piece(ring, BLOCK_LINES);
            rest->state = LOST;
        }

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

        ring->delivered++;
        if (!right) {
            ring->outcome.wrong = true;
            ring->delivered = ring->taken;
        }
        if (!right || ring->outcome.unread)
            ring->next = ring->job.end; /* no worker takes another piece */
        pthread_cond_broadcast(&ring->changed);
    }
    pthread_mutex_unlock(&ring->lock);
}

/* The workers that do a job. */
struct team {
    struct worker *workers;
    size_t count;
};

/* The team of device i, or of all devices if i is their number. */
static struct team team_at(struct pool *pool, size_t i) {
    if (i == pool->count)
        return (struct team){pool->workers, WORKERS * pool->count};
    return (struct team){&pool->workers[WORKERS * i], WORKERS};
}

/* Tries each device of a team with the longest pieces of the job.  Returns false if a
 * text is wrong.  If a device fails, the others do the job. */
static bool team_try(struct team team, struct job job) {
    for (size_t i = 0; i < team.count; i += WORKERS) {
        struct worker *worker = &team.workers[i];
        if (worker->status == CL_SUCCESS)
            worker->status = writer_try(&worker->writer, job.first, job.end, job.fetch);
        if (worker->status == WRONG_TEXT)
            return false;
    }
    return true;
}

/* Does a job with a team, and waits for it.  A job that is checked does not begin if a
 * device's trial piece is wrong. */
static struct outcome run_job(struct team team, struct job job) {
    struct ring ring = {.job = job,
                        .lock = PTHREAD_MUTEX_INITIALIZER,
                        .changed = PTHREAD_COND_INITIALIZER,
                        .next = job.first,
                        .line = job.first,
                        .working = team.count};
    if (job.check && !team_try(team, job))
        return (struct outcome){.wrong = true};

    const double before_ms = now_ms();
    for (size_t i = 0; i < team.count; i++) {
        struct worker *worker = &team.workers[i];
        worker->ring = &ring;
        worker->lines = 0;
        if (pthread_create(&worker->thread, NULL, work, worker) != 0)
            die("cannot start a thread" HINT "are too many running?");
    }
    deliver(&ring);
    bool failed = false;
    for (size_t i = 0; i < team.count; i++) {
        pthread_join(team.workers[i].thread, NULL);
        if (team.workers[i].status != CL_SUCCESS)
            failed = true;
    }
    ring.outcome.ms = now_ms() - before_ms;

    if (ring.outcome.lost > 0 && !failed) {
        wrong("the host wrote a piece that no device had lost");
        ring.outcome.wrong = true;
    }
    return ring.outcome;
}

/* A comparison of each device alone with all of them. */
struct comparison {
    struct report *report;
    struct pool *pool;
    struct way way;
    struct job job;
    int runs;
    double ms[MAX_BACKENDS + 1][MAX_RUNS]; /* of each team */
};

static struct outcome run_team(struct comparison *comparison, size_t team, bool check) {
    struct job job = comparison->job;
    job.check = check;
    return run_job(team_at(comparison->pool, team), job);
}

/* There is nothing to compare if a text is wrong, or a device failed. */
static bool is_comparable(const struct comparison *comparison, struct outcome outcome) {
    const struct job *job = &comparison->job;
    const char *name = comparison->way.name;
    if (outcome.wrong)
        report_row(comparison->report,
                   (struct row){.variant = name, .size = job->end - job->first});
    if (outcome.lost > 0)
        report_say(comparison->report, "%s: not compared, as a device failed", name);
    return !outcome.wrong && outcome.lost == 0;
}

/* First each team's text is checked; then the timed runs alternate; and in the end all
 * devices together are checked once more. */
static bool run_teams(struct comparison *comparison) {
    const size_t all = comparison->pool->count;
    for (size_t team = 0; team <= all; team++)
        if (!is_comparable(comparison, run_team(comparison, team, true)))
            return false;

    for (int run = 0; run < comparison->runs; run++) {
        for (size_t team = 0; team <= all; team++) {
            const struct outcome outcome = run_team(comparison, team, false);
            if (!is_comparable(comparison, outcome))
                return false;
            comparison->ms[team][run] = outcome.ms;
        }
    }

    const struct outcome outcome = run_team(comparison, all, true);
    if (outcome.wrong)
        right_again(false);
    return is_comparable(comparison, outcome);
}

/* Rows of each device, or of more than MAX_SHOWN only that of the best one, and of all.
 * Returns how many times faster all are than the best alone. */
static struct ratio report_teams(struct comparison *comparison) {
    struct report *report = comparison->report;
    const struct job *job = &comparison->job;
    const size_t all = comparison->pool->count;
    const int runs = comparison->runs;
    struct ratio ratio = {.median = INFINITY};
    size_t best = 0;
    for (size_t i = 0; i < all; i++) {
        const struct ratio faster =
            ratio_of(comparison->ms[all], comparison->ms[i], runs);
        if (faster.median < ratio.median) {
            best = i;
            ratio = faster;
        }
    }
    for (size_t i = 0; i <= all; i++) {
        char name[64];
        snprintf(name, sizeof name, "%s %zu, %s", i < all ? "device" : "all", i,
                 comparison->way.name);
        if (all <= MAX_SHOWN || report->options->all || i == best || i == all)
            report_row(report, (struct row){.variant = name,
                                            .size = job->end - job->first,
                                            .time = timing_of(comparison->ms[i], runs),
                                            .bytes = (double)fizzbuzz_bytes(job->first,
                                                                            job->end),
                                            .right = true});
    }
    return ratio;
}

/* Compares the devices in one way, with lines from `first` on if --size is given. */
static void compare(struct report *report, struct pool *pool, struct way way,
                    cl_ulong first) {
    const struct options *options = report->options;
    struct comparison comparison = {
        .report = report,
        .pool = pool,
        .way = way,
        .runs = RUNS,
        .job = {.first = way.first, .fetch = way.fetch, .out = -1}};
    if (options->repeats)
        comparison.runs = options->repeats < MAX_RUNS ? options->repeats : MAX_RUNS;
    size_t lines = pool->together.is_cpu ? way.on_cpus : way.on_gpus;
    if (options->brief && !pool->together.is_cpu)
        lines /= BRIEFER;
    if (options->size_given) {
        comparison.job.first = first;
        lines = options->size;
    }
    comparison.job.end = comparison.job.first + lines;

    if (!run_teams(&comparison))
        return;
    const struct ratio faster = report_teams(&comparison);
    if (pool->count == 1)
        return;
    if (way.fetch)
        report_say(report, "  all against the best alone: %s", in_words(faster).text);
    else
        report_headline(report, "all devices, not the best alone", faster, NULL);
}

/* A sentence for each device: what it is, and how many lines it has written in the last
 * run.  If it has failed, another one: how, and how many pieces it has lost. */
static void say_devices(struct report *report, const struct pool *pool) {
    for (size_t i = 0; i < pool->count; i++) {
        const struct device *device = &pool->devices[i].device;
        cl_int status = CL_SUCCESS;
        size_t lines = 0, lost = 0;
        for (size_t w = 0; w < WORKERS; w++) {
            const struct worker *worker = &pool->workers[WORKERS * i + w];
            if (status == CL_SUCCESS)
                status = worker->status;
            lines += worker->lines;
            lost += worker->lost;
        }
        report_say(report, "device %zu, %u unit%s of %s: %zu lines", i, device->units,
                   device->units == 1 ? "" : "s", device->name, lines);
        if (status != CL_SUCCESS)
            report_say(report, "device %zu failed: %s; pieces lost: %zu", i,
                       status == WRONG_TEXT ? "its text is wrong" : status_name(status),
                       lost);
    }
}

static void report_text(struct report *report, const struct job *job,
                        struct outcome outcome) {
    struct row row = {.variant = "text, by all",
                      .size = job->end - job->first,
                      .time = timing_of(&outcome.ms, 1),
                      .right = !outcome.wrong,
                      .by_host = true};
    if (row.right && row.size < ENOUGH)
        row.note = "too few lines"; /* for a rate */
    else if (row.right)
        row.bytes = (double)fizzbuzz_bytes(job->first, job->end);
    report_row(report, row);
}

int main(int argc, char **argv) {
    /* Options and devices. */
    size_t parts = 0, breaks = NO_DEVICE, slow = NO_DEVICE;
    const struct own_option own[] = {
        {"split", "N", "divide each CPU into N devices (2 if it is alone)",
         .number = &parts, .min = 1, .max = MAX_BACKENDS},
        {"break", "N", "let device N fail after the first piece of each worker",
         .number = &breaks, .max = MAX_BACKENDS - 1},
        {"slow", "N", "let device N need 20 ms more for each piece", .number = &slow,
         .max = MAX_BACKENDS - 1}};
    const struct text_request_usage usage = {
        .step = "step21_fizzbuzz_devices",
        .lesson = "the same text, by one device or by all of them",
        .hint = "step 20b has more ways; several devices do not change them",
        .own = own,
        .own_count = COUNT(own)};
    struct options options;
    const struct text_request request = text_request_read(&options, argc, argv, &usage);
    struct pool pool;
    pool_open(&pool, &options, parts, breaks, slow);
    struct report report = report_start(&options, &pool.together);

    /* The text, by all devices.  If its reader leaves, that is no error, and there is
     * no more to say. */
    const struct job job = {.first = request.first,
                            .end = request.end,
                            .fetch = true,
                            .check = true,
                            .out = STDOUT_FILENO};
    struct outcome text = {.wrong = false};
    if (options.text)
        text = run_job(team_at(&pool, pool.count), job);
    if (options.text && !text.unread)
        report_text(&report, &job, text);

    /* The comparison. */
    if (!text.unread && !(options.text && options.size_given))
        for (size_t i = 0; i < COUNT(ways); i++)
            compare(&report, &pool, ways[i], job.first);

    /* The result. */
    if (!text.unread)
        say_devices(&report, &pool);
    pool_close(&pool);
    return report_end(&report);
}
