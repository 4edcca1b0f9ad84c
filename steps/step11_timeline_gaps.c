/* Step 11: a device that waits for its host
 *
 * In step 10 there was enough work, in small enough groups.  But work comes in batches:
 * the host prepares one, the device computes, the host uses the result.  If each waits
 * for the other, both idle half of the time.  Here the host asks for the next batch
 * before it waits for this one.
 *
 * Read with  kernels/step11_timeline_gaps.cl, docs/step11_timeline_gaps.md
 * Try        --timeline /tmp/step11.svg, and open it in a browser
 * Lens       --size 4096
 * Waits      counted, too: what is left to do when the host has waited
 * Story      --repeats 3
 */
#include "check.h"
#include "step.h"

#include <stdio.h>

enum { BATCHES = 40, SLOTS = 3, GROUP = 256, GROUP_ON_CPU = 8, MAX_ROUNDS = 1 << 22 };
static const struct sizes sizes = {.cpu = 1 << 18, .gpu = 1 << 20};

/* How many batches the host has asked for, beside the one for which it waits. */
static const struct version {
    const char *name;
    cl_uint queues, ahead;
} versions[] = {
    {"finish after each", 1, 0}, {"one batch ahead", 1, 1}, {"three queues", 3, 2}};
enum { FINISH, ONE_AHEAD, VERSIONS = COUNT(versions) };

/* What a batch goes through; the host prepares it, and uses it in the end. */
enum { HOST, COPY_IN, COMPUTE, COPY_OUT, STAGES };
static const char *const stages[] = {"host", "in", "compute", "out"};

/* Batches of n words go round in a few slots. */
struct pipeline {
    struct device *device;
    cl_uint n, rounds, factor, state; /* all rounds multiply a word by the factor */
    struct slot {
        cl_uint *in, *out; /* the host's, pinned */
        cl_mem in_buffer, out_buffer;
        cl_event events[STAGES];
    } slots[SLOTS];
    struct launch launch;
    cl_command_queue queues[SLOTS];
    double clock_ms; /* how far the host's clock is ahead of the device's */

    int v;                               /* the version that runs */
    cl_uint asked, used, most[VERSIONS]; /* batches; the most that were in flight */
    bool wrong[VERSIONS];
    struct timeline timelines[VERSIONS];
};

/* Prepares the next batch, which has other words than all others, and asks for all that
 * the device does with it.  Events keep the commands in order, also in three queues. */
static void ask_batch(struct pipeline *p) {
    struct slot *slot = &p->slots[p->asked++ % SLOTS];
    const double begin_ms = now_ms();
    for (cl_uint i = 0; i < p->n; i++)
        slot->in[i] = random_next(&p->state);
    timeline_add(&p->timelines[p->v], HOST, "prepare", begin_ms, now_ms());

    const cl_uint last = versions[p->v].queues - 1;
    const size_t bytes = p->n * sizeof(cl_uint);
    cl_event *events = slot->events;
    CHECK(clEnqueueWriteBuffer(p->queues[0], slot->in_buffer, CL_FALSE, 0, bytes,
                               slot->in, 0, NULL, &events[COPY_IN]));
    kernel_args(p->launch.kernel, ARG(slot->in_buffer), ARG(slot->out_buffer),
                ARG(p->n), ARG(p->rounds));
    events[COMPUTE] = launch_after(p->device, p->queues[(last + 1) / 2], &p->launch, 1,
                                   &events[COPY_IN]);
    CHECK(clEnqueueReadBuffer(p->queues[last], slot->out_buffer, CL_FALSE, 0, bytes,
                              slot->out, 1, &events[COMPUTE], &events[COPY_OUT]));
    for (cl_uint i = 0; i <= last; i++)
        CHECK(clFlush(p->queues[i])); /* or they may rest until the host waits */
}

/* Waits for the oldest batch, and uses it: compares every word. */
static void use_batch(struct pipeline *p) {
    struct slot *slot = &p->slots[p->used % SLOTS];
    if (versions[p->v].ahead == 0)
        CHECK(clFinish(p->queues[0]));
    else
        CHECK(clWaitForEvents(1, &slot->events[COPY_OUT]));

    const double begin_ms = now_ms();
    for (cl_uint i = 0; i < p->n && !p->wrong[p->v]; i++)
        if (slot->out[i] != slot->in[i] * p->factor)
            p->wrong[p->v] = !wrong("%s: batch %u: words[%u] is %u, expected %u",
                                    versions[p->v].name, p->used, i, slot->out[i],
                                    slot->in[i] * p->factor);
    timeline_add(&p->timelines[p->v], HOST, "use", begin_ms, now_ms());
    for (int i = COPY_IN; i < STAGES; i++) {
        timeline_event(&p->timelines[p->v], i, stages[i], slot->events[i], p->clock_ms);
        CHECK(clReleaseEvent(slot->events[i]));
    }
    p->used++;
}

/* The lesson: how long all batches take, by the host's clock.  In each turn the host
 * asks for the next batch, or waits for the oldest. */
static double run_version(struct pipeline *p, int v) {
    const struct version *version = &versions[p->v = v];
    timeline_free(&p->timelines[v]); /* of its last run */
    p->timelines[v].name = version->name;
    for (int i = 0; i < STAGES; i++)
        timeline_row(&p->timelines[v], stages[i]);
    p->asked = p->used = 0;
    const double begin_ms = now_ms();
    while (p->used < BATCHES) {
        const cl_uint in_flight = p->asked - p->used;
        p->most[v] = in_flight > p->most[v] ? in_flight : p->most[v];
        bool ask = false;
        /* exercise { */
        ask = in_flight <= version->ahead;
        /* } exercise */
        if (in_flight == 0 || (ask && in_flight < SLOTS && p->asked < BATCHES))
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

int main(int argc, char **argv) {
    const char *path = NULL;
    const struct own_option own = {
        "timeline", "FILE", "draw what each part did: SVG or .json", .file = &path};
    const struct usage usage = {
        .step = "step11_timeline_gaps", .own = &own, .own_count = 1};
    struct step step;
    step_open(&step, argc, argv, &usage);

    /* Slots for batches of n words, and as many queues. */
    struct device *device = &step.device;
    const cl_uint n = step_size(&step, &sizes, 4 * SLOTS, sizeof(cl_uint));
    struct pipeline p = {.device = device, .n = n, .state = step.options.seed + 1};
    for (int i = 0; i < SLOTS; i++) {
        p.queues[i] = device_queue(device, false);
        p.slots[i].in = buffer_pinned(device, n * sizeof(cl_uint));
        p.slots[i].out = buffer_pinned(device, n * sizeof(cl_uint));
        p.slots[i].in_buffer = buffer_new(device, n * sizeof(cl_uint));
        p.slots[i].out_buffer = buffer_new(device, n * sizeof(cl_uint));
    }
    p.clock_ms = clock_ahead_ms(device);

    /* On a CPU one group computes, on one core, because the others are the host's. */
    const size_t group = step_group(&step, device->is_cpu ? GROUP_ON_CPU : GROUP);
    p.launch = LAUNCH(&step, "timeline_gaps", device->is_cpu ? group : n, group,
                      ARG(p.slots->in_buffer));

    /* A given size has fixed rounds; else the clock lets both take equally long. */
    set_rounds(&p, n < 64 ? 70000 + n : 2 + n % 5); /* more than 16 bits count */
    for (int i = 0; i < 3 && !step.options.size_given && device->tick_ms > 0.0; i++) {
        run_version(&p, FINISH);
        set_rounds(&p, p.rounds * (1.0 - timeline_idle(p.timelines, HOST)) /
                           (1.0 - timeline_idle(p.timelines, COMPUTE)));
    }

    /* The versions, alternating. */
    const int repeats = step.options.repeats ? step.options.repeats : 5;
    double *ms[VERSIONS];
    for (int v = 0; v < VERSIONS; v++)
        ms[v] = step_array(&step, (size_t)repeats, sizeof(double));
    for (int i = 0; i < repeats * VERSIONS; i++)
        ms[i % VERSIONS][i / VERSIONS] = run_version(&p, i % VERSIONS);
    const struct ratio ratio = ratio_of(ms[ONE_AHEAD], ms[FINISH], repeats);
    buffer_read(device, p.slots->out_buffer, p.slots->out, 1); /* and its guards */

    /* The result, and what each part did, as long as four batches one by one take. */
    for (int v = 0; v < VERSIONS; v++) {
        char note[32];
        snprintf(note, sizeof note, "%u more asked for", p.most[v] - 1);
        report_row(&step.report,
                   (struct row){versions[v].name, n, timing_of(ms[v], repeats),
                                .right = !p.wrong[v], .note = note, .by_host = true});
    }
    report_headline(&step.report, "one batch ahead against one by one", ratio);
    if (device->is_cpu)
        report_say(&step.report, "Host and device share cores: look at the counts.");
    step_timelines(&step, p.timelines, VERSIONS, VERSIONS,
                   timeline_ms(p.timelines) * 4 / BATCHES, path);
    return step_close(&step);
}
