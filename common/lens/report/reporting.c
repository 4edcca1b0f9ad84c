/* reporting: decides what of a launch is shown, and how. */
#define _GNU_SOURCE /* open_memstream */
#include "reporting.h"
#include "base/machine.h"
#include "base/memory.h"
#include "base/progress.h"
#include "base/rows.h"
#include "base/vocabulary.h"
#include "by_place.h"
#include "code/source_lines.h"
#include "count_rows.h"
#include "finding_words.h"
#include "folded.h"
#include "judge/judging.h"
#include "listing.h"
#include "mistake_rows.h"
#include "mistake_words.h"
#include "summaries.h"
#include "table.h"
#include "view.h"

#include <stdlib.h>

enum { LINE_SHOWN = 80 }; /* characters of a source line */

/* ---- Launches that have the same counts are one line. */
static struct {
    struct shown {
        size_t launch;
        uint64_t counts;
    } * all;
    size_t count;
} shown;

static uint64_t mix(uint64_t digest, uint64_t number) {
    digest = (digest ^ number) * 0x9e3779b97f4a7c15u;
    return digest ^ digest >> 32;
}

/* A digest of all that can be shown. */
static uint64_t counts_of(const struct run *run, const struct facts *facts) {
    uint64_t digest =
        mix(mix(1, run->outcome.instructions), run->outcome.lane_instructions);
    digest = mix(mix(digest, run->outcome.barriers), run->outcome.groups_replayed);
    for (size_t i = 0; i < facts->count; i++) {
        const struct tally *sum = &facts->all[i].sum;
        const struct branch_tally *branch = &facts->all[i].branch;
        const uint64_t numbers[] = {
            sum->accesses,      sum->lanes,         sum->used,   sum->addresses,
            sum->sectors,       sum->lines,         sum->pages,  sum->passes,
            sum->ideal_passes,  sum->ideal_sectors, sum->same,   sum->most,
            branch->executions, branch->diverged,   sum->texels, sum->different_texels};
        for (size_t n = 0; n < sizeof numbers / sizeof *numbers; n++)
            digest = mix(digest, numbers[n]);
    }
    return digest;
}

/* Is it the first one with these arguments and counts?  `number` gets the number of the
 * first one. */
static bool is_first(size_t launch, uint64_t counts, size_t *number) {
    for (*number = 0; *number < shown.count; ++*number)
        if (shown.all[*number].launch == launch && shown.all[*number].counts == counts)
            return false;
    *GROW(shown.all, shown.count) = (struct shown){launch, counts};
    return true;
}

static void report_counts(const struct run *run, const struct facts *facts,
                          size_t number, uint64_t counts) {
    const bool in_table = !rows_wanted() && !view.listed;
    if (judging_wanted())
        findings_of_counts(run, facts);
    if (view.listed && listing_is_full(run))
        return;
    if (rows_wanted())
        count_rows(run, facts);
    else if (view.listed)
        listing_print(run, facts);
    else
        summary_add(run, facts, number, counts);
    if (!in_table && (!rows_wanted() || view.svg || view.html))
        listing_draw(run, facts);
}

void report_mistakes(const struct run *run) {
    if (judging_wanted())
        findings_of_mistakes(run);
    if (rows_wanted())
        mistake_rows(run);
    else
        mistakes_report(run);
}

size_t report_launch(const struct run *run, size_t launch) {
    size_t number = 0;
    const bool mistaken = run->mistakes.count > 0 && !view.checked;
    if (view.mistakes || mistaken) {
        report_mistakes(run);
        if (!rows_wanted())
            mistakes_print_notes(run);
    } else if (!view.results) {
        struct facts facts = facts_of(run);
        const uint64_t counts = counts_of(run, &facts);
        if (is_first(launch, counts, &number))
            report_counts(run, &facts, number, counts);
        else
            report_again(number);
        free(facts.all);
    }
    fflush(view.out);
    return number;
}

void report_width(const struct run *run, size_t number) {
    if (!summary_is_kept(number, view.lanes) ||
        summary_is_kept(number, run->model.lanes))
        return;
    struct facts facts = facts_of(run);
    summary_add(run, &facts, number, counts_of(run, &facts));
    free(facts.all);
}

void report_before(const struct run *run) {
    struct facts facts = facts_of(run);
    summary_add(run, &facts, 1, counts_of(run, &facts));
    summaries.all[summaries.count - 1]->before = true;
    free(facts.all);
}

void report_again(size_t number) {
    summary_again(number);
}

/* What compiled the kernels matters to those who compare counts line by line. */
static void print_model(void) {
    char widths[WIDTHS_IN_WORDS];
    if (!view.listed && !view.all) {
        fprintf(view.out,
                "The model: warps of %s lanes, sectors of %d bytes, no caches, no time "
                "(docs/lens.md)\n",
                widths_in_words(widths), SECTOR);
        return;
    }
    fprintf(view.out,
            "Model: %s lanes in lockstep; sectors of %d bytes, lines of %d; "
            "%d banks of %d bytes;\n"
            "no caches, no registers, no time (docs/lens.md); compiled by %s\n",
            widths_in_words(widths), SECTOR, LINE, BANKS, WORD, code_compiler());
}

static char *limit_in_words(const struct run *run) {
    const struct place place = run->outcome.at_work;
    char *words = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&words, &bytes);
    fprintf(
        out,
        run->outcome.endless
            ? "note: %s: it never ends: after %llu steps a %s came back to where it "
              "was; --races says more\n"
            : "note: %s: step limit exceeded: after %llu steps of one %s the lens "
              "stopped looking\n",
        run->job.kernel, (unsigned long long)run->outcome.limit, term("group"));
    if (place.line > 0)
        fprintf(out, "  line %-4u still at work  %s\n", place.line,
                source_text(run->job.source, place, LINE_SHOWN));
    fclose(out);
    return words;
}

static void row_limit(const struct run *run, const char *report) {
    const struct place place = run->outcome.at_work;
    row_begin("limit");
    row_text("kernel", run->job.kernel);
    row_text("arguments", run->job.scalars);
    row_text("kind", run->outcome.endless ? "endless loop" : "step limit exceeded");
    row_number("steps", run->outcome.limit);
    if (place.line > 0) {
        row_text("file", place.file);
        row_number("line", place.line);
        row_number("column", place.column);
        row_text("text", source_text(run->job.source, place, LINE_SHOWN));
    }
    row_text("report", report);
    row_end();
}

void report_limit(const struct run *run) {
    char *words = limit_in_words(run);
    progress_erase();
    fputs(words, stderr);
    if (rows_wanted())
        row_limit(run, words);
    free(words);
}

void report_hidden(const char *kernel, const char *why) {
    if (judging_wanted())
        findings_hide(kernel, why);
    if (!rows_wanted())
        return;
    row_begin("hidden");
    row_text("kernel", kernel);
    row_text("message", why);
    row_end();
}

void report_refused(const char *kernel, const char *why) {
    report_hidden(kernel, why);
    if (!view.checked)
        judging_refused(view.out);
}

bool report_judged(const struct looked *looked, size_t hidden, bool mistaken) {
    const bool is_whole = hidden + looked->left + looked->limited == 0;
    return judging_wanted() ? judging_end(rows_readers(), view.out, is_whole)
                            : mistaken;
}

/* "no mistake found in 3 launches", and what the lens did not see of them. */
static void print_found_none(const struct looked *looked) {
    const size_t seen = looked->replayed + looked->equal, made = seen + looked->left;
    fprintf(view.out, "no mistake found in %zu ", seen);
    if (looked->left)
        fprintf(view.out, "of %zu ", made);
    fprintf(view.out, "launch%s", made == 1 ? "" : "es");
    if (looked->equal)
        fprintf(view.out, " (%zu replayed, the others equal to one of these)",
                looked->replayed);
    if (looked->left)
        fputs("; --all-launches looks at all", view.out);
    if (looked->sampled)
        fputs("; of large ones a sample was looked at", view.out);
}

/* In one word, as far as words are fixed. */
static const char *verdict_of(const struct looked *looked, size_t hidden,
                              const char *found) {
    if (mistake_rows_written() > 0)
        return "mistake found";
    if (found)
        return found;
    if (looked->replayed == 0)
        return "nothing looked at";
    if (!view.mistakes && !view.results && !view.checked)
        return "counted";
    if (hidden > 0)
        return "not all looked at";
    return view.results ? "agrees with the device" : "no mistake found";
}

void report_verdict(const struct looked *looked, size_t hidden, const char *found) {
    const size_t seen = looked->replayed + looked->equal;
    if (!rows_wanted())
        return;
    row_begin("verdict");
    row_text("verdict", verdict_of(looked, hidden, found));
    row_number("mistakes", mistake_rows_written());
    row_number("launches", seen + looked->left + hidden);
    row_number("launches_seen", seen);
    row_number("launches_cut_short", looked->limited);
    row_number("launches_sampled", looked->sampled);
    row_number("launches_left_out", looked->left);
    row_number("launches_hidden", hidden);
    row_end();
}

void report_end(const struct looked *looked) {
    if (rows_wanted())
        return;
    if (view.results || view.mistakes) {
        if (looked->limited) /* first: of what was not seen nothing good can be said */
            fprintf(
                view.out,
                "of %zu launch%s the lens saw only the beginning; apart from that, ",
                looked->limited, looked->limited == 1 ? "" : "es");
        if (view.results)
            fputs("the replay's results are the device's", view.out);
        else
            print_found_none(looked);
        fputc('\n', view.out);
    } else {
        if (view.listed)
            folded_print(view.out);
        table_print();
        if (looked->limited)
            fprintf(view.out, "Of %zu launch%s only the beginning was counted.\n",
                    looked->limited, looked->limited == 1 ? "" : "es");
        print_model();
    }
}
