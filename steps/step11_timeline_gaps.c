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
#include "poison.h"
#include "step.h"
#include "timeline.h"

#include <math.h>
#include <stdio.h>

enum { BATCHES = 40, SLOTS = 3, GROUP = 256, GROUP_ON_CPU = 8 };
enum { DRAWN = 4, COLUMNS = 60 }; /* batches in a drawing, and its width */
static const struct sizes sizes = {.cpu = 1 << 19, .gpu = 1 << 20};

/* How many batches the host has asked for, beside the one for which it waits. */
enum { FINISH, ONE_AHEAD, THREE_QUEUES, VERSIONS };
static const struct version {
    const char *name;
    cl_uint queues, ahead;
} versions[] = {
    {"finish after each", 1, 0}, {"one batch ahead", 1, 1}, {"three queues", 3, 2}};
static const char *const notes[SLOTS] = {"0 more asked for", "1 more asked for",
                                         "2 more asked for"};

/* What a batch goes through; the host prepares it, and uses it in the end. */
enum stage { HOST, COPY_IN, COMPUTE, COPY_OUT, STAGES };
static const char *const stages[] = {"host", "in", "compute", "out"};

/* Batches go round in a few slots: while the host uses one, the device computes the
 * next. */
struct pipeline {
    struct step *step;
    cl_uint n, times, plus; /* of a word the device makes word * times + plus */
    cl_command_queue queues[3];
    struct slot {
        cl_uint *in, *out; /* the host's, pinned */
        cl_mem in_buffer, out_buffer;
        struct launch launch;
        cl_event events[STAGES];
    } slots[SLOTS];
    double clock_ms; /* how far the host's clock is ahead of the device's */

    const struct version *version; /* that runs */
    struct timeline *timeline, timelines[VERSIONS];
    cl_uint asked, used, ahead; /* batches; the most that were ahead at a wait */
    bool right;
};

/* Each round is a product and a sum, and so are all of them together. */
static void set_rounds(struct pipeline *p, cl_uint rounds) {
    p->times = 1, p->plus = 0;
    for (cl_uint round = 0; round < rounds; round++) {
        p->times *= 1664525;
        p->plus = p->plus * 1664525 + 1;
    }
    for (int i = 0; i < SLOTS; i++)
        CHECK(clSetKernelArg(p->slots[i].launch.kernel, 3, sizeof rounds, &rounds));
}

/* A CPU's cores are the host's as well, so only a quarter of them computes.  Few
 * work-items go there, because each runs through all of the memory. */
static void open_pipeline(struct pipeline *p, struct step *step, cl_uint n) {
    struct device *device = &step->device;
    const size_t group = step_group(step, device->is_cpu ? GROUP_ON_CPU : GROUP),
                 items = device->is_cpu ? (device->units + 3) / 4 * group : n,
                 bytes = n * sizeof(cl_uint);
    *p = (struct pipeline){.step = step, .n = n, .clock_ms = clock_ahead_ms(device)};
    for (int i = 0; i < 3; i++)
        p->queues[i] = device_queue(device, false);
    for (struct slot *slot = p->slots; slot < p->slots + SLOTS; slot++) {
        slot->in = buffer_pinned(device, bytes);
        slot->out = buffer_pinned(device, bytes);
        slot->in_buffer = buffer_new(device, bytes);
        slot->out_buffer = buffer_new(device, bytes);
        slot->launch = LAUNCH(step, "timeline_gaps", items, group, ARG(slot->in_buffer),
                              ARG(slot->out_buffer), ARG(n));
    }
    set_rounds(p, 2 + n % 5); /* another number for another size */
}

/* Asks for all that the device does with a batch, and does not wait.  Events keep the
 * three commands in order; a single queue would do that by itself. */
static void start_batch(struct pipeline *p, struct slot *slot) {
    const cl_uint queues = p->version->queues;
    const size_t bytes = p->n * sizeof(cl_uint);
    cl_event *events = slot->events;
    CHECK(clEnqueueWriteBuffer(p->queues[0], slot->in_buffer, CL_FALSE, 0, bytes,
                               slot->in, 0, NULL, &events[COPY_IN]));
    events[COMPUTE] = launch_after(&p->step->device, p->queues[queues / 2],
                                   &slot->launch, 1, &events[COPY_IN]);
    CHECK(clEnqueueReadBuffer(p->queues[queues - 1], slot->out_buffer, CL_FALSE, 0,
                              bytes, slot->out, 1, &events[COMPUTE],
                              &events[COPY_OUT]));
    for (cl_uint i = 0; i < queues; i++)
        CHECK(clFlush(p->queues[i])); /* or they may rest until the host waits */
}

/* Prepares the next batch, which has other words than all others, and asks for it.  A
 * version has slots for one batch and for those that are ahead. */
static void ask_batch(struct pipeline *p) {
    struct slot *slot = &p->slots[p->asked % SLOTS];
    if (p->asked == BATCHES || p->asked - p->used > p->version->ahead) {
        p->right = wrong("%s: no slot for batch %u", p->version->name, p->asked);
        return;
    }
    const double begin_ms = now_ms();
    uint32_t state = p->step->options.seed + (p->asked++ + 1) * 2654435769u;
    for (cl_uint i = 0; i < p->n; i++)
        slot->in[i] = random_next(&state);
    timeline_add(p->timeline, HOST, "prepare", begin_ms, now_ms());
    start_batch(p, slot);
}

/* Compares every word with what the device has to find, and wipes it, so that a word
 * that is not copied next time is seen. */
static void compare(struct pipeline *p, const struct slot *slot) {
    char name[64];
    snprintf(name, sizeof name, "%s: batch %u: words", p->version->name, p->used);
    for (cl_uint i = 0; i < p->n; i++) {
        const cl_uint expected = slot->in[i] * p->times + p->plus;
        if (slot->out[i] != expected && p->right)
            p->right = wrong_at(element(name, i), slot->out[i], expected);
        slot->out[i] = POISON;
    }
}

/* Waits for the oldest batch, and uses it. */
static void use_batch(struct pipeline *p) {
    struct slot *slot = &p->slots[p->used % SLOTS];
    if (p->used == p->asked) {
        p->right = wrong("%s: batch %u is not there", p->version->name, p->used);
        return;
    }
    const cl_uint ahead = p->asked - p->used - 1;
    p->ahead = ahead > p->ahead ? ahead : p->ahead;
    if (p->version->ahead == 0)
        CHECK(clFinish(p->queues[0]));
    else
        CHECK(clWaitForEvents(1, &slot->events[COPY_OUT]));
    const double begin_ms = now_ms();
    compare(p, slot);
    timeline_add(p->timeline, HOST, "use", begin_ms, now_ms());
    for (int i = COPY_IN; i < STAGES; i++) {
        timeline_event(p->timeline, i, stages[i], slot->events[i], p->clock_ms);
        CHECK(clReleaseEvent(slot->events[i]));
    }
    p->used++;
}

/* The lesson: how long all batches take, by the host's clock. */
static double run_version(struct pipeline *p, int v) {
    const struct version *version = p->version = &versions[v];
    p->timeline = &p->timelines[v];
    timeline_free(p->timeline); /* of its last run */
    *p->timeline = (struct timeline){.name = version->name};
    for (int i = 0; i < STAGES; i++)
        timeline_row(p->timeline, stages[i]);
    p->asked = p->used = p->ahead = 0;
    p->right = true;
    const double begin_ms = now_ms();
    /* exercise { */
    for (cl_uint batch = 0; batch < BATCHES + version->ahead; batch++) {
        if (batch < BATCHES)
            ask_batch(p);
        if (batch >= version->ahead)
            use_batch(p);
    }
    /* } exercise */
    const double ms = now_ms() - begin_ms;
    if (p->used < BATCHES)
        p->right = wrong("%s: batch %u was never used", version->name, p->used);
    while (p->used < p->asked) /* the next run begins with empty slots */
        use_batch(p);
    return ms;
}

/* As many rounds as keep the device busy for as long as the host; the launch itself is
 * a smaller part of that in each try. */
static void balance(struct pipeline *p) {
    double rounds = 1.0;
    for (int i = 0; i < 3; i++) {
        set_rounds(p, (cl_uint)rounds);
        run_version(p, FINISH);
        rounds *= (1.0 - timeline_idle(p->timeline, HOST)) /
                  (1.0 - timeline_idle(p->timeline, COMPUTE));
        rounds = fmin(fmax(rounds, 1.0), 1 << 20);
    }
    set_rounds(p, (cl_uint)rounds);
}

int main(int argc, char **argv) {
    const char *path = NULL;
    const struct own_option own = {
        "timeline", "FILE", "draw who was busy when as SVG, or .json", .text = &path};
    const struct usage usage = {"step11_timeline_gaps", 0, 1, &own, 1};
    struct step step;
    step_open_own(&step, argc, argv, &usage);

    /* Batches of n words.  Only by default does the clock choose the rounds. */
    const cl_uint n = step_size(&step, &sizes, 4 * SLOTS, sizeof(cl_uint));
    struct pipeline p;
    open_pipeline(&p, &step, n);
    if (step.options.size_given)
        run_version(&p, FINISH); /* compiles the kernel */
    else
        balance(&p);

    /* The lesson: the versions, alternating. */
    const int repeats = step.options.repeats ? step.options.repeats : 5;
    double *ms[VERSIONS];
    struct row rows[VERSIONS];
    for (int v = 0; v < VERSIONS; v++) {
        ms[v] = step_array(&step, (size_t)repeats, sizeof *ms[v]);
        rows[v] = (struct row){versions[v].name, n, .right = true};
    }
    for (int i = 0; i < repeats * VERSIONS; i++) {
        const int v = i % VERSIONS;
        ms[v][i / VERSIONS] = run_version(&p, v);
        rows[v].right = rows[v].right && p.right;
        rows[v].note = notes[p.ahead];
    }
    struct slot *slot = p.slots;
    buffer_read(&step.device, slot->out_buffer, slot->out, 1); /* looks at guards */

    /* The result. */
    const struct ratio ratio = ratio_of(ms[ONE_AHEAD], ms[FINISH], repeats);
    for (int v = 0; v < VERSIONS; v++) {
        rows[v].time = timing_of(ms[v], repeats);
        report_row(&step.report, rows[v]);
    }
    report_headline(&step.report, "one batch ahead against one by one", ratio);
    if (step.device.is_cpu)
        report_say(&step.report,
                   "Host and device share %u cores here, so look at the "
                   "counts, not at the times.",
                   step.device.units);

    /* Who was busy when?  The first batches, with none ahead and with two. */
    const double drawn_ms = timeline_ms(&p.timelines[FINISH]) * DRAWN / BATCHES;
    for (int v = 0; v < VERSIONS && step.options.format == FORMAT_TABLE; v += 2) {
        report_say(&step.report, "%s:", versions[v].name);
        timeline_draw(&p.timelines[v], step.report.out, COLUMNS, drawn_ms);
    }
    if (path)
        timeline_write(p.timelines, VERSIONS, path);
    for (int v = 0; v < VERSIONS; v++)
        timeline_free(&p.timelines[v]);
    return step_close(&step);
}
