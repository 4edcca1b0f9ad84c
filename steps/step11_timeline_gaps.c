/* Step 11: pipelining: a device that waits for its host
 *
 * In step 10 there was enough work, in small enough groups.  But work comes in batches:
 * the host prepares one, the device computes, the host uses the result.  If each waits
 * for the other, both idle half of the time.  Here the host asks for the next batch
 * before it waits for this one.
 *
 * Read with  kernels/step11_timeline_gaps.cl, docs/step11_timeline_gaps.md
 * Try        --batches 4: why does asking ahead gain less than with 40?
 * Lens       --size 4096
 * Waits      counted, too: what is left to do when the host has waited
 * Story      --repeats 3
 */
#include "check.h"
#include "pictures/timeline.h"

#include <stdio.h>

enum { BATCHES = 40, MAX_BATCHES = 1000, DRAWN_BATCHES = 4, SLOTS = 3 };
enum { GROUP = 256, GROUP_ON_CPU = 8, MAX_ROUNDS = 1 << 22, REPEATS = 5 };

static const struct sizes sizes = {.cpu = 1 << 18, .gpu = 1 << 20};

/* How many batches the host has asked for, beside the one for which it waits. */
enum { FINISH, ONE_AHEAD, THREE_QUEUES, VERSIONS };
static const struct version {
    const char *name;
    cl_uint queues, ahead;
} versions[VERSIONS] = {[FINISH] = {"finish after each", 1, 0},
                        [ONE_AHEAD] = {"one batch ahead", 1, 1},
                        [THREE_QUEUES] = {"three queues", 3, 2}};

/* What a batch goes through; the host prepares it, and uses it in the end. */
enum { HOST, COPY_IN, COMPUTE, COPY_OUT, STAGES };
enum { QUEUES = 3 }; /* at most: one for each stage of the device */
static const char *const stages[STAGES] = {"host", "in", "compute", "out"};

/* What becomes of a version. */
struct outcome {
    bool right;
    cl_uint most_in_flight;
    struct timeline *timeline; /* of its last run */
    double *ms;                /* of each run */
};

/* Batches of n words go round in a few slots. */
struct pipeline {
    struct device *device;
    cl_uint n, batches;
    cl_uint rounds, factor; /* all rounds together multiply a word by the factor */
    cl_uint state;          /* of the random numbers */
    struct slot {
        cl_uint *in, *out; /* the host's, pinned */
        cl_mem in_buffer, out_buffer;
        cl_event events[STAGES];
    } slots[SLOTS];
    struct launch launch;
    cl_command_queue queues[QUEUES];
    double clock_ms; /* how far the host's clock is ahead of the device's */

    const struct version *version; /* the one that runs */
    struct outcome *outcome;       /* its own */
    cl_uint asked, used;           /* batches of this run */
};

/* The device's stages share a queue, or have one each. */
static cl_command_queue queue_of(const struct pipeline *p, int stage) {
    return p->version->queues == 1 ? p->queues[0] : p->queues[stage - COPY_IN];
}

/* Asks for all that the device does with a batch, and does not wait.  Events keep the
 * commands in order, also in three queues. */
static void enqueue(const struct pipeline *p, struct slot *slot) {
    const size_t bytes = p->n * sizeof(cl_uint);
    cl_event *events = slot->events;

    CHECK(clEnqueueWriteBuffer(queue_of(p, COPY_IN), slot->in_buffer, CL_FALSE, 0,
                               bytes, slot->in, 0, NULL, &events[COPY_IN]));

    kernel_args(p->launch.kernel, ARG(slot->in_buffer), ARG(slot->out_buffer),
                ARG(p->n), ARG(p->rounds));
    events[COMPUTE] =
        launch_after(p->device, queue_of(p, COMPUTE), &p->launch, 1, &events[COPY_IN]);

    CHECK(clEnqueueReadBuffer(queue_of(p, COPY_OUT), slot->out_buffer, CL_FALSE, 0,
                              bytes, slot->out, 1, &events[COMPUTE],
                              &events[COPY_OUT]));

    for (cl_uint i = 0; i < p->version->queues; i++)
        CHECK(clFlush(p->queues[i])); /* or they may rest until the host waits */
}

/* Prepares the next batch, which has other words than all others, and asks for it. */
static void ask_batch(struct pipeline *p) {
    struct slot *slot = &p->slots[p->asked % SLOTS];

    const double begin_ms = now_ms();
    for (cl_uint i = 0; i < p->n; i++)
        slot->in[i] = random_next(&p->state);
    timeline_add(p->outcome->timeline, HOST, "prepare", begin_ms, now_ms());

    enqueue(p, slot);
    p->asked++;
}

static bool batch_is_right(const struct pipeline *p, const struct slot *slot) {
    for (cl_uint i = 0; i < p->n; i++) {
        const cl_uint expected = slot->in[i] * p->factor;
        if (slot->out[i] != expected)
            return wrong("%s: batch %u: words[%u] is %u, expected %u", p->version->name,
                         p->used, i, slot->out[i], expected);
    }
    return true;
}

/* Waits for the oldest batch, and uses it: compares every word, as long as all were
 * right. */
static void use_batch(struct pipeline *p) {
    struct slot *slot = &p->slots[p->used % SLOTS];
    struct outcome *outcome = p->outcome;

    if (p->version->ahead == 0)
        CHECK(clFinish(p->queues[0]));
    else
        CHECK(clWaitForEvents(1, &slot->events[COPY_OUT]));

    const double begin_ms = now_ms();
    outcome->right = outcome->right && batch_is_right(p, slot);
    timeline_add(outcome->timeline, HOST, "use", begin_ms, now_ms());

    for (int i = COPY_IN; i < STAGES; i++) {
        timeline_event(outcome->timeline, i, stages[i], slot->events[i], p->clock_ms);
        CHECK(clReleaseEvent(slot->events[i]));
    }
    p->used++;
}

/* The lesson: how long all batches take, by the host's clock.  In each turn the host
 * asks for the next batch, or waits for the oldest. */
static double run_version(struct pipeline *p, const struct version *version,
                          struct outcome *outcome) {
    timeline_free(outcome->timeline); /* what an earlier run has left there */
    outcome->timeline->name = version->name;
    for (int i = 0; i < STAGES; i++)
        timeline_row(outcome->timeline, stages[i]);

    p->version = version;
    p->outcome = outcome;
    p->asked = 0;
    p->used = 0;

    const double begin_ms = now_ms();
    while (p->used < p->batches) {
        const cl_uint in_flight = p->asked - p->used;
        if (in_flight > outcome->most_in_flight)
            outcome->most_in_flight = in_flight;

        bool ask = false;
        /* exercise { */
        ask = in_flight <= version->ahead;
        /* } exercise */
        const bool can_ask = in_flight < SLOTS && p->asked < p->batches;
        if (in_flight == 0 || (ask && can_ask))
            ask_batch(p);
        else
            use_batch(p);
    }
    return now_ms() - begin_ms;
}

/* Each round multiplies a word, and so do all of them together. */
static void set_rounds(struct pipeline *p, double rounds) {
    p->rounds = (cl_uint)(rounds < MAX_ROUNDS ? rounds : MAX_ROUNDS);
    p->factor = 1;
    for (cl_uint round = 0; round < p->rounds; round++)
        p->factor *= 1664525;
}

/* Rounds that need no clock, and differ from size to size.  A batch of many words has a
 * few; a batch of few words can afford so many that 16 bits cannot count them. */
static void set_fixed_rounds(struct pipeline *p) {
    enum { FEW_WORDS = 64, FEW_ROUNDS = 2, MANY_ROUNDS = 70000 };
    if (p->n < FEW_WORDS)
        set_rounds(p, MANY_ROUNDS + p->n);
    else
        set_rounds(p, FEW_ROUNDS + p->n % 5);
}

/* Chooses the rounds so that host and device take equally long, by the clock. */
static void balance_rounds(struct pipeline *p, struct outcome *outcome) {
    for (int i = 0; i < 3; i++) {
        run_version(p, &versions[FINISH], outcome);
        const double host = 1.0 - timeline_idle(outcome->timeline, HOST);
        const double device = 1.0 - timeline_idle(outcome->timeline, COMPUTE);
        set_rounds(p, p->rounds * host / device);
    }
}

/* Slots for batches of n words, and as many queues as a version may need. */
static struct pipeline make_pipeline(struct step *step, cl_uint n, cl_uint batches) {
    struct device *device = &step->device;
    const size_t bytes = n * sizeof(cl_uint);
    struct pipeline p = {
        .device = device, .n = n, .batches = batches, .state = step->options.seed + 1};

    for (int i = 0; i < QUEUES; i++)
        p.queues[i] = device_queue(device, false);

    for (int i = 0; i < SLOTS; i++) {
        p.slots[i].in = buffer_pinned(device, bytes);
        p.slots[i].out = buffer_pinned(device, bytes);
        p.slots[i].in_buffer = buffer_new(device, bytes);
        p.slots[i].out_buffer = buffer_new(device, bytes);
    }
    p.clock_ms = clock_ahead_ms(device);

    /* On a CPU one group computes, on one core, because the others are the host's. */
    const size_t group = step_group(step, device->is_cpu ? GROUP_ON_CPU : GROUP);
    p.launch = LAUNCH(step, "timeline_gaps", device->is_cpu ? group : n, group,
                      ARG(p.slots[0].in_buffer));
    return p;
}

static void report_version(struct report *report, const struct version *version,
                           const struct outcome *outcome, cl_uint n, int repeats) {
    char note[32];
    snprintf(note, sizeof note, "%u more asked for", outcome->most_in_flight - 1);
    struct row row = {.variant = version->name, .size = n, .note = note};
    row.time = timing_of(outcome->ms, repeats);
    row.right = outcome->right;
    row.by_host = true;
    report_row(report, row);
}

int main(int argc, char **argv) {
    const char *path = NULL;
    size_t batches = BATCHES;
    const struct own_option own[] = {
        {"batches", "N", "how many batches a run has", .number = &batches, .min = 1,
         .max = MAX_BATCHES},
        {"timeline", "FILE", "draw what each part did: SVG or .json", .file = &path}};
    const struct usage usage = {
        .step = "step11_timeline_gaps",
        .lesson = "the same batches; the host waits after each, or asks ahead",
        .own = own,
        .own_count = COUNT(own)};
    struct step step;
    step_open(&step, argc, argv, &usage);
    const int repeats = step.options.repeats ? step.options.repeats : REPEATS;

    /* The pipeline, and what is to become of each version. */
    const cl_uint n = step_size(&step, &sizes, 4 * SLOTS, sizeof(cl_uint));
    struct pipeline p = make_pipeline(&step, n, (cl_uint)batches);
    struct timeline timelines[VERSIONS] = {{0}};
    struct outcome outcomes[VERSIONS];
    for (int v = 0; v < VERSIONS; v++) {
        double *ms = step_array(&step, (size_t)repeats, sizeof *ms);
        outcomes[v] =
            (struct outcome){.right = true, .timeline = &timelines[v], .ms = ms};
    }

    /* A given size has fixed rounds, and so has a device without a clock. */
    set_fixed_rounds(&p);
    if (!step.options.size_given && step.device.tick_ms > 0.0)
        balance_rounds(&p, &outcomes[FINISH]);

    /* The versions, alternating. */
    for (int i = 0; i < repeats; i++)
        for (int v = 0; v < VERSIONS; v++)
            outcomes[v].ms[i] = run_version(&p, &versions[v], &outcomes[v]);
    const struct ratio ratio =
        ratio_of(outcomes[ONE_AHEAD].ms, outcomes[FINISH].ms, repeats);

    /* Nothing of this is compared: reading looks at the buffer's guards. */
    buffer_read(p.device, p.slots[0].out_buffer, p.slots[0].out, 1);

    /* The result, and what each part did, as long as a few batches one by one take. */
    for (int v = 0; v < VERSIONS; v++)
        report_version(&step.report, &versions[v], &outcomes[v], n, repeats);
    report_headline(&step.report, "one batch ahead, not one by one", ratio,
                    "Host and device share the cores: look at the counts.");
    if (batches != BATCHES)
        report_say(&step.report, "The stored times are of 40 batches.");
    const double batch_ms = timeline_ms(&timelines[FINISH]) / p.batches;
    timelines_show(&step, timelines, VERSIONS, VERSIONS, DRAWN_BATCHES * batch_ms,
                   path);
    return step_close(&step);
}
