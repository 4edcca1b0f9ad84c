#include "chains.h"

enum { STARTS = 31, MORE = 1024, ROWS = 8 };

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
    cl_uint state = step->options.seed + 1;
    size_t is_rare = 0;
    for (size_t i = 0; i < all; i++) {
        if (i % piece == 0)
            is_rare = (random_next(&state) >> 16) % rare == 0;
        const cl_uint number = (random_next(&state) >> 16) % (2 * STARTS),
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

bool chains_right(const struct chains *chains, const struct chains_task *task,
                  float before) {
    struct device *device = &chains->step->device;
    const size_t bytes = task->n * sizeof *chains->out;
    float *out = chains->out;
    for (size_t i = 0; i < task->n; i++)
        out[i] = before;
    buffer_write(device, task->out, out, bytes);
    launch_ms(device, &task->launch);
    buffer_read(device, task->out, out, bytes);
    for (size_t i = 0; i < task->n; i++)
        if (out[i] != chains->ends[i])
            return wrong_at(element_of_item("out", i, &task->launch), (double)out[i],
                            (double)chains->ends[i]);
    return true;
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
    return units_draw(picture, ROWS, moments, n, group, names, ms);
}

double chains_rounds(const struct chains *chains, size_t n) {
    double rounds = 0.0;
    for (size_t i = 0; i < n; i++)
        rounds += chains->rounds[i];
    return rounds;
}
