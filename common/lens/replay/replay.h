/* replay: a launch, replayed. */
#ifndef REPLAY_H
#define REPLAY_H

#include "code/code.h"

struct replay {
    const struct code *code;
    const char *kernel, *source;
    char *scalars; /* "n=4096 stride=2" */
    void (*call)(uint64_t *arguments);
    uint64_t *arguments;
    size_t global[3], local[3], offset[3]; /* in work-items */
    unsigned dimensions;
    size_t groups_wanted;   /* to replay; 0: as many as are quick */
    bool whole;             /* a later launch needs what all groups leave */
    bool local_chosen;      /* by us: the program left it open */
    struct object *objects; /* arguments first, then the arrays of the file */
    size_t object_count;

    size_t groups, groups_replayed; /* from here on: what came out */
    uint64_t items_replayed;
    uint64_t lane_steps, instructions, lane_instructions, barriers;
    bool backward;          /* the last warp and the last group ran first */
    bool stopped;           /* by a mistake, or at the limit of steps */
    uint64_t limit;         /* of steps, if it was stopped there; 0: it was not */
    bool endless;           /* stopped because it never ends */
    struct place at_work;   /* where it was stopped */
    struct tally **tallies; /* by site and object; counts.c */
    struct branch_tally *branches; /* by block */
    struct shadow *shadows;        /* by object; races.c */
    struct mistake *mistakes;      /* the same */
    size_t mistake_count;
    struct mistake *notes; /* what devices forgive */
    size_t note_count;
};

/* Runs a launch and fills in what came out; releases that again. */
void replay_run(struct replay *replay);
void replay_end(struct replay *replay);

/* One access by one lane. */
struct access {
    unsigned site, lane, item; /* the lane in its warp, the work-item in its group */
    unsigned object;           /* its number; object_count: it is in none */
    uintptr_t address;
    size_t bytes;
    bool fails; /* a compare-exchange that finds another value, and writes nothing */
};

#endif
