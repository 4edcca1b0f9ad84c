/* equal_launches: remembers launches by their arguments, and what their buffers held.
 */
#include "equal_launches.h"
#include "base/memory.h"
#include "watch/counts.h"

#include <stdlib.h>
#include <string.h>

/* Repeats may take as long as a tenth of all other replays, and a fortieth of a second
 * more.  A step takes some 50 ns, in which the lens could look at 64 bytes of a buffer;
 * to begin and end a work-item takes as long as 8 steps, and a replay as 4096. */
enum { BYTES_PER_STEP = 64, STEPS_PER_ITEM = 8, STEPS_AROUND = 1 << 12 };
enum { BYTES_TO_REPLAY = 4 }; /* in a step, with their shadow */
enum { FREE_STEPS = 1 << 19, SHARE = 10 };

struct replayed { /* with these contents */
    struct contents contents;
    size_t shown;
};

struct repeat {
    char *key;
    bool settled, reads[MAX_ARGUMENTS]; /* in one of its replays */
    struct replayed *replays;
    size_t replay_count;
};

static struct {
    struct repeat *all;
    size_t count;
    uint64_t steps, others; /* spent on repeats, and on all other replays */
} repeats;

bool repeats_find(char *key, size_t *number) {
    for (size_t i = 0; i < repeats.count; i++)
        if (strcmp(repeats.all[i].key, key) == 0) {
            free(key);
            *number = i;
            return true;
        }
    *GROW(repeats.all, repeats.count) = (struct repeat){.key = key};
    *number = repeats.count - 1;
    return false;
}

static const uint64_t factor = 0x9e3779b97f4a7c15u; /* an odd number */

static uint64_t folded(uint64_t sum, uint64_t word) {
    sum = (sum ^ word) * factor;
    return sum ^ sum >> 29;
}

/* Four sums that do not wait for each other: nearly as fast as memory. */
static uint64_t digest_of(const char *bytes, size_t size) {
    uint64_t a = size, b = 1, c = 2, d = 3, words[4];
    size_t i = 0;
    for (; i + sizeof words <= size; i += sizeof words) {
        memcpy(words, bytes + i, sizeof words);
        a = folded(a, words[0]);
        b = folded(b, words[1]);
        c = folded(c, words[2]);
        d = folded(d, words[3]);
    }
    for (; i < size; i++)
        a = folded(a, (unsigned char)bytes[i]);
    return folded(folded(folded(folded(1, a), b), c), d);
}

/* Of all but the arrays of the file. */
static size_t objects_in(const struct run *run) {
    return run->job.object_count - run->job.code->object_count;
}

static size_t place_of(size_t object) {
    return object < MAX_ARGUMENTS ? object : MAX_ARGUMENTS - 1;
}

struct contents contents_of(const struct run *run) {
    const size_t count = objects_in(run);
    struct contents contents = {.count = count ? place_of(count - 1) + 1 : 0};
    for (size_t i = 0; i < count; i++) {
        const struct object *object = &run->job.objects[i];
        if ((object->space != GLOBAL && object->space != CONSTANT) || !object->base)
            continue;
        uint64_t *digest = &contents.digests[place_of(i)];
        *digest = 3 * *digest + digest_of(object->base, object->bytes);
        contents.bytes += object->bytes;
    }
    return contents;
}

bool repeats_equal(size_t number, const struct contents *contents, size_t *shown) {
    const struct repeat *repeat = &repeats.all[number];
    for (size_t r = 0; r < repeat->replay_count; r++) {
        bool equal = true;
        for (size_t i = 0; i < contents->count && equal; i++)
            equal = !repeat->reads[i] ||
                    contents->digests[i] == repeat->replays[r].contents.digests[i];
        if (equal) {
            *shown = repeat->replays[r].shown;
            return true;
        }
    }
    return false;
}

static bool was_read(const struct run *run, size_t argument) {
    for (size_t site = 0; site < run->job.code->site_count; site++) {
        const enum kind kind = run->job.code->sites[site].kind;
        if ((kind == LOAD || kind == VOLATILE_LOAD || kind == ATOMIC) &&
            tally_of(&run->counts, site, argument))
            return true;
    }
    return false;
}

void repeats_keep(size_t number, const struct contents *contents, const struct run *run,
                  size_t shown) {
    struct repeat *repeat = &repeats.all[number];
    for (size_t i = 0; i < objects_in(run); i++)
        repeat->reads[place_of(i)] |= was_read(run, i);
    *GROW(repeat->replays, repeat->replay_count) = (struct replayed){*contents, shown};
}

void repeats_settle(size_t number) {
    repeats.all[number].settled = true;
}

bool repeats_settled(size_t number) {
    return repeats.all[number].settled;
}

bool repeats_allowed(void) {
    return repeats.steps < FREE_STEPS + repeats.others / SHARE;
}

void repeats_spend(const struct contents *contents, const struct run *run, bool again) {
    const size_t items = run->job.local[0] * run->job.local[1] * run->job.local[2];
    *(again ? &repeats.steps : &repeats.others) +=
        STEPS_AROUND + run->outcome.lane_steps +
        contents->bytes /
            (run->outcome.groups_replayed ? BYTES_TO_REPLAY : BYTES_PER_STEP) +
        run->outcome.groups_replayed * items * STEPS_PER_ITEM;
}
