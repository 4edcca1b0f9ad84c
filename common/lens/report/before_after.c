/* before_after: see before_after.h.
 *
 *     In all            before     after  after/before
 *     bytes moved    4,210,688   540,672          0.13
 *     Unchanged: requests (4,224) */
#define _GNU_SOURCE /* open_memstream */
#include "before_after.h"
#include "base/machine.h"
#include "base/mean.h"
#include "base/vocabulary.h"
#include "least_words.h"
#include "measure/digits.h"
#include "picture_text.h"
#include "view.h"

#include <stdlib.h>
#include <string.h>

enum { LINES = 7, CELLS = 3, WIDTH = MAX_DIGITS };

/* A sum, and how it is written: before, after, and as a ratio. */
struct line {
    enum unit { COUNT, SHARE, TIME } unit;
    const char *what;
    double before, after;
    char cells[CELLS][WIDTH];
};

static const char *const titles[CELLS] = {"before", "after", "after/before"};

static void write_value(char cell[WIDTH], enum unit unit, double value) {
    if (unit == COUNT)
        digits_write(cell, (uint64_t)value);
    else if (unit == SHARE)
        snprintf(cell, WIDTH, "%.1f %%", 100.0 * value);
    else
        least_write(cell, value);
}

static void write_ratio(char cell[WIDTH], double ratio) {
    snprintf(cell, WIDTH, ratio < 0.1 || ratio >= 100.0 ? "%.2g" : "%.2f", ratio);
}

static void write_cells(struct line *line) {
    write_value(line->cells[0], line->unit, line->before);
    write_value(line->cells[1], line->unit, line->after);
    if (line->before > 0.0)
        write_ratio(line->cells[2], line->after / line->before);
}

static uint64_t bytes_of(const struct sums *sums) {
    return sums->sectors * SECTOR;
}

static double share_of_branches(const struct sums *sums) {
    return mean(sums->diverged, sums->branches);
}

/* The time matters if one of them has more to do than to be launched. */
static bool has_times(const struct summary *before, const struct summary *after) {
    return before->at_least > 0.0 && after->at_least > 0.0 &&
           (before->least || after->least);
}

static void fill(struct line lines[LINES], const struct summary *before,
                 const struct summary *after, const char *time) {
    const struct sums *old = &before->totals, *new = &after->totals;
    const bool timed = has_times(before, after);
    const struct {
        enum unit unit;
        const char *what;
        double before, after;
    } all[LINES] = {
        {COUNT, "requests", (double)old->requests, (double)new->requests},
        {COUNT, "bytes moved", (double)bytes_of(old), (double)bytes_of(new)},
        {COUNT, term("passes of local memory"), (double)old->passes,
         (double)new->passes},
        {COUNT, "addresses of constant memory", (double)old->addresses,
         (double)new->addresses},
        {COUNT, "atomics", (double)old->atomics, (double)new->atomics},
        {SHARE, "branches that diverge", share_of_branches(old),
         share_of_branches(new)},
        {TIME, time, timed ? before->at_least : 0.0, timed ? after->at_least : 0.0},
    };
    for (size_t i = 0; i < LINES; i++) {
        lines[i] = (struct line){.unit = all[i].unit,
                                 .what = all[i].what,
                                 .before = all[i].before,
                                 .after = all[i].after};
        write_cells(&lines[i]);
    }
}

static bool is_counted(const struct line *line) {
    return line->before > 0.0 || line->after > 0.0;
}

static bool is_same(const struct line *line) {
    return strcmp(line->cells[0], line->cells[1]) == 0;
}

static bool is_changed(const struct line *line) {
    return is_counted(line) && !is_same(line);
}

static size_t longer(size_t one, size_t other) {
    return one > other ? one : other;
}

static void print_changed(struct line lines[LINES], const char *title) {
    size_t label = strlen(title), widths[CELLS];
    for (size_t c = 0; c < CELLS; c++)
        widths[c] = strlen(titles[c]);
    for (size_t i = 0; i < LINES; i++) {
        if (!is_changed(&lines[i]))
            continue;
        label = longer(label, strlen(lines[i].what));
        for (size_t c = 0; c < CELLS; c++)
            widths[c] = longer(widths[c], strlen(lines[i].cells[c]));
    }
    fprintf(view.out, "%-*s", (int)label, title);
    for (size_t c = 0; c < CELLS; c++)
        fprintf(view.out, "  %*s", (int)widths[c], titles[c]);
    fputc('\n', view.out);
    for (size_t i = 0; i < LINES; i++) {
        if (!is_changed(&lines[i]))
            continue;
        fprintf(view.out, "%-*s  %*s  %*s", (int)label, lines[i].what, (int)widths[0],
                lines[i].cells[0], (int)widths[1], lines[i].cells[1]);
        if (*lines[i].cells[2])
            fprintf(view.out, "  %*s", (int)widths[2], lines[i].cells[2]);
        fputc('\n', view.out);
    }
}

static void print_same(const struct line lines[LINES]) {
    char *text = NULL;
    size_t bytes = 0, count = 0;
    FILE *out = open_memstream(&text, &bytes);
    for (size_t i = 0; i < LINES; i++)
        if (is_counted(&lines[i]) && is_same(&lines[i]))
            fprintf(out, "%s%s (%s)", count++ ? ", " : "Unchanged: ", lines[i].what,
                    lines[i].cells[0]);
    fclose(out);
    if (count)
        print_wrapped(text);
    free(text);
}

static bool any_changed(const struct line lines[LINES]) {
    for (size_t i = 0; i < LINES; i++)
        if (is_changed(&lines[i]))
            return true;
    return false;
}

void before_after_print(const struct summary *before, const struct summary *after) {
    struct line lines[LINES];
    char time[96];
    if (before->limited || after->limited) {
        print_wrapped("Nothing is added up, because only the beginning was counted.");
        return;
    }
    snprintf(time, sizeof time, "least time on %s", view.profile ? least_device() : "");
    fill(lines, before, after, time);
    const bool sampled =
        before->replayed < before->groups || after->replayed < after->groups;
    if (any_changed(lines))
        print_changed(lines, sampled ? "In all (scaled)" : "In all");
    else
        print_wrapped("No sum has changed.");
    print_same(lines);
}
