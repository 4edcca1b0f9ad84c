/* mistake_rows: writes mistakes as rows, in the words that mistake_words.c has for
 * them, with their facts in fields of their own. */
#define _GNU_SOURCE /* strndup */
#include "mistake_rows.h"
#include "base/rows.h"
#include "base/vocabulary.h"
#include "code/source_lines.h"
#include "mistake_words.h"
#include "view.h"
#include "watch/run.h"

#include <stdlib.h>
#include <string.h>

enum { LINE_SHOWN = 80 }; /* characters of a source line */

static size_t written; /* rows of mistakes */

/* `names` are those of the fields: line, column, work-item, its lane, group, what it
 * does. */
static void row_record(const struct run *run, const struct access_record *record,
                       const char *const names[6]) {
    const struct place place = run->job.code->sites[record->site].place;
    const bool has_run = record->group > 0;
    char who[MISTAKE_WHO];
    mistake_who(who, run, record);
    row_number(names[0], place.line);
    row_number(names[1], place.column);
    if (has_run && record->item != GROUPS_COPY) {
        row_number(names[2], record->item);
        row_number(names[3], record->item % run->model.lanes);
    }
    if (has_run)
        row_number(names[4], record->group - 1);
    row_text(names[5], who);
}

static void row_object(const struct run *run, const struct mistake *mistake) {
    if (mistake->object >= run->job.object_count)
        return;
    const struct object *object = &run->job.objects[mistake->object];
    row_text("memory", object->image ? "image" : space_names[object->space]);
    row_text("name", object->name);
    row_number("object_bytes", object->bytes);
}

static const char *text_at(const struct run *run, unsigned site) {
    return source_text(run->job.source, run->job.code->sites[site].place, LINE_SHOWN);
}

/* What mistake_words.c says below the places of a race. */
static void row_race(const struct run *run, const struct mistake *race) {
    if (race->race.barrier) {
        row_number("barrier_line",
                   run->job.code->sites[race->race.barrier - 1].place.line);
        row_text("barrier_text", text_at(run, race->race.barrier - 1));
    }
    row_number("same_warp", mistake_is_in_warp(race));
    row_number("same_value", !race->race.values_differ);
}

/* Who changed last what an endless loop waits for. */
static void row_changer(const struct run *run, const struct access_record *changer) {
    row_number("changed_line", run->job.code->sites[changer->site].place.line);
    row_number("changed_item", changer->item);
    row_number("changed_group", changer->group - 1);
}

/* And below those of others. */
static void row_more(const struct run *run, const struct mistake *mistake) {
    if (mistake->kind == RACE)
        row_race(run, mistake);
    if (mistake->kind == MISALIGNED) {
        row_number("alignment", mistake_alignment(mistake));
        row_number("needed_alignment", mistake_needed_alignment(run, mistake));
    }
    if (mistake->kind == ENDLESS && mistake->end.changer.group > 0)
        row_changer(run, &mistake->end.changer);
    char *why = mistake_why(mistake);
    if (why)
        row_text("why", why);
    if (why && mistake->end.goes_on)
        row_number("goes_on_line", mistake->end.goes_on->line);
    free(why);
    if (run->backward)
        row_text("order", order_names[LAST_FIRST]);
}

/* Does it have a place in an object?  (That of an index is in its words.) */
static bool has_bytes(const struct run *run, const struct mistake *mistake) {
    return mistake->bytes > 0 && mistake->kind != BAD_INDEX &&
           mistake->object < run->job.object_count &&
           !run->job.objects[mistake->object].image;
}

static void row_mistake(const struct run *run, const struct mistake *mistake,
                        const char *row, const char *report) {
    static const char *const first[6] = {"line", "column", "item",
                                         "lane", "group",  "who"},
                             *const second[6] = {"other_line",  "other_column",
                                                 "other_item",  "other_lane",
                                                 "other_group", "other_who"};
    char *title = mistake_title(run, mistake);
    const char *message = mistake_message(title);
    char *kind = strndup(message, strcspn(message, ":"));
    const bool has_place = mistake_has_place(mistake);
    const bool has_other = has_place && mistake_has_other(mistake);
    row_begin(row);
    row_text("kernel", run->job.kernel);
    row_text("arguments", run->job.scalars);
    row_sizes("global", run->job.global);
    row_sizes("local", run->job.local);
    row_number("lanes", run->model.lanes);
    row_text("rule", mistake_rule(run, mistake)->id);
    row_text("kind", kind);
    row_text("message", message);
    if (has_place) {
        row_text("file", run->job.code->sites[mistake->one.site].place.file);
        row_record(run, &mistake->one, first);
    }
    if (has_other)
        row_record(run, &mistake->other, second);
    row_object(run, mistake);
    if (has_bytes(run, mistake)) {
        row_signed("first_byte", mistake->byte);
        row_signed("last_byte", mistake->byte + (int64_t)mistake->bytes - 1);
    }
    row_number("times", mistake->times);
    if (strcmp(row, "mistake") == 0)
        row_text("hint", term(mistake_hint(run, mistake)));
    if (has_place)
        row_text("text", text_at(run, mistake->one.site));
    if (has_other)
        row_text("other_text", text_at(run, mistake->other.site));
    row_more(run, mistake);
    if (report)
        row_text("report", report);
    row_end();
    free(kind);
    free(title);
}

static void row_note(const struct run *run, const struct mistake *note) {
    char *report = mistake_note_in_words(run, note);
    row_mistake(run, note, "note", report);
    free(report);
}

void mistake_rows(const struct run *run) {
    char **reports = mistakes_in_words(run);
    written += run->mistakes.count;
    for (size_t i = 0; i < run->mistakes.count; i++) {
        row_mistake(run, &run->mistakes.all[i], "mistake", reports[i]);
        free(reports[i]);
    }
    for (size_t i = 0; i < run->mistakes.note_count; i++)
        row_note(run, &run->mistakes.notes[i]);
    free(reports);
}

size_t mistake_rows_written(void) {
    return written;
}

void mistake_rows_add(size_t count) {
    written += count;
}
