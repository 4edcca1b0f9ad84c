/* endless: a kernel that takes long need not be wrong; but a group that comes back to a
 * state in which it was before never ends.  Such is a spin lock in a warp:
 *
 *     while (atomic_cmpxchg(lock, 0, 1) != 0) ;    lanes 1 to 31, for ever
 *     *total += 1;                                 lane 0 has the lock, and waits here
 *     atomic_xchg(lock, 0);
 *
 * A state is where the lanes are, what their stacks hold, and memory.  It is kept
 * whenever the number of steps has doubled, and compared with that after each block.
 * Of memory the first value of each word is kept that is written meanwhile: so memory
 * is as it was if all of them are there again.  (Source: Brent, "An improved Monte
 * Carlo factorization algorithm", BIT 20, 1980, section 2.) */
#include "endless.h"
#include "banks.h"
#include "base/memory.h"
#include "code/operations.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum {
    FIRST = 1 << 16,       /* after that many steps of a group a state is kept */
    MAX_STATE = 1 << 24,   /* in bytes */
    MAX_WRITTEN = 1 << 12, /* words */
    CHANGERS = 64
};

/* The last work-item whose atomic changed what is there, or a store since. */
struct changer {
    uintptr_t place; /* 0: none */
    struct access_record by;
    bool exchanges; /* it does, as one that takes a lock */
};

/* A word that was written since, and what it held before. */
struct written {
    uintptr_t word;
    uint64_t value;
};

struct seen {
    uint64_t begin, next; /* steps of the launch; of the group, when a state is kept */
    bool watches;
    unsigned warp; /* the one that had gone on then */
    char *state;
    size_t bytes, room;
    struct written written[MAX_WRITTEN];
    unsigned numbers[2 * MAX_WRITTEN]; /* of these, from 1 on, by a hash; 0: none */
    size_t written_count;
    struct changer changers[CHANGERS]; /* of the launch, by address */
    bool has_changers;
    struct access polled;  /* the last one that read; of no bytes: there was none */
    struct access by_warp; /* the last one of this warp */
    size_t compared;       /* bytes of the state */
};

static struct seen *seen_by(struct observer *self) {
    return ((struct endless *)self)->seen;
}

static bool begin(struct observer *self) {
    ((struct endless *)self)->seen = lens_allocate(1, sizeof(struct seen));
    return true;
}

static void end(struct observer *self) {
    free(seen_by(self)->state);
    free(seen_by(self));
}

static void begin_group(struct observer *self) {
    struct seen *seen = seen_by(self);
    seen->begin = running.outcome.lane_steps;
    seen->next = FIRST;
    seen->watches = false;
}

static struct changer *changer_of(struct seen *seen, uintptr_t place) {
    return &seen->changers[place / WORD % CHANGERS];
}

static void change(struct observer *self, const void *place, unsigned operation) {
    *changer_of(seen_by(self), (uintptr_t)place) = (struct changer){
        (uintptr_t)place, record_at(running.lane->item, running.lane->site),
        operation == LENS_EXCHANGE || operation == LENS_COMPARE_EXCHANGE};
    seen_by(self)->has_changers = true;
}

/* A store: what an atomic has changed there is gone. */
static void change_by_store(struct seen *seen, const struct access *access) {
    const uintptr_t begin = access->address, end = begin + access->bytes;
    const struct access_record by = record_at(access->item, access->site);
    for (uintptr_t w = begin / WORD * WORD; w < end; w += WORD) {
        struct changer *changer = changer_of(seen, w);
        if (changer->place >= begin && changer->place < end)
            *changer = access->item == GROUPS_COPY
                           ? (struct changer){.place = 0}
                           : (struct changer){changer->place, by, false};
    }
}

/* ---- Memory. */
static uint64_t value_at(uintptr_t word) {
    uint64_t value;
    memcpy(&value, (const void *)word, sizeof value);
    return value;
}

static void keep_word(struct seen *seen, uintptr_t word) {
    enum { SLOTS = 2 * MAX_WRITTEN };
    size_t slot = (word / sizeof word * 0x9e3779b97f4a7c15u >> 32) % SLOTS;
    for (; seen->numbers[slot]; slot = (slot + 1) % SLOTS)
        if (seen->written[seen->numbers[slot] - 1].word == word)
            return;
    assert(seen->written_count < MAX_WRITTEN); /* so that there is a free slot */
    seen->written[seen->written_count++] = (struct written){word, value_at(word)};
    seen->numbers[slot] = (unsigned)seen->written_count;
    seen->watches = seen->written_count < MAX_WRITTEN;
}

/* (A word lies within a page of memory, if a part of it does.) */
static void write(struct seen *seen, const struct access *access) {
    const uintptr_t begin = access->address, end = begin + access->bytes;
    const size_t step = sizeof(uint64_t);
    for (uintptr_t w = begin / step * step; seen->watches && w < end; w += step)
        keep_word(seen, w);
}

static bool look(struct observer *self, const struct access *access) {
    struct seen *seen = seen_by(self);
    const enum kind kind = running.job->code->sites[access->site].kind;
    if (seen->has_changers && kind == STORE)
        change_by_store(seen, access);
    if (!seen->watches)
        return true;
    if (kind == STORE || kind == ATOMIC)
        write(seen, access);
    if (kind != STORE && access->item != GROUPS_COPY) {
        seen->polled = *access;
        if (running.warp->number == seen->warp)
            seen->by_warp = *access;
    }
    return true;
}

static bool memory_is_back(const struct seen *seen) {
    for (size_t i = 0; i < seen->written_count; i++)
        if (value_at(seen->written[i].word) != seen->written[i].value)
            return false;
    return true;
}

/* ---- Lanes. */

/* Takes a piece of the state: keeps it, or compares it with what was kept. */
typedef bool taker(struct seen *seen, const void *piece, size_t bytes);

static bool keep(struct seen *seen, const void *piece, size_t bytes) {
    if (seen->bytes + bytes > MAX_STATE)
        return false;
    if (seen->bytes + bytes > seen->room) {
        seen->room = 2 * (seen->bytes + bytes);
        seen->state = realloc(seen->state, seen->room);
        if (!seen->state)
            lens_die("no memory for a state" HINT "try smaller groups");
    }
    memcpy(seen->state + seen->bytes, piece, bytes);
    seen->bytes += bytes;
    return true;
}

static bool compare(struct seen *seen, const void *piece, size_t bytes) {
    if (seen->compared + bytes > seen->bytes ||
        memcmp(seen->state + seen->compared, piece, bytes) != 0)
        return false;
    seen->compared += bytes;
    return true;
}

/* The values that a lane goes on with, and where. */
static bool take_lane(struct seen *seen, taker *take, const struct lane *lane) {
    const char *values = jump_values(&lane->resume);
    const uint64_t places[] = {(uint64_t)lane->block, lane->state, lane->clock};
    return values && take(seen, places, sizeof places) &&
           take(seen, &lane->resume, sizeof lane->resume) &&
           take(seen, values, (size_t)(lane->stack + STACK - values));
}

static bool take_warp(struct seen *seen, taker *take, const struct warp *warp) {
    const unsigned numbers[] = {warp->path_count, warp->inside, warp->waiting};
    if (!take(seen, numbers, sizeof numbers))
        return false;
    for (unsigned p = 0; p < warp->path_count; p++) {
        const struct path *path = &warp->paths[p];
        const uint64_t places[] = {path->lanes, (uint64_t)path->block,
                                   (uint64_t)path->reconverge};
        if (!take(seen, places, sizeof places))
            return false;
    }
    for (unsigned i = 0; i < warp->lane_count; i++)
        if (!take_lane(seen, take, &warp->lanes[i]))
            return false;
    return true;
}

/* That of the warp at work first, because in most loops its lanes count something. */
static bool take_group(struct seen *seen, taker *take, const struct warp *warp) {
    for (unsigned w = 0; w < running.warp_count; w++)
        if (!take_warp(seen, take,
                       &running.warps[(warp->number + w) % running.warp_count]))
            return false;
    return true;
}

static void keep_state(struct seen *seen, const struct warp *warp) {
    seen->warp = warp->number;
    seen->bytes = 0;
    seen->written_count = 0;
    memset(seen->numbers, 0, sizeof seen->numbers);
    seen->polled.bytes = seen->by_warp.bytes = 0;
    seen->watches = take_group(seen, keep, warp);
}

/* Could another warp go on?  In an order that does not let it, it has no chance. */
static bool another_could_go_on(const struct warp *warp) {
    for (unsigned w = 0; w < running.warp_count; w++) {
        const struct warp *other = &running.warps[w];
        if (other != warp && !other->waiting && other->path_count > 0)
            return true;
    }
    return false;
}

/* Is the group in a state in which it was before? */
static bool is_back(struct seen *seen, const struct warp *warp) {
    const uint64_t steps = running.outcome.lane_steps - seen->begin;
    if (steps >= seen->next) {
        while (seen->next <= steps)
            seen->next *= 2;
        keep_state(seen, warp);
        return false;
    }
    if (!seen->watches || warp->number != seen->warp)
        return false;
    seen->compared = 0;
    return take_group(seen, compare, warp) && memory_is_back(seen) &&
           (running.model->order == BY_TURNS || !another_could_go_on(warp));
}

/* ---- What it waits for. */

/* Does it wait for what the host shares, and may change at any time? */
static bool may_end(const struct seen *seen) {
    const struct job *job = running.job;
    return seen->polled.bytes > 0 && job->shared &&
           job->shared((const void *)seen->polled.address);
}

/* The path on which this lane is; NULL: it has ended. */
static const struct path *path_with(const struct warp *warp, unsigned lane) {
    for (unsigned p = warp->path_count; p > 0; p--)
        if (warp->paths[p - 1].lanes >> lane & 1)
            return &warp->paths[p - 1];
    return NULL;
}

/* Does this work-item wait for others?  Then it is the other one of the mistake. */
static bool waits(unsigned item, struct mistake *found) {
    const struct code *code = running.job->code;
    const struct warp *warp = &running.warps[item / running.model->lanes];
    const struct path *path = path_with(warp, item % running.model->lanes);
    if (!path || running.lanes[item].state == FINISHED)
        return false;
    const bool in_turn = path == &warp->paths[warp->path_count - 1];
    if (in_turn && !warp->waiting)
        return false;
    found->other.item = item;
    found->other.site = running.lanes[item].site;
    found->end.waits_for = in_turn ? FOR_BARRIER : FOR_WARP;
    if (!in_turn && path->block != EXIT && code->blocks[path->block].place_count > 0)
        found->end.goes_on = &code->blocks[path->block].places[0];
    return true;
}

/* Its last changer; NULL: no atomic has changed it. */
static const struct changer *changer_of_polled(struct seen *seen) {
    const struct changer *changer = changer_of(seen, seen->polled.address);
    return changer->place == seen->polled.address ? changer : NULL;
}

/* The last one that changed what is polled; its group is 0 if none is known.  (An
 * atomic that polls writes what is there: races_writer() may name that.) */
static struct access_record last_change(const struct endless *endless,
                                        const struct mistake *found) {
    const struct changer *changer = changer_of_polled(endless->seen);
    const struct access_record none = {.group = 0};
    const struct access_record write =
        races_writer(endless->races->history, found->object, (size_t)found->byte);
    const bool stores = write.group > 0 && write.item != GROUPS_COPY &&
                        running.job->code->sites[write.site].kind == STORE;
    const struct access_record last = changer ? changer->by : stores ? write : none;
    const bool is_local = running.job->objects[found->object].space == LOCAL;
    return is_local && last.group != found->one.group ? none : last;
}

/* Has the one that changed it last done so as one that takes a lock? */
static bool has_lock(struct seen *seen) {
    const struct changer *changer = changer_of_polled(seen);
    return changer && changer->exchanges;
}

/* Has it done so where this one tries to, and ended? */
static bool ended_with_lock(struct seen *seen, const struct mistake *found) {
    const struct access_record *by = &found->end.changer;
    const struct site *sites = running.job->code->sites;
    return has_lock(seen) && by->group > 0 &&
           place_is_same(&sites[by->site].place, &sites[found->one.site].place) &&
           (by->group != found->one.group || running.lanes[by->item].state == FINISHED);
}

/* Does the one that wrote last what is waited for wait itself, or go round as well? */
static bool writer_waits(struct mistake *found) {
    const struct access_record *writer = &found->end.changer;
    if (writer->group != found->one.group ||
        running.lanes[writer->item].state == FINISHED)
        return false;
    found->end.wrote_last = true;
    if (!waits(writer->item, found)) {
        found->other = record_at(writer->item, running.lanes[writer->item].site);
        found->end.waits_for = writer->item == found->one.item ? FOR_ITSELF : FOR_LOOP;
    }
    return true;
}

/* That one, or any other one that waits; first those of the warp at work. */
static bool find_waiting(const struct warp *warp, struct mistake *found) {
    const unsigned first = warp->lanes[0].item, count = warp->lane_count;
    if (writer_waits(found))
        return true;
    for (unsigned i = first; i < first + count; i++)
        if (waits(i, found))
            return true;
    const unsigned items =
        (unsigned)(running.size[0] * running.size[1] * running.size[2]);
    for (unsigned i = 0; i < items; i++)
        if (waits(i, found))
            return true;
    return false;
}

/* A work-item at work in the warp of this one, which waits: the one that was found, if
 * it is there. */
static struct access_record at_work_beside(unsigned item,
                                           const struct access_record *found) {
    const unsigned lanes = running.model->lanes;
    struct warp *warp = &running.warps[item / lanes];
    const uint64_t at_work = path_of(warp)->lanes;
    if (found->item / lanes == item / lanes && at_work >> found->item % lanes & 1)
        return *found;
    const struct lane *lane = &warp->lanes[__builtin_ctzll(at_work)];
    return record_at(lane->item, lane->site);
}

/* What is polled, and who changed it last. */
static struct mistake describe_polled(struct endless *endless, unsigned waiting) {
    const struct access *polled = &endless->seen->polled;
    struct mistake found = mistake_of(ENDLESS, polled);
    found.other.item = waiting;
    if (found.object < running.job->object_count)
        found.end.changer = last_change(endless, &found);
    if (polled->bytes <= sizeof found.end.value)
        memcpy(&found.end.value, (const void *)polled->address, polled->bytes);
    return found;
}

static struct mistake describe(struct endless *endless, struct warp *warp) {
    const struct job *job = running.job;
    const struct access *polled = &endless->seen->polled;
    const struct path *path = path_of(warp);
    const unsigned lane = (unsigned)__builtin_ctzll(path->lanes);
    struct mistake found = mistake_at(ENDLESS, warp->lanes[lane].item,
                                      job->code->blocks[path->block].branch);
    if (polled->bytes > 0)
        found = describe_polled(endless, found.other.item);
    const bool by_us =
        found.end.changer.group == found.one.group &&
        (found.end.changer.item != found.one.item || has_lock(endless->seen));
    if (polled->bytes > 0 && polled->succeeds)
        found.end.waits_for = FOR_EXCHANGE;
    else if (polled->bytes > 0 && ended_with_lock(endless->seen, &found))
        found.end.waits_for = FOR_ENDED;
    else if (running.outcome.groups > 1 && found.object < job->object_count && !by_us &&
             job->objects[found.object].space == GLOBAL)
        found.end.waits_for = FOR_GROUP;
    else
        find_waiting(warp, &found);
    if (found.end.waits_for == FOR_WARP)
        found.one = at_work_beside(found.other.item, &found.one);
    return found;
}

static enum prospect look_ahead(struct observer *self, struct warp *warp) {
    struct endless *endless = (struct endless *)self;
    if (!is_back(endless->seen, warp))
        return GOES_ON;
    if (may_end(endless->seen))
        return NO_END_BY_ITSELF;
    if (endless->seen->by_warp.bytes > 0)
        endless->seen->polled = endless->seen->by_warp;
    if (!endless->races)
        return NO_END;
    mistakes_add(endless->mistakes, describe(endless, warp));
    return NO_END_REPORTED;
}

struct endless endless_observer(struct mistakes *mistakes, const struct races *races) {
    return (struct endless){.observer = {.launch = begin,
                                         .launch_end = end,
                                         .group = begin_group,
                                         .access = look,
                                         .change = change,
                                         .advance = look_ahead},
                            .mistakes = mistakes,
                            .races = races};
}
