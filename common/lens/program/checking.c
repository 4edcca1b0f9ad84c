/* checking: replays each launch twice, for its counts and for its mistakes, in two
 * processes of their own: one that ends early hides nothing else.  Each of them leaves
 * a report, its errors, and what it has found. */
#define _GNU_SOURCE /* asprintf, getdelim, strndup */
#include "checking.h"
#include "alone/launch_lines.h"
#include "alone/single.h"
#include "base/memory.h"
#include "base/parcel.h"
#include "base/rows.h"
#include "base/vocabulary.h"
#include "check.h"
#include "clang.h"
#include "environment.h"
#include "judge/judging.h"
#include "refusals.h"
#include "report/mistake_rows.h"
#include "report/summaries.h"
#include "report/table.h"
#include "report/view.h"
#include "words.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum replay { COUNTS, MISTAKES, REPLAYS };

/* A process that replays a launch, and what it leaves. */
struct look {
    pid_t process;
    FILE *report, *errors, *found;
    int status;
    struct looked looked;
    size_t mistakes;
};

struct checked {
    const struct launch_line *line;
    struct look looks[REPLAYS];
    bool hidden; /* one of them could not look */
};

static struct words {
    char **all;
    size_t count;
} options; /* that hold for all launches */

/* ---- The words of the command line. */
static void add_word_to(struct words *words, char *word) {
    *GROW(words->all, words->count) = word;
}

/* Options, up to the next file. */
static void read_options(int argc, char **argv) {
    const int first = optind;
    words_read(argc, argv, true);
    for (int i = first; i < optind; i++)
        add_word_to(&options, argv[i]);
}

static void refuse_options(void) {
    static const enum option_id others[] = {
        OPTION_kernel,    OPTION_all,   OPTION_table, OPTION_whole,
        OPTION_svg,       OPTION_html,  OPTION_check, OPTION_ours,
        OPTION_all_sizes, OPTION_quick, OPTION_total, OPTION_against};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        option_refuse(others[i], "`check` shows a line for each launch, and what it "
                                 "finds; `kernel FILE` shows more of one launch");
    options_refuse(PROGRAMS, "it needs a program");
    const char *lanes = option_given(OPTION_lanes);
    if (lanes && strchr(lanes, ','))
        option_refuse(OPTION_lanes, "`check` has one width for each launch");
}

/* ---- One replay. */

/* Options that hold for the whole check stand behind `check` alone. */
static void refuse_options_of_check(void) {
    static const enum option_id of_check[] = {OPTION_format, OPTION_fail_on,
                                              OPTION_baseline};
    for (size_t i = 0; i < sizeof of_check / sizeof *of_check; i++)
        option_refuse(of_check[i], "it holds for all launches: give it to `check`");
}

/* Reads words as `kernel FILE` would, and returns the call; NULL: there is none. */
static const char *read_words(const struct words *words) {
    const char *call = NULL;
    const int count = (int)words->count - 1; /* behind them is NULL */
    optind = 0;                              /* getopt begins again */
    for (words_read(count, words->all, true); optind < count;
         words_read(count, words->all, true)) {
        if (call)
            die("%s is one word too many" HINT
                "there is one call; quotation marks keep a word together",
                words->all[optind]);
        call = words->all[optind++];
    }
    return call;
}

/* Those of the line first, so that those of the command line hold. */
static const char *read_line(const struct launch_line *line, char *called) {
    struct words words = {.count = 0};
    add_word_to(&words, called);
    for (size_t i = 0; i < line->word_count; i++)
        add_word_to(&words, line->words[i]);
    add_word_to(&words, NULL);
    forget_options();
    const char *call = read_words(&words);
    refuse_options();
    refuse_options_of_check();
    words.count = 1;
    for (size_t i = 0; i < options.count; i++)
        add_word_to(&words, options.all[i]);
    add_word_to(&words, NULL);
    read_words(&words);
    refuse_sizes(line->file, false);
    return call;
}

static void set_output(FILE *report) {
    char number[16];
    snprintf(number, sizeof number, "%d", fileno(report));
    set_variable("LENS_OUT", number);
    set_variable("LENS_ALONE", "1");
    set_variable("LENS_CHECKED", "1");
}

/* What the process does. */
static _Noreturn void replay_launch(const struct launch_line *line, char *called,
                                    enum replay replay, struct look *look) {
    dup2(fileno(look->errors), STDERR_FILENO);
    summaries = (struct summaries){.count = 0}; /* of launches before this one */
    findings = (struct findings){.count = 0};
    const char *call = read_line(line, called);
    set_output(look->report);
    if (replay == MISTAKES)
        set_variable("LENS_RACES", "1");
    else
        unsetenv("LENS_RACES");
    size_t mistakes = 0;
    const struct looked looked = single_check(line->file, call, &mistakes);
    parcel_write(look->found, &looked, sizeof looked);
    parcel_write(look->found, &mistakes, sizeof mistakes);
    findings_write(look->found);
    summary_write(look->found);
    exit(fflush(look->found) == 0 ? RIGHT : CANNOT_RUN);
}

static FILE *open_file(void) {
    FILE *file = tmpfile();
    if (!file)
        die("no room for a file in the folder for temporary ones" HINT
            "make room in /tmp");
    return file;
}

static void begin_look(struct look *look, const struct launch_line *line, char *called,
                       enum replay replay) {
    *look = (struct look){
        .report = open_file(), .errors = open_file(), .found = open_file()};
    fflush(NULL);
    look->process = fork();
    if (look->process < 0)
        die("cannot start a process" HINT "are too many at work?");
    if (look->process == 0)
        replay_launch(line, called, replay, look);
}

/* Waits for it, and takes over what it has found. */
static void end_look(struct look *look, const struct launch_line *line) {
    int status = 0;
    waitpid(look->process, &status, 0);
    look->status = WIFEXITED(status) ? WEXITSTATUS(status) : CANNOT_RUN;
    if (WIFSIGNALED(status))
        fprintf(look->errors, "error: the lens was ended by signal %d: %s\n",
                WTERMSIG(status), strsignal(WTERMSIG(status)));
    rewind(look->report);
    rewind(look->errors);
    rewind(look->found);
    if (look->status != RIGHT ||
        !parcel_read(look->found, &look->looked, sizeof look->looked) ||
        !parcel_read(look->found, &look->mistakes, sizeof look->mistakes))
        return;
    findings_read(look->found);
    struct summary *summary = summary_read(look->found);
    if (summary)
        summary->file = line->file;
}

/* ---- What is said of it. */

/* All that was written; the caller frees it. */
static char *text_of(FILE *file) {
    char *text = NULL;
    size_t room = 0;
    if (getdelim(&text, &room, '\0', file) > 0)
        return text;
    free(text);
    return strdup("");
}

/* Errors and notes say in which line of which file the launch is. */
static void print_errors(const struct launch_line *line, const char *text) {
    static const char *const kinds[] = {"error: ", "skipped: ", "note: "};
    for (const char *end; *text; text = end) {
        size_t kind = 0;
        end = text + strcspn(text, "\n");
        end += *end == '\n';
        while (kind < 3 && strncmp(text, kinds[kind], strlen(kinds[kind])) != 0)
            kind++;
        const size_t begin = kind < 3 ? strlen(kinds[kind]) : 0;
        fprintf(stderr, "%.*s", (int)begin, text);
        if (kind < 3)
            fprintf(stderr, "%s:%u: ", line->file, line->number);
        fprintf(stderr, "%.*s", (int)(end - text - (long)begin), text + begin);
    }
}

/* Of a launch that could not be looked at, and why: behind "error: " or "skipped: "
 * the first line says it. */
static void hide(const struct launch_line *line, const char *errors) {
    const char *begin = strstr(errors, ": ");
    begin = begin ? begin + 2 : errors;
    char *launch = NULL, *why = strndup(begin, strcspn(begin, "\n"));
    if (asprintf(&launch, "%s:%u: %s", line->file, line->number, line->text) < 0)
        die("no memory for names" HINT "give fewer files");
    findings_hide(launch, why);
    free(launch);
    free(why);
}

/* Both replays may say the same, and launches of one file, too. */
static void tell_errors(struct checked *checked) {
    static char *before; /* of the file at hand */
    static const char *file;
    char *errors[REPLAYS];
    for (int r = 0; r < REPLAYS; r++)
        errors[r] = text_of(checked->looks[r].errors);
    if (file != checked->line->file || (before && strcmp(before, errors[COUNTS]) != 0))
        before = NULL;
    if (checked->hidden && before)
        fprintf(stderr, "error: %s:%u: for the same reason\n", checked->line->file,
                checked->line->number);
    else
        print_errors(checked->line, errors[COUNTS]);
    if (strcmp(errors[MISTAKES], errors[COUNTS]) != 0)
        print_errors(checked->line, errors[MISTAKES]);
    if (checked->hidden)
        hide(checked->line, *errors[COUNTS] ? errors[COUNTS] : errors[MISTAKES]);
    file = checked->line->file;
    free(errors[MISTAKES]);
    before = checked->hidden ? errors[COUNTS] : NULL;
}

static void look_at(struct checked *checked, char *called) {
    const size_t before = summaries.count;
    for (int r = 0; r < REPLAYS; r++)
        begin_look(&checked->looks[r], checked->line, called, (enum replay)r);
    for (int r = 0; r < REPLAYS; r++) {
        end_look(&checked->looks[r], checked->line);
        checked->hidden |= checked->looks[r].status != RIGHT;
    }
    if (summaries.count > before)
        summaries.all[before]->mistakes = checked->looks[MISTAKES].mistakes;
    tell_errors(checked);
    if (rows_wanted())
        for (int r = 0; r < REPLAYS; r++)
            rows_copy(checked->looks[r].report);
}

/* ---- The report. */

/* Widths, and words, are those of all launches. */
static void prepare_table(const struct launch_lines *lines) {
    struct widths widths = {.count = 0};
    bool is_cuda = true;
    for (size_t i = 0; i < lines->count; i++)
        is_cuda &= code_language(lines->all[i].file) != OPENCL_C;
    for (size_t i = 0; i < summaries.count; i++) {
        size_t known = 0;
        while (known < widths.count && widths.lanes[known] != summaries.all[i]->lanes)
            known++;
        if (known == widths.count && widths.count < MAX_WIDTHS)
            widths.lanes[widths.count++] = summaries.all[i]->lanes;
    }
    vocabulary_use(is_cuda);
    view_widths(widths);
}

static void print_mistakes(const struct checked *checked) {
    const struct look *look = &checked->looks[MISTAKES];
    if (look->mistakes == 0)
        return;
    fprintf(view.out, "\n%s:%u: %s\n", checked->line->file, checked->line->number,
            checked->line->text);
    rows_copy(look->report);
}

static size_t count_files(const struct launch_lines *lines) {
    size_t files = 0;
    for (size_t i = 0; i < lines->count; i++)
        files += i == 0 || lines->all[i].file != lines->all[i - 1].file;
    return files;
}

static void print_count(FILE *out, size_t count, const char *what, const char *ending) {
    fprintf(out, "%zu %s%s", count, what, count == 1 ? "" : ending);
}

/* "2 mistakes and 1 count fail in 3 of 4 launches of 2 files". */
static void print_verdict(const struct launch_lines *lines, const struct looked *looked,
                          size_t hidden, size_t found) {
    const size_t mistakes = judging_failed(false), counts = judging_failed(true);
    FILE *out = rows_readers();
    if (mistakes > 0)
        print_count(out, mistakes, "mistake", "s");
    if (counts > 0) {
        fputs(mistakes > 0 ? " and " : "", out);
        print_count(out, counts, "count", "s");
    }
    fputs(mistakes + counts > 1    ? " fail"
          : mistakes + counts == 1 ? " fails"
          : looked->replayed == 0  ? "nothing could be looked at"
          : found > 0              ? "nothing fails"
                                   : "no mistake found",
          out);
    fputs(" in ", out);
    if (hidden > 0 && looked->replayed > 0)
        fprintf(out, "%zu of ", looked->replayed);
    print_count(out, lines->count, "launch", "es");
    fputs(" of ", out);
    print_count(out, count_files(lines), "file", "s");
    if (looked->limited > 0)
        fprintf(out, "; of %zu only the beginning was looked at", looked->limited);
    fputs(looked->sampled ? "; of large ones a sample was looked at\n" : "\n", out);
}

/* What both replays of all launches come to. */
static struct looked add_up(const struct checked *all, size_t count, size_t *hidden,
                            int *worst) {
    struct looked sum = {.replayed = 0};
    for (size_t i = 0; i < count; i++) {
        const struct look *looks = all[i].looks;
        *hidden += all[i].hidden;
        sum.replayed += !all[i].hidden;
        sum.limited += looks[COUNTS].looked.limited || looks[MISTAKES].looked.limited;
        sum.sampled |= looks[COUNTS].looked.sampled || looks[MISTAKES].looked.sampled;
        for (int r = 0; r < REPLAYS; r++)
            if (looks[r].status == CANNOT_RUN)
                *worst = CANNOT_RUN;
    }
    return sum;
}

/* Some mistakes end a launch, also where none are looked for. */
static bool any_stopped(const struct checked *all, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (all[i].looks[COUNTS].mistakes > 0)
            return true;
    return false;
}

static void print_table(const struct launch_lines *lines, const struct checked *all) {
    prepare_table(lines);
    table_print_checked();
    if (any_stopped(all, lines->count))
        fputs("A launch that stops at a mistake is counted up to there.\n", view.out);
    for (size_t i = 0; i < lines->count; i++)
        print_mistakes(&all[i]);
    fputc('\n', view.out);
}

static int report(const struct launch_lines *lines, const struct checked *all) {
    size_t hidden = 0, found = 0;
    int status = RIGHT;
    const struct looked looked = add_up(all, lines->count, &hidden, &status);
    for (size_t i = 0; i < lines->count; i++)
        found += all[i].looks[MISTAKES].mistakes;
    mistake_rows_add(found);
    if (!rows_wanted())
        print_table(lines, all);
    report_verdict(&looked, hidden, NULL);
    const bool fails = report_judged(&looked, hidden, found > 0);
    print_verdict(lines, &looked, hidden, found);
    if (fflush(view.out) != 0 || ferror(view.out))
        die("cannot write the report" HINT "is the disk full?");
    return status != RIGHT               ? status
           : fails                       ? WRONG
           : hidden + looked.limited > 0 ? SKIPPED
                                         : RIGHT;
}

int check_files(int argc, char **argv) {
    struct launch_lines lines = {.count = 0};
    struct words files = {.count = 0};
    for (int i = 1; i < optind; i++)
        add_word_to(&options, argv[i]);
    optind++;
    for (read_options(argc, argv); optind < argc; read_options(argc, argv))
        add_word_to(&files, argv[optind++]);
    if (files.count == 0)
        die("no kernel files to check" HINT "for example: %s check kernels/*.cl",
            words_called());
    refuse_options();
    for (size_t i = 0; i < files.count; i++)
        launch_lines_add(&lines, files.all[i]);
    need_stdout();
    choose_compiler();
    set_output(stdout);
    single_begin(OPENCL_C);
    struct checked *all = lens_allocate(lines.count, sizeof *all);
    for (size_t i = 0; i < lines.count; i++) {
        all[i].line = &lines.all[i];
        look_at(&all[i], argv[0]);
    }
    return report(&lines, all);
}
