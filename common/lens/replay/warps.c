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
#include "base/memory.h"
#include "base/progress.h"
#include "driver/poison.h"
#include "gather.h"
#include "replay.h"
#include "running.h"

#include <assert.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum {
    QUICK = 1 << 18 /* blocks by lanes: after that many no group is begun */
};

/* From one lane's stack to the next: were it a power of two, all lanes would need the
 * same few places of every cache and of every table of pages. */
enum { STRIDE = STACK + PAGE + 5 * 64 };

static struct schedule schedule;

static uint64_t bit(unsigned lane) {
    return (uint64_t)1 << lane;
}

/* ---- Coroutines.  A lane that has finished does the next group's work-item on the
 * same stack. */
static void lane_body(void) {
    for (;;) {
        running.job->call(running.job->arguments);
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
    lane->clock = 0;
    if (lane->state != FINISHED)
        jump_prepare(&lane->resume, lane->stack, STACK, lane_body);
    lane_resume(lane);
}

/* ---- Warps. */
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
    const int reconverge = running.job->code->blocks[path.block].reconverge;
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
    FOR_OBSERVERS (o, branch)
        o->branch(o, path.block, path.lanes, diverges);
}

/* Lanes that have reached the block where they reconverge wait for the others there. */
static bool is_finished(struct warp *warp) {
    while (warp->path_count > 0 && path_of(warp)->block == path_of(warp)->reconverge)
        warp->path_count--;
    return warp->path_count == 0;
}

/* Lanes of running.warp enter a block, whose instructions all of them execute. */
static void enter_block(const struct path *path) {
    const unsigned lanes = (unsigned)__builtin_popcountll(path->lanes);
    const uint64_t instructions = running.job->code->blocks[path->block].instructions;
    assert(lanes > 0);
    running.outcome.lane_steps += lanes;
    running.outcome.instructions += instructions;
    running.outcome.lane_instructions += instructions * lanes;
    FOR_OBSERVERS (o, block)
        o->block(o, path->block, path->lanes);
}

/* The lane whose turn comes after those of so many others. */
static struct lane *lane_at(const struct warp *warp, unsigned turn) {
    const bool is_backward =
        running.model->in_step && running.model->order == LAST_FIRST;
    return &warp->lanes[is_backward ? warp->lane_count - 1 - turn : turn];
}

/* Every lane of the path does its part of a block: up to its end, or to a warp_barrier.
 */
static void warp_advance(struct warp *warp) {
    struct path *path = path_of(warp);
    struct lane *lane = NULL;
    running.warp = warp;
    if (!warp->inside)
        enter_block(path);
    for (unsigned i = 0; i < warp->lane_count && !running.outcome.stopped; i++) {
        struct lane *next = lane_at(warp, i);
        if (path->lanes & bit((unsigned)(next - warp->lanes)))
            lane_resume(lane = next);
    }
    assert(lane); /* a path without lanes is none */
    gather_end();
    if (!lane)
        return; /* the replay was stopped before */
    warp->inside = lane->state == AT_WARP_BARRIER || lane->state == AT_BARRIER;
    warp->waiting = lane->state == AT_BARRIER;
    if (warp->waiting)
        FOR_OBSERVERS (o, wait)
            o->wait(o);
    if (!warp->inside)
        warp_diverge(warp);
}

/* ---- Groups. */
static size_t groups_across(const struct job *job, int dimension) {
    return (job->global[dimension] + job->local[dimension] - 1) / job->local[dimension];
}

size_t job_groups(const struct job *job) {
    return groups_across(job, 0) * groups_across(job, 1) * groups_across(job, 2);
}

size_t job_group_items(const struct job *job) {
    return job->local[0] * job->local[1] * job->local[2];
}

static void group_place(size_t number) {
    const struct job *job = running.job;
    assert(number < running.outcome.groups);
    running.group = number;
    for (int d = 0; d < 3; d++) {
        const size_t across = groups_across(job, d);
        running.group_id[d] = number % across;
        number /= across;
        const size_t begin = running.group_id[d] * job->local[d];
        const size_t left = job->global[d] - begin;
        running.size[d] = left < job->local[d] ? left : job->local[d];
    }
}

static void group_start(void) {
    const unsigned width = running.model->lanes;
    const unsigned items =
        (unsigned)(running.size[0] * running.size[1] * running.size[2]);
    running.warp_count = (items + width - 1) / width;
    running.votes = 0;
    assert(0 < items && items <= job_group_items(running.job));
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

/* A function's barrier is another one for each of its calls. */
static bool same_barrier(size_t one, size_t other) {
    const struct site *sites = running.job->code->sites;
    const struct place *a = &sites[one].place, *b = &sites[other].place;
    for (; a && b && place_is_same(a, b); a = a->call, b = b->call)
        if (a == b)
            return true;
    return !a && !b;
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
    arrivals.complete = arrivals.arrived == arrivals.items &&
                        same_barrier(arrivals.site, arrivals.other_site);
    running.outcome.barriers++;
    running.voted = running.votes;
    running.votes = 0;
    FOR_OBSERVERS (o, barrier)
        o->barrier(o, &arrivals);
}

/* Where a lane of the warp is at work. */
static struct place place_at_work(struct warp *warp) {
    const struct code *code = running.job->code;
    const struct block *block = &code->blocks[path_of(warp)->block];
    return block->place_count > 0 ? block->places[0] : code->sites[block->branch].place;
}

/* A kernel that takes long need not be wrong: an observer may know better. */
static void stop_at_limit(struct warp *warp, uint64_t steps) {
    running.outcome.limit = steps;
    running.outcome.stopped = true;
    if (warp)
        running.outcome.at_work = place_at_work(warp);
    fault_tell((struct fault){.kind = FAULT_LIMIT});
}

/* The warp has gone on.  One observer at most knows that this leads nowhere: the counts
 * of the beginning are right all the same. */
static void look_ahead(struct warp *warp, uint64_t steps) {
    FOR_OBSERVERS (o, advance) {
        const enum prospect prospect = o->advance(o, warp);
        if (prospect == GOES_ON)
            continue;
        running.outcome.stopped = true;
        running.outcome.endless = prospect != NO_END_BY_ITSELF;
        if (prospect != NO_END_REPORTED)
            stop_at_limit(warp, steps);
    }
}

/* A warp has its turn; returns whether it could go on. */
static bool warp_run(struct warp *warp, uint64_t last_step) {
    const struct outcome *now = &running.outcome;
    bool moved = false;
    for (unsigned blocks = schedule_blocks(&schedule); blocks > 0; blocks--) {
        if (now->stopped || now->lane_steps > last_step || warp->waiting ||
            is_finished(warp))
            break;
        warp_advance(warp);
        progress_replay(running.job->kernel, now->groups_replayed, now->groups,
                        now->lane_steps);
        moved = true;
        if (!now->stopped && !is_finished(warp))
            look_ahead(warp, now->lane_steps + running.model->patience - last_step);
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

/* Local memory is new to each group: nothing has been written to it. */
static void poison_local_memory(void) {
    const uint32_t word = POISON;
    for (size_t o = 0; o < running.job->object_count; o++) {
        const struct object *object = &running.job->objects[o];
        if (object->space == LOCAL)
            for (size_t i = 0; i + sizeof word <= object->bytes; i += sizeof word)
                memcpy(object->base + i, &word, sizeof word);
    }
}

/* Each warp has its turn; returns whether one could go on, or waits at a barrier. */
static bool round_run(uint64_t last_step, struct warp **at_work) {
    bool moved = false, waiting = false;
    schedule_round(&schedule, running.warp_count);
    for (unsigned w = 0; w < running.warp_count && !running.outcome.stopped; w++) {
        struct warp *warp = &running.warps[schedule_warp(&schedule, w)];
        moved |= warp_run(warp, last_step);
        waiting |= warp->waiting;
        if (!warp->waiting && warp->path_count > 0)
            *at_work = warp;
    }
    if (running.outcome.lane_steps > last_step && !running.outcome.stopped)
        stop_at_limit(*at_work, running.model->patience);
    if (!moved && waiting && !running.outcome.stopped)
        open_barrier();
    return moved || waiting;
}

static void group_run(void) {
    struct outcome *now = &running.outcome;
    const uint64_t last_step = now->lane_steps + running.model->patience;
    struct warp *at_work = NULL;
    poison_local_memory();
    group_start();
    FOR_OBSERVERS (o, group)
        o->group(o);
    while (!now->stopped && round_run(last_step, &at_work))
        ;
    assert(now->stopped || all_have_finished());
    FOR_OBSERVERS (o, group_end)
        o->group_end(o);
    now->groups_replayed++;
    now->items_replayed += running.size[0] * running.size[1] * running.size[2];
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

static void add_always(struct always *always, size_t group) {
    bool known = group >= running.outcome.groups;
    for (size_t i = 0; i < always->count; i++)
        known |= always->groups[i] == group;
    if (!known)
        always->groups[always->count++] = group;
}

static struct always always_replayed(void) {
    struct always always = {.count = 0};
    add_always(&always, 0);
    if (running.model->groups != 1)
        add_always(&always, running.outcome.groups - 1);
    size_t next = 1;
    for (int d = 0; d < 3 && running.model->neighbours; d++) {
        add_always(&always, next);
        next *= groups_across(running.job, d);
    }
    return always;
}

/* A power of two groups: then compilers whose blocks differ see the same sample. */
static bool is_enough(const struct always *always) {
    const size_t groups = running.outcome.groups_replayed;
    if (running.outcome.stopped || running.model->whole)
        return running.outcome.stopped;
    if (running.model->groups)
        return groups >= running.model->groups;
    const size_t least = always->count < ALWAYS ? always->count : ALWAYS;
    return running.outcome.lane_steps >= QUICK && groups >= least &&
           ((groups & (groups - 1)) == 0 || groups == least);
}

static void groups_run_spread(void) {
    const struct always always = always_replayed();
    for (size_t i = 0; i < always.count && !is_enough(&always); i++) {
        group_place(always.groups[i]);
        group_run();
    }
    unsigned bits = 0;
    while ((running.outcome.groups - 1) >> bits)
        bits++;
    for (size_t turn = 0; turn >> bits == 0 && !is_enough(&always); turn++) {
        const size_t group = spread(turn, bits);
        bool was_replayed = group >= running.outcome.groups;
        for (size_t i = 0; i < always.count; i++)
            was_replayed |= always.groups[i] == group;
        if (!was_replayed) {
            group_place(group);
            group_run();
        }
    }
}

static void groups_run_in_order(void) {
    const struct always none = {.count = 0};
    for (size_t turn = 0; turn < running.outcome.groups && !is_enough(&none); turn++) {
        group_place(schedule_group(&schedule, turn));
        group_run();
    }
}

static void groups_run(void) {
    schedule = schedule_begin(running.model->order, running.outcome.groups);
    if (running.model->order == BY_TURNS)
        groups_run_spread();
    else
        groups_run_in_order();
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
    struct fault fault = fault_here(FAULT_CRASH);
    fault.signal = number;
    fault_tell(fault);
    running.outcome.stopped = true;
    lane_yield(LOST);
}

/* Does what groups_run() does, on whose stacks there is no room then.  (A driver may
 * have its own way with divisions by zero.) */
static void groups_run_guarded(void) {
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
    groups_run();
    for (int i = 0; i < SIGNALS; i++)
        sigaction(numbers[i], &before[i], NULL);
    sigaltstack(&stack_before, NULL);
}

/* ---- Stacks, and the coroutines that have begun on them.  They are kept for a launch
 * that is one of many, because to make them takes longer than a small launch. */
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

/* By event, those of these observers that ask for it. */
static struct listeners listeners_among(struct observer *const *observers,
                                        size_t count) {
    struct listeners listeners = {.fault = {NULL}};
    assert(count <= MAX_OBSERVERS);
#define LISTENERS_OF(event)                                                            \
    for (size_t i = 0, known = 0; i < count; i++)                                      \
        if (observers[i]->event)                                                       \
            listeners.event[known++] = observers[i];
    EVENTS(LISTENERS_OF)
#undef LISTENERS_OF
    return listeners;
}

/* Tells observers that it begins; false: one of them says that it cannot be made. */
static bool may_begin(void) {
    bool may = true;
    FOR_OBSERVERS (o, launch)
        may &= o->launch(o);
    return may;
}

struct outcome replay(const struct job *job, const struct model *model,
                      struct observer *const *observers, size_t observer_count) {
    const size_t items = job_group_items(job);
    const size_t warps = (items + model->lanes - 1) / model->lanes;
    running = (struct running){.job = job,
                               .model = model,
                               .outcome.groups = job_groups(job),
                               .listeners = listeners_among(observers, observer_count),
                               .lanes = lanes_make(items)};
    running.warps = lens_allocate(warps, sizeof *running.warps);
    running.objects = lens_allocate(job->code->site_count + 1, sizeof *running.objects);
    gather_begin();
    const bool is_all = progress_begin();
    if (may_begin())
        groups_run_guarded();
    else
        running.outcome.stopped = true;
    if (is_all)
        progress_end();
    assert(running.outcome.lane_instructions <=
           running.outcome.instructions * model->lanes);
    FOR_OBSERVERS (o, launch_end)
        o->launch_end(o);
    if (running.outcome.stopped || !model->one_of_many) /* lanes are in mid-kernel */
        lanes_release();
    for (size_t w = 0; w < warps; w++)
        free(running.warps[w].paths);
    free(running.warps);
    free(running.objects);
    return running.outcome;
}
