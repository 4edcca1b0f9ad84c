/* callbacks: what an instrumented kernel calls while it is replayed. */
#include "base/machine.h"
#include "code/operations.h"
#include "gather.h"
#include "running.h"
#include "sub_group.h"

#include <math.h>
#include <string.h>

static bool on_stack(const struct lane *lane, uintptr_t address) {
    return address - (uintptr_t)lane->stack < STACK;
}

/* ---- What instrument.c puts in. */
VISIBLE void lens_block(unsigned block) {
    if (!on_stack(running.lane, (uintptr_t)&block))
        lane_die();
    running.lane->block = (int)block;
    lane_yield(RUNNING);
}

VISIBLE void lens_here(unsigned site) {
    running.lane->site = site;
}

/* By the lane that runs, at a site. */
static struct access access_here(uintptr_t address, size_t bytes, unsigned site) {
    const unsigned item = running.lane->item;
    return (struct access){.site = site,
                           .item = item,
                           .lane = item % running.model->lanes,
                           .object = object_at(address, site),
                           .address = address,
                           .bytes = bytes};
}

/* `expected` by a compare-exchange; NULL: it is none. */
static void look_at(const void *address, size_t bytes, unsigned site,
                    const void *expected) {
    struct lane *lane = running.lane;
    lane->site = site;
    if (on_stack(lane, (uintptr_t)address)) {
        FOR_OBSERVERS (o, own_access)
            o->own_access(o, site, address, bytes);
        return; /* registers, on a GPU, if there are enough of them */
    }
    struct access access = access_here((uintptr_t)address, bytes, site);
    const bool known = access.object < running.job->object_count;
    if (known && running.job->objects[access.object].space == PRIVATE)
        return; /* an argument */
    access.fails = expected && known && memcmp(address, expected, bytes) != 0;
    access.succeeds = expected && known && !access.fails;
    if (!access_allowed(&access))
        lane_yield(LOST); /* and never comes back */
    gather_add(&access);
}

void lane_access(const void *address, size_t bytes, unsigned site) {
    look_at(address, bytes, site, NULL);
}

VISIBLE void lens_access(const void *address, size_t bytes, unsigned site) {
    if (running.model->in_step)
        lane_yield(AT_WARP_BARRIER);
    lane_access(address, bytes, site);
}

/* clang calls this one, with -fsanitize=array-bounds: an index lies outside an array.
 * Before the array's name are two numbers of 16 bits, for its kind and size.
 */
struct type {
    uint16_t kind, bits;
    char name[];
};

struct place_and_types {
    const char *file;
    uint32_t line, column;
    const struct type *array, *index;
};

VISIBLE void __ubsan_handle_out_of_bounds(const struct place_and_types *where,
                                          size_t index) {
    const bool is_signed = where->index->bits & 1;
    const unsigned width = 1u << (where->index->bits >> 1);
    const unsigned unused = width < 64 ? 64 - width : 0;
    const int64_t value = is_signed ? (int64_t)(index << unused) >> unused
                                    : (int64_t)(index << unused >> unused);
    struct fault fault = fault_here(FAULT_INDEX);
    fault.index = value;
    fault.array = where->array->name;
    fault_tell(fault);
    lane_yield(LOST);
}

VISIBLE void lens_copy(const void *to, const void *from, size_t bytes, unsigned store,
                       unsigned load) {
    lens_access(from, bytes, load);
    lens_access(to, bytes, store);
}

VISIBLE void lens_fill(const void *to, char value, size_t bytes, unsigned store) {
    (void)value;
    lens_access(to, bytes, store);
}

/* What a whole number is divided by, in the place of what gives no quotient: see
 * divide.h.  `bits` are those of a signed one; 0: it is unsigned. */
VISIBLE uint64_t lens_divisor(uint64_t dividend, uint64_t divisor, unsigned bits,
                              unsigned site) {
    const bool overflows =
        bits > 0 && divisor == UINT64_MAX && dividend == UINT64_MAX << (bits - 1);
    if (divisor != 0 && !overflows)
        return divisor;
    struct fault fault = fault_here(overflows ? FAULT_QUOTIENT : FAULT_DIVISION);
    fault.site = site;
    fault_tell(fault);
    return 1;
}

/* A vector of which one component is accessed; see restore.c. */
VISIBLE void lens_aligned(const void *address, unsigned alignment) {
    if (on_stack(running.lane, (uintptr_t)address))
        return;
    const struct access access =
        access_here((uintptr_t)address, alignment, running.lane->site);
    FOR_OBSERVERS (o, place)
        if (!o->place(o, &access))
            lane_yield(LOST);
}

/* What native_sin() and the like are given. */
VISIBLE void lens_angle(float angle) {
    enum { LARGE = 100 };
    struct fault fault = fault_here(FAULT_ANGLE);
    fault.angle = angle;
    if (angle > LARGE || angle < -LARGE)
        fault_tell(fault);
}

/* What a private variable holds that nothing was put in; see unset.h.  A load from
 * private memory finds the same pattern. */
#define UNSET(type, name, bits)                                                        \
    VISIBLE type lens_unset_##name(void) {                                             \
        type value;                                                                    \
        memset(&value, bits, sizeof value);                                            \
        return value;                                                                  \
    }
UNSET(float, float, 0xFF)
UNSET(double, double, 0xFF)
UNSET(uint8_t, i8, 0xAA)
UNSET(uint16_t, i16, 0xAA)
UNSET(uint32_t, i32, 0xAA)
UNSET(uint64_t, i64, 0xAA)
UNSET(void *, ptr, 0xAA)

/* What is stored to private memory is not used yet. */
VISIBLE void lens_use(bool is_unset, const void *to, unsigned site) {
    struct fault fault = fault_here(FAULT_UNSET);
    fault.site = site;
    if (is_unset && !on_stack(running.lane, (uintptr_t)to))
        fault_tell(fault);
}

/* ---- Built-ins, as builtins.cl declares them. */
#define WORK_ITEM(name, value, otherwise)                                              \
    VISIBLE size_t name(unsigned d) {                                                  \
        return d < 3 ? (value) : (otherwise);                                          \
    }
WORK_ITEM(lens_group_id, running.group_id[d], 0)
WORK_ITEM(lens_local_id, running.lane->local_id[d], 0)
WORK_ITEM(lens_local_size, running.size[d], 1)
WORK_ITEM(lens_enqueued_local_size, running.job->local[d], 1)
WORK_ITEM(lens_global_size, running.job->global[d], 1)
WORK_ITEM(lens_global_offset, running.job->offset[d], 0)
WORK_ITEM(lens_num_groups, 1 + (running.job->global[d] - 1) / running.job->local[d], 1)
WORK_ITEM(lens_global_id,
          running.job->offset[d] + running.lane->local_id[d] +
              running.group_id[d] * running.job->local[d],
          0)

VISIBLE unsigned lens_work_dim(void) {
    return running.job->dimensions;
}
VISIBLE unsigned lens_sub_group_size(void) {
    return running.warp->lane_count;
}
VISIBLE unsigned lens_max_sub_group_size(void) {
    return running.model->lanes;
}
VISIBLE unsigned lens_num_sub_groups(void) {
    return running.warp_count;
}
VISIBLE unsigned lens_sub_group_id(void) {
    return running.warp->number;
}
VISIBLE unsigned lens_sub_group_local_id(void) {
    return running.lane->item % running.model->lanes;
}

void lane_wait(unsigned flags) {
    FOR_OBSERVERS (o, arrive)
        o->arrive(o, flags);
    lane_yield(AT_BARRIER);
}

VISIBLE void lens_barrier(unsigned flags) {
    lane_wait(flags);
}

/* Of CUDA: for how many work-items of the group is it so? */
VISIBLE unsigned lens_barrier_count(unsigned flags, unsigned is) {
    running.votes += is != 0;
    lane_wait(flags);
    return running.voted;
}

VISIBLE void lens_sub_group_barrier(unsigned flags) {
    FOR_OBSERVERS (o, arrive_with_warp)
        o->arrive_with_warp(o, flags);
    lane_yield(AT_WARP_BARRIER);
    FOR_OBSERVERS (o, leave_with_warp)
        o->leave_with_warp(o);
}

VISIBLE void lens_fence(unsigned flags) {
    FOR_OBSERVERS (o, fence)
        o->fence(o, flags);
}

/* The clock of a processor: it ticks when a work-item looks at it, so that it goes on,
 * and shows two replays of a launch the same times. */
VISIBLE uint64_t lens_clock(void) {
    return ++running.lane->clock;
}

/* Every lane shows its value, and once all have, makes its own result of them.  None
 * goes on to show another before all have seen it. */
VISIBLE uint64_t lens_sub_group_64(unsigned what, unsigned type, uint64_t value,
                                   unsigned lane) {
    struct lane *self = running.lane;
    struct exchange exchange = {.what = what, .type = type, .asked = lane};
    self->value = value;
    lane_yield(AT_WARP_BARRIER);
    exchange.present = path_of(running.warp)->lanes;
    exchange.own = self->item % running.model->lanes;
    for (unsigned i = 0; i < running.warp->lane_count; i++)
        exchange.values[i] = running.warp->lanes[i].value;
    lane_yield(AT_WARP_BARRIER);
    return sub_group_result(&exchange);
}

VISIBLE uint32_t lens_sub_group_32(unsigned what, unsigned type, uint32_t value,
                                   unsigned lane) {
    return (uint32_t)lens_sub_group_64(what, type, value, lane);
}

/* Has nothing left to do: it has ended, or it waits for the others at the end. */
static bool has_ended(const struct lane *lane) {
    if (lane->state == FINISHED || lane->block == EXIT)
        return true;
    const struct block *block = &running.job->code->blocks[lane->block];
    return block->successor_count == 0 && block->instructions <= 1;
}

/* Of CUDA: all lanes that a mask of so many bits names come here together, unless they
 * have ended. */
VISIBLE void lens_masked(uint64_t mask, unsigned bits) {
    const uint64_t here = path_of(running.warp)->lanes;
    struct fault fault = fault_here(FAULT_MASK);
    fault.mask = mask;
    for (fault.lane = 0; fault.lane < running.warp->lane_count; fault.lane++) {
        const uint64_t bit = 1ull << fault.lane;
        const struct lane *lane = &running.warp->lanes[fault.lane];
        if (mask & bit ? !(here & bit) && !has_ended(lane)
                       : lane == running.lane && fault.lane < bits)
            break;
    }
    if (fault.lane < running.warp->lane_count)
        fault_tell(fault);
}

/* And of its assertions. */
VISIBLE void lens_assert_failed(const char *condition) {
    struct fault fault = fault_here(FAULT_ASSERTION);
    fault.condition = condition;
    fault_tell(fault);
    lane_yield(LOST);
}

/* compile.c asks clang for a sanitizer of which only a promise is needed; this is what
 * it calls at the beginning. */
VISIBLE void lens_begin_(void) {
}

/* In place of printf(); of what it prints, lens_print() has been told. */
VISIBLE int lens_p(const char *format, ...) {
    (void)format;
    return 0;
}

/* ---- Atomics.  The lanes of a warp wait for each other before one, as they do on a
 * GPU, and then do it one after the other: a compare-exchange that comes too late tries
 * again.
 */
/* What the operation makes of `old`; `less` says how the two compare as signed. */
static uint64_t changed(unsigned operation, uint64_t old, uint64_t value,
                        uint64_t expected, bool less) {
    const uint64_t results[] = {
        [LENS_ADD] = old + value,
        [LENS_SUB] = old - value,
        [LENS_EXCHANGE] = value,
        [LENS_COMPARE_EXCHANGE] = old == expected ? value : old,
        [LENS_MIN] = less ? old : value,
        [LENS_MAX] = less ? value : old,
        [LENS_UMIN] = old < value ? old : value,
        [LENS_UMAX] = old < value ? value : old,
        [LENS_AND] = old & value,
        [LENS_OR] = old | value,
        [LENS_XOR] = old ^ value,
        [LENS_INCREASE] = old >= value ? 0 : old + 1,
        [LENS_DECREASE] = old == 0 || old > value ? value : old - 1,
    };
    return results[operation];
}

/* The sum of two real numbers, as bits. */
#define ADDED(name, real, whole)                                                       \
    static whole name(whole old, whole value) {                                        \
        real x, y;                                                                     \
        memcpy(&x, &old, sizeof x);                                                    \
        memcpy(&y, &value, sizeof y);                                                  \
        x += y;                                                                        \
        memcpy(&old, &x, sizeof old);                                                  \
        return old;                                                                    \
    }
ADDED(added_float, float, uint32_t)
ADDED(added_double, double, uint64_t)

/* Waits for all lanes of the path, so that they go on together. */
static void come_to_atomic(const void *place, size_t bytes, unsigned operation,
                           const void *expected) {
    lane_yield(AT_WARP_BARRIER);
    look_at(place, bytes, running.lane->site,
            operation == LENS_COMPARE_EXCHANGE ? expected : NULL);
}

VISIBLE uint32_t lens_atomic(size_t address, unsigned operation, uint32_t value,
                             uint32_t expected) {
    uint32_t *place = (uint32_t *)address;
    come_to_atomic(place, sizeof *place, operation, &expected);
    const uint32_t old = *place;
    const bool less = (int32_t)old < (int32_t)value;
    *place = operation == LENS_ADD_REAL
                 ? added_float(old, value)
                 : (uint32_t)changed(operation, old, value, expected, less);
    if (*place != old)
        FOR_OBSERVERS (o, change)
            o->change(o, place, operation);
    lane_yield(AT_WARP_BARRIER);
    return old;
}

VISIBLE uint64_t lens_atomic_long(size_t address, unsigned operation, uint64_t value,
                                  uint64_t expected) {
    uint64_t *place = (uint64_t *)address;
    come_to_atomic(place, sizeof *place, operation, &expected);
    const uint64_t old = *place;
    const bool less = (int64_t)old < (int64_t)value;
    *place = operation == LENS_ADD_REAL
                 ? added_double(old, value)
                 : changed(operation, old, value, expected, less);
    if (*place != old)
        FOR_OBSERVERS (o, change)
            o->change(o, place, operation);
    lane_yield(AT_WARP_BARRIER);
    return old;
}

/* ---- Functions that GPUs have a unit for; here they are exact. */
VISIBLE float lens_native_sinf(float x) {
    return sinf(x);
}

VISIBLE double lens_native_sin(double x) {
    return sin(x);
}

VISIBLE float lens_native_cosf(float x) {
    return cosf(x);
}

VISIBLE double lens_native_cos(double x) {
    return cos(x);
}

VISIBLE float lens_native_tanf(float x) {
    return tanf(x);
}

VISIBLE double lens_native_tan(double x) {
    return tan(x);
}
