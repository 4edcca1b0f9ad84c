/* sub_group: broadcasts, shuffles, reductions and scans over the lanes of a warp. */
#include "sub_group.h"
#include "base/machine.h"
#include "code/operations.h"

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define COMBINE(type)                                                                  \
    do {                                                                               \
        type x, y;                                                                     \
        memcpy(&x, &one, sizeof x);                                                    \
        memcpy(&y, &other, sizeof y);                                                  \
        x = operation == LENS_REDUCE_ADD                ? (type)(x + y)                \
            : operation == LENS_REDUCE_MUL              ? (type)(x * y)                \
            : (operation == LENS_REDUCE_MIN) == (y < x) ? y                            \
                                                        : x;                           \
        one = 0;                                                                       \
        memcpy(&one, &x, sizeof x);                                                    \
    } while (0)

static uint64_t combine(unsigned operation, unsigned type, uint64_t one,
                        uint64_t other) {
    switch (operation) {
    case LENS_REDUCE_AND:
        return one & other;
    case LENS_REDUCE_OR:
        return one | other;
    case LENS_REDUCE_XOR:
        return one ^ other;
    }
    switch (type) {
    case LENS_INT:
        if (operation == LENS_REDUCE_ADD || operation == LENS_REDUCE_MUL)
            COMBINE(uint32_t); /* wraps around, where int must not */
        else
            COMBINE(int32_t);
        break;
    case LENS_UINT:
        COMBINE(uint32_t);
        break;
    case LENS_LONG:
        if (operation == LENS_REDUCE_ADD || operation == LENS_REDUCE_MUL)
            COMBINE(uint64_t);
        else
            COMBINE(int64_t);
        break;
    case LENS_ULONG:
        COMBINE(uint64_t);
        break;
    case LENS_FLOAT:
        COMBINE(float);
        break;
    default:
        COMBINE(double);
    }
    return one;
}

/* The identity of an operation: what an exclusive scan gives the first lane. */
static uint64_t identity(unsigned operation, unsigned type) {
    static const float min = -__builtin_inff(), max = __builtin_inff();
    static const double min_double = -__builtin_inf(), max_double = __builtin_inf();
    static const uint64_t lowest[] = {(uint32_t)INT32_MIN, 0, (uint64_t)INT64_MIN, 0},
                          highest[] = {INT32_MAX, UINT32_MAX, INT64_MAX, UINT64_MAX};
    uint64_t bits = 0;
    if (operation == LENS_REDUCE_ADD)
        return 0;
    if (type == LENS_FLOAT)
        memcpy(&bits, operation == LENS_REDUCE_MIN ? &max : &min, sizeof max);
    else if (type == LENS_DOUBLE)
        memcpy(&bits, operation == LENS_REDUCE_MIN ? &max_double : &min_double,
               sizeof bits);
    else
        bits = operation == LENS_REDUCE_MIN ? highest[type] : lowest[type];
    return bits;
}

/* The values of the lanes before `end`, in order. */
static uint64_t combined(const struct exchange *exchange, unsigned operation,
                         unsigned end) {
    bool first = true;
    uint64_t result = identity(operation, exchange->type);
    for (unsigned lane = 0; lane < end; lane++)
        if (exchange->present >> lane & 1) {
            result = first ? exchange->values[lane]
                           : combine(operation, exchange->type, result,
                                     exchange->values[lane]);
            first = false;
        }
    return result;
}

static uint64_t any(const struct exchange *exchange, bool wanted) {
    for (unsigned lane = 0; lane < MAX_LANES; lane++)
        if (exchange->present >> lane & 1 && (exchange->values[lane] != 0) == wanted)
            return 1;
    return 0;
}

uint64_t sub_group_result(const struct exchange *exchange) {
    const unsigned what = exchange->what, own = exchange->own;
    assert(exchange->present >> own & 1); /* a lane is among those it works with */
    switch (what) {
    case LENS_BROADCAST:
    case LENS_SHUFFLE:
        return exchange->values[exchange->asked % MAX_LANES];
    case LENS_SHUFFLE_XOR:
        return exchange->values[(own ^ exchange->asked) % MAX_LANES];
    case LENS_ANY:
        return any(exchange, true);
    case LENS_ALL:
        return !any(exchange, false);
    }
    if (what < LENS_INCLUSIVE_ADD)
        return combined(exchange, what, MAX_LANES);
    if (what < LENS_EXCLUSIVE_ADD)
        return combined(exchange, what - LENS_INCLUSIVE_ADD + LENS_REDUCE_ADD, own + 1);
    return combined(exchange, what - LENS_EXCLUSIVE_ADD + LENS_REDUCE_ADD, own);
}
