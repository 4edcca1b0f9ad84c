#include "measure/answers.h"

#include <stdio.h>
#include <string.h>

extern const char *const answers_tsv[]; /* its lines, and NULL */

enum { FIELDS = 10 };

/* A line, cut at its tabs; a field that is not there is "". */
struct line {
    char text[256];
    const char *field[FIELDS];
};

static void cut(struct line *line, const char *text) {
    snprintf(line->text, sizeof line->text, "%s", text);
    char *rest = line->text;
    rest[strcspn(rest, "\n")] = '\0';
    for (int i = 0; i < FIELDS; i++) {
        line->field[i] = rest;
        rest += strcspn(rest, "\t");
        if (*rest)
            *rest++ = '\0';
    }
}

/* Finds the next line of that kind, and of that step or card, from `*at` on; returns
 * false if there is none. */
static bool find_next(int *at, const char *kind, const char *whose, struct line *line) {
    while (answers_tsv[*at]) {
        cut(line, answers_tsv[(*at)++]);
        if (strcmp(line->field[0], kind) == 0 && strcmp(line->field[1], whose) == 0)
            return true;
    }
    return false;
}

#define COPY(to, from) snprintf(to, sizeof(to), "%s", from)

/* What the rows have.  Their size is that of the first one, if few have another. */
static void look_at_rows(struct answers *answers) {
    struct line line;
    int at = 0, rows = 0, alike = 0;
    while (find_next(&at, "row", answers->step, &line)) {
        if (!*line.field[4])
            continue;
        if (rows++ == 0)
            COPY(answers->size, line.field[6]);
        alike += strcmp(answers->size, line.field[6]) == 0;
        answers->has_limits |= *line.field[5] != '\0';
        answers->has_least |= *line.field[7] != '\0';
    }
    answers->has_times = rows > 0;
    if (4 * alike < 3 * rows)
        *answers->size = '\0';
}

struct answers answers_of(const char *step) {
    struct answers answers = {.step = step};
    struct line line;
    int at = 0;
    if (find_next(&at, "measured", step, &line))
        COPY(answers.card, line.field[2]);
    at = 0;
    if (find_next(&at, "device", answers.card, &line)) {
        COPY(answers.driver, line.field[2]);
        COPY(answers.date, line.field[3]);
    }
    at = 0;
    if (find_next(&at, "counted", step, &line)) {
        COPY(answers.counted[0], line.field[2]);
        COPY(answers.counted[1], line.field[3]);
        COPY(answers.meaning, line.field[4]);
        COPY(answers.counted_at, line.field[5]);
    }
    look_at_rows(&answers);
    return answers;
}

struct answer answer_to(const struct answers *answers, const char *variant) {
    struct answer answer = {.count = ""};
    struct line line;
    int at = 0;
    while (answers->step && find_next(&at, "row", answers->step, &line))
        if (strcmp(line.field[2], variant) == 0) {
            COPY(answer.count, line.field[3]);
            COPY(answer.ms, line.field[4]);
            COPY(answer.percent, line.field[5]);
            COPY(answer.least, line.field[7]);
            break;
        }
    return answer;
}

struct headline_answer answer_to_headline(const struct answers *answers,
                                          const char *lesson) {
    struct headline_answer answer = {.ratio = ""};
    struct line line;
    int at = 0;
    if (answers->step && find_next(&at, "headline", answers->step, &line)) {
        if (strcmp(line.field[2], lesson) == 0) {
            COPY(answer.ratio, line.field[3]);
            COPY(answer.verdict, line.field[4]);
            COPY(answer.card, line.field[5]);
        }
        COPY(answer.count[0], line.field[6]);
        COPY(answer.count[1], line.field[7]);
        COPY(answer.counted[0], line.field[8]);
        COPY(answer.counted[1], line.field[9]);
    }
    return answer;
}
