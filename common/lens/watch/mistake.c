/* mistake: keeps each mistake once for each pair of places. */
#include "mistake.h"
#include "base/memory.h"

#include <stdlib.h>

static bool same_place(size_t one, size_t other) {
    const struct site *sites = running.job->code->sites;
    return place_is_same(&sites[one].place, &sites[other].place);
}

static bool same_kind(const struct mistake *one, const struct mistake *other) {
    return one->kind == other->kind &&
           (one->kind != RACE ||
            one->race.one_instruction == other->race.one_instruction);
}

size_t mistakes_add(struct mistakes *mistakes, struct mistake found) {
    for (size_t i = 0; i < mistakes->count; i++) {
        struct mistake *old = &mistakes->all[i];
        if (same_kind(old, &found) && old->object == found.object &&
            same_place(old->one.site, found.one.site) &&
            same_place(old->other.site, found.other.site)) {
            old->times++;
            return i;
        }
    }
    found.times = 1;
    *GROW(mistakes->all, mistakes->count) = found;
    return mistakes->count - 1;
}

void mistakes_note(struct mistakes *mistakes, struct mistake found) {
    for (size_t i = 0; i < mistakes->note_count; i++) {
        struct mistake *note = &mistakes->notes[i];
        if (note->kind == found.kind && same_place(note->one.site, found.one.site)) {
            note->times++;
            return;
        }
    }
    found.times = 1;
    *GROW(mistakes->notes, mistakes->note_count) = found;
}

void mistakes_end(struct mistakes *mistakes) {
    free(mistakes->all);
    free(mistakes->notes);
    *mistakes = (struct mistakes){.count = 0};
}

struct access_record record_at(unsigned item, unsigned site) {
    return (struct access_record){
        .group = (uint32_t)running.group + 1, .item = item, .site = site};
}

struct mistake mistake_of(enum mistake_kind kind, const struct access *access) {
    const struct access_record me = record_at(access->item, access->site);
    const uintptr_t base = (uintptr_t)running.job->objects[access->object].base;
    return (struct mistake){.kind = kind,
                            .one = me,
                            .other = me,
                            .object = access->object,
                            .byte = (int64_t)(access->address - base),
                            .bytes = access->bytes};
}

struct mistake mistake_at(enum mistake_kind kind, unsigned item, unsigned site) {
    const struct access_record me = record_at(item, site);
    return (struct mistake){.kind = kind,
                            .one = me,
                            .other = me,
                            .object = (unsigned)running.job->object_count};
}

bool mistakes_share_barrier(const struct mistake *one, const struct mistake *other) {
    const bool is_of_group =
        one->one.group == one->other.group && other->one.group == other->other.group;
    return one->kind == RACE && other->kind == RACE && one->object == other->object &&
           is_of_group && one->race.interval[0] == other->race.interval[0] &&
           one->race.interval[1] == other->race.interval[1] &&
           one->race.same_always == other->race.same_always;
}
