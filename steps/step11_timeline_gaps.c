/* Step 11: a device that waits for its host
 *
 * In step 10 there was enough work, in small enough groups.  But work comes in batches:
 * the host prepares one, the device computes, the host uses it.  If they take turns,
 * each waits half of the time.  Here they wait less and less.
 *
 * Read with  kernels/step11_timeline_gaps.cl, docs/step11_timeline_gaps.md
 * Try        --trace /tmp/trace.json, and open it in ui.perfetto.dev
 * Lens       --size 4096 --rounds 4
 */
#include "buffer.h"
#include "check.h"
#include "data.h"
#include "poison.h"
#include "report.h"
#include "timeline.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS = 1 << 19, FEW_WORDS = 1 << 10, BATCHES = 24, DRAWN = 4, COLUMNS = 60 };
enum { LINKS = 4, SLOTS = 3, HOST_ROUNDS = 4, MOST_ROUNDS = 1 << 20 };
enum { GROUP = 256, GROUPS_EACH = 16, GROUP_ON_CPU = 8 };
enum { REPEATS = 3, MOST_REPEATS = 99 };

/* What a batch goes through; the host prepares and uses it. */
enum stage { PREPARE, COPY_IN, COMPUTE, COPY_OUT, USE, STAGES, NOTHING };
static const char *const stages[STAGES] = {"prepare", "copy in", "compute", "copy out",
                                           "use"};

/* How the host waits: so many queues, and so many batches ahead of the one it uses. */
static const struct version {
    const char *name;
    cl_uint queues, ahead, cores; /* times as many of a CPU's cores as usual */
    bool finish, replay;
} versions[] = {{"finish after each", 1, 0, 1, true, false},
                {"wait for an event", 1, 0, 1, false, false},
                {"next one prepared first", 1, 1, 1, false, false},
                {"two queues", 2, 1, 1, false, false},
                {"three queues", 3, 2, 1, false, false},
                {"command buffer", 3, 2, 1, false, true},
                {"finish, 2 times the cores", 1, 0, 2, true, false},
                {"finish, 4 times the cores", 1, 0, 4, true, false}};
enum { FINISH = 0, THREE = 4, VERSIONS = sizeof versions / sizeof *versions };

/* Prepares a batch: random numbers (xorshift; Marsaglia 2003), each from the last. */
static void prepare(cl_uint *words, size_t n, cl_uint batch) {
    cl_uint word = (batch + 1) * 2654435769u;
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

/* What the device has to find.  Two rounds of x * a + c are x * aa + (a + 1) * c: so we
 * take as many rounds in one as there are, and need not wait for them. */
static void compute_on_host(cl_uint *words, size_t n, cl_uint rounds) {
    for (cl_uint link = 0; link < LINKS; link++) {
        cl_uint times = 1, plus = 0, a = 1664525, c = 2 * link + 1;
        for (cl_uint rest = rounds; rest > 0; rest /= 2) {
            if (rest % 2 == 1) {
                times *= a;
                plus = plus * a + c;
            }
            c *= a + 1;
            a *= a;
        }
        for (size_t i = 0; i < n; i++)
            words[i] = words[i] * times + plus;
    }
}

/* The calls of cl_khr_command_buffer that we need: headers and drivers have several
 * versions of it, in which these are the same. */
struct recorder {
    void *(CL_API_CALL *create)(cl_uint queue_count, const cl_command_queue *queues,
                                const void *properties, cl_int *status);
    cl_int(CL_API_CALL *launch)(void *commands, cl_command_queue queue,
                                const void *properties, cl_kernel kernel,
                                cl_uint dimensions, const size_t *offset,
                                const size_t *global, const size_t *local,
                                cl_uint wait_count, const cl_uint *waits, cl_uint *done,
                                void **handle);
    cl_int(CL_API_CALL *finalize)(void *commands);
    cl_int(CL_API_CALL *replay)(cl_uint queue_count, cl_command_queue *queues,
                                void *commands, cl_uint wait_count,
                                const cl_event *waits, cl_event *event);
    cl_int(CL_API_CALL *release)(void *commands);
    cl_ulong properties[3];
};

/* Batches go round in a few slots: while the host uses what came back in one, the
 * device works on the next. */
struct ring {
    struct device *device;
    struct recorder recorder;      /* all NULL where nothing can be recorded */
    cl_command_queue queues[2][3]; /* the second three keep times */
    size_t n;                      /* words in a batch */
    cl_uint rounds;
    struct slot {
        cl_uint *in, *out; /* the host's, pinned */
        cl_mem in_buffer, out_buffer;
        struct launch links[LINKS];
        void *recorded[2];
        cl_event copied_in, computed[LINKS], copied_out;
    } slots[SLOTS];
    cl_ulong sums[BATCHES];    /* what use() has to find, */
    bool right[VERSIONS];      /* and did */
    struct timeline *timeline; /* what is drawn; NULL while the clock runs */
    double ahead_ms, replayed_ms;
    enum stage forgotten; /* nobody waits for it, */
    cl_event gate;        /* and this holds it back, so that it shows */
};

static void find_call(cl_platform_id platform, const char *name, void *call) {
    void *found = clGetExtensionFunctionAddressForPlatform(platform, name);
    memcpy(call, &found, sizeof found); /* C has no cast from data to functions */
}

static struct recorder recorder_of(cl_device_id id) {
    char offered[1 << 14];
    cl_platform_id platform;
    struct recorder recorder = {0};
    CHECK(clGetDeviceInfo(id, CL_DEVICE_EXTENSIONS, sizeof offered, offered, NULL));
    CHECK(clGetDeviceInfo(id, CL_DEVICE_PLATFORM, sizeof platform, &platform, NULL));
    if (!strstr(offered, "cl_khr_command_buffer"))
        return recorder;
    find_call(platform, "clCreateCommandBufferKHR", &recorder.create);
    find_call(platform, "clCommandNDRangeKernelKHR", &recorder.launch);
    find_call(platform, "clFinalizeCommandBufferKHR", &recorder.finalize);
    find_call(platform, "clEnqueueCommandBufferKHR", &recorder.replay);
    find_call(platform, "clReleaseCommandBufferKHR", &recorder.release);

    /* PoCL may think that a replay is still going on when its event has come. */
    enum { CAPABILITIES = 0x12a9, SIMULTANEOUS_USE = 4, FLAGS = 0x1293, ALLOWED = 1 };
    cl_bitfield capabilities;
    CHECK(clGetDeviceInfo(id, CAPABILITIES, sizeof capabilities, &capabilities, NULL));
    if (capabilities & SIMULTANEOUS_USE) {
        recorder.properties[0] = FLAGS;
        recorder.properties[1] = ALLOWED;
    }
    return recorder;
}

/* Records all links; as in the queue, each waits for the last.  NULL where nothing can
 * be recorded for such a queue. */
static void *record(const struct recorder *recorder, const struct slot *slot,
                    cl_command_queue queue) {
    cl_int status;
    if (!recorder->create)
        return NULL;
    void *commands = recorder->create(1, &queue, recorder->properties, &status);
    if (status != CL_SUCCESS)
        return NULL;
    for (const struct launch *link = slot->links; link; link = link->then)
        CHECK(recorder->launch(commands, NULL, NULL, link->kernel, link->dimensions,
                               NULL, link->global, link->local, 0, NULL, NULL, NULL));
    CHECK(recorder->finalize(commands));
    return commands;
}

/* A CPU's cores are the host's, too: a quarter of them computes. */
static size_t cores_of(const struct device *device) {
    return (device->units + 3) / 4;
}

static bool is_possible(const struct ring *ring, const struct version *version) {
    const struct device *device = ring->device;
    if (version->replay)
        return ring->slots[0].recorded[0] && ring->slots[0].recorded[1];
    return version->cores == 1 ||
           (device->is_cpu && version->cores * cores_of(device) <= device->units);
}

static void set_rounds(struct ring *ring, cl_uint rounds) {
    const struct device *device = ring->device;
    const cl_uint n = (cl_uint)ring->n;
    size_t group = device->is_cpu ? GROUP_ON_CPU : GROUP;
    group = group < device->group_most ? group : device->group_most;
    const size_t needed = (n + group - 1) / group;
    const size_t most =
        device->is_cpu ? cores_of(device) : (size_t)device->units * GROUPS_EACH;
    const size_t items = (needed < most ? needed : most) * group;
    for (struct slot *slot = ring->slots; slot < ring->slots + SLOTS; slot++)
        for (cl_uint i = 0; i < LINKS; i++) {
            struct launch *link = &slot->links[i];
            const cl_mem from = i == 0 ? slot->in_buffer : slot->out_buffer;
            *link = launch_1d(link->kernel, items, group);
            link->then = i + 1 < LINKS ? link + 1 : NULL;
            kernel_args(link->kernel, ARG(from), ARG(slot->out_buffer), ARG(n),
                        ARG(rounds), ARG(i));
        }
    ring->rounds = rounds;
}

/* As many rounds as keep the device busy a tenth longer than the host. */
static void balance(struct ring *ring) {
    enum { TRIES = 9 }; /* the fastest was not disturbed */
    double host_ms[TRIES];
    struct slot *slot = &ring->slots[0];
    for (cl_uint i = 0; i < TRIES; i++) {
        const double before_ms = now_ms();
        prepare(slot->in, ring->n, i);
        use(slot->in, ring->n);
        host_ms[i] = now_ms() - before_ms;
    }
    const double wanted_ms = 1.1 * timing_of(host_ms, TRIES).fastest_ms;
    double rounds = 1.0, more = 2.0;
    for (int i = 0; i < 30 && (more < 0.95 || more > 1.05); i++) {
        set_rounds(ring, (cl_uint)rounds);
        more =
            wanted_ms / time_launches(ring->device, slot->links[0], TRIES).fastest_ms;
        const double better = floor(rounds * (more < 2.0 ? more : 2.0) + 0.5);
        rounds = better < 1.0 ? 1.0 : better > MOST_ROUNDS ? MOST_ROUNDS : better;
        if (rounds == ring->rounds)
            break;
    }
}

/* With so many rounds, or as many as are balanced. */
static struct ring *ring_open(struct device *device, const struct options *options,
                              size_t n, cl_uint rounds) {
    struct ring *ring = allocate(1, sizeof *ring);
    const size_t bytes = n * sizeof(cl_uint);
    *ring = (struct ring){.device = device, .n = n, .forgotten = NOTHING};
    for (struct slot *slot = ring->slots; slot < ring->slots + SLOTS; slot++) {
        slot->in = buffer_pinned(device, bytes);
        slot->out = buffer_pinned(device, bytes);
        prepare(slot->in, n, BATCHES); /* what no version will ever need */
        slot->in_buffer = buffer_from(device, slot->in, bytes);
        slot->out_buffer = buffer_new(device, bytes);
        for (int i = 0; i < LINKS; i++)
            slot->links[i].kernel = kernel_load(device, options, "timeline_gaps");
        use(slot->out, n); /* now it is poisoned */
    }
    if (rounds > 0)
        set_rounds(ring, rounds);
    else
        balance(ring);
    ring->recorder = recorder_of(device->id);
    for (int timed = 0; timed < 2; timed++) {
        for (int i = 0; i < 3; i++) {
            cl_int status;
            ring->queues[timed][i] =
                clCreateCommandQueue(device->context, device->id,
                                     timed ? CL_QUEUE_PROFILING_ENABLE : 0, &status);
            check_status(status, "clCreateCommandQueue");
        }
        for (int i = 0; i < SLOTS; i++)
            ring->slots[i].recorded[timed] =
                record(&ring->recorder, &ring->slots[i], ring->queues[timed][1]);
    }
    return ring;
}

static void ring_close(struct ring *ring) {
    for (int timed = 0; timed < 2; timed++) {
        for (int i = 0; i < SLOTS; i++)
            if (ring->slots[i].recorded[timed])
                CHECK(ring->recorder.release(ring->slots[i].recorded[timed]));
        for (int i = 0; i < 3; i++)
            CHECK(clReleaseCommandQueue(ring->queues[timed][i]));
    }
    free(ring);
}

/* Whether the device finds every word of every batch; and what use() has to find. */
static bool is_right(struct ring *ring) {
    bool right = true;
    struct slot *slot = &ring->slots[0];
    const size_t bytes = ring->n * sizeof(cl_uint);
    cl_uint *words = allocate(ring->n, sizeof *words);
    for (cl_uint batch = 0; batch < BATCHES; batch++) {
        prepare(words, ring->n, batch);
        buffer_write(ring->device, slot->in_buffer, words, bytes);
        buffer_poison(ring->device, slot->out_buffer);
        launch_ms(ring->device, &slot->links[0]);
        buffer_read(ring->device, slot->out_buffer, slot->out, bytes);
        compute_on_host(words, ring->n, ring->rounds);
        right = right && memcmp(slot->out, words, bytes) == 0;
        ring->sums[batch] = use(words, ring->n);
        use(slot->out, ring->n);
    }
    free(words);
    return right;
}

/* Asks for one stage on the device, after the event of the stage before. */
static void start(struct ring *ring, struct slot *slot, enum stage stage,
                  cl_command_queue queue, cl_event before,
                  const struct version *version) {
    cl_event events[2];
    cl_uint count = 0;
    const size_t bytes = ring->n * sizeof(cl_uint);
    const enum stage held = ring->forgotten == PREPARE ? COPY_IN : ring->forgotten;
    if (before && ring->forgotten != stage - 1)
        events[count++] = before;
    if (ring->gate && held == stage)
        events[count++] = ring->gate;
    const cl_event *waits = count > 0 ? events : NULL;

    if (stage == COPY_IN)
        CHECK(clEnqueueWriteBuffer(queue, slot->in_buffer, CL_FALSE, 0, bytes, slot->in,
                                   count, waits, &slot->copied_in));
    else if (stage == COPY_OUT)
        CHECK(clEnqueueReadBuffer(queue, slot->out_buffer, CL_FALSE, 0, bytes,
                                  slot->out, count, waits, &slot->copied_out));
    else if (version->replay)
        CHECK(ring->recorder.replay(0, NULL, slot->recorded[ring->timeline != NULL],
                                    count, waits, &slot->computed[LINKS - 1]));
    else
        for (int i = 0; i < LINKS; i++) {
            struct launch link = slot->links[i];
            link.global[0] *= version->cores;
            slot->computed[i] =
                launch_after(ring->device, queue, &link, i == 0 ? count : 0, waits);
        }
    CHECK(clFlush(queue));
}

/* Asks for all that the device does with a batch, and does not wait. */
static void start_batch(struct ring *ring, cl_uint batch,
                        const struct version *version) {
    struct slot *slot = &ring->slots[batch % SLOTS];
    const cl_command_queue *queues = ring->queues[ring->timeline != NULL];
    const cl_uint one = batch % version->queues;
    const bool three = version->queues == 3;
    start(ring, slot, COPY_IN, queues[three ? 0 : one], NULL, version);
    start(ring, slot, COMPUTE, queues[three ? 1 : one], slot->copied_in, version);
    start(ring, slot, COPY_OUT, queues[three ? 2 : one], slot->computed[LINKS - 1],
          version);
}

static void end_batch(struct slot *slot) {
    cl_event *events[] = {&slot->copied_in, &slot->copied_out};
    for (int i = 0; i < LINKS + 2; i++) {
        cl_event *event = i < LINKS ? &slot->computed[i] : events[i - LINKS];
        if (*event)
            CHECK(clReleaseEvent(*event));
        *event = NULL;
    }
}

static double end_ms(const struct ring *ring, cl_event event) {
    cl_ulong ns;
    CHECK(
        clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof ns, &ns, NULL));
    return ring->ahead_ms + (double)ns * 1e-6;
}

/* Draws what the device did with a batch; in capitals what the second of two queues
 * did.  The event of a replay tells when all was done, but not when it began. */
static void draw(struct ring *ring, const struct slot *slot, bool second) {
    struct timeline *timeline = ring->timeline;
    timeline_event(timeline, COPY_IN, second ? "In, queue 2" : "in", slot->copied_in,
                   ring->ahead_ms);
    for (int i = 0; i < LINKS && slot->computed[0]; i++)
        timeline_event(timeline, COMPUTE, second ? "Compute, queue 2" : "compute",
                       slot->computed[i], ring->ahead_ms);
    timeline_event(timeline, COPY_OUT, second ? "Out, queue 2" : "out",
                   slot->copied_out, ring->ahead_ms);
    if (!slot->computed[0]) {
        const double in_ms = end_ms(ring, slot->copied_in), last_ms = ring->replayed_ms;
        ring->replayed_ms = end_ms(ring, slot->computed[LINKS - 1]);
        timeline_add(timeline, COMPUTE, "compute, replayed",
                     in_ms > last_ms ? in_ms : last_ms, ring->replayed_ms);
    }
}

/* The lesson: how long all batches take, by the host's clock. */
static double version_ms(struct ring *ring, const struct version *version) {
    const double began_ms = now_ms();
    for (cl_uint batch = 0; batch < BATCHES + version->ahead; batch++) {
        struct slot *slot = &ring->slots[batch % SLOTS];
        const double prepare_ms = now_ms();
        if (batch < BATCHES) {
            prepare(slot->in, ring->n, batch);
            if (ring->timeline)
                timeline_add(ring->timeline, PREPARE, "prepare", prepare_ms, now_ms());
            start_batch(ring, batch, version);
        }
        if (batch < version->ahead)
            continue;

        const cl_uint ready = batch - version->ahead;
        slot = &ring->slots[ready % SLOTS];
        if (version->finish)
            CHECK(clFinish(ring->queues[ring->timeline != NULL][0]));
        else
            CHECK(clWaitForEvents(1, &slot->copied_out));
        const double use_ms = now_ms();
        if (use(slot->out, ring->n) != ring->sums[ready])
            ring->right[version - versions] = false;
        if (ring->timeline) {
            timeline_add(ring->timeline, PREPARE, "use", use_ms, now_ms());
            draw(ring, slot, version->queues == 2 && ready % 2 == 1);
        }
        end_batch(slot);
    }
    return now_ms() - began_ms;
}

/* The same for one stage alone: the next batch follows at once. */
static double stage_ms(struct ring *ring, enum stage stage) {
    cl_command_queue queue = ring->queues[0][0];
    const double began_ms = now_ms();
    for (cl_uint batch = 0; batch < BATCHES; batch++) {
        struct slot *slot = &ring->slots[batch % SLOTS];
        if (stage == PREPARE)
            prepare(slot->in, ring->n, batch);
        else if (stage == USE)
            use(slot->out, ring->n);
        else
            start(ring, slot, stage, queue, NULL, &versions[FINISH]);
        end_batch(slot);
    }
    CHECK(clFinish(queue));
    return now_ms() - began_ms;
}

/* One run of each version for its picture: who waits, and when? */
static void show(struct report *report, struct ring *ring,
                 struct timeline timelines[VERSIONS]) {
    const bool drawn = report->options->format == FORMAT_TABLE && ring->n > FEW_WORDS;
    for (int i = 0; i < VERSIONS; i++) {
        ring->timeline = &timelines[i];
        timelines[i] = (struct timeline){.name = versions[i].name};
        for (enum stage stage = PREPARE; stage < USE; stage++)
            timeline_row(ring->timeline, stage == PREPARE ? "host" : stages[stage]);
        if (!is_possible(ring, &versions[i]))
            continue;
        ring->ahead_ms = clock_ahead_ms(ring->device);
        ring->replayed_ms = 0.0;
        version_ms(ring, &versions[i]);
        if (!drawn)
            continue;
        report_say(report, "%s", versions[i].name);
        timeline_draw(ring->timeline, report->out, COLUMNS,
                      timeline_ms(&timelines[FINISH]) * DRAWN / BATCHES);
    }
    if (drawn)
        report_say(report,
                   "(the first %d batches of the first version, as long of each; "
                   "idle: of all)",
                   DRAWN);
    ring->timeline = NULL;
}

/* What stages and versions take, in turn. */
struct times {
    int repeats;
    double stages_ms[STAGES][MOST_REPEATS], versions_ms[VERSIONS][MOST_REPEATS];
};

static struct times measure(struct ring *ring, int repeats) {
    struct times times = {.repeats = repeats < MOST_REPEATS ? repeats : MOST_REPEATS};
    for (int repeat = 0; repeat < times.repeats; repeat++) {
        for (enum stage stage = 0; stage < STAGES; stage++)
            times.stages_ms[stage][repeat] = stage_ms(ring, stage);
        for (int i = 0; i < VERSIONS; i++)
            if (is_possible(ring, &versions[i]))
                times.versions_ms[i][repeat] = version_ms(ring, &versions[i]);
    }
    return times;
}

/* Of times that must stay in their order. */
static struct timing timing_in(const struct times *times, const double *ms) {
    double sorted_ms[MOST_REPEATS];
    memcpy(sorted_ms, ms, sizeof sorted_ms);
    return timing_of(sorted_ms, times->repeats);
}

/* More cores compute sooner.  Does all end sooner, too? */
static void scale(const struct report *report, const struct times *times) {
    double ms[STAGES];
    for (enum stage stage = 0; stage < STAGES; stage++)
        ms[stage] = timing_in(times, times->stages_ms[stage]).median_ms;
    const double whole_ms = timing_in(times, times->versions_ms[FINISH]).median_ms;
    const double rest_ms = whole_ms - ms[COMPUTE], host_ms = ms[PREPARE] + ms[USE];
    report_say(report, "With more cores, modelled from these times (compute / cores):");
    for (int cores = 1; cores <= 4; cores *= 2) {
        const double compute_ms = ms[COMPUTE] / cores, all_ms = rest_ms + compute_ms;
        report_say(report, "  %dx  %9.3f ms, %.0f %% faster; overlapped %9.3f ms",
                   cores, all_ms, 100.0 * (whole_ms / all_ms - 1.0),
                   compute_ms > host_ms ? compute_ms : host_ms);
    }
}

/* The slowest of what goes on side by side, and how long it takes: nothing can end
 * sooner.  The host does two of the stages, one after the other. */
static const char *slowest_of(const struct times *times, double ms[MOST_REPEATS]) {
    const char *slowest = "prepare and use";
    for (int i = 0; i < times->repeats; i++)
        ms[i] = times->stages_ms[PREPARE][i] + times->stages_ms[USE][i];
    for (enum stage stage = COPY_IN; stage < USE; stage++) {
        const double *other_ms = times->stages_ms[stage];
        if (timing_in(times, other_ms).median_ms < timing_in(times, ms).median_ms)
            continue;
        memcpy(ms, other_ms, sizeof times->stages_ms[stage]);
        slowest = stages[stage];
    }
    return slowest;
}

static void version_rows(struct report *report, const struct ring *ring,
                         const struct times *times, const struct timeline *timelines,
                         const double slowest_ms[MOST_REPEATS]) {
    for (int i = 0; i < VERSIONS; i++) {
        char note[64];
        struct row row = {.variant = versions[i].name, .size = ring->n, .note = note};
        if (!is_possible(ring, &versions[i]))
            continue;
        snprintf(note, sizeof note, "%.2f of the slowest, kernels idle %.0f %%",
                 ratio_of(slowest_ms, times->versions_ms[i], times->repeats).median,
                 100.0 * timeline_idle(&timelines[i], COMPUTE));
        row.time = timing_in(times, times->versions_ms[i]);
        row.bytes = 2.0 * (double)ring->n * sizeof(cl_uint) * BATCHES; /* in and out */
        row.right = ring->right[i];
        report_row(report, row);
    }
}

static void stage_rows(struct report *report, const struct times *times, size_t n,
                       bool right) {
    for (enum stage stage = 0; stage < STAGES; stage++) {
        char variant[32];
        snprintf(variant, sizeof variant, "%s, alone", stages[stage]);
        struct row row = {.variant = variant, .size = n, .right = right};
        row.time = timing_in(times, times->stages_ms[stage]);
        if (stage == COPY_IN || stage == COPY_OUT)
            row.bytes = (double)n * sizeof(cl_uint) * BATCHES;
        row.limit = stage == COPY_IN ? report->limits.to_device_pinned
                                     : report->limits.to_host_pinned;
        report_row(report, row);
    }
}

/* All versions for batches of n words. */
static void stream(struct report *report, struct device *device, size_t n,
                   cl_uint rounds, const char *trace) {
    struct timeline timelines[VERSIONS];
    struct ring *ring = ring_open(device, report->options, n, rounds);
    const bool right = is_right(ring);
    for (int i = 0; i < VERSIONS; i++)
        ring->right[i] = right;
    report_say(report, "\n%d batches of %zu words, %d launches of %u round%s for each",
               BATCHES, n, LINKS, ring->rounds, ring->rounds == 1 ? "" : "s");
    if (rounds == 0)
        report_say(
            report,
            "(as many as take a tenth longer than the host's work, but at least 1)");
    if (!ring->slots[0].recorded[0])
        report_say(report, "(without command buffers: this device cannot record)");
    show(report, ring, timelines);
    const struct times times =
        measure(ring, report->options->repeats ? report->options->repeats : REPEATS);
    double slowest_ms[MOST_REPEATS];
    const char *slowest = slowest_of(&times, slowest_ms);
    version_rows(report, ring, &times, timelines, slowest_ms);
    stage_rows(report, &times, n, right);
    const struct ratio ratio =
        ratio_of(slowest_ms, times.versions_ms[THREE], times.repeats);
    report_say(report, "Three queues: %.2f times the slowest alone, %s (%.2f to %.2f)",
               ratio.median, slowest, ratio.low, ratio.high);
    if (n > FEW_WORDS)
        scale(report, &times);
    if (trace)
        timeline_trace(timelines, VERSIONS, trace);
    for (int i = 0; i < VERSIONS; i++)
        timeline_free(&timelines[i]);
    ring_close(ring);
}

/* How --forget calls what is not waited for. */
static const char *const waits[STAGES] = {[PREPARE] = "reuse",
                                          [COPY_IN] = "copy-in",
                                          [COMPUTE] = "compute",
                                          [COPY_OUT] = "copy-out"};

static enum stage stage_named(const char *name) {
    for (enum stage stage = PREPARE; stage < USE; stage++)
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

/* Two batches on three queues, without one of the waits.  What nobody waits for is held
 * back, until whoever should have waited has done its work; so luck cannot help. */
static void forget(struct report *report, struct device *device, size_t n,
                   enum stage forgotten) {
    struct ring *ring = ring_open(device, report->options, n, 1);
    struct slot *slot = &ring->slots[0];
    struct row row = {.variant = "three queues, a wait less", .size = n};
    row.right = is_right(ring);
    ring->forgotten = forgotten;
    const double began_ms = now_ms();
    for (cl_uint batch = 0; batch < 2; batch++) {
        cl_int status;
        cl_ulong sum = 0;
        ring->gate = clCreateUserEvent(device->context, &status);
        check_status(status, "clCreateUserEvent");
        prepare(slot->in, n, batch);
        start_batch(ring, SLOTS * batch, &versions[THREE]);
        if (forgotten == PREPARE)
            prepare(slot->in, n, batch + 1);
        else if (forgotten == COPY_OUT)
            sum = use(slot->out, n);
        else
            wait_a_while(forgotten == COPY_IN ? slot->computed[LINKS - 1]
                                              : slot->copied_out);
        CHECK(clSetUserEventStatus(ring->gate, CL_COMPLETE));
        for (int i = 0; i < 3; i++)
            CHECK(clFinish(ring->queues[0][i]));
        if (forgotten != COPY_OUT)
            sum = use(slot->out, n);
        row.right = row.right && sum == ring->sums[batch];
        end_batch(slot);
        CHECK(clReleaseEvent(ring->gate));
    }
    row.time = timing_of(&(double){now_ms() - began_ms}, 1);
    row.note = waits[forgotten];
    report_row(report, row);
    ring_close(ring);
}

int main(int argc, char **argv) {
    const char *rounds_text = NULL, *forgotten = NULL, *trace = NULL;
    const struct own_option own[] = {
        {"rounds", "N", "so many rounds in each launch (as many as are balanced)",
         &rounds_text},
        {"forget", "WAIT",
         "leave out a wait: for copy-in, compute or copy-out; or reuse:\n"
         "                 prepare the next batch before the last was copied in",
         &forgotten},
        {"trace", "FILE", "write who was busy when, for chrome://tracing and Perfetto",
         &trace}};
    const struct options options =
        options_read_own(argc, argv,
                         &(struct usage){.step = "step11_timeline_gaps",
                                         .size = WORDS,
                                         .least_size = 1,
                                         .own = own,
                                         .own_count = sizeof own / sizeof *own});
    const cl_uint rounds =
        rounds_text ? (cl_uint)option_number("--rounds", rounds_text, 1, MOST_ROUNDS)
                    : 0;
    const enum stage held = forgotten ? stage_named(forgotten) : NOTHING;
    struct device device = device_open(options.device);
    struct report report = report_start(&options, &device);
    const size_t n = device_fits(&device, options.size, 4 * SLOTS, sizeof(cl_uint));

    /* The lesson: batches that keep both busy, and small ones. */
    if (forgotten)
        forget(&report, &device, n, held);
    else
        stream(&report, &device, n, rounds, trace);
    if (!forgotten && !options.size_given)
        stream(&report, &device, FEW_WORDS, rounds, NULL);

    device_close(&device);
    return report_end(&report);
}
