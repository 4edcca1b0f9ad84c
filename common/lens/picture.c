/* picture: draws what lanes do as rows of small cells, first as text.  The SVG is the
 * same rows, with a square for each cell. */
#define _GNU_SOURCE /* open_memstream, fileno */
#include "picture.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ROWS_MOST = 33, ROW_CELLS = 32 }; /* of a picture; of a row, gaps aside */

/* Lanes have one letter each. */
static char letter(unsigned lane) {
    static const char letters[] =
        "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ+-";
    return letters[lane % LANES_MOST];
}

/* How many lanes touch these bytes, and the first of them. */
static char toucher(const struct example *lanes, uint64_t address, size_t bytes) {
    unsigned count = 0;
    char found = '.';
    for (unsigned i = 0; i < lanes->lane_count; i++) {
        const struct touch *touch = &lanes->lanes[i];
        if (touch->offset < address + bytes && touch->offset + touch->bytes > address)
            found = ++count == 1 ? letter(touch->lane) : '*';
    }
    return found;
}

static struct row *add_row(struct picture *picture) {
    struct row *row = GROW(picture->rows, picture->row_count);
    *row = (struct row){.label = ""};
    return row;
}

static void draw_sector(struct row *row, const struct example *lanes, uint64_t begin,
                        size_t cell) {
    size_t used = strlen(row->cells);
    row->cells[used++] = '[';
    for (size_t byte = 0; byte < SECTOR; byte += cell)
        row->cells[used++] = toucher(lanes, begin + byte, cell);
    row->cells[used++] = ']';
}

/* Sectors in order; neighbours side by side, a gap where others lie between. */
static void draw_sectors(struct picture *picture, const struct example *lanes,
                         const struct object *object) {
    const size_t cell = lanes->lanes[0].bytes < WORD ? lanes->lanes[0].bytes : WORD;
    const size_t most = ROW_CELLS * cell / SECTOR > 1 ? ROW_CELLS * cell / SECTOR : 1;
    struct row *row = NULL;
    uint64_t next = 0; /* the sector behind the last one that was drawn */
    size_t in_row = 0;
    for (unsigned i = 0; i < lanes->lane_count; i++) {
        const struct touch *touch = &lanes->lanes[i];
        uint64_t sector = touch->offset / SECTOR * SECTOR;
        for (sector = sector < next ? next : sector;
             sector < touch->offset + touch->bytes; sector += SECTOR) {
            if (!row || in_row == most) {
                row = add_row(picture);
                in_row = 0;
                snprintf(row->label, sizeof row->label, "%.12s[%llu]", object->name,
                         (unsigned long long)(sector / touch->bytes));
            } else if (sector != next) {
                strcat(row->cells, "  ");
            }
            draw_sector(row, lanes, sector, cell);
            next = sector + SECTOR;
            in_row++;
        }
    }
}

/* Each word in the column of its bank; words of one bank below each other. */
static void draw_banks(struct picture *picture, const struct example *lanes) {
    size_t used[BANKS] = {0};
    uint64_t next = 0;
    struct row *head = add_row(picture);
    strcpy(head->label, "bank");
    for (int bank = 0; bank < BANKS; bank += 8)
        sprintf(head->cells + bank, "%-8d", bank);
    for (unsigned i = 0; i < lanes->lane_count; i++) {
        const struct touch *touch = &lanes->lanes[i];
        uint64_t word = touch->offset / WORD;
        for (word = word < next ? next : word;
             word * WORD < touch->offset + touch->bytes; word++) {
            const size_t bank = word % BANKS, pass = ++used[bank];
            if (pass == picture->row_count) {
                struct row *row = add_row(picture);
                snprintf(row->label, sizeof row->label, "pass %zu", pass);
                memset(row->cells, '.', BANKS);
            }
            picture->rows[pass].cells[bank] = toucher(lanes, word * WORD, WORD);
            next = word + 1;
        }
    }
}

struct picture picture_access(const struct replay *replay, const struct fact *fact) {
    const struct object *object = &replay->objects[fact->object];
    const struct example *lanes = &fact->sum.example;
    const bool local = object->space == LOCAL;
    struct picture picture = {.rows = NULL};
    if (local)
        draw_banks(&picture, lanes);
    else
        draw_sectors(&picture, lanes, object);
    const uint64_t sectors = cells_touched(lanes, SECTOR, NULL);
    const uint64_t pieces = local ? picture.row_count - 1 : sectors;
    snprintf(picture.title, sizeof picture.title,
             "line %u, %s %s: %u lane%s, %llu %s%s", fact->site.place.line,
             kind_names[fact->site.kind], object->name, lanes->lane_count,
             lanes->lane_count == 1 ? "" : "s", (unsigned long long)pieces,
             local ? "pass" : "sector",
             pieces == 1 ? ""
             : local     ? "es"
                         : "s");
    static const char *const idle[] = {"moved, but not used", "nobody"};
    const char *letters = wishes.lanes == 64   ? "0 to 9, a to z, A to Z, +, -"
                          : wishes.lanes == 32 ? "0 to 9, a to v"
                          : wishes.lanes == 16 ? "0 to 9, a to f"
                                               : "0 to 7";
    snprintf(picture.key, sizeof picture.key, "%s: lanes; *: several; .: %s", letters,
             idle[local]);
    snprintf(picture.svg_key, sizeof picture.svg_key, "%s: lanes; *: several; grey: %s",
             letters, idle[local]);
    return picture;
}

static void draw_step(struct picture *picture, const struct replay *replay,
                      struct place place, uint64_t lanes, uint64_t all) {
    struct row *row = add_row(picture);
    const char *text = source_line(replay, place);
    snprintf(row->label, sizeof row->label, "%u", place.line);
    for (unsigned i = 0; i < wishes.lanes; i++)
        row->cells[i] = lanes >> i & 1 ? '#' : all >> i & 1 ? '.' : ' ';
    snprintf(row->remark, sizeof row->remark, "%s", text + strspn(text, " \t"));
}

struct picture picture_chart(const struct replay *replay, const struct fact *fact) {
    const struct chart *chart = fact->branch.chart;
    struct picture picture = {.rows = NULL};
    draw_step(&picture, replay, fact->site.place, chart->lanes, chart->lanes);
    for (size_t i = 1; i < chart->step_count && picture.row_count < ROWS_MOST; i++) {
        const struct block *block = &replay->code->blocks[chart->steps[i].block];
        const bool together = chart->steps[i].lanes == chart->lanes;
        for (size_t p = 0; p < block->place_count; p++)
            if (!together || p == 0)
                draw_step(&picture, replay, block->places[p], chart->steps[i].lanes,
                          chart->lanes);
    }
    snprintf(picture.title, sizeof picture.title,
             "line %u diverges: the lanes of a warp take turns", fact->site.place.line);
    snprintf(picture.key, sizeof picture.key, "#: works; .: waits");
    snprintf(picture.svg_key, sizeof picture.svg_key, "green: works; grey: waits");
    return picture;
}

/* ---- Drawing. */
static void draw_text(const struct picture *picture) {
    const bool colour = isatty(fileno(wishes.out));
    int width = 0;
    for (size_t i = 0; i < picture->row_count; i++)
        width = (int)strlen(picture->rows[i].label) > width
                    ? (int)strlen(picture->rows[i].label)
                    : width;
    fprintf(wishes.out, "  %s\n", picture->title);
    for (size_t i = 0; i < picture->row_count && i < ROWS_MOST; i++) {
        const struct row *row = &picture->rows[i];
        fprintf(wishes.out, "    %*s  ", width, row->label);
        for (const char *cell = row->cells; *cell; cell++)
            if (colour)
                fprintf(wishes.out, "\033[%sm%c\033[0m",
                        strchr(".[] ", *cell) ? "2" : "1;32", *cell);
            else
                fputc(*cell, wishes.out);
        fprintf(wishes.out, "%s%s\n", *row->remark ? "  " : "", row->remark);
    }
    if (picture->row_count > ROWS_MOST)
        fprintf(wishes.out, "    ... %zu more\n", picture->row_count - ROWS_MOST);
    fprintf(wishes.out, "    (%s)\n\n", picture->key);
}

/* The whole is written at the end, when its size is known. */
static struct {
    FILE *body;
    char *text;
    size_t bytes;
    unsigned y, right; /* where the next picture begins; where the longest text ends */
} svg;

enum { CELL = 11, FRAME = 2, ROW = 18, LEFT = 110, LETTER = 8, LEAST_WIDTH = 820 };

static void svg_text(unsigned x, unsigned y, const char *style, const char *text) {
    const unsigned end = x + LETTER * (unsigned)strlen(text);
    svg.right = end > svg.right ? end : svg.right;
    fprintf(svg.body, "<text x=\"%u\" y=\"%u\" %s>", x, y, style);
    for (; *text; text++)
        switch (*text) {
        case '<':
            fputs("&lt;", svg.body);
            break;
        case '>':
            fputs("&gt;", svg.body);
            break;
        case '&':
            fputs("&amp;", svg.body);
            break;
        default:
            fputc(*text, svg.body);
        }
    fputs("</text>\n", svg.body);
}

/* What a row draws alike is one element: all cells that wait (or work) are one path,
 * and all letters are one text with a place for each. */
static void svg_path(const char *cells, char wanted, const char *colour) {
    unsigned x = LEFT;
    if (!strchr(cells, wanted))
        return;
    fprintf(svg.body, "<path fill=\"%s\" d=\"", colour);
    for (; *cells; x += strchr("[]", *cells++) ? FRAME : CELL)
        if (*cells == wanted)
            fprintf(svg.body, "M%u %uh%dv%dh-%dz", x, svg.y, CELL - 1, ROW - 4,
                    CELL - 1);
    fputs("\"/>\n", svg.body);
}

static bool is_lane(char cell) {
    return !strchr("[] .#", cell);
}

static void svg_letters(const char *cells) {
    unsigned x = LEFT + CELL / 2;
    if (cells[strspn(cells, "[] .#")] == '\0')
        return;
    fprintf(svg.body, "<text class=\"lane\" y=\"%u\">", svg.y + 11);
    for (; *cells; x += strchr("[]", *cells++) ? FRAME : CELL)
        if (is_lane(*cells))
            fprintf(svg.body, "<tspan x=\"%u\">%c</tspan>", x, *cells);
    fputs("</text>\n", svg.body);
}

static void svg_lane(unsigned x, char cell) {
    static const char letters[] = "0123456789abcdefghijklmnopqrstuvwxyz";
    const char *lane = strchr(letters, cell);
    fprintf(svg.body,
            "<rect x=\"%u\" y=\"%u\" width=\"%d\" height=\"%d\" "
            "fill=\"hsl(%d,55%%,45%%)\"/>\n",
            x, svg.y, CELL - 1, ROW - 4, lane ? 190 + (int)(lane - letters) * 4 : 150);
}

/* A sector has a frame, so that neighbours can stand close together. */
static void svg_cells(const char *cells) {
    unsigned x = LEFT, begin = LEFT;
    svg_path(cells, '.', "#e4e4e4");
    svg_path(cells, '#', "hsl(150,55%,45%)");
    for (const char *cell = cells; *cell; x += strchr("[]", *cell++) ? FRAME : CELL) {
        if (is_lane(*cell))
            svg_lane(x, *cell);
        if (*cell == ']')
            fprintf(svg.body,
                    "<rect x=\"%u\" y=\"%u\" width=\"%u\" height=\"%d\" "
                    "fill=\"none\" stroke=\"#555\"/>\n",
                    begin, svg.y - 2, x - begin + 1, ROW - 1);
        begin = *cell == '[' ? x : begin;
    }
    svg_letters(cells);
}

static void draw_svg(const struct picture *picture) {
    if (!svg.body)
        svg.body = open_memstream(&svg.text, &svg.bytes);
    svg.y += 2 * ROW;
    svg_text(10, svg.y - 6, "font-weight=\"bold\"", picture->title);
    for (size_t i = 0; i < picture->row_count && i < ROWS_MOST; i++, svg.y += ROW) {
        const struct row *row = &picture->rows[i];
        const unsigned count = (unsigned)strlen(row->cells);
        svg_text(LEFT - 8, svg.y + 12, "class=\"label\"", row->label);
        if (i == 0 && strcmp(row->label, "bank") == 0)
            for (unsigned bank = 0; bank < BANKS; bank += 8) {
                char text[4];
                snprintf(text, sizeof text, "%u", bank);
                svg_text(LEFT + bank * CELL, svg.y + 12, "", text);
            }
        else
            svg_cells(row->cells);
        svg_text(LEFT + count * CELL + 12, svg.y + 12, "", row->remark);
    }
    svg_text(LEFT, svg.y + 14, "class=\"key\"", picture->svg_key);
    svg.y += ROW;
}

void picture_draw(struct picture *picture) {
    if (wishes.format == TEXT)
        draw_text(picture);
    if (wishes.svg)
        draw_svg(picture);
    free(picture->rows);
}

void pictures_end(void) {
    if (!svg.body)
        return;
    fclose(svg.body);
    FILE *file = fopen(wishes.svg, "w");
    if (!file)
        lens_die("cannot write %s: %s" HINT "give --svg another file", wishes.svg,
                 strerror(errno));
    fprintf(file,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%u\" height=\"%u\" "
            "font-family=\"monospace\" font-size=\"13\">\n"
            "<style>.lane{fill:#fff;font-size:10px;text-anchor:middle}"
            ".label{text-anchor:end}.key{fill:#777}</style>\n"
            "<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n%s</svg>\n",
            svg.right > LEAST_WIDTH ? svg.right : LEAST_WIDTH, svg.y + ROW, svg.text);
    if (fclose(file) != 0)
        lens_die("cannot write %s: %s" HINT "is the disk full?", wishes.svg,
                 strerror(errno));
    free(svg.text);
}
