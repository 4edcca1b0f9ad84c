/* settings: reads what words.c left in the environment. */
#define _GNU_SOURCE /* fdopen, strtok_r */
#include "settings.h"
#include "base/rows.h"
#include "judge/judging.h"
#include "measure/terminal.h"
#include "report/comparison.h"
#include "report/view.h"

#include <ctype.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct settings chosen;
const struct settings *const settings = &chosen;

const char *settings_variable(const char *field, char room[VARIABLE_ROOM]) {
    snprintf(room, VARIABLE_ROOM, "LENS_%s", field);
    for (char *letter = room; *letter; letter++)
        *letter = (char)toupper((unsigned char)*letter);
    return room;
}

/* What an option was given as; NULL: it was not. */
static const char *given(const char *field) {
    char room[VARIABLE_ROOM];
    return getenv(settings_variable(field, room));
}

/* ---- From what was given to a field, for each kind in settings.def. */
static bool flag_from(const char *text) {
    return text != NULL;
}

static const char *text_from(const char *text) {
    return text;
}

static size_t count_from(const char *text) {
    return text ? strtoul(text, NULL, 10) : 0;
}

/* "32", or "32,64". */
static struct widths widths_from(const char *text) {
    struct widths widths = {.count = 0};
    for (const char *p = text ? text : "32"; *p && widths.count < MAX_WIDTHS;) {
        char *end;
        widths.lanes[widths.count++] = (unsigned)strtoul(p, &end, 10);
        p = *end ? end + 1 : end;
    }
    return widths;
}

static enum report_format format_from(const char *text) {
    return text && strcmp(text, "json") == 0    ? JSON
           : text && strcmp(text, "tsv") == 0   ? TSV
           : text && strcmp(text, "sarif") == 0 ? SARIF
                                                : TEXT;
}

static enum order order_from(const char *text) {
    return order_called(text);
}

static FILE *open_output(void) {
    const char *number = getenv("LENS_OUT");
    const int out = number ? atoi(number) : STDERR_FILENO;
    FILE *file = out == STDERR_FILENO ? stderr : fdopen(out, "w");
    return file ? file : stderr;
}

void settings_read(void) {
    chosen = (struct settings){
#define OPTION(whose, name, value, kind, take, choices, help)                          \
    .name = kind##_from(given(#name)),
#include "settings.def"
        .lanes_given = flag_from(given("lanes")),
        .order_given = flag_from(given("order")),
        .alone = flag_from(getenv("LENS_ALONE")),
        .checked = flag_from(getenv("LENS_CHECKED")),
        .debug = flag_from(getenv("LENS_DEBUG")),
        .defines = getenv("LENS_DEFINES"),
        .clang = getenv("LENS_CLANG"),
        .called = getenv("LENS_CALLED"),
        .out = open_output(),
    };
    if (!chosen.local)
        chosen.local = chosen.block; /* one size, by two names */
    if (chosen.format == TEXT)
        chosen.out = terminal_fit(chosen.out);
    chosen.beside = chosen.ours && !chosen.all_sizes;
    chosen.strict |= chosen.beside; /* it tells mistakes apart by their races */
    chosen.races |= chosen.beside || chosen.all_sizes;
    chosen.watched = chosen.races || chosen.instead;
    chosen.compare &= !chosen.beside;
}

void settings_usual_lanes(unsigned lanes) {
    if (!chosen.lanes_given)
        chosen.lanes.lanes[0] = lanes;
}

void settings_apply(void) {
    rows_begin(settings->format == JSON    ? ROWS_JSON
               : settings->format == TSV   ? ROWS_TSV
               : settings->format == SARIF ? ROWS_UNSEEN
                                           : NO_ROWS,
               settings->out);
    judging_begin((struct judging){.fail_on = settings->fail_on,
                                   .baseline = settings->baseline,
                                   .sarif = settings->format == SARIF,
                                   .checked = settings->checked});
    code_use((struct compiling){.clang = settings->clang,
                                .cache = getenv("LENS_CACHE"),
                                .watched = settings->watched,
                                .indices = settings->races && !settings->beside,
                                .debug = settings->debug});
    view_begin((struct view){.lanes = settings->lanes.lanes[0],
                             .widths = settings->lanes,
                             .out = settings->out,
                             .all = settings->all,
                             .pages = settings->pages,
                             .banks = settings->banks,
                             .whole = settings->whole,
                             .listed = !settings->table && settings->lanes.count == 1 &&
                                       (settings->all || settings->kernel),
                             .mistakes = settings->races,
                             .results = settings->compare,
                             .alone = settings->alone,
                             .against = settings->against,
                             .checked = settings->checked,
                             .called = settings->called,
                             .svg = settings->svg,
                             .html = settings->html});
    if (settings->instead)
        comparison_begin(settings->instead, NULL, false);
    else if (settings->all_sizes)
        comparison_totals(settings->total);
    else if (settings->beside)
        comparison_begin(settings->ours, settings->mistake, settings->each);
}

void settings_device(const char *gpu) {
    static const char usual[] = "nvidia-h200";
    const char *name = settings->as ? settings->as : gpu ? gpu : usual;
    view_as(strcmp(name, "none") == 0 ? NULL : profile_of(name));
}

struct run settings_run(struct recording *recording) {
    const bool is_usual = !settings->beside && !settings->instead && !settings->html &&
                          !settings->order_given;
    return (struct run){.model = {.lanes = settings->lanes.lanes[0],
                                  .order = settings->order,
                                  .groups = settings->groups,
                                  .whole = settings->compare || settings->instead,
                                  .neighbours = settings->races,
                                  .patience = settings->all_sizes ? IMPATIENT : PATIENT,
                                  .one_of_many = settings->all_sizes},
                        .asked = {.counts = !settings->all_sizes,
                                  .mistakes = settings->races,
                                  .notes_too = settings->strict,
                                  .endless = settings->races && !settings->beside,
                                  .backward = settings->races && is_usual,
                                  .must_end = settings->beside || settings->instead,
                                  .reads = settings->ours && !settings->each,
                                  .recording = settings->html ? recording : NULL}};
}

bool settings_include(const char *kernel) {
    char *patterns = settings->kernel ? strdup(settings->kernel) : NULL, *rest = NULL;
    bool included = !patterns;
    for (char *pattern = patterns ? strtok_r(patterns, "\n", &rest) : NULL; pattern;
         pattern = strtok_r(NULL, "\n", &rest))
        included |= fnmatch(pattern, kernel, 0) == 0;
    free(patterns);
    return included;
}
