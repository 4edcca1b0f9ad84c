#include "data/chains.h"

enum { STARTS = 31, MORE = 1024, ROWS = 8 };
enum { MANY = 8192, LONGER = 4 }; /* see spans_fit() */

static float start_number(cl_uint number) {
    return 0.03125f * (float)(1 + number);
}

struct chains chains_new(struct step *step, size_t count, size_t piece, size_t rare,
                         size_t cheap, size_t expensive,
                         float end_on_host(float start, size_t rounds)) {
    struct chains chains = {.step = step, .cheap = (cl_uint)cheap};
    const size_t all = count + MORE;
    float ends[4][STARTS], *starts = step_array(step, all, sizeof *starts);
    for (size_t kind = 0; kind < 4; kind++)
        for (cl_uint number = 0; number < STARTS; number++)
            ends[kind][number] = end_on_host(start_number(number),
                                             (kind < 2 ? cheap : expensive) + kind % 2);
    chains.rounds = step_array(step, all, sizeof *chains.rounds);
    chains.ends = step_array(step, all, sizeof *chains.ends);
    chains.out = step_array(step, all, sizeof *chains.out);
    chains.state = step->options.seed + 1;
    size_t is_rare = 0;
    for (size_t i = 0; i < all; i++) {
        if (i % piece == 0)
            is_rare = (random_next(&chains.state) >> 16) % rare == 0;
        const cl_uint number = (random_next(&chains.state) >> 16) % (2 * STARTS),
                      more = number / STARTS;
        starts[i] = start_number(number % STARTS);
        chains.rounds[i] = (cl_uint)(is_rare ? expensive : cheap) + more;
        chains.ends[i] = ends[2 * is_rare + more][number % STARTS];
    }
    chains.starts_buffer = buffer_from(&step->device, starts, all * sizeof *starts);
    chains.rounds_buffer =
        buffer_from(&step->device, chains.rounds, all * sizeof *chains.rounds);
    return chains;
}

bool chains_right(struct chains *chains, const struct chains_task *task) {
    struct device *device = &chains->step->device;
    const size_t bytes = task->n * sizeof *chains->out;
    float *out = chains->out;
    const float before = 2.0f + (float)(random_next(&chains->state) >> 16) / 65536.0f;
    for (size_t i = 0; i < task->n; i++)
        out[i] = before; /* no chain comes so far up */
    buffer_write(device, task->out, out, bytes);
    launch_ms(device, &task->launch);
    buffer_read(device, task->out, out, bytes);
    for (size_t i = 0; i < task->n; i++)
        if (out[i] != chains->ends[i])
            return wrong_at(element_of_item("out", i, &task->launch), (double)out[i],
                            (double)chains->ends[i]);
    return true;
}

/* Does an expensive chain take longer than a cheap one?  The shortest of each are
 * compared, since any of them may have been interrupted.  If there are few, an
 * expensive chain may be in every warp, and all others wait for it. */
static bool spans_fit(const struct chains *chains, const struct moments *moments,
                      size_t n) {
    cl_ulong shortest[2] = {CL_ULONG_MAX, CL_ULONG_MAX};
    for (size_t i = 0; i < n; i++) {
        cl_ulong *least = &shortest[chains->rounds[i] > chains->cheap + 1];
        const cl_ulong span = moments[i].end - moments[i].start;
        *least = span < *least ? span : *least;
    }
    return n < MANY || moments[0].end == 0 || shortest[1] == CL_ULONG_MAX ||
           shortest[1] / LONGER > shortest[0] ||
           wrong("by their clocks, long chains take no longer than short ones");
}

bool chains_draw(const struct chains *chains, const struct chains_task *task,
                 size_t enough, double ms, struct timeline *picture) {
    const size_t n = task->n, group = task->launch.local[0];
    struct moments *moments = step_array(chains->step, n, sizeof *moments);
    const char **names = step_array(chains->step, n, sizeof *names);
    buffer_read(&chains->step->device, task->moments, moments, n * sizeof *moments);
    for (size_t i = 0; i < n; i++)
        if (chains->rounds[i] > chains->cheap + 1 || i >= enough)
            names[i / group] = "extra";
        else if (!names[i / group])
            names[i / group] = "group";
    return units_draw(picture, ROWS, moments, n, group, names, ms) &&
           spans_fit(chains, moments, n);
}

double chains_rounds(const struct chains *chains, size_t n) {
    double rounds = 0.0;
    for (size_t i = 0; i < n; i++)
        rounds += chains->rounds[i];
    return rounds;
}
