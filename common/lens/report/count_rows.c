/* count_rows: writes what was counted as rows with named fields. */
#include "count_rows.h"
#include "base/machine.h"
#include "base/rows.h"
#include "code/source_lines.h"
#include "finding_words.h"
#include "least_words.h"
#include "totals.h"

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

/* Which rule it is against, if it is against one. */
static void row_rule(const struct finding *finding) {
    row_text("rule", finding->rule->id);
    row_text("message", finding->message);
    row_number("worst", finding->value);
    row_number("worst_needed", finding->needed);
    row_number("worst_lanes", finding->lanes);
}

static void row_rule_of_access(const struct run *run, const struct fact *fact) {
    struct finding finding;
    if (!finding_of_access(&finding, run, fact))
        return;
    row_rule(&finding);
    finding_release(&finding);
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
        row_rule_of_access(run, fact);
    }
    row_end();
}

/* Lanes that are idle are so in the whole launch. */
static void row_idle(const struct run *run, const struct facts *facts) {
    struct finding finding;
    if (!finding_of_idle(&finding, run, facts))
        return;
    row_text("file", finding.at.file);
    row_number("line", finding.at.line);
    row_number("column", finding.at.column);
    row_rule(&finding);
    finding_release(&finding);
}

static void row_launch(const struct run *run, const struct facts *facts) {
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
    row_idle(run, facts);
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

void count_rows(const struct run *run, const struct facts *facts) {
    row_launch(run, facts);
    least_rows(run);
    for (size_t i = 0; i < facts->count; i++)
        row_fact(run, &facts->all[i]);
    row_total(run, facts);
}
