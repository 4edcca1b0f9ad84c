#include "measure/format.h"

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

/* JSON escapes with a backslash, and control characters by their number (RFC 8259,
 * section 7); CSV doubles a quotation mark (RFC 4180). */
static void print_quoted(FILE *out, enum format format, const char *text) {
    fputc('"', out);
    for (const char *c = text; *c; c++) {
        if (format == FORMAT_CSV && *c == '"')
            fputc('"', out);
        else if (format == FORMAT_JSON && (*c == '"' || *c == '\\'))
            fputc('\\', out);
        if (format == FORMAT_JSON && (unsigned char)*c < 0x20)
            fprintf(out, "\\u%04x", (unsigned)*c);
        else
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

void format_row(FILE *out, enum format format, const struct cells *cells) {
    const char *between = format == FORMAT_CSV    ? ","
                          : format == FORMAT_JSON ? ", "
                                                  : "\t";
    const char *unknown = format == FORMAT_JSON ? "null" : "";
    fputs(format == FORMAT_JSON ? "{" : "", out);
    for (int i = 0; i < COLUMNS; i++) {
        const char *text = cells->text[i];
        fputs(i > 0 ? between : "", out);
        if (format == FORMAT_JSON)
            fprintf(out, "\"%s\": ", columns[i].name);
        if (columns[i].is_number)
            fputs(*text ? text : unknown, out);
        else if (format == FORMAT_TSV)
            print_plain(out, text);
        else
            print_quoted(out, format, text);
    }
    fputs(format == FORMAT_JSON ? "}\n" : "\n", out);
}
