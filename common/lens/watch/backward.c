/* backward: see backward.h.  Places that an atomic gives out are those of the items'
 * own numbers in the usual order, and a group that waits for the one before it finds
 * that done: so some mistakes show only in another order. */
#include "backward.h"
#include "base/memory.h"
#include "settings.h"

#include <stdlib.h>
#include <string.h>

enum {
    MAX_BYTES = 1 << 20, /* that the kernel may write */
    MAX_STEPS = 1 << 16, /* of the launch */
    ALL_STEPS = 1 << 20  /* of all launches that are replayed twice */
};

static bool may_write(const struct object *object) {
    return object->space == GLOBAL && !object->read_only;
}

static size_t bytes_of(const struct replay *replay) {
    size_t bytes = 0;
    for (size_t i = 0; i < replay->object_count; i++)
        if (may_write(&replay->objects[i]))
            bytes += replay->objects[i].bytes;
    return bytes;
}

/* Copies what may be written; and puts it back. */
static void save(const struct replay *replay, char *to) {
    for (size_t i = 0; i < replay->object_count; i++) {
        const struct object *object = &replay->objects[i];
        if (!may_write(object))
            continue;
        memcpy(to, object->base, object->bytes);
        to += object->bytes;
    }
}

static void put_back(const struct replay *replay, const char *from) {
    for (size_t i = 0; i < replay->object_count; i++) {
        const struct object *object = &replay->objects[i];
        if (!may_write(object))
            continue;
        memcpy(object->base, from, object->bytes);
        from += object->bytes;
    }
}

static void run_again(struct replay *replay, struct replay again, const char *before,
                      char *after) {
    save(replay, after);
    put_back(replay, before);
    settings_set_warps(settings->lanes, LAST_FIRST);
    again.backward = true;
    replay_run(&again);
    settings_set_warps(settings->lanes, BY_TURNS);
    put_back(replay, after);
    if (again.mistake_count > 0) {
        replay_end(replay);
        *replay = again;
    } else {
        replay_end(&again);
    }
}

void backward_run(struct replay *replay) {
    static uint64_t steps_left = ALL_STEPS;
    const bool wanted = settings->races && !settings->beside && !settings->instead &&
                        !settings->html && !settings->order_given && steps_left > 0;
    const size_t bytes = wanted ? bytes_of(replay) : 0;
    if (!wanted || bytes > MAX_BYTES) {
        replay_run(replay);
        return;
    }
    const struct replay fresh = *replay;
    char *before = lens_allocate(bytes + 1, 1), *after = lens_allocate(bytes + 1, 1);
    save(replay, before);
    replay_run(replay);
    if (replay->mistake_count == 0 && !replay->limit &&
        replay->lane_steps <= MAX_STEPS) {
        const uint64_t steps = replay->lane_steps;
        run_again(replay, fresh, before, after);
        steps_left -= steps < steps_left ? steps : steps_left;
    }
    free(before);
    free(after);
}
