/* sub_group: broadcasts, shuffles, reductions and scans over the lanes of a warp. */
#include "sub_group.h"

#include <string.h>

/* In the order of builtins.cl: behind REDUCE, INCLUSIVE and EXCLUSIVE the operations.
 */
enum { ADD, MIN, MAX, MUL, AND, OR, XOR, OPERATIONS };
enum {
    BROADCAST,
    SHUFFLE,
    SHUFFLE_XOR,
    ANY,
    ALL,
    REDUCE,
    INCLUSIVE = REDUCE + OPERATIONS,
    EXCLUSIVE = INCLUSIVE + 3 /* ADD, MIN and MAX alone */
};
enum { INT, UINT, LONG, ULONG, FLOAT, DOUBLE };

#define COMBINE(type)                                                                  \
    do {                                                                               \
        type x, y;                                                                     \
        memcpy(&x, &one, sizeof x);                                                    \
        memcpy(&y, &other, sizeof y);                                                  \
        x = operation == ADD                ? (type)(x + y)                            \
            : operation == MUL              ? (type)(x * y)                            \
            : (operation == MIN) == (y < x) ? y                                        \
                                            : x;                                       \
        one = 0;                                                                       \
        memcpy(&one, &x, sizeof x);                                                    \
    } while (0)

static uint64_t combine(unsigned operation, unsigned type, uint64_t one,
                        uint64_t other) {
    switch (operation) {
    case AND:
        return one & other;
    case OR:
        return one | other;
    case XOR:
        return one ^ other;
    }
    switch (type) {
    case INT:
        if (operation == ADD || operation == MUL)
            COMBINE(uint32_t); /* wraps around, where int must not */
        else
            COMBINE(int32_t);
        break;
    case UINT:
        COMBINE(uint32_t);
        break;
    case LONG:
        if (operation == ADD || operation == MUL)
            COMBINE(uint64_t);
        else
            COMBINE(int64_t);
        break;
    case ULONG:
        COMBINE(uint64_t);
        break;
    case FLOAT:
        COMBINE(float);
        break;
    default:
        COMBINE(double);
    }
    return one;
}

/* What an exclusive scan gives the first lane. */
static uint64_t neutral(unsigned operation, unsigned type) {
    static const float least = -__builtin_inff(), most = __builtin_inff();
    static const double least_double = -__builtin_inf(), most_double = __builtin_inf();
    static const uint64_t lowest[] = {(uint32_t)INT32_MIN, 0, (uint64_t)INT64_MIN, 0},
                          highest[] = {INT32_MAX, UINT32_MAX, INT64_MAX, UINT64_MAX};
    uint64_t bits = 0;
    if (operation == ADD)
        return 0;
    if (type == FLOAT)
        memcpy(&bits, operation == MIN ? &most : &least, sizeof most);
    else if (type == DOUBLE)
        memcpy(&bits, operation == MIN ? &most_double : &least_double, sizeof bits);
    else
        bits = operation == MIN ? highest[type] : lowest[type];
    return bits;
}

/* The values of the lanes before `end`, in order. */
static uint64_t combined(const struct offers *offers, unsigned operation,
                         unsigned end) {
    bool first = true;
    uint64_t result = neutral(operation, offers->type);
    for (unsigned lane = 0; lane < end; lane++)
        if (offers->present >> lane & 1) {
            result =
                first ? offers->values[lane]
                      : combine(operation, offers->type, result, offers->values[lane]);
            first = false;
        }
    return result;
}

static uint64_t any(const struct offers *offers, bool wanted) {
    for (unsigned lane = 0; lane < LANES_MOST; lane++)
        if (offers->present >> lane & 1 && (offers->values[lane] != 0) == wanted)
            return 1;
    return 0;
}

uint64_t sub_group_result(const struct offers *offers) {
    const unsigned what = offers->what;
    switch (what) {
    case BROADCAST:
    case SHUFFLE:
        return offers->values[offers->asked % LANES_MOST];
    case SHUFFLE_XOR:
        return offers->values[(offers->own ^ offers->asked) % LANES_MOST];
    case ANY:
        return any(offers, true);
    case ALL:
        return !any(offers, false);
    default:
        return what >= EXCLUSIVE   ? combined(offers, what - EXCLUSIVE, offers->own)
               : what >= INCLUSIVE ? combined(offers, what - INCLUSIVE, offers->own + 1)
                                   : combined(offers, what - REDUCE, LANES_MOST);
    }
}
