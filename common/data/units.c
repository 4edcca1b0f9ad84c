#include "data/units.h"

#include "compare.h"
#include "data.h"

#include <stdio.h>
#include <stdlib.h>

enum { MAX_UNITS = 4096 };

/* A timeline does not copy the names of its rows. */
static const char *name_unit(size_t unit) {
    static char names[MAX_UNITS][12];
    snprintf(names[unit], sizeof names[unit], "unit %u", (unsigned)unit % MAX_UNITS);
    return names[unit];
}

static bool are_right(const struct moments *moments, size_t n) {
    const bool has_clock = moments[0].end > 0;
    bool has_passed = false;
    for (size_t i = 0; i < n; i++) {
        const struct moments *at = &moments[i];
        if (at->unit >= MAX_UNITS || at->unit_again >= MAX_UNITS || at->start > at->end)
            return wrong("work-item %zu recorded no start, no end, or no unit", i);
        if (has_clock ? at->start == 0 : at->end + at->unit + at->unit_again > 0)
            return wrong("work-item %zu recorded a time or a unit, but not both", i);
        has_passed = has_passed || at->start < at->end;
    }
    return !has_clock || has_passed || wrong("no work-item's time has passed");
}

static struct moments whole_group(const struct moments *moments, size_t count) {
    struct moments whole = moments[0];
    for (size_t i = 1; i < count; i++) {
        whole.start = moments[i].start < whole.start ? moments[i].start : whole.start;
        whole.end = moments[i].end > whole.end ? moments[i].end : whole.end;
    }
    return whole;
}

/* Rows of the timeline for the units with the most groups; -1 for all others. */
static void add_rows(struct timeline *timeline, size_t rows, const size_t *groups,
                     int row_of[MAX_UNITS]) {
    for (size_t unit = 0; unit < MAX_UNITS; unit++)
        row_of[unit] = -1;
    for (size_t most = 1; rows > 0 && most > 0; rows -= most > 0) {
        size_t busiest = 0;
        most = 0;
        for (size_t unit = 0; unit < MAX_UNITS; unit++)
            if (row_of[unit] < 0 && groups[unit] > most)
                most = groups[busiest = unit];
        if (most > 0)
            row_of[busiest] = timeline_row(timeline, name_unit(busiest));
    }
}

bool units_draw(struct timeline *timeline, size_t rows, const struct moments *moments,
                size_t n, size_t group, const char *const *names, double ms) {
    if (!are_right(moments, n))
        return false;
    const struct moments all = whole_group(moments, n);
    if (all.end == all.start) /* no clock */
        return true;
    size_t groups[MAX_UNITS] = {0};
    int row_of[MAX_UNITS];
    for (size_t i = 0; i < n; i += group)
        groups[moments[i].unit]++;
    add_rows(timeline, rows, groups, row_of);

    /* What a tick is differs; but all of them take as long as the launch. */
    const double tick_ms = ms / (double)(all.end - all.start);
    for (size_t i = 0; i < n; i += group) {
        const size_t count = n - i < group ? n - i : group;
        const struct moments at = whole_group(&moments[i], count);
        if (row_of[at.unit] >= 0)
            timeline_add(timeline, row_of[at.unit], names[i / group],
                         (double)(at.start - all.start) * tick_ms,
                         (double)(at.end - all.start) * tick_ms);
    }
    return true;
}
