/* sub_group: what the lanes of a warp make of each other's values. */
#ifndef SUB_GROUP_H
#define SUB_GROUP_H

#include "base/machine.h"

#include <stdint.h>

struct exchange {
    unsigned what, type;        /* from operations.h */
    uint64_t values[MAX_LANES]; /* as bits */
    uint64_t present;           /* the lanes that take part */
    unsigned own, asked;        /* this lane, and the one that a shuffle names */
};

/* The result for lane `own`, as bits. */
uint64_t sub_group_result(const struct exchange *exchange);

#endif
