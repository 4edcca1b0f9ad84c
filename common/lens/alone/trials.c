/* trials: a whole number is guessed as the number of work-items, which suits a size,
 * but no radius and no axis; and four groups suit no kernel that is meant for one.
 * Whether a mistake comes from that is found out by another launch. */
#include "trials.h"
#include "base/vocabulary.h"
#include "call_words.h"
#include "launching.h"

#include <string.h>

/* What all trials may take, in steps: then every machine makes the same ones. */
enum { MANY_STEPS = 1 << 24 };

static bool is_outside(const struct mistake *mistake) {
    return mistake->kind == OUT_OF_BOUNDS || mistake->kind == BAD_INDEX;
}

static bool is_outside_at(const struct run *run, unsigned site) {
    for (size_t i = 0; i < run->mistakes.count; i++)
        if (is_outside(&run->mistakes.all[i]) && run->mistakes.all[i].one.site == site)
            return true;
    return false;
}

/* The first mistake that leaves an object in one launch, but not in the other; NULL:
 * there is none. */
static const struct mistake *gone(const struct run *run, const struct run *other) {
    for (size_t i = 0; i < run->mistakes.count; i++)
        if (is_outside(&run->mistakes.all[i]) &&
            !is_outside_at(other, run->mistakes.all[i].one.site))
            return &run->mistakes.all[i];
    return NULL;
}

/* Launches it once more; `steps` gets those that it took added. */
static struct run try(struct single *single, uint64_t *steps) {
    struct run run = single_launch_guessed(single);
    *steps += run.outcome.lane_steps;
    return run;
}

static bool is_guessed_number(const struct slot *slot) {
    return slot->value_guessed && slot->object.space == PRIVATE && slot->known &&
           slot->type.name && slot->type.kind != FLOAT && slot->type.lanes == 1 &&
           slot_whole(slot) > 1;
}

/* A mistake that is not there if this number is 1; NULL: there is none. */
static const struct mistake *made_index(struct single *single, const struct run *run,
                                        struct slot *slot, uint64_t *steps) {
    const int64_t guessed = slot_whole(slot);
    slot_put(slot, 1);
    slots_evaluate(single);
    struct run other = try(single, steps);
    const struct mistake *mistake = other.outcome.limit ? NULL : gone(run, &other);
    run_end(&other);
    slot_put(slot, guessed);
    slots_evaluate(single);
    return mistake;
}

static void try_numbers(struct single *single, FILE *out, const struct run *run,
                        uint64_t *steps) {
    for (cl_uint i = 0; i < single->signature.count && *steps < MANY_STEPS; i++) {
        struct slot *slot = &single->slots[i];
        const char *name = slot->object.name;
        const struct mistake *mistake =
            is_guessed_number(slot) ? made_index(single, run, slot, steps) : NULL;
        if (mistake)
            fprintf(
                out,
                "  guess   %s was guessed as %lld, the %s: give it (with %s=1, line "
                "%u is in bounds)\n",
                name, (long long)slot_whole(slot),
                single->run.job.dimensions > 1 ? "width of the launch"
                                               : term("number of work-items"),
                name, run->job.code->sites[mistake->one.site].place.line);
    }
}

/* As --global would make it: what is guessed from the number of work-items is guessed
 * again. */
static void try_one_group(struct single *single, FILE *out, const struct call *call,
                          uint64_t *steps) {
    struct run *launch = &single->run;
    memcpy(launch->job.global, launch->job.local, sizeof launch->job.global);
    launch->job.local_chosen = false; /* it stays */
    slots_bind(single, call);
    slots_evaluate(single);
    struct run run = try(single, steps);
    if (run.mistakes.count == 0 && !run.outcome.limit) {
        fputs("  guess   with one group nothing is found:", out);
        call_print_range(single, out);
        fputc('\n', out);
    }
    run_end(&run);
}

void trials_print(struct single *single, FILE *out, const struct run *run,
                  const struct call *call, bool global_guessed) {
    const bool several = global_guessed && run->outcome.groups > 1;
    uint64_t steps = run->outcome.lane_steps;
    bool any = false;
    for (size_t i = 0; i < run->mistakes.count; i++)
        any |= is_outside(&run->mistakes.all[i]);
    if (any)
        try_numbers(single, out, run, &steps);
    if (several && steps < MANY_STEPS)
        try_one_group(single, out, call, &steps);
}
