/* bounds: compares each access with the objects of the launch. */
#include "bounds.h"

/* Outside of all that the kernel may touch: the nearest object is probably meant. */
static struct mistake outside_of_all(const struct access *access) {
    const struct job *job = running.job;
    struct mistake mistake = mistake_at(OUT_OF_BOUNDS, access->item, access->site);
    uint64_t nearest = 1 << 30; /* farther away it is no object's neighbour */
    mistake.bytes = access->bytes;
    for (unsigned i = 0; i < job->object_count; i++) {
        const struct object *object = &job->objects[i];
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
    return mistake;
}

/* Memory of the host that the kernel was not told of, unless the access begins in an
 * object and ends behind it. */
static const struct object *untold_at(const struct access *access,
                                      const struct mistake *mistake) {
    const struct job *job = running.job;
    const struct object *untold =
        job->shared ? job->shared((const void *)access->address) : NULL;
    const bool ends_behind = untold && mistake->object < job->object_count &&
                             job->objects[mistake->object].base == untold->base;
    return ends_behind ? NULL : untold;
}

static void add_outside(struct mistakes *mistakes, const struct access *access) {
    struct mistake mistake = outside_of_all(access);
    const struct object *untold = untold_at(access, &mistake);
    if (untold) {
        mistake.kind = UNTOLD;
        mistake.object = (unsigned)running.job->object_count;
        mistake.memory = untold->name;
    }
    mistakes_add(mistakes, mistake);
    running.outcome.stopped = true;
}

/* Where elements of a type must lie, as many bytes behind the beginning as the multiple
 * of this: 1 for what vload and packed structures touch.  Buffers begin at a multiple
 * of all of these. */
static bool is_aligned(const struct access *access) {
    const struct site *site = &running.job->code->sites[access->site];
    const size_t wanted = site->kind == ATOMIC ? access->bytes : site->alignment;
    const uintptr_t base = (uintptr_t)running.job->objects[access->object].base;
    return wanted < 2 || (access->address - base) % wanted == 0;
}

/* A compiler has made an access one of a part, so that only its place counts. */
static bool place(struct observer *self, const struct access *access) {
    struct bounds *bounds = (struct bounds *)self;
    if (access->object == running.job->object_count || is_aligned(access))
        return true;
    mistakes_add(bounds->mistakes, mistake_of(MISALIGNED, access));
    running.outcome.stopped = true;
    return false;
}

static bool allows(struct observer *self, const struct access *access) {
    struct bounds *bounds = (struct bounds *)self;
    const struct object *object = &running.job->objects[access->object];
    if (access->object == running.job->object_count ||
        access->address + access->bytes > (uintptr_t)object->base + object->bytes) {
        add_outside(bounds->mistakes, access);
        return false;
    }
    return !bounds->strictly || place(self, access);
}

/* An access to an image is not done where it lies outside; the replay goes on. */
static void add_texel(struct mistakes *mistakes, const struct fault *fault) {
    const bool outside = fault->kind == FAULT_TEXEL;
    struct mistake mistake =
        mistake_at(outside ? OUT_OF_BOUNDS : AGAINST_FORMAT, fault->item, fault->site);
    mistake.object = 0;
    while (running.job->objects[mistake.object].image != fault->image)
        mistake.object++;
    for (int d = 0; d < 3 && outside; d++)
        mistake.texel[d] = fault->texel[d];
    mistakes_add(mistakes, mistake);
}

static void fault(struct observer *self, const struct fault *fault) {
    struct bounds *bounds = (struct bounds *)self;
    if (fault->kind == FAULT_INDEX) {
        struct mistake mistake = mistake_at(BAD_INDEX, fault->item, fault->site);
        mistake.index.number = fault->index;
        mistake.index.array = fault->array;
        mistakes_add(bounds->mistakes, mistake);
        running.outcome.stopped = true;
    } else if (bounds->strictly &&
               (fault->kind == FAULT_TEXEL || fault->kind == FAULT_TYPE)) {
        add_texel(bounds->mistakes, fault);
    }
}

struct bounds bounds_observer(struct mistakes *mistakes, bool strictly) {
    return (struct bounds){
        .observer = {.access = allows, .place = place, .fault = fault},
        .mistakes = mistakes,
        .strictly = strictly};
}
