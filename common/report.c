#include "report.h"

#include "check.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const char json_row[] =
    "{\"step\": %s, \"variant\": %s, \"device\": %s, \"size\": %zu, \"repeats\": %d, "
    "\"median_ms\": %s, \"fastest_ms\": %s, \"slowest_ms\": %s, \"rate\": %s, "
    "\"unit\": %s, \"percent_of_limit\": %s, \"result\": %s, \"note\": %s}\n";
static const char csv_row[] = "%s,%s,%s,%zu,%d,%s,%s,%s,%s,%s,%s,%s,%s\n";
static const char tsv_row[] = "%s\t%s\t%s\t%zu\t%d\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n";
static const char *const columns[] = {
    "step",       "variant",    "device", "size", "repeats",          "median_ms",
    "fastest_ms", "slowest_ms", "rate",   "unit", "percent_of_limit", "result",
    "note"};
enum { COLUMNS = sizeof columns / sizeof *columns };

struct quoted {
    char text[1024];
};

/* TSV has no quotation marks: what would end a cell or a row becomes a blank. */
static struct quoted unquoted(const char *text) {
    struct quoted plain;
    snprintf(plain.text, sizeof plain.text, "%s", text);
    for (char *c = plain.text; *c; c++)
        if (*c == '\t' || *c == '\n' || *c == '\r')
            *c = ' ';
    return plain;
}

/* JSON escapes with a backslash, and control characters by number (RFC 8259, section
 * 7); CSV doubles the quotation mark (RFC 4180). */
static struct quoted quote(enum format format, const char *text) {
    struct quoted quoted;
    size_t used = 0;
    if (format == FORMAT_TSV)
        return unquoted(text);
    quoted.text[used++] = '"';
    for (const char *c = text; *c && used < sizeof quoted.text - 8; c++) {
        if (format == FORMAT_CSV && *c == '"')
            quoted.text[used++] = '"';
        else if (format == FORMAT_JSON && (*c == '"' || *c == '\\'))
            quoted.text[used++] = '\\';
        if (format == FORMAT_JSON && (unsigned char)*c < 0x20)
            used += (size_t)sprintf(quoted.text + used, "\\u%04x", (unsigned)*c);
        else
            quoted.text[used++] = *c;
    }
    strcpy(quoted.text + used, "\"");
    return quoted;
}

struct report report_start(const struct options *options, const struct device *device) {
    struct report report = {
        .options = options, .device = device, .out = options->text ? stderr : stdout};
    const bool measured = limits_load(device, &report.limits);
    if (options->format == FORMAT_CSV || options->format == FORMAT_TSV)
        for (int i = 0; i < COLUMNS; i++)
            fprintf(report.out, "%s%c", columns[i],
                    i + 1 == COLUMNS                ? '\n'
                    : options->format == FORMAT_CSV ? ','
                                                    : '\t');
    if (options->format != FORMAT_TABLE)
        return report;
    fprintf(report.out, "%s on %s\n", options->step, device->name);
    if (!measured && device->id &&                /* step 21's are several devices */
        strncmp(options->step, "step00", 6) != 0) /* and step 00 measures them */
        fprintf(report.out,
                "(this device's limits are not measured yet: make step00 run)\n");
    fprintf(report.out, "%-26s %9s %9s %9s  %14s  %6s  %s\n", "variant", "median ms",
            "fastest", "slowest", "rate", "limit", "result");
    return report;
}

const char *report_too_short(const struct report *report, struct timing time) {
    enum { TICKS = 20 };
    if (time.median_ms < TICKS * report->device->tick_ms)
        return "too short for the clock: try a larger --size";
    if (time.median_ms < report->limits.launch_ms)
        return "launch-bound: try a larger --size";
    return NULL;
}

/* Why a row's time or share must not be taken at its word; NULL when it may. */
static const char *verdict(const struct report *report, const struct row *row,
                           double percent) {
    const double large = 512e6; /* bytes: more than last-level caches hold today */
    if (row->bytes + row->flops <= 0.0)
        return NULL;
    const char *too_short = report_too_short(report, row->time);
    if (too_short)
        return too_short;
    if (percent <= 100.0)
        return NULL;
    if (row->bytes > 0.0 && row->bytes < large)
        return "fits in cache, at least partly";
    return percent <= 110.0 ? "at the limit" : "beyond the limit: make step00 run";
}

/* Five significant digits, as far as a table's column has room for them. */
static int decimals(double number) {
    return number < 10.0 ? 4 : number < 100.0 ? 3 : number < 1000.0 ? 2 : 1;
}

struct number {
    char text[32];
};

/* A number of so many digits, if there is one. */
static struct number number_or(const char *none, bool is_known, int digits,
                               double number) {
    struct number text;
    snprintf(text.text, sizeof text.text, "%.*g", digits, number);
    if (!is_known)
        snprintf(text.text, sizeof text.text, "%s", none);
    return text;
}

void report_row(struct report *report, struct row row) {
    const char *unit = row.bytes > 0.0 ? "GB/s" : row.flops > 0.0 ? "GFLOP/s" : "";
    const double rate = (row.bytes + row.flops) * 1e-6 / row.time.median_ms;
    const double percent = row.limit > 0.0 ? 100.0 * rate / row.limit : 0.0;
    const char *doubt = verdict(report, &row, percent);
    const char *note = doubt ? doubt : row.note ? row.note : "";
    const char *result = row.right ? "ok" : "WRONG";
    const enum format format = report->options->format;
    const struct timing *time = &row.time;
    report->wrong += !row.right;

    /* What was not measured, or cannot be true, stays empty (in JSON: null). */
    const char *none = format == FORMAT_JSON ? "null" : "";
    const struct number rate_text = number_or(none, *unit != '\0', 5, rate),
                        percent_text =
                            number_or(none, percent > 0.0 && !doubt, 3, percent);

    if (format == FORMAT_TABLE)
        fprintf(report->out, "%-26s %9.*f %9.*f %9.*f  %6s %-7s  %4s %s  %s%s%s\n",
                row.variant, decimals(time->median_ms), time->median_ms,
                decimals(time->fastest_ms), time->fastest_ms,
                decimals(time->slowest_ms), time->slowest_ms, rate_text.text, unit,
                percent_text.text, *percent_text.text ? "%" : " ", result,
                *note ? ", " : "", note);
    else
        fprintf(report->out,
                format == FORMAT_JSON  ? json_row
                : format == FORMAT_CSV ? csv_row
                                       : tsv_row,
                quote(format, report->options->step).text,
                quote(format, row.variant).text,
                quote(format, report->device->name).text, row.size, time->repeats,
                number_or(none, time->repeats > 0, 6, time->median_ms).text,
                number_or(none, time->repeats > 0, 6, time->fastest_ms).text,
                number_or(none, time->repeats > 0, 6, time->slowest_ms).text,
                rate_text.text, quote(format, unit).text, percent_text.text,
                quote(format, result).text, quote(format, note).text);
}

void report_say(const struct report *report, const char *format, ...) {
    if (report->options->format != FORMAT_TABLE)
        return;
    va_list facts;
    va_start(facts, format);
    vfprintf(report->out, format, facts);
    va_end(facts);
    fputc('\n', report->out);
}

/* A CPU's times do not show what a GPU would do; the lens does.
 *
 * Whoever reads our output may have gone, or the disk may be full: say so. */
int report_end(const struct report *report) {
    if (report->device->is_cpu)
        report_say(report, "What 32 lanes of a GPU would do with it: make %.6s lens",
                   report->options->step);
    if (fflush(report->out) != 0)
        die("cannot write the results: %s" HINT "is the disk full?", strerror(errno));
    return report->wrong ? WRONG : RIGHT;
}
