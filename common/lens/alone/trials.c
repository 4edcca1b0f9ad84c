/* trials: a whole number is guessed as the number of work-items, which suits a size,
 * but no radius and no axis; and four groups suit no kernel that is meant for one.
 * Whether a mistake comes from that is found out by another launch. */
#include "trials.h"
#include "arguments_given.h"
#include "settings.h"
#include "single.h"
#include "watch/races.h"

#include <string.h>

/* What all trials may take, in steps: then every machine makes the same ones. */
enum { MANY_STEPS = 1 << 24 };

static bool is_outside(const struct mistake *mistake) {
    return mistake->kind == OUT_OF_BOUNDS || mistake->kind == BAD_INDEX;
}

static bool is_outside_at(const struct replay *replay, unsigned site) {
    for (size_t i = 0; i < replay->mistake_count; i++)
        if (is_outside(&replay->mistakes[i]) && replay->mistakes[i].one.site == site)
            return true;
    return false;
}

/* The first mistake that leaves an object in one launch, but not in the other; NULL:
 * there is none. */
static const struct mistake *gone(const struct replay *replay,
                                  const struct replay *other) {
    for (size_t i = 0; i < replay->mistake_count; i++)
        if (is_outside(&replay->mistakes[i]) &&
            !is_outside_at(other, replay->mistakes[i].one.site))
            return &replay->mistakes[i];
    return NULL;
}

/* Launches it once more; `steps` gets those that it took added. */
static struct replay try(uint64_t *steps) {
    struct replay replay = alone_launch_guessed();
    *steps += replay.lane_steps;
    return replay;
}

static bool is_guessed_number(const struct slot *slot) {
    return slot->value_guessed && slot->object.space == PRIVATE && slot->known &&
           slot->type.name && slot->type.kind != FLOAT && slot->type.lanes == 1 &&
           slot_whole(slot) > 1;
}

/* A mistake that is not there if this number is 1; NULL: there is none. */
static const struct mistake *made_index(const struct replay *replay, struct slot *slot,
                                        uint64_t *steps) {
    const int64_t guessed = slot_whole(slot);
    slot_put(slot, 1);
    slots_evaluate();
    struct replay other = try(steps);
    const struct mistake *mistake = other.limit ? NULL : gone(replay, &other);
    replay_end(&other);
    slot_put(slot, guessed);
    slots_evaluate();
    return mistake;
}

static void try_numbers(FILE *out, const struct replay *replay, uint64_t *steps) {
    for (cl_uint i = 0; i < alone.signature.count && *steps < MANY_STEPS; i++) {
        struct slot *slot = &alone.slots[i];
        const char *name = slot->object.name;
        const struct mistake *mistake =
            is_guessed_number(slot) ? made_index(replay, slot, steps) : NULL;
        if (mistake)
            fprintf(
                out,
                "  guess   %s was guessed as %lld, the %s: give it (with %s=1, line "
                "%u is in bounds)\n",
                name, (long long)slot_whole(slot),
                alone.replay.dimensions > 1 ? "width of the launch"
                                            : "number of work-items",
                name, replay->code->sites[mistake->one.site].place.line);
    }
}

/* As --global would make it: what is guessed from the number of work-items is guessed
 * again. */
static void try_one_group(FILE *out, const struct call *call, uint64_t *steps) {
    struct replay *launch = &alone.replay;
    memcpy(launch->global, launch->local, sizeof launch->global);
    launch->local_chosen = false; /* it stays */
    slots_bind(call);
    slots_evaluate();
    struct replay replay = try(steps);
    if (replay.mistake_count == 0 && !replay.limit) {
        fputs("  guess   with one group nothing is found:", out);
        alone_print_range(out);
        fputc('\n', out);
    }
    replay_end(&replay);
}

void trials_print(FILE *out, const struct replay *replay, const struct call *call) {
    const bool several = !settings->global && replay->groups > 1;
    uint64_t steps = replay->lane_steps;
    bool any = false;
    for (size_t i = 0; i < replay->mistake_count; i++)
        any |= is_outside(&replay->mistakes[i]);
    if (any)
        try_numbers(out, replay, &steps);
    if (several && steps < MANY_STEPS)
        try_one_group(out, call, &steps);
}
