/* summaries: what came out of launches, and which of them matter.  A program that
 * measures makes some launches of a kernel many times, and others once, for a check. So
 * of each kernel those launches matter that are made at least half as often as its most
 * frequent one.  Of a kernel with many of these, launches with the same counts are one.
 */
#define _GNU_SOURCE /* open_memstream, strdup */
#include "summaries.h"
#include "base/machine.h"
#include "base/mean.h"
#include "base/memory.h"
#include "base/parcel.h"
#include "code/source_lines.h"
#include "least_words.h"
#include "measure/digits.h"
#include "view.h"

#include <stdlib.h>
#include <string.h>

struct summaries summaries;

/* ---- What came out of a launch. */
static void print_dimensions(FILE *out, const size_t *sizes, unsigned dimensions) {
    char size[MAX_DIGITS];
    for (unsigned d = 0; d < dimensions; d++)
        fprintf(out, "%s%s", d ? "x" : "", digits_write(size, sizes[d]));
}

static void write_sizes(struct summary *summary, const struct run *run) {
    size_t bytes = 0;
    FILE *out = open_memstream(&summary->sizes, &bytes);
    unsigned dimensions = 3;
    while (dimensions > 1 && run->job.global[dimensions - 1] == 1 &&
           run->job.local[dimensions - 1] == 1)
        dimensions--;
    print_dimensions(out, run->job.global, dimensions);
    fputs(" in ", out);
    print_dimensions(out, run->job.local, dimensions);
    fclose(out);
}

/* An access, with its source line. */
static struct picture picture_of(const struct run *run, const struct fact *fact,
                                 const struct example *lanes) {
    struct picture picture = picture_access(run, fact, lanes);
    picture_add_source(&picture, run, fact->site.place);
    return picture;
}

/* Keeps this picture in place of the one that is there. */
static void keep(struct candidate *candidate, struct cost cost,
                 struct picture picture) {
    free(candidate->picture.rows);
    *candidate = (struct candidate){cost, picture};
}

/* What it moves; the access that moves most of what no lane asks for; and one of those
 * that use at least half of it, a load if there is one, by most lanes. */
static void look_at_bytes(struct summary *summary, const struct run *run,
                          const struct fact *fact) {
    const struct tally *sum = &fact->sum;
    const uint64_t moved = sum->sectors * SECTOR, unused = moved - sum->used;
    const uint64_t rank = 1 + sum->example.lane_count +
                          (is_load(fact->site.kind) ? MAX_LANES : 0) +
                          (2 * sum->used >= moved ? 2 * MAX_LANES : 0);
    summary->moved += moved;
    summary->used += sum->used;
    if (unused > summary->waste.cost.is)
        keep(&summary->waste, (struct cost){unused, 0},
             picture_of(run, fact, &sum->example));
    if (rank > summary->load.cost.is)
        keep(&summary->load, (struct cost){rank, sum->example.lane_count},
             picture_of(run, fact, &sum->example));
}

static void look_at_access(struct summary *summary, const struct run *run,
                           const struct fact *fact) {
    const struct tally *sum = &fact->sum;
    const struct worst *worst = &sum->worst, *collision = &sum->collision;
    const enum space space = run->job.objects[fact->object].space;
    const bool local = space == LOCAL;
    struct cost *cost = local               ? &summary->passes
                        : space == CONSTANT ? &summary->addresses
                                            : &summary->sectors;
    if (is_worse(worst->cost, *cost))
        *cost = worst->cost;
    if (worst->cost.is > worst->cost.ideal &&
        is_worse(worst->cost, summary->worst.cost))
        keep(&summary->worst, worst->cost, picture_of(run, fact, &worst->lanes));
    if (collision->cost.is > 1 && is_worse(collision->cost, summary->worst.cost)) {
        keep(&summary->worst, collision->cost,
             picture_atomic(run, fact, &collision->lanes));
        picture_add_source(&summary->worst.picture, run, fact->site.place);
    }
    if (!local)
        look_at_bytes(summary, run, fact);
}

/* The branch that diverged most often is worth a picture, before all if it mostly does.
 */
static void look_at_branch(struct summary *summary, const struct run *run,
                           const struct fact *fact) {
    const struct branch_tally *branch = &fact->branch;
    summary->branches += sums_scaled(run, branch->executions);
    summary->diverged += sums_scaled(run, branch->diverged);
    const bool mostly = fact->mostly > 0;
    const uint64_t often = mostly ? fact->mostly : branch->diverged;
    if (!branch->divergence || mostly < summary->mostly ||
        (mostly == summary->mostly && often <= summary->divergence.cost.is))
        return;
    summary->mostly = mostly;
    keep(&summary->divergence, (struct cost){often, 0}, picture_divergence(run, fact));
}

/* On the word that gets most of them in the whole launch.  Of a word that most groups
 * use, the groups that were not replayed do so, too; others have words of their own. */
static uint64_t most_in_launch(const struct run *run, const struct fact *fact) {
    const struct tally *sum = &fact->sum;
    const bool shared = run->job.objects[fact->object].space != LOCAL &&
                        2 * sum->most_groups > run->outcome.groups_replayed;
    return shared ? sums_scaled(run, sum->most) : sum->most;
}

static void look_at_atomic(struct summary *summary, const struct run *run,
                           const struct fact *fact) {
    const uint64_t most = most_in_launch(run, fact);
    summary->atomics += sums_scaled(run, fact->sum.lanes);
    summary->most_on_one = most > summary->most_on_one ? most : summary->most_on_one;
    summary->local_atomics |= run->job.objects[fact->object].space == LOCAL;
}

static void look_at_fact(struct summary *summary, const struct run *run,
                         const struct fact *fact) {
    if (fact->site.kind == BRANCH) {
        look_at_branch(summary, run, fact);
    } else if (fact->site.kind != BARRIER) {
        look_at_access(summary, run, fact);
    }
    if (fact->site.kind == ATOMIC)
        look_at_atomic(summary, run, fact);
}

void summary_add(const struct run *run, const struct facts *facts, size_t number,
                 uint64_t counts) {
    struct summary *summary = lens_allocate(1, sizeof *summary);
    const struct fact *busiest = busiest_access(run, facts, false);
    *summary = (struct summary){
        .number = number,
        .lanes = run->model.lanes,
        .times = 1,
        .counts = counts,
        .kernel = strdup(run->job.kernel),
        .scalars = strdup(run->job.scalars),
        .busy = mean(run->outcome.lane_instructions, run->outcome.instructions),
        .barriers = mean(run->outcome.barriers, run->outcome.groups_replayed),
        .groups = run->outcome.groups,
        .replayed = run->outcome.groups_replayed,
        .limited = run->outcome.limit > 0,
    };
    write_sizes(summary, run);
    if (busiest) {
        summary->lines = mean(busiest->sum.lines, busiest->sum.accesses);
        summary->pages = mean(busiest->sum.pages, busiest->sum.accesses);
    }
    const struct fact *load = busiest_in_l1(run, facts);
    if (load) {
        summary->l1_passes = mean(load->sum.passes, load->sum.accesses);
        summary->ideal_l1_passes = mean(load->sum.ideal_passes, load->sum.accesses);
    }
    summary->totals = sums_of_launch(facts, run);
    summary->sums = sums_in_words(facts, run);
    summary->at_least = least_seconds(run);
    summary->least = least_in_words(run);
    for (size_t i = 0; i < facts->count; i++)
        look_at_fact(summary, run, &facts->all[i]);
    *GROW(summaries.all, summaries.count) = summary;
}

void summary_write(FILE *out) {
    if (summaries.count == 0)
        return;
    struct summary summary = *summaries.all[summaries.count - 1];
    parcel_write(out, &summary, sizeof summary);
    parcel_write_text(out, summary.kernel);
    parcel_write_text(out, summary.scalars);
    parcel_write_text(out, summary.sizes);
}

struct summary *summary_read(FILE *in) {
    struct summary read;
    if (!parcel_read(in, &read, sizeof read))
        return NULL;
    struct summary *summary = lens_allocate(1, sizeof *summary);
    *summary = read;
    summary->kernel = parcel_read_text(in);
    summary->scalars = parcel_read_text(in);
    summary->sizes = parcel_read_text(in);
    summary->sums = summary->least = NULL;
    summary->worst = summary->divergence = summary->waste = summary->load =
        (struct candidate){.cost = {0, 0}};
    summary->shown = true;
    *GROW(summaries.all, summaries.count) = summary;
    return summary;
}

void summary_again(size_t number) {
    for (size_t i = 0; i < summaries.count; i++)
        if (summaries.all[i]->number == number)
            summaries.all[i]->times++;
}

bool summary_is_kept(size_t number, unsigned lanes) {
    for (size_t i = 0; i < summaries.count; i++)
        if (summaries.all[i]->number == number && summaries.all[i]->lanes == lanes)
            return true;
    return false;
}

bool summary_is_idle(const struct summary *summary) {
    return summary->busy <= 0.75 * summary->lanes;
}

bool summary_is_wasteful(const struct summary *summary) {
    return 2 * summary->used < summary->moved;
}

/* ---- Which launches matter. */
bool summary_same_kernel(const struct summary *one, const struct summary *other) {
    return one->file == other->file && strcmp(one->kernel, other->kernel) == 0;
}

static bool is_frequent(const struct summary *summary) {
    size_t most = 0;
    for (size_t i = 0; i < summaries.count; i++)
        if (summary_same_kernel(summaries.all[i], summary))
            most = summaries.all[i]->times > most ? summaries.all[i]->times : most;
    return 2 * summary->times >= most;
}

/* Shows a launch that matters, if there is room for it, or folds it into another one.
 */
static void choose(struct summary *summary) {
    size_t frequent = 0, shown = 0;
    struct summary *alike = NULL;
    for (size_t i = 0; i < summaries.count; i++) {
        struct summary *other = summaries.all[i];
        if (!summary_same_kernel(other, summary) || other->lanes != summary->lanes)
            continue;
        frequent += other->frequent;
        shown += other->shown;
        if (other->shown && other->counts == summary->counts &&
            strcmp(other->sizes, summary->sizes) == 0)
            alike = other;
    }
    summary->folded = alike && frequent > MAX_LAUNCHES;
    if (summary->folded)
        alike->alike++;
    else
        summary->shown = shown < MAX_LAUNCHES;
}

/* Launches of one kernel come together, in the order in which kernels were launched. */
static void sort(void) {
    for (size_t i = 1; i < summaries.count; i++) {
        struct summary *summary = summaries.all[i];
        size_t place = i;
        for (size_t k = 0; k < i; k++)
            if (summary_same_kernel(summaries.all[k], summary))
                place = k + 1;
        memmove(&summaries.all[place + 1], &summaries.all[place],
                (i - place) * sizeof *summaries.all);
        summaries.all[place] = summary;
    }
}

void summaries_choose(void) {
    sort();
    for (size_t i = 0; i < summaries.count; i++)
        summaries.all[i]->frequent = is_frequent(summaries.all[i]);
    for (size_t i = 0; i < summaries.count; i++)
        if (view.all)
            summaries.all[i]->shown = true;
        else if (summaries.all[i]->frequent)
            choose(summaries.all[i]);
}

/* ---- Kernels, with the arguments in which their lines differ. */

/* The word of that number in "n=4096 stride=2", and its length. */
static const char *word_at(const char *text, size_t number, size_t *length) {
    for (; number > 0; number--)
        text += strcspn(text, " ") + (text[strcspn(text, " ")] == ' ');
    *length = strcspn(text, " ");
    return text;
}

static bool differs(const struct summary *summary, size_t number) {
    size_t length, other_length;
    const char *word = word_at(summary->scalars, number, &length);
    for (size_t i = 0; i < summaries.count; i++) {
        const struct summary *other = summaries.all[i];
        const char *others = word_at(other->scalars, number, &other_length);
        if (other->shown && summary_same_kernel(other, summary) &&
            (length != other_length || strncmp(word, others, length) != 0))
            return true;
    }
    return false;
}

static bool differs_at_all(const struct summary *one, const struct summary *other) {
    char *label = summary_label(one, true), *others = summary_label(other, true);
    const bool differs = strcmp(label, others) != 0;
    free(label);
    free(others);
    return differs;
}

bool summary_differs_by_sizes(const struct summary *summary) {
    for (size_t i = 0; i < summaries.count; i++) {
        const struct summary *other = summaries.all[i];
        if (other->shown && other != summary && !differs_at_all(other, summary) &&
            strcmp(other->sizes, summary->sizes) != 0)
            return true;
    }
    return false;
}

char *summary_label(const struct summary *summary, bool with_name) {
    char *label = NULL;
    size_t bytes = 0, length;
    FILE *out = open_memstream(&label, &bytes);
    fputs(with_name ? summary->kernel : " ", out);
    for (size_t i = 0;; i++) {
        const char *word = word_at(summary->scalars, i, &length);
        if (length == 0)
            break;
        if (differs(summary, i))
            fprintf(out, " %.*s", (int)length, word);
    }
    fclose(out);
    return label;
}
