/* fail_on: a word is "mistake" or the id of a rule; a limit is the id of a count, '>',
 * and a number. */
#define _GNU_SOURCE /* open_memstream, strndup */
#include "fail_on.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The rule whose id is these letters; NULL: there is none. */
static const struct rule *rule_called(const char *id, size_t length) {
    const struct rule *rule;
    for (size_t i = 0; (rule = rule_number(i)); i++)
        if (strlen(rule->id) == length && strncmp(rule->id, id, length) == 0)
            return rule;
    return NULL;
}

/* What stands behind '>': a whole number, and its unit. */
static bool read_limit(struct limit *limit, const char *text) {
    enum { MAX_DIGITS = 9 };
    const size_t digits = strspn(text, "0123456789");
    const char *unit = text + digits;
    const bool is_share = limit->rule == &rule_idle;
    if (digits == 0 || digits > MAX_DIGITS)
        return false;
    limit->number = strtoul(text, NULL, 10);
    limit->unit = is_share ? PER_CENT : *unit == 'x' ? MULTIPLE : PLAIN;
    return strcmp(unit, is_share ? "%" : limit->unit == MULTIPLE ? "x" : "") == 0;
}

static bool read_word(struct fail_on *read, const char *word) {
    const char *above = strchr(word, '>');
    const struct rule *rule =
        rule_called(word, above ? (size_t)(above - word) : strlen(word));
    if (read->mistake_count == MAX_FAIL_ON || read->limit_count == MAX_FAIL_ON)
        return false;
    if (strcmp(word, "mistake") == 0)
        return read->all = true;
    if (!rule || (above != NULL) != rule_is_count(rule))
        return false;
    if (!above) {
        read->mistakes[read->mistake_count++] = rule;
        return true;
    }
    struct limit limit = {.rule = rule};
    if (!read_limit(&limit, above + 1))
        return false;
    read->limits[read->limit_count++] = limit;
    return true;
}

char *fail_on_read(struct fail_on *read, const char *list) {
    *read = (struct fail_on){.all = false};
    for (const char *begin = list;; begin += strcspn(begin, ",") + 1) {
        char *word = strndup(begin, strcspn(begin, ","));
        if (!read_word(read, word))
            return word;
        free(word);
        if (!begin[strcspn(begin, ",")])
            return NULL;
    }
}

const char *fail_on_words(void) {
    static char *words;
    size_t bytes = 0;
    const struct rule *rule;
    if (words)
        return words;
    FILE *out = open_memstream(&words, &bytes);
    fputs("mistake", out);
    for (size_t i = 0; (rule = rule_number(i)); i++)
        fprintf(out, ", %s%s", rule->id,
                rule == &rule_idle    ? ">50%"
                : rule_is_count(rule) ? ">2x"
                                      : "");
    fclose(out);
    return words;
}

bool fail_on_mistake(const struct fail_on *list, const struct rule *rule) {
    bool fails = list->all || list->mistake_count == 0;
    for (size_t i = 0; i < list->mistake_count; i++)
        fails |= rule_is(list->mistakes[i], rule);
    return fails;
}

static bool exceeds(const struct limit *limit, uint64_t value, uint64_t needed) {
    return value > needed &&
           value > limit->number * (limit->unit == MULTIPLE ? needed : 1);
}

const struct limit *fail_on_exceeded(const struct fail_on *list,
                                     const struct rule *rule, uint64_t value,
                                     uint64_t needed) {
    for (size_t i = 0; i < list->limit_count; i++)
        if (list->limits[i].rule == rule && exceeds(&list->limits[i], value, needed))
            return &list->limits[i];
    return NULL;
}

const char *limit_in_words(const struct limit *limit, char words[LIMIT_WORDS]) {
    static const char *const units[] = {
        [PLAIN] = "", [MULTIPLE] = "x", [PER_CENT] = " %"};
    snprintf(words, LIMIT_WORDS, "%llu%s", (unsigned long long)limit->number,
             units[limit->unit]);
    return words;
}
