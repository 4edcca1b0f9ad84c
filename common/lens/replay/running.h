/* running: the launch that is at work: its group, warps, lanes, and who watches them.
 */
#ifndef RUNNING_H
#define RUNNING_H

#include "coroutine.h"
#include "observer.h"

enum { STACK = 1 << 18 }; /* bytes for each lane: a kernel's private arrays */

enum state { RUNNING, AT_WARP_BARRIER, AT_BARRIER, FINISHED, LOST };

struct lane {           /* a work-item */
    struct stop resume; /* where it goes on, once it has begun */
    char *stack;
    enum state state;
    int block;          /* the one it is about to enter */
    unsigned item;      /* its number in the group */
    size_t local_id[3]; /* and by dimension */
    unsigned site;      /* the access or built-in it has reached */
    uint64_t value;     /* what it shows to the others; see lens_sub_group_64() */
    uint64_t clock;     /* see lens_clock() */
};

/* Lanes that are together: the block they enter next, and that at which they wait for
 * the others. */
struct path {
    uint64_t lanes;
    int block, reconverge;
};

struct warp { /* lanes in lockstep */
    struct lane *lanes;
    unsigned number, lane_count, path_count;
    struct path *paths; /* a stack: the last one is at work */
    bool inside;        /* a block, at a barrier of the warp or of the group */
    bool waiting;
};

/* All events of an observer. */
#define EVENTS(EVENT)                                                                  \
    EVENT(launch)                                                                      \
    EVENT(launch_end)                                                                  \
    EVENT(group)                                                                       \
    EVENT(group_end)                                                                   \
    EVENT(block)                                                                       \
    EVENT(branch)                                                                      \
    EVENT(advance)                                                                     \
    EVENT(access)                                                                      \
    EVENT(place)                                                                       \
    EVENT(own_access)                                                                  \
    EVENT(change)                                                                      \
    EVENT(together)                                                                    \
    EVENT(fence)                                                                       \
    EVENT(arrive)                                                                      \
    EVENT(wait)                                                                        \
    EVENT(barrier)                                                                     \
    EVENT(arrive_with_warp)                                                            \
    EVENT(leave_with_warp)                                                             \
    EVENT(fault)

/* For each event the observers that want to know of it, in their order; behind them is
 * NULL. */
struct listeners {
#define LISTENERS_OF(event) struct observer *event[MAX_OBSERVERS + 1];
    EVENTS(LISTENERS_OF)
#undef LISTENERS_OF
};

/* The kernel calls us from anywhere, so what runs must be known everywhere. */
extern struct running {
    const struct job *job;
    const struct model *model;
    struct outcome outcome;
    struct stop scheduler;
    struct lane *lanes, *lane;
    struct warp *warps, *warp;
    size_t group, group_id[3], size[3]; /* this group's */
    unsigned warp_count;
    unsigned votes, voted; /* at the barrier that is next, and at the last one */
    unsigned *objects;     /* by site, the number of the one accessed last */
    struct listeners listeners;
} running;

/* The lane that runs hands over to the others; it goes on when it is its turn again. */
static inline void lane_yield(enum state state) {
    running.lane->state = state;
    jump(&running.lane->resume, &running.scheduler);
}

/* For each observer that wants to know of an event, in their order. */
#define FOR_OBSERVERS(o, event)                                                        \
    for (struct observer *const *at_##o = running.listeners.event, *o; (o = *at_##o);  \
         at_##o++)

/* The lane that runs accesses memory, at a site.  A kernel says so by the second one of
 * these, before which lanes may have to wait for each other. */
void lane_access(const void *address, size_t bytes, unsigned site);
void lens_access(const void *address, size_t bytes, unsigned site);

/* A fault of the lane that runs; the caller fills in what belongs to the kind. */
struct fault fault_here(enum fault_kind kind);
void fault_tell(struct fault fault);

/* The lane that runs waits for its group. */
void lane_wait(unsigned flags);

/* The number of the object that a site accesses at an address; object_count: none. */
unsigned object_at(uintptr_t address, unsigned site);

/* May this access happen? */
bool access_allowed(const struct access *access);

/* Ends the program: the kernel's private arrays do not fit a lane's stack. */
_Noreturn void lane_die(void);

/* The lanes of a warp that are together now. */
struct path *path_of(struct warp *warp);

#endif
