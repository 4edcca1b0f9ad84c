/* table: first the answer, a line for each launch that matters; then the worst access
 * of all of them. */
#define _GNU_SOURCE /* open_memstream */
#include "table.h"
#include "drawing.h"
#include "folded.h"
#include "options.h"
#include "summaries.h"

#include <stdlib.h>
#include <string.h>

enum { WIDTH = 96 }; /* of the table */

/* ---- Columns.  A cell is empty where nothing was counted. */
enum { CELL = 48 };

static void write_cost(char cell[CELL], struct cost cost) {
    if (cost.ideal)
        snprintf(cell, CELL, "%llu (%llu)", (unsigned long long)cost.is,
                 (unsigned long long)cost.ideal);
}

static void write_items(char cell[CELL], const struct summary *summary) {
    snprintf(cell, CELL, "%s", summary->sizes);
}

static void write_busy(char cell[CELL], const struct summary *summary) {
    snprintf(cell, CELL, "%.1f", summary->busy);
}

static void write_sectors(char cell[CELL], const struct summary *summary) {
    write_cost(cell, summary->sectors);
}

static void write_passes(char cell[CELL], const struct summary *summary) {
    write_cost(cell, summary->passes);
}

static void write_branches(char cell[CELL], const struct summary *summary) {
    if (summary->branches)
        snprintf(cell, CELL, "%llu of %llu", (unsigned long long)summary->diverged,
                 (unsigned long long)summary->branches);
}

static void write_barriers(char cell[CELL], const struct summary *summary) {
    if (summary->barriers > 0)
        snprintf(cell, CELL, "%.4g", summary->barriers);
}

static void write_atomics(char cell[CELL], const struct summary *summary) {
    if (summary->atomics)
        snprintf(cell, CELL, "%llu (%llu)", (unsigned long long)summary->atomics,
                 (unsigned long long)summary->most_on_one);
}

static void write_constants(char cell[CELL], const struct summary *summary) {
    write_cost(cell, summary->addresses);
}

static void write_sample(char cell[CELL], const struct summary *summary) {
    if (summary->replayed < summary->groups)
        snprintf(cell, CELL, "%zu of %zu", summary->replayed, summary->groups);
}

static const struct column {
    const char *title, *below;
    void (*write)(char cell[CELL], const struct summary *summary);
} columns[] = {
    {"work-items", "in groups of", write_items},
    {"lanes", "busy", write_busy},
    {"sectors", "(ideal)", write_sectors},
    {"passes", "(ideal)", write_passes},
    {"branches", "diverged", write_branches},
    {"barriers", "a group", write_barriers},
    {"atomics", "(on one)", write_atomics},
    {"groups", "replayed", write_sample},
    {"constant", "(ideal)", write_constants},
};
enum { COLUMNS = sizeof columns / sizeof *columns };

static size_t longer(size_t one, size_t other) {
    return one > other ? one : other;
}

/* 0: no line has anything in that column, so it is left out. */
static size_t width_of(const struct column *column) {
    size_t width = 0;
    for (size_t i = 0; i < summaries.count; i++) {
        char cell[CELL] = "";
        if (summaries.all[i]->shown)
            column->write(cell, summaries.all[i]);
        width = longer(width, strlen(cell));
    }
    return width ? longer(width, longer(strlen(column->title), strlen(column->below)))
                 : 0;
}

/* ---- The table. */

/* Prints a line without the blanks at its end. */
static void print_line(char *line) {
    size_t length = strlen(line);
    while (length > 0 && line[length - 1] == ' ')
        length--;
    fprintf(options->out, "%.*s\n", (int)length, line);
    free(line);
}

static void print_titles(const size_t widths[COLUMNS], size_t label_width, bool below) {
    char *line = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&line, &bytes);
    fprintf(out, "%-*s", (int)label_width, below ? "kernel" : "");
    for (size_t c = 0; c < COLUMNS; c++)
        if (widths[c])
            fprintf(out, "  %*s", (int)widths[c],
                    below ? columns[c].below : columns[c].title);
    fclose(out);
    print_line(line);
}

static void print_launch(const struct summary *summary, const size_t widths[COLUMNS],
                         size_t label_width, bool with_name) {
    char *line = NULL, *label = summary_label(summary, with_name);
    size_t bytes = 0;
    FILE *out = open_memstream(&line, &bytes);
    fprintf(out, "%-*s", (int)label_width, label);
    for (size_t c = 0; c < COLUMNS; c++) {
        char cell[CELL] = "";
        columns[c].write(cell, summary);
        if (widths[c])
            fprintf(out, "  %*s", (int)widths[c], cell);
    }
    fclose(out);
    free(label);
    print_line(line);
}

static size_t label_width(bool with_name) {
    size_t width = strlen("kernel");
    for (size_t i = 0; i < summaries.count; i++) {
        char *label = summary_label(summaries.all[i], with_name);
        if (summaries.all[i]->shown)
            width = longer(width, strlen(label));
        free(label);
    }
    return width;
}

/* Where names are too long for the lines, each is above the lines of its kernel. */
static void print_launches(void) {
    size_t widths[COLUMNS], cells = 0;
    const struct summary *before = NULL;
    for (size_t c = 0; c < COLUMNS; c++) {
        widths[c] = width_of(&columns[c]);
        cells += widths[c] ? widths[c] + 2 : 0;
    }
    const bool with_name = label_width(true) + cells <= WIDTH;
    const size_t width = label_width(with_name);
    print_titles(widths, width, false);
    print_titles(widths, width, true);
    for (size_t i = 0; i < summaries.count; i++) {
        const struct summary *summary = summaries.all[i];
        if (!summary->shown)
            continue;
        if (!with_name && (!before || !summary_same_kernel(before, summary)))
            fprintf(options->out, "%s\n", summary->kernel);
        print_launch(summary, widths, width, with_name);
        before = summary;
    }
}

/* ---- The picture. */
static void draw(const struct summary *summary, struct picture *picture,
                 const char *what) {
    char title[sizeof picture->title];
    char *label = summary_label(summary, true);
    snprintf(title, sizeof title, "%s: %.48s, %.90s", what, label, picture->title);
    strcpy(picture->title, title);
    free(label);
    fputc('\n', options->out);
    draw_picture(picture);
    picture->rows = NULL;
}

/* An access that is worse than its ideal; or else a divergence; or else a load. */
static void draw_worst(void) {
    struct summary *worst = NULL, *divergence = NULL, *load = NULL;
    for (size_t i = 0; i < summaries.count; i++) {
        struct summary *summary = summaries.all[i];
        if (!summary->shown)
            continue;
        if (summary->worst.picture.rows &&
            (!worst || is_worse(summary->worst.cost, worst->worst.cost)))
            worst = summary;
        if (summary->divergence.picture.rows &&
            (!divergence ||
             summary->divergence.cost.is > divergence->divergence.cost.is))
            divergence = summary;
        if (summary->first_load.picture.rows &&
            (!load || summary->first_load.cost.is > load->first_load.cost.is))
            load = summary;
    }
    if (worst)
        draw(worst, &worst->worst.picture, "The worst access");
    else if (divergence)
        draw(divergence, &divergence->divergence.picture, "Lanes wait");
    else if (load)
        draw(load, &load->first_load.picture, "No access is worse than its ideal");
}

/* Launches that differ from those that are shown in an argument are one line for each
 * kernel; returns how many others are not shown. */
static size_t fold_hidden(void) {
    size_t others = 0;
    for (size_t i = 0; i < summaries.count; i++) {
        const struct summary *summary = summaries.all[i];
        char *label = summary_label(summary, false);
        if (!summary->shown && strchr(label, '='))
            folded_add(summary->kernel, label, NULL);
        else
            others += !summary->shown;
        free(label);
    }
    return others;
}

void table_print(void) {
    if (summaries.count == 0)
        return;
    summaries_choose();
    const size_t hidden = fold_hidden();
    print_launches();
    folded_print(options->out);
    draw_worst();
    if (options->alone && summaries.count == 1 && *summaries.all[0]->sums)
        fprintf(options->out, "%s\n", summaries.all[0]->sums);
    if (hidden)
        fprintf(
            options->out,
            "%zu launch%s not shown: made less often, or more than %d of a kernel.\n",
            hidden, hidden == 1 ? " is" : "es are", MAX_LAUNCHES);
    fputs("--kernel NAME shows a kernel with its source lines, --all everything.\n",
          options->out);
}
