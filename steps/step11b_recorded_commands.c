/* Step 11b: the price of a call: fewer launches, and recorded ones
 *
 * In step 11 the device waited for data that the host prepared.  Here it waits for the
 * host's calls: a chain of 64 links is needed again and again, and a launch of one link
 * may take less time than the call for it.  So what do fewer calls gain?  All times are
 * the host's, because the work of the host is the subject.
 *
 * Read with  kernels/step11b_recorded_commands.cl, docs/step11b_recorded_commands.md
 * Try        --size 1000000 --repeats 3, on a GPU 16000000: which rows stay apart?
 * Lens       --size 1024 recorded_commands recorded_commands_four
 * Races      LOCKSTEP_MAX_GROUP=100 --size 1003 --all
 * Story      --repeats 21
 */
#include "check.h"
#include "step.h"

#include <stdio.h>
#include <string.h>

enum { GROUP = 64, LINKS = 64, ROUNDS = 21, WARM_UP = 1 };

static const struct sizes sizes = {.cpu = 1 << 10, .gpu = 1 << 14};

/* Ways to enqueue the chain, and how many links each launch makes. */
enum { FINISH, EACH, FOURS, RECORDED, WAYS };
static const struct variant {
    const char *name, *kernel;
    cl_uint links;
    bool waits, recorded; /* after each launch; once, before anything is timed */
} variants[WAYS] = {
    [FINISH] = {"finish after each launch", "recorded_commands", 1, true, false},
    [EACH] = {"one launch after another", "recorded_commands", 1, false, false},
    [FOURS] = {"four links in a launch", "recorded_commands_four", 4, false, false},
    [RECORDED] = {"recorded once", "recorded_commands", 1, false, true},
};

/* A recording of launches, and the calls of cl_khr_command_buffer, an extension of
 * OpenCL.  Headers and drivers have several versions of it, in which these five calls
 * are the same, so we write their types here. */
struct recorder {
    void *commands; /* what is recorded; NULL where the device cannot record */
    double ms;      /* that the recording took */
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

/* The chain: each link mixes every word with its neighbour. */
struct chain {
    struct step *step;
    cl_uint n, *words, *found; /* what the host and the device make of the words */
    cl_uint first;     /* the number of the first link: 0, or with --all a large one */
    cl_mem buffers[2]; /* a launch reads the one and writes the other */
    struct recorder recorder;
};

/* A way to enqueue it, and the milliseconds of each round: all, and the calls alone. */
struct way {
    const struct variant *variant;
    size_t count; /* of launches */
    struct launch launches[LINKS];
    bool right;
    double *ms, *calls_ms;
};

/* A number of the first link that 24 bits cannot hold; a multiple of LINKS, as 0 is. */
static cl_uint large_link(cl_uint *random) {
    const cl_uint chains = random_next(random) % (1u << 22);
    return (1u << 24) + chains * LINKS;
}

static struct chain make_chain(struct step *step, cl_uint n) {
    cl_uint random = step->options.seed + 1;
    struct chain chain = {.step = step, .n = n};
    if (step->options.all)
        chain.first = large_link(&random);

    chain.words = step_array(step, n + (size_t)1, sizeof(cl_uint));
    chain.found = step_array(step, n, sizeof(cl_uint));
    for (cl_uint i = 0; i < n; i++)
        chain.words[i] = random_next(&random);

    for (int b = 0; b < 2; b++)
        chain.buffers[b] = buffer_new(&step->device, n * sizeof(cl_uint));
    return chain;
}

static struct way make_way(const struct chain *chain, const struct variant *variant,
                           int rounds) {
    struct step *step = chain->step;
    struct way way = {.variant = variant, .right = true};
    way.count = LINKS / variant->links;
    way.ms = step_array(step, (size_t)rounds, sizeof(double));
    way.calls_ms = step_array(step, (size_t)rounds, sizeof(double));

    for (cl_uint i = 0; i < way.count; i++) {
        const cl_uint link = chain->first + i * variant->links;
        way.launches[i] =
            LAUNCH(step, variant->kernel, chain->n, step_group(step, GROUP),
                   ARG(chain->buffers[i % 2]), ARG(chain->buffers[(i + 1) % 2]),
                   ARG(chain->n), ARG(link));
    }
    return way;
}

/* The host's own chain.  One word more than n: the right neighbour of the last. */
static void run_on_host(const struct chain *chain) {
    cl_uint *words = chain->words;
    const cl_uint n = chain->n;
    for (cl_uint i = 0; i < LINKS; i++) {
        const cl_uint link = chain->first + i;
        words[n] = words[0];
        for (cl_uint w = 0; w < n; w++)
            words[w] = words[w] * 1664525u + (words[w + 1] >> 3) + 2 * link + 1;
    }
}

/* The lesson: a call for each launch, or a replay, which is one call for all. */
static void enqueue(const struct chain *chain, const struct way *way) {
    const struct recorder *recorder = &chain->recorder;
    cl_command_queue queue = chain->step->device.queue;
    if (way->variant->recorded) {
        CHECK(recorder->replay(0, NULL, recorder->commands, 0, NULL, NULL));
        return;
    }

    for (size_t i = 0; i < way->count; i++) {
        const struct launch *launch = &way->launches[i];
        CHECK(clEnqueueNDRangeKernel(queue, launch->kernel, 1, NULL, launch->global,
                                     launch->local, 0, NULL, NULL));
        if (way->variant->waits)
            CHECK(clFinish(queue));
    }
}

struct times {
    double calls_ms, all_ms;
};

/* Runs the chain on the device and on the host, from what the last run made of the
 * words. */
static struct times run(const struct chain *chain, const struct way *way) {
    struct device *device = &chain->step->device;
    const size_t bytes = chain->n * sizeof(cl_uint);
    struct times times;
    buffer_write(device, chain->buffers[0], chain->words, bytes);

    const double began_ms = now_ms();
    enqueue(chain, way);
    CHECK(clFlush(device->queue));
    times.calls_ms = now_ms() - began_ms;
    CHECK(clFinish(device->queue));
    times.all_ms = now_ms() - began_ms;

    buffer_read(device, chain->buffers[0], chain->found, bytes);
    run_on_host(chain);
    return times;
}

/* The first word in which the two differ; n if there is none. */
static cl_uint first_difference(const struct chain *chain) {
    for (cl_uint i = 0; i < chain->n; i++)
        if (chain->found[i] != chain->words[i])
            return i;
    return chain->n;
}

/* Names the first word that is wrong; of each way once. */
static void check(const struct chain *chain, struct way *way) {
    const cl_uint at = first_difference(chain);
    if (at < chain->n && way->right)
        way->right = wrong_at(element_of_item("words", at, way->launches),
                              chain->found[at], chain->words[at]);
}

/* ---- Recorded commands.  A program is not linked with the calls of an extension: it
 * asks for them by name. */
static void find_call(cl_platform_id platform, const char *name, void *call) {
    void *found = clGetExtensionFunctionAddressForPlatform(platform, name);
    memcpy(call, &found, sizeof found); /* C has no cast from data to functions */
}

static void find_calls(struct recorder *recorder, cl_device_id device) {
    cl_platform_id platform;
    CHECK(
        clGetDeviceInfo(device, CL_DEVICE_PLATFORM, sizeof platform, &platform, NULL));
    find_call(platform, "clCreateCommandBufferKHR", &recorder->create);
    find_call(platform, "clCommandNDRangeKernelKHR", &recorder->launch);
    find_call(platform, "clFinalizeCommandBufferKHR", &recorder->finalize);
    find_call(platform, "clEnqueueCommandBufferKHR", &recorder->replay);
    find_call(platform, "clReleaseCommandBufferKHR", &recorder->release);
}

/* An empty recording for the device's queue; NULL where the device refuses.  PoCL may
 * think that a replay is still going on when the host has seen its end, so we ask for
 * CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR, where the device has it. */
static void *new_recording(const struct recorder *recorder, struct device *device) {
    enum { COMMAND_BUFFER_FLAGS = 0x1293, SIMULTANEOUS_USE = 1 };
    const cl_ulong flags[] = {COMMAND_BUFFER_FLAGS, SIMULTANEOUS_USE, 0};
    cl_int status;
    void *commands = recorder->create(1, &device->queue, flags, &status);
    if (status != CL_SUCCESS)
        commands = recorder->create(1, &device->queue, NULL, &status);
    return status == CL_SUCCESS ? commands : NULL;
}

/* Records launches, so that one call enqueues all of them again and again.  Nothing is
 * recorded where the device cannot: then `commands` is NULL. */
static struct recorder record(struct device *device, const struct launch *launches,
                              size_t count) {
    struct recorder recorder = {0};
    const double began_ms = now_ms();
    if (!device_has(device->id, "cl_khr_command_buffer"))
        return recorder;
    find_calls(&recorder, device->id);
    recorder.commands = new_recording(&recorder, device);
    if (!recorder.commands)
        return recorder;

    /* Nothing runs yet. */
    for (size_t i = 0; i < count; i++)
        CHECK(recorder.launch(recorder.commands, NULL, NULL, launches[i].kernel,
                              launches[i].dimensions, NULL, launches[i].global,
                              launches[i].local, 0, NULL, NULL, NULL));
    CHECK(recorder.finalize(recorder.commands));
    recorder.ms = now_ms() - began_ms;
    return recorder;
}

/* Does a replay ignore an argument that is set after the recording?  We give the first
 * link another number, which a replay that looks at it shows in the words. */
static bool arguments_are_kept(const struct chain *chain, const struct way *recorded) {
    const cl_uint other = chain->first + LINKS;
    CHECK(clSetKernelArg(recorded->launches[0].kernel, 3, sizeof other, &other));
    run(chain, recorded);
    return first_difference(chain) == chain->n;
}

/* ---- The result.  The waits of the first way are not calls. */
static void report_way(struct report *report, const struct chain *chain,
                       const struct way *way, int rounds) {
    char note[32];
    const struct timing calls = timing_of(way->calls_ms, rounds);
    snprintf(note, sizeof note, "calls %.3f ms", calls.median_ms);
    struct row row = {.variant = way->variant->name, .size = chain->n};
    row.right = way->right;
    row.by_host = true;
    row.time = timing_of(way->ms, rounds);
    if (!way->variant->waits)
        row.note = note;
    report_row(report, row);
}

/* Can kernels of this device enqueue kernels?  The number is that of
 * CL_DEVICE_QUEUE_ON_DEVICE_PROPERTIES, which the headers of OpenCL 1.2 do not have.  A
 * device that does not know the question, or has no such queue, leaves the 0. */
static bool kernels_can_enqueue(const struct device *device) {
    enum { QUEUE_ON_DEVICE_PROPERTIES = 0x104E };
    cl_bitfield properties = 0;
    clGetDeviceInfo(device->id, QUEUE_ON_DEVICE_PROPERTIES, sizeof properties,
                    &properties, NULL);
    return properties != 0;
}

/* What the step says of recorded commands below its headline. */
static void report_recorded(struct report *report, const struct chain *chain,
                            const struct way *ways, int rounds) {
    const struct ratio ratio = ratio_of(ways[RECORDED].ms, ways[EACH].ms, rounds);
    report_say(report, "Recorded, not one after another: %s.", in_words(ratio).text);

    const bool kept = arguments_are_kept(chain, &ways[RECORDED]);
    report_say(report, "Recording took %.3f ms; later arguments are %s.",
               chain->recorder.ms, kept ? "ignored" : "used");
}

/* The ways alternate, after a round that only warms up.  All rounds are checked. */
static void run_ways(const struct chain *chain, struct way *ways, int count,
                     int rounds) {
    for (int round = 0; round < WARM_UP + rounds; round++) {
        for (int w = 0; w < count; w++) {
            const struct times times = run(chain, &ways[w]);
            check(chain, &ways[w]);
            if (round < WARM_UP)
                continue;
            ways[w].ms[round - WARM_UP] = times.all_ms;
            ways[w].calls_ms[round - WARM_UP] = times.calls_ms;
        }
    }
}

int main(int argc, char **argv) {
    struct step step;
    step_open(&step, argc, argv,
              &(struct usage){.step = "step11b_recorded_commands",
                              .lesson = "the same chain, in many launches or in few"});
    const cl_uint n = step_size(&step, &sizes, 2, sizeof(cl_uint));
    const int rounds = step.options.repeats ? step.options.repeats : ROUNDS;

    /* The launches of each way; those of the last one are recorded. */
    struct chain chain = make_chain(&step, n);
    struct way ways[WAYS];
    for (int w = 0; w < WAYS; w++)
        ways[w] = make_way(&chain, &variants[w], rounds);
    const struct way *recorded = &ways[RECORDED];
    chain.recorder = record(&step.device, recorded->launches, recorded->count);
    const bool can_record = chain.recorder.commands != NULL;
    const int count = can_record ? WAYS : RECORDED;

    run_ways(&chain, ways, count, rounds);
    const struct ratio ratio = ratio_of(ways[FOURS].ms, ways[EACH].ms, rounds);

    /* The result. */
    for (int w = 0; w < count; w++)
        report_way(&step.report, &chain, &ways[w], rounds);
    report_headline(
        &step.report, "four links in a launch, not one", ratio,
        "Calls and kernels share its cores, which have to mix 2.5 times as often.");

    if (can_record) {
        report_recorded(&step.report, &chain, ways, rounds);
        CHECK(chain.recorder.release(chain.recorder.commands));
    }
    report_say(&step.report, "This device can%s record; its kernels can%s enqueue.",
               can_record ? "" : "not", kernels_can_enqueue(&step.device) ? "" : "not");
    return step_close(&step);
}
