/* warps: the work-items of the group that runs, and how the kernel's calls find them.
 */
#ifndef WARPS_H
#define WARPS_H

#include "coroutine.h"
#include "replay.h"

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
    uint64_t values[2]; /* what it shows to the others; see lens_sub_group_64() */
    unsigned exchanges;
    uint64_t clock; /* see lens_clock() */
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

/* The kernel calls us from anywhere, so what runs must be known everywhere. */
extern struct running {
    struct replay *replay;
    struct stop scheduler;
    struct lane *lanes, *lane;
    struct warp *warps, *warp;
    size_t group, group_id[3], size[3]; /* this group's */
    unsigned warp_count;
    unsigned *objects; /* by site, the number of the one accessed last */
} running;

/* The lane that runs hands over to the others; it goes on when it is its turn again. */
static inline void lane_yield(enum state state) {
    running.lane->state = state;
    jump(&running.lane->resume, &running.scheduler);
}

/* The lane that runs accesses memory, at a site. */
void lens_access(const void *address, size_t bytes, unsigned site);

/* Ends the program: the kernel's private arrays do not fit a lane's stack. */
_Noreturn void lane_die(void);

/* The lanes of a warp that are together now. */
struct path *path_of(struct warp *warp);

#endif
