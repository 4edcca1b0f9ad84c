/* warps: runs a launch group by group.  Each work-item is a coroutine; 32 of them are
 * the lanes of a warp, and go through the kernel's blocks in lockstep.
 *
 * After a branch that not all lanes take, a warp has two paths.  The lanes of one work,
 * the others wait, and behind the branch they reconverge:
 *
 *     if (x > 0)      0 1 2 3     all four lanes, one path
 *     else b();       . 1 . 3     one of two paths: lanes 1 and 3, to the end of the if
 *         a();        0 . 2 .     then the other one
 *     c();            0 1 2 3     both are here: one path again
 *
 * Source: Fung et al., "Dynamic Warp Formation", MICRO 2007, section 2. */
#define _GNU_SOURCE /* MAP_ANONYMOUS, sigaltstack */
#include "warps.h"
#include "base/memory.h"
#include "base/progress.h"
#include "schedule.h"
#include "settings.h"
#include "watch/counts.h"
#include "watch/endless.h"
#include "watch/races.h"
#include "watch/recording.h"

#include <assert.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum {
    QUICK = 1 << 18,         /* blocks by lanes: after that many no group is begun */
    TOO_LONG = 1 << 26,      /* after that many in one group the launch is left */
    LONG_BACKWARD = 1 << 19, /* or in another order, if it was short in the usual one */
    LONG_OF_MANY = 1 << 22,  /* or with --all-sizes, whose launches are small */
};

/* From one lane's stack to the next: were it a power of two, all lanes would need the
 * same few places of every cache and of every table of pages. */
enum { STRIDE = STACK + PAGE + 5 * 64 };

struct running running;

static uint64_t bit(unsigned lane) {
    return (uint64_t)1 << lane;
}

/* ---- Coroutines.  A lane that has finished does the next group's work-item on the
 * same stack. */
static void lane_body(void) {
    for (;;) {
        running.replay->call(running.replay->arguments);
        running.lane->block = EXIT;
        lane_yield(FINISHED);
    }
}

static inline void lane_resume(struct lane *lane) {
    running.lane = lane;
    lane->state = RUNNING;
    jump(&running.scheduler, &lane->resume);
    running.lane = NULL;
}

/* Brings a work-item to its first block. */
static void lane_start(struct lane *lane) {
    lane->exchanges = 0;
    lane->clock = 0;
    if (lane->state != FINISHED)
        jump_prepare(&lane->resume, lane->stack, STACK, lane_body);
    lane_resume(lane);
}

/* ---- Warps. */
struct path *path_of(struct warp *warp) {
    assert(warp->path_count > 0);
    return &warp->paths[warp->path_count - 1];
}

static uint64_t all_lanes(const struct warp *warp) {
    return warp->lane_count < 64 ? bit(warp->lane_count) - 1 : UINT64_MAX;
}

static void push(struct warp *warp, uint64_t lanes, int block, int reconverge) {
    assert(lanes != 0 && (lanes & ~all_lanes(warp)) == 0);
    *GROW(warp->paths, warp->path_count) = (struct path){lanes, block, reconverge};
}

/* Of these lanes, those that go on to this block. */
static uint64_t lanes_bound_for(const struct warp *warp, uint64_t lanes, int block) {
    uint64_t same = 0;
    for (unsigned i = 0; i < warp->lane_count; i++)
        if (lanes & bit(i) && warp->lanes[i].block == block)
            same |= bit(i);
    return same;
}

/* Behind a block the lanes of a path go on together, or diverge.  Then their path waits
 * where they reconverge, and a new one is made for each way there. */
static void warp_diverge(struct warp *warp) {
    const struct path path = *path_of(warp);
    const unsigned number = warp->path_count - 1;
    const int reconverge = running.replay->code->blocks[path.block].reconverge;
    uint64_t rest = path.lanes;
    bool diverges = false;
    for (unsigned i = 0; i < warp->lane_count; i++) {
        if (!(rest & bit(i)))
            continue;
        const int next = warp->lanes[i].block;
        const uint64_t same = lanes_bound_for(warp, rest, next);
        diverges |= same != path.lanes;
        warp->paths[number].block = diverges ? reconverge : next;
        if (diverges && next != reconverge)
            push(warp, same, next, reconverge);
        rest &= ~same;
    }
    assert(rest == 0); /* each lane goes on somewhere */
    count_branch(running.replay, path.block, warp->number, path.lanes, diverges);
}

/* Lanes that have reached the block where they reconverge wait for the others there. */
static bool is_finished(struct warp *warp) {
    while (warp->path_count > 0 && path_of(warp)->block == path_of(warp)->reconverge)
        warp->path_count--;
    return warp->path_count == 0;
}

/* Every lane of the path does its part of a block: up to its end, or to a warp_barrier.
 */
static void warp_advance(struct warp *warp) {
    struct path *path = path_of(warp);
    struct lane *lane = NULL;
    if (!warp->inside)
        count_block(running.replay, path->block, warp->number, path->lanes);
    running.warp = warp;
    for (unsigned i = 0; i < warp->lane_count && !running.replay->stopped; i++)
        if (path->lanes & bit(i))
            lane_resume(lane = &warp->lanes[i]);
    assert(lane); /* a path without lanes is none */
    count_accesses(running.replay);
    if (!lane)
        return; /* the replay was stopped before */
    warp->inside = lane->state == AT_WARP_BARRIER || lane->state == AT_BARRIER;
    warp->waiting = lane->state == AT_BARRIER;
    if (warp->waiting && settings->html)
        recording_arrive();
    if (!warp->inside)
        warp_diverge(warp);
}

/* ---- Groups. */
static void group_place(size_t number) {
    const struct replay *replay = running.replay;
    assert(number < replay->groups);
    running.group = number;
    for (int d = 0; d < 3; d++) {
        const size_t across =
            (replay->global[d] + replay->local[d] - 1) / replay->local[d];
        running.group_id[d] = number % across;
        number /= across;
        const size_t begin = running.group_id[d] * replay->local[d];
        const size_t left = replay->global[d] - begin;
        running.size[d] = left < replay->local[d] ? left : replay->local[d];
    }
}

static void group_start(void) {
    const unsigned width = settings->lanes;
    const unsigned items =
        (unsigned)(running.size[0] * running.size[1] * running.size[2]);
    running.warp_count = (items + width - 1) / width;
    assert(0 < items && items <= running.replay->local[0] * running.replay->local[1] *
                                     running.replay->local[2]);
    for (unsigned i = 0; i < items; i++) {
        struct lane *lane = &running.lanes[i];
        lane->item = i;
        lane->local_id[0] = i % running.size[0];
        lane->local_id[1] = i / running.size[0] % running.size[1];
        lane->local_id[2] = i / running.size[0] / running.size[1];
        lane_start(lane);
    }
    for (unsigned w = 0; w < running.warp_count; w++) {
        struct warp *warp = &running.warps[w];
        const unsigned left = items - w * width;
        *warp = (struct warp){.number = w,
                              .lanes = &running.lanes[w * width],
                              .lane_count = left < width ? left : width,
                              .paths = warp->paths};
        push(warp, all_lanes(warp), warp->lanes->block, EXIT);
    }
}

/* No warp can go on: a barrier opens once every work-item has reached it. */
static void open_barrier(void) {
    struct arrivals arrivals = {.arrived = 0};
    for (unsigned w = 0; w < running.warp_count; w++) {
        struct warp *warp = &running.warps[w];
        arrivals.items += warp->lane_count;
        for (unsigned i = 0; i < warp->lane_count && warp->waiting; i++) {
            const struct lane *lane = &warp->lanes[i];
            if (!(path_of(warp)->lanes & bit(i)))
                continue;
            if (arrivals.arrived++ == 0) {
                arrivals.item = lane->item;
                arrivals.site = lane->site;
            }
            if (arrivals.arrived == 1 || lane->site != arrivals.site) {
                arrivals.other_item = lane->item;
                arrivals.other_site = lane->site;
            }
        }
        warp->waiting = false;
    }
    assert(0 < arrivals.arrived && arrivals.arrived <= arrivals.items);
    races_barrier(running.replay, &arrivals);
    count_barrier(running.replay, arrivals.site);
}

/* A kernel that takes long need not be wrong.  But what stands beside another one, or
 * in place of it, has to end where that does. */
static uint64_t step_limit(void) {
    return running.replay->backward ? LONG_BACKWARD
           : settings->all_sizes    ? LONG_OF_MANY
                                    : TOO_LONG;
}

/* Where a lane of the warp is at work. */
static struct place place_at_work(struct warp *warp) {
    const struct code *code = running.replay->code;
    const struct block *block = &code->blocks[path_of(warp)->block];
    return block->place_count > 0 ? block->places[0] : code->sites[block->branch].place;
}

static void stop_at_limit(struct replay *replay, struct warp *warp, uint64_t steps) {
    replay->limit = steps;
    replay->stopped = true;
    if (warp)
        replay->at_work = place_at_work(warp);
    if (settings->beside || settings->instead)
        races_step_limit(replay);
}

/* That is a mistake; the counts of the beginning are right all the same. */
static void stop_endless(struct replay *replay, struct warp *warp, uint64_t steps) {
    replay->endless = !endless_may_end();
    if (replay->endless && settings->races && !settings->beside)
        endless_report(replay, warp);
    else
        stop_at_limit(replay, warp, steps);
}

/* A warp has its turn; returns whether it could go on. */
static bool warp_run(struct warp *warp, uint64_t last_step) {
    struct replay *replay = running.replay;
    bool moved = false;
    for (unsigned blocks = order_blocks(); blocks > 0; blocks--) {
        if (replay->stopped || replay->lane_steps > last_step || warp->waiting ||
            is_finished(warp))
            break;
        warp_advance(warp);
        progress_replay(replay);
        moved = true;
        if (!replay->stopped && !is_finished(warp) && endless_is(warp))
            stop_endless(replay, warp, replay->lane_steps + step_limit() - last_step);
    }
    return moved;
}

/* Has each work-item come to the kernel's end? */
static bool all_have_finished(void) {
    for (unsigned w = 0; w < running.warp_count; w++) {
        const struct warp *warp = &running.warps[w];
        for (unsigned i = 0; i < warp->lane_count; i++)
            if (warp->path_count > 0 || warp->lanes[i].state != FINISHED)
                return false;
    }
    return true;
}

static void group_run(void) {
    const uint64_t last_step = running.replay->lane_steps + step_limit();
    struct warp *at_work = NULL;
    group_start();
    endless_group();
    counts_group(running.replay);
    races_group(running.replay, running.group);
    if (settings->html)
        recording_group();
    while (!running.replay->stopped) {
        bool moved = false, waiting = false;
        order_round(running.warp_count);
        for (unsigned w = 0; w < running.warp_count && !running.replay->stopped; w++) {
            struct warp *warp = &running.warps[order_warp(w)];
            moved |= warp_run(warp, last_step);
            waiting |= warp->waiting;
            if (!warp->waiting && warp->path_count > 0)
                at_work = warp;
        }
        if (running.replay->lane_steps > last_step && !running.replay->stopped)
            stop_at_limit(running.replay, at_work, step_limit());
        if (!moved && !waiting)
            break;
        if (!moved && !running.replay->stopped)
            open_barrier();
    }
    assert(running.replay->stopped || all_have_finished());
    races_group_end(running.replay);
    if (settings->html)
        recording_group_end();
    running.replay->groups_replayed++;
    running.replay->items_replayed +=
        running.size[0] * running.size[1] * running.size[2];
}

/* Of 2^bits groups, the one whose turn it is: each has one turn, and whenever we stop,
 * the groups we saw are spread over all.  The next one lies farther by the golden ratio
 * of all, made odd: a power of two would meet the same columns of an image again and
 * again.  (Source: D. E. Knuth, The Art of Computer Programming, volume 3, section 6.4,
 * Fibonacci hashing.) */
static size_t spread(size_t turn, unsigned bits) {
    const size_t all = (size_t)1 << bits;
    const size_t farther = (size_t)(0.6180339887498949 * (double)all) | 1;
    return turn * farther & (all - 1);
}

/* The groups that are replayed first, by number, in order: the first one; the last one,
 * where tails are; and, where mistakes are looked for, the first one's neighbours in
 * each dimension, because halos and indices that are off by one hit those.  So many of
 * them are replayed however long that takes. */
enum { ALWAYS = 3 };
struct always {
    size_t groups[5], count;
};

static void add_always(struct always *always, const struct replay *replay,
                       size_t group) {
    bool known = group >= replay->groups;
    for (size_t i = 0; i < always->count; i++)
        known |= always->groups[i] == group;
    if (!known)
        always->groups[always->count++] = group;
}

static struct always always_replayed(const struct replay *replay) {
    struct always always = {.count = 0};
    add_always(&always, replay, 0);
    if (replay->groups_wanted != 1)
        add_always(&always, replay, replay->groups - 1);
    size_t next = 1;
    for (int d = 0; d < 3 && settings->races; d++) {
        add_always(&always, replay, next);
        next *= (replay->global[d] + replay->local[d] - 1) / replay->local[d];
    }
    return always;
}

/* A power of two groups: then compilers whose blocks differ see the same sample. */
static bool is_enough(const struct replay *replay, const struct always *always) {
    const size_t groups = replay->groups_replayed;
    if (replay->stopped || replay->whole || settings->compare || settings->instead)
        return replay->stopped;
    if (replay->groups_wanted)
        return groups >= replay->groups_wanted;
    const size_t least = always->count < ALWAYS ? always->count : ALWAYS;
    return replay->lane_steps >= QUICK && groups >= least &&
           ((groups & (groups - 1)) == 0 || groups == least);
}

static void groups_run_spread(struct replay *replay) {
    struct always always = always_replayed(replay);
    for (size_t i = 0; i < always.count && !is_enough(replay, &always); i++) {
        group_place(always.groups[i]);
        group_run();
    }
    unsigned bits = 0;
    while ((replay->groups - 1) >> bits)
        bits++;
    for (size_t turn = 0; turn >> bits == 0 && !is_enough(replay, &always); turn++) {
        const size_t group = spread(turn, bits);
        bool was_replayed = group >= replay->groups;
        for (size_t i = 0; i < always.count; i++)
            was_replayed |= always.groups[i] == group;
        if (!was_replayed) {
            group_place(group);
            group_run();
        }
    }
}

static void groups_run_in_order(struct replay *replay) {
    const struct always none = {.count = 0};
    for (size_t turn = 0; turn < replay->groups && !is_enough(replay, &none); turn++) {
        group_place(order_group(turn));
        group_run();
    }
}

static void groups_run(struct replay *replay) {
    order_launch(replay->groups);
    if (settings->order == BY_TURNS)
        groups_run_spread(replay);
    else
        groups_run_in_order(replay);
}

void lane_die(void) {
    lens_die("%s has private arrays of more than %d bytes" HINT
             "use global memory: no GPU has that many registers",
             running.replay->kernel, STACK);
}

/* The kernel has crashed.  A private array may be larger than all stacks, so that the
 * kernel's first call writes beyond them; else the work-item ends here, and with it the
 * replay.  It holds no lock of ours then. */
static void end_lane(int number, siginfo_t *about, void *context) {
    enum { LARGEST = INT32_MAX }; /* array, in bytes */
    struct lane *lane = running.lane;
    (void)context;
    if (!lane) { /* the mistake is not the kernel's: it happens again */
        signal(number, SIG_DFL);
        return;
    }
    if (number == SIGSEGV &&
        (uintptr_t)lane->stack - (uintptr_t)about->si_addr < LARGEST)
        lane_die();
    races_crash(running.replay, lane->item, lane->site, number);
    lane_yield(LOST);
}

/* Does what groups_run() does, on whose stacks there is no room then.  (A driver may
 * have its own way with divisions by zero.) */
static void groups_run_guarded(struct replay *replay) {
    static const int numbers[] = {SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE};
    enum { SIGNALS = sizeof numbers / sizeof *numbers };
    static char room[1 << 16];
    stack_t stack = {.ss_sp = room, .ss_size = sizeof room}, stack_before;
    struct sigaction before[SIGNALS];
    const struct sigaction action = {.sa_sigaction = end_lane,
                                     .sa_flags = SA_ONSTACK | SA_SIGINFO | SA_NODEFER};
    sigaltstack(&stack, &stack_before);
    for (int i = 0; i < SIGNALS; i++) {
        sigaction(numbers[i], NULL, &before[i]);
        if (numbers[i] != SIGFPE || before[i].sa_handler == SIG_DFL)
            sigaction(numbers[i], &action, NULL);
    }
    groups_run(replay);
    for (int i = 0; i < SIGNALS; i++)
        sigaction(numbers[i], &before[i], NULL);
    sigaltstack(&stack_before, NULL);
}

/* ---- Stacks, and the coroutines that have begun on them.  --all-sizes keeps them from
 * launch to launch, because to make them takes longer than a small launch. */
static struct {
    char *stacks;
    struct lane *lanes;
    size_t items;
} kept;

static void lanes_release(void) {
    if (kept.items > 0)
        munmap(kept.stacks, (kept.items + 1) * STRIDE);
    free(kept.lanes);
    kept.lanes = NULL;
    kept.items = 0;
}

static struct lane *lanes_make(size_t items) {
    if (items <= kept.items)
        return kept.lanes;
    lanes_release();
    kept.stacks = mmap(NULL, (items + 1) * STRIDE, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (kept.stacks == MAP_FAILED)
        lens_die("no memory for %zu lanes" HINT "try smaller groups", items);
    kept.lanes = lens_allocate(items, sizeof *kept.lanes);
    kept.items = items;
    for (size_t i = 0; i < items; i++)
        kept.lanes[i].stack = kept.stacks + (i + 1) * STRIDE;
    return kept.lanes;
}

void replay_run(struct replay *replay) {
    const size_t items = replay->local[0] * replay->local[1] * replay->local[2];
    const size_t warps = (items + settings->lanes - 1) / settings->lanes;
    if (!replay->groups_wanted)
        replay->groups_wanted = settings->groups;
    running.replay = replay;
    running.lanes = lanes_make(items);
    running.warps = lens_allocate(warps, sizeof *running.warps);
    running.objects =
        lens_allocate(replay->code->site_count + 1, sizeof *running.objects);
    replay->groups = 1;
    for (int d = 0; d < 3; d++)
        replay->groups *= (replay->global[d] + replay->local[d] - 1) / replay->local[d];
    counts_begin(replay);
    recording_launch();
    races_begin(replay);
    const bool is_all = progress_begin();
    if (!races_hopeless(replay))
        groups_run_guarded(replay);
    if (is_all)
        progress_end();
    assert(replay->lane_instructions <= replay->instructions * settings->lanes);
    races_stop(replay);
    if (replay->stopped || !settings->all_sizes) /* stopped: lanes are in mid-kernel */
        lanes_release();
    for (size_t w = 0; w < warps; w++)
        free(running.warps[w].paths);
    free(running.warps);
    free(running.objects);
}

void replay_end(struct replay *replay) {
    counts_end(replay);
    races_end(replay);
}
