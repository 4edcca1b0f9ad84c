/* races: mistakes that a result may hide. */
#ifndef RACES_H
#define RACES_H

#include "code/code.h"
#include "replay/replay.h"

enum mistake_kind {
    RACE,
    OUT_OF_BOUNDS,
    UNINITIALISED,
    BARRIER_DIVERGENCE,
    BAD_INDEX,
    STEP_LIMIT,
    PRIVATE_UNINITIALISED,
    AGAINST_FLAGS,
    BARRIER_FLAGS,
    AGAINST_FORMAT,
    CRASH,
    UNTOLD, /* shared virtual memory that the host has not told the kernel of */
    MISALIGNED,
    COPY_DIFFERS, /* asynchronous copies: see async.c */
    WAIT_DIFFERS,
    BAD_EVENT,
    NEVER_WAITED,
    DIVISION, /* of whole numbers, by 0 */
    QUOTIENT, /* or of the smallest one by -1 */
    RECURSION,
    ENDLESS,        /* see endless.h */
    LARGE_ANGLE,    /* of a native function; a note in any case */
    TOO_LARGE_GROUP /* its local memory */
};

enum { LOCAL_FENCE = 1, GLOBAL_FENCE = 2 }; /* CLK_LOCAL_MEM_FENCE and the other */

/* In place of a work-item: an asynchronous copy of its group. */
#define GROUPS_COPY UINT32_MAX

/* Which work-item did what to a piece of memory, or reached a barrier. */
struct access_record {
    uint32_t group, clock; /* the group's number + 1; 0: no work-item was here yet */
    uint32_t item, site;
};

struct mistake {
    enum mistake_kind kind;
    struct access_record one, other;
    unsigned object;         /* object_count: none */
    int64_t texel[3];        /* OUT_OF_BOUNDS of an image */
    int64_t byte;            /* within it, before or behind it; BAD_INDEX: the index */
    const char *array;       /* BAD_INDEX: its type, as in 'float[8]'; UNTOLD: name;
                                RECURSION: the function */
    unsigned arrived, items; /* BARRIER_DIVERGENCE */
    size_t bytes, times;
    float angle;          /* LARGE_ANGLE: the first one */
    int signal;           /* CRASH: its number */
    unsigned barrier;     /* RACE: its site + 1, if it is between them, without their
                             fence; 0: none is */
    unsigned interval[2]; /* RACE in a group: the site + 1 of the last barrier before
                             either; 0: there was none */
    bool other_warp;      /* RACE: of items in two warps, at least once */
    bool values_differ;   /* RACE: or are not known; false: all wrote one value */
    bool same_always;     /* RACE: and they must, whatever the data are */
    bool missing_fence;   /* RACE: their groups' last atomics were on the same place */
    enum { FOR_NOTHING, FOR_WARP, FOR_BARRIER, FOR_GROUP } waits_for; /* ENDLESS */
    bool wrote_last;             /* ENDLESS: the other one did, what is waited for */
    const struct place *goes_on; /* ENDLESS: FOR_WARP, then; NULL: not known */
};

/* How many work-items of a group have reached a barrier; two of them, if there are two
 * that wait at different barriers. */
struct arrivals {
    unsigned arrived, items, item, site, other_item, other_site;
};

void races_begin(struct replay *replay);
/* The launch has ended; what was found stays with the replay. */
void races_stop(struct replay *replay);
void races_end(struct replay *replay);
void races_group(struct replay *replay, size_t group); /* a new group begins */
void races_group_end(struct replay *replay);           /* or it has ended */

/* Adds a mistake, or counts it if it is known; returns its number. */
size_t races_add(struct replay *replay, struct mistake found);

/* Would the same barrier prevent both of these? */
bool races_share_barrier(const struct mistake *one, const struct mistake *other);

/* Adds a race with a copy that goes on. */
void races_add_pending(struct replay *replay, const struct access *access,
                       const struct access_record *copy);
/* The group and the clock; the rest is the caller's. */
struct access_record races_now(void);

/* Looks at an access before it happens.  False: it must not happen. */
bool races_allow(struct replay *replay, const struct access *access);

/* The same only for where it is: a compiler has made it one of a part. */
bool races_allow_place(struct replay *replay, const struct access *access);

/* Looks at an access to private memory, which the compiler has filled with a pattern:
 * by a work-item, at a site. */
void races_private(struct replay *replay, unsigned item, unsigned site,
                   const char *place, size_t bytes);

/* It gives a native function a large angle. */
void races_angle(struct replay *replay, unsigned item, unsigned site, float angle);

/* It uses a value that was never set: stores it, for example, at a site. */
void races_unset(struct replay *replay, unsigned item, unsigned site);

/* An access to an image: at this texel, which lies outside; NULL: by a function for
 * other types of numbers than it has.  It is not done; the replay goes on. */
void races_texel(struct replay *replay, const struct image *image, unsigned item,
                 unsigned site, const int64_t texel[3]);

/* The replay cannot go on: the kernel has caused a signal. */
void races_crash(struct replay *replay, unsigned item, unsigned site, int signal);

/* A whole number has no quotient: the divisor is 0, or else `overflows`. */
void races_divide(struct replay *replay, unsigned item, unsigned site, bool overflows);

/* Does the kernel call a function that calls itself, or need more local memory than any
 * device has?  Then it is not replayed. */
bool races_hopeless(struct replay *replay);

/* An array of known length is left, through this index. */
void races_index(struct replay *replay, const struct access *access, int64_t index,
                 const char *array);

/* A work-item executes a fence; it reaches a barrier; the barrier opens. */
void races_fence(unsigned item, unsigned flags);
void races_arrive(unsigned item, unsigned site, unsigned flags);
void races_barrier(struct replay *replay, const struct arrivals *arrivals);

/* The same among the lanes of a warp alone. */
void races_arrive_with_warp(unsigned item, unsigned flags);
void races_leave_with_warp(unsigned item);

/* The kernel has run for too long. */
void races_step_limit(struct replay *replay);

/* The last write of this byte; its group is 0 if there was none. */
struct access_record races_writer(const struct replay *replay, size_t object,
                                  size_t byte);

#endif
