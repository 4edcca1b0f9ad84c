/* schedule: in which order the warps of a group run, and the groups of a launch. */
#ifndef SCHEDULE_H
#define SCHEDULE_H

#include <stddef.h>

/* By turns, a block each; or the first, the last, or any warp runs as far as it can,
 * and so do groups. */
enum order { BY_TURNS, FIRST_FIRST, LAST_FIRST, AT_RANDOM, ORDERS };

/* Their names, as --order takes them. */
extern const char *const order_names[ORDERS];
enum order order_called(const char *name); /* NULL or unknown: BY_TURNS */

/* A launch begins: what is random is the same for each launch of as many groups. */
void order_launch(size_t groups);

/* The group that comes after `turn` others. */
size_t order_group(size_t turn);

/* A round begins, in which each of so many warps gets its turn. */
void order_round(unsigned warps);

/* The warp whose turn comes after `turn` others, and for how many blocks. */
unsigned order_warp(unsigned turn);
unsigned order_blocks(void);

#endif
