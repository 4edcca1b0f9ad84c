/* mistake: what observers find that a kernel must not do. */
#ifndef MISTAKE_H
#define MISTAKE_H

#include "replay/running.h"

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
    ENDLESS,         /* see endless.h */
    LARGE_ANGLE,     /* of a native function; a note in any case */
    TOO_LARGE_GROUP, /* its local memory */
    ASSERTION,       /* of CUDA: its condition is false */
    LANE_MASK        /* of CUDA: it names a lane that does not come */
};

/* Which work-item did what to a piece of memory, or reached a barrier. */
struct access_record {
    uint32_t group, clock; /* the group's number + 1; 0: no work-item was here yet; the
                              clock is that of races.c */
    uint32_t item, site;   /* the item may be GROUPS_COPY */
};

struct mistake {
    enum mistake_kind kind;
    struct access_record one, other;
    unsigned object; /* object_count: none */
    int64_t byte;    /* within it, before or behind it */
    size_t bytes;    /* from there on; TOO_LARGE_GROUP: that a group needs */
    size_t times;
    union {
        struct {
            unsigned barrier;     /* its site + 1, if it is between them, without their
                                     fence; 0: none is */
            unsigned interval[2]; /* in a group: the site + 1 of the last barrier before
                                     either; 0: there was none */
            bool other_warp;      /* of items in two warps, at least once */
            bool values_differ;   /* or are not known; false: all wrote one value */
            bool same_always;     /* and they must, whatever the data are */
            bool one_instruction; /* both are stores of one warp by one instruction */
            bool missing_fence;   /* their groups' last atomics were on one place */
        } race;                   /* RACE */
        int64_t texel[3];         /* OUT_OF_BOUNDS of an image */
        struct {
            int64_t number;
            const char *array; /* its type, as in 'float[8]' */
        } index;               /* BAD_INDEX */
        struct {
            unsigned arrived, items;
        } barrier;             /* BARRIER_DIVERGENCE */
        const char *memory;    /* UNTOLD: its name */
        const char *function;  /* RECURSION: its name */
        float angle;           /* LARGE_ANGLE: the first one */
        const char *condition; /* ASSERTION */
        struct {
            uint64_t mask;
            unsigned lane; /* the first that does not come */
        } named;           /* LANE_MASK */
        int signal;        /* CRASH: its number */
        struct {
            enum {
                FOR_NOTHING,
                FOR_WARP,
                FOR_BARRIER,
                FOR_GROUP,
                FOR_EXCHANGE,
                FOR_ENDED, /* the one that has the lock */
                FOR_LOOP,  /* in which it is that wrote that last */
                FOR_ITSELF
            } waits_for;
            bool wrote_last;              /* the other one did, what is waited for */
            struct access_record changer; /* of what is waited for; its group is 0 if
                                             none is known */
            uint64_t value;               /* that is there */
            const struct place *goes_on;  /* FOR_WARP, then; NULL: not known */
        } end;                            /* ENDLESS */
    };
};

/* What was found in a launch.  Observers share one; its owner ends it. */
struct mistakes {
    struct mistake *all;
    size_t count;
    struct mistake *notes; /* what devices forgive */
    size_t note_count;
};

/* Adds a mistake of the launch that runs, or counts it if one of the same kind at the
 * same places is known; returns its number. */
size_t mistakes_add(struct mistakes *mistakes, struct mistake found);
/* The same for a note; two with one kind and one first place are the same. */
void mistakes_note(struct mistakes *mistakes, struct mistake found);
void mistakes_end(struct mistakes *mistakes);

/* A work-item of the group that runs, or its copy, at a site. */
struct access_record record_at(unsigned item, unsigned site);

/* A mistake by one access; one by a work-item that concerns no object. */
struct mistake mistake_of(enum mistake_kind kind, const struct access *access);
struct mistake mistake_at(enum mistake_kind kind, unsigned item, unsigned site);

/* Would the same barrier prevent both of these? */
bool mistakes_share_barrier(const struct mistake *one, const struct mistake *other);

#endif
