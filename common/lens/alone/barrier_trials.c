/* barrier_trials: a barrier belongs somewhere between the two accesses of a race. Where
 * exactly, is found out by another launch of the file with a barrier in one of these
 * places: first behind the earlier access, then before the later one, then between
 * them; or, if the later one comes first in the file, as in a loop, behind the next few
 * statements.  A tile's loop needs two of them, so that the best one stays if it is not
 * enough, and a second one is looked for. */
#define _GNU_SOURCE /* open_memstream */
#include "barrier_trials.h"
#include "base/memory.h"
#include "base/vocabulary.h"
#include "code/source_lines.h"
#include "gaps.h"
#include "launching.h"

#include <stdlib.h>
#include <string.h>

/* What all of it may take: files, the instructions of them that the replay looks at,
 * and the steps of the launches; then every machine makes the same trials. */
enum { MAX_TRIES = 10, ALL_SITES = 1 << 11, ALL_STEPS = 5 << 18 };

/* What is tried on, and what is left of it. */
struct trials {
    const struct version *version;
    struct code_line *lines;
    size_t line_count;
    size_t places[MAX_TRIES]; /* numbers of lines that are gaps */
    size_t count, most;
};

/* ---- Places. */
static void add_place(struct trials *trials, size_t line) {
    for (size_t i = 0; i < trials->count; i++)
        if (trials->places[i] == line)
            return;
    if (line < trials->line_count && trials->count < trials->most)
        trials->places[trials->count++] = line;
}

/* The first gap at this line of the source or behind it; line_count: there is none. */
static size_t gap_behind(const struct trials *trials, unsigned line) {
    for (size_t i = 0; i < trials->line_count; i++)
        if (trials->lines[i].line >= line && trials->lines[i].is_gap)
            return i;
    return trials->line_count;
}

/* The last gap before it. */
static size_t gap_before(const struct trials *trials, unsigned line) {
    size_t last = trials->line_count;
    for (size_t i = 0; i < trials->line_count && trials->lines[i].line < line; i++)
        if (trials->lines[i].is_gap)
            last = i;
    return last;
}

/* 0: it is in an included file. */
static unsigned line_of(const struct trials *trials, const struct place *place) {
    const char *file = place->file;
    return strcmp(file, trials->version->file) == 0 || strcmp(file, OWN_NAME) == 0
               ? place->line
               : 0;
}

/* Work-items of one group race, and there is no barrier between them that lacks but a
 * flag. */
static bool is_candidate(const struct mistake *mistake) {
    return mistake->kind == RACE && mistake->one.group == mistake->other.group &&
           !mistake->race.barrier && mistake->one.item != GROUPS_COPY &&
           mistake->other.item != GROUPS_COPY;
}

/* In the order in which they are to be tried: the first and the second choice for all
 * races, then the rest. */
enum choice { BEHIND_FIRST, BEFORE_SECOND, BETWEEN, BEHIND_CALL, CHOICES };

static void add_places_of(struct trials *trials, const struct place *first,
                          const struct place *second, enum choice choice) {
    enum { NEXT = 3 };
    const unsigned from = line_of(trials, first), to = line_of(trials, second);
    if (from == 0 || to == 0)
        return;
    const size_t behind = gap_behind(trials, from), before = gap_before(trials, to);
    const size_t last = from < to ? before : behind + NEXT;
    if (choice == BEHIND_FIRST)
        add_place(trials, behind);
    if (choice == BEFORE_SECOND)
        add_place(trials, before);
    for (size_t i = behind; choice == BETWEEN && i <= last && i < trials->line_count;
         i++)
        if (trials->lines[i].is_gap)
            add_place(trials, i);
    for (const struct place *call = first->call; choice == BEHIND_CALL && call;
         call = call->call)
        add_place(trials, gap_behind(trials, line_of(trials, call)));
}

static void find_places(struct trials *trials, const struct run *run) {
    const struct site *sites = run->job.code->sites;
    trials->line_count =
        gaps_find(version_source(trials->version).text, &trials->lines);
    for (int choice = 0; choice < CHOICES; choice++)
        for (size_t i = 0; i < run->mistakes.count; i++) {
            const struct mistake *race = &run->mistakes.all[i];
            if (is_candidate(race))
                add_places_of(trials, &sites[race->other.site].place,
                              &sites[race->one.site].place, (enum choice)choice);
        }
}

/* ---- The file with a barrier in one of them. */
static char *text_with_barrier(const struct trials *trials, size_t line) {
    const char *source = version_source(trials->version).text;
    const size_t end = trials->lines[line].end;
    char *text = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&text, &bytes);
    fwrite(source, 1, end, out);
    fputs(vocabulary_is_cuda()
              ? " __syncthreads();"
              : " barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);",
          out);
    fputs(source + end, out);
    fclose(out);
    return text;
}

/* False: it does not compile, or is no kernel that the replay knows any more. */
static bool compile(const struct single *single, struct version *version) {
    struct source source = version_source(version);
    char *callers = single_callers(single);
    source.callers = callers;
    source.trial = true;
    const bool compiled = code_compile(&source);
    free(callers);
    version->code = source.code;
    if (!compiled || code_refusal(&version->code, single->signature.name) ||
        version->code.object_count != single->own.code.object_count)
        return false;
    version_find_call(version, single->signature.name);
    return true;
}

/* ---- What it makes better. */
static bool is_same(const struct run *run, const struct mistake *one,
                    const struct run *other_run, const struct mistake *other) {
    const struct site *sites = run->job.code->sites,
                      *other_sites = other_run->job.code->sites;
    const struct place *places[] = {
        &sites[one->one.site].place, &sites[one->other.site].place,
        &other_sites[other->one.site].place, &other_sites[other->other.site].place};
    for (int i = 0; i < 2; i++)
        if (places[i]->line != places[i + 2]->line ||
            strcmp(places[i]->file, places[i + 2]->file) != 0)
            return false;
    return one->kind == other->kind && one->object == other->object;
}

/* Is there no mistake that was not there before? */
static bool has_no_new(const struct run *run, const struct run *before) {
    for (size_t i = 0; i < run->mistakes.count; i++) {
        bool is_known = false;
        for (size_t j = 0; j < before->mistakes.count && !is_known; j++)
            is_known =
                is_same(run, &run->mistakes.all[i], before, &before->mistakes.all[j]);
        if (!is_known)
            return false;
    }
    return !run->outcome.stopped && !run->outcome.limit;
}

static bool diverges(const struct run *run) {
    for (size_t i = 0; i < run->mistakes.count; i++)
        if (run->mistakes.all[i].kind == BARRIER_DIVERGENCE)
            return true;
    return false;
}

static bool is_whole_number(const struct slot *slot) {
    return slot->object.space == PRIVATE && slot->known && slot->type.name &&
           slot->type.kind != FLOAT && slot->type.lanes == 1 && slot_whole(slot) > 1;
}

/* Behind a guard such as `if (i >= n) return;` not all come to a barrier, but for some
 * n they do.  So it is launched with each number one less. */
static bool is_behind_guard(struct single *single, struct version *version) {
    bool found = false;
    for (cl_uint i = 0; i < single->signature.count && !found; i++) {
        struct slot *slot = &single->slots[i];
        if (!is_whole_number(slot))
            continue;
        slot_put(slot, slot_whole(slot) - 1);
        slots_evaluate(single);
        struct run run = single_launch_trial(single, version, &single->run.model, true);
        found = diverges(&run);
        run_end(&run);
        slot_put(slot, slot_whole(slot) + 1);
        slots_evaluate(single);
    }
    return found;
}

/* Of these places, the one that leaves the fewest mistakes; false: none leaves fewer.
 * `after` gets that launch. */
static bool try_places(struct single *single, const struct trials *trials,
                       const struct run *run, struct barred *barred,
                       struct run *after) {
    struct version best = {.text = NULL};
    unsigned line = 0;
    *after = (struct run){.mistakes.count = run->mistakes.count};
    for (size_t i = 0; i < trials->count && after->mistakes.count > 0; i++) {
        struct version version = *trials->version;
        version.variables = NULL;
        version.text = text_with_barrier(trials, trials->places[i]);
        if (!compile(single, &version))
            continue;
        struct run other =
            single_launch_trial(single, &version, &single->run.model, true);
        if (has_no_new(&other, run) && other.mistakes.count < after->mistakes.count &&
            !is_behind_guard(single, &version)) {
            run_end(after);
            *after = other;
            best = version;
            line = trials->lines[trials->places[i]].line;
        } else {
            run_end(&other);
        }
    }
    if (!best.text)
        return false;
    barred->version = best;
    barred->lines[barred->count++] = line;
    barred->left = after->mistakes.count;
    return true;
}

static size_t tries_for(const struct run *run) {
    const struct outcome *outcome = &run->outcome;
    const size_t by_sites = ALL_SITES / (run->job.code->site_count + 1),
                 by_steps = ALL_STEPS / (size_t)(outcome->lane_steps + 1),
                 least = by_sites < by_steps ? by_sites : by_steps;
    return outcome->stopped || outcome->limit ? 0
           : least < MAX_TRIES                ? least
                                              : MAX_TRIES;
}

struct barred barrier_trials(struct single *single, const struct run *run) {
    enum { MAX_BARRIERS = 2 };
    struct barred barred = {.version = *single->version, .left = run->mistakes.count};
    struct run last = *run, after;
    size_t tries_left = tries_for(run);
    while (tries_left > 0 && barred.left > 0 && barred.count < MAX_BARRIERS) {
        const struct version before = barred.version;
        struct trials trials = {.version = &before, .most = tries_left};
        find_places(&trials, &last);
        const bool is_better = try_places(single, &trials, &last, &barred, &after);
        tries_left -= trials.count;
        free(trials.lines);
        if (!is_better)
            break;
        if (barred.count > 1)
            run_end(&last);
        last = after;
    }
    if (barred.count > 0)
        run_end(&last);
    return barred;
}

void barrier_trials_print(FILE *out, const struct barred *barred,
                          const struct run *run) {
    const size_t all = run->mistakes.count, removed = all - barred->left;
    if (barred->count == 0)
        return;
    if (barred->count == 1)
        fprintf(out, "  hint    %s behind line %u removes ",
                vocabulary_is_cuda() ? "__syncthreads()" : "a barrier",
                barred->lines[0]);
    else
        fprintf(out, "  hint    %s behind lines %u and %u remove ",
                vocabulary_is_cuda() ? "__syncthreads()" : "barriers", barred->lines[0],
                barred->lines[1]);
    if (all == 1)
        fputs("this report\n", out);
    else if (barred->left == 0)
        fprintf(out, "all %zu reports\n", all);
    else
        fprintf(out, "%zu of %zu reports\n", removed, all);
}
