/* replay: one launch, as a GPU would make it whose lanes move in lockstep. */
#ifndef REPLAY_H
#define REPLAY_H

#include "code/code.h"
#include "schedule.h"

struct observer;

/* A launch: what goes in.  The replay changes nothing but what its objects hold. */
struct job {
    const struct code *code;
    const char *kernel, *source;
    char *scalars; /* "n=4096 stride=2" */
    void (*call)(uint64_t *arguments);
    uint64_t *arguments;
    size_t global[3], local[3], offset[3]; /* in work-items */
    unsigned dimensions;
    bool local_chosen;      /* by us: the program left it open */
    struct object *objects; /* arguments first, then the arrays of the file */
    size_t object_count;

    /* The memory at an address that the host shares with kernels, which may not have
     * been told of it; its result is NULL if there is none, and so is this where
     * nothing is shared. */
    const struct object *(*shared)(const void *address);
};

/* The GPU that makes it, and how much of it is made. */
struct model {
    unsigned lanes;    /* in a warp */
    enum order order;  /* of warps and groups */
    size_t groups;     /* that are made; 0: as many as are quick */
    bool whole;        /* all of them, however long that takes */
    bool neighbours;   /* those beside the first one in any case: where halos are */
    uint64_t patience; /* steps of one group, after which the launch is left */
    bool one_of_many;  /* small launches follow, for which stacks are kept */
    bool in_step;      /* lanes wait for each other before each access, and not only
                          at branches, barriers and atomics */
};

/* For `patience`: of a launch; of one that was short in another order; of one of many
 * small ones. */
enum { PATIENT = 1 << 26, LESS_PATIENT = 1 << 19, IMPATIENT = 1 << 22 };

/* What came out, beside what observers have seen. */
struct outcome {
    size_t groups, groups_replayed;
    uint64_t items_replayed;
    uint64_t lane_steps, instructions, lane_instructions, barriers;
    bool stopped;         /* by a mistake, or at the limit of steps */
    uint64_t limit;       /* of steps, if it was stopped there; 0: it was not */
    bool endless;         /* stopped because it never ends */
    struct place at_work; /* where it was stopped */
};

/* Makes a launch; observers hear of all that happens, in their order.  There are at
 * most MAX_OBSERVERS. */
enum { MAX_OBSERVERS = 16 };
struct outcome replay(const struct job *job, const struct model *model,
                      struct observer *const *observers, size_t observer_count);

/* How many groups the launch has; how many work-items the largest of them. */
size_t job_groups(const struct job *job);
size_t job_group_items(const struct job *job);

#endif
