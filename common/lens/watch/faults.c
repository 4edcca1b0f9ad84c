/* faults: turns what the kernel's calls say into mistakes. */
#include "faults.h"
#include "group_limits.h"

#include <string.h>

/* A mistake that is known before anybody has run, so that its record has no group. */
static void add_before(struct mistakes *mistakes, struct mistake found, unsigned site) {
    found.one = found.other = (struct access_record){.site = site};
    found.object = (unsigned)running.job->object_count;
    mistakes_add(mistakes, found);
}

/* Does the kernel call a function that calls itself, or need more local memory than any
 * device has?  Then it is not replayed. */
static bool may_begin(struct observer *self) {
    enum { MAX_LOCAL = 1 << 24 };
    struct mistakes *mistakes = ((struct faults *)self)->mistakes;
    const struct code *code = running.job->code;
    const size_t bytes = group_limits_local(running.job), before = mistakes->count;
    for (size_t i = 0; i < code->recursion_count; i++)
        if (strcmp(code->recursions[i].kernel, running.job->kernel) == 0)
            add_before(mistakes,
                       (struct mistake){.kind = RECURSION,
                                        .function = code->recursions[i].function},
                       code->recursions[i].site);
    if (bytes > MAX_LOCAL)
        add_before(mistakes, (struct mistake){.kind = TOO_LARGE_GROUP, .bytes = bytes},
                   0);
    return mistakes->count == before;
}

static void add(struct observer *self, const struct fault *fault) {
    struct faults *faults = (struct faults *)self;
    struct mistake mistake = mistake_at(CRASH, fault->item, fault->site);
    switch (fault->kind) {
    case FAULT_DIVISION:
        mistake.kind = DIVISION;
        break;
    case FAULT_QUOTIENT:
        mistake.kind = QUOTIENT;
        break;
    case FAULT_CRASH:
        mistake.signal = fault->signal;
        break;
    case FAULT_ASSERTION:
        mistake.kind = ASSERTION;
        mistake.condition = fault->condition;
        break;
    case FAULT_MASK:
        mistake.kind = LANE_MASK;
        mistake.named.mask = fault->mask;
        mistake.named.lane = fault->lane;
        break;
    case FAULT_ANGLE:
        mistake.kind = LARGE_ANGLE;
        mistake.angle = fault->angle;
        mistakes_note(faults->mistakes, mistake);
        return;
    case FAULT_LIMIT:
        if (!faults->must_end)
            return;
        mistake.kind = STEP_LIMIT;
        mistake.other = (struct access_record){0};
        break;
    default: /* those are for others */
        return;
    }
    mistakes_add(faults->mistakes, mistake);
}

struct faults faults_observer(struct mistakes *mistakes, bool must_end) {
    return (struct faults){.observer = {.launch = may_begin, .fault = add},
                           .mistakes = mistakes,
                           .must_end = must_end};
}
