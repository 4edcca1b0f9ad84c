/* observer: who hears what happens while a launch is replayed.
 *
 * An observer is the first member of a structure that owns what it finds.  It has a
 * function for each event that it wants to know of, and NULL for all others.  What is
 * at work at that moment is in `running`: see running.h. */
#ifndef OBSERVER_H
#define OBSERVER_H

#include "base/machine.h"
#include "replay.h"

struct warp;

/* In place of a work-item: an asynchronous copy of its group. */
#define GROUPS_COPY UINT32_MAX

enum { LOCAL_FENCE = 1, GLOBAL_FENCE = 2 }; /* CLK_LOCAL_MEM_FENCE and the other */

/* One access by one lane. */
struct access {
    unsigned site, lane, item; /* the lane in its warp, the work-item in its group */
    unsigned object;           /* its number; object_count: it is in none */
    uintptr_t address;
    size_t bytes;
    bool fails;    /* a compare-exchange that finds another value, and writes nothing */
    bool succeeds; /* one that finds what it expects */
};

/* What one lane accesses: bytes from an offset on, in an object that begins at the
 * beginning of a cache line. */
struct touch {
    uint64_t offset;
    size_t bytes;
    unsigned lane;
};

/* The access of a warp: what its lanes do together at one site with one object.  The
 * touches are in the order of their offsets.  Of an image each lane has the first of
 * its texels there, and `texels` are all of them. */
struct warp_access {
    unsigned site, object;
    unsigned lane_count;
    uint64_t failed; /* lanes whose compare-exchange finds another value: by bit */
    struct touch lanes[MAX_LANES];
    struct touch *texels;
    size_t texel_count;
};

/* How many work-items of a group have reached a barrier; two of them, if there are two
 * that wait at different barriers. */
struct arrivals {
    unsigned arrived, items, item, site, other_item, other_site;
    bool complete; /* all are there, and at one barrier */
};

/* What a kernel should not do, and what no access shows. */
struct fault {
    enum fault_kind {
        FAULT_ANGLE,     /* a native function gets a large one */
        FAULT_UNSET,     /* a value is used that was never set */
        FAULT_DIVISION,  /* of whole numbers, by 0 */
        FAULT_QUOTIENT,  /* of the smallest one by -1 */
        FAULT_TEXEL,     /* it lies outside of its image */
        FAULT_TYPE,      /* an image has other numbers than this function's */
        FAULT_INDEX,     /* an array of known length is left */
        FAULT_ASSERTION, /* of CUDA: the condition is false */
        FAULT_MASK,      /* of CUDA: it names a lane that does not come */
        FAULT_CRASH,     /* a signal was raised: the replay cannot go on */
        FAULT_LIMIT      /* the group was left at the limit of steps */
    } kind;
    unsigned item, site;
    union {
        float angle;
        int signal;
        const char *condition;
        struct {
            uint64_t mask;
            unsigned lane;
        };
        struct {
            const struct image *image;
            int64_t texel[3];
        };
        struct {
            int64_t index;
            const char *array; /* its type, as in 'float[8]' */
        };
    };
};

/* Is it worth going on? */
enum prospect {
    GOES_ON,
    NO_END,           /* the group comes back to where it was */
    NO_END_BY_ITSELF, /* the same, unless the host changes what it waits for */
    NO_END_REPORTED /* the first of these, and the observer has made a mistake of it */
};

struct observer {
    /* A launch begins.  False: it cannot be made. */
    bool (*launch)(struct observer *self);
    void (*launch_end)(struct observer *self);
    /* running.group begins; it has ended, or was left. */
    void (*group)(struct observer *self);
    void (*group_end)(struct observer *self);

    /* These lanes of running.warp enter a block; and have come to the branch at its
     * end. */
    void (*block)(struct observer *self, int block, uint64_t lanes);
    void (*branch)(struct observer *self, int block, uint64_t lanes, bool diverges);
    /* running.warp has gone on by a block, or a part of it. */
    enum prospect (*advance)(struct observer *self, struct warp *warp);

    /* A lane is about to access memory.  False: it must not. */
    bool (*access)(struct observer *self, const struct access *access);
    /* It would access more than that, which is not done: only the place counts. */
    bool (*place)(struct observer *self, const struct access *access);
    /* Memory of its own. */
    void (*own_access)(struct observer *self, unsigned site, const char *place,
                       size_t bytes);
    /* An atomic of running.lane, of that operation, has changed that. */
    void (*change)(struct observer *self, const void *place, unsigned operation);
    /* All lanes of running.warp that do so together have accessed memory. */
    void (*together)(struct observer *self, const struct warp_access *access);

    /* running.lane executes a fence; comes to a barrier; running.warp waits there; the
     * barrier opens. */
    void (*fence)(struct observer *self, unsigned flags);
    void (*arrive)(struct observer *self, unsigned flags);
    void (*wait)(struct observer *self);
    void (*barrier)(struct observer *self, const struct arrivals *arrivals);
    /* running.lane comes to a barrier of its warp alone, and goes on behind it. */
    void (*arrive_with_warp)(struct observer *self, unsigned flags);
    void (*leave_with_warp)(struct observer *self);

    void (*fault)(struct observer *self, const struct fault *fault);
};

#endif
