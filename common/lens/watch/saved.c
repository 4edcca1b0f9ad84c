/* saved: goes through the memory that a kernel may write. */
#include "saved.h"

#include <string.h>

bool saved_is(const struct object *object) {
    return object->space == GLOBAL && !object->read_only;
}

size_t saved_bytes(const struct job *job) {
    size_t bytes = 0;
    for (size_t i = 0; i < job->object_count; i++)
        if (saved_is(&job->objects[i]))
            bytes += job->objects[i].bytes;
    return bytes;
}

void saved_keep(const struct job *job, char *to) {
    for (size_t i = 0; i < job->object_count; i++) {
        const struct object *object = &job->objects[i];
        if (!saved_is(object))
            continue;
        memcpy(to, object->base, object->bytes);
        to += object->bytes;
    }
}

void saved_put_back(const struct job *job, const char *from) {
    for (size_t i = 0; i < job->object_count; i++) {
        const struct object *object = &job->objects[i];
        if (!saved_is(object))
            continue;
        memcpy(object->base, from, object->bytes);
        from += object->bytes;
    }
}
