/* async: looks for mistakes around asynchronous copies.
 *
 * A copy belongs to the whole group.  It begins when an item calls it, and ends when
 * the group waits for its event; until then it runs beside all items:
 *
 *     event_t e = async_work_group_copy(tile, in, 64, 0);
 *     x = tile[l];                 a race: the copy may not have written that
 *     wait_group_events(1, &e);
 *     x = tile[l];                 right
 *
 * It does not wait for the items either, so that a barrier has to lie between what they
 * wrote and a copy of that: races.c sees this, for which the copy is one more item.
 *
 * Source: OpenCL 1.2 specification, section 6.12.10. */
#include "async.h"
#include "base/memory.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* The events that copies get: no other value is one. */
enum { FIRST_EVENT = 0x10000 };

/* Before the items have met there, then until it has begun, and after that. */
struct begun {
    struct async_copy call;
    uintptr_t event;
    enum { AWAITED, DUE, PENDING, OVER } state;
};

/* The kernel calls us from anywhere. */
static struct async *at_work;

static bool begin(struct observer *self) {
    at_work = (struct async *)self;
    return true;
}

static void begin_group(struct observer *self) {
    struct async *async = (struct async *)self;
    async->copy_count = async->pending = async->wait.count = 0;
    async->events = 0;
    async->wait.open = false;
}

static void end(struct observer *self) {
    struct async *async = (struct async *)self;
    free(async->copies);
    free(async->wait.events);
    async->copies = NULL;
    async->wait.events = NULL;
    at_work = NULL;
}

/* ---- Mistakes. */
static void complain(struct async *async, enum mistake_kind kind,
                     struct access_record one, struct access_record other) {
    mistakes_add(async->mistakes,
                 (struct mistake){.kind = kind,
                                  .one = one,
                                  .other = other,
                                  .object = (unsigned)running.job->object_count});
}

/* An event that no copy which goes on has. */
static void complain_of_event(struct async *async, unsigned item, unsigned site) {
    complain(async, BAD_EVENT, record_at(item, site), record_at(item, site));
}

/* ---- Calls. */
static bool is_pending(const struct async *async, uintptr_t event) {
    for (size_t i = 0; i < async->copy_count; i++)
        if (async->copies[i].state == PENDING && async->copies[i].event == event)
            return true;
    return false;
}

static bool was_given(const struct async *async, uintptr_t event) {
    return event > FIRST_EVENT && event <= FIRST_EVENT + async->events;
}

static bool is_same(const struct async_copy *one, const struct async_copy *other) {
    const struct place *a = &running.job->code->sites[one->site].place,
                       *b = &running.job->code->sites[other->site].place;
    return one->to == other->to && one->from == other->from &&
           one->event == other->event && one->count == other->count &&
           one->bytes == other->bytes && one->to_step == other->to_step &&
           one->from_step == other->from_step && a->line == b->line &&
           a->file == b->file;
}

static void add_copy(struct async *async, const struct async_copy *call) {
    /* An event that has been waited for is gone.  Many pass it on, and it does no harm.
     */
    if (call->event && !was_given(async, call->event))
        complain_of_event(async, call->item, call->site);
    struct begun copy = {.call = *call, .event = call->event};
    if (!call->event || !is_pending(async, call->event))
        copy.event = FIRST_EVENT + ++async->events;
    *GROW(async->copies, async->copy_count) = copy;
}

/* There must be one. */
static struct begun *newest(struct async *async) {
    return &async->copies[async->copy_count - 1];
}

/* An item has come to a copy, at which it then waits for the others; returns the event.
 * The others must say the same; else that is a mistake. */
static uintptr_t come_to(struct async *async, const struct async_copy *call) {
    if (async->copy_count == 0 || newest(async)->state != AWAITED)
        add_copy(async, call);
    const struct begun *copy = newest(async);
    if (!is_same(&copy->call, call)) {
        complain(async, COPY_DIFFERS, record_at(copy->call.item, copy->call.site),
                 record_at(call->item, call->site));
        running.outcome.stopped = true;
    }
    return copy->event;
}

/* ---- Accesses. */

/* Does an access touch one of these elements? */
static bool touches(const struct access *access, uintptr_t begin, size_t step,
                    const struct async_copy *copy) {
    const size_t stride = (step ? step : 1) * copy->bytes;
    if (copy->count == 0 || access->address + access->bytes <= begin ||
        access->address >= begin + (copy->count - 1) * stride + copy->bytes)
        return false;
    const size_t before = access->address < begin ? begin - access->address : 0;
    const size_t offset = (access->address + before - begin) % stride;
    return offset < copy->bytes || offset + access->bytes - before > stride;
}

/* It must keep off what copies that go on write, and must not write what they read. */
static bool look(struct observer *self, const struct access *access) {
    struct async *async = (struct async *)self;
    const enum kind kind = running.job->code->sites[access->site].kind;
    const bool writes = kind == STORE || (kind == ATOMIC && !access->fails);
    if (running.job->objects[access->object].space == CONSTANT)
        return true;
    for (size_t i = 0; i < async->copy_count && async->pending > 0; i++) {
        const struct async_copy *call = &async->copies[i].call;
        const bool is_to = touches(access, call->to, call->to_step, call);
        const bool is_from = touches(access, call->from, call->from_step, call);
        if (async->copies[i].state != PENDING || !(is_to || (writes && is_from)))
            continue;
        struct mistake race = mistake_of(RACE, access);
        race.other = record_at(GROUPS_COPY, is_to ? COPY_WRITES(call->site)
                                                  : COPY_READS(call->site));
        race.race.values_differ = true;
        mistakes_add(async->mistakes, race);
        break;
    }
    return true;
}

/* ---- Waits. */

/* The item that runs waits for these events. */
static void wait_for(struct async *async, size_t count, const uintptr_t *events) {
    const unsigned item = running.lane->item, site = running.lane->site;
    struct wait *wait = &async->wait;
    if (!wait->open) {
        *wait = (struct wait){wait->events, 0, item, site, true};
        for (size_t i = 0; i < count; i++) {
            *GROW(wait->events, wait->count) = events[i];
            if (!is_pending(async, events[i]))
                complain_of_event(async, item, site);
        }
    } else if (count != wait->count ||
               (count > 0 &&
                memcmp(events, wait->events, count * sizeof *events) != 0)) {
        complain(async, WAIT_DIFFERS, record_at(wait->item, wait->site),
                 record_at(item, site));
        running.outcome.stopped = true;
    }
}

static bool is_waited_for(const struct async *async, const struct begun *copy) {
    for (size_t i = 0; i < async->wait.count; i++)
        if (copy->event == async->wait.events[i])
            return copy->state == PENDING;
    return false;
}

/* All items of the group have come to the same copy, wait or barrier. */
static void meet(struct observer *self, const struct arrivals *arrivals) {
    struct async *async = (struct async *)self;
    if (!arrivals->complete)
        return;
    for (size_t i = 0; i < async->copy_count && async->wait.open; i++)
        if (is_waited_for(async, &async->copies[i])) {
            assert(async->pending > 0);
            async->copies[i].state = OVER;
            async->pending--;
        }
    async->wait.open = false;
    if (async->copy_count > 0 && newest(async)->state == AWAITED)
        newest(async)->state = DUE;
}

static void end_group(struct observer *self) {
    struct async *async = (struct async *)self;
    for (size_t i = 0; i < async->copy_count && !running.outcome.stopped; i++) {
        const struct async_copy *call = &async->copies[i].call;
        if (async->copies[i].state == PENDING)
            complain(async, NEVER_WAITED, record_at(call->item, call->site),
                     record_at(call->item, call->site));
    }
}

/* ---- What the kernel calls, as builtins.cl declares it. */
static struct access copy_access(uintptr_t address, size_t bytes, unsigned site) {
    return (struct access){.site = site,
                           .item = GROUPS_COPY,
                           .object = object_at(address, site),
                           .address = address,
                           .bytes = bytes};
}

static void copy_all(const struct async_copy *copy) {
    for (size_t i = 0; i < copy->count; i++) {
        const uintptr_t to = copy->to + i * copy->to_step * copy->bytes,
                        from = copy->from + i * copy->from_step * copy->bytes;
        const struct access load =
            copy_access(from, copy->bytes, COPY_READS(copy->site));
        const struct access store =
            copy_access(to, copy->bytes, COPY_WRITES(copy->site));
        if (!access_allowed(&load) || !access_allowed(&store))
            return;
        memmove((void *)to, (const void *)from, copy->bytes);
    }
}

VISIBLE uintptr_t lens_async_copy(uintptr_t to, uintptr_t from, size_t count,
                                  size_t bytes, size_t to_step, size_t from_step,
                                  uintptr_t event) {
    const struct async_copy call = {.to = to,
                                    .from = from,
                                    .event = event,
                                    .count = count,
                                    .bytes = bytes,
                                    .to_step = to_step,
                                    .from_step = from_step,
                                    .item = running.lane->item,
                                    .site = running.lane->site};
    const uintptr_t its_event = come_to(at_work, &call);
    if (running.outcome.stopped)
        lane_yield(LOST);
    lane_wait(0); /* it puts nothing in order; but here all items must come */
    struct begun *copy = newest(at_work);
    if (copy->state == DUE) {
        copy_all(&call);
        copy->state = PENDING;
        at_work->pending++;
    }
    if (running.outcome.stopped)
        lane_yield(LOST);
    return its_event;
}

/* The devices that we know wait for all items here, as at a barrier. */
VISIBLE void lens_wait(size_t count, const uintptr_t *events) {
    wait_for(at_work, count, events);
    if (running.outcome.stopped)
        lane_yield(LOST);
    lane_wait(LOCAL_FENCE | GLOBAL_FENCE);
}

struct async async_observer(struct mistakes *mistakes, bool strictly) {
    return (struct async){.observer = {.launch = begin,
                                       .launch_end = end,
                                       .group = begin_group,
                                       .group_end = end_group,
                                       .access = strictly ? look : NULL,
                                       .barrier = meet},
                          .mistakes = mistakes,
                          .strictly = strictly};
}
