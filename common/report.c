#include "report.h"

#include "check.h"
#include "driver/crash.h"
#include "measure/format.h"
#include "measure/terminal.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>

static FILE *rows_open(const char *path) {
    FILE *file = path ? fopen(path, "w") : NULL;
    if (path && !file)
        die("cannot write %s: %s" HINT "--rows needs a file that can be written", path,
            strerror(errno));
    return file;
}

struct report report_start(const struct options *options, const struct device *device) {
    struct report report = {.options = options,
                            .device = device,
                            .out = options->text ? stderr : stdout,
                            .rows = rows_open(options->rows)};
    if (options->format == FORMAT_TABLE)
        report.out = terminal_fit(report.out);
    report.screen = screen_start(report.out, options, device);
    limits_load(device, &report.limits);
    return report;
}

/* Step 21 works on several devices, and step 00 measures the limits. */
static bool lacks_limits(const struct report *report) {
    return report->limits.read <= 0.0 && report->device->id &&
           strncmp(report->options->step, "step00", 6) != 0;
}

/* The title, or a heading for programs, once. */
static void begin(struct report *report) {
    if (report->begun)
        return;
    report->begun = true;
    if (report->rows)
        format_heading(report->rows, FORMAT_TSV);
    if (report->options->format == FORMAT_TABLE)
        screen_title(&report->screen, !lacks_limits(report));
    else
        format_heading(report->out, report->options->format);
}

/* ---- Rows. */
static struct cells make_cells(const struct report *report, const struct row *row) {
    struct cells cells = {.text = {""}};
    const struct timing *time = &row->time;
    cell_set(&cells, STEP, "%s", report->options->step);
    cell_set(&cells, VARIANT, "%s", row->variant);
    cell_set(&cells, DEVICE, "%s", report->device->name);
    cell_set(&cells, SIZE, "%zu", row->size);
    cell_set(&cells, REPEATS, "%d", time->repeats);
    if (time->median_ms > 0.0) {
        cell_set(&cells, MEDIAN_MS, "%.6g", time->median_ms);
        cell_set(&cells, FASTEST_MS, "%.6g", time->fastest_ms);
        cell_set(&cells, SLOWEST_MS, "%.6g", time->slowest_ms);
    }
    cell_set(&cells, RESULT, "%s", row->right ? "ok" : "WRONG");
    cell_set(&cells, NOTE, "%s", row->note ? row->note : "");
    const struct answer answer = answer_to(&report->screen.answers, row->variant);
    cell_set(&cells, COUNTED, "%s", answer.count);
    if (strcmp(report->screen.answers.card, "H200") == 0) {
        cell_set(&cells, H200_MS, "%s", answer.ms);
        cell_set(&cells, H200_PERCENT, "%s", answer.percent + (*answer.percent == '~'));
    }
    return cells;
}

/* Where there is no rate, a note says something else than times. */
static bool keeps_note(const struct row *row) {
    return row->bytes + row->flops <= 0.0 && row->note && *row->note;
}

/* Each row is printed as soon as it is measured, for a user who watches. */
static void print_for_programs(struct report *report, const struct cells *cells) {
    begin(report);
    if (report->rows) {
        format_row(report->rows, FORMAT_TSV, cells);
        fflush(report->rows);
    }
    if (report->options->format != FORMAT_TABLE)
        format_row(report->out, report->options->format, cells);
    fflush(report->out);
}

static void remember(struct report *report, const struct implausible *doubt) {
    const int max_doubts = sizeof report->doubts / sizeof *report->doubts;
    for (int i = 0; i < report->doubt_count; i++)
        if (report->doubts[i] == doubt)
            return;
    if (report->doubt_count < max_doubts)
        report->doubts[report->doubt_count++] = doubt;
}

double row_rate(const struct row *row) {
    return (row->bytes + row->flops) * 1e-6 / row->time.median_ms;
}

struct ratio ratio_of_rows(const struct row *a, const struct row *b) {
    const struct ratio faster = ratio_between(a->time, b->time);
    const double work = (a->bytes + a->flops) / (b->bytes + b->flops);
    return (struct ratio){faster.median * work, faster.lower * work,
                          faster.upper * work, faster.repeats};
}

int row_that_is_enough(const struct row *rows, int count) {
    int best = 0, first = 0;
    for (int i = 1; i < count; i++)
        if (row_rate(&rows[i]) > row_rate(&rows[best]))
            best = i;
    while (row_rate(&rows[first]) < 0.95 * row_rate(&rows[best]))
        first++;
    return first > 0 && told_apart(ratio_of_rows(&rows[first], &rows[first - 1]))
               ? first
               : -1;
}

/* What makes a row doubtful, or NULL.  A screen without shares has none to doubt. */
static const struct implausible *doubt_about(const struct report *report,
                                             const struct row *row, double percent,
                                             bool has_share) {
    const struct implausible *doubt = NULL;
    if (!row->right && known_fault(report->device))
        return known_fault(report->device);
    if (row->time.median_ms > 0.0 && !row->by_host)
        doubt = implausible_time(report->device, &report->limits, row->time);
    if (!doubt && has_share)
        doubt = implausible_share(percent, row->bytes);
    return doubt;
}

/* The doubt stands in place of a share. */
static void set_doubt(struct cells *cells, const struct row *row,
                      const struct implausible *doubt) {
    const bool keeps = keeps_note(row);
    if (!doubt)
        return;
    cell_set(cells, PERCENT_OF_LIMIT, "%s", "");
    cell_set(cells, NOTE, "%s%s%s", doubt->name, keeps ? ", " : "",
             keeps ? row->note : "");
}

static void report_on_screen(struct report *report, struct cells cells,
                             const struct row *row, const struct implausible *doubt) {
    if (doubt)
        remember(report, doubt);
    set_doubt(&cells, row, doubt);
    screen_row(&report->screen, &cells, row->time.median_ms);
}

/* Programs get shares that a screen may not have room for, and so their doubts. */
void report_row(struct report *report, struct row row) {
    const bool has_rate = row.bytes + row.flops > 0.0;
    const double rate = row_rate(&row);
    const double percent = row.limit > 0.0 ? 100.0 * rate / row.limit : 0.0;
    struct cells cells = make_cells(report, &row), for_programs;
    if (has_rate) {
        cell_set(&cells, RATE, "%.5g", rate);
        cell_set(&cells, UNIT, "%s", row.bytes > 0.0 ? "GB/s" : "GFLOP/s");
        if (percent > 0.0)
            cell_set(&cells, PERCENT_OF_LIMIT, "%.3g", percent);
    }
    report->wrong += !row.right;
    for_programs = cells;
    set_doubt(&for_programs, &row, doubt_about(report, &row, percent, has_rate));
    print_for_programs(report, &for_programs);
    if (report->options->format == FORMAT_TABLE)
        report_on_screen(report, cells, &row,
                         doubt_about(report, &row, percent,
                                     has_rate && screen_has_limit(&report->screen)));
    fflush(report->out);
}

void report_headline(struct report *report, const char *lesson, struct ratio ratio,
                     const char *on_cpu) {
    struct cells cells =
        make_cells(report, &(struct row){.variant = "", .right = true});
    cell_set(&cells, VARIANT, "headline: %s", lesson);
    cell_set(&cells, REPEATS, "%d", ratio.repeats);
    cell_set(&cells, RESULT, "%s", report->wrong ? "" : "ok"); /* or nothing to say */
    cell_set(&cells, RATE, "%.5g", ratio.median);
    cell_set(&cells, UNIT, "x");
    cell_set(&cells, NOTE, "%s, %.4g to %.4g",
             !told_apart(ratio)  ? "not told apart"
             : ratio.lower > 1.0 ? "true"
                                 : "reversed",
             ratio.lower, ratio.upper);
    print_for_programs(report, &cells);
    if (report->options->format == FORMAT_TABLE)
        screen_headline(&report->screen, lesson, ratio, on_cpu);
    fflush(report->out);
}

/* ---- Sentences. */
void report_say(struct report *report, const char *format, ...) {
    if (report->options->format != FORMAT_TABLE)
        return;
    begin(report);
    va_list facts;
    va_start(facts, format);
    vfprintf(report->out, format, facts);
    va_end(facts);
    fputc('\n', report->out);
    fflush(report->out);
}

void report_limits(struct report *report, struct limits measured) {
    const struct options *options = report->options;
    const bool few = options->repeats == 1 || options->repeats == 2;
    if (options->size_given || options->kernel || few || report->wrong)
        report_say(report, "These are not kept as limits: only a full measurement that "
                           "is right is.");
    else
        report_say(report, "%s",
                   limits_in_words(limits_keep(report->device, measured)).text);
}

int report_end(struct report *report) {
    for (int i = 0; i < report->doubt_count; i++)
        report_say(report, "%s: %s.", report->doubts[i]->name,
                   report->doubts[i]->meaning);
    if (report->begun && report->options->format == FORMAT_TABLE)
        screen_legend(&report->screen);
    check_printed(report->out);
    if (report->rows) {
        check_printed(report->rows);
        fclose(report->rows);
    }
    crash_done();
    return report->wrong ? WRONG : RIGHT;
}
