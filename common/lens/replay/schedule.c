/* schedule: in which order warps and groups run.
 *
 * A GPU promises none, so a kernel is right only if it is right in every order. The
 * worst ones are those in which one warp is as far ahead of the others as barriers let
 * it be. */
#include "schedule.h"

#include <assert.h>
#include <limits.h>
#include <stdint.h>
#include <string.h>

const char *const order_names[ORDERS] = {"turns", "first", "last", "random"};

enum order order_called(const char *name) {
    for (int i = 0; name && i < ORDERS; i++)
        if (strcmp(order_names[i], name) == 0)
            return (enum order)i;
    return BY_TURNS;
}

/* A random number of 31 bits.  Source of the constants: Knuth, The Art of Computer
 * Programming, volume 2, section 3.3.4 (MMIX). */
static size_t random_number(struct schedule *schedule) {
    schedule->state = schedule->state * 6364136223846793005u + 1442695040888963407u;
    return (size_t)(schedule->state >> 33);
}

static struct ring ring_of(struct schedule *schedule, size_t count) {
    struct ring ring = {.count = count, .backward = schedule->order == LAST_FIRST};
    if (schedule->order == AT_RANDOM) {
        ring.begin = random_number(schedule) % count;
        ring.backward = random_number(schedule) & 1;
    }
    return ring;
}

static size_t place(const struct ring *ring, size_t turn) {
    assert(turn < ring->count);
    const size_t far = (ring->begin + turn) % ring->count;
    return ring->backward ? ring->count - 1 - far : far;
}

struct schedule schedule_begin(enum order order, size_t groups) {
    struct schedule schedule = {.order = order, .state = groups};
    schedule.groups = ring_of(&schedule, groups);
    return schedule;
}

size_t schedule_group(const struct schedule *schedule, size_t turn) {
    return place(&schedule->groups, turn);
}

void schedule_round(struct schedule *schedule, unsigned warps) {
    schedule->warps = ring_of(schedule, warps);
}

unsigned schedule_warp(const struct schedule *schedule, unsigned turn) {
    return (unsigned)place(&schedule->warps, turn);
}

unsigned schedule_blocks(struct schedule *schedule) {
    switch (schedule->order) {
    case BY_TURNS:
        return 1;
    case AT_RANDOM:
        return 1u << random_number(schedule) % 5;
    default:
        return UINT_MAX;
    }
}
