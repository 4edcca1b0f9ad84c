/* Step 11: a device that waits for its host
 *
 * In step 10 there was enough work, in small enough groups.  But work comes in batches:
 * the host prepares one, the device computes, the host uses it.  If they take turns,
 * each waits half of the time.  Here they wait less and less.
 *
 * Read with  kernels/step11_timeline_gaps.cl, docs/step11_timeline_gaps.md
 * Try        --trace /tmp/trace.json, and open it in ui.perfetto.dev
 * Lens       --size 4096 --rounds 4
 * Story      --repeats 3
 */
#include "buffer.h"
#include "check.h"
#include "compare.h"
#include "data.h"
#include "poison.h"
#include "report.h"
#include "timeline.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS = 1 << 19, BATCHES = 40, LINKS = 4, SLOTS = 3, HOST_ROUNDS = 4 };
enum { GROUP = 256, GROUPS_EACH = 16, GROUP_ON_CPU = 8, MOST_ROUNDS = 1 << 20 };
enum { REPEATS = 3, MOST_REPEATS = 99, DRAWN = 4, COLUMNS = 60 };
enum { TRANSFER = 1 << 26, TRANSFERS = 11 }; /* words of one copy; copies */

/* What goes on side by side, and what a batch goes through: the host prepares it, and
 * uses it in the end. */
enum stage { HOST, COPY_IN, COMPUTE, COPY_OUT, STAGES };
static const char *const stages[STAGES] = {"host", "copy-in", "compute", "copy-out"};

/* What tells that a stage is done: an event; for each link of the chain, one. */
enum { COPIED_IN, LINKED, COMPUTED = LINKED + LINKS - 1, COPIED_OUT, EVENTS };

/* How the host waits: so many queues, and so many batches ahead of the one it uses. */
static const struct version {
    const char *name;
    cl_uint queues, ahead;
    bool finish, replay;
} versions[] = {{"finish after each", 1, 0, true, false},
                {"wait for an event", 1, 0, false, false},
                {"next one prepared first", 1, 1, false, false},
                {"two queues", 2, 1, false, false},
                {"three queues", 3, 2, false, false},
                {"command buffer", 3, 2, false, true}};
enum {
    FINISH = 0,
    PREPARED = 2,
    THREE = 4,
    VERSIONS = sizeof versions / sizeof *versions
};

/* Prepares a batch: random numbers (xorshift; Marsaglia 2003), each from the last. */
static void prepare(cl_uint *words, size_t n, unsigned seed, cl_uint batch) {
    cl_uint word = seed + (batch + 1) * 2654435769u;
    for (size_t i = 0; i < n; i++) {
        for (int round = 0; round < HOST_ROUNDS; round++) {
            word ^= word << 13;
            word ^= word >> 17;
            word ^= word << 5;
        }
        words[i] = word;
    }
}

/* Uses a batch: a sum that every word and its place have a part in (FNV-1a).  Nobody
 * can use the words twice. */
static cl_ulong use(cl_uint *words, size_t n) {
    cl_ulong sum = 14695981039346656037u;
    for (size_t i = 0; i < n; i++) {
        sum = (sum ^ words[i]) * 1099511628211u;
        words[i] = POISON;
    }
    return sum;
}

/* What the device has to find.  x * a + c, and that times a plus c, is x times
 * something plus something, too: so is all that the links do. */
static void compute_on_host(cl_uint *words, size_t n, cl_uint rounds) {
    const cl_uint a = 1664525;
    cl_uint times = 1, plus = 0;
    for (cl_uint link = 0; link < LINKS; link++)
        for (cl_uint round = 0; round < rounds; round++) {
            times *= a;
            plus = plus * a + 2 * link + 1;
        }
    for (size_t i = 0; i < n; i++)
        words[i] = words[i] * times + plus;
}

/* The calls of cl_khr_command_buffer that we need: headers and drivers have several
 * versions of it, in which these are the same. */
struct recorder {
    void *(*create)(cl_uint, const cl_command_queue *, const void *flags, cl_int *);
    cl_int (*launch)(void *, cl_command_queue, const void *, cl_kernel,
                     cl_uint dimensions, const size_t *offset, const size_t *global,
                     const size_t *local, cl_uint, const cl_uint *waits, cl_uint *done,
                     void **handle);
    cl_int (*finalize)(void *);
    cl_int (*replay)(cl_uint, cl_command_queue *, void *, cl_uint,
                     const cl_event *waits, cl_event *);
    cl_int (*release)(void *);
};

/* Batches go round in a few slots: while the host uses what came back in one, the
 * device works on the next. */
struct ring {
    struct device *device;
    struct recorder recorder;
    int versions; /* without the last, where nothing can be recorded; */
    int first;    /* or this one alone, and versions is the next */
    cl_command_queue queues[3];
    size_t n; /* words in a batch */
    unsigned seed;
    cl_uint rounds;
    struct slot {
        cl_uint *in, *out; /* the host's, pinned */
        cl_mem in_buffer, out_buffer;
        struct launch links[LINKS]; /* with kernels of their own: a recorder may look
                                       at their arguments only when it replays */
        void *recorded;
        cl_event events[EVENTS];
    } slots[SLOTS];
    cl_ulong sums[BATCHES]; /* what use() has to find, */
    bool right[VERSIONS];   /* and did */
    enum stage forgotten;   /* nobody waits for it, */
    cl_event gate;          /* and this holds it back, so that it shows */
    double pinned_rates[2]; /* GB/s to the device and to the host; 0 without --all */
};

/* A CPU's cores are the host's, too: a quarter of them computes. */
static void set_rounds(struct ring *ring, cl_uint rounds) {
    const struct device *device = ring->device;
    const size_t wanted = device->is_cpu ? GROUP_ON_CPU : GROUP;
    const size_t group = wanted < device->max_group ? wanted : device->max_group;
    const size_t needed = (ring->n + group - 1) / group, units = device->units;
    const size_t most = device->is_cpu ? (units + 3) / 4 : units * GROUPS_EACH;
    const size_t items = (needed < most ? needed : most) * group;
    const cl_uint n = (cl_uint)ring->n;
    ring->rounds = rounds;
    for (struct slot *slot = ring->slots; slot < ring->slots + SLOTS; slot++)
        for (cl_uint i = 0; i < LINKS; i++) {
            const cl_kernel kernel = slot->links[i].kernel;
            const cl_mem from = i == 0 ? slot->in_buffer : slot->out_buffer;
            kernel_args(kernel, ARG(from), ARG(slot->out_buffer), ARG(n), ARG(rounds),
                        ARG(i));
            slot->links[i] = launch_1d(kernel, items, group);
        }
}

static void ring_open(struct ring *ring, struct device *device,
                      const struct options *options, size_t n) {
    const size_t bytes = n * sizeof(cl_uint);
    *ring = (struct ring){
        .device = device, .n = n, .seed = options->seed, .forgotten = STAGES};
    ring->versions = VERSIONS - 1;
    for (int i = 0; i < 3; i++)
        ring->queues[i] = device_queue(device, false);
    for (struct slot *slot = ring->slots; slot < ring->slots + SLOTS; slot++) {
        slot->in = buffer_pinned(device, bytes);
        slot->out = buffer_pinned(device, bytes);
        prepare(slot->in, n, ring->seed, BATCHES); /* what no version will ever need */
        use(slot->out, n);                         /* now it is poisoned */
        slot->in_buffer = buffer_from(device, slot->in, bytes);
        slot->out_buffer = buffer_new(device, bytes);
        for (int i = 0; i < LINKS; i++)
            slot->links[i].kernel = kernel_load(device, options, "timeline_gaps");
    }
    set_rounds(ring, 1);
}

static void find_call(cl_platform_id platform, const char *name, void *call) {
    void *found = clGetExtensionFunctionAddressForPlatform(platform, name);
    memcpy(call, &found, sizeof found); /* C has no cast from data to functions */
}

/* Records the links of every slot for the queue that computes, where that is offered.
 */
static void record(struct ring *ring) {
    const cl_device_id id = ring->device->id;
    struct recorder *recorder = &ring->recorder;
    char offered[1 << 14];
    cl_platform_id platform;
    CHECK(clGetDeviceInfo(id, CL_DEVICE_EXTENSIONS, sizeof offered, offered, NULL));
    CHECK(clGetDeviceInfo(id, CL_DEVICE_PLATFORM, sizeof platform, &platform, NULL));
    if (!strstr(offered, "cl_khr_command_buffer"))
        return;
    find_call(platform, "clCreateCommandBufferKHR", &recorder->create);
    find_call(platform, "clCommandNDRangeKernelKHR", &recorder->launch);
    find_call(platform, "clFinalizeCommandBufferKHR", &recorder->finalize);
    find_call(platform, "clEnqueueCommandBufferKHR", &recorder->replay);
    find_call(platform, "clReleaseCommandBufferKHR", &recorder->release);

    /* PoCL may think that a replay is still going on when its event has come.  So we
     * ask for CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR, where the device has it. */
    const cl_ulong flags[] = {0x1293, 1, 0};
    for (struct slot *slot = ring->slots; slot < ring->slots + SLOTS; slot++) {
        cl_int status;
        void *commands = recorder->create(1, &ring->queues[1], flags, &status);
        if (status != CL_SUCCESS)
            commands = recorder->create(1, &ring->queues[1], NULL, &status);
        if (status != CL_SUCCESS)
            return;
        for (int i = 0; i < LINKS; i++) {
            const struct launch *link = &slot->links[i];
            CHECK(recorder->launch(commands, NULL, NULL, link->kernel, 1, NULL,
                                   link->global, link->local, 0, NULL, NULL, NULL));
        }
        CHECK(recorder->finalize(commands));
        slot->recorded = commands;
    }
    ring->versions = VERSIONS;
}

/* Asks for one stage on the device, after the event of the stage before. */
static void start(struct ring *ring, struct slot *slot, enum stage stage,
                  cl_command_queue queue, cl_event before, bool replay) {
    cl_event waits[2], *events = slot->events;
    cl_uint count = 0;
    const size_t bytes = ring->n * sizeof(cl_uint);
    const enum stage held = ring->forgotten == HOST ? COPY_IN : ring->forgotten;
    if (before && ring->forgotten != stage - 1)
        waits[count++] = before;
    if (ring->gate && held == stage)
        waits[count++] = ring->gate;
    const cl_event *after = count > 0 ? waits : NULL;

    if (stage == COPY_IN)
        CHECK(clEnqueueWriteBuffer(queue, slot->in_buffer, CL_FALSE, 0, bytes, slot->in,
                                   count, after, &events[COPIED_IN]));
    else if (stage == COPY_OUT)
        CHECK(clEnqueueReadBuffer(queue, slot->out_buffer, CL_FALSE, 0, bytes,
                                  slot->out, count, after, &events[COPIED_OUT]));
    else if (replay)
        CHECK(ring->recorder.replay(0, NULL, slot->recorded, count, after,
                                    &events[COMPUTED]));
    else
        for (int i = 0; i < LINKS; i++)
            events[LINKED + i] = launch_after(ring->device, queue, &slot->links[i],
                                              i == 0 ? count : 0, after);
    CHECK(clFlush(queue));
}

/* Asks for all that the device does with a batch, and does not wait. */
static void start_batch(struct ring *ring, cl_uint batch,
                        const struct version *version) {
    struct slot *slot = &ring->slots[batch % SLOTS];
    cl_command_queue queues[3] = {ring->queues[0], ring->queues[1], ring->queues[2]};
    if (version->queues < 3)
        queues[0] = queues[1] = queues[2] = ring->queues[batch % version->queues];
    start(ring, slot, COPY_IN, queues[0], NULL, false);
    start(ring, slot, COMPUTE, queues[1], slot->events[COPIED_IN], version->replay);
    start(ring, slot, COPY_OUT, queues[2], slot->events[COMPUTED], false);
}

static void end_batch(struct slot *slot) {
    for (int i = 0; i < EVENTS; i++) {
        if (slot->events[i])
            CHECK(clReleaseEvent(slot->events[i]));
        slot->events[i] = NULL;
    }
}

/* Whether the device finds every word of every batch; and what use() has to find. */
static bool is_right(struct ring *ring) {
    bool right = true;
    const size_t bytes = ring->n * sizeof(cl_uint);
    for (cl_uint batch = 0; batch < BATCHES; batch++) {
        struct slot *slot = &ring->slots[batch % SLOTS];
        prepare(slot->in, ring->n, ring->seed, batch);
        buffer_poison(ring->device, slot->out_buffer);
        start_batch(ring, batch, &versions[FINISH]);
        CHECK(clFinish(ring->queues[0]));
        end_batch(slot);
        buffer_read(ring->device, slot->out_buffer, slot->out, bytes);
        compute_on_host(slot->in, ring->n, ring->rounds);
        for (size_t i = 0; i < ring->n && right; i++)
            right = slot->out[i] == slot->in[i] ||
                    wrong_at(element("words", i), slot->out[i], slot->in[i]);
        ring->sums[batch] = use(slot->in, ring->n);
        use(slot->out, ring->n);
    }
    return right;
}

/* Draws what the device did with a batch; in capitals what the second of two queues
 * did.  The event of a replay tells when it ended, but not when it began: drawn is the
 * earliest that it could. */
static void draw(struct timeline *timeline, const struct slot *slot, bool second,
                 double ahead_ms) {
    timeline_event(timeline, COPY_IN, second ? "In, queue 2" : "in",
                   slot->events[COPIED_IN], ahead_ms);
    const double in_ms = timeline->spans[timeline->count - 1].end_ms;
    for (int i = LINKED; i <= COMPUTED; i++)
        if (slot->events[i])
            timeline_event(timeline, COMPUTE, second ? "Compute, queue 2" : "compute",
                           slot->events[i], ahead_ms);
    if (!slot->events[LINKED])
        timeline->spans[timeline->count - 1].start_ms = in_ms;
    timeline_event(timeline, COPY_OUT, second ? "Out, queue 2" : "out",
                   slot->events[COPIED_OUT], ahead_ms);
}

/* A version under way. */
struct run {
    struct ring *ring;
    const struct version *version;
    struct timeline *timeline;
    double ahead_ms;     /* the host's clock, of the device's */
    cl_uint asked, used; /* batches, one after another */
    bool right;
};

/* Says what goes wrong first. */
static bool expect(struct run *run, cl_uint batch, bool fact, const char *otherwise) {
    if (run->right && !fact)
        wrong("%s: batch %u %s", run->version->name, batch, otherwise);
    run->right = run->right && fact;
    return fact;
}

/* Prepares the next batch, and asks for all that the device does with it. */
static void ask_batch(struct run *run, cl_uint batch) {
    struct ring *ring = run->ring;
    struct slot *slot = &ring->slots[batch % SLOTS];
    if (!expect(run, batch, batch < BATCHES, "is one too many") ||
        !expect(run, batch, batch == run->asked, "is not the next to be asked for") ||
        !expect(run, batch, !slot->events[COPIED_OUT],
                "has no slot: another is still to be used"))
        return;
    const double prepare_ms = now_ms();
    prepare(slot->in, ring->n, ring->seed, batch);
    timeline_add(run->timeline, HOST, "prepare", prepare_ms, now_ms());
    start_batch(ring, batch, run->version);
    run->asked++;
}

/* Waits for the next batch, and uses it. */
static void use_batch(struct run *run, cl_uint batch) {
    struct ring *ring = run->ring;
    struct slot *slot = &ring->slots[batch % SLOTS];
    if (!expect(run, batch, batch == run->used, "is not the next to be used") ||
        !expect(run, batch, batch < run->asked, "is used, but was not asked for"))
        return;
    if (run->version->finish)
        CHECK(clFinish(ring->queues[0]));
    else
        CHECK(clWaitForEvents(1, &slot->events[COPIED_OUT]));
    const double use_ms = now_ms();
    expect(run, batch, use(slot->out, ring->n) == ring->sums[batch], "came back wrong");
    timeline_add(run->timeline, HOST, "use", use_ms, now_ms());
    draw(run->timeline, slot, run->version->queues == 2 && batch % 2 == 1,
         run->ahead_ms);
    end_batch(slot);
    run->used++;
}

/* The lesson: how long all batches take, by the host's clock. */
static double version_ms(struct ring *ring, const struct version *version,
                         struct timeline *timeline) {
    struct run run = {ring, version, timeline, .right = true};
    run.ahead_ms = clock_ahead_ms(ring->device);
    const double began_ms = now_ms();
    /* exercise { */
    for (cl_uint batch = 0; batch < BATCHES + version->ahead; batch++) {
        if (batch < BATCHES)
            ask_batch(&run, batch);
        if (batch >= version->ahead)
            use_batch(&run, batch - version->ahead);
    }
    /* } exercise */
    const double ms = now_ms() - began_ms;
    expect(&run, run.used, run.used == BATCHES, "was never used");
    if (!run.right)
        ring->right[version - versions] = false;
    while (run.used < run.asked) /* nobody may come upon what was left */
        use_batch(&run, run.used);
    return ms;
}

/* The same for one stage alone: the next batch follows at once. */
static double stage_ms(struct ring *ring, enum stage stage, cl_uint batches) {
    const double began_ms = now_ms();
    for (cl_uint batch = 0; batch < batches; batch++) {
        struct slot *slot = &ring->slots[batch % SLOTS];
        if (stage == HOST) {
            prepare(slot->in, ring->n, ring->seed, batch);
            use(slot->out, ring->n);
        } else {
            start(ring, slot, stage, ring->queues[0], NULL, false);
            end_batch(slot);
        }
    }
    CHECK(clFinish(ring->queues[0]));
    return now_ms() - began_ms;
}

/* As many rounds as keep the device busy a tenth longer than the host; but at least
 * one.  Of several tries the fastest was not disturbed. */
static double batch_ms(struct ring *ring, enum stage stage) {
    double fastest_ms = INFINITY;
    for (int i = 0; i < 9; i++)
        fastest_ms = fmin(fastest_ms, stage_ms(ring, stage, 1));
    return fastest_ms;
}

static void balance(struct ring *ring) {
    const double wanted_ms = 1.1 * batch_ms(ring, HOST);
    double rounds = 1.0;
    warm_up(ring->device, &ring->slots[0].links[0]);
    for (int i = 0; i < 8; i++) { /* each guess is better than the last */
        rounds *= wanted_ms / batch_ms(ring, COMPUTE);
        rounds = fmin(fmax(rounds, 1.0), MOST_ROUNDS);
        set_rounds(ring, (cl_uint)(rounds + 0.5));
    }
}

/* What stages and versions take, in turn; and who was busy when in the last run. */
struct times {
    int repeats;
    double stages_ms[STAGES][MOST_REPEATS], versions_ms[VERSIONS][MOST_REPEATS];
    struct timeline timelines[VERSIONS];
    enum stage slowest; /* nothing can end sooner */
};

/* Of times that must stay in their order. */
static struct timing timing_in(const struct times *times, const double *ms) {
    double sorted_ms[MOST_REPEATS];
    memcpy(sorted_ms, ms, sizeof sorted_ms);
    return timing_of(sorted_ms, times->repeats);
}

static double median_ms(const struct times *times, enum stage stage) {
    return timing_in(times, times->stages_ms[stage]).median_ms;
}

/* How many times as long a version takes as the slowest stage alone. */
static struct ratio ratio_to_slowest(const struct times *times, int version) {
    return ratio_of(times->stages_ms[times->slowest], times->versions_ms[version],
                    times->repeats);
}

static struct times measure(struct ring *ring, int repeats) {
    struct times times = {.repeats = repeats < MOST_REPEATS ? repeats : MOST_REPEATS};
    for (int repeat = 0; repeat < times.repeats; repeat++) {
        for (enum stage stage = 0; stage < STAGES; stage++)
            times.stages_ms[stage][repeat] = stage_ms(ring, stage, BATCHES);
        for (int i = ring->first; i < ring->versions; i++) {
            struct timeline *timeline = &times.timelines[i];
            timeline_free(timeline);
            *timeline = (struct timeline){.name = versions[i].name};
            for (enum stage stage = 0; stage < STAGES; stage++)
                timeline_row(timeline, stages[stage]);
            times.versions_ms[i][repeat] = version_ms(ring, &versions[i], timeline);
        }
    }
    for (enum stage stage = 0; stage < STAGES; stage++)
        if (median_ms(&times, stage) > median_ms(&times, times.slowest))
            times.slowest = stage;
    return times;
}

static void version_rows(struct report *report, const struct ring *ring,
                         const struct times *times) {
    for (int i = ring->first; i < ring->versions; i++) {
        char note[64];
        struct row row = {.variant = versions[i].name, .size = ring->n, .note = note};
        const int used = snprintf(note, sizeof note, "%.2f of the slowest",
                                  ratio_to_slowest(times, i).median);
        if (!versions[i].replay)
            snprintf(note + used, sizeof note - (size_t)used, ", kernels idle %.0f %%",
                     100.0 * timeline_idle(&times->timelines[i], COMPUTE));
        row.time = timing_in(times, times->versions_ms[i]);
        row.bytes = 2.0 * (double)ring->n * sizeof(cl_uint) * BATCHES; /* in and out */
        row.right = ring->right[i];
        report_row(report, row);
    }
}

/* How fast a long copy to the device and back is at best, out of `memory` and into it:
 * `rows` receives the two.  Both memories are wiped before they are copied to, so a
 * copy that fails in any round shows in the end.  The first rounds warm up. */
static void time_transfers(const struct ring *ring, cl_mem buffer, cl_uint *memory,
                           size_t n, struct row rows[2]) {
    double times_ms[2][TRANSFERS];
    const size_t bytes = n * sizeof *memory;
    prepare(memory, n, ring->seed, 0);
    for (int i = -3; i < TRANSFERS; i++) {
        buffer_poison(ring->device, buffer);
        const double begin_ms = now_ms();
        buffer_write(ring->device, buffer, memory, bytes);
        CHECK(clFinish(ring->device->queue)); /* it may return before it has arrived */
        const double written_ms = now_ms();
        memset(memory, 0xff, bytes);
        const double wiped_ms = now_ms();
        CHECK(clEnqueueReadBuffer(ring->device->queue, buffer, CL_TRUE, 0, bytes,
                                  memory, 0, NULL, NULL));
        if (i >= 0) {
            times_ms[0][i] = written_ms - begin_ms;
            times_ms[1][i] = now_ms() - wiped_ms;
        }
    }
    bool right = true;
    cl_uint *expected = allocate(n, sizeof *expected);
    prepare(expected, n, ring->seed, 0);
    for (size_t i = 0; i < n && right; i++)
        right = memory[i] == expected[i] ||
                wrong_at(element("words", i), memory[i], expected[i]);
    free(expected);
    for (int i = 0; i < 2; i++) {
        rows[i].size = n;
        rows[i].bytes = (double)bytes;
        rows[i].right = right;
        rows[i].time = timing_of(times_ms[i], TRANSFERS);
    }
}

/* Through ordinary memory of the host, and through pinned memory. */
static void all_transfers(struct ring *ring, struct row rows[4]) {
    const size_t room = device_capacity(ring->device, 2, sizeof(cl_uint));
    const size_t n = room < TRANSFER ? room : TRANSFER;
    cl_mem buffer = buffer_new(ring->device, n * sizeof(cl_uint));
    cl_uint *memory = allocate(n, sizeof *memory);
    time_transfers(ring, buffer, memory, n, rows);
    free(memory);
    memory = buffer_pinned(ring->device, n * sizeof *memory);
    time_transfers(ring, buffer, memory, n, rows + 2);
    for (int i = 0; i < 2; i++)
        ring->pinned_rates[i] = rows[2 + i].bytes * 1e-6 / rows[2 + i].time.fastest_ms;
}

static void stage_rows(struct report *report, const struct ring *ring,
                       const struct times *times) {
    for (enum stage stage = 0; stage < STAGES; stage++) {
        char variant[32];
        snprintf(variant, sizeof variant, "%s, alone", stages[stage]);
        struct row row = {.variant = variant, .size = ring->n};
        row.right = ring->right[ring->first];
        row.time = timing_in(times, times->stages_ms[stage]);
        if (stage == COPY_IN || stage == COPY_OUT)
            row.bytes = (double)ring->n * sizeof(cl_uint) * BATCHES;
        row.limit = ring->pinned_rates[stage == COPY_OUT];
        report_row(report, row);
    }
}

/* More cores compute sooner.  Does all end sooner, too? */
static void scale(struct report *report, const struct times *times) {
    const double whole_ms = timing_in(times, times->versions_ms[FINISH]).median_ms;
    const double rest_ms = whole_ms - median_ms(times, COMPUTE);
    report_say(report, "With more cores, modelled from these times (compute / cores):");
    for (int cores = 1; cores <= 4; cores *= 2) {
        const double compute_ms = median_ms(times, COMPUTE) / cores;
        const double all_ms = rest_ms + compute_ms;
        report_say(report, "  %dx  %9.3f ms, %.0f %% faster; overlapped %9.3f ms",
                   cores, all_ms, 100.0 * (whole_ms / all_ms - 1.0),
                   fmax(compute_ms, median_ms(times, HOST)));
    }
}

/* Who waits, and when? */
static void show(struct report *report, const struct ring *ring,
                 const struct times *times) {
    const double whole_ms = timeline_ms(&times->timelines[ring->first]);
    report_say(report,
               "\nWho was busy when, as long as %d batches of the first version take "
               "(idle: of all):",
               DRAWN);
    for (int i = ring->first; i < ring->versions; i++) {
        report_say(report, "%s%s", versions[i].name,
                   versions[i].replay ? ", which does not tell when a replay began"
                                      : "");
        timeline_draw(&times->timelines[i], report->out, COLUMNS,
                      whole_ms * DRAWN / BATCHES);
    }
}

/* More about all versions together. */
static void compare(struct report *report, const struct times *times) {
    report_headline(report, "one batch ahead against one by one",
                    ratio_of(times->versions_ms[PREPARED], times->versions_ms[FINISH],
                             times->repeats));
    const struct ratio ratio = ratio_to_slowest(times, THREE);
    report_say(report,
               "Three queues: %.2f times the slowest alone, %s (%.2f to %.2f); "
               "the goal is 1.10",
               ratio.median, stages[times->slowest], ratio.lower, ratio.upper);
    scale(report, times);
}

/* Every version, or one; and every stage alone. */
static void stream(struct report *report, struct ring *ring, bool all,
                   const char *trace) {
    const struct options *options = report->options;
    const bool right = is_right(ring);
    for (int i = 0; i < ring->versions; i++)
        ring->right[i] = right;
    report_say(report, "\n%d batches of %zu words, %d launches of %u round%s for each",
               BATCHES, ring->n, LINKS, ring->rounds, ring->rounds == 1 ? "" : "s");
    if (all && ring->versions < VERSIONS)
        report_say(report, "(without command buffers: this device cannot record)");
    struct times times = measure(ring, options->repeats ? options->repeats : REPEATS);
    version_rows(report, ring, &times);
    struct row transfers[] = {{.variant = "to device"},
                              {.variant = "to host"},
                              {.variant = "to device, pinned"},
                              {.variant = "to host, pinned"}};
    if (options->all)
        all_transfers(ring, transfers);
    stage_rows(report, ring, &times);
    for (int i = 0; options->all && i < 4; i++)
        report_row(report, transfers[i]);
    if (all)
        compare(report, &times);
    if (options->format == FORMAT_TABLE)
        show(report, ring, &times);
    if (trace)
        timeline_write(times.timelines + ring->first, ring->versions - ring->first,
                       trace);
    for (int i = 0; i < ring->versions; i++)
        timeline_free(&times.timelines[i]);
}

/* What --forget calls a stage that is not waited for.  The host's: the next batch is
 * prepared where the last may still be copied from. */
static const char *const waits[STAGES] = {"reuse", "copy-in", "compute", "copy-out"};

static enum stage stage_named(const char *name) {
    for (enum stage stage = 0; stage < STAGES; stage++)
        if (strcmp(name, waits[stage]) == 0)
            return stage;
    die("--forget wants copy-in, compute, copy-out or reuse, not '%s'" HINT
        "--help shows what it is for",
        name);
}

/* Gives a mistake its chance: waits for the event, but not for ever. */
static void wait_a_while(cl_event event) {
    cl_int status = CL_QUEUED;
    for (const double end = now_ms() + 200.0; status > CL_COMPLETE && now_ms() < end;)
        CHECK(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status,
                             &status, NULL));
}

/* A batch on three queues, without one of the waits.  What nobody waits for is held
 * back, until whoever should have waited has done its work; so luck cannot help. */
static void forget(struct report *report, struct ring *ring, enum stage forgotten) {
    struct slot *slot = &ring->slots[0];
    cl_int status;
    cl_ulong sum = 0;
    const bool right = is_right(ring);
    ring->forgotten = forgotten;
    ring->gate = clCreateUserEvent(ring->device->context, &status);
    check_status(status, "clCreateUserEvent");

    const double began_ms = now_ms();
    prepare(slot->in, ring->n, ring->seed, 0);
    start_batch(ring, 0, &versions[THREE]);
    if (forgotten == HOST)
        prepare(slot->in, ring->n, ring->seed, 1);
    else if (forgotten == COPY_OUT)
        sum = use(slot->out, ring->n);
    else
        wait_a_while(slot->events[COPIED_OUT]);
    CHECK(clSetUserEventStatus(ring->gate, CL_COMPLETE));
    for (int i = 0; i < 3; i++)
        CHECK(clFinish(ring->queues[i]));
    if (forgotten != COPY_OUT)
        sum = use(slot->out, ring->n);
    struct row row = {.variant = "three queues, a wait less", .size = ring->n};
    row.time = timing_of(&(double){now_ms() - began_ms}, 1);
    row.right = right && sum == ring->sums[0];
    row.note = waits[forgotten];
    report_row(report, row);
    end_batch(slot);
    CHECK(clReleaseEvent(ring->gate));
}

int main(int argc, char **argv) {
    const char *rounds_text = NULL, *only = NULL, *forgotten = NULL, *trace = NULL;
    const struct own_option own[] = {
        {"rounds", "N", "so many rounds in each launch (as many as are balanced)",
         .text = &rounds_text},
        {"only", "N", "this way of waiting alone: 1 is the first of the table",
         .text = &only},
        {"forget", "WAIT",
         "leave out a wait: for copy-in, compute or copy-out; or reuse:\n"
         "                 prepare the next batch before the last was copied in",
         .text = &forgotten},
        {"trace", "FILE", "write who was busy when, for chrome://tracing and Perfetto",
         .text = &trace}};
    const struct usage usage = {.step = "step11_timeline_gaps",
                                .size = WORDS,
                                .min_size = 1,
                                .own = own,
                                .own_count = sizeof own / sizeof *own};
    const struct options options = options_read_own(argc, argv, &usage);
    cl_uint rounds = 0; /* as many as are balanced */
    if (rounds_text)
        rounds = (cl_uint)option_number("--rounds", rounds_text, 1, MOST_ROUNDS);
    const enum stage left_out = forgotten ? stage_named(forgotten) : STAGES;
    struct device device = device_open(options.device);
    struct report report = report_start(&options, &device);
    const size_t n =
        device_check_size(&device, options.size, 4 * SLOTS, sizeof(cl_uint));

    /* Batches of n words, and links of so many rounds. */
    struct ring ring;
    ring_open(&ring, &device, &options, n);
    if (rounds > 0)
        set_rounds(&ring, rounds);
    else if (!forgotten)
        balance(&ring);
    record(&ring);
    if (only) {
        ring.versions = (int)option_number("--only", only, 1, (size_t)ring.versions);
        ring.first = ring.versions - 1;
    }

    /* The lesson: every version, or what happens if one wait is forgotten. */
    if (forgotten)
        forget(&report, &ring, left_out);
    else
        stream(&report, &ring, !only, trace);

    for (int i = 0; i < SLOTS; i++)
        if (ring.slots[i].recorded)
            CHECK(ring.recorder.release(ring.slots[i].recorded));
    device_close(&device);
    return report_end(&report);
}
