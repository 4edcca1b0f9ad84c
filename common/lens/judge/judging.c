/* judging: a finding fails by --fail-on, and does not if the baseline has it. */
#include "judging.h"
#include "base/memory.h"
#include "baseline.h"
#include "fail_on.h"
#include "sarif.h"

#include <stdlib.h>

static struct judging judging;
static struct fail_on fail_on;

void judging_begin(struct judging chosen) {
    judging = chosen;
    char *wrong = chosen.fail_on ? fail_on_read(&fail_on, chosen.fail_on) : NULL;
    if (wrong)
        lens_die("--fail-on cannot have '%s'" HINT "choose of %s", wrong,
                 fail_on_words());
    findings_begin();
}

bool judging_wanted(void) {
    return judging.fail_on || judging.baseline || judging.sarif || judging.checked;
}

/* ---- What fails. */

/* Without a list each mistake fails; and if there is a baseline to compare with, each
 * count. */
static bool fails_by_list(struct finding *finding, bool compare) {
    if (finding->is_note)
        return false;
    snprintf(finding->limit, sizeof finding->limit, "0");
    if (!rule_is_count(finding->rule))
        return fail_on_mistake(&fail_on, finding->rule);
    const struct limit *exceeded =
        fail_on_exceeded(&fail_on, finding->rule, finding->value, finding->needed);
    if (exceeded)
        limit_in_words(exceeded, finding->limit);
    return exceeded || (compare && !judging.fail_on);
}

static uint64_t count_alike(const struct finding *finding) {
    uint64_t count = 0;
    for (size_t i = 0; i < findings.count; i++)
        count +=
            !findings.all[i].is_note && findings_are_alike(&findings.all[i], finding);
    return count;
}

/* Returns how many lines of the baseline are better now. */
static size_t judge(bool compare) {
    for (size_t i = 0; i < findings.count; i++) {
        struct finding *finding = &findings.all[i];
        finding->fails = fails_by_list(finding, compare);
        finding->is =
            rule_is_count(finding->rule) ? finding->value : count_alike(finding);
    }
    return compare ? baseline_forgive(judging.baseline) : 0;
}

size_t judging_failed(bool counts) {
    size_t failed = 0;
    for (size_t i = 0; i < findings.count; i++)
        failed +=
            findings.all[i].fails && rule_is_count(findings.all[i].rule) == counts;
    return failed;
}

bool judging_fails(void) {
    judge(judging.baseline && baseline_is_there(judging.baseline));
    return judging_failed(false) + judging_failed(true) > 0;
}

/* ---- In words. */

/* Several mistakes in one line of the source are one line here. */
static bool is_said(size_t number) {
    const struct finding *finding = &findings.all[number];
    for (size_t i = 0; i < number; i++)
        if (findings.all[i].fails && findings_are_alike(&findings.all[i], finding) &&
            findings.all[i].at.line == finding->at.line)
            return true;
    return false;
}

/* "fails    dot.cl:37: sectors 32 (needed 4), limit 8: dot, x". */
static void print(FILE *out, const struct finding *finding) {
    fprintf(out, "fails    %s:", finding->at.file ? finding->at.file : "?");
    if (finding->at.line)
        fprintf(out, "%u:", finding->at.line);
    fprintf(out, " %s %llu%s", finding->rule->id, (unsigned long long)finding->is,
            finding->rule == &rule_idle ? " %" : "");
    if (finding->needed)
        fprintf(out, " (needed %llu)", (unsigned long long)finding->needed);
    fprintf(out, ", limit %s: %s%s%s\n", finding->limit, finding->kernel,
            finding->name ? ", " : "", finding->name ? finding->name : "");
}

static void print_none(FILE *out) {
    char *file = findings_file(judging.baseline);
    fprintf(out, "nothing fails that %s does not have\n", file);
    free(file);
}

static void print_better(FILE *out, size_t better) {
    char *file = findings_file(judging.baseline);
    fprintf(out,
            "better   %zu line%s of %s: to write it again, remove it and run the same "
            "command\n",
            better, better == 1 ? "" : "s", file);
    free(file);
}

static void write_baseline(FILE *out) {
    char *file = findings_file(judging.baseline);
    baseline_write(judging.baseline);
    fprintf(out, "written  %s, with what was found\n", file);
    free(file);
}

bool judging_end(FILE *readers, FILE *out, bool whole) {
    const bool compare = judging.baseline && baseline_is_there(judging.baseline);
    const size_t better = judge(compare),
                 failed = judging_failed(false) + judging_failed(true);
    for (size_t i = 0; i < findings.count; i++)
        if (findings.all[i].fails && !is_said(i))
            print(readers, &findings.all[i]);
    if (judging.baseline && !compare)
        write_baseline(readers);
    if (compare && failed == 0)
        print_none(readers);
    if (better > 0 && whole && failed == 0)
        print_better(readers, better);
    if (judging.sarif)
        sarif_write(out);
    return failed > 0;
}

void judging_refused(FILE *out) {
    if (judging.sarif)
        sarif_write(out);
}
