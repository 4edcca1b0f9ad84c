/* Step 11b: commands recorded once
 *
 * In step 11 the device waited for data that the host prepared.  Here it waits for the
 * host's calls: the same chain of tiny launches is needed again and again, and a launch
 * may take less time than the call for it.  So all times are those of the host's clock.
 *
 * Read with  kernels/step11b_recorded_commands.cl, docs/step11b_recorded_commands.md
 * Try        --size 1000000 --repeats 3, on a GPU 16000000: which rows stay apart?
 * Lens       --size 1024 recorded_commands recorded_commands_four
 * Races      LOCKSTEP_MAX_GROUP=100 --size 1003 --all
 * Story      --repeats 21
 */
#include "check.h"
#include "data/recorder.h"
#include "step.h"

enum { GROUP = 64, LINKS = 64, REPEATS = 21 };
static const struct sizes sizes = {.cpu = 1 << 10, .gpu = 1 << 14};

/* Ways to enqueue the chain, and how many links each launch makes. */
enum { FINISH, EACH, FOURS, RECORDED, WAYS };
static const char *const names[WAYS] = {"finish after each launch",
                                        "one launch after another",
                                        "four links in a launch", "recorded once"};
static const cl_uint links[WAYS] = {1, 1, 4, 1};

struct chain {
    struct device *device;
    cl_uint n, *words, *found;
    cl_uint first;     /* the number of link 0; with --all, one of many bits */
    cl_mem buffers[2]; /* a launch reads the one and writes the other */
    struct launch launch[WAYS][LINKS];
    double *ms[WAYS], *calls_ms[WAYS]; /* of each round: all, and the calls alone */
    struct recorder recorder;
};

static void make_chain(struct step *step, struct chain *chain, cl_uint n, int rounds) {
    cl_uint random = step->options.seed + 1;
    *chain = (struct chain){.device = &step->device, .n = n};
    if (step->options.all)
        chain->first = 1u << 24 | random_next(&random) >> 10 << 6;
    chain->words = step_array(step, n + (size_t)1, sizeof(cl_uint));
    chain->found = step_array(step, n, sizeof(cl_uint));
    for (cl_uint i = 0; i < n; i++)
        chain->words[i] = random_next(&random);
    for (int b = 0; b < 2; b++)
        chain->buffers[b] = buffer_new(chain->device, n * sizeof(cl_uint));
    for (int way = 0; way < WAYS; way++) {
        chain->ms[way] = step_array(step, (size_t)rounds, sizeof(double));
        chain->calls_ms[way] = step_array(step, (size_t)rounds, sizeof(double));
        const char *kernel =
            way == FOURS ? "recorded_commands_four" : "recorded_commands";
        for (cl_uint i = 0; i * links[way] < LINKS; i++) {
            const cl_uint link = chain->first + i * links[way];
            chain->launch[way][i] = LAUNCH(
                step, kernel, n, step_group(step, GROUP), ARG(chain->buffers[i % 2]),
                ARG(chain->buffers[(i + 1) % 2]), ARG(n), ARG(link));
        }
    }
}

/* The lesson: enqueues the chain, and waits for its end. */
static void run_chain(const struct chain *chain, int way, int round) {
    const struct launch *next = chain->launch[way];
    const double began_ms = now_ms();
    if (way == RECORDED)
        recorder_replay(&chain->recorder);
    for (cl_uint i = 0; i < LINKS && way != RECORDED; i += links[way], next++) {
        CHECK(clEnqueueNDRangeKernel(chain->device->queue, next->kernel, 1, NULL,
                                     next->global, next->local, 0, NULL, NULL));
        if (way == FINISH)
            CHECK(clFinish(chain->device->queue));
    }
    CHECK(clFlush(chain->device->queue));
    chain->calls_ms[way][round] = now_ms() - began_ms;
    CHECK(clFinish(chain->device->queue));
    chain->ms[way][round] = now_ms() - began_ms;
}

/* Runs the chain on the device and on the host, from what the last one made of the
 * words.  Returns the first word that differs; n if none does. */
static cl_uint first_wrong(struct chain *chain, int way, int round) {
    cl_uint *words = chain->words, n = chain->n, same = 0;
    buffer_write(chain->device, chain->buffers[0], words, n * sizeof *words);
    run_chain(chain, way, round);
    buffer_read(chain->device, chain->buffers[0], chain->found, n * sizeof *words);
    for (cl_uint i = 0; i < LINKS; i++) {
        const cl_uint link = chain->first + i;
        words[n] = words[0]; /* the right neighbour of the last */
        for (cl_uint w = 0; w < n; w++)
            words[w] = words[w] * 1664525u + (words[w + 1] >> 3) + 2 * link + 1;
    }
    while (same < n && chain->found[same] == words[same])
        same++;
    return same;
}

int main(int argc, char **argv) {
    struct step step;
    struct chain chain;
    step_open(&step, argc, argv, &(struct usage){.step = "step11b_recorded_commands"});
    const cl_uint n = step_size(&step, &sizes, 2, sizeof(cl_uint));
    const int repeats = step.options.repeats ? step.options.repeats : REPEATS;
    make_chain(&step, &chain, n, 1 + repeats);

    /* Records a launch for each link; nothing runs yet. */
    recorder_begin(&chain.recorder, &step.device);
    for (int i = 0; i < LINKS; i++)
        recorder_add(&chain.recorder, &chain.launch[RECORDED][i]);
    recorder_end(&chain.recorder);

    /* The ways alternate, after a round that only warms up.  All rounds are checked. */
    const int count = chain.recorder.commands ? WAYS : RECORDED;
    bool right[WAYS] = {true, true, true, true};
    for (int i = 0; i < (1 + repeats) * count; i++) {
        const int round = i / count, way = i % count;
        const cl_uint at = first_wrong(&chain, way, round);
        if (at < n && right[way])
            right[way] = wrong_at(element_of_item("words", at, chain.launch[way]),
                                  chain.found[at], chain.words[at]);
    }

    /* The result.  The waits of the first way are no calls. */
    const struct ratio ratio =
        ratio_of(chain.ms[RECORDED] + 1, chain.ms[EACH] + 1, repeats);
    for (int way = 0; way < count; way++) {
        char note[32];
        const struct timing calls = timing_of(chain.calls_ms[way] + 1, repeats);
        snprintf(note, sizeof note, "calls %.3f ms", calls.median_ms);
        struct row row = {names[way], n, .right = right[way], .by_host = true};
        row.time = timing_of(chain.ms[way] + 1, repeats);
        row.note = way == FINISH ? NULL : note;
        report_row(&step.report, row);
    }

    /* The trap: is an argument that is set after the recording ignored in a replay? */
    if (chain.recorder.commands) {
        const cl_uint other = chain.first + LINKS;
        CHECK(clSetKernelArg(chain.launch[RECORDED]->kernel, 3, sizeof other, &other));
        report_headline(&step.report, "recorded against enqueued one by one", ratio);
        const bool kept = first_wrong(&chain, RECORDED, 0) == n;
        report_say(&step.report, "Recording took %.3f ms; later arguments are %s.",
                   chain.recorder.ms, kept ? "ignored" : "used");
        recorder_release(&chain.recorder);
    }

    /* CL_DEVICE_QUEUE_ON_DEVICE_PROPERTIES; OpenCL 1.2 does not know the question. */
    cl_bitfield queue = 0;
    clGetDeviceInfo(step.device.id, 0x104E, sizeof queue, &queue, NULL);
    report_say(&step.report, "This device can%s record; its kernels can%s enqueue.",
               count == WAYS ? "" : "not", queue ? "" : "not");
    if (step.device.is_cpu)
        report_say(&step.report, "On a CPU calls and kernels share the cores, and PoCL "
                                 "enqueues each recorded launch again.");
    return step_close(&step);
}
