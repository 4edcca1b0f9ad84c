/* Step 11c: zero-copy: memory that host and device share
 *
 * In step 11 each batch was copied to the device, and the copies were hidden.  Where
 * host and device have one memory, they are not needed at all.  Where each has its own,
 * all words cross a bus: once, or again in every use.  So ask three questions: who
 * copies, when, and how often are the words used?
 *
 * Read with  kernels/step11c_zero_copy.cl, docs/step11c_zero_copy.md
 * Try        --size 1000: which way is the best for few words, and why?
 * Lens       --size 4096 --chunk 1 zero_copy
 * Waits      counted, too: how often the host waits for a copy, or for a map
 * Races      LOCKSTEP_MAX_GROUP=100 --size 10007
 * Story      --repeats 5
 */
#include "check.h"
#include "step.h"

#include <stdio.h>

enum { USES = 100, ROUNDS = 7, WARM_UP = 1 };
/* At a device's own size each work-item takes more than one chunk. */
enum { GROUP = 32, ITEMS = 1 << 18, ITEMS_ON_CPU = 1 << 12, CHUNK_ON_CPU = 1 << 9 };

static const struct sizes sizes = {.cpu = 1 << 22, .gpu = 1 << 26};

/* Where the host writes its words: in memory of which the device gets a copy, or in the
 * buffer that kernels read. */
enum { ORDINARY, PINNED, MAPPED, MEMORIES };

enum { COPIED_ONCE, PINNED_ONCE, MAPPED_ONCE };
enum { COPIED_OFTEN = MEMORIES, PINNED_OFTEN, MAPPED_OFTEN, VARIANTS };
static const struct variant {
    const char *name;
    int memory;
    cl_uint uses;  /* of each new set of words */
    int used_once; /* the row of the same memory with one use */
} variants[VARIANTS] = {
    [COPIED_ONCE] = {"copied, used once", ORDINARY, 1, COPIED_ONCE},
    [PINNED_ONCE] = {"pinned, used once", PINNED, 1, PINNED_ONCE},
    [MAPPED_ONCE] = {"mapped, used once", MAPPED, 1, MAPPED_ONCE},
    [COPIED_OFTEN] = {"copied, 100 uses", ORDINARY, USES, COPIED_ONCE},
    [PINNED_OFTEN] = {"pinned, 100 uses", PINNED, USES, PINNED_ONCE},
    [MAPPED_OFTEN] = {"mapped, 100 uses", MAPPED, USES, MAPPED_ONCE},
};

/* Words on their way from the host to the device. */
struct input {
    cl_uint *words; /* where the host writes; NULL while they are the device's */
    cl_mem buffer;  /* where kernels read */
    bool is_mapped; /* is that the same memory, or are the words copied there? */
    struct launch launch;
};

struct work {
    struct step *step;
    cl_uint n, chunk, state; /* of the generator of random numbers */
    cl_uint sum;             /* of the words that the host has written last */
    bool keep_mapped;        /* the trap: map once, and never unmap */
    struct input inputs[MEMORIES];
    cl_mem sums_buffer;
    size_t items; /* each has a sum */
    cl_uint *sums;
};

/* A variant's milliseconds in each round. */
struct outcome {
    double *ms;
    bool right;
};

/* ---- Who may touch the words: the host, or the device. */

/* The host takes them.  Mapping waits for the kernels that read the buffer.  As the
 * host will write all of it, nothing has to bring the old words to the host. */
static void take(const struct work *work, struct input *input) {
    if (!input->is_mapped || input->words)
        return; /* they are the host's already */

    cl_int status;
    input->words =
        clEnqueueMapBuffer(work->step->device.queue, input->buffer, CL_TRUE,
                           CL_MAP_WRITE_INVALIDATE_REGION, 0, work->n * sizeof(cl_uint),
                           0, NULL, NULL, &status);
    check_status(status, "clEnqueueMapBuffer");
}

/* The host gives them to the device: it copies them, or says that it has written. */
static void give(const struct work *work, struct input *input) {
    struct device *device = &work->step->device;
    if (!input->is_mapped) {
        buffer_write(device, input->buffer, input->words, work->n * sizeof(cl_uint));
    } else if (input->words && !work->keep_mapped) {
        CHECK(clEnqueueUnmapMemObject(device->queue, input->buffer, input->words, 0,
                                      NULL, NULL));
        input->words = NULL;
    }
}

/* The device uses them, for the first time or again. */
static void use_words(const struct work *work, const struct input *input,
                      bool is_again) {
    const cl_uint again = is_again;
    const struct launch *launch = &input->launch;
    kernel_args(launch->kernel, ARG(input->buffer), ARG(work->sums_buffer),
                ARG(work->n), ARG(work->chunk), ARG(again));
    CHECK(clEnqueueNDRangeKernel(work->step->device.queue, launch->kernel, 1, NULL,
                                 launch->global, launch->local, 0, NULL, NULL));
}

/* The host writes other words in every round, so a copy that is old is wrong. */
static void write_words(struct work *work, cl_uint *words) {
    work->sum = 0;
    for (cl_uint i = 0; i < work->n; i++) {
        const cl_uint word = random_next(&work->state);
        words[i] = word; /* and is not read here: it is mapped for writing */
        work->sum += word;
    }
}

/* The lesson: how long is the way from the host's words to the device's sums?  While
 * the host writes its words the clock stands still, as this work is always the same. */
static double run(struct work *work, const struct variant *variant) {
    struct input *input = &work->inputs[variant->memory];
    struct device *device = &work->step->device;
    buffer_poison(device, work->sums_buffer);

    const double began_ms = now_ms();
    take(work, input);
    const double taken_ms = now_ms();
    write_words(work, input->words);
    const double written_ms = now_ms();
    /* exercise { */
    give(work, input);
    for (cl_uint use = 0; use < variant->uses; use++)
        use_words(work, input, use > 0);
    /* } exercise */
    CHECK(clEnqueueReadBuffer(device->queue, work->sums_buffer, CL_TRUE, 0,
                              work->items * sizeof(cl_uint), work->sums, 0, NULL,
                              NULL));
    const double used_ms = now_ms();
    return (taken_ms - began_ms) + (used_ms - written_ms);
}

/* Names a sum that is wrong; of each variant one. */
static void check_sum(const struct work *work, const struct variant *variant, int round,
                      struct outcome *outcome) {
    cl_uint sum = 0;
    for (size_t i = 0; i < work->items; i++)
        sum += work->sums[i];
    if (outcome->right && sum != work->sum * variant->uses)
        outcome->right = wrong("%s: the sum in round %d is %u, expected %u",
                               variant->name, round, sum, work->sum * variant->uses);
}

/* ---- Memory. */

static struct input map_input(const struct work *work) {
    cl_int status;
    struct input input = {.is_mapped = true};
    input.buffer = clCreateBuffer(work->step->device.context,
                                  CL_MEM_READ_ONLY | CL_MEM_ALLOC_HOST_PTR,
                                  work->n * sizeof(cl_uint), NULL, &status);
    check_status(status, "clCreateBuffer");
    return input;
}

static struct work make_work(struct step *step, cl_uint n, cl_uint chunk) {
    struct device *device = &step->device;
    struct work work = {
        .step = step, .n = n, .chunk = chunk, .state = step->options.seed + 1};
    const size_t bytes = n * sizeof(cl_uint);
    const cl_mem copy = buffer_new(device, bytes);
    struct input *inputs = work.inputs;
    inputs[ORDINARY] =
        (struct input){.words = step_array(step, n, sizeof(cl_uint)), .buffer = copy};
    inputs[PINNED] =
        (struct input){.words = buffer_pinned(device, bytes), .buffer = copy};
    inputs[MAPPED] = map_input(&work);

    const size_t most = device->is_cpu ? ITEMS_ON_CPU : ITEMS;
    const size_t items = n < most ? n : most;
    for (int m = 0; m < MEMORIES; m++)
        inputs[m].launch = LAUNCH(step, "zero_copy", items, step_group(step, GROUP),
                                  ARG(inputs[m].buffer));
    work.items = inputs[ORDINARY].launch.global[0];
    work.sums_buffer = buffer_new(device, work.items * sizeof(cl_uint));
    work.sums = step_array(step, work.items, sizeof(cl_uint));
    return work;
}

/* ---- Have host and device one memory?  A program may ask, look, or measure. */
static const char *answer_of(const struct device *device) {
    cl_bool shared;
    if (clGetDeviceInfo(device->id, CL_DEVICE_HOST_UNIFIED_MEMORY, sizeof shared,
                        &shared, NULL) != CL_SUCCESS)
        return "does not say whose memory it has";
    return shared ? "says that it shares its host's memory"
                  : "says that it has memory of its own";
}

static bool sees_hosts_address(struct work *work) {
    struct device *device = &work->step->device;
    struct input *input = &work->inputs[MAPPED];
    take(work, input);
    const cl_ulong address = (uintptr_t)input->words;
    write_words(work, input->words);
    give(work, input);

    cl_uint same = CL_FALSE;
    const cl_mem address_buffer = buffer_from(device, &address, sizeof address);
    const cl_mem same_buffer = buffer_new(device, sizeof same);
    const struct launch launch =
        LAUNCH(work->step, "sees_address", 1, 1, ARG(input->buffer),
               ARG(address_buffer), ARG(same_buffer));
    launch_ms(device, &launch);
    buffer_read(device, same_buffer, &same, sizeof same);
    return same;
}

static void say_whose(struct work *work, struct ratio copied_or_mapped) {
    struct report *report = &work->step->report;
    report_say(report, "Asked, this device %s.", answer_of(&work->step->device));
    report_say(report, "A kernel sees mapped words at %s.",
               sees_hosts_address(work) ? "the host's own address: no copy"
                                        : "another address than the host");
    const char *verdict = "and a copy are not told apart";
    if (told_apart(copied_or_mapped))
        verdict = copied_or_mapped.median > 1.0 ? "are farther away than a copy"
                                                : "are no farther away than a copy";
    report_say(report, "Measured in 100 uses, mapped words %s.", verdict);
}

/* A row.  The difference to the row of the same memory, used once, says what a further
 * use takes: it does not depend on what was copied before the first use. */
static void report_variant(struct report *report, const struct outcome *outcomes, int v,
                           cl_uint n, int rounds) {
    char note[48];
    struct row row = {variants[v].name, n, .right = outcomes[v].right, .by_host = true};
    row.time = timing_of(outcomes[v].ms, rounds);
    if (variants[v].uses > 1) {
        const struct timing once =
            timing_of(outcomes[variants[v].used_once].ms, rounds);
        snprintf(note, sizeof note, "a further use %.3f ms",
                 (row.time.median_ms - once.median_ms) / (USES - 1));
        row.note = note;
    }
    report_row(report, row);
}

int main(int argc, char **argv) {
    size_t chunk = 0;
    const char *keep_mapped = NULL;
    const struct own_option own[] = {
        {"chunk", "N", "neighbouring words for a work-item: 512, on a GPU 1",
         .number = &chunk, .min = 1, .max = CHUNK_ON_CPU},
        {"keep-mapped", NULL, "a mistake: map the buffer once, and never unmap it",
         .text = &keep_mapped}};
    struct step step;
    step_open(&step, argc, argv,
              &(struct usage){
                  .step = "step11c_zero_copy",
                  .lesson = "the host's new words: copied to the device, or mapped",
                  .own = own,
                  .own_count = COUNT(own)});
    const cl_uint n = step_size(&step, &sizes, MEMORIES, sizeof(cl_uint));
    const int rounds = step.options.repeats ? step.options.repeats : ROUNDS;
    if (chunk == 0)
        chunk = step.device.is_cpu ? CHUNK_ON_CPU : 1;

    /* The words, and what is to become of each variant. */
    struct work work = make_work(&step, n, (cl_uint)chunk);
    work.keep_mapped = keep_mapped != NULL;
    struct outcome outcomes[VARIANTS];
    for (int v = 0; v < VARIANTS; v++)
        outcomes[v] = (struct outcome){
            step_array(&step, (size_t)rounds, sizeof(double)), .right = true};

    /* The variants alternate, after a round that only warms up.  All are checked. */
    for (int round = 0; round < WARM_UP + rounds; round++)
        for (int v = 0; v < VARIANTS; v++) {
            const double ms = run(&work, &variants[v]);
            check_sum(&work, &variants[v], round, &outcomes[v]);
            if (round >= WARM_UP)
                outcomes[v].ms[round - WARM_UP] = ms;
        }
    const struct ratio once =
        ratio_of(outcomes[MAPPED_ONCE].ms, outcomes[COPIED_ONCE].ms, rounds);
    const struct ratio often =
        ratio_of(outcomes[PINNED_OFTEN].ms, outcomes[MAPPED_OFTEN].ms, rounds);

    /* The result. */
    for (int v = 0; v < VARIANTS; v++)
        report_variant(&step.report, outcomes, v, n, rounds);
    report_headline(&step.report, "mapped, not copied, used once", once,
                    "One memory: what the host has written is where kernels read.");
    say_whose(&work, often);
    CHECK(clReleaseMemObject(work.inputs[MAPPED].buffer));
    return step_close(&step);
}
