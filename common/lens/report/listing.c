/* listing: what was counted, along the lines of the kernel's source; and its pictures.
 */
#define _GNU_SOURCE /* asprintf */
#include "listing.h"
#include "base/machine.h"
#include "base/mean.h"
#include "base/memory.h"
#include "base/rows.h"
#include "base/vocabulary.h"
#include "code/source_lines.h"
#include "folded.h"
#include "least_words.h"
#include "picture_text.h"
#include "totals.h"
#include "view.h"

#include <stdlib.h>
#include <string.h>

enum { LINE_SHOWN = 80 }; /* characters of a source line */
enum { MAX_LISTED = 16 }; /* launches of a kernel */

/* "load x": the beginning of an access's line. */
static int write_name(char name[64], const struct run *run, const struct fact *fact) {
    const struct object *object = &run->job.objects[fact->object];
    return snprintf(name, 64, "%s %.24s%s", kind_names[fact->site.kind], object->name,
                    object->image ? " (image)" : "");
}

/* Of the longest name, so that all numbers are below each other. */
static int width_of_names(const struct run *run, const struct facts *facts) {
    int width = 11;
    for (size_t i = 0; i < facts->count; i++)
        if (facts->all[i].site.kind <= ATOMIC) {
            char name[64];
            const int length = write_name(name, run, &facts->all[i]);
            width = length > width ? length : width;
        }
    return width;
}

/* Pages stand at the end, and only where everything is asked for; those of images are
 * not known. */
static void print_global(const struct tally *sum, bool image, int width) {
    if (image)
        fprintf(view.out, "  %5.2f texels, %.2f of them different\n%*s",
                mean(sum->texels, sum->accesses),
                mean(sum->different_texels, sum->accesses), width + 30, "");
    fprintf(view.out, "  %5.2f sectors (ideal %.2f)  %5.2f lines  %5.1f %% used",
            mean(sum->sectors, sum->accesses), mean(sum->ideal_sectors, sum->accesses),
            mean(sum->lines, sum->accesses),
            100.0 * mean(sum->used, sum->sectors * SECTOR));
    if (sum->passes > sum->ideal_passes)
        fprintf(view.out, "  %5.2f L1 passes (ideal %.2f)",
                mean(sum->passes, sum->accesses),
                mean(sum->ideal_passes, sum->accesses));
    if (view.all && !image)
        fprintf(view.out, "  %5.2f pages", mean(sum->pages, sum->accesses));
    fputc('\n', view.out);
}

static void print_access(const struct run *run, const struct fact *fact, int width) {
    const struct tally *sum = &fact->sum;
    char name[64];
    write_name(name, run, fact);
    fprintf(view.out, "        %-*s %8llu x %4.1f lanes", width, name,
            (unsigned long long)sum->accesses, mean(sum->lanes, sum->accesses));
    if (run->job.objects[fact->object].space == LOCAL)
        fprintf(view.out, "  %5.2f passes (ideal %.2f)\n",
                mean(sum->passes, sum->accesses),
                mean(sum->ideal_passes, sum->accesses));
    else if (run->job.objects[fact->object].space == CONSTANT)
        fprintf(view.out, "  %5.2f addresses (ideal %.2f)\n",
                mean(sum->addresses, sum->accesses),
                mean(sum->ideal_addresses, sum->accesses));
    else
        print_global(sum, run->job.objects[fact->object].image, width);
    if (fact->site.kind == ATOMIC)
        fprintf(
            view.out,
            "        %-*s %8llu in all, %llu on one address; %.1f lanes on one at a "
            "time\n",
            width, "", (unsigned long long)sum->lanes, (unsigned long long)sum->most,
            mean(sum->same, sum->accesses));
}

static void print_branch(const struct fact *fact, int width) {
    const struct branch_tally *branch = &fact->branch;
    fprintf(view.out, "        %-*s %8llu of %llu diverged\n", width, "branch",
            (unsigned long long)branch->diverged,
            (unsigned long long)branch->executions);
}

static void print_fact(const struct run *run, const struct fact *fact, int width) {
    if (fact->site.kind == BRANCH)
        print_branch(fact, width);
    else if (fact->site.kind == BARRIER)
        fprintf(view.out, "        %-*s %8.2f per %s\n", width, "barrier",
                mean(fact->sum.accesses, run->outcome.groups_replayed), term("group"));
    else
        print_access(run, fact, width);
}

static void print_lines(const struct run *run, const struct facts *facts) {
    const int width = width_of_names(run, facts);
    const struct place *before = NULL;
    char shown[MAX_EXCERPT + 8] = "";
    for (size_t i = 0; i < facts->count; i++) {
        const struct place *place = &facts->all[i].site.place;
        const char *text = source_excerpt(run->job.source, *place, LINE_SHOWN);
        if (!before || before->file != place->file)
            fprintf(view.out, "\n  %s\n", place->file);
        if (!before || before->file != place->file || before->line != place->line ||
            strcmp(text, shown) != 0) {
            fprintf(view.out, "  %4u  %s\n", place->line, text);
            snprintf(shown, sizeof shown, "%s", text);
        }
        print_fact(run, &facts->all[i], width);
        before = place;
    }
    fputc('\n', view.out);
}

/* "dot_groups (n=4096), 64 x 32 items in groups of 32 x 1: 31.5 of 32 lanes busy". */
static void print_sizes(const struct run *run) {
    const size_t *global = run->job.global, *local = run->job.local;
    fprintf(view.out, "%s", run->job.kernel);
    if (*run->job.scalars)
        fprintf(view.out, " (%s)", run->job.scalars);
    fprintf(view.out, ", %zu", global[0]);
    for (unsigned d = 1; d < run->job.dimensions; d++)
        fprintf(view.out, " x %zu", global[d]);
    fprintf(view.out, " %s %s %zu", term(global[0] == 1 ? "item" : "items"),
            term("in groups of"), local[0]);
    for (unsigned d = 1; d < run->job.dimensions; d++)
        fprintf(view.out, " x %zu", local[d]);
    fprintf(view.out, ": %.1f of %u lanes busy",
            mean(run->outcome.lane_instructions, run->outcome.instructions),
            run->model.lanes);
}

static void print_launch(const struct run *run) {
    const size_t items = run->job.local[0] * run->job.local[1] * run->job.local[2];
    const size_t warps = (items + run->model.lanes - 1) / run->model.lanes;
    print_sizes(run);
    fprintf(view.out, "\n  %zu %s of %zu warp%s", run->outcome.groups,
            term(run->outcome.groups == 1 ? "group" : "groups"), warps,
            warps == 1 ? "" : "s");
    if (run->outcome.barriers)
        fprintf(view.out, "; %.2f barriers in each",
                mean(run->outcome.barriers, run->outcome.groups_replayed));
    if (run->outcome.groups_replayed < run->outcome.groups)
        fprintf(view.out, "; a sample of %zu %s", run->outcome.groups_replayed,
                term(run->outcome.groups_replayed == 1 ? "group" : "groups"));
    if (run->outcome.limit)
        fputs("; the last one was not seen to its end", view.out);
    if (run->job.local_chosen)
        fputs("; the size of groups was left to the driver", view.out);
    fputc('\n', view.out);
}

/* ---- What was printed before: a kernel once in full, a picture only if it is new. */
static struct {
    char **all;
    size_t count;
} printed;

static bool is_new(const char *what) {
    for (size_t i = 0; i < printed.count; i++)
        if (strcmp(printed.all[i], what) == 0)
            return false;
    *GROW(printed.all, printed.count) = strdup(what);
    return true;
}

static void draw_if_new(const struct run *run, struct picture picture) {
    char what[512];
    snprintf(what, sizeof what, "%s %s", run->job.kernel, picture.title);
    if (is_new(what) || view.all)
        draw_picture(&picture);
    else
        free(picture.rows);
}

/* The atomic where most lanes of a warp use one address, or NULL if no two do. */
static const struct fact *worst_collision(const struct facts *facts) {
    const struct fact *worst = NULL;
    for (size_t i = 0; i < facts->count; i++) {
        const struct fact *fact = &facts->all[i];
        if (fact->site.kind == ATOMIC &&
            fact->sum.collision.cost.is > (worst ? worst->sum.collision.cost.is : 1))
            worst = fact;
    }
    return worst;
}

void listing_draw(const struct run *run, const struct facts *facts) {
    const struct fact *collision = worst_collision(facts),
                      *global = busiest_access(run, facts, false),
                      *local = busiest_access(run, facts, true),
                      *diverging = most_diverging(facts);
    if (collision)
        draw_if_new(run,
                    picture_atomic(run, collision, &collision->sum.collision.lanes));
    if (global)
        draw_if_new(run, picture_access(run, global, &global->sum.example));
    if (local)
        draw_if_new(run, picture_access(run, local, &local->sum.example));
    if (diverging)
        draw_if_new(run, picture_divergence(run, diverging));
}

/* Of a kernel that was printed before, only what may have changed, on one line. */
static void print_briefly(const struct run *run, const struct facts *facts) {
    const struct fact *fact = busiest_access(run, facts, false);
    const struct fact *diverging = most_diverging(facts);
    print_sizes(run);
    if (fact)
        fprintf(view.out, "; line %u, %s %s: %.2f sectors (ideal %.2f)",
                fact->site.place.line, kind_names[fact->site.kind],
                run->job.objects[fact->object].name,
                mean(fact->sum.sectors, fact->sum.accesses),
                mean(fact->sum.ideal_sectors, fact->sum.accesses));
    if (diverging)
        fprintf(view.out, "; line %u diverges", diverging->site.place.line);
    fputs(run->outcome.groups_replayed < run->outcome.groups ? "; sampled\n" : "\n",
          view.out);
}

static void print_sums(const struct run *run, const struct facts *facts) {
    char *sums = sums_in_words(facts, run);
    fprintf(view.out, "  %s%s", sums, *sums ? "\n" : "");
    free(sums);
}

static void print_least(const struct run *run) {
    enum { INDENT = 4 };
    char *least = least_in_words(run), *line = NULL;
    if (least &&
        asprintf(&line, "  On %s (docs/lens.md): %s", least_device(), least) > 0) {
        print_hanging(line, INDENT);
        fputc('\n', view.out);
    }
    free(least);
    free(line);
}

void listing_print(const struct run *run, const struct facts *facts) {
    if (is_new(run->job.kernel) || view.all) {
        print_launch(run);
        print_lines(run, facts);
        if (view.all || view.alone)
            print_sums(run, facts);
        print_least(run);
    } else {
        print_briefly(run, facts);
    }
}

/* Launches of a kernel that were listed; of a program that makes thousands of different
 * ones the later ones would hide all else. */
static struct {
    struct listed {
        char *kernel, *scalars; /* of the first */
        size_t count;
    } * all;
    size_t count;
} listed;

bool listing_is_full(const struct run *run) {
    size_t i = 0;
    while (i < listed.count && strcmp(listed.all[i].kernel, run->job.kernel) != 0)
        i++;
    if (i == listed.count)
        *GROW(listed.all, listed.count) =
            (struct listed){strdup(run->job.kernel), strdup(run->job.scalars), 0};
    if (view.all || rows_wanted() || listed.all[i].count++ < MAX_LISTED)
        return false;
    folded_add(run->job.kernel, run->job.scalars, listed.all[i].scalars);
    return true;
}
