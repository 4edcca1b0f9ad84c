/* settings: reads what main.c left in the environment. */
#define _GNU_SOURCE /* fdopen, strtok_r */
#include "settings.h"
#include "base/rows.h"
#include "measure/terminal.h"
#include "report/comparison.h"
#include "report/view.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

static struct settings chosen;
const struct settings *const settings = &chosen;

static size_t number_from(const char *name, size_t otherwise) {
    const char *text = getenv(name);
    return text ? strtoul(text, NULL, 10) : otherwise;
}

/* "32", or "32,64": main.c has looked at them. */
static struct widths widths_from(const char *name) {
    const char *text = getenv(name);
    struct widths widths = {.count = 0};
    for (const char *p = text ? text : "32"; *p && widths.count < MAX_WIDTHS;) {
        char *end;
        widths.lanes[widths.count++] = (unsigned)strtoul(p, &end, 10);
        p = *end ? end + 1 : end;
    }
    return widths;
}

static FILE *open_output(void) {
    const int out = (int)number_from("LENS_OUT", 2);
    FILE *file = out == 2 ? stderr : fdopen(out, "w");
    return file ? file : stderr;
}

void settings_read(void) {
    const char *format = getenv("LENS_FORMAT");
    chosen = (struct settings){
        .widths = widths_from("LENS_LANES"),
        .groups = number_from("LENS_GROUPS", 0),
        .ours = getenv("LENS_OURS"),
        .mistakes = getenv("LENS_MISTAKES"),
        .replacement = getenv("LENS_INSTEAD"),
        .each = getenv("LENS_EACH") != NULL,
        .all = getenv("LENS_ALL") != NULL,
        .table = getenv("LENS_TABLE") != NULL,
        .waits = getenv("LENS_WAITS") != NULL,
        .all_launches = getenv("LENS_ALL_LAUNCHES") != NULL,
        .give_up = getenv("LENS_GIVE_UP") != NULL,
        .pages = getenv("LENS_PAGES") != NULL,
        .banks = getenv("LENS_BANKS") != NULL,
        .whole = getenv("LENS_WHOLE") != NULL,
        .called = getenv("LENS_CALLED"),
        .strict = getenv("LENS_STRICT") != NULL,
        .format = format && strcmp(format, "json") == 0  ? JSON
                  : format && strcmp(format, "tsv") == 0 ? TSV
                                                         : TEXT,
        .kernels = getenv("LENS_KERNELS"),
        .svg = getenv("LENS_SVG"),
        .html = getenv("LENS_HTML"),
        .clang = getenv("LENS_CLANG"),
        .out = open_output(),
        .global = getenv("LENS_GLOBAL"),
        .local = getenv("LENS_LOCAL"),
        .build = getenv("LENS_BUILD"),
        .defines = getenv("LENS_DEFINES"),
        .check = getenv("LENS_CHECK") != NULL,
        .order = order_called(getenv("LENS_ORDER")),
        .all_sizes = getenv("LENS_ALL_SIZES") != NULL,
        .lanes_given = getenv("LENS_LANES") != NULL,
        .order_given = getenv("LENS_ORDER") != NULL,
        .alone = getenv("LENS_ALONE") != NULL,
        .debug = getenv("LENS_DEBUG") != NULL,
    };
    if (chosen.format == TEXT)
        chosen.out = terminal_fit(chosen.out);
    chosen.beside = chosen.ours != NULL;
    chosen.instead = chosen.replacement != NULL;
    chosen.strict |= chosen.beside; /* it tells mistakes apart by their races */
    chosen.races = getenv("LENS_RACES") || chosen.beside || chosen.all_sizes;
    chosen.watched = chosen.races || chosen.instead;
    chosen.compare = getenv("LENS_COMPARE") && !chosen.beside;
}

void settings_apply(void) {
    rows_begin(settings->format == JSON  ? ROWS_JSON
               : settings->format == TSV ? ROWS_TSV
                                         : NO_ROWS,
               settings->out);
    code_use((struct compiling){.clang = settings->clang,
                                .watched = settings->watched,
                                .indices = settings->races && !settings->beside,
                                .debug = settings->debug});
    view_begin((struct view){.lanes = settings->widths.lanes[0],
                             .widths = settings->widths,
                             .out = settings->out,
                             .all = settings->all,
                             .pages = settings->pages,
                             .banks = settings->banks,
                             .whole = settings->whole,
                             .listed = !settings->table &&
                                       settings->widths.count == 1 &&
                                       (settings->all || settings->kernels),
                             .mistakes = settings->races,
                             .results = settings->compare,
                             .alone = settings->alone,
                             .called = settings->called,
                             .svg = settings->svg,
                             .html = settings->html});
    if (settings->instead)
        comparison_begin(settings->replacement, NULL, false);
    else if (settings->beside)
        comparison_begin(settings->ours, settings->mistakes, settings->each);
}

struct run settings_run(struct recording *recording) {
    const bool is_usual = !settings->beside && !settings->instead && !settings->html &&
                          !settings->order_given;
    return (struct run){.model = {.lanes = settings->widths.lanes[0],
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
                                  .recording = settings->html ? recording : NULL}};
}

bool settings_include(const char *kernel) {
    char *patterns = settings->kernels ? strdup(settings->kernels) : NULL, *rest = NULL;
    bool included = !patterns;
    for (char *pattern = patterns ? strtok_r(patterns, "\n", &rest) : NULL; pattern;
         pattern = strtok_r(NULL, "\n", &rest))
        included |= fnmatch(pattern, kernel, 0) == 0;
    free(patterns);
    return included;
}
