#include "measure/screen.h"
#include "measure/digits.h"
#include "measure/format.h"
#include "measure/terminal.h"

#include <stdlib.h>
#include <string.h>

enum { WIDE = 96 }; /* columns of a terminal that has room for all */

struct screen screen_start(FILE *out, const struct options *options,
                           const struct device *device) {
    struct screen screen = {.out = out, .options = options, .device = device};
    const size_t columns = terminal_columns(out);
    screen.narrow = columns > 0 && columns < WIDE;
    if (!options->kernel) {
        screen.answers = answers_of(options->step);
        screen.times = screen.answers.has_times;
        screen.counts = *screen.answers.counted[0] != '\0';
    }
    return screen;
}

/* A CPU's share of its own limit would invite a comparison with the GPU's. */
bool screen_has_limit(const struct screen *screen) {
    return !screen->times || !screen->device->is_cpu;
}

/* ---- The columns, from left to right: the row's name and its count; the GPU's answer,
 * which is stored where this device is a CPU; a bar; and the other one's. */
enum {
    NAME_WIDTH = 24,
    COUNT_WIDTH = 9,
    MS_WIDTH = 8,
    RATE_WIDTH = 14,
    LIMIT_WIDTH = 7 /* or the least time */
};

static void print_here(const struct screen *screen, const char *ms, const char *rate,
                       const char *limit) {
    fprintf(screen->out, "%*s", MS_WIDTH, ms);
    if (!screen->narrow)
        fprintf(screen->out, " %*s", RATE_WIDTH - 1, rate);
    if (screen_has_limit(screen))
        fprintf(screen->out, "%*s", LIMIT_WIDTH, limit);
}

/* A time that no run beats says more than a share of what another kernel reached. */
static bool shows_gpus_limit(const struct screen *screen) {
    return screen->times && screen->device->is_cpu && !screen->answers.has_least;
}

/* A line of the table, but for its end. */
struct line {
    const char *name, *count;
    const char *ms, *rate, *limit; /* here */
    const char *gpus_least, *gpus_ms,
        *gpus_limit; /* on the GPU whose answer is stored */
};

static void print_line(const struct screen *screen, const struct line *line) {
    const bool is_cpu = screen->device->is_cpu;
    fprintf(screen->out, "%-*s", NAME_WIDTH, line->name);
    if (screen->counts)
        fprintf(screen->out, "%*s", COUNT_WIDTH, line->count);
    if (!is_cpu)
        print_here(screen, line->ms, line->rate, line->limit);
    if (screen->times && !is_cpu)
        fputs(" |", screen->out);
    if (screen->answers.has_least)
        fprintf(screen->out, "%*s", LIMIT_WIDTH, line->gpus_least);
    if (screen->times)
        fprintf(screen->out, "%*s", MS_WIDTH, line->gpus_ms);
    if (shows_gpus_limit(screen))
        fprintf(screen->out, "%*s", LIMIT_WIDTH, line->gpus_limit);
    if (screen->times && is_cpu)
        fputs(" |", screen->out);
    if (is_cpu)
        print_here(screen, line->ms, line->rate, line->limit);
}

/* ", 134 M" of 134217728 elements, ", 17 M", ", 20"; nothing of rows that differ. */
static struct phrase short_size(const char *digits) {
    struct phrase size = {""};
    const double number = atof(digits);
    const bool millions = number >= 999500.0;
    const double short_number = number / (millions ? 1e6 : 1e3);
    if (number >= 1e4)
        snprintf(size.text, sizeof size.text, ", %.*f %s", short_number < 9.95,
                 short_number, millions ? "M" : "k");
    else if (number > 0.0)
        snprintf(size.text, sizeof size.text, ", %.0f", number);
    return size;
}

/* The line above the names of the columns.  Where most of the GPU's rows have the same
 * size, most of these have, too. */
static void print_titles(const struct screen *screen, const char *size) {
    const struct answers *answers = &screen->answers;
    const char *count = screen->counts ? answers->counted[0] : "";
    const int left = NAME_WIDTH + (screen->counts ? COUNT_WIDTH : 0);
    const int rate = screen->narrow ? 0 : RATE_WIDTH;
    const struct phrase there = short_size(answers->size);
    const struct phrase here = short_size(*answers->size ? size : "");
    char title[sizeof there.text + 16];
    fprintf(screen->out, "%*s", left, count);
    if (screen->times && screen->device->is_cpu) {
        snprintf(title, sizeof title, "%s%s", answers->card, there.text);
        fprintf(screen->out, "%*s |  this CPU's own%s%s%s", MS_WIDTH + LIMIT_WIDTH,
                title, screen->narrow ? "" : " answer", here.text,
                *here.text && !screen->narrow ? " elements" : "");
    } else if (screen->times) {
        snprintf(title, sizeof title, "this GPU%s", here.text);
        fprintf(screen->out, "%*s |  %s%s", MS_WIDTH + rate + LIMIT_WIDTH, title,
                answers->card, there.text);
    }
    fputc('\n', screen->out);
}

void screen_title(const struct screen *screen, bool limits_are_known) {
    const struct options *options = screen->options;
    fprintf(screen->out, "%s: %s\n", options->step, options->lesson);
    if (!limits_are_known && screen_has_limit(screen))
        fputs("(this device's limits are not measured yet: make step00 run)\n",
              screen->out);
    fputc('\n', screen->out);
}

static void print_names(const struct screen *screen, const char *size) {
    if (screen->times || screen->counts)
        print_titles(screen, size);
    const struct line names = {.name = "variant",
                               .count = screen->answers.counted[1],
                               .ms = "ms",
                               .rate = "rate",
                               .limit = "limit",
                               .gpus_least = "least",
                               .gpus_ms = "ms",
                               .gpus_limit = "limit"};
    print_line(screen, &names);
    fputs("  result\n", screen->out);
}

/* Four significant digits, as far as the column has room for them. */
static void write_ms(char text[16], double ms) {
    const int decimals = ms < 1.0 ? 4 : ms < 10.0 ? 3 : ms < 100.0 ? 2 : ms < 1000.0;
    text[0] = '\0';
    if (ms > 0.0)
        snprintf(text, 16, "%.*f", decimals, ms);
}

/* "93.6 %", "5.40 %"; "~100 %" is what was measured at the limit. */
static void write_percent(char text[16], const char *percent) {
    const double value = atof(percent);
    text[0] = '\0';
    if (*percent == '~')
        snprintf(text, 16, "%s %%", percent);
    else if (value >= 0.1)
        snprintf(text, 16, "%.*f %%", value < 9.995 ? 2 : value < 99.95, value);
    else if (*percent)
        snprintf(text, 16, "<0.1 %%");
}

/* 4.00 is 4, and 31.92 is 32; 1048576 is 1,048,576; 0 is none, for a small number looks
 * like a good one. */
static void write_count(char to[MAX_DIGITS], const char *count) {
    const double number = atof(count);
    if (!*count)
        to[0] = '\0';
    else if (number == 0.0)
        snprintf(to, MAX_DIGITS, "none");
    else if (number < 9.995)
        snprintf(to, MAX_DIGITS, "%.3g", number);
    else
        digits_write(to, (uint64_t)(number + 0.5));
}

/* "50.23 GB/s": four significant digits, as far as the column has room for them, and
 * large numbers whole. */
static void write_rate(char text[32], double rate, const char *unit) {
    text[0] = '\0';
    if (rate > 0.0)
        snprintf(text, 32,
                 rate < 1.0   ? "%.3g %s"
                 : rate < 1e4 ? "%.4g %s"
                              : "%.0f %s",
                 rate, unit);
}

void screen_row(struct screen *screen, const struct cells *cells, double median_ms) {
    const struct answer answer = answer_to(&screen->answers, cells->text[VARIANT]);
    const char *note = cells->text[NOTE];
    char count[MAX_DIGITS], rate[32];
    char ms[16], gpus_ms[16], gpus_least[16], limit[16], gpus_limit[16];
    write_count(count, answer.count);
    write_ms(ms, median_ms);
    write_ms(gpus_ms, atof(answer.ms));
    write_ms(gpus_least, atof(answer.least));
    write_percent(limit, cells->text[PERCENT_OF_LIMIT]);
    write_percent(gpus_limit, answer.percent);
    write_rate(rate, atof(cells->text[RATE]), cells->text[UNIT]);
    const struct line line = {.name = cells->text[VARIANT],
                              .count = count,
                              .ms = ms,
                              .rate = rate,
                              .limit = limit,
                              .gpus_least = gpus_least,
                              .gpus_ms = gpus_ms,
                              .gpus_limit = gpus_limit};
    if (screen->rows == 0)
        print_names(screen, cells->text[SIZE]);
    const size_t size = strtoull(cells->text[SIZE], NULL, 10);
    screen->sizes_differ |= screen->rows++ > 0 && size != screen->size;
    screen->size = size;
    print_line(screen, &line);
    fprintf(screen->out, "  %s%s%s\n",
            strcmp(cells->text[RESULT], "ok") == 0 ? "right" : cells->text[RESULT],
            *note ? ", " : "", note);
}

/* ---- Below the table. */

/* "4 sectors a load, not 32", or nothing. */
static void write_counts(char text[96], const struct headline_answer *answer) {
    const char *first = answer->count[0], *second = answer->count[1];
    const char *unit = answer->counted[0], *of = answer->counted[1];
    text[0] = '\0';
    if (*first && *second && strcmp(first, second) != 0)
        snprintf(text, 96, "%s %s%s%s, not %s", first, unit, *of ? " " : "", of,
                 second);
}

static struct phrase stored_in_words(const struct headline_answer *answer) {
    const double ratio = atof(answer->ratio);
    struct phrase phrase = {"not measured"};
    if (strncmp(answer->verdict, "not told apart", 14) == 0)
        snprintf(phrase.text, sizeof phrase.text, "not told apart");
    else if (ratio >= 1.0)
        snprintf(phrase.text, sizeof phrase.text, "%.3g times faster", ratio);
    else if (ratio > 0.0)
        snprintf(phrase.text, sizeof phrase.text, "%.3g times slower", 1.0 / ratio);
    return phrase;
}

static void say(const struct screen *screen, const char *who, const char *what) {
    if (*what)
        fprintf(screen->out, "  %-10s  %s\n", who, what);
}

void screen_headline(const struct screen *screen, const char *lesson,
                     struct ratio ratio, const char *on_cpu) {
    const struct headline_answer answer = answer_to_headline(&screen->answers, lesson);
    const bool is_cpu = screen->device->is_cpu;
    const struct phrase here = in_words(ratio);
    const struct phrase there =
        *answer.ratio ? stored_in_words(&answer) : (struct phrase){""};
    char counts[96], card[32];
    write_counts(counts, &answer);
    snprintf(card, sizeof card, "on an %s", answer.card);
    fprintf(screen->out, "\n%s\n", lesson);
    say(screen, is_cpu ? card : "here", is_cpu ? there.text : here.text);
    say(screen, "counted", screen->counts ? counts : "");
    say(screen, is_cpu ? "here" : card, is_cpu ? here.text : there.text);
    say(screen, "", is_cpu && on_cpu ? on_cpu : "");
}

static void explain_columns(const struct screen *screen) {
    const struct answers *answers = &screen->answers;
    if (screen->counts) {
        fprintf(screen->out, "%s%s%s: %s", answers->counted[0],
                *answers->counted[1] ? " " : "", answers->counted[1], answers->meaning);
        if (*answers->counted_at)
            fprintf(screen->out, " (of %s elements)", answers->counted_at);
        fputc('\n', screen->out);
    }
    if (answers->has_least)
        fprintf(screen->out,
                "least: milliseconds that no run on an %s beats, from what is counted "
                "alone (docs/lens.md)\n",
                answers->card);
    if (shows_gpus_limit(screen) && answers->has_limits)
        fprintf(screen->out,
                "limit: the share of the highest rate that an %s reaches, in bytes or "
                "operations\n",
                answers->card);
    else if (screen->times && !screen->device->is_cpu)
        fputs("limit: the share of the highest rate that this GPU reaches, in bytes or "
              "operations (step00)\n",
              screen->out);
}

void screen_legend(const struct screen *screen) {
    const int number = (int)strcspn(screen->options->step, "_"); /* of "step07b" */
    const struct answers *answers = &screen->answers;
    char size[MAX_DIGITS];
    fputc('\n', screen->out);
    explain_columns(screen);
    if (screen->times)
        fprintf(screen->out, "an %s: stored, measured %s with %s\n", answers->card,
                answers->date, answers->driver);
    fprintf(screen->out, "here: %s", screen->device->name);
    if (screen->rows > 0 && !screen->sizes_differ)
        fprintf(screen->out, "; %s element%s", digits_write(size, screen->size),
                screen->size == 1 ? "" : "s");
    fputc('\n', screen->out);
    if (screen->options->kernel)
        fprintf(screen->out,
                "What a GPU would do with it: make %.*s lens ARGS=\"--kernel %s\"\n",
                number, screen->options->step, screen->options->kernel);
    else if (screen->counts || screen->device->is_cpu)
        fprintf(screen->out, "What 32 lanes of a GPU do with it: make %.*s lens\n",
                number, screen->options->step);
}
