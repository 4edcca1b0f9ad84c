/* by_place: puts together what was counted at one place of the source. */
#include "by_place.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

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
    sum->pages += more->pages;
    sum->texels += more->texels;
    sum->different_texels += more->different_texels;
    sum->passes += more->passes;
    sum->ideal_passes += more->ideal_passes;
    sum->addresses += more->addresses;
    sum->ideal_addresses += more->ideal_addresses;
    sum->same += more->same;
    if (more->most > sum->most) {
        sum->most = more->most;
        sum->most_groups = more->most_groups;
    }
    if (more->example.lane_count > sum->example.lane_count)
        sum->example = more->example;
    if (is_worse(more->worst.cost, sum->worst.cost))
        sum->worst = more->worst;
    if (is_worse(more->collision.cost, sum->collision.cost))
        sum->collision = more->collision;
}

static void add_branch(struct fact *fact, const struct branch_tally *more) {
    struct branch_tally *sum = &fact->branch;
    const bool mostly = 2 * more->diverged > more->executions;
    sum->executions += more->executions;
    sum->diverged += more->diverged;
    if (more->divergence && (!sum->divergence || (mostly && !fact->mostly)))
        sum->divergence = more->divergence;
    fact->mostly += mostly ? more->diverged : 0;
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

struct facts facts_of(const struct run *run) {
    const struct code *code = run->job.code;
    struct facts facts = {.all = NULL};
    for (unsigned site = 0; site < code->site_count; site++)
        for (unsigned object = 0; object <= run->job.object_count; object++) {
            const struct tally *tally = tally_of(&run->counts, site, object);
            if (tally)
                add_tally(&fact_for(&facts, code->sites[site], object)->sum, tally);
        }
    for (size_t b = 0; b < code->block_count; b++) {
        const struct block *block = &code->blocks[b];
        const struct branch_tally *branch = &run->counts.branches[b];
        if (block->successor_count < 2 || branch->executions == 0)
            continue;
        add_branch(fact_for(&facts, code->sites[block->branch], 0), branch);
    }
    if (facts.count > 0)
        qsort(facts.all, facts.count, sizeof *facts.all, by_place);
    return facts;
}

const struct fact *busiest_access(const struct run *run, const struct facts *facts,
                                  bool local) {
    const struct fact *found = NULL;
    uint64_t most = 0;
    for (size_t i = 0; i < facts->count; i++) {
        const struct fact *fact = &facts->all[i];
        if (fact->site.kind > ATOMIC ||
            (run->job.objects[fact->object].space == LOCAL) != local)
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

const struct fact *busiest_in_l1(const struct run *run, const struct facts *facts) {
    const struct fact *found = NULL;
    for (size_t i = 0; i < facts->count; i++) {
        const struct fact *fact = &facts->all[i];
        if (fact->site.kind <= ATOMIC &&
            run->job.objects[fact->object].space == GLOBAL && fact->sum.passes > 0 &&
            (!found || fact->sum.passes > found->sum.passes))
            found = fact;
    }
    return found;
}

const struct fact *most_diverging(const struct facts *facts) {
    const struct fact *found = NULL;
    for (size_t i = 0; i < facts->count; i++) {
        const struct fact *fact = &facts->all[i];
        if (fact->site.kind == BRANCH && fact->branch.divergence &&
            (!found || fact->branch.diverged > found->branch.diverged))
            found = fact;
    }
    return found;
}
