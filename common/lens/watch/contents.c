/* contents: unset memory is full of a pattern, which no kernel
 * should read. */
#include "contents.h"
#include "banks.h"
#include "code/source_lines.h"
#include "driver/poison.h"

#include <string.h>

/* What the compiler fills private variables with; see unset.h. */
#define PATTERN 0xAAAAAAAAu
#define REAL_PATTERN 0xFFFFFFFFu

static const struct site *site_of(unsigned number) {
    return &running.job->code->sites[number];
}

static void add(struct observer *self, struct mistake mistake) {
    mistakes_add(((struct contents_watch *)self)->mistakes, mistake);
}

/* What is poison all over was never written.  Parts of a word show nothing, and of a
 * vector or a structure parts may be missing by right. */
static bool is_poison(const struct access *access) {
    const struct object *object = &running.job->objects[access->object];
    const uintptr_t base = (uintptr_t)object->base;
    uintptr_t word = (access->address - base) / WORD * WORD;
    for (; word < access->address - base + access->bytes; word += WORD) {
        uint32_t value = 0;
        if (word + WORD <= object->bytes)
            memcpy(&value, object->base + word, WORD);
        if (value != POISON)
            return false;
    }
    return true;
}

/* The host may have said that kernels only read this buffer, or only write it. */
static bool is_against_flags(const struct access *access) {
    const struct object *object = &running.job->objects[access->object];
    const enum kind kind = site_of(access->site)->kind;
    const bool writes = kind == STORE || kind == ATOMIC;
    return writes ? object->read_only : object->write_only;
}

/* Where a structure is copied, members that were never set come along with those that
 * were, and that is no use of them.  The same stores make a vector's components, which
 * a kernel names: there one that was not set is a mistake. */
static bool is_use(const struct site *site) {
    return !site->beside_written ||
           strstr(source_line(running.job->source, site->place), "vstore");
}

static bool look(struct observer *self, const struct access *access) {
    const struct site *site = site_of(access->site);
    const bool reads = !site->for_component;
    if (running.job->objects[access->object].space == CONSTANT)
        return true;
    if (reads && is_against_flags(access))
        add(self, mistake_of(AGAINST_FLAGS, access));
    if (site->unwritten && is_use(site))
        add(self, mistake_at(PRIVATE_UNINITIALISED, access->item, access->site));
    if (site->kind != STORE && reads && !site->overwrites && is_poison(access))
        add(self, mistake_of(UNINITIALISED, access));
    return true;
}

/* A word that is as the compiler has filled private memory was never written. */
static bool is_pattern(const struct site *site, const char *place) {
    const uint32_t pattern = site->real ? REAL_PATTERN : PATTERN;
    return memcmp(place, &pattern, WORD) == 0;
}

static void look_at_own(struct observer *self, unsigned number, const char *place,
                        size_t bytes) {
    const struct site *site = site_of(number);
    if (site->kind == STORE || bytes < WORD)
        return;
    for (size_t i = 0; i + WORD <= bytes; i += WORD)
        if (!is_pattern(site, place + i))
            return;
    add(self, mistake_at(PRIVATE_UNINITIALISED, running.lane->item, number));
}

static void fault(struct observer *self, const struct fault *fault) {
    if (fault->kind == FAULT_UNSET && is_use(site_of(fault->site)))
        add(self, mistake_at(PRIVATE_UNINITIALISED, fault->item, fault->site));
}

struct contents_watch contents_observer(struct mistakes *mistakes) {
    return (struct contents_watch){
        .observer = {.access = look, .own_access = look_at_own, .fault = fault},
        .mistakes = mistakes};
}
