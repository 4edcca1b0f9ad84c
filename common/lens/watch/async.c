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
#include "races.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* The events that copies get: no other value is one. */
enum { FIRST_EVENT = 0x10000 };

/* A copy, before the items have met there, then until it has begun, and after that. */
struct begun {
    struct async_copy call;
    uintptr_t event;
    uint32_t clock;
    enum { AWAITED, DUE, PENDING, OVER } state;
};

/* What the first item at a wait has given. */
struct wait {
    uintptr_t *events;
    size_t count;
    unsigned item, site;
    bool open; /* not all are there yet */
};

static struct {
    struct begun *copies; /* of this group */
    size_t copy_count, pending;
    uintptr_t events; /* how many there are */
    struct wait wait;
} async;

void async_group(void) {
    async.copy_count = async.pending = async.wait.count = 0;
    async.events = 0;
    async.wait.open = false;
}

void async_stop(void) {
    free(async.copies);
    free(async.wait.events);
    memset(&async, 0, sizeof async);
}

/* ---- Mistakes. */
static struct access_record record_at(unsigned item, unsigned site) {
    struct access_record record = races_now();
    record.item = item;
    record.site = site;
    return record;
}

static void complain(struct replay *replay, enum mistake_kind kind,
                     struct access_record one, struct access_record other) {
    races_add(replay, (struct mistake){.kind = kind,
                                       .one = one,
                                       .other = other,
                                       .object = (unsigned)replay->object_count});
}

/* An event that no copy which goes on has. */
static void complain_of_event(struct replay *replay, unsigned item, unsigned site) {
    complain(replay, BAD_EVENT, record_at(item, site), record_at(item, site));
}

/* ---- Calls. */
static bool is_pending(uintptr_t event) {
    for (size_t i = 0; i < async.copy_count; i++)
        if (async.copies[i].state == PENDING && async.copies[i].event == event)
            return true;
    return false;
}

static bool was_given(uintptr_t event) {
    return event > FIRST_EVENT && event <= FIRST_EVENT + async.events;
}

static bool is_same(const struct replay *replay, const struct async_copy *one,
                    const struct async_copy *other) {
    const struct place *a = &replay->code->sites[one->site].place,
                       *b = &replay->code->sites[other->site].place;
    return one->to == other->to && one->from == other->from &&
           one->event == other->event && one->count == other->count &&
           one->bytes == other->bytes && one->to_step == other->to_step &&
           one->from_step == other->from_step && a->line == b->line &&
           a->file == b->file;
}

static void add_copy(struct replay *replay, const struct async_copy *call) {
    /* An event that has been waited for is gone.  Many pass it on, and it does no harm.
     */
    if (call->event && !was_given(call->event))
        complain_of_event(replay, call->item, call->site);
    struct begun copy = {.call = *call, .event = call->event};
    if (!call->event || !is_pending(call->event))
        copy.event = FIRST_EVENT + ++async.events;
    *GROW(async.copies, async.copy_count) = copy;
}

/* There must be one. */
static struct begun *newest(void) {
    return &async.copies[async.copy_count - 1];
}

uintptr_t async_call(struct replay *replay, const struct async_copy *call) {
    if (async.copy_count == 0 || newest()->state != AWAITED)
        add_copy(replay, call);
    const struct begun *copy = newest();
    if (!is_same(replay, &copy->call, call)) {
        complain(replay, COPY_DIFFERS, record_at(copy->call.item, copy->call.site),
                 record_at(call->item, call->site));
        replay->stopped = true;
    }
    return copy->event;
}

const struct async_copy *async_due(void) {
    return async.copy_count > 0 && newest()->state == DUE ? &newest()->call : NULL;
}

void async_begun(void) {
    newest()->state = PENDING;
    newest()->clock = races_now().clock;
    async.pending++;
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

void async_touch(struct replay *replay, const struct access *access) {
    const enum kind kind = replay->code->sites[access->site].kind;
    const bool writes = kind == STORE || (kind == ATOMIC && !access->fails);
    for (size_t i = 0; i < async.copy_count && async.pending > 0; i++) {
        const struct async_copy *call = &async.copies[i].call;
        const bool is_to = touches(access, call->to, call->to_step, call);
        const bool is_from = touches(access, call->from, call->from_step, call);
        if (async.copies[i].state != PENDING || !(is_to || (writes && is_from)))
            continue;
        struct access_record copy = record_at(
            GROUPS_COPY, is_to ? COPY_WRITES(call->site) : COPY_READS(call->site));
        copy.clock = async.copies[i].clock;
        races_add_pending(replay, access, &copy);
        return;
    }
}

/* ---- Waits. */
void async_wait(struct replay *replay, unsigned item, unsigned site, size_t count,
                const uintptr_t *events) {
    struct wait *wait = &async.wait;
    if (!wait->open) {
        *wait = (struct wait){wait->events, 0, item, site, true};
        for (size_t i = 0; i < count; i++) {
            *GROW(wait->events, wait->count) = events[i];
            if (!is_pending(events[i]))
                complain_of_event(replay, item, site);
        }
    } else if (count != wait->count ||
               (count > 0 &&
                memcmp(events, wait->events, count * sizeof *events) != 0)) {
        complain(replay, WAIT_DIFFERS, record_at(wait->item, wait->site),
                 record_at(item, site));
        replay->stopped = true;
    }
}

static bool is_waited_for(const struct begun *copy) {
    for (size_t i = 0; i < async.wait.count; i++)
        if (copy->event == async.wait.events[i])
            return copy->state == PENDING;
    return false;
}

void async_meet(void) {
    for (size_t i = 0; i < async.copy_count && async.wait.open; i++)
        if (is_waited_for(&async.copies[i])) {
            assert(async.pending > 0);
            async.copies[i].state = OVER;
            async.pending--;
        }
    async.wait.open = false;
    if (async.copy_count > 0 && newest()->state == AWAITED)
        newest()->state = DUE;
}

void async_group_end(struct replay *replay) {
    for (size_t i = 0; i < async.copy_count && !replay->stopped; i++) {
        const struct async_copy *call = &async.copies[i].call;
        if (async.copies[i].state == PENDING)
            complain(replay, NEVER_WAITED, record_at(call->item, call->site),
                     record_at(call->item, call->site));
    }
}
