#include "pictures/timeline.h"

#include "check.h"
#include "data.h"
#include "kernel.h"

#include <assert.h>
#include <stdlib.h>

int timeline_row(struct timeline *timeline, const char *name) {
    *GROW(timeline->rows, timeline->row_count) = name;
    return (int)timeline->row_count - 1;
}

void timeline_add(struct timeline *timeline, int row, const char *name, double start_ms,
                  double end_ms) {
    assert(0 <= row && (size_t)row < timeline->row_count);
    *GROW(timeline->spans, timeline->count) =
        (struct span){row, name, start_ms, end_ms};
}

static double moment_ms(cl_event event, cl_profiling_info which) {
    cl_ulong moment_ns;
    CHECK(clGetEventProfilingInfo(event, which, sizeof moment_ns, &moment_ns, NULL));
    return (double)moment_ns * 1e-6;
}

void timeline_event(struct timeline *timeline, int row, const char *name,
                    cl_event event, double ahead_ms) {
    timeline_add(timeline, row, name,
                 ahead_ms + moment_ms(event, CL_PROFILING_COMMAND_START),
                 ahead_ms + moment_ms(event, CL_PROFILING_COMMAND_END));
}

/* The host sees the end of a command late, never early: the shortest delay of
 * several is the best estimate.  The writes block, so that tests that count copies that
 * do not block (see tests/hold.c) count only those of the program. */
double clock_ahead_ms(struct device *device) {
    enum { TRIES = 20 };
    double shortest_ms = 0.0;
    cl_int status;
    cl_mem buffer = clCreateBuffer(device->context, CL_MEM_READ_WRITE, sizeof status,
                                   NULL, &status);
    check_status(status, "clCreateBuffer");
    for (int i = 0; i < TRIES; i++) {
        cl_event event;
        CHECK(clEnqueueWriteBuffer(device->queue, buffer, CL_TRUE, 0, sizeof status,
                                   &status, 0, NULL, &event));
        CHECK(clWaitForEvents(1, &event));
        const double ahead_ms = now_ms() - moment_ms(event, CL_PROFILING_COMMAND_END);
        if (i == 0 || ahead_ms < shortest_ms)
            shortest_ms = ahead_ms;
        CHECK(clReleaseEvent(event));
    }
    CHECK(clReleaseMemObject(buffer));
    return shortest_ms;
}

double timeline_first_ms(const struct timeline *timeline) {
    double first = timeline->count > 0 ? timeline->spans[0].start_ms : 0.0;
    for (size_t i = 1; i < timeline->count; i++)
        if (timeline->spans[i].start_ms < first)
            first = timeline->spans[i].start_ms;
    return first;
}

double timeline_ms(const struct timeline *timeline) {
    const double first = timeline_first_ms(timeline);
    double last = first;
    for (size_t i = 0; i < timeline->count; i++)
        if (timeline->spans[i].end_ms > last)
            last = timeline->spans[i].end_ms;
    return last - first;
}

static int by_start(const void *a, const void *b) {
    const struct span *x = a, *y = b;
    return (x->start_ms > y->start_ms) - (x->start_ms < y->start_ms);
}

struct span *timeline_sorted(const struct timeline *timeline, int row, size_t *count) {
    struct span *sorted = allocate(timeline->count + 1, sizeof *sorted);
    *count = 0;
    for (size_t i = 0; i < timeline->count; i++)
        if (timeline->spans[i].row == row)
            sorted[(*count)++] = timeline->spans[i];
    qsort(sorted, *count, sizeof *sorted, by_start);
    return sorted;
}

double timeline_idle(const struct timeline *timeline, int row) {
    size_t count;
    struct span *sorted = timeline_sorted(timeline, row, &count);
    double busy_ms = 0.0, until_ms = timeline_first_ms(timeline);
    for (size_t i = 0; i < count; i++) {
        const double start_ms =
            sorted[i].start_ms > until_ms ? sorted[i].start_ms : until_ms;
        if (sorted[i].end_ms > start_ms) {
            busy_ms += sorted[i].end_ms - start_ms;
            until_ms = sorted[i].end_ms;
        }
    }
    free(sorted);
    const double whole_ms = timeline_ms(timeline);
    return whole_ms > 0.0 ? 1.0 - busy_ms / whole_ms : 0.0;
}

/* The character for the time from `start_ms` to `end_ms`. */
static char drawn(const struct timeline *timeline, int row, double start_ms,
                  double end_ms) {
    double longest_ms = 0.25 * (end_ms - start_ms); /* less is not worth a character */
    char mark = '.';
    for (size_t i = 0; i < timeline->count; i++) {
        const struct span *span = &timeline->spans[i];
        const double from_ms = span->start_ms > start_ms ? span->start_ms : start_ms;
        const double to_ms = span->end_ms < end_ms ? span->end_ms : end_ms;
        if (span->row == row && to_ms - from_ms >= longest_ms) {
            longest_ms = to_ms - from_ms;
            mark = span->name[0];
        }
    }
    return mark;
}

void timeline_draw(const struct timeline *timeline, FILE *out, int columns,
                   double full_ms) {
    const double begin_ms = timeline_first_ms(timeline), column_ms = full_ms / columns;
    const double last_ms = begin_ms + timeline_ms(timeline) - 0.001 * column_ms;
    for (int row = 0; row < (int)timeline->row_count; row++) {
        fprintf(out, "  %-10s ", timeline->rows[row]);
        for (int i = 0; i < columns; i++) {
            const double at_ms = begin_ms + i * column_ms;
            fputc(at_ms < last_ms ? drawn(timeline, row, at_ms, at_ms + column_ms)
                                  : ' ',
                  out);
        }
        fprintf(out, "  idle %4.1f %%\n", 100.0 * timeline_idle(timeline, row));
    }
}

void timeline_free(struct timeline *timeline) {
    free(timeline->spans);
    free(timeline->rows);
    *timeline = (struct timeline){.name = timeline->name};
}
