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
#include "attach/svm.h"
#include "banks.h"
#include "base/memory.h"
#include "races.h"
#include "settings.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum {
    FIRST = 1 << 16,       /* after that many steps of a group a state is kept */
    MAX_STATE = 1 << 24,   /* in bytes */
    MAX_WRITTEN = 1 << 12, /* words */
    CHANGERS = 64
};

/* The last work-item whose atomic changed what is there. */
struct changer {
    uintptr_t place; /* 0: none */
    unsigned item;
};

/* A word that was written since, and what it held before. */
struct written {
    uintptr_t word;
    uint64_t value;
};

static struct {
    uint64_t begin, next; /* steps of the launch; of the group, when a state is kept */
    bool watches;
    unsigned warp; /* the one that had gone on then */
    char *state;
    size_t bytes, room;
    struct written written[MAX_WRITTEN];
    unsigned numbers[2 * MAX_WRITTEN]; /* of these, from 1 on, by a hash; 0: none */
    size_t written_count;
    struct changer changers[CHANGERS]; /* of this group, by address */
    struct access polled; /* the last one that read; of no bytes: there was none */
} seen;

void endless_group(void) {
    seen.begin = running.replay->lane_steps;
    seen.next = FIRST;
    seen.watches = false;
    memset(seen.changers, 0, sizeof seen.changers);
}

static struct changer *changer_of(uintptr_t place) {
    return &seen.changers[place / WORD % CHANGERS];
}

void endless_changed(const void *place) {
    *changer_of((uintptr_t)place) =
        (struct changer){(uintptr_t)place, running.lane->item};
}

/* ---- Memory. */
static uint64_t value_at(uintptr_t word) {
    uint64_t value;
    memcpy(&value, (const void *)word, sizeof value);
    return value;
}

static void keep_word(uintptr_t word) {
    enum { SLOTS = 2 * MAX_WRITTEN };
    size_t slot = (word / sizeof word * 0x9e3779b97f4a7c15u >> 32) % SLOTS;
    for (; seen.numbers[slot]; slot = (slot + 1) % SLOTS)
        if (seen.written[seen.numbers[slot] - 1].word == word)
            return;
    assert(seen.written_count < MAX_WRITTEN); /* so that there is a free slot */
    seen.written[seen.written_count++] = (struct written){word, value_at(word)};
    seen.numbers[slot] = (unsigned)seen.written_count;
    seen.watches = seen.written_count < MAX_WRITTEN;
}

/* (A word lies within a page of memory, if a part of it does.) */
void endless_write(const void *address, size_t bytes) {
    const uintptr_t begin = (uintptr_t)address, end = begin + bytes;
    const size_t step = sizeof(uint64_t);
    for (uintptr_t w = begin / step * step; seen.watches && w < end; w += step)
        keep_word(w);
}

void endless_access(const struct access *access, enum kind kind) {
    if (!seen.watches)
        return;
    if (kind == STORE || kind == ATOMIC)
        endless_write((const void *)access->address, access->bytes);
    if (kind != STORE)
        seen.polled = *access;
}

static bool memory_is_back(void) {
    for (size_t i = 0; i < seen.written_count; i++)
        if (value_at(seen.written[i].word) != seen.written[i].value)
            return false;
    return true;
}

/* ---- Lanes. */

/* Takes a piece of the state: keeps it, or compares it with what was kept. */
typedef bool taker(const void *piece, size_t bytes);

static bool keep(const void *piece, size_t bytes) {
    if (seen.bytes + bytes > MAX_STATE)
        return false;
    if (seen.bytes + bytes > seen.room) {
        seen.room = 2 * (seen.bytes + bytes);
        seen.state = realloc(seen.state, seen.room);
        if (!seen.state)
            lens_die("no memory for a state" HINT "try smaller groups");
    }
    memcpy(seen.state + seen.bytes, piece, bytes);
    seen.bytes += bytes;
    return true;
}

static size_t compared;

static bool compare(const void *piece, size_t bytes) {
    if (compared + bytes > seen.bytes ||
        memcmp(seen.state + compared, piece, bytes) != 0)
        return false;
    compared += bytes;
    return true;
}

/* The values that a lane goes on with, and where. */
static bool take_lane(taker *take, const struct lane *lane) {
    const char *values = jump_values(&lane->resume);
    const uint64_t places[] = {(uint64_t)lane->block, lane->state, lane->exchanges % 2,
                               lane->clock};
    return values && take(places, sizeof places) &&
           take(&lane->resume, sizeof lane->resume) &&
           take(values, (size_t)(lane->stack + STACK - values));
}

static bool take_warp(taker *take, const struct warp *warp) {
    const unsigned numbers[] = {warp->path_count, warp->inside, warp->waiting};
    if (!take(numbers, sizeof numbers))
        return false;
    for (unsigned p = 0; p < warp->path_count; p++) {
        const struct path *path = &warp->paths[p];
        const uint64_t places[] = {path->lanes, (uint64_t)path->block,
                                   (uint64_t)path->reconverge};
        if (!take(places, sizeof places))
            return false;
    }
    for (unsigned i = 0; i < warp->lane_count; i++)
        if (!take_lane(take, &warp->lanes[i]))
            return false;
    return true;
}

/* That of the warp at work first, because in most loops its lanes count something. */
static bool take_group(taker *take, const struct warp *warp) {
    for (unsigned w = 0; w < running.warp_count; w++)
        if (!take_warp(take, &running.warps[(warp->number + w) % running.warp_count]))
            return false;
    return true;
}

static void keep_state(const struct warp *warp) {
    seen.warp = warp->number;
    seen.bytes = 0;
    seen.written_count = 0;
    memset(seen.numbers, 0, sizeof seen.numbers);
    seen.polled.bytes = 0;
    seen.watches = take_group(keep, warp);
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

bool endless_is(const struct warp *warp) {
    const uint64_t steps = running.replay->lane_steps - seen.begin;
    if (steps >= seen.next) {
        while (seen.next <= steps)
            seen.next *= 2;
        keep_state(warp);
        return false;
    }
    if (!seen.watches || warp->number != seen.warp)
        return false;
    compared = 0;
    return take_group(compare, warp) && memory_is_back() &&
           (settings->order == BY_TURNS || !another_could_go_on(warp));
}

/* ---- What it waits for. */

bool endless_may_end(void) {
    return seen.polled.bytes > 0 && svm_at((const void *)seen.polled.address);
}

/* The path on which this lane is; NULL: it has ended. */
static const struct path *path_with(const struct warp *warp, unsigned lane) {
    for (unsigned p = warp->path_count; p > 0; p--)
        if (warp->paths[p - 1].lanes >> lane & 1)
            return &warp->paths[p - 1];
    return NULL;
}

/* Does this work-item wait for others?  Then it is the other one of the mistake. */
static bool waits(const struct code *code, unsigned item, struct mistake *found) {
    const struct warp *warp = &running.warps[item / settings->lanes];
    const struct path *path = path_with(warp, item % settings->lanes);
    if (!path || running.lanes[item].state == FINISHED)
        return false;
    const bool in_turn = path == &warp->paths[warp->path_count - 1];
    if (in_turn && !warp->waiting)
        return false;
    found->other.item = item;
    found->other.site = running.lanes[item].site;
    found->waits_for = in_turn ? FOR_BARRIER : FOR_WARP;
    if (!in_turn && path->block != EXIT && code->blocks[path->block].place_count > 0)
        found->goes_on = &code->blocks[path->block].places[0];
    return true;
}

/* Has this group changed what is polled?  `item` gets the number of the last one that
 * did.  (An atomic that polls writes what is there: races_writer() may name that.) */
static bool has_changed(const struct replay *replay, const struct mistake *found,
                        unsigned *item) {
    const struct access_record write =
        races_writer(replay, found->object, (size_t)found->byte);
    const struct changer *changer = changer_of(seen.polled.address);
    if (changer->place == seen.polled.address) {
        *item = changer->item;
        return true;
    }
    *item = write.item;
    return write.group == found->one.group &&
           replay->code->sites[write.site].kind == STORE;
}

/* The one that wrote last what is waited for, or any other one that waits; first those
 * of the warp at work. */
static bool find_waiting(const struct replay *replay, const struct warp *warp,
                         const unsigned *writer, struct mistake *found) {
    const unsigned first = warp->lanes[0].item, count = warp->lane_count;
    if (writer && waits(replay->code, *writer, found))
        return found->wrote_last = true;
    for (unsigned i = first; i < first + count; i++)
        if (waits(replay->code, i, found))
            return true;
    const unsigned items =
        (unsigned)(running.size[0] * running.size[1] * running.size[2]);
    for (unsigned i = 0; i < items; i++)
        if (waits(replay->code, i, found))
            return true;
    return false;
}

/* A work-item at work in the warp of this one, which waits. */
static unsigned at_work_beside(unsigned item) {
    struct warp *warp = &running.warps[item / settings->lanes];
    return warp->lanes[__builtin_ctzll(path_of(warp)->lanes)].item;
}

void endless_report(struct replay *replay, struct warp *warp) {
    const struct path *path = path_of(warp);
    const unsigned lane = (unsigned)__builtin_ctzll(path->lanes);
    struct mistake found = {.kind = ENDLESS,
                            .one = races_now(),
                            .other = races_now(),
                            .object = (unsigned)replay->object_count,
                            .waits_for = FOR_NOTHING};
    unsigned writer = 0;
    bool by_us = false;
    found.one.item = found.other.item = warp->lanes[lane].item;
    found.one.site = found.other.site = replay->code->blocks[path->block].branch;
    if (seen.polled.bytes > 0) {
        const char *base = replay->objects[seen.polled.object].base;
        found.one.item = seen.polled.item;
        found.one.site = found.other.site = seen.polled.site;
        found.object = seen.polled.object;
        found.byte = (int64_t)(seen.polled.address - (uintptr_t)base);
        found.bytes = seen.polled.bytes;
        by_us = has_changed(replay, &found, &writer);
    }
    if (replay->groups > 1 && found.object < replay->object_count && !by_us &&
        replay->objects[found.object].space == GLOBAL)
        found.waits_for = FOR_GROUP;
    else
        find_waiting(replay, warp, by_us ? &writer : NULL, &found);
    if (found.waits_for == FOR_WARP)
        found.one.item = at_work_beside(found.other.item);
    races_add(replay, found);
    replay->stopped = true;
}
