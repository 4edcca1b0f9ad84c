/* races: a shadow of the memory remembers which work-items touched it last.
 *
 * Two work-items race when both touch one place, at least one writes, and nothing puts
 * one before the other.  What puts one before the other:
 *
 *   in a group       a barrier between them, with the fence of that memory
 *   between groups   a fence by the one, then an atomic; an atomic on the same place by
 *                    the other; for the rest of their groups also a barrier
 *
 * Time is a clock that ticks at each fence and each barrier, and where a warp enters a
 * block: so lanes that have executed an instruction together are known.  Groups are
 * replayed one after the other, so a shadow cell need not know all readers: the last
 * one of this group, another one of it, and one of an earlier group are enough to find
 * a race.  The same holds for atomics, which race with plain accesses alone; so a plain
 * write is kept apart from them, or the writer's own atomic would hide it.
 *
 * Sources: the rules, OpenCL 1.2 specification, sections 3.3.1 and 6.12.8 to 6.12.11;
 * keeping last readers and writers, Flanagan and Freund, "FastTrack", PLDI 2009. */
#include "races.h"
#include "banks.h"
#include "base/memory.h"
#include "base/vocabulary.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { NONE = 0 };

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
    uint32_t releases; /* the last of a chain in history.releases; NONE */
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

enum { MAX_UNSETTLED = 64 };
struct history {
    struct shadow *shadows; /* by object */
    struct release *releases;
    size_t object_count, release_count;
    struct acquired *acquired;        /* by group; forgotten when a new group begins */
    uint32_t group, clock, opened[2]; /* when the last barrier of that fence opened */
    uint32_t entered;                 /* when a warp last entered a block */
    uint32_t *fenced;                 /* by item: the clock of its last global fence */
    bool has_acquired;                /* this group did, from any other */
    unsigned arriving;                /* fences of the barrier they wait at */
    struct warp_barrier *met;         /* by warp */
    uintptr_t *counted;               /* by group: where it did its last atomic */
    struct opening *openings;         /* in their order */
    size_t opening_count;
    struct own_store *own; /* OWN_STORES for each item, the last one first */
    struct unsettled {
        size_t mistake;
        const char *place;
        size_t bytes;
        char before[WORD];
    } unsettled[MAX_UNSETTLED]; /* writes of a race, whose values are not known yet */
    size_t unsettled_count;
};

/* ---- The launch, and its groups. */
static struct history *history_of(struct observer *self) {
    return ((struct races *)self)->history;
}

static const struct site *site_of(unsigned number) {
    return &running.job->code->sites[number];
}

static bool begin(struct observer *self) {
    const size_t items = job_group_items(running.job), groups = running.outcome.groups;
    struct history *history = lens_allocate(1, sizeof *history);
    history->object_count = running.job->object_count;
    history->shadows =
        lens_allocate(running.job->object_count, sizeof *history->shadows);
    history->acquired = lens_allocate(groups + 1, sizeof *history->acquired);
    history->fenced = lens_allocate(items, sizeof *history->fenced);
    history->met = lens_allocate(items, sizeof *history->met);
    history->counted = lens_allocate(groups + 1, sizeof *history->counted);
    history->own = lens_allocate(items * OWN_STORES, sizeof *history->own);
    *GROW(history->releases, history->release_count) =
        (struct release){0}; /* means none */
    ((struct races *)self)->history = history;
    return true;
}

static void begin_group(struct observer *self) {
    struct history *history = history_of(self);
    const size_t items = job_group_items(running.job);
    history->group = (uint32_t)running.group + 1;
    history->clock++;
    history->opened[0] = history->opened[1] = 0;
    history->opening_count = 0;
    memset(history->fenced, 0, items * sizeof *history->fenced);
    memset(history->met, 0, items * sizeof *history->met);
    if (history->has_acquired) /* of a launch with many groups there are as many */
        memset(history->acquired, 0,
               (running.outcome.groups + 1) * sizeof *history->acquired);
    history->has_acquired = false;
}

/* ---- Do several work-items write the same value?  A write is looked at before it
 * happens; what it has written shows when the next access is looked at. */
static void settle(struct races *races) {
    struct history *history = races->history;
    for (; history->unsettled_count > 0; history->unsettled_count--) {
        const struct unsettled *write =
            &history->unsettled[history->unsettled_count - 1];
        races->mistakes->all[write->mistake].race.values_differ |=
            memcmp(write->place, write->before, write->bytes) != 0;
    }
}

/* A race, of this number, of two writes of a cell: the first one's value is there. */
static void compare_later(struct races *races, size_t mistake, const char *place,
                          size_t bytes) {
    struct history *history = races->history;
    if (history->unsettled_count == MAX_UNSETTLED) {
        races->mistakes->all[mistake].race.values_differ = true;
        return;
    }
    struct unsettled *write = &history->unsettled[history->unsettled_count++];
    *write = (struct unsettled){.mistake = mistake, .place = place, .bytes = bytes};
    memcpy(write->before, place, bytes);
}

/* Do two writes store one value, if they did so here, in any run?  A value that is the
 * launch's is the same at one place of the kernel; two places may have two of them. */
static bool same_always(const struct history *history, const struct access *access,
                        const struct access_record *other) {
    const struct site *one = site_of(access->site), *two = site_of(other->site);
    const bool same_group = other->group == history->group;
    return access->site == other->site
               ? one->value >= (same_group ? ONE_OF_GROUP : ONE_OF_LAUNCH)
               : one->value == CONSTANT_VALUE && two->value == CONSTANT_VALUE;
}

static void enter(struct observer *self, int block, uint64_t lanes) {
    (void)block, (void)lanes;
    struct history *history = history_of(self);
    history->entered = ++history->clock;
}

/* Are both stores of one warp, which its lanes do together?  CUDA alone knows these:
 * one of the values stays (C++ Programming Guide, "SIMT Architecture"), so that nothing
 * is wrong if they are the same. */
static bool is_one_instruction(const struct history *history,
                               const struct access *access,
                               const struct access_record *other) {
    const unsigned lanes = running.model->lanes;
    return vocabulary_is_cuda() && site_of(access->site)->kind == STORE &&
           access->site == other->site && other->group == history->group &&
           other->clock >= history->entered &&
           access->item / lanes == other->item / lanes;
}

/* What all devices that we know forgive is no mistake, unless one asks for it; and what
 * the language allows is not even worth a word. */
static void separate_notes(struct mistakes *mistakes) {
    size_t kept = 0;
    for (size_t i = 0; i < mistakes->count; i++) {
        const struct mistake *found = &mistakes->all[i];
        const bool same = found->kind == RACE && !found->race.values_differ,
                   allowed = found->kind == RACE && found->race.one_instruction;
        if (!same || !(allowed || found->race.same_always))
            mistakes->all[kept++] = *found;
        else if (!allowed || !found->race.same_always)
            *GROW(mistakes->notes, mistakes->note_count) = *found;
    }
    mistakes->count = kept;
}

static void end_group(struct observer *self) {
    settle((struct races *)self); /* before local memory is new */
}

static void end(struct observer *self) {
    struct races *races = (struct races *)self;
    settle(races);
    if (!races->strictly)
        separate_notes(races->mistakes);
}

void races_end(struct history *history) {
    if (!history)
        return;
    for (size_t i = 0; i < history->object_count; i++) {
        free(history->shadows[i].memory);
        free(history->shadows[i].atomics);
    }
    free(history->shadows);
    free(history->acquired);
    free(history->fenced);
    free(history->met);
    free(history->counted);
    free(history->openings);
    free(history->own);
    free(history->releases);
    free(history);
}

/* Cells have the length of a cache's line, and so they begin where lines do. */
static void cells_allocate(struct shadow *shadow, size_t bytes, size_t cell_bytes) {
    enum { BETWEEN = sizeof(struct cell) };
    shadow->cell_bytes = cell_bytes;
    shadow->memory = lens_allocate(bytes / cell_bytes + WORD + 1, BETWEEN);
    shadow->cells =
        (void *)(((uintptr_t)shadow->memory + BETWEEN - 1) / BETWEEN * BETWEEN);
}

/* ---- What comes before what. */
static bool knows_group(const struct history *history,
                        const struct access_record *record, uint32_t item) {
    const struct acquired *acquired = &history->acquired[record->group];
    const struct release *release = &acquired->release;
    const bool by_us = acquired->item == item || acquired->clock < history->opened[1];
    return release->record.group == record->group && by_us &&
           (record->clock <= release->group_until ||
            (record->item == release->record.item &&
             record->clock <= release->item_until));
}

/* An atomic on a place is before one that its release was acquired with, too: of the
 * two, the release is the later one. */
static bool knows_atomic(const struct history *history,
                         const struct access_record *record, uint32_t item) {
    const struct acquired *acquired = &history->acquired[record->group];
    const struct access_record *released = &acquired->release.record;
    const bool by_us = acquired->item == item || acquired->clock < history->opened[1];
    return released->group == record->group && by_us &&
           released->item == record->item && record->clock <= released->clock;
}

/* Did the record happen surely before what this item does now? */
static bool is_before(const struct history *history, const struct access_record *record,
                      uint32_t item, enum space space) {
    const bool is_own = record->item == item || record->item == GROUPS_COPY;
    if (record->group == NONE || (record->group == history->group && is_own))
        return true; /* (async.c knows which copies still go on) */
    if (record->group == history->group)
        return record->clock < history->opened[space != LOCAL] ||
               (record->item / running.model->lanes == item / running.model->lanes &&
                record->clock < history->met[item / running.model->lanes].clock);
    return space == LOCAL || knows_group(history, record, item);
}

/* Two groups did their last atomic on one place, as if to count: then a fence between
 * an access and that atomic is missing, unless one releases this other group. */
static bool lacks_fence(const struct history *history,
                        const struct access_record *other) {
    const uintptr_t place = history->counted[history->group];
    return other->group != history->group && place &&
           place == history->counted[other->group] &&
           history->acquired[other->group].release.record.group != other->group;
}

static void acquire(struct history *history, const struct atomic_cell *cell,
                    const struct access_record *record) {
    for (uint32_t r = cell->releases; r != NONE; r = history->releases[r].before) {
        const struct release *release = &history->releases[r];
        struct acquired *acquired = &history->acquired[release->record.group];
        const bool is_older = acquired->item == record->item &&
                              acquired->clock == record->clock &&
                              acquired->release.record.clock >= release->record.clock;
        if (!is_older)
            *acquired = (struct acquired){*release, record->item, record->clock};
        history->has_acquired = true;
    }
}

static void release(struct history *history, struct atomic_cell *cell,
                    const struct access_record *record) {
    if (!history->fenced[record->item])
        return;
    const struct release new = {*record, history->fenced[record->item],
                                history->opened[1] ? history->opened[1] - 1 : 0,
                                cell->releases};
    cell->releases = (uint32_t)history->release_count;
    *GROW(history->releases, history->release_count) = new;
}

/* ---- Fences and barriers. */
static void fence_by(struct history *history, unsigned item, unsigned flags) {
    if (flags & GLOBAL_FENCE)
        history->fenced[item] = history->clock++;
}

static void fence(struct observer *self, unsigned flags) {
    fence_by(history_of(self), running.lane->item, flags);
}

static void arrive(struct observer *self, unsigned flags) {
    history_of(self)->arriving |= flags;
    fence(self, flags);
}

static struct warp_barrier *barrier_of_warp(struct history *history) {
    return &history->met[running.lane->item / running.model->lanes];
}

static void arrive_with_warp(struct observer *self, unsigned flags) {
    barrier_of_warp(history_of(self))->opens = true;
    fence(self, flags);
}

static void leave_with_warp(struct observer *self) {
    struct history *history = history_of(self);
    struct warp_barrier *barrier = barrier_of_warp(history);
    if (barrier->opens) /* the first that leaves opens it for all */
        *barrier = (struct warp_barrier){++history->clock, false};
}

/* (An asynchronous copy waits for all items, too, and is no barrier.) */
static void remember_opening(struct history *history, unsigned site) {
    if (site_of(site)->kind == BARRIER)
        *GROW(history->openings, history->opening_count) =
            (struct opening){history->clock, site};
}

/* The number of the first barrier that opened after this clock. */
static size_t opening_after(const struct history *history, uint32_t clock) {
    size_t low = 0, high = history->opening_count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (history->openings[middle].clock > clock)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

static void open_barrier(struct observer *self, const struct arrivals *arrivals) {
    struct history *history = history_of(self);
    history->clock++;
    if (history->arriving & LOCAL_FENCE)
        history->opened[0] = history->clock;
    if (history->arriving & GLOBAL_FENCE)
        history->opened[1] = history->clock;
    history->arriving = 0;
    if (arrivals->complete)
        remember_opening(history, arrivals->site);
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

static struct shadow *shadow_of(struct history *history, const struct access *access,
                                enum kind kind) {
    struct shadow *shadow = &history->shadows[access->object];
    const struct object *object = &running.job->objects[access->object];
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
static const struct access_record *unordered(const struct history *history,
                                             const struct last *last, uint32_t item,
                                             enum space space, enum kind spared) {
    const struct access_record *records[] = {&last->here, &last->other, &last->earlier};
    for (int i = 0; i < 3; i++) {
        const enum kind kind = site_of(records[i]->site)->kind;
        const bool is_atomic = kind == ATOMIC;
        if (!(spared != OTHER && (kind == spared || is_atomic)) &&
            !is_before(history, records[i], item, space) &&
            !(is_atomic && records[i]->group != history->group &&
              knows_atomic(history, records[i], item)))
            return records[i];
    }
    return NULL;
}

/* The record that races with this one, or NULL.  A volatile read may see what atomics
 * write: OpenCL 1.2 has no other way to read it. */
static const struct access_record *rival(const struct history *history,
                                         const struct shadow *shadow, size_t i,
                                         const struct access_record *me,
                                         enum space space, bool writes) {
    const struct cell *cell = &shadow->cells[i];
    const enum kind kind = site_of(me->site)->kind;
    const struct access_record *found = NULL;
    if (!is_before(history, &cell->write, me->item, space))
        return &cell->write;
    if (shadow->atomics && kind != ATOMIC && kind != VOLATILE_LOAD)
        found = unordered(history, &shadow->atomics[i].atomics, me->item, space, OTHER);
    if (!found && writes)
        found = unordered(history, &cell->reads, me->item, space,
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

/* ---- An item that has stored a value that is the same for all reads that value back,
 * even if others store it at the same time. */
static void remember_store(struct history *history, const struct access *access) {
    struct own_store *own = &history->own[access->item * OWN_STORES];
    if (site_of(access->site)->value == VARIES || access->item == GROUPS_COPY)
        return;
    memmove(own + 1, own, (OWN_STORES - 1) * sizeof *own);
    *own = (struct own_store){access->address, access->bytes, history->group,
                              access->site};
}

/* Does this item read what that store sets, which it has done itself? */
static bool reads_own(const struct history *history, const struct access_record *read,
                      const struct access_record *store, uintptr_t address) {
    const struct own_store *own = &history->own[read->item * OWN_STORES];
    if (read->group != history->group || store->group != history->group ||
        read->item == GROUPS_COPY || site_of(read->site)->kind != LOAD)
        return false;
    for (int i = 0; i < OWN_STORES && own[i].group == history->group; i++)
        if (address - own[i].address < own[i].bytes)
            return own[i].site == store->site;
    return false;
}

/* ---- Races. */

/* What is known of a race in a group by its barriers. */
static void note_barriers(const struct history *history, struct mistake *found) {
    const size_t count = opening_after(history, found->one.clock),
                 before = opening_after(history, found->other.clock);
    if (found->one.group != found->other.group)
        return;
    found->race.interval[0] = count ? history->openings[count - 1].site + 1 : 0;
    found->race.interval[1] = before ? history->openings[before - 1].site + 1 : 0;
    found->race.barrier = before < count ? history->openings[count - 1].site + 1 : 0;
    found->race.other_warp = found->one.item / running.model->lanes !=
                             found->other.item / running.model->lanes;
}

static struct access_record record_of(const struct history *history,
                                      const struct access *access) {
    struct access_record record = record_at(access->item, access->site);
    record.clock = history->clock;
    return record;
}

/* A race with that other access, in cell `cell`. */
static void add_race(struct races *races, const struct access *access,
                     const struct access_record *other, size_t cell) {
    const struct history *history = races->history;
    const size_t bytes = history->shadows[access->object].cell_bytes;
    const char *place = running.job->objects[access->object].base + cell * bytes;
    const enum kind kind = site_of(access->site)->kind,
                    other_kind = site_of(other->site)->kind;
    const struct access_record me = record_of(history, access);
    const bool own = kind == STORE ? reads_own(history, other, &me, (uintptr_t)place)
                                   : reads_own(history, &me, other, (uintptr_t)place);
    const bool same = own || (kind == STORE && other_kind == STORE &&
                              same_always(history, access, other));
    struct mistake found = {
        .kind = RACE,
        .one = me,
        .other = *other,
        .object = access->object,
        .byte = (int64_t)(cell * bytes),
        .bytes = bytes,
        .race = {.same_always = same,
                 .one_instruction = is_one_instruction(history, access, other),
                 .missing_fence = lacks_fence(history, other)}};
    note_barriers(history, &found);
    const size_t number = mistakes_add(races->mistakes, found);
    struct mistake *known = &races->mistakes->all[number];
    known->race.same_always &= same;
    known->race.other_warp |= found.race.other_warp;
    if (kind == STORE && other_kind == STORE)
        compare_later(races, number, place, bytes);
    else if (!own)
        known->race.values_differ = true;
}

static bool look(struct observer *self, const struct access *access) {
    struct races *races = (struct races *)self;
    struct history *history = races->history;
    const struct object *object = &running.job->objects[access->object];
    const enum kind kind = site_of(access->site)->kind;
    const struct access_record me = record_of(history, access);
    const bool writes = kind == STORE || (kind == ATOMIC && !access->fails);
    if (object->space == CONSTANT)
        return true;
    settle(races);
    struct shadow *shadow = shadow_of(history, access, kind);
    const size_t cell_bytes = shadow->cell_bytes;
    const size_t offset = access->address - (uintptr_t)object->base;
    const size_t begin = cell_bytes == WORD ? offset / WORD : offset;
    const size_t count =
        cell_bytes == WORD ? (access->bytes + WORD - 1) / WORD : access->bytes;
    if (kind == ATOMIC && object->space != LOCAL)
        history->counted[history->group] = access->address;
    for (size_t i = begin; i < begin + count; i++) {
        const struct access_record *other =
            rival(history, shadow, i, &me, object->space, writes);
        if (other)
            add_race(races, access, other, i);
        remember(shadow, i, &me, kind, writes);
    }
    if (kind == STORE)
        remember_store(history, access);
    if (kind == ATOMIC) /* what it learns comes too late for this access itself */
        acquire(history, &shadow->atomics[begin], &me);
    if (kind == ATOMIC && writes)
        release(history, &shadow->atomics[begin], &me);
    return true;
}

/* A write and an atomic of two work-items are a race, but for those in order: then the
 * later one is meant. */
struct access_record races_writer(const struct history *history, size_t object,
                                  size_t byte) {
    struct access_record write = {0}, atomic = {0};
    if (!history)
        return write;
    const struct shadow *shadow = &history->shadows[object];
    if (shadow->cells)
        write = shadow->cells[byte / shadow->cell_bytes].write;
    if (shadow->atomics)
        atomic = shadow->atomics[byte / shadow->cell_bytes].atomics.here;
    return atomic.group && (!write.group || atomic.clock >= write.clock) ? atomic
                                                                         : write;
}

struct races races_observer(struct mistakes *mistakes, bool strictly) {
    return (struct races){.observer = {.launch = begin,
                                       .launch_end = end,
                                       .group = begin_group,
                                       .group_end = end_group,
                                       .block = enter,
                                       .access = look,
                                       .fence = fence,
                                       .arrive = arrive,
                                       .barrier = open_barrier,
                                       .arrive_with_warp = arrive_with_warp,
                                       .leave_with_warp = leave_with_warp},
                          .mistakes = mistakes,
                          .strictly = strictly};
}
