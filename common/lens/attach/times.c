/* times: keeps the events of launches, and asks them in the end. */
#define _POSIX_C_SOURCE 200809L /* strdup */
#include "times.h"
#include "base/memory.h"
#include "base/rows.h"
#include "report/view.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_EVENTS = 4096 }; /* that are kept of one launch: drivers have room for few */

static struct {
    struct timed {
        size_t number;
        char *kernel, *scalars;
        size_t global[3], local[3];
        cl_event *events;
        size_t event_count;
    } * all;
    size_t count;
    struct timed *now; /* NULL: none was begun */
} times;

void times_begin(size_t number, const struct run *run) {
    size_t i = 0;
    while (i < times.count && times.all[i].number != number)
        i++;
    if (i == times.count) {
        struct timed *timed = GROW(times.all, times.count);
        *timed = (struct timed){.number = number,
                                .kernel = strdup(run->job.kernel),
                                .scalars = strdup(run->job.scalars)};
        memcpy(timed->global, run->job.global, sizeof timed->global);
        memcpy(timed->local, run->job.local, sizeof timed->local);
    }
    times.now = &times.all[i];
}

void times_enqueued(cl_event event) {
    struct timed *timed = times.now;
    times.now = NULL;
    if (timed && timed->event_count < MAX_EVENTS && clRetainEvent(event) == CL_SUCCESS)
        *GROW(timed->events, timed->event_count) = event;
}

static int by_size(const void *one, const void *other) {
    const double a = *(const double *)one, b = *(const double *)other;
    return a < b ? -1 : a > b;
}

/* The milliseconds of each, sorted; returns how many have a time. */
static size_t read_times(const struct timed *timed, double *ms) {
    size_t count = 0;
    for (size_t i = 0; i < timed->event_count; i++) {
        cl_ulong begin = 0, end = 0;
        const cl_event event = timed->events[i];
        if (clWaitForEvents(1, &event) == CL_SUCCESS &&
            clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof begin,
                                    &begin, NULL) == CL_SUCCESS &&
            clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof end, &end,
                                    NULL) == CL_SUCCESS)
            ms[count++] = 1e-6 * (double)(end - begin);
        clReleaseEvent(event);
    }
    qsort(ms, count, sizeof *ms, by_size);
    return count;
}

static void report(const struct timed *timed, const double *ms, size_t count) {
    if (!rows_wanted()) {
        fprintf(view.out, "%s (%s): the device took %.4g ms, the median of %zu\n",
                timed->kernel, timed->scalars, ms[count / 2], count);
        return;
    }
    row_begin("time");
    row_text("kernel", timed->kernel);
    row_text("arguments", timed->scalars);
    row_sizes("global", timed->global);
    row_sizes("local", timed->local);
    row_real("median_ms", ms[count / 2]);
    row_real("fastest_ms", ms[0]);
    row_real("slowest_ms", ms[count - 1]);
    row_number("times", count);
    row_end();
}

void times_report(void) {
    for (size_t i = 0; i < times.count; i++) {
        double *ms = lens_allocate(times.all[i].event_count + 1, sizeof *ms);
        const size_t count = read_times(&times.all[i], ms);
        if (count > 0)
            report(&times.all[i], ms, count);
        free(ms);
    }
}
