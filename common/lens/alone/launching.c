/* launching: makes the launch of `lens kernel`.
 *
 * The size of a buffer is guessed as an element for each work-item, and doubled as long
 * as the kernel accesses something behind its end.  A group is halved as long as it
 * leaves an array of the file, whose length says how large it may be.  What a kernel
 * may only read is full of random numbers, all else of 0; a whole number is the width
 * of the launch.
 *
 * For --all-sizes the same launch is made again and again with other sizes.  Then what
 * was not given is guessed as a formula of the size, and nothing is doubled. */
#include "launching.h"
#include "base/memory.h"
#include "base/progress.h"
#include "code/operations.h"
#include "region.h"
#include "replay/arguments.h"
#include "replay/images.h"
#include "replay/print.h"
#include "sizes.h"
#include "watch/backward.h"
#include "watch/widths.h"

#include <stdlib.h>
#include <string.h>

/* The file's own variables keep what a launch leaves in them, so that it is taken back
 * before the next. */
static void restore_variables(struct single *single) {
    struct version *version = single->version;
    const struct code *code = &version->code;
    const bool is_first = !version->variables;
    if (is_first)
        version->variables =
            lens_allocate(code->object_count, sizeof *version->variables);
    for (size_t i = 0; i < code->object_count; i++) {
        const struct object *variable = &code->objects[i];
        if (variable->space != GLOBAL)
            continue;
        if (is_first) {
            version->variables[i] = lens_allocate(variable->bytes, 1);
            memcpy(version->variables[i], variable->base, variable->bytes);
        }
        memcpy(variable->base, version->variables[i], variable->bytes);
    }
}

/* As the launch is now, with the kernel of the file at hand. */
static struct run next_run(struct single *single) {
    const struct version *version = single->version;
    restore_variables(single);
    slots_fill(single);
    struct run run = single->run;
    run.job.code = &version->code;
    run.job.source = version->source;
    run.job.call = version->call;
    return run;
}

/* Was an access behind the end of memory whose size is guessed?  Then it is larger now.
 */
static bool grow(struct single *single, const struct run *run) {
    for (size_t i = 0; i < run->mistakes.count; i++) {
        const struct mistake *mistake = &run->mistakes.all[i];
        if (mistake->kind != OUT_OF_BOUNDS ||
            mistake->object >= single->signature.count)
            continue;
        struct slot *slot = &single->slots[mistake->object];
        const int64_t needed = mistake->byte + (int64_t)mistake->bytes;
        if (!slot->size_guessed || mistake->byte < 0 || needed > MAX_REGION)
            continue;
        while ((int64_t)slot->object.bytes < needed)
            slot->object.bytes *= 2;
        return true;
    }
    return false;
}

/* Did the kernel use functions for other numbers than an image has?  Then it has those
 * now. */
static bool change_types(struct single *single) {
    static const unsigned types[] = {[LENS_INT] = CL_SIGNED_INT32,
                                     [LENS_UINT] = CL_UNSIGNED_INT32,
                                     [LENS_FLOAT] = CL_FLOAT};
    bool changed = false;
    for (cl_uint i = 0; i < single->signature.count; i++) {
        struct slot *slot = &single->slots[i];
        if (!slot->image || !slot->image->asked)
            continue;
        const unsigned type = types[__builtin_ctz(slot->image->asked)];
        changed |= slot->image->type != type;
        slot->image->type = type;
        slot->type = slot_texel_type(slot->image);
    }
    return changed;
}

static bool leaves_array(const struct single *single, const struct run *run) {
    for (size_t i = 0; i < run->mistakes.count; i++) {
        const struct mistake *mistake = &run->mistakes.all[i];
        const bool outside = mistake->kind == OUT_OF_BOUNDS &&
                             mistake->object >= single->signature.count &&
                             mistake->object < run->job.object_count &&
                             run->job.objects[mistake->object].space == LOCAL;
        if (outside || mistake->kind == BAD_INDEX)
            return true;
    }
    return false;
}

/* Are groups smaller now, or again what was guessed first?  Then it has to be replayed
 * once more. */
static bool shrink(struct single *single, const struct run *run) {
    if (!run->job.local_chosen || single->groups == KEPT || !leaves_array(single, run))
        return false;
    if (single->groups == AS_GUESSED)
        memcpy(single->first_local, run->job.local, sizeof single->first_local);
    single->groups = SHRUNK;
    if (!range_shrink(&single->run.job)) {
        single->groups = KEPT;
        memcpy(single->run.job.local, single->first_local, sizeof single->first_local);
    }
    return true;
}

struct run single_launch_guessed(struct single *single) {
    const bool is_all = progress_begin();
    for (;;) {
        struct run run = next_run(single);
        print_begin();
        backward_run(&run);
        const bool changed = change_types(single), shrunk = shrink(single, &run);
        if (shrunk)
            slots_evaluate(single); /* what depends on the groups */
        if (!grow(single, &run) && !changed && !shrunk) {
            if (is_all)
                progress_end();
            return run;
        }
        run_end(&run);
    }
}

struct run single_launch_wide(struct single *single, unsigned lanes) {
    const struct run run = next_run(single);
    return widths_run(&run, lanes);
}

struct run single_launch_trial(struct single *single, struct version *version,
                               const struct model *model, bool mistakes) {
    struct version *before = single->version;
    single->version = version;
    struct run run = next_run(single);
    run.model = *model;
    run.asked = (struct asked){.mistakes = mistakes,
                               .notes_too = run.asked.notes_too,
                               .endless = mistakes,
                               .backward = mistakes && run.asked.backward};
    print_pause(true);
    backward_run(&run);
    print_pause(false);
    single->version = before;
    return run;
}

/* ---- The same launch with other sizes. */
struct run single_launch(struct single *single) {
    struct run run = next_run(single);
    run_launch(&run);
    return run;
}

struct run single_launch_ours(struct single *single) {
    single->version = &single->ours;
    struct run run = single_launch(single);
    struct object *objects = lens_allocate(run.job.object_count, sizeof *objects);
    memcpy(objects, run.job.objects, run.job.object_count * sizeof *objects);
    for (size_t i = 0; i < run.job.object_count; i++)
        if (single_may_write(single, i)) {
            objects[i].base = lens_allocate(objects[i].bytes, 1);
            memcpy(objects[i].base, run.job.objects[i].base, objects[i].bytes);
        }
    run.job.objects = objects;
    single->version = &single->own;
    return run;
}

void single_end_ours(const struct single *single, struct run *run) {
    for (size_t i = 0; i < run->job.object_count; i++)
        if (single_may_write(single, i))
            free(run->job.objects[i].base);
    free(run->job.objects);
    run_end(run);
}

void single_set_size(struct single *single, uint64_t n) {
    single->n = n;
    if (single->sized.argument >= 0)
        slot_put(&single->slots[single->sized.argument], (int64_t)n);
    slots_evaluate_numbers(single, false); /* the range may depend on them */
}

void single_set_warps(struct single *single, unsigned lanes, enum order order) {
    single->run.model.lanes = lanes;
    single->run.model.order = order;
}

void single_set_range(struct single *single, unsigned dimensions,
                      const size_t global[3], const size_t local[3]) {
    single->run.job.dimensions = dimensions;
    memcpy(single->run.job.global, global, sizeof single->run.job.global);
    memcpy(single->run.job.local, local, sizeof single->run.job.local);
    slots_evaluate(single);
    free(single->run.job.scalars);
    single->run.job.scalars =
        arguments_in_words(single->signature.arguments, single->signature.count);
}
