/* Timelines in files: the file is opened and closed here, whatever is written to it. */
#include "check.h"
#include "pictures/timeline_svg.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

/* Each timeline is a process of the trace, and each row a thread. */
static void write_json(const struct timeline *timelines, int count, FILE *file) {
    fprintf(file, "{\"traceEvents\":[\n");
    for (int p = 0; p < count; p++) {
        const struct timeline *timeline = &timelines[p];
        const double begin_ms = timeline_first_ms(timeline);
        for (int row = 0; row < (int)timeline->row_count; row++)
            fprintf(file,
                    "{\"name\":\"thread_name\",\"ph\":\"M\",\"pid\":%d,\"tid\":%d,"
                    "\"args\":{\"name\":\"%s\"}},\n",
                    p, row, timeline->rows[row]);
        for (size_t i = 0; i < timeline->count; i++) {
            const struct span *span = &timeline->spans[i];
            fprintf(file,
                    "{\"name\":\"%s\",\"ph\":\"X\",\"pid\":%d,\"tid\":%d,"
                    "\"ts\":%.3f,\"dur\":%.3f},\n",
                    span->name, p, span->row, (span->start_ms - begin_ms) * 1e3,
                    (span->end_ms - span->start_ms) * 1e3);
        }
        fprintf(file,
                "{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":%d,"
                "\"args\":{\"name\":\"%s\"}}%s\n",
                p, timeline->name, p + 1 < count ? "," : "");
    }
    fprintf(file, "],\"displayTimeUnit\":\"ms\"}\n");
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
