#include "picture_text.h"
#include "base/rows.h"
#include "measure/terminal.h"
#include "picture_svg.h"
#include "view.h"

#include <stdlib.h>
#include <string.h>

/* As https://no-color.org asks for. */
static bool has_colours(void) {
    const char *none = getenv("NO_COLOR"), *terminal = getenv("TERM");
    return terminal_is(view.out) && !(none && *none) &&
           !(terminal && strcmp(terminal, "dumb") == 0);
}

size_t screen_columns(void) {
    enum { MOST = 96 };
    const size_t columns = terminal_columns(view.out);
    return columns && columns < MOST ? columns : MOST;
}

void print_hanging(const char *text, size_t indent) {
    size_t columns = screen_columns(), blanks = 0;
    while (*text) {
        size_t fits = strlen(text);
        if (fits > columns) {
            fits = columns;
            while (fits > 0 && text[fits] != ' ')
                fits--;
            if (fits <= strspn(text, " ")) /* a word that is longer than the screen */
                fits = strspn(text, " ") + strcspn(text + strspn(text, " "), " ");
        }
        size_t shown = fits;
        while (shown > 0 && text[shown - 1] == ' ')
            shown--;
        fprintf(view.out, "%*s%.*s\n", (int)blanks, "", (int)shown, text);
        text += fits + strspn(text + fits, " ");
        columns = screen_columns() - indent;
        blanks = indent;
    }
}

void print_wrapped(const char *text) {
    print_hanging(text, 0);
}

void print_command(const char *what, const char *lens_options) {
    const char *called = view.called;
    const size_t words = strlen(what) + 1 + strlen(lens_options),
                 more = called ? strlen(called) + strlen(" LENS_OPTIONS=\"\"") : 0;
    fprintf(view.out, "%s%s", what, words + more <= screen_columns() ? " " : "\n  ");
    if (called)
        fprintf(view.out, "%s LENS_OPTIONS=\"%s\"\n", called, lens_options);
    else
        fprintf(view.out, "%s\n", lens_options);
}

static void draw_cells(const char *cells) {
    const bool colour = has_colours();
    for (const char *cell = cells; *cell; cell++)
        if (colour)
            fprintf(view.out, "\033[%sm%c\033[0m", strchr(".[] ", *cell) ? "2" : "1;32",
                    *cell);
        else
            fputc(*cell, view.out);
}

/* Of a source line that does not fit beside the cells, the beginning is shown. */
static void draw_row(const struct row *row, int label_width) {
    const size_t columns = screen_columns(),
                 used = 4 + (size_t)label_width + 2 + strlen(row->cells) + 2 +
                        strlen(row->more),
                 room = used < columns ? columns - used : 0;
    size_t shown = strlen(row->remark) < room ? strlen(row->remark) : room;
    while (shown > 0 && row->remark[shown - 1] == ' ')
        shown--;
    fprintf(view.out, "    %*s  ", label_width, row->label);
    draw_cells(row->cells);
    if (*row->remark)
        fprintf(view.out, "  %.*s%s", (int)shown, row->remark, row->more);
    fputc('\n', view.out);
}

static void draw_rows(const struct picture *picture, size_t most) {
    int width = 0;
    for (size_t i = 0; i < picture->row_count; i++)
        width = (int)strlen(picture->rows[i].label) > width
                    ? (int)strlen(picture->rows[i].label)
                    : width;
    if (*picture->source)
        fprintf(view.out, "    %.*s\n", (int)screen_columns() - 4, picture->source);
    for (size_t i = 0; i < picture->row_count && i < most; i++)
        draw_row(&picture->rows[i], width);
}

static void draw_elsewhere(struct picture *picture) {
    if (view.svg || view.html)
        svg_draw(picture);
    free(picture->rows);
    picture->rows = NULL;
}

void draw_picture(struct picture *picture) {
    if (!rows_wanted()) {
        fprintf(view.out, "  %s\n", picture->title);
        draw_rows(picture, MAX_ROWS);
        if (picture->row_count > MAX_ROWS)
            fprintf(view.out, "    ... %zu more\n", picture->row_count - MAX_ROWS);
        fprintf(view.out, "    (%s)\n\n", picture->key);
    }
    draw_elsewhere(picture);
}

void draw_explained(struct picture *picture, bool alike) {
    enum { FIRST_ROWS = 9 }; /* eight, below the numbers of banks */
    const bool whole = !alike || view.whole || view.all;
    const size_t most = whole ? picture->row_count : FIRST_ROWS;
    char rest[64];
    print_wrapped(picture->title);
    draw_rows(picture, most);
    if (picture->row_count > most) {
        snprintf(rest, sizeof rest,
                 "    ... %zu more row%s like these:", picture->row_count - most,
                 picture->row_count - most == 1 ? "" : "s");
        print_command(rest, "--whole");
    }
    fputc('\n', view.out);
    print_wrapped(picture->legend);
    print_wrapped(picture->closing);
    fputc('\n', view.out);
    draw_elsewhere(picture);
}
