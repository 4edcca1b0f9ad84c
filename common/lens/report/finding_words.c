/* finding_words: a finding has the file, the line and its text, and a sentence. */
#define _GNU_SOURCE /* asprintf */
#include "finding_words.h"
#include "base/machine.h"
#include "base/mean.h"
#include "base/memory.h"
#include "base/vocabulary.h"
#include "code/source_lines.h"
#include "mistake_words.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_SHOWN = 100 }; /* characters of a source line */

__attribute__((format(printf, 1, 2))) static char *words(const char *format, ...) {
    char *text = NULL;
    va_list facts;
    va_start(facts, format);
    const int length = vasprintf(&text, format, facts);
    va_end(facts);
    if (length < 0)
        lens_die("no memory for a message" HINT "try a smaller problem");
    return text;
}

/* The compiler counts bytes, readers characters. */
static unsigned column_in_characters(const struct run *run, struct place place) {
    const char *line = source_line(run->job.source, place);
    unsigned column = place.column > 0;
    for (unsigned i = 0; i + 1 < place.column && line[i]; i++)
        column += ((unsigned char)line[i] & 0xc0) != 0x80;
    return column;
}

static struct spot spot_at(const struct run *run, struct place place) {
    return (struct spot){.file = findings_file(place.file),
                         .text =
                             strdup(source_text(run->job.source, place, LINE_SHOWN)),
                         .line = place.line,
                         .column = column_in_characters(run, place),
                         .item = -1,
                         .group = -1};
}

static struct finding begin(const struct run *run, const struct rule *rule) {
    return (struct finding){.rule = rule,
                            .kernel = strdup(run->job.kernel),
                            .arguments = strdup(run->job.scalars),
                            .other = {.item = -1, .group = -1},
                            .lanes = run->model.lanes};
}

/* ---- Counts. */
static const struct cost_words {
    const struct rule *rule;
    const char *does, *what; /* before and behind the number */
} costs[] = {[GLOBAL] = {&rule_sectors, "moves", "sectors of 32 bytes"},
             [CONSTANT] = {&rule_addresses, "reads", "addresses of constant memory"},
             [LOCAL] = {&rule_passes, "takes", "passes over the banks"}};

static char *access_in_words(const struct fact *fact, const char *name,
                             const struct cost_words *is, struct cost cost) {
    return words("%s %s: a warp %s %llu %s, where %llu %s needed",
                 is_load(fact->site.kind)   ? "loads"
                 : fact->site.kind == STORE ? "stores"
                                            : "changes",
                 name, is->does, (unsigned long long)cost.is, is->what,
                 (unsigned long long)cost.ideal, cost.ideal == 1 ? "is" : "are");
}

bool finding_of_access(struct finding *finding, const struct run *run,
                       const struct fact *fact) {
    if (fact->site.kind > ATOMIC)
        return false;
    const struct object *object = &run->job.objects[fact->object];
    const struct cost cost = fact->sum.worst.cost;
    if (cost.is <= cost.ideal)
        return false;
    const struct cost_words *is = &costs[object->space];
    *finding = begin(run, is->rule);
    finding->at = spot_at(run, fact->site.place);
    finding->name = strdup(object->name);
    finding->message = access_in_words(fact, object->name, is, cost);
    finding->value = cost.is;
    finding->needed = cost.ideal;
    finding->lanes = fact->sum.worst.lanes.lane_count;
    finding->is_grave = true;
    return true;
}

bool finding_of_idle(struct finding *finding, const struct run *run,
                     const struct facts *facts) {
    const double busy = mean(run->outcome.lane_instructions, run->outcome.instructions);
    const uint64_t idle =
        (uint64_t)(100.0 * (1.0 - busy / (double)run->model.lanes) + 0.5);
    const struct fact *branch = most_diverging(facts);
    if (idle == 0 || facts->count == 0)
        return false;
    *finding = begin(run, &rule_idle);
    finding->at = spot_at(run, (branch ? branch : facts->all)->site.place);
    finding->value = idle;
    finding->is_grave = busy <= 0.75 * run->model.lanes;
    finding->message =
        branch ? words("%llu %% of the lanes are idle: on average %.1f of %u work; the "
                       "branch here splits the warp in %llu of %llu executions",
                       (unsigned long long)idle, busy, run->model.lanes,
                       (unsigned long long)branch->branch.diverged,
                       (unsigned long long)branch->branch.executions)
               : words("%llu %% of the lanes are idle: on average %.1f of %u work",
                       (unsigned long long)idle, busy, run->model.lanes);
    return true;
}

void findings_of_counts(const struct run *run, const struct facts *facts) {
    struct finding finding;
    for (size_t i = 0; i < facts->count; i++)
        if (finding_of_access(&finding, run, &facts->all[i]))
            findings_add(finding);
    if (finding_of_idle(&finding, run, facts))
        findings_add(finding);
}

/* ---- Mistakes. */
static struct spot spot_of(const struct run *run, const struct access_record *record) {
    char who[MISTAKE_WHO];
    struct spot spot = spot_at(run, run->job.code->sites[record->site].place);
    mistake_who(who, run, record);
    spot.who = strdup(who);
    spot.item = record->item == GROUPS_COPY ? -1 : (int64_t)record->item;
    spot.group = (int64_t)record->group - 1;
    return spot;
}

/* A mistake that no line shows is one of the file. */
static struct spot spot_of_file(const struct run *run) {
    const struct code *code = run->job.code;
    return (struct spot){
        .file = code->site_count > 0 ? findings_file(code->sites[0].place.file) : NULL,
        .item = -1,
        .group = -1};
}

static char *mistake_in_words(const struct run *run, const struct mistake *mistake,
                              const struct finding *finding) {
    char *title = mistake_title(run, mistake);
    char *who = finding->other.file ? words("; %s, %s in line %u", finding->at.who,
                                            finding->other.who, finding->other.line)
                : finding->at.who   ? words("; %s", finding->at.who)
                                    : strdup("");
    char *text = finding->is_note ? words("%s%s", mistake_message(title), who)
                                  : words("%s%s. Hint: %s", mistake_message(title), who,
                                          term(mistake_hint(run, mistake)));
    free(who);
    free(title);
    return text;
}

static void add_mistake(const struct run *run, const struct mistake *mistake,
                        bool is_note) {
    const bool has_place = mistake_has_place(mistake);
    struct finding finding = begin(run, mistake_rule(run, mistake));
    finding.is_note = is_note;
    finding.value = 1;
    finding.at = has_place ? spot_of(run, &mistake->one) : spot_of_file(run);
    if (has_place && mistake_has_other(mistake))
        finding.other = spot_of(run, &mistake->other);
    if (mistake->object < run->job.object_count)
        finding.name = strdup(run->job.objects[mistake->object].name);
    finding.message = mistake_in_words(run, mistake, &finding);
    findings_add(finding);
}

void findings_of_mistakes(const struct run *run) {
    for (size_t i = 0; i < run->mistakes.count; i++)
        add_mistake(run, &run->mistakes.all[i], false);
    for (size_t i = 0; i < run->mistakes.note_count; i++)
        add_mistake(run, &run->mistakes.notes[i], true);
}
