/* report: gathers what was counted by line of the source, and tells it. */
#define _GNU_SOURCE /* open_memstream */
#include "report.h"
#include "judge.h"
#include "picture.h"
#include "races.h"
#include "rows.h"

#include <stdlib.h>
#include <string.h>

const char *const kind_names[] = {
    [LOAD] = "load",     [VOLATILE_LOAD] = "load", [STORE] = "store",
    [ATOMIC] = "atomic", [BRANCH] = "branch",      [BARRIER] = "barrier"};
const char *const space_names[] = {
    [GLOBAL] = "global", [CONSTANT] = "constant", [LOCAL] = "local"};

enum { LINE_SHOWN = 80 }; /* characters of a source line */

/* ---- Facts. */
struct facts {
    struct fact *all;
    size_t count;
};

/* Copies of a line, as the compiler makes of a loop or of a function that is called
 * from several places, are one fact. */
static struct fact *fact_for(struct facts *facts, struct site site, unsigned object) {
    for (size_t i = 0; i < facts->count; i++) {
        struct fact *fact = &facts->all[i];
        if (fact->site.place.file == site.place.file &&
            fact->site.place.line == site.place.line &&
            fact->site.place.column == site.place.column &&
            fact->site.kind == site.kind && fact->object == object)
            return fact;
    }
    struct fact *new = GROW(facts->all, facts->count);
    *new = (struct fact){.site = site, .object = object};
    return new;
}

static void add_tally(struct tally *sum, const struct tally *more) {
    sum->accesses += more->accesses;
    sum->lanes += more->lanes;
    sum->used += more->used;
    sum->sectors += more->sectors;
    sum->ideal_sectors += more->ideal_sectors;
    sum->lines += more->lines;
    sum->passes += more->passes;
    sum->ideal_passes += more->ideal_passes;
    sum->same += more->same;
    sum->most = more->most > sum->most ? more->most : sum->most;
    if (more->example.lane_count > sum->example.lane_count)
        sum->example = more->example;
}

static int by_place(const void *one, const void *other) {
    const struct fact *a = one, *b = other;
    const int by_file = strcmp(a->site.place.file, b->site.place.file);
    const long by_line = (long)a->site.place.line - (long)b->site.place.line,
               by_column = (long)a->site.place.column - (long)b->site.place.column,
               by_kind = (long)a->site.kind - (long)b->site.kind,
               order = by_line     ? by_line
                       : by_column ? by_column
                                   : by_kind;
    return by_file ? by_file : order < 0 ? -1 : order > 0;
}

static struct facts facts_of(const struct replay *replay) {
    const struct code *code = replay->code;
    struct facts facts = {.all = NULL};
    for (unsigned site = 0; site < code->site_count; site++)
        for (unsigned object = 0; object <= replay->object_count; object++) {
            const struct tally *tally = tally_of(replay, site, object);
            if (tally)
                add_tally(&fact_for(&facts, code->sites[site], object)->sum, tally);
        }
    for (size_t b = 0; b < code->block_count; b++) {
        const struct block *block = &code->blocks[b];
        const struct branch_tally *branch = &replay->branches[b];
        if (block->successor_count < 2 || branch->executions == 0)
            continue;
        struct branch_tally *sum =
            &fact_for(&facts, code->sites[block->branch], 0)->branch;
        sum->executions += branch->executions;
        sum->diverged += branch->diverged;
        sum->chart = sum->chart ? sum->chart : branch->chart;
    }
    if (facts.count > 0)
        qsort(facts.all, facts.count, sizeof *facts.all, by_place);
    return facts;
}

/* ---- The source. */

/* Of a path that has its beginning in common with ours, clang names only the rest. */
static bool same_file(const char *full, const char *name) {
    const size_t all = strlen(full), part = strlen(name);
    return all >= part && strcmp(full + all - part, name) == 0 &&
           (all == part || full[all - part - 1] == '/');
}

/* Finds a line in a text in which "#line 1 "name"" may say where lines come from. */
static bool find_line(const char *text, const char *file, struct place place,
                      char *line, size_t room) {
    char now_in[256];
    unsigned number = 1;
    snprintf(now_in, sizeof now_in, "%s", file);
    for (const char *end; *text; text = *end ? end + 1 : end, number++) {
        unsigned next;
        char name[256];
        end = text + strcspn(text, "\n");
        if (sscanf(text, " # line %u \"%255[^\"]\"", &next, name) == 2) {
            number = next - 1;
            snprintf(now_in, sizeof now_in, "%s", name);
        } else if (number == place.line && same_file(now_in, place.file)) {
            snprintf(line, room, "%.*s", (int)strcspn(text, "\r\n"), text);
            return true;
        }
    }
    return false;
}

const char *source_line(const struct replay *replay, struct place place) {
    static char line[1024];
    if (find_line(replay->source, OWN_NAME, place, line, sizeof line))
        return line;
    FILE *file = fopen(place.file, "r");
    unsigned number = 0;
    while (file && fgets(line, sizeof line, file))
        if (++number == place.line)
            break;
    line[strcspn(line, "\r\n")] = '\0';
    if (!file || number != place.line)
        *line = '\0';
    if (file)
        fclose(file);
    return line;
}

/* ---- As text. */
static void tell_access(const struct replay *replay, const struct fact *fact) {
    const struct tally *sum = &fact->sum;
    const struct object *object = &replay->objects[fact->object];
    char what[64];
    snprintf(what, sizeof what, "%s %.24s", kind_names[fact->site.kind], object->name);
    fprintf(wishes.out, "        %-11s %8llu x %4.1f lanes", what,
            (unsigned long long)sum->accesses, mean(sum->lanes, sum->accesses));
    if (object->space == LOCAL)
        fprintf(wishes.out, "  %5.2f passes (ideal %.2f)\n",
                mean(sum->passes, sum->accesses),
                mean(sum->ideal_passes, sum->accesses));
    else
        fprintf(
            wishes.out, "  %5.2f sectors (ideal %.2f)  %5.2f lines  %5.1f %% used\n",
            mean(sum->sectors, sum->accesses), mean(sum->ideal_sectors, sum->accesses),
            mean(sum->lines, sum->accesses),
            100.0 * mean(sum->used, sum->sectors * SECTOR));
    if (fact->site.kind == ATOMIC)
        fprintf(
            wishes.out,
            "        %-11s %8llu in all, %llu on one address; %.1f lanes on one at a "
            "time\n",
            "", (unsigned long long)sum->lanes, (unsigned long long)sum->most,
            mean(sum->same, sum->accesses));
}

static void tell_branch(const struct fact *fact) {
    const struct branch_tally *branch = &fact->branch;
    fprintf(wishes.out, "        %-11s %8llu x", "branch",
            (unsigned long long)branch->executions);
    if (branch->diverged == 0)
        fprintf(wishes.out, "  none diverges\n");
    else
        fprintf(wishes.out, "  %llu diverge\n", (unsigned long long)branch->diverged);
}

static void tell_fact(const struct replay *replay, const struct fact *fact) {
    if (fact->site.kind == BRANCH)
        tell_branch(fact);
    else if (fact->site.kind == BARRIER)
        fprintf(wishes.out, "        %-11s %8.2f per group\n", "barrier",
                mean(fact->sum.accesses, replay->groups_replayed));
    else
        tell_access(replay, fact);
}

/* The beginning of a source line, without blanks where it is cut. */
static void tell_source(const struct replay *replay, struct place place) {
    const char *text = source_line(replay, place);
    int shown = (int)strnlen(text, LINE_SHOWN);
    while (shown > 0 && text[shown - 1] == ' ')
        shown--;
    fprintf(wishes.out, "  %4u  %.*s\n", place.line, shown, text);
}

static void tell_lines(const struct replay *replay, const struct facts *facts) {
    const struct place *before = NULL;
    for (size_t i = 0; i < facts->count; i++) {
        const struct place *place = &facts->all[i].site.place;
        if (!before || before->file != place->file)
            fprintf(wishes.out, "\n  %s\n", place->file);
        if (!before || before->file != place->file || before->line != place->line)
            tell_source(replay, *place);
        tell_fact(replay, &facts->all[i]);
        before = place;
    }
    fputc('\n', wishes.out);
}

/* "dot_groups (n=4096), 64 x 32 items in groups of 32 x 1: 31.5 of 32 lanes busy". */
static void tell_sizes(const struct replay *replay) {
    const size_t *global = replay->global, *local = replay->local;
    fprintf(wishes.out, "%s", replay->kernel);
    if (*replay->scalars)
        fprintf(wishes.out, " (%s)", replay->scalars);
    fprintf(wishes.out, ", %zu", global[0]);
    for (unsigned d = 1; d < replay->dimensions; d++)
        fprintf(wishes.out, " x %zu", global[d]);
    fprintf(wishes.out, " item%s in groups of %zu", global[0] == 1 ? "" : "s",
            local[0]);
    for (unsigned d = 1; d < replay->dimensions; d++)
        fprintf(wishes.out, " x %zu", local[d]);
    fprintf(wishes.out, ": %.1f of %u lanes busy",
            mean(replay->lane_instructions, replay->instructions), wishes.lanes);
}

static void tell_launch(const struct replay *replay) {
    const size_t items = replay->local[0] * replay->local[1] * replay->local[2];
    const size_t warps = (items + wishes.lanes - 1) / wishes.lanes;
    tell_sizes(replay);
    fprintf(wishes.out, "\n  %zu group%s of %zu warp%s", replay->groups,
            replay->groups == 1 ? "" : "s", warps, warps == 1 ? "" : "s");
    if (replay->barriers)
        fprintf(wishes.out, "; %.2f barriers in each",
                mean(replay->barriers, replay->groups_replayed));
    if (replay->groups_replayed < replay->groups)
        fprintf(wishes.out, "; a sample of %zu group%s", replay->groups_replayed,
                replay->groups_replayed == 1 ? "" : "s");
    if (replay->local_chosen)
        fputs("; the size of groups was left to the driver", wishes.out);
    fputc('\n', wishes.out);
}

/* ---- As rows, for other programs. */
static void row_access(const struct replay *replay, const struct fact *fact) {
    const struct tally *sum = &fact->sum;
    const struct object *object = &replay->objects[fact->object];
    row_text("memory", space_names[object->space]);
    row_text("name", object->name);
    row_number("accesses", sum->accesses);
    row_mean("lanes", sum->lanes, sum->accesses);
    if (object->space == LOCAL) {
        row_mean("passes", sum->passes, sum->accesses);
        row_mean("ideal_passes", sum->ideal_passes, sum->accesses);
    } else {
        row_mean("sectors", sum->sectors, sum->accesses);
        row_mean("ideal_sectors", sum->ideal_sectors, sum->accesses);
        row_mean("lines_of_128", sum->lines, sum->accesses);
        row_number("used_bytes", sum->used);
        row_number("moved_bytes", sum->sectors * SECTOR);
    }
    if (fact->site.kind == ATOMIC) {
        row_number("operations", sum->lanes);
        row_number("most_on_one_address", sum->most);
        row_mean("lanes_at_one_address", sum->same, sum->accesses);
    }
}

static void row_fact(const struct replay *replay, const struct fact *fact) {
    row_begin(kind_names[fact->site.kind]);
    row_text("kernel", replay->kernel);
    row_text("file", fact->site.place.file);
    row_number("line", fact->site.place.line);
    row_number("column", fact->site.place.column);
    if (fact->site.kind == BRANCH) {
        row_number("executions", fact->branch.executions);
        row_number("diverged", fact->branch.diverged);
    } else if (fact->site.kind == BARRIER) {
        row_mean("per_group", fact->sum.accesses, replay->groups_replayed);
    } else {
        row_access(replay, fact);
    }
    row_end();
}

static void row_launch(const struct replay *replay) {
    row_begin("launch");
    row_text("kernel", replay->kernel);
    row_text("arguments", replay->scalars);
    row_sizes("global", replay->global);
    row_sizes("local", replay->local);
    row_number("groups", replay->groups);
    row_number("groups_replayed", replay->groups_replayed);
    row_number("lanes", wishes.lanes);
    row_mean("busy_lanes", replay->lane_instructions, replay->instructions);
    row_mean("barriers_per_group", replay->barriers, replay->groups_replayed);
    row_end();
}

/* ---- What deserves to be drawn. */
static const struct fact *busiest(const struct replay *replay,
                                  const struct facts *facts, bool local) {
    const struct fact *found = NULL;
    uint64_t most = 0;
    for (size_t i = 0; i < facts->count; i++) {
        const struct fact *fact = &facts->all[i];
        if (fact->site.kind > ATOMIC ||
            (replay->objects[fact->object].space == LOCAL) != local)
            continue;
        const uint64_t cost = local ? fact->sum.passes : fact->sum.sectors;
        const bool first_load = found && cost == most && found->site.kind == STORE &&
                                fact->site.kind != STORE;
        if (cost > most || first_load) {
            most = cost;
            found = fact;
        }
    }
    return found;
}

static const struct fact *most_diverging(const struct facts *facts) {
    const struct fact *found = NULL;
    for (size_t i = 0; i < facts->count; i++) {
        const struct fact *fact = &facts->all[i];
        if (fact->site.kind == BRANCH && fact->branch.chart &&
            (!found || fact->branch.diverged > found->branch.diverged))
            found = fact;
    }
    return found;
}

/* ---- What was told before: a kernel once in full, a picture only if it is new. */
static struct {
    char **all;
    size_t count;
} told;

static bool is_new(const char *what) {
    for (size_t i = 0; i < told.count; i++)
        if (strcmp(told.all[i], what) == 0)
            return false;
    *GROW(told.all, told.count) = strdup(what);
    return true;
}

static void draw_if_new(const struct replay *replay, struct picture picture) {
    char what[512];
    snprintf(what, sizeof what, "%s %s", replay->kernel, picture.title);
    if (is_new(what) || wishes.all)
        picture_draw(&picture);
    else
        free(picture.rows);
}

static void draw(const struct replay *replay, const struct facts *facts) {
    const struct fact *global = busiest(replay, facts, false),
                      *local = busiest(replay, facts, true),
                      *diverging = most_diverging(facts);
    if (global)
        draw_if_new(replay, picture_access(replay, global));
    if (local)
        draw_if_new(replay, picture_access(replay, local));
    if (diverging)
        draw_if_new(replay, picture_chart(replay, diverging));
}

/* Of a kernel that was told before, only what may have changed, on one line. */
static void tell_briefly(const struct replay *replay, const struct facts *facts) {
    const struct fact *fact = busiest(replay, facts, false);
    const struct fact *diverging = most_diverging(facts);
    tell_sizes(replay);
    if (fact)
        fprintf(wishes.out, "; line %u, %s %s: %.2f sectors (ideal %.2f)",
                fact->site.place.line, kind_names[fact->site.kind],
                replay->objects[fact->object].name,
                mean(fact->sum.sectors, fact->sum.accesses),
                mean(fact->sum.ideal_sectors, fact->sum.accesses));
    if (diverging)
        fprintf(wishes.out, "; line %u diverges", diverging->site.place.line);
    fputs(replay->groups_replayed < replay->groups ? "; sampled\n" : "\n", wishes.out);
}

void report_launch(const struct replay *replay) {
    struct facts facts = facts_of(replay);
    if (wishes.races || replay->mistake_count > 0) {
        races_report(replay);
    } else if (wishes.compare) {
        /* only results count */
    } else if (wishes.format != TEXT) {
        row_launch(replay);
        for (size_t i = 0; i < facts.count; i++)
            row_fact(replay, &facts.all[i]);
    } else {
        if (is_new(replay->kernel) || wishes.all) {
            tell_launch(replay);
            tell_lines(replay, &facts);
        } else {
            tell_briefly(replay, &facts);
        }
    }
    if (!wishes.races && !wishes.compare && replay->mistake_count == 0 &&
        (wishes.format == TEXT || wishes.svg))
        draw(replay, &facts);
    fflush(wishes.out);
    free(facts.all);
}

void report_end(void) {
    if (wishes.launches == 0 && wishes.kernels_seen > 0 && wishes.instead)
        fputs("lens: no kernel was replaced: those of the file are the program's own\n",
              stderr);
    else if (wishes.launches == 0 && wishes.kernels_seen > 0)
        fprintf(stderr, "lens: no launch of %s was shown\n",
                wishes.kernel ? wishes.kernel : "any kernel");
    if (wishes.judge)
        judge_end();
    if (wishes.launches == 0 || wishes.mistaken || wishes.judge || wishes.instead)
        return;
    if (wishes.compare)
        fprintf(wishes.out, "the replay's results are the device's\n");
    else if (wishes.races)
        fprintf(wishes.out, "no mistake found in %zu launch%s%s\n", wishes.launches,
                wishes.launches == 1 ? "" : "es",
                wishes.sampled ? "; of large ones a sample was looked at" : "");
    else if (wishes.format == TEXT)
        fprintf(wishes.out,
                "Model: %u lanes in lockstep; sectors of %d bytes, lines of %d; "
                "%d banks of %d bytes;\n"
                "no caches, no registers, no time (docs/lens.md); compiled by %s\n",
                wishes.lanes, SECTOR, LINE, BANKS, WORD, code_compiler());
}
