/* reads: counts the reads of each element. */
#include "reads.h"
#include "base/memory.h"
#include "counts.h"
#include "replay/elements.h"

#include <stdlib.h>

static bool begin(struct observer *self) {
    struct reads *reads = (struct reads *)self;
    reads->object_count = running.job->object_count;
    reads->objects = lens_allocate(reads->object_count + 1, sizeof *reads->objects);
    return true;
}

void reads_end(struct reads *reads) {
    for (size_t o = 0; o < reads->object_count; o++)
        free(reads->objects[o].elements);
    free(reads->objects);
    *reads = (struct reads){.objects = NULL};
}

static void add_read(struct element_reads *element, const struct access *access) {
    if (element->times == 0)
        element->first = record_at(access->item, access->site);
    else if (element->times == 1)
        element->second = record_at(access->item, access->site);
    element->times++;
}

static bool hear(struct observer *self, const struct access *access) {
    struct reads *reads = (struct reads *)self;
    const struct object *object = &running.job->objects[access->object];
    struct object_reads *known = &reads->objects[access->object];
    if (object->space != GLOBAL || !object->type || object->image)
        return true;
    if (!is_load(running.job->code->sites[access->site].kind)) {
        known->written = true;
        return true;
    }
    const size_t bytes = element_type(object).bytes, count = object->bytes / bytes;
    if (count > MAX_ELEMENTS)
        return true;
    if (!known->elements) {
        known->elements = lens_allocate(count + 1, sizeof *known->elements);
        known->count = count;
    }
    const size_t begin = access->address - (uintptr_t)object->base,
                 end = begin + access->bytes;
    for (size_t e = begin / bytes; e < count && e * bytes < end; e++)
        add_read(&known->elements[e], access);
    return true;
}

struct reads reads_observer(void) {
    return (struct reads){.observer = {.launch = begin, .access = hear}};
}
