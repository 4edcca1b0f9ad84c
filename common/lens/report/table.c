/* table: first the answer, a line for each launch that matters; then the picture of
 * what teaches most. */
#define _GNU_SOURCE /* asprintf, open_memstream */
#include "table.h"
#include "base/vocabulary.h"
#include "before_after.h"
#include "least_words.h"
#include "measure/digits.h"
#include "picture_text.h"
#include "summaries.h"
#include "view.h"

#include <stdlib.h>
#include <string.h>

/* ---- Columns.  A cell is empty where nothing was counted. */
enum { CELL = 2 * MAX_DIGITS + 8, TITLE_LINES = 3 };

/* As wide as the titles "moved  needed".  A number below "needed" is a loss: 16 are not
 * worse than 4 where all of them are needed. */
static void write_cost(char cell[CELL], struct cost cost) {
    if (cost.is > cost.ideal)
        snprintf(cell, CELL, "%5llu  %6llu", (unsigned long long)cost.is,
                 (unsigned long long)cost.ideal);
    else if (cost.ideal)
        snprintf(cell, CELL, "%5llu  %6s", (unsigned long long)cost.is, "all");
}

/* Are work-items all that two launches of this kernel differ in? */
static bool items_matter(const struct summary *summary) {
    for (size_t i = 0; i < summaries.count; i++)
        if (summaries.all[i]->shown && summary_same_kernel(summaries.all[i], summary) &&
            summary_differs_by_sizes(summaries.all[i]))
            return true;
    return false;
}

static void write_items(char cell[CELL], const struct summary *summary) {
    if (view.all || items_matter(summary))
        snprintf(cell, CELL, "%s", summary->sizes);
}

static void write_width(char cell[CELL], const struct summary *summary) {
    if (view.widths.count > 1)
        snprintf(cell, CELL, "%u", summary->lanes);
}

static void write_sectors(char cell[CELL], const struct summary *summary) {
    write_cost(cell, summary->sectors);
}

static void write_passes(char cell[CELL], const struct summary *summary) {
    write_cost(cell, summary->passes);
}

static void write_constants(char cell[CELL], const struct summary *summary) {
    write_cost(cell, summary->addresses);
}

static void write_lines(char cell[CELL], const struct summary *summary) {
    if (view.pages && summary->lines > 0)
        snprintf(cell, CELL, "%5.2f  %5.2f", summary->lines, summary->pages);
}

static void write_l1_passes(char cell[CELL], const struct summary *summary) {
    if (view.banks && summary->l1_passes > 0)
        snprintf(cell, CELL, "%5.2f  %5.2f", summary->l1_passes,
                 summary->ideal_l1_passes);
}

static void write_busy(char cell[CELL], const struct summary *summary) {
    snprintf(cell, CELL, "%.1f", summary->busy);
}

static void write_branches(char cell[CELL], const struct summary *summary) {
    char diverged[MAX_DIGITS], all[MAX_DIGITS];
    if (summary->branches)
        snprintf(cell, CELL, summary->diverged ? "%s of %s" : "none",
                 digits_write(diverged, summary->diverged),
                 digits_write(all, summary->branches));
}

static void write_barriers(char cell[CELL], const struct summary *summary) {
    if (summary->barriers > 0)
        snprintf(cell, CELL, "%.4g", summary->barriers);
}

static void write_atomics(char cell[CELL], const struct summary *summary) {
    if (summary->atomics)
        digits_write(cell, summary->atomics);
}

static void write_most(char cell[CELL], const struct summary *summary) {
    if (summary->most_on_one < summary->atomics)
        digits_write(cell, summary->most_on_one);
    else if (summary->atomics)
        strcpy(cell, "all");
}

static void write_sample(char cell[CELL], const struct summary *summary) {
    char replayed[MAX_DIGITS], groups[MAX_DIGITS];
    if (view.all && summary->replayed < summary->groups)
        snprintf(cell, CELL, "%s of %s", digits_write(replayed, summary->replayed),
                 digits_write(groups, summary->groups));
}

static void write_mistakes(char cell[CELL], const struct summary *summary) {
    if (summary->mistakes)
        digits_write(cell, summary->mistakes);
}

static const struct column {
    const char *titles[TITLE_LINES];
    void (*write)(char cell[CELL], const struct summary *summary);
} columns[] = {
    {{"", "work-items", "in groups of"}, write_items},
    {{"lanes", "in a", "warp"}, write_width},
    {{"sectors of the", "worst access", "moved  needed"}, write_sectors},
    {{"passes of local", "memory's banks", "taken  needed"}, write_passes},
    {{"addresses in", "constant memory", "read   needed"}, write_constants},
    {{"busiest access,", "on average", "lines  pages"}, write_lines},
    {{"L1 passes of the", "busiest load", "taken  needed"}, write_l1_passes},
    {{"lanes", "busy,", "of %u"}, write_busy},
    {{"branches", "that split", "a warp"}, write_branches},
    {{"barriers", "in a", "group"}, write_barriers},
    {{"", "", "atomics"}, write_atomics},
    {{"most on", "one", "address"}, write_most},
    {{"", "groups", "replayed"}, write_sample},
    {{"", "", "mistakes"}, write_mistakes},
};
enum { COLUMNS = sizeof columns / sizeof *columns };

static size_t longer(size_t one, size_t other) {
    return one > other ? one : other;
}

/* "of 32", for warps of 32 lanes; "of them", where warps are of several widths. */
static const char *title_of(const struct column *column, size_t line,
                            char title[CELL]) {
    const char *text = term(column->titles[line]), *number = strstr(text, "%u");
    if (!number)
        return text;
    if (view.widths.count > 1)
        return "of them";
    snprintf(title, CELL, "%.*s%u", (int)(number - text), text, view.lanes);
    return title;
}

/* 0: no line has anything in that column, so it is left out. */
static size_t width_of(const struct column *column) {
    size_t width = 0;
    char text[CELL];
    for (size_t i = 0; i < summaries.count; i++) {
        char cell[CELL] = "";
        if (summaries.all[i]->shown)
            column->write(cell, summaries.all[i]);
        width = longer(width, strlen(cell));
    }
    for (size_t line = 0; width && line < TITLE_LINES; line++)
        width = longer(width, strlen(title_of(column, line, text)));
    return width;
}

/* ---- The table. */

/* Prints a line without the blanks at its end. */
static void print_line(char *line) {
    size_t length = strlen(line);
    while (length > 0 && line[length - 1] == ' ')
        length--;
    fprintf(view.out, "%.*s\n", (int)length, line);
    free(line);
}

static void print_titles(const size_t widths[COLUMNS], size_t label_width) {
    for (size_t i = 0; i < TITLE_LINES; i++) {
        char *line = NULL, title[CELL];
        size_t bytes = 0;
        FILE *out = open_memstream(&line, &bytes);
        fprintf(out, "%-*s", (int)label_width, i == TITLE_LINES - 1 ? "kernel" : "");
        for (size_t c = 0; c < COLUMNS; c++)
            if (widths[c])
                fprintf(out, "  %*s", (int)widths[c], title_of(&columns[c], i, title));
        fclose(out);
        print_line(line);
    }
}

/* "dot n=64", or "dot (64 launches)"; further in below the name of a file; what is
 * compared is one kernel, "before" and "after". */
static char *row_label(const struct summary *summary, bool with_name) {
    char *more = NULL;
    char *label = view.against ? strdup(summary->before ? "before" : "after")
                               : summary_label(summary, with_name);
    if (summary->file && asprintf(&more, "  %s", label) > 0) {
        free(label);
        return more;
    }
    if (summary->alike &&
        asprintf(&more, "%s (%zu launches)", label, 1 + summary->alike) > 0) {
        free(label);
        return more;
    }
    return label;
}

static void print_launch(const struct summary *summary, const size_t widths[COLUMNS],
                         size_t label_width, bool with_name) {
    char *line = NULL, *label = row_label(summary, with_name);
    const bool is_first = summary->lanes == view.lanes || summary->file;
    size_t bytes = 0;
    FILE *out = open_memstream(&line, &bytes);
    fprintf(out, "%-*s", (int)label_width, is_first ? label : "");
    for (size_t c = 0; c < COLUMNS; c++) {
        char cell[CELL] = "";
        columns[c].write(cell, summary);
        if (widths[c])
            fprintf(out, "  %*s", (int)widths[c], cell);
    }
    fclose(out);
    free(label);
    print_line(line);
}

static size_t label_width(bool with_name) {
    size_t width = strlen("kernel");
    for (size_t i = 0; i < summaries.count; i++) {
        char *label = row_label(summaries.all[i], with_name);
        if (summaries.all[i]->shown)
            width = longer(width, strlen(label));
        free(label);
    }
    return width;
}

static bool any_conflict(void) {
    for (size_t i = 0; i < summaries.count; i++)
        if (summaries.all[i]->shown &&
            summaries.all[i]->passes.is > summaries.all[i]->passes.ideal)
            return true;
    return false;
}

/* Of all columns, with the blanks before each. */
static size_t measure(size_t widths[COLUMNS], bool with_passes) {
    size_t sum = 0;
    for (size_t c = 0; c < COLUMNS; c++) {
        const bool shown = with_passes || columns[c].write != write_passes;
        widths[c] = shown ? width_of(&columns[c]) : 0;
        sum += widths[c] ? widths[c] + 2 : 0;
    }
    return sum;
}

/* What a pass is, which its title does not say; and which atomics are counted. */
static void print_units(const size_t widths[COLUMNS]) {
    bool passes = false, local_atomics = false;
    for (size_t c = 0; c < COLUMNS; c++)
        passes |= widths[c] && columns[c].write == write_passes;
    for (size_t i = 0; i < summaries.count; i++)
        local_atomics |= summaries.all[i]->shown && summaries.all[i]->local_atomics;
    if (passes)
        print_wrapped(
            term("In a pass, each bank of local memory serves one word of 4 bytes."));
    if (local_atomics)
        print_wrapped(term("Atomics on local memory are counted, too."));
}

/* Where names are too long for the lines, each is above the lines of its kernel; and
 * where that is not enough, passes are left out if no launch has too many. */
static void print_launches(void) {
    size_t widths[COLUMNS], cells = measure(widths, true);
    const struct summary *before = NULL;
    if (label_width(false) + cells > screen_columns() && !any_conflict())
        cells = measure(widths, false);
    const bool with_name = label_width(true) + cells <= screen_columns();
    const size_t width = label_width(with_name);
    print_titles(widths, width);
    for (size_t i = 0; i < summaries.count; i++) {
        const struct summary *summary = summaries.all[i];
        if (!summary->shown)
            continue;
        if (summary->file && (!before || before->file != summary->file))
            fprintf(view.out, "%s\n", summary->file);
        if (!with_name && (!before || !summary_same_kernel(before, summary)))
            fprintf(view.out, "%s%s\n", summary->file ? "  " : "", summary->kernel);
        print_launch(summary, widths, width, with_name);
        before = summary;
    }
    print_units(widths);
}

/* ---- The picture. */
static void draw(const struct summary *summary, struct picture *picture,
                 const char *what, bool alike) {
    char *label = summary_label(summary, true);
    snprintf(picture->title, sizeof picture->title, "%s: %.60s, %s", what, label,
             picture->where);
    free(label);
    draw_explained(picture, alike);
}

/* "One of 32 lanes works"; on average if the picture has another number of them. */
static void write_idle(char what[CELL], double busy, uint64_t drawn) {
    const double difference = busy - (double)drawn;
    const bool all = -0.05 < difference && difference < 0.05;
    if (all && drawn == 1)
        snprintf(what, CELL, "One of %u lanes works", view.lanes);
    else if (all)
        snprintf(what, CELL, "%llu of %u lanes work", (unsigned long long)drawn,
                 view.lanes);
    else
        snprintf(what, CELL, "%.1f of %u lanes work on average", busy, view.lanes);
}

/* What went wrong in a launch, from the worst on; and what it is if nothing did. */
enum flaw { ACCESS, WAITING, IDLE, WASTE, NONE };

/* What is to be drawn of this launch for this flaw; NULL: it has not got it. */
static struct candidate *candidate_for(struct summary *summary, enum flaw flaw) {
    struct candidate *candidate = NULL;
    const bool idle = summary_is_idle(summary);
    if (flaw == ACCESS)
        candidate = &summary->worst;
    else if (flaw == WAITING && (summary->mostly || idle))
        candidate = &summary->divergence;
    else if ((flaw == IDLE && idle) || flaw == NONE)
        candidate = &summary->load;
    else if (flaw == WASTE && summary_is_wasteful(summary))
        candidate = &summary->waste;
    return candidate && candidate->picture.rows ? candidate : NULL;
}

/* Has `one` more of this flaw than `other`? */
static bool has_more(struct summary *one, struct summary *other, enum flaw flaw) {
    const struct cost cost = candidate_for(one, flaw)->cost,
                      others = candidate_for(other, flaw)->cost;
    if (flaw == ACCESS && !is_worse(cost, others) && !is_worse(others, cost))
        return one->lines > other->lines; /* the same sectors, and farther apart */
    if (flaw == WAITING && one->mostly != other->mostly)
        return one->mostly;
    return flaw == ACCESS  ? is_worse(cost, others)
           : flaw == IDLE  ? one->busy < other->busy
           : flaw == WASTE ? one->used * other->moved < other->used * one->moved
                           : cost.is > others.is;
}

static struct summary *first_with(enum flaw flaw) {
    struct summary *found = NULL;
    for (size_t i = 0; i < summaries.count; i++) {
        struct summary *summary = summaries.all[i];
        if (summary->shown && summary->lanes == view.lanes && !summary->before &&
            candidate_for(summary, flaw) && (!found || has_more(summary, found, flaw)))
            found = summary;
    }
    return found;
}

/* Returns the kernel that is drawn; NULL: there is nothing to draw. */
static const char *draw_worst(void) {
    char idle[CELL];
    for (enum flaw flaw = ACCESS; flaw <= NONE; flaw++) {
        struct summary *summary = first_with(flaw);
        if (!summary)
            continue;
        write_idle(idle, summary->busy, summary->load.cost.ideal);
        draw(summary, &candidate_for(summary, flaw)->picture,
             flaw == ACCESS    ? "The worst access"
             : flaw == WAITING ? "Lanes wait"
             : flaw == IDLE    ? idle
             : flaw == WASTE   ? "Most of what is moved is not used"
                               : "A good access",
             flaw != WAITING);
        return summary->kernel;
    }
    return NULL;
}

/* Sums of a sample are no sums of the launch, so they are scaled. */
static void print_sample(void) {
    bool sampled = false, branches = false, atomics = false;
    for (size_t i = 0; i < summaries.count; i++) {
        const struct summary *summary = summaries.all[i];
        const bool is_sample = summary->shown && summary->replayed < summary->groups;
        sampled |= is_sample;
        branches |= is_sample && summary->diverged;
        atomics |= is_sample && summary->atomics;
    }
    if (!sampled)
        return;
    fprintf(view.out, "Only some %s of large launches were replayed", term("groups"));
    if (branches || atomics)
        fprintf(view.out, "; %s%s%s are scaled up to all", branches ? "branches" : "",
                branches && atomics ? " and " : "", atomics ? "atomics" : "");
    fputs(".\n", view.out);
}

/* "Launches left out: 2 made less often, 3 beyond the first 8 of a kernel." */
static void print_left_out(void) {
    char *what = NULL;
    size_t bytes = 0, seldom = 0, beyond = 0, folded = 0;
    for (size_t i = 0; i < summaries.count; i++) {
        const struct summary *summary = summaries.all[i];
        if (summary->lanes != view.lanes)
            continue; /* it is the same launch */
        folded += summary->folded;
        seldom += !summary->shown && !summary->frequent;
        beyond += !summary->shown && summary->frequent && !summary->folded;
    }
    if (seldom + beyond + folded == 0)
        return;
    FILE *out = open_memstream(&what, &bytes);
    fputs(seldom + beyond ? "Launches left out:" : "Each launch alone:", out);
    if (seldom)
        fprintf(out, " %zu made less often", seldom);
    if (beyond)
        fprintf(out, "%s %zu beyond the first %d of a kernel", seldom ? "," : "",
                beyond, MAX_LAUNCHES);
    fputs(seldom + beyond ? ".  All:" : "", out);
    fclose(out);
    print_command(what, "--table --all");
    free(what);
}

static void print_next(const char *kernel) {
    char *lens_options = NULL;
    const char *more = view.called ? "" : "; of all of them: --all";
    if (asprintf(&lens_options, "--kernel %s%s", kernel, more) > 0)
        print_command("Every load and store of a kernel:", lens_options);
    free(lens_options);
}

/* The time that no device of a kind beats, for each launch that has one. */
static void print_least(void) {
    enum { INDENT = 4 };
    const size_t width = label_width(true);
    bool any = false;
    for (size_t i = 0; i < summaries.count; i++) {
        const struct summary *summary = summaries.all[i];
        if (!summary->shown || !summary->least)
            continue;
        if (!any)
            fprintf(view.out, "\nOn %s (docs/lens.md)\n", least_device());
        any = true;
        char *label = row_label(summary, true), *line = NULL;
        if (asprintf(&line, "  %-*s  %s", (int)width, label, summary->least) > 0)
            print_hanging(line, INDENT);
        free(label);
        free(line);
    }
    least_habits();
}

static void print_heading(void) {
    char widths[WIDTHS_IN_WORDS];
    fprintf(view.out,
            "What %s lanes of a GPU would do: counted, not timed, the same on every "
            "machine\n\n",
            widths_in_words(widths));
}

void table_print_checked(void) {
    if (summaries.count == 0)
        return;
    print_heading();
    print_launches();
    print_sample();
}

void table_print(void) {
    if (summaries.count == 0)
        return;
    summaries_choose();
    print_heading();
    print_launches();
    print_sample();
    print_left_out();
    print_least();
    fputc('\n', view.out);
    const char *drawn = draw_worst();
    if (view.against)
        before_after_print(summaries.all[0], summaries.all[1]);
    if (view.alone && summaries.count == 1 && *summaries.all[0]->sums)
        fprintf(view.out, "%s\n", summaries.all[0]->sums);
    print_next(drawn ? drawn : summaries.all[0]->kernel);
}
