/* barriers: compares what the work-items of a group say at a barrier. */
#include "barriers.h"

static void forget(struct observer *self) {
    struct barriers *barriers = (struct barriers *)self;
    barriers->first.is = barriers->other.is = false;
}

static void arrive(struct observer *self, unsigned flags) {
    struct barriers *barriers = (struct barriers *)self;
    const struct arrival arrival = {true, running.lane->item, running.lane->site,
                                    flags};
    if (!barriers->first.is)
        barriers->first = arrival;
    else if (flags != barriers->first.flags)
        barriers->other = arrival;
}

/* All have come to one barrier, as they must, but fence different memory there. */
static void compare_flags(struct barriers *barriers) {
    const struct arrival *first = &barriers->first, *other = &barriers->other;
    if (!other->is || !barriers->flags_matter)
        return;
    struct mistake mistake = mistake_at(BARRIER_FLAGS, first->item, first->site);
    mistake.other = record_at(other->item, other->site);
    mistakes_add(barriers->mistakes, mistake);
}

static void open(struct observer *self, const struct arrivals *arrivals) {
    struct barriers *barriers = (struct barriers *)self;
    if (arrivals->complete) {
        compare_flags(barriers);
        forget(self);
        return;
    }
    struct mistake mistake =
        mistake_at(BARRIER_DIVERGENCE, arrivals->item, arrivals->site);
    mistake.other = record_at(arrivals->other_item, arrivals->other_site);
    mistake.barrier.arrived = arrivals->arrived;
    mistake.barrier.items = arrivals->items;
    mistakes_add(barriers->mistakes, mistake);
    running.outcome.stopped = true;
}

struct barriers barriers_observer(struct mistakes *mistakes, bool flags_matter) {
    return (struct barriers){
        .observer = {.group = forget, .arrive = arrive, .barrier = open},
        .mistakes = mistakes,
        .flags_matter = flags_matter};
}
