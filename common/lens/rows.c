/* rows: writes each field once, in the form that --format names.
 *
 * JSON has an object on each line, with the fields that the row has.  Tab-separated
 * values have a line with the names of all columns first; a field that a row lacks is
 * empty, never 0. */
#define _GNU_SOURCE /* asprintf */
#include "rows.h"
#include "lens.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static const char *const columns[] = {"row",
                                      "kernel",
                                      "arguments",
                                      "global",
                                      "local",
                                      "groups",
                                      "groups_replayed",
                                      "lanes",
                                      "busy_lanes",
                                      "barriers_per_group",
                                      "file",
                                      "line",
                                      "column",
                                      "memory",
                                      "name",
                                      "accesses",
                                      "sectors",
                                      "ideal_sectors",
                                      "lines_of_128",
                                      "used_bytes",
                                      "moved_bytes",
                                      "passes",
                                      "ideal_passes",
                                      "operations",
                                      "most_on_one_address",
                                      "lanes_at_one_address",
                                      "executions",
                                      "diverged",
                                      "per_group",
                                      "waits",
                                      "left",
                                      "idle_waits"};
enum { COLUMNS = sizeof columns / sizeof *columns };

static struct {
    char *fields[COLUMNS]; /* of the row at hand; NULL: it has no such field */
    bool titled;           /* the names of the columns are written */
} now;

double mean(uint64_t sum, uint64_t count) {
    return count ? (double)sum / (double)count : 0.0;
}

/* ---- JSON. */
static void json_name(const char *name) {
    fprintf(wishes.out, ",\"%s\":", name);
}

static void json_text(const char *text) {
    fputc('"', wishes.out);
    for (; *text; text++)
        if ((unsigned char)*text < ' ')
            fprintf(wishes.out, "\\u%04x", (unsigned)*text);
        else
            fprintf(wishes.out, strchr("\"\\", *text) ? "\\%c" : "%c", *text);
    fputc('"', wishes.out);
}

/* ---- Tab-separated values. */
static void put_field(const char *name, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static void put_field(const char *name, const char *format, ...) {
    size_t column = 0;
    va_list values;
    while (column < COLUMNS && strcmp(columns[column], name) != 0)
        column++;
    if (column == COLUMNS || now.fields[column])
        lens_die("no column is free for %s" HINT "add it in common/lens/rows.c", name);
    va_start(values, format);
    const int length = vasprintf(&now.fields[column], format, values);
    va_end(values);
    if (length < 0)
        lens_die("no memory for a row" HINT "try a smaller problem");
}

/* Nothing is quoted, so that tabs and ends of lines within a text become blanks. */
static void write_fields(void) {
    for (size_t i = 0; i < COLUMNS; i++) {
        for (const char *text = now.fields[i]; text && *text; text++)
            fputc(strchr("\t\r\n", *text) ? ' ' : *text, wishes.out);
        fputc(i + 1 < COLUMNS ? '\t' : '\n', wishes.out);
        free(now.fields[i]);
        now.fields[i] = NULL;
    }
}

static void write_title(void) {
    for (size_t i = 0; i < COLUMNS && !now.titled; i++)
        fprintf(wishes.out, "%s%c", columns[i], i + 1 < COLUMNS ? '\t' : '\n');
    now.titled = true;
}

/* ---- Either. */
void row_begin(const char *kind) {
    if (wishes.format == TSV)
        put_field("row", "%s", kind);
    else
        fprintf(wishes.out, "{\"row\":\"%s\"", kind);
}

void row_text(const char *name, const char *text) {
    if (wishes.format == TSV) {
        put_field(name, "%s", text);
        return;
    }
    json_name(name);
    json_text(text);
}

void row_number(const char *name, uint64_t number) {
    if (wishes.format == TSV) {
        put_field(name, "%llu", (unsigned long long)number);
        return;
    }
    json_name(name);
    fprintf(wishes.out, "%llu", (unsigned long long)number);
}

void row_mean(const char *name, uint64_t sum, uint64_t count) {
    if (wishes.format == TSV) {
        put_field(name, "%.2f", mean(sum, count));
        return;
    }
    json_name(name);
    fprintf(wishes.out, "%.2f", mean(sum, count));
}

void row_sizes(const char *name, const size_t sizes[3]) {
    if (wishes.format == TSV) {
        put_field(name, "%zux%zux%zu", sizes[0], sizes[1], sizes[2]);
        return;
    }
    json_name(name);
    fprintf(wishes.out, "[%zu,%zu,%zu]", sizes[0], sizes[1], sizes[2]);
}

void row_end(void) {
    if (wishes.format == TSV) {
        write_title();
        write_fields();
    } else {
        fputs("}\n", wishes.out);
    }
}
