/* recording: keeps the steps of one group while it is replayed. */
#include "recording.h"
#include "base/memory.h"

#include <stdlib.h>

static bool begin(struct observer *self) {
    ((struct recording *)self)->has_kept = false;
    return true;
}

static void begin_group(struct observer *self) {
    struct recording *recording = (struct recording *)self;
    struct recorded *now = &recording->now;
    free(recording->pending);
    recording->pending = lens_allocate(running.warp_count, sizeof *recording->pending);
    *now = (struct recorded){
        .group = running.group,
        .lanes = running.model->lanes,
        .warp_count = running.warp_count,
        .mistakes_before = recording->mistakes->count,
        .item_count = (unsigned)(running.size[0] * running.size[1] * running.size[2]),
        .steps = now->steps,
        .touches = now->touches,
        .ways = now->ways};
}

/* Without a worst access, a group is the worse the more often its warps diverge. */
bool recording_is_worse(const struct recorded *one, const struct recorded *other) {
    if ((one->mistakes > 0) != (other->mistakes > 0))
        return one->mistakes > 0;
    if (one->worst.ideal || other->worst.ideal)
        return is_worse(one->worst, other->worst);
    return one->totals.diverged > other->totals.diverged;
}

static void end_group(struct observer *self) {
    struct recording *recording = (struct recording *)self;
    struct recorded *now = &recording->now;
    now->mistakes = recording->mistakes->count - now->mistakes_before;
    if (recording->has_kept && !recording_is_worse(now, &recording->kept))
        return;
    const struct recorded best = *now;
    *now = recording->kept; /* its arrays are used again */
    recording->kept = best;
    recording->has_kept = true;
}

/* ---- Steps. */
static uint64_t ended_lanes(const struct warp *warp) {
    uint64_t ended = 0;
    for (unsigned i = 0; i < warp->lane_count; i++)
        if (warp->lanes[i].state == FINISHED)
            ended |= (uint64_t)1 << i;
    return ended;
}

/* Adds a step; behind MAX_STEPS it is only counted. */
static struct step *add_step(struct recording *recording, struct step step) {
    static struct step beyond;
    struct recorded *now = &recording->now;
    struct step *new = &beyond;
    if (now->steps_in_all++ < MAX_STEPS)
        new = GROW(now->steps, now->step_count);
    *new = step;
    return new;
}

static struct step *add_step_of_warp(struct recording *recording, struct step step) {
    const struct warp *warp = running.warp;
    struct pending *pending = &recording->pending[warp->number];
    step.warp = warp->number;
    step.ended = ended_lanes(warp);
    step.instructions = pending->instructions;
    step.by_lanes = pending->by_lanes;
    *pending = (struct pending){.shown = true};
    return add_step(recording, step);
}

static void enter(struct observer *self, int number, uint64_t lanes) {
    struct recording *recording = (struct recording *)self;
    const unsigned instructions = running.job->code->blocks[number].instructions;
    const uint64_t by_lanes = (uint64_t)__builtin_popcountll(lanes) * instructions;
    struct pending *pending = &recording->pending[running.warp->number];
    struct totals *totals = &recording->now.totals;
    pending->instructions += instructions;
    pending->by_lanes += by_lanes;
    pending->shown = false;
    totals->instructions += instructions;
    totals->lane_instructions += by_lanes;
}

static void add_access(struct totals *totals, const struct access_cost *cost,
                       unsigned lane_count, bool atomic) {
    totals->accesses++;
    totals->lanes += lane_count;
    totals->operations += atomic ? lane_count : 0;
    totals->used += cost->used;
    if (cost->space == CONSTANT) {
        totals->addresses += cost->cost.is;
        totals->ideal_addresses += cost->cost.ideal;
    } else if (cost->space == LOCAL) {
        totals->passes += cost->cost.is;
        totals->ideal_passes += cost->cost.ideal;
    } else {
        totals->sectors += cost->cost.is;
        totals->ideal_sectors += cost->cost.ideal;
    }
}

static void access_together(struct observer *self, const struct warp_access *access) {
    struct recording *recording = (struct recording *)self;
    struct recorded *now = &recording->now;
    const struct site *site = &running.job->code->sites[access->site];
    const bool atomic = site->kind == ATOMIC;
    const struct access_cost cost = warp_access_cost(access);
    const struct path *path = path_of(running.warp);
    add_access(&now->totals, &cost, access->lane_count, atomic);
    if (cost.cost.is > cost.cost.ideal && is_worse(cost.cost, now->worst))
        now->worst = cost.cost;
    if (atomic && cost.together > 1 &&
        is_worse((struct cost){cost.together, 1}, now->worst))
        now->worst = (struct cost){cost.together, 1};
    struct step *step =
        add_step_of_warp(recording, (struct step){.kind = STEP_ACCESS,
                                                  .working = path->lanes,
                                                  .site = site,
                                                  .block = path->block,
                                                  .object = access->object,
                                                  .touch = now->touch_count,
                                                  .lane_count = access->lane_count,
                                                  .cost = cost});
    if (now->steps_in_all > MAX_STEPS)
        step->lane_count = 0;
    for (size_t i = 0; i < step->lane_count; i++)
        *GROW(now->touches, now->touch_count) = access->lanes[i];
}

/* For each block that lanes go to, these lanes. */
static void add_ways(struct recorded *now, struct step *step, uint64_t lanes) {
    const struct warp *warp = running.warp;
    step->way = now->way_count;
    for (unsigned i = 0; i < warp->lane_count; i++) {
        size_t way = step->way;
        if (!(lanes >> i & 1))
            continue;
        while (way < now->way_count && now->ways[way].block != warp->lanes[i].block)
            way++;
        if (way == now->way_count)
            *GROW(now->ways, now->way_count) =
                (struct way){.block = warp->lanes[i].block};
        now->ways[way].lanes |= (uint64_t)1 << i;
    }
    step->way_count = now->way_count - step->way;
}

/* The end of a block: a step if it is a branch, or if nothing of the block was shown. A
 * block without a source line or with a jump alone is the compiler's. */
static void leave(struct observer *self, int number, uint64_t lanes, bool diverges) {
    struct recording *recording = (struct recording *)self;
    struct recorded *now = &recording->now;
    const struct block *block = &running.job->code->blocks[number];
    const bool branch = block->successor_count > 1;
    now->totals.branches += branch;
    now->totals.diverged += branch && diverges;
    if (!branch && (recording->pending[running.warp->number].shown ||
                    block->place_count == 0 || block->instructions < 2))
        return;
    struct step *step = add_step_of_warp(
        recording, (struct step){.kind = branch ? STEP_BRANCH : STEP_BLOCK,
                                 .working = lanes,
                                 .site = &running.job->code->sites[block->branch],
                                 .block = number,
                                 .diverges = branch && diverges});
    if (branch && now->steps_in_all <= MAX_STEPS)
        add_ways(now, step, lanes);
}

static void wait(struct observer *self) {
    const struct path *path = path_of(running.warp);
    const unsigned first = (unsigned)__builtin_ctzll(path->lanes);
    const unsigned site = running.warp->lanes[first].site;
    (void)add_step_of_warp((struct recording *)self,
                           (struct step){.kind = STEP_ARRIVE,
                                         .working = path->lanes,
                                         .site = &running.job->code->sites[site],
                                         .block = path->block});
}

static void open(struct observer *self, const struct arrivals *arrivals) {
    struct recording *recording = (struct recording *)self;
    recording->now.totals.barriers++;
    (void)add_step(recording,
                   (struct step){.kind = STEP_OPEN,
                                 .site = &running.job->code->sites[arrivals->site]});
}

void recording_observe(struct recording *recording, const struct mistakes *mistakes) {
    recording->observer = (struct observer){.launch = begin,
                                            .group = begin_group,
                                            .group_end = end_group,
                                            .block = enter,
                                            .branch = leave,
                                            .together = access_together,
                                            .wait = wait,
                                            .barrier = open};
    recording->mistakes = mistakes;
    recording->has_kept = false;
}
