/* rows: writes each field once, in the form that --format names.
 *
 * JSON has an object on each line, with the fields that the row has.  Tab-separated
 * values have a line with the names of all columns first; a field that a row lacks is
 * empty, never 0. */
#define _GNU_SOURCE /* asprintf, locale_t */
#include "rows.h"
#include "mean.h"
#include "memory.h"
#include "points.h"
#include "text/json.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
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
                                      "pages_of_4096",
                                      "texels",
                                      "different_texels",
                                      "used_bytes",
                                      "moved_bytes",
                                      "passes",
                                      "ideal_passes",
                                      "l1_passes",
                                      "ideal_l1_passes",
                                      "operations",
                                      "most_on_one_address",
                                      "lanes_at_one_address",
                                      "executions",
                                      "diverged",
                                      "per_group",
                                      "addresses",
                                      "ideal_addresses",
                                      "work_items",
                                      "work_items_replayed",
                                      "requests",
                                      "bytes",
                                      "bytes_used",
                                      "local_requests",
                                      "local_passes",
                                      "constant_requests",
                                      "constant_addresses",
                                      "atomic_operations",
                                      "branches",
                                      "branches_diverged",
                                      "bytes_per_item",
                                      "passes_per_item",
                                      "rule",
                                      "worst",
                                      "worst_needed",
                                      "worst_lanes",
                                      "kind",
                                      "message",
                                      "item",
                                      "lane",
                                      "group",
                                      "who",
                                      "other_line",
                                      "other_column",
                                      "other_item",
                                      "other_lane",
                                      "other_group",
                                      "other_who",
                                      "object_bytes",
                                      "first_byte",
                                      "last_byte",
                                      "times",
                                      "hint",
                                      "launches",
                                      "launches_seen",
                                      "launches_cut_short",
                                      "launches_sampled",
                                      "launches_left_out",
                                      "launches_hidden",
                                      "mistakes",
                                      "verdict",
                                      "digest",
                                      "steps",
                                      "group_items",
                                      "group_bytes",
                                      "element",
                                      "value",
                                      "ours",
                                      "words",
                                      "first_word",
                                      "text",
                                      "other_text",
                                      "why",
                                      "goes_on_line",
                                      "changed_line",
                                      "changed_item",
                                      "changed_group",
                                      "barrier_line",
                                      "barrier_text",
                                      "alignment",
                                      "needed_alignment",
                                      "same_warp",
                                      "same_value",
                                      "order",
                                      "report",
                                      "device",
                                      "at_least_ms",
                                      "binds",
                                      "expected_ms",
                                      "at_most_ms",
                                      "demand",
                                      "other_demand",
                                      "median_ms",
                                      "fastest_ms",
                                      "slowest_ms",
                                      "waits",
                                      "left",
                                      "idle_waits"};
enum { COLUMNS = sizeof columns / sizeof *columns };

static struct {
    char *fields[COLUMNS]; /* of the row at hand; NULL: it has no such field */
    bool titled;           /* the names of the columns are written */
    enum row_form form;
    FILE *out;
    struct json json;
} row;

/* ---- Tab-separated values. */
static void put_field(const char *name, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static void put_field(const char *name, const char *format, ...) {
    size_t column = 0;
    va_list values;
    while (column < COLUMNS && strcmp(columns[column], name) != 0)
        column++;
    if (column == COLUMNS || row.fields[column])
        lens_die("no column is free for %s" HINT "add it in common/lens/base/rows.c",
                 name);
    va_start(values, format);
    const int length = vasprintf(&row.fields[column], format, values);
    va_end(values);
    if (length < 0)
        lens_die("no memory for a row" HINT "try a smaller problem");
}

/* Nothing is quoted, so that tabs and ends of lines within a text become blanks. */
static void write_fields(void) {
    for (size_t i = 0; i < COLUMNS; i++) {
        for (const char *text = row.fields[i]; text && *text; text++)
            fputc(strchr("\t\r\n", *text) ? ' ' : *text, row.out);
        fputc(i + 1 < COLUMNS ? '\t' : '\n', row.out);
        free(row.fields[i]);
        row.fields[i] = NULL;
    }
}

static void write_title(void) {
    for (size_t i = 0; i < COLUMNS && !row.titled; i++)
        fprintf(row.out, "%s%c", columns[i], i + 1 < COLUMNS ? '\t' : '\n');
    row.titled = true;
}

/* ---- Either. */
void rows_begin(enum row_form form, FILE *out) {
    row.form = form;
    row.out = out;
    row.titled = false;
    if (form == ROWS_UNSEEN && !(row.out = fopen("/dev/null", "w")))
        lens_die("cannot open /dev/null" HINT "is /dev mounted?");
}

FILE *rows_readers(void) {
    return rows_wanted() ? stderr : row.out;
}

bool rows_wanted(void) {
    return row.form != NO_ROWS;
}

void row_begin(const char *kind) {
    if (row.form != ROWS_TSV) {
        row.json = (struct json){.out = row.out};
        json_open(&row.json, '{');
    }
    row_text("row", kind);
}

void row_text(const char *name, const char *text) {
    if (row.form == ROWS_TSV) {
        put_field(name, "%s", text);
        return;
    }
    json_field(&row.json, name, text);
}

void row_number(const char *name, uint64_t number) {
    if (row.form == ROWS_TSV) {
        put_field(name, "%llu", (unsigned long long)number);
        return;
    }
    json_count(&row.json, name, number);
}

void row_signed(const char *name, int64_t number) {
    if (row.form == ROWS_TSV) {
        put_field(name, "%lld", (long long)number);
        return;
    }
    json_name(&row.json, name);
    json_print(&row.json, "%lld", (long long)number);
}

static void put_digits(const char *name, const char *digits) {
    if (row.form == ROWS_TSV) {
        put_field(name, "%s", digits);
        return;
    }
    json_name(&row.json, name);
    json_print(&row.json, "%s", digits);
}

void row_mean(const char *name, uint64_t sum, uint64_t count) {
    char digits[64];
    const locale_t before = points_begin();
    snprintf(digits, sizeof digits, "%.2f", mean(sum, count));
    points_end(before);
    put_digits(name, digits);
}

void row_real(const char *name, double value) {
    char digits[64];
    const locale_t before = points_begin();
    snprintf(digits, sizeof digits, "%.6g", value);
    points_end(before);
    put_digits(name, digits);
}

void row_sizes(const char *name, const size_t sizes[3]) {
    if (row.form == ROWS_TSV) {
        put_field(name, "%zux%zux%zu", sizes[0], sizes[1], sizes[2]);
        return;
    }
    json_name(&row.json, name);
    json_print(&row.json, "[%zu,%zu,%zu]", sizes[0], sizes[1], sizes[2]);
}

/* A row is written at once: the program may fork, or be ended. */
void row_end(void) {
    if (row.form == ROWS_TSV) {
        write_title();
        write_fields();
    } else {
        json_close(&row.json, '}');
        fputc('\n', row.out);
    }
    fflush(row.out);
}

void rows_copy(FILE *in) {
    int c = fgetc(in);
    if (c != EOF && row.form == ROWS_TSV) {
        write_title(); /* in place of its own */
        while (c != EOF && c != '\n')
            c = fgetc(in);
        c = fgetc(in);
    }
    for (; c != EOF; c = fgetc(in))
        fputc(c, row.out);
    fflush(row.out);
}
