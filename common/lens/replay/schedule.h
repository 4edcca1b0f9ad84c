/* schedule: in which order the warps of a group run, and the groups of a launch. */
#ifndef SCHEDULE_H
#define SCHEDULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* By turns, a block each; or the first, the last, or any warp runs as far as it can,
 * and so do groups. */
enum order { BY_TURNS, FIRST_FIRST, LAST_FIRST, AT_RANDOM, ORDERS };

/* Their names, as --order takes them. */
extern const char *const order_names[ORDERS];
enum order order_called(const char *name); /* NULL or unknown: BY_TURNS */

/* Goes round so many numbers once. */
struct ring {
    size_t count, begin;
    bool backward;
};

/* That of a launch, and how far it has come. */
struct schedule {
    enum order order;
    uint64_t state; /* of the random numbers */
    struct ring groups, warps;
};

/* A launch begins: what is random is the same for each launch of as many groups. */
struct schedule schedule_begin(enum order order, size_t groups);

/* The group that comes after `turn` others. */
size_t schedule_group(const struct schedule *schedule, size_t turn);

/* A round begins, in which each of so many warps gets its turn. */
void schedule_round(struct schedule *schedule, unsigned warps);

/* The warp whose turn comes after `turn` others, and for how many blocks. */
unsigned schedule_warp(const struct schedule *schedule, unsigned turn);
unsigned schedule_blocks(struct schedule *schedule);

#endif
