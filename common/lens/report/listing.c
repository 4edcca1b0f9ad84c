/* listing: prints what was counted, source line by source line. */
#define _GNU_SOURCE /* open_memstream */
#include "listing.h"
#include "base/machine.h"
#include "base/mean.h"
#include "base/memory.h"
#include "base/progress.h"
#include "base/rows.h"
#include "by_place.h"
#include "code/source_lines.h"
#include "folded.h"
#include "mistake_rows.h"
#include "mistake_words.h"
#include "picture_text.h"
#include "summaries.h"
#include "table.h"
#include "totals.h"
#include "view.h"

#include <stdlib.h>
#include <string.h>

enum { LINE_SHOWN = 80 }; /* characters of a source line */
enum { MAX_LISTED = 16 }; /* launches of a kernel */

/* ---- As text. */

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
        fprintf(view.out, "        %-*s %8.2f per group\n", width, "barrier",
                mean(fact->sum.accesses, run->outcome.groups_replayed));
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
    fprintf(view.out, " item%s in groups of %zu", global[0] == 1 ? "" : "s", local[0]);
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
    fprintf(view.out, "\n  %zu group%s of %zu warp%s", run->outcome.groups,
            run->outcome.groups == 1 ? "" : "s", warps, warps == 1 ? "" : "s");
    if (run->outcome.barriers)
        fprintf(view.out, "; %.2f barriers in each",
                mean(run->outcome.barriers, run->outcome.groups_replayed));
    if (run->outcome.groups_replayed < run->outcome.groups)
        fprintf(view.out, "; a sample of %zu group%s", run->outcome.groups_replayed,
                run->outcome.groups_replayed == 1 ? "" : "s");
    if (run->outcome.limit)
        fputs("; the last one was not seen to its end", view.out);
    if (run->job.local_chosen)
        fputs("; the size of groups was left to the driver", view.out);
    fputc('\n', view.out);
}

/* ---- As rows, for other programs. */
static void row_access(const struct run *run, const struct fact *fact) {
    const struct tally *sum = &fact->sum;
    const struct object *object = &run->job.objects[fact->object];
    row_text("memory", object->image ? "image" : space_names[object->space]);
    row_text("name", object->name);
    row_number("accesses", sum->accesses);
    row_mean("lanes", sum->lanes, sum->accesses);
    if (object->space == LOCAL) {
        row_mean("passes", sum->passes, sum->accesses);
        row_mean("ideal_passes", sum->ideal_passes, sum->accesses);
    } else if (object->space == CONSTANT) {
        row_mean("addresses", sum->addresses, sum->accesses);
        row_mean("ideal_addresses", sum->ideal_addresses, sum->accesses);
    } else {
        row_mean("sectors", sum->sectors, sum->accesses);
        row_mean("ideal_sectors", sum->ideal_sectors, sum->accesses);
        row_mean("lines_of_128", sum->lines, sum->accesses);
        if (object->image) {
            row_mean("texels", sum->texels, sum->accesses);
            row_mean("different_texels", sum->different_texels, sum->accesses);
        } else {
            row_mean("pages_of_4096", sum->pages, sum->accesses);
        }
        if (sum->ideal_passes) {
            row_mean("l1_passes", sum->passes, sum->accesses);
            row_mean("ideal_l1_passes", sum->ideal_passes, sum->accesses);
        }
        row_number("used_bytes", sum->used);
        row_number("moved_bytes", sum->sectors * SECTOR);
    }
    if (fact->site.kind == ATOMIC) {
        row_number("operations", sum->lanes);
        row_number("most_on_one_address", sum->most);
        row_mean("lanes_at_one_address", sum->same, sum->accesses);
    }
}

static void row_fact(const struct run *run, const struct fact *fact) {
    row_begin(kind_names[fact->site.kind]);
    row_text("kernel", run->job.kernel);
    row_text("file", fact->site.place.file);
    row_number("line", fact->site.place.line);
    row_number("column", fact->site.place.column);
    if (fact->site.kind == BRANCH) {
        row_number("executions", fact->branch.executions);
        row_number("diverged", fact->branch.diverged);
    } else if (fact->site.kind == BARRIER) {
        row_mean("per_group", fact->sum.accesses, run->outcome.groups_replayed);
    } else {
        row_access(run, fact);
    }
    row_end();
}

static void row_launch(const struct run *run) {
    row_begin("launch");
    row_text("kernel", run->job.kernel);
    row_text("arguments", run->job.scalars);
    row_sizes("global", run->job.global);
    row_sizes("local", run->job.local);
    row_number("groups", run->outcome.groups);
    row_number("groups_replayed", run->outcome.groups_replayed);
    row_number("lanes", run->model.lanes);
    row_mean("busy_lanes", run->outcome.lane_instructions, run->outcome.instructions);
    row_mean("barriers_per_group", run->outcome.barriers, run->outcome.groups_replayed);
    row_end();
}

/* What all work-items of the launch do, be it estimated. */
static void row_total(const struct run *run, const struct facts *facts) {
    const struct sums sums = sums_of(facts, run);
    const struct {
        const char *name;
        uint64_t number;
    } all[] = {{"requests", sums.requests},
               {"bytes", sums.sectors * SECTOR},
               {"bytes_used", sums.used},
               {"local_requests", sums.local_requests},
               {"local_passes", sums.passes},
               {"constant_requests", sums.constant_requests},
               {"constant_addresses", sums.addresses},
               {"atomic_operations", sums.atomics},
               {"branches", sums.branches},
               {"branches_diverged", sums.diverged}};
    row_begin("total");
    row_text("kernel", run->job.kernel);
    row_number("work_items",
               (uint64_t)run->job.global[0] * run->job.global[1] * run->job.global[2]);
    row_number("work_items_replayed", run->outcome.items_replayed);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        row_number(all[i].name, sums_scaled(run, all[i].number));
    row_mean("bytes_per_item", sums.sectors * SECTOR, run->outcome.items_replayed);
    row_mean("passes_per_item", sums.passes, run->outcome.items_replayed);
    row_end();
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

static void draw(const struct run *run, const struct facts *facts) {
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

/* The listing is what --kernel and --all ask for; otherwise a table follows at the end.
 */
static bool is_listed(void) {
    return view.listed;
}

static void print_sums(const struct run *run, const struct facts *facts) {
    char *sums = sums_in_words(facts, run);
    fprintf(view.out, "  %s%s", sums, *sums ? "\n" : "");
    free(sums);
}

static void print_listing(const struct run *run, const struct facts *facts) {
    if (is_new(run->job.kernel) || view.all) {
        print_launch(run);
        print_lines(run, facts);
        if (view.all || view.alone)
            print_sums(run, facts);
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

static bool is_too_many(const struct run *run) {
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

static void print_rows(const struct run *run, const struct facts *facts) {
    row_launch(run);
    for (size_t i = 0; i < facts->count; i++)
        row_fact(run, &facts->all[i]);
    row_total(run, facts);
}

/* ---- Launches that have the same counts are one line. */
static struct {
    struct shown {
        size_t launch;
        uint64_t counts;
    } * all;
    size_t count;
} shown;

static uint64_t mix(uint64_t digest, uint64_t number) {
    digest = (digest ^ number) * 0x9e3779b97f4a7c15u;
    return digest ^ digest >> 32;
}

/* A digest of all that can be shown. */
static uint64_t counts_of(const struct run *run, const struct facts *facts) {
    uint64_t digest =
        mix(mix(1, run->outcome.instructions), run->outcome.lane_instructions);
    digest = mix(mix(digest, run->outcome.barriers), run->outcome.groups_replayed);
    for (size_t i = 0; i < facts->count; i++) {
        const struct tally *sum = &facts->all[i].sum;
        const struct branch_tally *branch = &facts->all[i].branch;
        const uint64_t numbers[] = {
            sum->accesses,      sum->lanes,         sum->used,   sum->addresses,
            sum->sectors,       sum->lines,         sum->pages,  sum->passes,
            sum->ideal_passes,  sum->ideal_sectors, sum->same,   sum->most,
            branch->executions, branch->diverged,   sum->texels, sum->different_texels};
        for (size_t n = 0; n < sizeof numbers / sizeof *numbers; n++)
            digest = mix(digest, numbers[n]);
    }
    return digest;
}

/* Is it the first one with these arguments and counts?  `number` gets the number of the
 * first one. */
static bool is_first(size_t launch, uint64_t counts, size_t *number) {
    for (*number = 0; *number < shown.count; ++*number)
        if (shown.all[*number].launch == launch && shown.all[*number].counts == counts)
            return false;
    *GROW(shown.all, shown.count) = (struct shown){launch, counts};
    return true;
}

static void report_counts(const struct run *run, const struct facts *facts,
                          size_t number, uint64_t counts) {
    const bool in_table = !rows_wanted() && !is_listed();
    if (is_listed() && is_too_many(run))
        return;
    if (rows_wanted())
        print_rows(run, facts);
    else if (is_listed())
        print_listing(run, facts);
    else
        summary_add(run, facts, number, counts);
    if (!in_table && (!rows_wanted() || view.svg || view.html))
        draw(run, facts);
}

void report_mistakes(const struct run *run) {
    if (rows_wanted())
        mistake_rows(run);
    else
        mistakes_report(run);
}

size_t report_launch(const struct run *run, size_t launch) {
    size_t number = 0;
    if (view.mistakes || run->mistakes.count > 0) {
        report_mistakes(run);
        if (!rows_wanted())
            mistakes_print_notes(run);
    } else if (!view.results) {
        struct facts facts = facts_of(run);
        const uint64_t counts = counts_of(run, &facts);
        if (is_first(launch, counts, &number))
            report_counts(run, &facts, number, counts);
        else
            report_again(number);
        free(facts.all);
    }
    fflush(view.out);
    return number;
}

void report_width(const struct run *run, size_t number) {
    if (!summary_is_kept(number, view.lanes) ||
        summary_is_kept(number, run->model.lanes))
        return;
    struct facts facts = facts_of(run);
    summary_add(run, &facts, number, counts_of(run, &facts));
    free(facts.all);
}

void report_again(size_t number) {
    summary_again(number);
}

/* What compiled the kernels matters to those who compare counts line by line. */
static void print_model(void) {
    char widths[WIDTHS_IN_WORDS];
    if (!is_listed() && !view.all) {
        fprintf(view.out,
                "The model: warps of %s lanes, sectors of %d bytes, no caches, no time "
                "(docs/lens.md)\n",
                widths_in_words(widths), SECTOR);
        return;
    }
    fprintf(view.out,
            "Model: %s lanes in lockstep; sectors of %d bytes, lines of %d; "
            "%d banks of %d bytes;\n"
            "no caches, no registers, no time (docs/lens.md); compiled by %s\n",
            widths_in_words(widths), SECTOR, LINE, BANKS, WORD, code_compiler());
}

static char *limit_in_words(const struct run *run) {
    const struct place place = run->outcome.at_work;
    char *words = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&words, &bytes);
    fprintf(
        out,
        run->outcome.endless
            ? "note: %s: it never ends: after %llu steps a group came back to where "
              "it was; --races says more\n"
            : "note: %s: step limit exceeded: after %llu steps of one group the lens "
              "stopped looking\n",
        run->job.kernel, (unsigned long long)run->outcome.limit);
    if (place.line > 0)
        fprintf(out, "  line %-4u still at work  %s\n", place.line,
                source_text(run->job.source, place, LINE_SHOWN));
    fclose(out);
    return words;
}

static void row_limit(const struct run *run, const char *report) {
    const struct place place = run->outcome.at_work;
    row_begin("limit");
    row_text("kernel", run->job.kernel);
    row_text("arguments", run->job.scalars);
    row_text("kind", run->outcome.endless ? "endless loop" : "step limit exceeded");
    row_number("steps", run->outcome.limit);
    if (place.line > 0) {
        row_text("file", place.file);
        row_number("line", place.line);
        row_number("column", place.column);
        row_text("text", source_text(run->job.source, place, LINE_SHOWN));
    }
    row_text("report", report);
    row_end();
}

void report_limit(const struct run *run) {
    char *words = limit_in_words(run);
    progress_erase();
    fputs(words, stderr);
    if (rows_wanted())
        row_limit(run, words);
    free(words);
}

void report_hidden(const char *kernel, const char *why) {
    if (!rows_wanted())
        return;
    row_begin("hidden");
    row_text("kernel", kernel);
    row_text("message", why);
    row_end();
}

/* "no mistake found in 3 launches", and what the lens did not see of them. */
static void print_found_none(const struct looked *looked) {
    const size_t seen = looked->replayed + looked->equal, made = seen + looked->left;
    fprintf(view.out, "no mistake found in %zu ", seen);
    if (looked->left)
        fprintf(view.out, "of %zu ", made);
    fprintf(view.out, "launch%s", made == 1 ? "" : "es");
    if (looked->equal)
        fprintf(view.out, " (%zu replayed, the others equal to one of these)",
                looked->replayed);
    if (looked->left)
        fputs("; --all-launches looks at all", view.out);
    if (looked->sampled)
        fputs("; of large ones a sample was looked at", view.out);
}

/* In one word, as far as words are fixed. */
static const char *verdict_of(const struct looked *looked, size_t hidden,
                              const char *found) {
    if (mistake_rows_written() > 0)
        return "mistake found";
    if (found)
        return found;
    if (looked->replayed == 0)
        return "nothing looked at";
    if (!view.mistakes && !view.results)
        return "counted";
    if (hidden > 0)
        return "not all looked at";
    return view.results ? "agrees with the device" : "no mistake found";
}

void report_verdict(const struct looked *looked, size_t hidden, const char *found) {
    const size_t seen = looked->replayed + looked->equal;
    if (!rows_wanted())
        return;
    row_begin("verdict");
    row_text("verdict", verdict_of(looked, hidden, found));
    row_number("mistakes", mistake_rows_written());
    row_number("launches", seen + looked->left + hidden);
    row_number("launches_seen", seen);
    row_number("launches_cut_short", looked->limited);
    row_number("launches_sampled", looked->sampled);
    row_number("launches_left_out", looked->left);
    row_number("launches_hidden", hidden);
    row_end();
}

void report_end(const struct looked *looked) {
    if (rows_wanted())
        return;
    if (view.results || view.mistakes) {
        if (looked->limited) /* first: of what was not seen nothing good can be said */
            fprintf(
                view.out,
                "of %zu launch%s the lens saw only the beginning; apart from that, ",
                looked->limited, looked->limited == 1 ? "" : "es");
        if (view.results)
            fputs("the replay's results are the device's", view.out);
        else
            print_found_none(looked);
        fputc('\n', view.out);
    } else {
        if (is_listed())
            folded_print(view.out);
        table_print();
        if (looked->limited)
            fprintf(view.out, "Of %zu launch%s only the beginning was counted.\n",
                    looked->limited, looked->limited == 1 ? "" : "es");
        print_model();
    }
}
