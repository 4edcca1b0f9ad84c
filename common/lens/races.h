/* races: mistakes that a result may hide. */
#ifndef RACES_H
#define RACES_H

#include "lens.h"

enum mistake_kind { RACE, OUTSIDE, UNWRITTEN, BARRIER_MISSED, INDEX, ENDLESS };

/* Who did what to a piece of memory, or came to a barrier. */
struct visit {
    uint32_t group, clock; /* the group's number + 1; 0: nobody was here yet */
    uint32_t item, site;
};

struct mistake {
    enum mistake_kind kind;
    struct visit one, other;
    unsigned object;      /* object_count: none */
    int64_t byte;         /* within it, before or behind it; INDEX: the index */
    const char *array;    /* INDEX: its type, as in 'float[8]' */
    unsigned come, items; /* BARRIER_MISSED */
    size_t bytes, times;
    bool wrong_fence; /* RACE: a barrier stands between them, with another flag */
};

/* How many work-items of a group have come to a barrier; two of them, if there are two
 * that wait at different barriers. */
struct comers {
    unsigned come, items, item, site, other_item, other_site;
};

void races_begin(struct replay *replay);
void races_stop(void); /* the launch has ended; what was found stays with the replay */
void races_end(struct replay *replay);
void races_group(struct replay *replay, size_t group); /* a new group begins */

/* Looks at an access before it happens.  False: it must not happen. */
bool races_allow(struct replay *replay, const struct access *access);

/* An array of known length is left, through this index. */
void races_index(struct replay *replay, const struct access *access, int64_t index,
                 const char *array);

/* A work-item executes a fence; it comes to a barrier; the barrier opens. */
void races_fence(unsigned item, unsigned flags);
void races_arrive(unsigned item, unsigned flags);
void races_barrier(struct replay *replay, const struct comers *comers);

/* The same among the lanes of a warp alone. */
void races_arrive_with_warp(unsigned item, unsigned flags);
void races_leave_with_warp(unsigned item);

/* The kernel has run for too long. */
void races_endless(struct replay *replay);

/* Who was the last to write this byte; its group is 0 if nobody did. */
struct visit races_writer(const struct replay *replay, size_t object, size_t byte);

/* The first line of what is printed about a mistake; the caller frees it. */
char *races_title(const struct replay *replay, const struct mistake *mistake);

/* Prints what was found, in the form of the project's error messages. */
void races_report(const struct replay *replay);

#endif
