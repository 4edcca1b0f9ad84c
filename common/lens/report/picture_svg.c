/* picture_svg: the same rows of cells as in text, with a square for each cell. */
#define _GNU_SOURCE /* open_memstream */
#include "picture_svg.h"
#include "base/memory.h"
#include "text/svg.h"
#include "view.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The ground is that of the page around; by itself, a picture has the browser's own. */
static const char light[] =
    ".work{fill:#34b277}.many{fill:#222}.frame{fill:none;stroke:#555}.key{fill:#666}"
    ".label{text-anchor:end}.lane{fill:#fff;font-size:10px;text-anchor:middle}"
    ".several{fill:#fff}";
static const char dark[] = ".many{fill:#e7e5df}.frame{stroke:#999}.key{fill:#999}"
                           ".lane{fill:#fff}.several{fill:#111}";

/* The whole is written at the end, when its size is known. */
static struct {
    FILE *body;
    char *text;
    size_t bytes;
    unsigned y, right; /* where the next picture begins; where the longest text ends */
} svg;

enum { CELL = 13, FRAME = 2, ROW = 18, LEFT = 110, LETTER = 8, MIN_WIDTH = 820 };

/* The blank stands in all pictures that are stored. */
static const char NO_ATTRIBUTES[] = " ";

static void write_text(unsigned x, unsigned y, const char *attributes,
                       const char *text) {
    const unsigned end = x + LETTER * (unsigned)strlen(text);
    svg.right = end > svg.right ? end : svg.right;
    svg_text(svg.body, x, y, attributes, text);
}

/* What a row draws alike is one element: all cells that wait (or work) are one path,
 * and all letters are one text with a place for each. */
static void svg_path(const char *cells, char wanted, const char *style) {
    unsigned x = LEFT;
    if (!strchr(cells, wanted))
        return;
    fprintf(svg.body, "<path class=\"%s\" d=\"", style);
    for (; *cells; x += strchr("[]", *cells++) ? FRAME : CELL)
        if (*cells == wanted)
            fprintf(svg.body, "M%u %uh%dv%dh-%dz", x, svg.y, CELL - 1, ROW - 4,
                    CELL - 1);
    fputs("\"/>\n", svg.body);
}

static bool is_lane(char cell) {
    return !strchr("[] .#", cell);
}

/* A lane's number; several of them stay a "*". */
static void svg_lane_name(char name[4], char cell) {
    if (cell == '*')
        snprintf(name, 4, "*");
    else
        snprintf(name, 4, "%u", picture_lane(cell) % 100);
}

static void svg_letters(const char *cells) {
    unsigned x = LEFT + CELL / 2;
    if (cells[strspn(cells, "[] .#")] == '\0')
        return;
    fprintf(svg.body, "<text class=\"lane\" y=\"%u\">", svg.y + 11);
    for (; *cells; x += strchr("[]", *cells++) ? FRAME : CELL)
        if (is_lane(*cells)) {
            char name[4];
            svg_lane_name(name, *cells);
            fprintf(svg.body, "<tspan x=\"%u\"%s>%s</tspan>", x,
                    *cells == '*' ? " class=\"several\"" : "", name);
        }
    fputs("</text>\n", svg.body);
}

/* Lanes have the colours that they have in the page of --html. */
static void svg_lane(unsigned x, char cell, unsigned lanes) {
    char style[40] = "class=\"many\"";
    const unsigned turn = (picture_lane(cell) * 120 + lanes / 2) / lanes;
    if (cell != '*')
        snprintf(style, sizeof style, "fill=\"hsl(%u,48%%,36%%)\"", 188 + turn);
    fprintf(svg.body, "<rect x=\"%u\" y=\"%u\" width=\"%d\" height=\"%d\" %s/>\n", x,
            svg.y, CELL - 1, ROW - 4, style);
}

/* A sector has a frame, so that neighbours can be close together. */
static void svg_cells(const char *cells, unsigned lanes) {
    unsigned x = LEFT, begin = LEFT;
    svg_path(cells, '.', "idle");
    svg_path(cells, '#', "work");
    for (const char *cell = cells; *cell; x += strchr("[]", *cell++) ? FRAME : CELL) {
        if (is_lane(*cell))
            svg_lane(x, *cell, lanes);
        if (*cell == ']')
            fprintf(svg.body,
                    "<rect x=\"%u\" y=\"%u\" width=\"%u\" height=\"%d\" "
                    "class=\"frame\"/>\n",
                    begin, svg.y - 2, x - begin + 1, ROW - 1);
        begin = *cell == '[' ? x : begin;
    }
    svg_letters(cells);
}

void svg_draw(const struct picture *picture) {
    if (!svg.body)
        svg.body = open_memstream(&svg.text, &svg.bytes);
    svg.y += 2 * ROW;
    write_text(10, svg.y - 6, " font-weight=\"bold\"", picture->title);
    if (*picture->source) {
        write_text(10, svg.y + 12, NO_ATTRIBUTES, picture->source);
        svg.y += ROW + 4;
    }
    for (size_t i = 0; i < picture->row_count && i < MAX_ROWS; i++, svg.y += ROW) {
        const struct row *row = &picture->rows[i];
        const unsigned count = (unsigned)strlen(row->cells);
        write_text(LEFT - 8, svg.y + 12, " class=\"label\"", row->label);
        if (i == 0 && strcmp(row->label, "bank") == 0)
            for (unsigned bank = 0; bank < BANKS; bank += 8) {
                char text[4];
                snprintf(text, sizeof text, "%u", bank);
                write_text(LEFT + bank * CELL, svg.y + 12, NO_ATTRIBUTES, text);
            }
        else
            svg_cells(row->cells, picture->lanes);
        char remark[sizeof row->remark + sizeof row->more];
        snprintf(remark, sizeof remark, "%s%s", row->remark, row->more);
        write_text(LEFT + count * CELL + 12, svg.y + 12, NO_ATTRIBUTES, remark);
    }
    write_text(LEFT, svg.y + 14, " class=\"key\"", picture->svg_key);
    svg.y += ROW;
}

bool svg_print(FILE *file, bool styled) {
    if (!svg.body || fflush(svg.body) != 0)
        return false;
    svg_begin(file, (struct svg_head){
                        .width = svg.right > MIN_WIDTH ? svg.right : MIN_WIDTH,
                        .height = svg.y + ROW,
                        .light = styled ? light : NULL,
                        .dark = dark,
                    });
    fputs(svg.text, file);
    fputs(SVG_END, file);
    return true;
}

bool svg_end(void) {
    if (!svg.body || !view.svg)
        return false;
    FILE *file = fopen(view.svg, "w");
    if (!file)
        lens_die("cannot write %s: %s" HINT "give --svg another file", view.svg,
                 strerror(errno));
    svg_print(file, true);
    const bool written = !ferror(file);
    if (fclose(file) != 0 || !written)
        lens_die("cannot write %s: %s" HINT "is the disk full?", view.svg,
                 strerror(errno));
    return true;
}
