/* grades: a race need not show in the results.  Lanes that are in lockstep may happen
 * to do the right thing at one width, and groups in one order; other GPUs have other
 * widths and orders.  So a small launch is made at all of them. */
#define _GNU_SOURCE /* open_memstream */
#include "grades.h"
#include "base/memory.h"
#include "base/vocabulary.h"
#include "launching.h"
#include "replay/elements.h"
#include "watch/saved.h"

#include <stdlib.h>
#include <string.h>

enum { WIDTHS = 5, SMALL_STEPS = 1 << 18, SMALL_BYTES = 1 << 20 };
static const unsigned widths[WIDTHS] = {4, 8, 16, 32, 64};

enum { ALL_ORDERS = (1 << ORDERS) - 1 };

/* What a launch has written, one object behind the other; NULL: it did not come to its
 * end.  The caller frees it. */
static char *results_of(struct single *single, struct version *version, unsigned lanes,
                        enum order order) {
    struct model model = single->run.model;
    char *results = NULL;
    model.lanes = lanes;
    model.order = order;
    model.whole = model.in_step = true;
    model.patience = LESS_PATIENT;
    struct run run = single_launch_trial(single, version, &model, false);
    if (!run.outcome.stopped && !run.outcome.limit) {
        results = lens_allocate(saved_bytes(&run.job) + 1, 1);
        saved_keep(&run.job, results);
    }
    run_end(&run);
    return results;
}

static bool elements_differ(const struct object *object, const char *one,
                            const char *other) {
    const struct element_type type =
        object->type ? element_type(object) : (struct element_type){.bytes = 1};
    for (size_t at = 0; at + type.bytes <= object->bytes; at += type.bytes)
        if (memcmp(one + at, other + at, type.bytes) != 0 &&
            element_differs(&type, one + at, other + at))
            return true;
    return false;
}

static bool results_differ(const struct job *job, const char *one, const char *other) {
    if (!one || !other)
        return true;
    for (size_t i = 0; i < job->object_count; i++) {
        const struct object *object = &job->objects[i];
        if (!saved_is(object))
            continue;
        if (elements_differ(object, one, other))
            return true;
        one += object->bytes;
        other += object->bytes;
    }
    return false;
}

/* For each width the orders, as bits, in which the results are these. */
static void compare_all(struct single *single, struct version *version,
                        const char *wanted, unsigned same[WIDTHS]) {
    for (int w = 0; w < WIDTHS; w++) {
        same[w] = 0;
        for (int order = 0; order < ORDERS; order++) {
            char *results = results_of(single, version, widths[w], (enum order)order);
            if (!results_differ(&single->run.job, results, wanted))
                same[w] |= 1u << order;
            free(results);
        }
    }
}

static bool is_always(const unsigned same[WIDTHS]) {
    for (int w = 0; w < WIDTHS; w++)
        if (same[w] != ALL_ORDERS)
            return false;
    return true;
}

/* ---- In words. */

/* In all orders, in some, in none. */
enum share { ALWAYS, SOMETIMES, NEVER, SHARES };

static enum share share_of(unsigned orders) {
    return orders == ALL_ORDERS ? ALWAYS : orders > 0 ? SOMETIMES : NEVER;
}

/* ", wrong at 4, 8 and 16 lanes": the widths for which that is so; nothing if there are
 * none. */
static void print_share(FILE *out, const unsigned same[WIDTHS], enum share share,
                        const char *words) {
    int left = 0;
    for (int w = 0; w < WIDTHS; w++)
        left += share_of(same[w]) == share;
    if (left > 0)
        fprintf(out, "%s at ", words);
    for (int w = 0; w < WIDTHS; w++)
        if (share_of(same[w]) == share) {
            left--;
            fprintf(out, "%u%s", widths[w],
                    left > 1    ? ", "
                    : left == 1 ? " and "
                                : " lanes");
        }
}

/* "right at 32 and 64 lanes, wrong at 4, 8 and 16 lanes". */
static void print_right(FILE *out, const unsigned right[WIDTHS]) {
    static const char *const words[SHARES] = {"right", "wrong in some orders", "wrong"};
    const char *comma = "";
    for (int share = 0; share < SHARES; share++) {
        bool any = false;
        for (int w = 0; w < WIDTHS; w++)
            any |= (int)share_of(right[w]) == share;
        if (!any)
            continue;
        fputs(comma, out);
        print_share(out, right, (enum share)share, words[share]);
        comma = ", ";
    }
}

/* What is certain, if the results of one width and order, which has a bit, are compared
 * with those of all others. */
static void print_dependence(FILE *out, const unsigned same[WIDTHS], size_t groups) {
    bool by_order = false, by_width = false;
    for (int w = 0; w < WIDTHS; w++) {
        by_order |= share_of(same[w]) == SOMETIMES;
        by_width |= same[w] != same[0];
    }
    fprintf(out, "the result depends on the %s of warps",
            by_order && by_width ? "width and the order"
            : by_order           ? "order"
                                 : "width");
    if (by_order && groups > 1)
        fprintf(out, " and %s", term("groups"));
}

static bool is_wanted(const struct single *single, const struct run *run) {
    bool races = false;
    for (size_t i = 0; i < run->mistakes.count; i++) {
        const struct mistake *mistake = &run->mistakes.all[i];
        if (mistake->kind == RACE && run->job.objects[mistake->object].image)
            return false; /* lanes access a texel one after the other */
        races |= mistake->kind == RACE;
    }
    return races && !run->outcome.stopped && !run->outcome.limit &&
           run->outcome.groups_replayed == run->outcome.groups &&
           run->outcome.lane_steps <= SMALL_STEPS &&
           saved_bytes(&single->run.job) <= SMALL_BYTES;
}

void grade_print(struct single *single, FILE *out, const struct run *run,
                 struct version *fixed) {
    unsigned same[WIDTHS];
    const struct model *model = &run->model;
    char *wanted = NULL;
    if (!is_wanted(single, run))
        return;
    if (fixed) {
        wanted = results_of(single, fixed, model->lanes, model->order);
        compare_all(single, fixed, wanted, same);
    }
    const bool is_known = fixed && is_always(same);
    if (!is_known) {
        free(wanted);
        wanted = results_of(single, single->version, model->lanes, model->order);
    }
    compare_all(single, single->version, wanted, same);
    free(wanted);
    fputs("  tried   ", out);
    if (is_always(same))
        fprintf(out, "%s at all widths and in all orders, but it is a race",
                is_known ? "right" : "the same result");
    else if (is_known)
        print_right(out, same);
    else
        print_dependence(out, same, run->outcome.groups);
    fputc('\n', out);
}
