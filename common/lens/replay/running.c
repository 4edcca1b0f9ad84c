/* running: what is asked of the launch that is at work. */
#include "running.h"
#include "base/memory.h"

#include <assert.h>

struct running running;

struct path *path_of(struct warp *warp) {
    assert(warp->path_count > 0);
    return &warp->paths[warp->path_count - 1];
}

static bool contains(const struct object *object, uintptr_t address) {
    return address - (uintptr_t)object->base < object->bytes;
}

/* Mostly it is that of the site's last access. */
unsigned object_at(uintptr_t address, unsigned site) {
    const struct object *objects = running.job->objects;
    const size_t count = running.job->object_count;
    unsigned i = running.objects[site];
    if (i < count && contains(&objects[i], address))
        return i;
    for (i = 0; i < count && !contains(&objects[i], address);)
        i++;
    return running.objects[site] = i;
}

bool access_allowed(const struct access *access) {
    FOR_OBSERVERS (o, access)
        if (!o->access(o, access))
            return false;
    return true;
}

struct fault fault_here(enum fault_kind kind) {
    return (struct fault){
        .kind = kind, .item = running.lane->item, .site = running.lane->site};
}

void fault_tell(struct fault fault) {
    FOR_OBSERVERS (o, fault)
        o->fault(o, &fault);
}

void lane_die(void) {
    lens_die("%s has private arrays of more than %d bytes" HINT
             "use global memory: no GPU has that many registers",
             running.job->kernel, STACK);
}
