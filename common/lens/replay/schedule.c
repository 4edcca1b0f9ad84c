/* schedule: in which order warps and groups run.
 *
 * A GPU promises none, so a kernel is right only if it is right in every order. The
 * worst ones are those in which one warp is as far ahead of the others as barriers let
 * it be. */
#include "schedule.h"
#include "settings.h"

#include <assert.h>
#include <limits.h>
#include <stdint.h>
#include <string.h>

const char *const order_names[ORDERS] = {"turns", "first", "last", "random"};

/* Goes round so many numbers once. */
struct ring {
    size_t count, begin;
    bool backward;
};

static struct {
    uint64_t state; /* of the random numbers */
    struct ring groups, warps;
} order;

enum order order_called(const char *name) {
    for (int i = 0; name && i < ORDERS; i++)
        if (strcmp(order_names[i], name) == 0)
            return (enum order)i;
    return BY_TURNS;
}

/* A random number of 31 bits.  Source of the constants: Knuth, The Art of Computer
 * Programming, volume 2, section 3.3.4 (MMIX). */
static size_t random_number(void) {
    order.state = order.state * 6364136223846793005u + 1442695040888963407u;
    return (size_t)(order.state >> 33);
}

static struct ring ring_of(size_t count) {
    struct ring ring = {.count = count, .backward = settings->order == LAST_FIRST};
    if (settings->order == AT_RANDOM) {
        ring.begin = random_number() % count;
        ring.backward = random_number() & 1;
    }
    return ring;
}

static size_t place(const struct ring *ring, size_t turn) {
    assert(turn < ring->count);
    const size_t far = (ring->begin + turn) % ring->count;
    return ring->backward ? ring->count - 1 - far : far;
}

void order_launch(size_t groups) {
    order.state = groups;
    order.groups = ring_of(groups);
}

size_t order_group(size_t turn) {
    return place(&order.groups, turn);
}

void order_round(unsigned warps) {
    order.warps = ring_of(warps);
}

unsigned order_warp(unsigned turn) {
    return (unsigned)place(&order.warps, turn);
}

unsigned order_blocks(void) {
    switch (settings->order) {
    case BY_TURNS:
        return 1;
    case AT_RANDOM:
        return 1u << random_number() % 5;
    default:
        return UINT_MAX;
    }
}
