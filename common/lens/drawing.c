#include "drawing.h"

#include "measure/terminal.h"
#include "options.h"
#include "svg.h"

#include <stdlib.h>
#include <string.h>

/* As https://no-color.org asks for. */
static bool has_colours(void) {
    const char *none = getenv("NO_COLOR"), *terminal = getenv("TERM");
    return terminal_is(options->out) && !(none && *none) &&
           !(terminal && strcmp(terminal, "dumb") == 0);
}

static void draw_text(const struct picture *picture) {
    const bool colour = has_colours();
    int width = 0;
    for (size_t i = 0; i < picture->row_count; i++)
        width = (int)strlen(picture->rows[i].label) > width
                    ? (int)strlen(picture->rows[i].label)
                    : width;
    fprintf(options->out, "  %s\n", picture->title);
    if (*picture->source)
        fprintf(options->out, "    %s\n", picture->source);
    for (size_t i = 0; i < picture->row_count && i < MAX_ROWS; i++) {
        const struct row *row = &picture->rows[i];
        fprintf(options->out, "    %*s  ", width, row->label);
        for (const char *cell = row->cells; *cell; cell++)
            if (colour)
                fprintf(options->out, "\033[%sm%c\033[0m",
                        strchr(".[] ", *cell) ? "2" : "1;32", *cell);
            else
                fputc(*cell, options->out);
        fprintf(options->out, "%s%s\n", *row->remark ? "  " : "", row->remark);
    }
    if (picture->row_count > MAX_ROWS)
        fprintf(options->out, "    ... %zu more\n", picture->row_count - MAX_ROWS);
    fprintf(options->out, "    (%s)\n\n", picture->key);
}

void draw_picture(struct picture *picture) {
    if (options->format == TEXT)
        draw_text(picture);
    if (options->svg || options->html)
        svg_draw(picture);
    free(picture->rows);
}
