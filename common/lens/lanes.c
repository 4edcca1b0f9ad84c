/* lanes: runs a launch group by group.  Each work-item is a coroutine; 32 of them are
 * the lanes of a warp, and go through the kernel's blocks in lockstep.
 *
 * After a branch that not all lanes take, a warp has two paths.  The lanes of one work,
 * the others wait, and behind the branch they meet again:
 *
 *     if (x > 0)      0 1 2 3     all four lanes, one path
 *         a();        0 . 2 .     the upper path: lanes 0 and 2, until they meet
 *     else b();       . 1 . 3     then the other one
 *     c();            0 1 2 3     both have come here: one path again
 *
 * Source: Fung et al., "Dynamic Warp Formation", MICRO 2007, section 2. */
#define _GNU_SOURCE    /* MAP_ANONYMOUS */
#undef _FORTIFY_SOURCE /* it forbids longjmp() from stack to stack */
#include "counts.h"
#include "lens.h"
#include "races.h"
#include "sub_group.h"

#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

enum {
    STACK = 1 << 18,        /* bytes for each lane: a kernel's private arrays */
    QUICK = 1 << 18,        /* blocks by lanes: after so many no group is begun */
    TOO_LONG = 1 << 26,     /* and after so many we give up in the middle of one */
    PATHS = 2 * LANES_MOST, /* each branch that parts lanes leaves fewer to part */
};

enum state { RUNNING, MEETING, AT_BARRIER, FINISHED, LOST };

struct lane {
    jmp_buf resume; /* where it goes on, once it has begun */
    char *stack;
    enum state state;
    int block;          /* the one it is about to enter */
    unsigned item;      /* its number in the group */
    size_t local_id[3]; /* and by dimension */
    unsigned site;      /* the built-in it has come to */
    uint64_t offers[2]; /* what it shows to the others; see lens_sub_group() */
    unsigned offered;
};

/* Lanes that are together: at which block, and where they will meet the others. */
struct path {
    uint64_t lanes;
    int block, meet;
};

struct warp {
    struct lane *lanes;
    unsigned number, lane_count, path_count;
    struct path paths[PATHS];
    bool inside; /* a block, at a meeting or a barrier */
    bool waiting;
};

/* The kernel calls us from anywhere, so what runs now must be known everywhere. */
static struct {
    struct replay *replay;
    jmp_buf scheduler;
    struct lane *lanes, *lane;
    struct warp *warps, *warp;
    size_t group, group_id[3], size[3]; /* this group's */
    unsigned warp_count;
} now;

static uint64_t bit(unsigned lane) {
    return (uint64_t)1 << lane;
}

/* ---- Coroutines.  A context makes the first step onto a stack of its own; from then
 * on the jumps between stacks are plain, since swapcontext() would ask the kernel
 * twice. */
static void lane_yield(enum state state) {
    now.lane->state = state;
    if (_setjmp(now.lane->resume) == 0)
        _longjmp(now.scheduler, 1);
}

static void lane_body(void) {
    now.replay->call(now.replay->arguments);
    now.lane->block = EXIT;
    lane_yield(FINISHED); /* and never comes back */
}

static void lane_resume(struct lane *lane) {
    now.lane = lane;
    lane->state = RUNNING;
    if (_setjmp(now.scheduler) == 0)
        _longjmp(lane->resume, 1);
    now.lane = NULL;
}

/* Brings a work-item to its first block. */
static void lane_start(struct lane *lane) {
    ucontext_t context;
    getcontext(&context);
    context.uc_stack.ss_sp = lane->stack;
    context.uc_stack.ss_size = STACK;
    context.uc_link = NULL;
    makecontext(&context, lane_body, 0);
    now.lane = lane;
    lane->offered = 0;
    if (_setjmp(now.scheduler) == 0)
        setcontext(&context);
    now.lane = NULL;
}

static bool on_stack(const struct lane *lane, uintptr_t address) {
    return address - (uintptr_t)lane->stack < STACK;
}

/* ---- Warps. */
static struct path *path_of(struct warp *warp) {
    return &warp->paths[warp->path_count - 1];
}

static void push(struct warp *warp, uint64_t lanes, int block, int meet) {
    if (warp->path_count == PATHS)
        lens_die("a warp has too many paths" HINT "raise PATHS in common/lens/lanes.c");
    warp->paths[warp->path_count++] = (struct path){lanes, block, meet};
}

/* Behind the block: the lanes of a path go on together, or part. */
static void warp_part(struct warp *warp) {
    struct path *path = path_of(warp);
    const int left = path->block;
    const uint64_t lanes = path->lanes;
    uint64_t rest = lanes;
    int meet = left >= 0 ? now.replay->code->blocks[left].meet : EXIT;
    bool diverges = false;
    for (unsigned i = 0; i < warp->lane_count; i++)
        if (rest & bit(i)) {
            uint64_t same = 0;
            const int next = warp->lanes[i].block;
            for (unsigned j = i; j < warp->lane_count; j++)
                if (rest & bit(j) && warp->lanes[j].block == next)
                    same |= bit(j);
            if (same == lanes) {
                path->block = next;
            } else {
                path->block = meet;
                diverges = true;
                if (next != meet)
                    push(warp, same, next, meet);
            }
            rest &= ~same;
        }
    count_branch(now.replay, left, warp->number, lanes, diverges);
}

/* Lanes that have come to where they meet the others wait for them there. */
static bool is_finished(struct warp *warp) {
    while (warp->path_count > 0 && path_of(warp)->block == path_of(warp)->meet)
        warp->path_count--;
    return warp->path_count == 0;
}

/* Every lane of the path does its part of a block: up to its end, or to a meeting. */
static void warp_advance(struct warp *warp) {
    struct path *path = path_of(warp);
    struct lane *lane = NULL;
    if (!warp->inside)
        count_block(now.replay, path->block, warp->number, path->lanes);
    now.warp = warp;
    for (unsigned i = 0; i < warp->lane_count && !now.replay->stopped; i++)
        if (path->lanes & bit(i))
            lane_resume(lane = &warp->lanes[i]);
    count_accesses(now.replay);
    warp->inside = lane->state == MEETING || lane->state == AT_BARRIER;
    warp->waiting = lane->state == AT_BARRIER;
    if (!warp->inside)
        warp_part(warp);
}

/* ---- Groups. */
static void group_place(size_t number) {
    const struct replay *replay = now.replay;
    now.group = number;
    for (int d = 0; d < 3; d++) {
        const size_t across =
            (replay->global[d] + replay->local[d] - 1) / replay->local[d];
        now.group_id[d] = number % across;
        number /= across;
        const size_t begin = now.group_id[d] * replay->local[d];
        const size_t left = replay->global[d] - begin;
        now.size[d] = left < replay->local[d] ? left : replay->local[d];
    }
}

static void group_start(void) {
    const unsigned width = wishes.lanes;
    const unsigned items = (unsigned)(now.size[0] * now.size[1] * now.size[2]);
    now.warp_count = (items + width - 1) / width;
    for (unsigned i = 0; i < items; i++) {
        struct lane *lane = &now.lanes[i];
        lane->item = i;
        lane->local_id[0] = i % now.size[0];
        lane->local_id[1] = i / now.size[0] % now.size[1];
        lane->local_id[2] = i / now.size[0] / now.size[1];
        lane_start(lane);
    }
    for (unsigned w = 0; w < now.warp_count; w++) {
        struct warp *warp = &now.warps[w];
        const unsigned left = items - w * width;
        *warp = (struct warp){.number = w,
                              .lanes = &now.lanes[w * width],
                              .lane_count = left < width ? left : width};
        push(warp, warp->lane_count < 64 ? bit(warp->lane_count) - 1 : UINT64_MAX,
             warp->lanes->block, EXIT);
    }
}

/* A barrier is open once every work-item of the group has come to the same one. */
static void open_barrier(void) {
    unsigned items = 0, come = 0;
    const struct lane *first = NULL, *other = NULL;
    for (unsigned w = 0; w < now.warp_count; w++) {
        struct warp *warp = &now.warps[w];
        items += warp->lane_count;
        for (unsigned i = 0; i < warp->lane_count && warp->waiting; i++) {
            if (!(path_of(warp)->lanes & bit(i)))
                continue;
            first = first ? first : &warp->lanes[i];
            other =
                !other && warp->lanes[i].site != first->site ? &warp->lanes[i] : other;
            come++;
        }
        warp->waiting = false;
    }
    races_barrier(now.replay, first->site, other ? other->site : first->site, come,
                  items);
    count_barrier(now.replay, first->site);
}

static void group_run(void) {
    group_start();
    counts_group();
    races_group(now.replay, now.group);
    while (!now.replay->stopped) {
        bool moved = false, waiting = false;
        for (unsigned w = 0; w < now.warp_count && !now.replay->stopped; w++) {
            struct warp *warp = &now.warps[w];
            if (!warp->waiting && !is_finished(warp)) {
                warp_advance(warp);
                moved = true;
            }
            waiting |= warp->waiting;
        }
        if (now.replay->lane_steps > TOO_LONG)
            races_endless(now.replay);
        if (!moved && !waiting)
            break;
        if (!moved && !now.replay->stopped)
            open_barrier();
    }
    now.replay->groups_replayed++;
}

/* 0 1 2 3 4 5 6 7  ->  0 4 2 6 1 5 3 7: whenever we stop, the groups we saw are spread
 * over all. */
static size_t reversed(size_t number, unsigned bits) {
    size_t result = 0;
    for (unsigned i = 0; i < bits; i++)
        result |= (number >> i & 1) << (bits - 1 - i);
    return result;
}

static bool is_enough(const struct replay *replay) {
    if (replay->stopped || wishes.compare)
        return replay->stopped;
    return wishes.groups ? replay->groups_replayed >= wishes.groups
                         : replay->lane_steps >= QUICK;
}

static void groups_run(struct replay *replay) {
    unsigned bits = 0;
    const size_t last = replay->groups - 1;
    while (last >> bits)
        bits++;
    for (size_t turn = 0; turn >> bits == 0 && !is_enough(replay); turn++) {
        const size_t group = reversed(turn, bits);
        if (group < last || last == 0) {
            group_place(group);
            group_run();
        }
        if (turn == 0 && last > 0 && wishes.groups != 1 && !replay->stopped) {
            /* the last group, where tails are, is always seen */
            group_place(last);
            group_run();
        }
    }
}

void replay_run(struct replay *replay) {
    const size_t items = replay->local[0] * replay->local[1] * replay->local[2];
    char *stacks = mmap(NULL, items * STACK, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (stacks == MAP_FAILED)
        lens_die("no memory for %zu lanes" HINT "try smaller groups", items);
    now.replay = replay;
    now.lanes = lens_allocate(items, sizeof *now.lanes);
    now.warps =
        lens_allocate((items + wishes.lanes - 1) / wishes.lanes, sizeof *now.warps);
    for (size_t i = 0; i < items; i++)
        now.lanes[i].stack = stacks + i * STACK;
    replay->groups = 1;
    for (int d = 0; d < 3; d++)
        replay->groups *= (replay->global[d] + replay->local[d] - 1) / replay->local[d];
    counts_begin(replay);
    races_begin(replay);
    groups_run(replay);
    munmap(stacks, items * STACK);
    free(now.lanes);
    free(now.warps);
}

void replay_end(struct replay *replay) {
    counts_end(replay);
    races_end(replay);
}

/* ---- What the kernel calls: hooks. */
VISIBLE void lens_block(unsigned block) {
    now.lane->block = (int)block;
    lane_yield(RUNNING);
}

VISIBLE void lens_here(unsigned site) {
    now.lane->site = site;
}

static unsigned object_at(uintptr_t address) {
    unsigned i = 0;
    const struct object *objects = now.replay->objects;
    while (i < now.replay->object_count &&
           address - (uintptr_t)objects[i].base >= objects[i].bytes)
        i++;
    return i;
}

VISIBLE void lens_access(const void *address, size_t bytes, unsigned site) {
    struct access access = {.site = site,
                            .item = now.lane->item,
                            .lane = now.lane->item % wishes.lanes,
                            .address = (uintptr_t)address,
                            .bytes = bytes};
    if (on_stack(now.lane, access.address))
        return; /* the lane's own: registers, on a GPU, if there are enough of them */
    access.object = object_at(access.address);
    if (!races_allow(now.replay, &access))
        lane_yield(LOST); /* and never comes back */
    count_access(now.replay, &access);
}

/* clang calls this one, with -fsanitize=array-bounds: an index lies outside an array.
 * In front of the array's name stand two numbers of 16 bits, which tell kind and size.
 */
struct type {
    uint16_t kind, bits;
    char name[];
};

struct place_and_types {
    const char *file;
    uint32_t line, column;
    const struct type *array, *index;
};

VISIBLE void __ubsan_handle_out_of_bounds(const struct place_and_types *where,
                                          size_t index) {
    const struct access access = {.site = now.lane->site, .item = now.lane->item};
    const bool is_signed = where->index->bits & 1;
    const unsigned width = 1u << (where->index->bits >> 1);
    const unsigned unused = width < 64 ? 64 - width : 0;
    const int64_t value = is_signed ? (int64_t)(index << unused) >> unused
                                    : (int64_t)(index << unused >> unused);
    races_index(now.replay, &access, value, where->array->name);
    lane_yield(LOST);
}

VISIBLE void lens_copy(const void *to, const void *from, size_t bytes, unsigned store,
                       unsigned load) {
    lens_access(from, bytes, load);
    lens_access(to, bytes, store);
}

VISIBLE void lens_fill(const void *to, char value, size_t bytes, unsigned store) {
    (void)value;
    lens_access(to, bytes, store);
}

/* ---- What the kernel calls: built-ins, named in builtins.cl. */
#define WORK_ITEM(name, value, otherwise)                                              \
    VISIBLE size_t name(unsigned d) {                                                  \
        return d < 3 ? (value) : (otherwise);                                          \
    }
WORK_ITEM(lens_group_id, now.group_id[d], 0)
WORK_ITEM(lens_local_id, now.lane->local_id[d], 0)
WORK_ITEM(lens_local_size, now.size[d], 1)
WORK_ITEM(lens_enqueued_local_size, now.replay->local[d], 1)
WORK_ITEM(lens_global_size, now.replay->global[d], 1)
WORK_ITEM(lens_global_offset, now.replay->offset[d], 0)
WORK_ITEM(lens_num_groups, 1 + (now.replay->global[d] - 1) / now.replay->local[d], 1)
WORK_ITEM(lens_global_id,
          now.replay->offset[d] + now.lane->local_id[d] +
              now.group_id[d] * now.replay->local[d],
          0)

VISIBLE unsigned lens_work_dim(void) {
    return now.replay->dimensions;
}
VISIBLE unsigned lens_sub_group_size(void) {
    return now.warp->lane_count;
}
VISIBLE unsigned lens_max_sub_group_size(void) {
    return wishes.lanes;
}
VISIBLE unsigned lens_num_sub_groups(void) {
    return now.warp_count;
}
VISIBLE unsigned lens_sub_group_id(void) {
    return now.warp->number;
}
VISIBLE unsigned lens_sub_group_local_id(void) {
    return now.lane->item % wishes.lanes;
}

VISIBLE void lens_barrier(unsigned flags) {
    races_arrive(now.lane->item, flags);
    lane_yield(AT_BARRIER);
}

VISIBLE void lens_sub_group_barrier(unsigned flags) {
    races_fence(now.lane->item, flags);
    lane_yield(MEETING);
}

VISIBLE void lens_fence(unsigned flags) {
    races_fence(now.lane->item, flags);
}

/* Every lane shows its value, and once all have, makes its own result of them.  There
 * are two places to show it at, since a lane may be at the next meeting already. */
VISIBLE uint64_t lens_sub_group(unsigned what, unsigned type, uint64_t value,
                                unsigned lane) {
    struct lane *self = now.lane;
    const unsigned turn = self->offered++ % 2;
    struct offers offers = {.what = what, .type = type, .asked = lane};
    self->offers[turn] = value;
    lane_yield(MEETING);
    offers.present = path_of(now.warp)->lanes;
    offers.own = self->item % wishes.lanes;
    for (unsigned i = 0; i < now.warp->lane_count; i++)
        offers.values[i] = now.warp->lanes[i].offers[turn];
    return sub_group_result(&offers);
}

/* The lanes of a warp come together before an atomic, as they do on a GPU, and then do
 * it one after the other: a compare-exchange that comes too late must try again. */
enum { ADD, SUB, EXCHANGE, COMPARE_EXCHANGE, MIN, MAX, UMIN, UMAX, AND, OR, XOR };

#define CHANGED(type)                                                                  \
    switch (operation) {                                                               \
    case ADD:                                                                          \
        return old + value;                                                            \
    case SUB:                                                                          \
        return old - value;                                                            \
    case EXCHANGE:                                                                     \
        return value;                                                                  \
    case COMPARE_EXCHANGE:                                                             \
        return old == expected ? value : old;                                          \
    case MIN:                                                                          \
        return (type)old < (type)value ? old : value;                                  \
    case MAX:                                                                          \
        return (type)old > (type)value ? old : value;                                  \
    case UMIN:                                                                         \
        return old < value ? old : value;                                              \
    case UMAX:                                                                         \
        return old > value ? old : value;                                              \
    case AND:                                                                          \
        return old & value;                                                            \
    case OR:                                                                           \
        return old | value;                                                            \
    default:                                                                           \
        return old ^ value;                                                            \
    }

static uint32_t changed(unsigned operation, uint32_t old, uint32_t value,
                        uint32_t expected) {
    CHANGED(int32_t)
}

static uint64_t changed_long(unsigned operation, uint64_t old, uint64_t value,
                             uint64_t expected){CHANGED(int64_t)}

#define ATOMIC_FUNCTION(name, type, changed)                                           \
    VISIBLE type name(size_t address, unsigned operation, type value, type expected) { \
        type *place = (type *)address;                                                 \
        lane_yield(MEETING);                                                           \
        lens_access(place, sizeof *place, now.lane->site);                             \
        const type old = *place;                                                       \
        *place = changed(operation, old, value, expected);                             \
        lane_yield(MEETING);                                                           \
        return old;                                                                    \
    }
ATOMIC_FUNCTION(lens_atomic, uint32_t, changed)
    ATOMIC_FUNCTION(lens_atomic_long, uint64_t, changed_long)
