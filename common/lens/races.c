/* races: a shadow of the memory remembers who touched it last.
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
 * group, another one of it, and one of an earlier group are enough to find a race.
 *
 * Sources: the rules, OpenCL 1.2 specification, sections 3.3.1 and 6.12.8 to 6.12.11;
 * keeping last readers and writers, Flanagan and Freund, "FastTrack", PLDI 2009. */
#define _GNU_SOURCE /* open_memstream */
#include "races.h"

#include "../poison.h"
#include "report.h"

#include <stdlib.h>
#include <string.h>

enum { LOCAL_FENCE = 1, GLOBAL_FENCE = 2 }; /* CLK_LOCAL_MEM_FENCE and the other */
enum { MISTAKES_SHOWN = 8, NONE = 0 };

/* Last visits to a piece of memory; and who released it for other groups. */
struct cell {
    struct visit write, read, other_read, earlier_read;
    uint32_t releases; /* the last of a chain in now.releases; NONE */
};

struct shadow {
    struct cell *cells;
    size_t cell_bytes; /* 4, or 1 once single bytes are touched */
};

/* An atomic after a fence: what its work-item did up to the fence, and its group up to
 * the barrier before that, is there for whoever does an atomic on the same place. */
struct release {
    struct visit visit;
    uint32_t item_until, group_until, before; /* clocks; the next in the chain */
};

/* That somebody did: our group knows what that other group released. */
struct acquired {
    struct release release;
    uint32_t item, clock;
};

/* A barrier of a warp alone: when the last one opened, and whether one is to open. */
struct meeting {
    uint32_t clock;
    bool opens;
};

static struct {
    struct release *releases;
    size_t release_count, group_count;
    struct acquired *acquired;        /* by group; forgotten when a new group begins */
    uint32_t group, clock, opened[2]; /* when the last barrier of that fence opened */
    uint32_t *fenced;                 /* by item: the clock of its last global fence */
    unsigned arriving;                /* fences of the barrier they wait at */
    struct meeting *met;              /* by warp */
} now;

static size_t items_in(const struct replay *replay) {
    return replay->local[0] * replay->local[1] * replay->local[2];
}

void races_begin(struct replay *replay) {
    replay->shadows = lens_allocate(replay->object_count, sizeof *replay->shadows);
    now.acquired = lens_allocate(replay->groups + 1, sizeof *now.acquired);
    now.fenced = lens_allocate(items_in(replay), sizeof *now.fenced);
    now.met = lens_allocate(items_in(replay), sizeof *now.met);
    now.release_count = 0;
    now.releases = NULL;
    *GROW(now.releases, now.release_count) = (struct release){0}; /* stands for none */
    now.group_count = replay->groups;
}

void races_stop(void) {
    free(now.acquired);
    free(now.fenced);
    free(now.met);
    free(now.releases);
}

void races_end(struct replay *replay) {
    for (size_t i = 0; i < replay->object_count; i++)
        free(replay->shadows[i].cells);
    free(replay->shadows);
    free(replay->mistakes);
}

/* Local memory is new to each group: nothing has been written to it. */
static void poison(const struct object *object) {
    const uint32_t word = POISON;
    for (size_t i = 0; i + sizeof word <= object->bytes; i += sizeof word)
        memcpy(object->base + i, &word, sizeof word);
}

void races_group(struct replay *replay, size_t group) {
    now.group = (uint32_t)group + 1;
    now.clock++;
    now.opened[0] = now.opened[1] = 0;
    memset(now.fenced, 0, items_in(replay) * sizeof *now.fenced);
    memset(now.met, 0, items_in(replay) * sizeof *now.met);
    memset(now.acquired, 0, (now.group_count + 1) * sizeof *now.acquired);
    for (size_t i = 0; i < replay->object_count; i++)
        if (replay->objects[i].space == LOCAL)
            poison(&replay->objects[i]);
}

/* ---- Mistakes: each pair of places is told once. */
static bool same_place(const struct replay *replay, size_t one, size_t other) {
    const struct place *a = &replay->code->sites[one].place,
                       *b = &replay->code->sites[other].place;
    return a->line == b->line && a->file == b->file;
}

static void add_mistake(struct replay *replay, struct mistake found) {
    for (size_t i = 0; i < replay->mistake_count; i++) {
        struct mistake *old = &replay->mistakes[i];
        if (old->kind == found.kind && old->object == found.object &&
            same_place(replay, old->one.site, found.one.site) &&
            same_place(replay, old->other.site, found.other.site)) {
            old->times++;
            return;
        }
    }
    found.times = 1;
    *GROW(replay->mistakes, replay->mistake_count) = found;
}

/* ---- What comes before what. */
static bool knows_group(const struct visit *visit, uint32_t item) {
    const struct acquired *acquired = &now.acquired[visit->group];
    const struct release *release = &acquired->release;
    const bool by_us = acquired->item == item || acquired->clock < now.opened[1];
    return release->visit.group == visit->group && by_us &&
           (visit->clock <= release->group_until ||
            (visit->item == release->visit.item &&
             visit->clock <= release->item_until));
}

/* Did the visit happen surely before what this item does now? */
static bool is_before(const struct visit *visit, uint32_t item, enum space space) {
    if (visit->group == NONE || (visit->group == now.group && visit->item == item))
        return true;
    if (visit->group == now.group)
        return visit->clock < now.opened[space != LOCAL] ||
               (visit->item / wishes.lanes == item / wishes.lanes &&
                visit->clock < now.met[item / wishes.lanes].clock);
    return space == LOCAL || knows_group(visit, item);
}

static void acquire(const struct cell *cell, const struct visit *visit) {
    for (uint32_t r = cell->releases; r != NONE; r = now.releases[r].before) {
        const struct release *release = &now.releases[r];
        now.acquired[release->visit.group] =
            (struct acquired){*release, visit->item, visit->clock};
    }
}

static void release(struct cell *cell, const struct visit *visit) {
    if (!now.fenced[visit->item])
        return;
    const struct release new = {*visit, now.fenced[visit->item],
                                now.opened[1] ? now.opened[1] - 1 : 0, cell->releases};
    cell->releases = (uint32_t)now.release_count;
    *GROW(now.releases, now.release_count) = new;
}

void races_fence(unsigned item, unsigned flags) {
    if (flags & GLOBAL_FENCE)
        now.fenced[item] = now.clock++;
}

void races_arrive(unsigned item, unsigned flags) {
    now.arriving |= flags;
    races_fence(item, flags);
}

void races_arrive_with_warp(unsigned item, unsigned flags) {
    now.met[item / wishes.lanes].opens = true;
    races_fence(item, flags);
}

void races_leave_with_warp(unsigned item) {
    struct meeting *meeting = &now.met[item / wishes.lanes];
    if (meeting->opens) /* the first that leaves opens it for all */
        *meeting = (struct meeting){++now.clock, false};
}

void races_barrier(struct replay *replay, const struct comers *comers) {
    now.clock++;
    if (now.arriving & LOCAL_FENCE)
        now.opened[0] = now.clock;
    if (now.arriving & GLOBAL_FENCE)
        now.opened[1] = now.clock;
    now.arriving = 0;
    if (comers->come == comers->items &&
        same_place(replay, comers->site, comers->other_site))
        return;
    const struct visit one = {now.group, now.clock, comers->item, comers->site};
    const struct visit other = {now.group, now.clock, comers->other_item,
                                comers->other_site};
    add_mistake(replay, (struct mistake){.kind = BARRIER_MISSED,
                                         .come = comers->come,
                                         .items = comers->items,
                                         .one = one,
                                         .other = other,
                                         .object = (unsigned)replay->object_count});
    replay->stopped = true;
}

void races_endless(struct replay *replay) {
    add_mistake(replay, (struct mistake){.kind = ENDLESS,
                                         .object = (unsigned)replay->object_count,
                                         .one.group = now.group});
    replay->stopped = true;
}

/* ---- Accesses. */
static struct cell *cells_of(struct replay *replay, const struct access *access) {
    struct shadow *shadow = &replay->shadows[access->object];
    const struct object *object = &replay->objects[access->object];
    const size_t bytes = object->bytes,
                 offset = access->address - (uintptr_t)object->base;
    if (!shadow->cells) {
        shadow->cell_bytes = WORD;
        shadow->cells = lens_allocate(bytes / WORD + 1, sizeof(struct cell));
    }
    if ((access->bytes % WORD || offset % WORD) && shadow->cell_bytes == WORD) {
        struct cell *finer = lens_allocate(bytes + WORD, sizeof(struct cell));
        for (size_t i = 0; i < bytes; i++)
            finer[i] = shadow->cells[i / WORD];
        free(shadow->cells);
        *shadow = (struct shadow){finer, 1};
    }
    return shadow->cells;
}

/* The visit that races with this one, or NULL.  A volatile read may see what atomics
 * write: OpenCL 1.2 has no other way to read it. */
static const struct visit *rival(const struct replay *replay, const struct cell *cell,
                                 const struct visit *me, enum space space) {
    const struct site *sites = replay->code->sites;
    const enum kind kind = sites[me->site].kind;
    const bool both_atomic = sites[cell->write.site].kind == ATOMIC &&
                             (kind == ATOMIC || kind == VOLATILE_LOAD);
    if (!both_atomic && !is_before(&cell->write, me->item, space))
        return &cell->write;
    const struct visit *reads[] = {&cell->read, &cell->other_read, &cell->earlier_read};
    for (int i = 0; i < 3 && (kind == STORE || kind == ATOMIC); i++)
        if (!(kind == ATOMIC && sites[reads[i]->site].kind == VOLATILE_LOAD) &&
            !is_before(reads[i], me->item, space))
            return reads[i];
    return NULL;
}

static void remember(struct cell *cell, const struct visit *me, enum kind kind) {
    if (kind == STORE || kind == ATOMIC) {
        cell->write = *me;
        return;
    }
    if (cell->read.group != me->group) {
        cell->earlier_read = cell->read;
        cell->other_read = (struct visit){0};
    } else if (cell->read.item != me->item) {
        cell->other_read = cell->read;
    }
    cell->read = *me;
}

static struct visit visit_of(const struct access *access) {
    return (struct visit){now.group, now.clock, access->item, access->site};
}

static void look_for_races(struct replay *replay, const struct access *access) {
    const struct object *object = &replay->objects[access->object];
    const enum kind kind = replay->code->sites[access->site].kind;
    const struct visit me = visit_of(access);
    struct cell *cells = cells_of(replay, access);
    const size_t cell_bytes = replay->shadows[access->object].cell_bytes;
    const size_t begin = (access->address - (uintptr_t)object->base) / cell_bytes;
    const size_t count = (access->bytes + cell_bytes - 1) / cell_bytes;
    const uint32_t opened =
        now.opened[object->space == LOCAL]; /* with the other flag */
    if (kind == ATOMIC)
        acquire(&cells[begin], &me);
    for (size_t i = begin; i < begin + count; i++) {
        const struct visit *other = rival(replay, &cells[i], &me, object->space);
        if (other)
            add_mistake(replay, (struct mistake){.kind = RACE,
                                                 .one = me,
                                                 .other = *other,
                                                 .object = access->object,
                                                 .byte = (int64_t)(i * cell_bytes),
                                                 .bytes = cell_bytes,
                                                 .wrong_fence = other->clock < opened});
        remember(&cells[i], &me, kind);
    }
    if (kind == ATOMIC)
        release(&cells[begin], &me);
}

/* Nobody has written what is poison all over.  Parts of a word tell nothing, and of a
 * vector or a structure parts may be missing by right. */
static void look_for_unwritten(struct replay *replay, const struct access *access) {
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
    const struct visit me = visit_of(access);
    add_mistake(replay, (struct mistake){.kind = UNWRITTEN,
                                         .one = me,
                                         .other = me,
                                         .object = access->object,
                                         .byte = (int64_t)(access->address - base),
                                         .bytes = access->bytes});
}

/* Outside of all that the kernel may touch: the nearest object is probably meant. */
static void add_stray(struct replay *replay, const struct access *access) {
    const struct visit me = visit_of(access);
    struct mistake mistake = {.kind = OUTSIDE,
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
    add_mistake(replay, mistake);
    replay->stopped = true;
}

void races_index(struct replay *replay, const struct access *access, int64_t index,
                 const char *array) {
    const struct visit me = visit_of(access);
    add_mistake(replay, (struct mistake){.kind = INDEX,
                                         .one = me,
                                         .other = me,
                                         .object = (unsigned)replay->object_count,
                                         .byte = index,
                                         .array = array});
    replay->stopped = true;
}

bool races_allow(struct replay *replay, const struct access *access) {
    const struct object *object = &replay->objects[access->object];
    const enum kind kind = replay->code->sites[access->site].kind;
    if (access->object == replay->object_count ||
        access->address + access->bytes > (uintptr_t)object->base + object->bytes) {
        add_stray(replay, access);
        return false;
    }
    if (wishes.races && object->space != CONSTANT) {
        look_for_races(replay, access);
        if (kind != STORE)
            look_for_unwritten(replay, access);
    }
    return true;
}

struct visit races_writer(const struct replay *replay, size_t object, size_t byte) {
    const struct shadow *shadow = &replay->shadows[object];
    return shadow->cells ? shadow->cells[byte / shadow->cell_bytes].write
                         : (struct visit){0};
}

/* ---- What was found, in words. */
static void say_where(FILE *out, const struct replay *replay,
                      const struct mistake *mistake) {
    const long long first = mistake->byte, last = first + (long long)mistake->bytes - 1;
    if (mistake->object == replay->object_count) {
        fprintf(out, "far from any buffer");
        return;
    }
    const struct object *object = &replay->objects[mistake->object];
    fprintf(out, "%s in %s memory, ", object->name, space_names[object->space]);
    if (first == last)
        fprintf(out, "byte %lld of %zu", first, object->bytes);
    else
        fprintf(out, "bytes %lld to %lld of %zu", first, last, object->bytes);
}

static void say_visit(const struct replay *replay, const struct visit *visit) {
    static const char *const what[] = {[LOAD] = "reads",    [VOLATILE_LOAD] = "reads",
                                       [STORE] = "writes",  [ATOMIC] = "does an atomic",
                                       [BARRIER] = "waits", [OTHER] = "goes",
                                       [BRANCH] = "goes"};
    const struct site *site = &replay->code->sites[visit->site];
    const char *text = source_line(replay, site->place);
    char who[64];
    snprintf(who, sizeof who, "item %u of group %u %s", visit->item, visit->group - 1,
             what[site->kind]);
    fprintf(wishes.out, "  line %-4u %-36s  %s\n", site->place.line, who,
            text + strspn(text, " \t"));
}

static const char *hint(const struct mistake *mistake) {
    switch (mistake->kind) {
    case RACE:
        return mistake->one.group != mistake->other.group
                   ? "groups come in no order: use an atomic, or a second launch"
               : mistake->wrong_fence
                   ? "the barrier between them lacks the fence flag of this memory"
                   : "put a barrier between them, or use atomics";
    case OUTSIDE:
        return "compare the index with the number of elements";
    case UNWRITTEN:
        return "write it first; local memory is new to every group";
    case BARRIER_MISSED:
        return "every work-item of a group must come to the same barrier";
    case INDEX:
        return "compare the index with the length of the array";
    default:
        return "try a smaller problem; or does it wait for another group?";
    }
}

char *races_title(const struct replay *replay, const struct mistake *mistake) {
    static const char *const titles[] = {
        [RACE] = "data race",
        [OUTSIDE] = "access outside",
        [UNWRITTEN] = "read of what nobody has written",
        [BARRIER_MISSED] = "a barrier that not all work-items come to",
        [INDEX] = "index outside",
        [ENDLESS] = "no end in sight"};
    char *text = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&text, &bytes);
    fprintf(out, "error: %s: %s: ", replay->kernel, titles[mistake->kind]);
    if (mistake->kind == BARRIER_MISSED && mistake->come == mistake->items)
        fprintf(out, "some wait at another one");
    else if (mistake->kind == BARRIER_MISSED)
        fprintf(out, "%u of %u do", mistake->come, mistake->items);
    else if (mistake->kind == INDEX)
        fprintf(out, "element %lld of %s", (long long)mistake->byte, mistake->array);
    else if (mistake->kind == ENDLESS)
        fprintf(out, "group %u still runs", mistake->one.group - 1);
    else
        say_where(out, replay, mistake);
    fclose(out);
    return text;
}

static void say(const struct replay *replay, const struct mistake *mistake) {
    char *title = races_title(replay, mistake);
    fprintf(wishes.out, "%s\n", title);
    free(title);
    if (mistake->kind != ENDLESS)
        say_visit(replay, &mistake->one);
    if (mistake->other.site != mistake->one.site || mistake->kind == RACE)
        say_visit(replay, &mistake->other);
    if (mistake->times > 1)
        fprintf(wishes.out, "  times   %zu\n", mistake->times);
    fprintf(wishes.out, "  hint    %s\n", hint(mistake));
}

void races_report(const struct replay *replay) {
    for (size_t i = 0; i < replay->mistake_count && i < MISTAKES_SHOWN; i++)
        say(replay, &replay->mistakes[i]);
    if (replay->mistake_count > MISTAKES_SHOWN)
        fprintf(wishes.out, "and %zu more\n", replay->mistake_count - MISTAKES_SHOWN);
}
