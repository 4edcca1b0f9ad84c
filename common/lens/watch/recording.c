/* recording: keeps the steps of one group while it is replayed.  Two recordings are
 * enough for any number of groups: the best so far, and that of the group that runs. */
#include "recording.h"
#include "base/memory.h"
#include "replay/warps.h"
#include "settings.h"

#include <stdlib.h>

static struct {
    struct recorded kept, now;
    bool has_kept;
    struct pending { /* by warp: of the block that it is in */
        uint64_t instructions, by_lanes;
        bool shown; /* a step of this block was recorded */
    } * pending;
} recorder;

const struct recorded *recording_kept(void) {
    return recorder.has_kept ? &recorder.kept : NULL;
}

void recording_launch(void) {
    recorder.has_kept = false;
}

void recording_group(void) {
    struct recorded *now = &recorder.now;
    free(recorder.pending);
    recorder.pending = lens_allocate(running.warp_count, sizeof *recorder.pending);
    *now = (struct recorded){
        .group = running.group,
        .warp_count = running.warp_count,
        .mistakes_before = running.replay->mistake_count,
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

void recording_group_end(void) {
    recorder.now.mistakes =
        running.replay->mistake_count - recorder.now.mistakes_before;
    const struct recorded now = recorder.now;
    if (recorder.has_kept && !recording_is_worse(&now, &recorder.kept))
        return;
    recorder.now = recorder.kept; /* its arrays are used again */
    recorder.kept = now;
    recorder.has_kept = true;
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
static struct step *add_step(struct step step) {
    static struct step beyond;
    struct recorded *now = &recorder.now;
    struct step *new = &beyond;
    if (now->steps_in_all++ < MAX_STEPS)
        new = GROW(now->steps, now->step_count);
    *new = step;
    return new;
}

static struct step *add_step_of_warp(struct step step) {
    const struct warp *warp = running.warp;
    struct pending *pending = &recorder.pending[warp->number];
    step.warp = warp->number;
    step.ended = ended_lanes(warp);
    step.instructions = pending->instructions;
    step.by_lanes = pending->by_lanes;
    *pending = (struct pending){.shown = true};
    return add_step(step);
}

void recording_block(unsigned warp, uint64_t lanes, unsigned instructions) {
    const uint64_t by_lanes = (uint64_t)__builtin_popcountll(lanes) * instructions;
    struct pending *pending = &recorder.pending[warp];
    struct totals *totals = &recorder.now.totals;
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

void recording_access(const struct replay *replay, unsigned site, unsigned object,
                      const struct example *lanes, struct access_cost cost) {
    struct recorded *now = &recorder.now;
    const bool atomic = replay->code->sites[site].kind == ATOMIC;
    const struct path *path = path_of(running.warp);
    add_access(&now->totals, &cost, lanes->lane_count, atomic);
    if (cost.cost.is > cost.cost.ideal && is_worse(cost.cost, now->worst))
        now->worst = cost.cost;
    if (atomic && cost.together > 1 &&
        is_worse((struct cost){cost.together, 1}, now->worst))
        now->worst = (struct cost){cost.together, 1};
    struct step *step =
        add_step_of_warp((struct step){.kind = STEP_ACCESS,
                                       .working = path->lanes,
                                       .site = &replay->code->sites[site],
                                       .block = path->block,
                                       .object = object,
                                       .touch = now->touch_count,
                                       .lane_count = lanes->lane_count,
                                       .cost = cost});
    if (now->steps_in_all > MAX_STEPS)
        step->lane_count = 0;
    for (size_t i = 0; i < step->lane_count; i++)
        *GROW(now->touches, now->touch_count) = lanes->lanes[i];
}

/* For each block that lanes go to, these lanes. */
static void add_ways(struct step *step, uint64_t lanes) {
    struct recorded *now = &recorder.now;
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
void recording_branch(int number, uint64_t lanes, bool diverges) {
    struct recorded *now = &recorder.now;
    const struct block *block = &running.replay->code->blocks[number];
    const bool branch = block->successor_count > 1;
    now->totals.branches += branch;
    now->totals.diverged += branch && diverges;
    if (!branch && (recorder.pending[running.warp->number].shown ||
                    block->place_count == 0 || block->instructions < 2))
        return;
    struct step *step = add_step_of_warp(
        (struct step){.kind = branch ? STEP_BRANCH : STEP_BLOCK,
                      .working = lanes,
                      .site = &running.replay->code->sites[block->branch],
                      .block = number,
                      .diverges = branch && diverges});
    if (branch && now->steps_in_all <= MAX_STEPS)
        add_ways(step, lanes);
}

void recording_arrive(void) {
    const struct path *path = path_of(running.warp);
    const unsigned first = (unsigned)__builtin_ctzll(path->lanes);
    const unsigned site = running.warp->lanes[first].site;
    (void)add_step_of_warp((struct step){.kind = STEP_ARRIVE,
                                         .working = path->lanes,
                                         .site = &running.replay->code->sites[site],
                                         .block = path->block});
}

void recording_open(unsigned site) {
    recorder.now.totals.barriers++;
    (void)add_step(
        (struct step){.kind = STEP_OPEN, .site = &running.replay->code->sites[site]});
}
