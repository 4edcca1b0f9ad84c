/* backward: see backward.h.  Places that an atomic gives out are those of the items'
 * own numbers in the usual order, and a group that waits for the one before it finds
 * that done: so some mistakes show only in another order. */
#include "backward.h"
#include "base/memory.h"
#include "replay/print.h"
#include "saved.h"

#include <stdlib.h>

enum {
    FEW_BYTES = 1 << 20, /* that the kernel may write */
    FEW_STEPS = 1 << 16, /* of the launch */
    ALL_STEPS = 1 << 20  /* of all launches that are replayed twice */
};

static void run_again(struct run *run, struct run again, const char *before,
                      char *after) {
    saved_keep(&run->job, after);
    saved_put_back(&run->job, before);
    again.model.order = LAST_FIRST;
    again.model.patience = LESS_PATIENT;
    again.backward = true;
    print_pause(true);
    run_launch(&again);
    print_pause(false);
    saved_put_back(&run->job, after);
    if (again.mistakes.count > 0) {
        run_end(run);
        *run = again;
    } else {
        run_end(&again);
    }
}

void backward_run(struct run *run) {
    static uint64_t steps_left = ALL_STEPS;
    const bool wanted = run->asked.backward && steps_left > 0;
    const size_t bytes = wanted ? saved_bytes(&run->job) : 0;
    if (!wanted || bytes > FEW_BYTES) {
        run_launch(run);
        return;
    }
    const struct run fresh = *run;
    char *before = lens_allocate(bytes + 1, 1), *after = lens_allocate(bytes + 1, 1);
    saved_keep(&run->job, before);
    run_launch(run);
    if (run->mistakes.count == 0 && !run->outcome.limit &&
        run->outcome.lane_steps <= FEW_STEPS) {
        const uint64_t steps = run->outcome.lane_steps;
        run_again(run, fresh, before, after);
        steps_left -= steps < steps_left ? steps : steps_left;
    }
    free(before);
    free(after);
}
