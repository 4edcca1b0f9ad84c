/* Timelines in files: the file is opened and closed here, whatever is written to it. */
#include "check.h"
#include "pictures/timeline_svg.h"
#include "text/json.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

/* An event of the trace, which begins a line: what it is, and whose. */
static void begin_event(struct json *json, const char *name, const char *phase,
                        int process) {
    json_line(json);
    json_open(json, '{');
    json_field(json, "name", name);
    json_field(json, "ph", phase);
    json_count(json, "pid", (uint64_t)process);
}

static void end_named(struct json *json, const char *name) {
    json_name(json, "args");
    json_open(json, '{');
    json_field(json, "name", name);
    json_close(json, '}');
    json_close(json, '}');
}

/* Each timeline is a process of the trace, and each row a thread. */
static void write_timeline(struct json *json, const struct timeline *timeline,
                           int process) {
    const double begin_ms = timeline_first_ms(timeline);
    for (int row = 0; row < (int)timeline->row_count; row++) {
        begin_event(json, "thread_name", "M", process);
        json_count(json, "tid", (uint64_t)row);
        end_named(json, timeline->rows[row]);
    }
    for (size_t i = 0; i < timeline->count; i++) {
        const struct span *span = &timeline->spans[i];
        begin_event(json, span->name, "X", process);
        json_count(json, "tid", (uint64_t)span->row);
        json_name(json, "ts");
        json_print(json, "%.3f", (span->start_ms - begin_ms) * 1e3);
        json_name(json, "dur");
        json_print(json, "%.3f", (span->end_ms - span->start_ms) * 1e3);
        json_close(json, '}');
    }
    begin_event(json, "process_name", "M", process);
    end_named(json, timeline->name);
}

static void write_json(const struct timeline *timelines, int count, FILE *file) {
    struct json json = {.out = file};
    json_open(&json, '{');
    json_name(&json, "traceEvents");
    json_open(&json, '[');
    for (int process = 0; process < count; process++)
        write_timeline(&json, &timelines[process], process);
    json_line(&json);
    json_close(&json, ']');
    json_field(&json, "displayTimeUnit", "ms");
    json_close(&json, '}');
    fputc('\n', file);
}

static bool ends_with(const char *text, const char *end) {
    const size_t length = strlen(text), wanted = strlen(end);
    return length >= wanted && strcmp(text + length - wanted, end) == 0;
}

void timeline_write(const struct timeline *timelines, int count, const char *path) {
    FILE *file = fopen(path, "w");
    if (!file)
        die("cannot write %s: %s" HINT "give a file that can be written", path,
            strerror(errno));
    if (ends_with(path, ".json"))
        write_json(timelines, count, file);
    else
        timeline_svg(timelines, count, file);
    const bool written = fflush(file) == 0 && !ferror(file);
    if (fclose(file) != 0 || !written)
        die("cannot write %s: %s" HINT "is the disk full?", path, strerror(errno));
}

void timelines_show(struct step *step, struct timeline *timelines, int count, int drawn,
                    double full_ms, const char *path) {
    enum { COLUMNS = 60 };
    double longest_ms = 0.0;
    for (int i = 0; i < drawn; i++) {
        const double ms = timeline_ms(&timelines[i]);
        longest_ms = ms > longest_ms ? ms : longest_ms;
    }
    for (int i = 0; i < drawn && step->options.format == FORMAT_TABLE; i++) {
        report_say(&step->report, "%s:", timelines[i].name);
        timeline_draw(&timelines[i], step->report.out, COLUMNS,
                      full_ms > 0.0 ? full_ms : longest_ms);
    }
    if (path)
        timeline_write(timelines, count, path);
    for (int i = 0; i < count; i++)
        timeline_free(&timelines[i]);
}
