#include "measure/format.h"

#include "text/json.h"

#include <stdarg.h>

static const struct {
    const char *name;
    bool is_number;
} columns[COLUMNS] = {[STEP] = {"step", false},
                      [VARIANT] = {"variant", false},
                      [DEVICE] = {"device", false},
                      [SIZE] = {"size", true},
                      [REPEATS] = {"repeats", true},
                      [MEDIAN_MS] = {"median_ms", true},
                      [FASTEST_MS] = {"fastest_ms", true},
                      [SLOWEST_MS] = {"slowest_ms", true},
                      [RATE] = {"rate", true},
                      [UNIT] = {"unit", false},
                      [PERCENT_OF_LIMIT] = {"percent_of_limit", true},
                      [RESULT] = {"result", false},
                      [NOTE] = {"note", false},
                      [COUNTED] = {"counted", true},
                      [H200_MS] = {"h200_ms", true},
                      [H200_PERCENT] = {"h200_percent_of_limit", true}};

void cell_set(struct cells *cells, enum column column, const char *format, ...) {
    va_list values;
    va_start(values, format);
    vsnprintf(cells->text[column], sizeof cells->text[column], format, values);
    va_end(values);
}

/* CSV doubles a quotation mark (RFC 4180). */
static void print_quoted(FILE *out, const char *text) {
    fputc('"', out);
    for (const char *c = text; *c; c++) {
        if (*c == '"')
            fputc('"', out);
        fputc(*c, out);
    }
    fputc('"', out);
}

/* TSV has no quotation marks: what would end a cell or a row becomes a blank. */
static void print_plain(FILE *out, const char *text) {
    for (const char *c = text; *c; c++)
        fputc(*c == '\t' || *c == '\n' || *c == '\r' ? ' ' : *c, out);
}

void format_heading(FILE *out, enum format format) {
    const char between = format == FORMAT_CSV ? ',' : '\t';
    for (int i = 0; i < COLUMNS && format != FORMAT_JSON; i++)
        fprintf(out, "%s%c", columns[i].name, i + 1 == COLUMNS ? '\n' : between);
}

static void print_json(FILE *out, const struct cells *cells) {
    struct json json = {.out = out, .spaced = true};
    json_open(&json, '{');
    for (int i = 0; i < COLUMNS; i++) {
        json_name(&json, columns[i].name);
        (columns[i].is_number ? json_number : json_text)(&json, cells->text[i]);
    }
    json_close(&json, '}');
    fputc('\n', out);
}

void format_row(FILE *out, enum format format, const struct cells *cells) {
    if (format == FORMAT_JSON) {
        print_json(out, cells);
        return;
    }
    for (int i = 0; i < COLUMNS; i++) {
        if (format == FORMAT_TSV)
            print_plain(out, cells->text[i]);
        else if (columns[i].is_number)
            fputs(cells->text[i], out);
        else
            print_quoted(out, cells->text[i]);
        fputs(i + 1 == COLUMNS ? "\n" : format == FORMAT_CSV ? "," : "\t", out);
    }
}
