/* lanes: the work-items of the group that runs, and how the kernel's calls find them.
 */
#ifndef LANES_H
#define LANES_H

#include "lens.h"

#include <setjmp.h>

enum { STACK = 1 << 18 };        /* bytes for each lane: a kernel's private arrays */
enum { PATHS = 2 * LANES_MOST }; /* a branch that lanes part at leaves fewer to part */

enum state { RUNNING, MEETING, AT_BARRIER, FINISHED, LOST };

struct lane {       /* a work-item */
    jmp_buf resume; /* where it goes on, once it has begun */
    char *stack;
    enum state state;
    int block;          /* the one it is about to enter */
    unsigned item;      /* its number in the group */
    size_t local_id[3]; /* and by dimension */
    unsigned site;      /* the built-in it has come to */
    uint64_t offers[2]; /* what it shows to the others; see lens_sub_group_64() */
    unsigned offered;
    uint64_t clock; /* see lens_clock() */
};

/* Lanes that are together: at which block, and where they will meet the others. */
struct path {
    uint64_t lanes;
    int block, meet;
};

struct warp { /* lanes in lockstep */
    struct lane *lanes;
    unsigned number, lane_count, path_count;
    struct path paths[PATHS];
    bool inside; /* a block, at a meeting or a barrier */
    bool waiting;
};

/* The kernel calls us from anywhere, so what runs must be known everywhere. */
extern struct running {
    struct replay *replay;
    jmp_buf scheduler;
    struct lane *lanes, *lane;
    struct warp *warps, *warp;
    size_t group, group_id[3], size[3]; /* this group's */
    unsigned warp_count;
} running;

/* The lane that runs hands over to the others; it goes on when it is its turn again. */
void lane_yield(enum state state);

/* The lanes of a warp that are together now. */
struct path *path_of(struct warp *warp);

#endif
