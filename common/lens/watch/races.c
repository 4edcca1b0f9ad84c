/* races: a shadow of the memory remembers which work-items touched it last.
 *
 * Two work-items race when both touch one place, at least one writes, and nothing puts
 * one before the other.  What puts one before the other:
 *
 *   in a group       a barrier between them, with the fence of that memory
 *   between groups   a fence by the one, then an atomic; an atomic on the same place by
 *                    the other; for the rest of their groups also a barrier
 *
 * Time is a clock that ticks at each fence and each barrier.  Groups are replayed one
 * after the other, so a shadow cell need not know all readers: the last one of this
 * group, another one of it, and one of an earlier group are enough to find a race.  The
 * same holds for atomics, which race with plain accesses alone; so a plain write is
 * kept apart from them, or the writer's own atomic would hide it.
 *
 * Sources: the rules, OpenCL 1.2 specification, sections 3.3.1 and 6.12.8 to 6.12.11;
 * keeping last readers and writers, Flanagan and Freund, "FastTrack", PLDI 2009. */
#include "races.h"
#include "async.h"
#include "attach/svm.h"
#include "banks.h"
#include "base/memory.h"
#include "driver/poison.h"
#include "group_limits.h"
#include "replay/source_lines.h"
#include "settings.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { NONE = 0 };

/* What the compiler fills private variables with; see is_pattern() of instrument.c. */
#define PATTERN 0xAAAAAAAAu
#define REAL_PATTERN 0xFFFFFFFFu

/* The last accesses of a kind: two of different work-items of one group, and one of an
 * earlier group. */
struct last {
    struct access_record here, other, earlier;
};

/* Last plain accesses to a piece of memory. */
struct cell {
    struct access_record write;
    struct last reads;
};

/* Last atomics on it; and which work-item released it for other groups. */
struct atomic_cell {
    struct last atomics;
    uint32_t releases; /* the last of a chain in order.releases; NONE */
};

struct shadow {
    struct cell *cells; /* within this memory */
    void *memory;
    struct atomic_cell *atomics; /* NULL: there were none */
    size_t cell_bytes;           /* 4, or 1 once single bytes are touched */
};

/* An atomic after a fence: what its work-item did up to the fence, and its group up to
 * the barrier before that, is visible to a work-item that does an atomic on the same
 * place. */
struct release {
    struct access_record record;
    uint32_t item_until, group_until, before; /* clocks; the next in the chain */
};

/* A work-item did: our group knows what that other group released. */
struct acquired {
    struct release release;
    uint32_t item, clock;
};

/* A barrier of a warp alone: when the last one opened, and whether one is to open. */
struct warp_barrier {
    uint32_t clock;
    bool opens;
};

/* A barrier of this group has opened. */
struct opening {
    uint32_t clock;
    unsigned site;
};

/* A constant, or what is the same for all, that a work-item has stored. */
struct own_store {
    uintptr_t address;
    size_t bytes;
    uint32_t group;
    unsigned site;
};
enum { OWN_STORES = 4 }; /* that are remembered of each work-item */

/* A work-item comes to a barrier. */
struct arrival {
    bool is;
    unsigned item, site, flags;
};

static struct {
    struct release *releases;
    size_t release_count, group_count;
    struct acquired *acquired;        /* by group; forgotten when a new group begins */
    uint32_t group, clock, opened[2]; /* when the last barrier of that fence opened */
    uint32_t *fenced;                 /* by item: the clock of its last global fence */
    bool has_acquired;                /* this group did, from any other */
    unsigned arriving;                /* fences of the barrier they wait at */
    struct arrival first, other;      /* at it; `other` has other flags, if any has */
    struct warp_barrier *met;         /* by warp */
    uintptr_t *counted;               /* by group: where it did its last atomic */
    struct opening *openings;         /* in their order */
    size_t opening_count;
    struct own_store *own; /* OWN_STORES for each item, the last one first */
} order;

static size_t items_in(const struct replay *replay) {
    return replay->local[0] * replay->local[1] * replay->local[2];
}

void races_begin(struct replay *replay) {
    replay->shadows = lens_allocate(replay->object_count, sizeof *replay->shadows);
    order.acquired = lens_allocate(replay->groups + 1, sizeof *order.acquired);
    order.fenced = lens_allocate(items_in(replay), sizeof *order.fenced);
    order.met = lens_allocate(items_in(replay), sizeof *order.met);
    order.counted = lens_allocate(replay->groups + 1, sizeof *order.counted);
    order.own = lens_allocate(items_in(replay) * OWN_STORES, sizeof *order.own);
    order.release_count = 0;
    order.releases = NULL;
    *GROW(order.releases, order.release_count) = (struct release){0}; /* means none */
    order.group_count = replay->groups;
}

/* ---- Do several work-items write the same value?  A write is looked at before it
 * happens; what it has written shows when the next access is looked at. */
enum { MAX_UNSETTLED = 64 };
static struct {
    struct unsettled {
        size_t mistake;
        const char *place;
        size_t bytes;
        char before[WORD];
    } all[MAX_UNSETTLED];
    size_t count;
} unsettled;

static void settle(struct replay *replay) {
    for (; unsettled.count > 0; unsettled.count--) {
        const struct unsettled *write = &unsettled.all[unsettled.count - 1];
        replay->mistakes[write->mistake].values_differ |=
            memcmp(write->place, write->before, write->bytes) != 0;
    }
}

/* Do two writes store one value, if they did so here, in any run?  A value that is the
 * launch's is the same at one place of the kernel; two places may have two of them. */
static bool same_always(const struct replay *replay, const struct access *access,
                        const struct access_record *other) {
    const struct site *one = &replay->code->sites[access->site],
                      *two = &replay->code->sites[other->site];
    const bool same_group = other->group == order.group;
    return access->site == other->site
               ? one->value >= (same_group ? ONE_OF_GROUP : ONE_OF_LAUNCH)
               : one->value == CONSTANT_VALUE && two->value == CONSTANT_VALUE;
}

/* What all devices that we know forgive is no mistake, unless one asks for it. */
static void separate_notes(struct replay *replay) {
    size_t kept = 0;
    for (size_t i = 0; i < replay->mistake_count && !settings->strict; i++) {
        const struct mistake *found = &replay->mistakes[i];
        if (found->kind == RACE && found->same_always && !found->values_differ)
            *GROW(replay->notes, replay->note_count) = *found;
        else
            replay->mistakes[kept++] = *found;
    }
    if (!settings->strict)
        replay->mistake_count = kept;
}

/* A race, of this number, of two writes of a cell: the first one's value is there. */
static void compare_later(struct replay *replay, size_t mistake, const char *place,
                          size_t bytes) {
    if (unsettled.count == MAX_UNSETTLED) {
        replay->mistakes[mistake].values_differ = true;
        return;
    }
    struct unsettled *write = &unsettled.all[unsettled.count++];
    *write = (struct unsettled){.mistake = mistake, .place = place, .bytes = bytes};
    memcpy(write->before, place, bytes);
}

void races_stop(struct replay *replay) {
    settle(replay);
    separate_notes(replay);
    free(order.acquired);
    free(order.fenced);
    free(order.met);
    free(order.counted);
    free(order.openings);
    free(order.own);
    order.openings = NULL;
    order.opening_count = 0;
    free(order.releases);
    async_stop();
}

/* Cells have the length of a cache's line, and so they begin where lines do. */
static void cells_allocate(struct shadow *shadow, size_t bytes, size_t cell_bytes) {
    enum { BETWEEN = sizeof(struct cell) };
    shadow->cell_bytes = cell_bytes;
    shadow->memory = lens_allocate(bytes / cell_bytes + WORD + 1, BETWEEN);
    shadow->cells =
        (void *)(((uintptr_t)shadow->memory + BETWEEN - 1) / BETWEEN * BETWEEN);
}

void races_end(struct replay *replay) {
    for (size_t i = 0; i < replay->object_count; i++) {
        free(replay->shadows[i].memory);
        free(replay->shadows[i].atomics);
    }
    free(replay->shadows);
    free(replay->mistakes);
    free(replay->notes);
}

/* Local memory is new to each group: nothing has been written to it. */
static void poison(const struct object *object) {
    const uint32_t word = POISON;
    for (size_t i = 0; i + sizeof word <= object->bytes; i += sizeof word)
        memcpy(object->base + i, &word, sizeof word);
}

void races_group(struct replay *replay, size_t group) {
    assert(group < order.group_count);
    order.group = (uint32_t)group + 1;
    order.clock++;
    order.opened[0] = order.opened[1] = 0;
    order.opening_count = 0;
    order.first.is = order.other.is = false;
    memset(order.fenced, 0, items_in(replay) * sizeof *order.fenced);
    memset(order.met, 0, items_in(replay) * sizeof *order.met);
    if (order.has_acquired) /* of a launch with many groups there are as many */
        memset(order.acquired, 0, (order.group_count + 1) * sizeof *order.acquired);
    order.has_acquired = false;
    async_group();
    for (size_t i = 0; i < replay->object_count; i++)
        if (replay->objects[i].space == LOCAL)
            poison(&replay->objects[i]);
}

/* ---- Mistakes: each pair of places is reported once. */
static bool is_same(const struct place *one, const struct place *other) {
    return one->line == other->line && one->column == other->column &&
           one->file == other->file;
}

static bool same_place(const struct replay *replay, size_t one, size_t other) {
    const struct site *sites = replay->code->sites;
    return is_same(&sites[one].place, &sites[other].place);
}

/* A function's barrier is another one for each of its calls. */
static bool same_barrier(const struct replay *replay, size_t one, size_t other) {
    const struct place *a = &replay->code->sites[one].place,
                       *b = &replay->code->sites[other].place;
    for (; a && b && is_same(a, b); a = a->call, b = b->call)
        if (a == b)
            return true;
    return !a && !b;
}

bool races_share_barrier(const struct mistake *one, const struct mistake *other) {
    const bool is_of_group =
        one->one.group == one->other.group && other->one.group == other->other.group;
    return one->kind == RACE && other->kind == RACE && one->object == other->object &&
           is_of_group && one->interval[0] == other->interval[0] &&
           one->interval[1] == other->interval[1] &&
           one->same_always == other->same_always;
}

/* Returns its number. */
static size_t add_mistake(struct replay *replay, struct mistake found) {
    for (size_t i = 0; i < replay->mistake_count; i++) {
        struct mistake *old = &replay->mistakes[i];
        if (old->kind == found.kind && old->object == found.object &&
            same_place(replay, old->one.site, found.one.site) &&
            same_place(replay, old->other.site, found.other.site)) {
            old->times++;
            return i;
        }
    }
    found.times = 1;
    *GROW(replay->mistakes, replay->mistake_count) = found;
    return replay->mistake_count - 1;
}

size_t races_add(struct replay *replay, struct mistake found) {
    return add_mistake(replay, found);
}

/* ---- What comes before what. */
static bool knows_group(const struct access_record *record, uint32_t item) {
    const struct acquired *acquired = &order.acquired[record->group];
    const struct release *release = &acquired->release;
    const bool by_us = acquired->item == item || acquired->clock < order.opened[1];
    return release->record.group == record->group && by_us &&
           (record->clock <= release->group_until ||
            (record->item == release->record.item &&
             record->clock <= release->item_until));
}

/* An atomic on a place is before one that its release was acquired with, too: of the
 * two, the release is the later one. */
static bool knows_atomic(const struct access_record *record, uint32_t item) {
    const struct acquired *acquired = &order.acquired[record->group];
    const struct access_record *released = &acquired->release.record;
    const bool by_us = acquired->item == item || acquired->clock < order.opened[1];
    return released->group == record->group && by_us &&
           released->item == record->item && record->clock <= released->clock;
}

struct access_record races_now(void) {
    return (struct access_record){.group = order.group, .clock = order.clock};
}

/* Did the record happen surely before what this item does now? */
static bool is_before(const struct access_record *record, uint32_t item,
                      enum space space) {
    const bool is_own = record->item == item || record->item == GROUPS_COPY;
    if (record->group == NONE || (record->group == order.group && is_own))
        return true; /* (async.c knows which copies still go on) */
    if (record->group == order.group)
        return record->clock < order.opened[space != LOCAL] ||
               (record->item / settings->lanes == item / settings->lanes &&
                record->clock < order.met[item / settings->lanes].clock);
    return space == LOCAL || knows_group(record, item);
}

/* Two groups did their last atomic on one place, as if to count: then a fence between
 * an access and that atomic is missing, unless one releases this other group. */
static bool lacks_fence(const struct access_record *other) {
    const uintptr_t place = order.counted[order.group];
    return other->group != order.group && place &&
           place == order.counted[other->group] &&
           order.acquired[other->group].release.record.group != other->group;
}

static void acquire(const struct atomic_cell *cell,
                    const struct access_record *record) {
    for (uint32_t r = cell->releases; r != NONE; r = order.releases[r].before) {
        const struct release *release = &order.releases[r];
        struct acquired *acquired = &order.acquired[release->record.group];
        const bool is_older = acquired->item == record->item &&
                              acquired->clock == record->clock &&
                              acquired->release.record.clock >= release->record.clock;
        if (!is_older)
            *acquired = (struct acquired){*release, record->item, record->clock};
        order.has_acquired = true;
    }
}

static void release(struct atomic_cell *cell, const struct access_record *record) {
    if (!order.fenced[record->item])
        return;
    const struct release new = {*record, order.fenced[record->item],
                                order.opened[1] ? order.opened[1] - 1 : 0,
                                cell->releases};
    cell->releases = (uint32_t)order.release_count;
    *GROW(order.releases, order.release_count) = new;
}

void races_fence(unsigned item, unsigned flags) {
    if (flags & GLOBAL_FENCE)
        order.fenced[item] = order.clock++;
}

void races_arrive(unsigned item, unsigned site, unsigned flags) {
    const struct arrival arrival = {true, item, site, flags};
    order.arriving |= flags;
    if (!order.first.is)
        order.first = arrival;
    else if (flags != order.first.flags)
        order.other = arrival;
    races_fence(item, flags);
}

void races_arrive_with_warp(unsigned item, unsigned flags) {
    order.met[item / settings->lanes].opens = true;
    races_fence(item, flags);
}

void races_leave_with_warp(unsigned item) {
    struct warp_barrier *warp_barrier = &order.met[item / settings->lanes];
    if (warp_barrier->opens) /* the first that leaves opens it for all */
        *warp_barrier = (struct warp_barrier){++order.clock, false};
}

/* All have come to one barrier, as they must, but fence different memory there. */
static void compare_flags(struct replay *replay) {
    const struct arrival *arrivals[] = {&order.first, &order.other};
    struct access_record records[2];
    for (int i = 0; i < 2; i++)
        records[i] = (struct access_record){order.group, order.clock, arrivals[i]->item,
                                            arrivals[i]->site};
    if (order.other.is && settings->races)
        add_mistake(replay, (struct mistake){.kind = BARRIER_FLAGS,
                                             .one = records[0],
                                             .other = records[1],
                                             .object = (unsigned)replay->object_count});
}

/* (An asynchronous copy waits for all items, too, and is no barrier.) */
static void remember_opening(const struct replay *replay, unsigned site) {
    if (replay->code->sites[site].kind == BARRIER)
        *GROW(order.openings, order.opening_count) =
            (struct opening){order.clock, site};
}

/* The number of the first barrier that opened after this clock. */
static size_t opening_after(uint32_t clock) {
    size_t low = 0, high = order.opening_count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (order.openings[middle].clock > clock)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

void races_barrier(struct replay *replay, const struct arrivals *arrivals) {
    order.clock++;
    if (order.arriving & LOCAL_FENCE)
        order.opened[0] = order.clock;
    if (order.arriving & GLOBAL_FENCE)
        order.opened[1] = order.clock;
    order.arriving = 0;
    const bool all = arrivals->arrived == arrivals->items &&
                     same_barrier(replay, arrivals->site, arrivals->other_site);
    if (all)
        remember_opening(replay, arrivals->site);
    if (all)
        compare_flags(replay);
    order.first.is = order.other.is = false;
    if (all) {
        async_meet();
        return;
    }
    const struct access_record one = {order.group, order.clock, arrivals->item,
                                      arrivals->site};
    const struct access_record other = {order.group, order.clock, arrivals->other_item,
                                        arrivals->other_site};
    add_mistake(replay, (struct mistake){.kind = BARRIER_DIVERGENCE,
                                         .arrived = arrivals->arrived,
                                         .items = arrivals->items,
                                         .one = one,
                                         .other = other,
                                         .object = (unsigned)replay->object_count});
    replay->stopped = true;
}

void races_group_end(struct replay *replay) {
    settle(replay); /* before local memory is new */
    async_group_end(replay);
}

void races_step_limit(struct replay *replay) {
    add_mistake(replay, (struct mistake){.kind = STEP_LIMIT,
                                         .object = (unsigned)replay->object_count,
                                         .one.group = order.group});
    replay->stopped = true;
}

/* ---- Accesses. */

/* Cells of single bytes, each with what was known of its word. */
static void refine(struct shadow *shadow, size_t bytes) {
    const struct shadow coarse = *shadow;
    cells_allocate(shadow, bytes, 1);
    for (size_t i = 0; i < bytes; i++)
        shadow->cells[i] = coarse.cells[i / WORD];
    if (coarse.atomics) {
        shadow->atomics = lens_allocate(bytes + WORD, sizeof *shadow->atomics);
        for (size_t i = 0; i < bytes; i++)
            shadow->atomics[i] = coarse.atomics[i / WORD];
    }
    free(coarse.memory);
    free(coarse.atomics);
}

static struct shadow *shadow_of(struct replay *replay, const struct access *access,
                                enum kind kind) {
    struct shadow *shadow = &replay->shadows[access->object];
    const struct object *object = &replay->objects[access->object];
    const size_t bytes = object->bytes,
                 offset = access->address - (uintptr_t)object->base;
    if (!shadow->cells)
        cells_allocate(shadow, bytes, WORD);
    if ((access->bytes % WORD || offset % WORD) && shadow->cell_bytes == WORD)
        refine(shadow, bytes);
    if (kind == ATOMIC && !shadow->atomics)
        shadow->atomics =
            lens_allocate(bytes / shadow->cell_bytes + WORD, sizeof *shadow->atomics);
    return shadow;
}

/* Of these records the first one that races with what this item does now, or NULL. */
static const struct access_record *unordered(const struct replay *replay,
                                             const struct last *last, uint32_t item,
                                             enum space space, enum kind spared) {
    const struct access_record *records[] = {&last->here, &last->other, &last->earlier};
    for (int i = 0; i < 3; i++) {
        const enum kind kind = replay->code->sites[records[i]->site].kind;
        const bool is_atomic = kind == ATOMIC;
        if (!(spared != OTHER && (kind == spared || is_atomic)) &&
            !is_before(records[i], item, space) &&
            !(is_atomic && records[i]->group != order.group &&
              knows_atomic(records[i], item)))
            return records[i];
    }
    return NULL;
}

/* The record that races with this one, or NULL.  A volatile read may see what atomics
 * write: OpenCL 1.2 has no other way to read it. */
static const struct access_record *rival(const struct replay *replay,
                                         const struct shadow *shadow, size_t i,
                                         const struct access_record *me,
                                         enum space space, bool writes) {
    const struct cell *cell = &shadow->cells[i];
    const enum kind kind = replay->code->sites[me->site].kind;
    const struct access_record *found = NULL;
    if (!is_before(&cell->write, me->item, space))
        return &cell->write;
    if (shadow->atomics && kind != ATOMIC && kind != VOLATILE_LOAD)
        found = unordered(replay, &shadow->atomics[i].atomics, me->item, space, OTHER);
    if (!found && writes)
        found = unordered(replay, &cell->reads, me->item, space,
                          kind == ATOMIC ? VOLATILE_LOAD : OTHER);
    return found;
}

static void keep(struct last *last, const struct access_record *me) {
    if (last->here.group != me->group) {
        last->earlier = last->here;
        last->other = (struct access_record){0};
    } else if (last->here.item != me->item) {
        last->other = last->here;
    }
    last->here = *me;
}

/* A compare-exchange that fails writes nothing: it is kept among the reads. */
static void remember(struct shadow *shadow, size_t i, const struct access_record *me,
                     enum kind kind, bool writes) {
    if (kind == STORE)
        shadow->cells[i].write = *me;
    else if (kind == ATOMIC && writes)
        keep(&shadow->atomics[i].atomics, me);
    else
        keep(&shadow->cells[i].reads, me);
}

static struct access_record record_of(const struct access *access) {
    return (struct access_record){order.group, order.clock, access->item, access->site};
}

/* ---- An item that has stored a value that is the same for all reads that value back,
 * even if others store it at the same time. */
static void remember_store(const struct replay *replay, const struct access *access) {
    struct own_store *own = &order.own[access->item * OWN_STORES];
    if (replay->code->sites[access->site].value == VARIES ||
        access->item == GROUPS_COPY)
        return;
    memmove(own + 1, own, (OWN_STORES - 1) * sizeof *own);
    *own =
        (struct own_store){access->address, access->bytes, order.group, access->site};
}

/* Does this item read what that store sets, which it has done itself? */
static bool reads_own(const struct replay *replay, const struct access_record *read,
                      const struct access_record *store, uintptr_t address) {
    const struct own_store *own = &order.own[read->item * OWN_STORES];
    if (read->group != order.group || store->group != order.group ||
        read->item == GROUPS_COPY || replay->code->sites[read->site].kind != LOAD)
        return false;
    for (int i = 0; i < OWN_STORES && own[i].group == order.group; i++)
        if (address - own[i].address < own[i].bytes)
            return own[i].site == store->site;
    return false;
}

/* ---- Races. */

/* What is known of a race in a group by its barriers. */
static void note_barriers(struct mistake *race) {
    const size_t count = opening_after(race->one.clock),
                 before = opening_after(race->other.clock);
    if (race->one.group != race->other.group)
        return;
    race->interval[0] = count ? order.openings[count - 1].site + 1 : 0;
    race->interval[1] = before ? order.openings[before - 1].site + 1 : 0;
    race->barrier = before < count ? order.openings[count - 1].site + 1 : 0;
    race->other_warp =
        race->one.item / settings->lanes != race->other.item / settings->lanes;
}

/* A race with that other access, in cell `cell`. */
static void add_race(struct replay *replay, const struct access *access,
                     const struct access_record *other, size_t cell) {
    const size_t bytes = replay->shadows[access->object].cell_bytes;
    const char *place = replay->objects[access->object].base + cell * bytes;
    const enum kind kind = replay->code->sites[access->site].kind,
                    other_kind = replay->code->sites[other->site].kind;
    const struct access_record me = record_of(access);
    const bool own = kind == STORE ? reads_own(replay, other, &me, (uintptr_t)place)
                                   : reads_own(replay, &me, other, (uintptr_t)place);
    const bool same = own || (kind == STORE && other_kind == STORE &&
                              same_always(replay, access, other));
    struct mistake race = {.kind = RACE,
                           .one = me,
                           .other = *other,
                           .object = access->object,
                           .byte = (int64_t)(cell * bytes),
                           .bytes = bytes,
                           .same_always = same,
                           .missing_fence = lacks_fence(other)};
    note_barriers(&race);
    const size_t number = add_mistake(replay, race);
    struct mistake *known = &replay->mistakes[number];
    known->same_always &= same;
    known->other_warp |= race.other_warp;
    if (kind == STORE && other_kind == STORE)
        compare_later(replay, number, place, bytes);
    else if (!own)
        known->values_differ = true;
}

void races_add_pending(struct replay *replay, const struct access *access,
                       const struct access_record *copy) {
    const char *base = replay->objects[access->object].base;
    add_mistake(replay,
                (struct mistake){.kind = RACE,
                                 .one = record_of(access),
                                 .other = *copy,
                                 .object = access->object,
                                 .byte = (int64_t)(access->address - (uintptr_t)base),
                                 .bytes = access->bytes,
                                 .values_differ = true});
}

static void look_for_races(struct replay *replay, const struct access *access) {
    const struct object *object = &replay->objects[access->object];
    const enum kind kind = replay->code->sites[access->site].kind;
    const struct access_record me = record_of(access);
    const bool writes = kind == STORE || (kind == ATOMIC && !access->fails);
    struct shadow *shadow = shadow_of(replay, access, kind);
    const size_t cell_bytes = shadow->cell_bytes;
    const size_t offset = access->address - (uintptr_t)object->base;
    const size_t begin = cell_bytes == WORD ? offset / WORD : offset;
    const size_t count =
        cell_bytes == WORD ? (access->bytes + WORD - 1) / WORD : access->bytes;
    if (kind == ATOMIC && object->space != LOCAL)
        order.counted[order.group] = access->address;
    for (size_t i = begin; i < begin + count; i++) {
        const struct access_record *other =
            rival(replay, shadow, i, &me, object->space, writes);
        if (other)
            add_race(replay, access, other, i);
        remember(shadow, i, &me, kind, writes);
    }
    if (kind == STORE)
        remember_store(replay, access);
    if (kind == ATOMIC) /* what it learns comes too late for this access itself */
        acquire(&shadow->atomics[begin], &me);
    if (kind == ATOMIC && writes)
        release(&shadow->atomics[begin], &me);
}

/* A mistake by one access. */
static void add_of_access(struct replay *replay, enum mistake_kind kind,
                          const struct access *access) {
    const struct access_record me = record_of(access);
    const uintptr_t base = (uintptr_t)replay->objects[access->object].base;
    add_mistake(replay, (struct mistake){.kind = kind,
                                         .one = me,
                                         .other = me,
                                         .object = access->object,
                                         .byte = (int64_t)(access->address - base),
                                         .bytes = access->bytes});
}

/* What is poison all over was never written.  Parts of a word show nothing, and of a
 * vector or a structure parts may be missing by right. */
static void look_for_uninitialised(struct replay *replay, const struct access *access) {
    const struct object *object = &replay->objects[access->object];
    const uintptr_t base = (uintptr_t)object->base;
    uintptr_t word = (access->address - base) / WORD * WORD;
    for (; word < access->address - base + access->bytes; word += WORD) {
        uint32_t value = 0;
        if (word + WORD <= object->bytes)
            memcpy(&value, object->base + word, WORD);
        if (value != POISON)
            return;
    }
    add_of_access(replay, UNINITIALISED, access);
}

/* A mistake by one work-item that concerns no object. */
static void add_lone(struct replay *replay, enum mistake_kind kind,
                     const struct access_record *me, int signal) {
    add_mistake(replay, (struct mistake){.kind = kind,
                                         .one = *me,
                                         .other = *me,
                                         .object = (unsigned)replay->object_count,
                                         .signal = signal});
}

/* A word that is as the compiler has filled private memory was never written. */
static bool is_pattern(const struct site *site, const char *place) {
    const uint32_t pattern = site->real ? REAL_PATTERN : PATTERN;
    return memcmp(place, &pattern, WORD) == 0;
}

void races_private(struct replay *replay, unsigned item, unsigned number,
                   const char *place, size_t bytes) {
    const struct site *site = &replay->code->sites[number];
    if (site->kind == STORE || bytes < WORD)
        return;
    for (size_t i = 0; i + WORD <= bytes; i += WORD)
        if (!is_pattern(site, place + i))
            return;
    const struct access_record me = {order.group, order.clock, item, number};
    add_lone(replay, PRIVATE_UNINITIALISED, &me, 0);
}

void races_angle(struct replay *replay, unsigned item, unsigned site, float angle) {
    for (size_t i = 0; i < replay->note_count; i++) {
        struct mistake *note = &replay->notes[i];
        if (note->kind == LARGE_ANGLE && same_place(replay, note->one.site, site)) {
            note->times++;
            return;
        }
    }
    const struct access_record me = {order.group, order.clock, item, site};
    *GROW(replay->notes, replay->note_count) =
        (struct mistake){.kind = LARGE_ANGLE,
                         .one = me,
                         .other = me,
                         .object = (unsigned)replay->object_count,
                         .angle = angle,
                         .times = 1};
}

void races_crash(struct replay *replay, unsigned item, unsigned site, int signal) {
    const struct access_record me = {order.group, order.clock, item, site};
    add_lone(replay, CRASH, &me, signal);
    replay->stopped = true;
}

void races_divide(struct replay *replay, unsigned item, unsigned site, bool overflows) {
    const struct access_record me = {order.group, order.clock, item, site};
    add_lone(replay, overflows ? QUOTIENT : DIVISION, &me, 0);
}

/* A mistake that is known before anybody has run, so that its record has no group. */
static void add_before(struct replay *replay, struct mistake found, unsigned site) {
    found.one = found.other = (struct access_record){.site = site};
    found.object = (unsigned)replay->object_count;
    add_mistake(replay, found);
    replay->stopped = true;
}

bool races_hopeless(struct replay *replay) {
    enum { MAX_LOCAL = 1 << 24 };
    const struct code *code = replay->code;
    const size_t bytes = limits_local(replay);
    for (size_t i = 0; i < code->recursion_count; i++)
        if (strcmp(code->recursions[i].kernel, replay->kernel) == 0)
            add_before(replay,
                       (struct mistake){.kind = RECURSION,
                                        .array = code->recursions[i].function},
                       code->recursions[i].site);
    if (bytes > MAX_LOCAL)
        add_before(replay, (struct mistake){.kind = TOO_LARGE_GROUP, .bytes = bytes},
                   0);
    return replay->stopped;
}

/* The host may have said that kernels only read this buffer, or only write it. */
static void look_at_flags(struct replay *replay, const struct access *access) {
    const struct object *object = &replay->objects[access->object];
    const enum kind kind = replay->code->sites[access->site].kind;
    const bool writes = kind == STORE || kind == ATOMIC;
    if (writes ? object->read_only : object->write_only)
        add_of_access(replay, AGAINST_FLAGS, access);
}

/* Outside of all that the kernel may touch: the nearest object is probably meant. */
static void add_out_of_bounds(struct replay *replay, const struct access *access) {
    const struct access_record me = record_of(access);
    struct mistake mistake = {.kind = OUT_OF_BOUNDS,
                              .one = me,
                              .other = me,
                              .object = (unsigned)replay->object_count,
                              .bytes = access->bytes};
    uint64_t nearest = 1 << 30; /* farther away it is no object's neighbour */
    for (unsigned i = 0; i < replay->object_count; i++) {
        const struct object *object = &replay->objects[i];
        if (object->space == PRIVATE)
            continue;
        const int64_t byte = (int64_t)(access->address - (uintptr_t)object->base);
        const uint64_t bytes = object->bytes, away = byte < 0 ? (uint64_t)-byte
                                                     : (uint64_t)byte >= bytes
                                                         ? (uint64_t)byte - bytes
                                                         : 0;
        if (away < nearest) {
            nearest = away;
            mistake.object = i;
            mistake.byte = byte;
        }
    }
    const struct svm *svm = svm_at((const void *)access->address);
    if (svm && mistake.object < replay->object_count &&
        replay->objects[mistake.object].base == svm->base)
        svm = NULL; /* it begins within and ends behind */
    if (svm) {
        mistake.kind = UNTOLD;
        mistake.object = (unsigned)replay->object_count;
        mistake.array = svm->name;
    }
    add_mistake(replay, mistake);
    replay->stopped = true;
}

void races_texel(struct replay *replay, const struct image *image, unsigned item,
                 unsigned site, const int64_t texel[3]) {
    const struct access_record me = {order.group, order.clock, item, site};
    struct mistake mistake = {
        .kind = texel ? OUT_OF_BOUNDS : AGAINST_FORMAT, .one = me, .other = me};
    while (replay->objects[mistake.object].image != image)
        mistake.object++;
    for (int d = 0; d < 3 && texel; d++)
        mistake.texel[d] = texel[d];
    add_mistake(replay, mistake);
}

void races_index(struct replay *replay, const struct access *access, int64_t index,
                 const char *array) {
    const struct access_record me = record_of(access);
    add_mistake(replay, (struct mistake){.kind = BAD_INDEX,
                                         .one = me,
                                         .other = me,
                                         .object = (unsigned)replay->object_count,
                                         .byte = index,
                                         .array = array});
    replay->stopped = true;
}

/* Where elements of a type must lie, as many bytes behind the beginning as the multiple
 * of this: 1 for what vload and packed structures touch.  Buffers begin at a multiple
 * of all of these. */
static bool is_aligned(const struct replay *replay, const struct access *access) {
    const struct site *site = &replay->code->sites[access->site];
    const size_t wanted = site->kind == ATOMIC ? access->bytes : site->alignment;
    const uintptr_t base = (uintptr_t)replay->objects[access->object].base;
    return wanted < 2 || (access->address - base) % wanted == 0;
}

/* Where a structure is copied, members that were never set come along with those that
 * were, and that is no use of them.  The same stores make a vector's components, which
 * a kernel names: there one that was not set is a mistake. */
static bool is_use(const struct replay *replay, const struct site *site) {
    return !site->beside_written || strstr(source_line(replay, site->place), "vstore");
}

static bool stores_unwritten(const struct replay *replay, const struct access *access) {
    const struct site *site = &replay->code->sites[access->site];
    return site->unwritten && is_use(replay, site);
}

void races_unset(struct replay *replay, unsigned item, unsigned number) {
    const struct access_record me = {order.group, order.clock, item, number};
    if (is_use(replay, &replay->code->sites[number]))
        add_lone(replay, PRIVATE_UNINITIALISED, &me, 0);
}

bool races_allow_place(struct replay *replay, const struct access *access) {
    if (access->object == replay->object_count || is_aligned(replay, access))
        return true;
    add_of_access(replay, MISALIGNED, access);
    replay->stopped = true;
    return false;
}

bool races_allow(struct replay *replay, const struct access *access) {
    const struct object *object = &replay->objects[access->object];
    const enum kind kind = replay->code->sites[access->site].kind;
    if (access->object == replay->object_count ||
        access->address + access->bytes > (uintptr_t)object->base + object->bytes) {
        add_out_of_bounds(replay, access);
        return false;
    }
    if (settings->races && !races_allow_place(replay, access))
        return false;
    if (settings->races && object->space != CONSTANT) {
        settle(replay);
        look_for_races(replay, access);
        async_touch(replay, access);
        const bool reads = !replay->code->sites[access->site].for_component;
        if ((object->read_only || object->write_only) && reads)
            look_at_flags(replay, access);
        if (stores_unwritten(replay, access)) {
            const struct access_record me = record_of(access);
            add_lone(replay, PRIVATE_UNINITIALISED, &me, 0);
        }
        if (kind != STORE && reads && !replay->code->sites[access->site].overwrites)
            look_for_uninitialised(replay, access);
    }
    return true;
}

/* A write and an atomic of two work-items are a race, but for those in order: then the
 * later one is meant. */
struct access_record races_writer(const struct replay *replay, size_t object,
                                  size_t byte) {
    const struct shadow *shadow = &replay->shadows[object];
    struct access_record write = {0}, atomic = {0};
    if (shadow->cells)
        write = shadow->cells[byte / shadow->cell_bytes].write;
    if (shadow->atomics)
        atomic = shadow->atomics[byte / shadow->cell_bytes].atomics.here;
    return atomic.group && (!write.group || atomic.clock >= write.clock) ? atomic
                                                                         : write;
}
