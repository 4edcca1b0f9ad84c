/* gather: keeps what lanes do at this moment, by site and object. */
#include "gather.h"
#include "base/memory.h"
#include "running.h"

#include <assert.h>
#include <stdlib.h>

static struct {
    struct warp_access *all; /* `room` of them, of which `count` are in use */
    size_t count, room;
} gathered;

void gather_begin(void) {
    gathered.count = 0;
}

static struct warp_access *gathered_at(unsigned site, unsigned object) {
    for (size_t i = 0; i < gathered.count; i++)
        if (gathered.all[i].site == site && gathered.all[i].object == object)
            return &gathered.all[i];
    assert(site < running.job->code->site_count && object < running.job->object_count);
    if (gathered.count == gathered.room)
        *GROW(gathered.all, gathered.room) = (struct warp_access){.site = 0};
    struct warp_access *new = &gathered.all[gathered.count++];
    new->site = site;
    new->object = object;
    new->lane_count = 0;
    new->failed = 0;
    new->texel_count = 0;
    return new;
}

static void add_lane(struct warp_access *access, struct touch touch) {
    unsigned i = access->lane_count++;
    assert(access->lane_count <= running.model->lanes);
    for (; i > 0 && access->lanes[i - 1].offset > touch.offset; i--)
        access->lanes[i] = access->lanes[i - 1]; /* sorted */
    access->lanes[i] = touch;
}

void gather_add(const struct access *access) {
    if (!running.listeners.together[0]) /* no observer asks for it */
        return;
    struct warp_access *here = gathered_at(access->site, access->object);
    const struct object *object = &running.job->objects[access->object];
    const struct touch touch = {access->address - (uintptr_t)object->base,
                                access->bytes, access->lane};
    const size_t texels = here->texel_count;
    here->failed |= (uint64_t)access->fails << access->lane;
    if (object->image)
        *GROW(here->texels, here->texel_count) = touch;
    if (texels == 0 || here->texels[texels - 1].lane != touch.lane)
        add_lane(here, touch);
}

static int by_offset(const void *one, const void *other) {
    const struct touch *a = one, *b = other;
    return a->offset < b->offset ? -1 : a->offset > b->offset;
}

void gather_end(void) {
    for (size_t i = 0; i < gathered.count; i++) {
        struct warp_access *access = &gathered.all[i];
        if (access->texel_count > 1)
            qsort(access->texels, access->texel_count, sizeof *access->texels,
                  by_offset);
        FOR_OBSERVERS (o, together)
            o->together(o, access);
    }
    gathered.count = 0;
}
