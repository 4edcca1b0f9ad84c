/* Step 11b: commands recorded once
 *
 * In step 11 the device waited for batches that the host prepared.  Here nothing is to
 * be prepared: the host enqueues the same chain of tiny launches again and again, and
 * may need longer for its calls than the device for its work.  So all times are those
 * of the host's clock.
 *
 * Read with  kernels/step11b_recorded_commands.cl, docs/step11b_recorded_commands.md
 * Try        --size 1000000 --repeats 3: which rows are still far apart, and why?
 * Lens       --size 1024 recorded_commands recorded_commands_four
 * Races      --size 1003
 * Story      --repeats 21
 */
#include "check.h"
#include "recorder.h"
#include "step.h"

enum { GROUP = 64, LINKS = 64, FOUR = 4, REPEATS = 21, MAX_REPEATS = 999 };
static const struct sizes sizes = {.cpu = 1 << 10, .gpu = 1 << 14};

/* Ways to enqueue the chain, and the times of each: of all, and of the calls alone. */
enum { FINISH, EACH, FOURS, RECORDED, WAYS };
enum { ALL, CALLS, TIMES };
static const char *const names[TIMES][WAYS] = {
    {"finish after each launch", "one launch after another", "four links in a launch",
     "recorded once"},
    {NULL, "calls, one by one", "calls, four in one", "calls, recorded"}};

/* Even launches read `words` and write `others`, odd ones the other way round.  The
 * host has new numbers for each round, and what the chain makes of them. */
struct chain {
    struct device *device;
    cl_uint n, state, *numbers, *expected, *found;
    cl_mem words, others;
    struct launch links[LINKS], fours[LINKS / FOUR];
    struct recorder recorder;
    void *recorded; /* NULL: this device cannot record */
};

static void make_chain(struct step *step, struct chain *chain, cl_uint n) {
    const size_t group = step_group(step, GROUP), bytes = n * sizeof(cl_uint);
    *chain = (struct chain){.device = &step->device, .n = n};
    chain->state = step->options.seed + 1;
    chain->numbers = step_array(step, n, sizeof(cl_uint));
    chain->expected = step_array(step, n, sizeof(cl_uint));
    chain->found = step_array(step, n, sizeof(cl_uint));
    chain->words = buffer_new(chain->device, bytes);
    chain->others = buffer_new(chain->device, bytes);
    for (cl_uint i = 0; i < LINKS; i++) {
        const cl_uint first = FOUR * i;
        cl_mem x = i % 2 ? chain->others : chain->words;
        cl_mem y = i % 2 ? chain->words : chain->others;
        chain->links[i] =
            LAUNCH(step, "recorded_commands", n, group, ARG(x), ARG(y), ARG(n), ARG(i));
        if (first < LINKS)
            chain->fours[i] = LAUNCH(step, "recorded_commands_four", n, group, ARG(x),
                                     ARG(y), ARG(n), ARG(first));
    }
}

/* Records the launches of all links; returns the milliseconds that it took. */
static double record(struct chain *chain) {
    const double began_ms = now_ms();
    void *commands = recorder_begin(&chain->recorder, chain->device);
    for (int i = 0; i < LINKS && commands; i++)
        CHECK(chain->recorder.launch(commands, NULL, NULL, chain->links[i].kernel, 1,
                                     NULL, chain->links[i].global,
                                     chain->links[i].local, 0, NULL, NULL, NULL));
    if (commands)
        CHECK(chain->recorder.finalize(commands));
    chain->recorded = commands;
    return now_ms() - began_ms;
}

/* The lesson: enqueues the chain, and waits for its end. */
static void run_chain(const struct chain *chain, int way, double ms[TIMES]) {
    cl_command_queue queue = chain->device->queue;
    const struct launch *launches = way == FOURS ? chain->fours : chain->links;
    const int count = way == RECORDED ? 0 : way == FOURS ? LINKS / FOUR : LINKS;
    const double began_ms = now_ms();
    if (way == RECORDED)
        CHECK(chain->recorder.replay(0, NULL, chain->recorded, 0, NULL, NULL));
    for (const struct launch *next = launches; next < launches + count; next++) {
        CHECK(clEnqueueNDRangeKernel(queue, next->kernel, 1, NULL, next->global,
                                     next->local, 0, NULL, NULL));
        if (way == FINISH)
            CHECK(clFinish(queue));
    }
    CHECK(clFlush(queue));
    ms[CALLS] = now_ms() - began_ms;
    CHECK(clFinish(queue));
    ms[ALL] = now_ms() - began_ms;
}

static void next_round(struct chain *chain) {
    const size_t n = chain->n;
    for (size_t i = 0; i < n; i++)
        chain->numbers[i] = chain->expected[i] = random_next(&chain->state);
    for (cl_uint link = 0; link < LINKS; link++) {
        const cl_uint first = chain->expected[0]; /* the neighbour of the last */
        for (size_t i = 0; i < n; i++) {
            const cl_uint right = i + 1 < n ? chain->expected[i + 1] : first;
            chain->expected[i] =
                chain->expected[i] * 1664525u + (right >> 3) + 2 * link + 1;
        }
    }
}

/* Runs the chain with the numbers of this round, and finds the first word that is
 * wrong; n if none is.  Both buffers hold these numbers first, so a word that is not
 * written is wrong, too. */
static size_t first_wrong(struct chain *chain, int way, double ms[TIMES]) {
    const size_t bytes = chain->n * sizeof(cl_uint);
    size_t i = 0;
    buffer_write(chain->device, chain->words, chain->numbers, bytes);
    buffer_write(chain->device, chain->others, chain->numbers, bytes);
    run_chain(chain, way, ms);
    buffer_read(chain->device, chain->words, chain->found, bytes);
    while (i < chain->n && chain->found[i] == chain->expected[i])
        i++;
    return i;
}

static bool is_right(struct chain *chain, int way, double ms[TIMES]) {
    const size_t i = first_wrong(chain, way, ms);
    return i == chain->n ||
           wrong_at(element_of_item("words", i, &chain->links[0]),
                    (double)chain->found[i], (double)chain->expected[i]);
}

/* The trap: is an argument that is set after the recording ignored in a replay? */
static bool keeps_arguments(struct chain *chain) {
    double ms[TIMES];
    const cl_uint other = LINKS;
    CHECK(clSetKernelArg(chain->links[0].kernel, 3, sizeof other, &other));
    return first_wrong(chain, RECORDED, ms) == chain->n;
}

/* Can its kernels enqueue kernels?  CL_DEVICE_QUEUE_ON_DEVICE_PROPERTIES of OpenCL 2.0
 * and later is 0 if not; OpenCL 1.2 does not know the question. */
static bool enqueues_itself(cl_device_id id) {
    cl_bitfield queue = 0;
    return clGetDeviceInfo(id, 0x104E, sizeof queue, &queue, NULL) == CL_SUCCESS &&
           queue != 0;
}

int main(int argc, char **argv) {
    struct step step;
    struct chain chain;
    step_open(&step, argc, argv, "step11b_recorded_commands");
    make_chain(&step, &chain, step_size(&step, &sizes, 2, sizeof(cl_uint)));
    double recording_ms = record(&chain);

    /* The ways take turns, with the same new numbers in each round.  The first round
     * only warms up, and in every round every word is checked. */
    const int wanted = step.options.repeats ? step.options.repeats : REPEATS,
              repeats = wanted < MAX_REPEATS ? wanted : MAX_REPEATS,
              count = chain.recorded ? WAYS : RECORDED;
    double ms[TIMES][WAYS][MAX_REPEATS] = {0}, times[TIMES];
    bool right[WAYS];
    for (int r = -1; r < repeats; r++) {
        next_round(&chain);
        for (int way = 0; way < count; way++) {
            const bool now = is_right(&chain, way, times);
            right[way] = r < 0 ? now : right[way] && right_again(now);
            for (int t = 0; t < TIMES && r >= 0; t++)
                ms[t][way][r] = times[t];
        }
    }

    /* The result: until the end of the chain, and the calls alone. */
    struct row row = {.size = chain.n};
    const struct ratio ratio = ratio_of(ms[ALL][RECORDED], ms[ALL][EACH], repeats);
    for (int t = 0; t < TIMES; t++)
        for (int way = t; way < count; way++) { /* to finish is more than a call */
            row.variant = names[t][way];
            row.time = timing_of(ms[t][way], repeats);
            row.right = right[way];
            report_row(&step.report, row);
        }
    if (chain.recorded) {
        row.variant = "recording the chain";
        row.note = "once";
        row.time = timing_of(&recording_ms, 1);
        report_row(&step.report, row);
        report_headline(&step.report, "recorded against enqueued one by one", ratio);
        report_say(&step.report,
                   "After clSetKernelArg(), a replay uses the %s argument.",
                   keeps_arguments(&chain) ? "recorded" : "new");
        CHECK(chain.recorder.release(chain.recorded));
    }
    report_say(&step.report, "This device can%s record; its kernels can%s enqueue.",
               chain.recorded ? "" : "not",
               enqueues_itself(step.device.id) ? "" : "not");
    if (step.device.is_cpu)
        report_say(&step.report, "On a CPU calls and kernels share the cores, and PoCL "
                                 "enqueues each recorded launch again.");
    return step_close(&step);
}
