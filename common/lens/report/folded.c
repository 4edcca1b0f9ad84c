/* folded: keeps how many launches are not shown, and between which values their
 * arguments lie. */
#define _POSIX_C_SOURCE 200809L /* strdup, strndup */
#include "folded.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

struct range { /* of an argument's values */
    char *name, *low, *high;
};

static struct {
    struct fold {
        char *kernel;
        size_t count, range_count;
        struct range *ranges;
    } * all;
    size_t count;
} folds;

static struct fold *fold_of(const char *kernel) {
    for (size_t i = 0; i < folds.count; i++)
        if (strcmp(folds.all[i].kernel, kernel) == 0)
            return &folds.all[i];
    struct fold *fold = GROW(folds.all, folds.count);
    *fold = (struct fold){.kernel = strdup(kernel)};
    return fold;
}

static void widen(char **end, const char *value, bool beyond) {
    if (!beyond)
        return;
    free(*end);
    *end = strdup(value);
}

static void add_value(struct fold *fold, const char *name, const char *value) {
    const double number = strtod(value, NULL);
    for (size_t i = 0; i < fold->range_count; i++) {
        struct range *range = &fold->ranges[i];
        if (strcmp(range->name, name) == 0) {
            widen(&range->low, value, number < strtod(range->low, NULL));
            widen(&range->high, value, number > strtod(range->high, NULL));
            return;
        }
    }
    *GROW(fold->ranges, fold->range_count) =
        (struct range){strdup(name), strdup(value), strdup(value)};
}

/* Is this word among those, which have blanks between them? */
static bool has_word(const char *words, const char *word) {
    const size_t length = strlen(word);
    for (; words && *words; words += strspn(words, " ")) {
        if (strncmp(words, word, length) == 0 && strchr(" ", words[length]))
            return true;
        words += strcspn(words, " ");
    }
    return false;
}

void folded_add(const char *kernel, const char *scalars, const char *shown) {
    struct fold *fold = fold_of(kernel);
    fold->count++;
    for (scalars += strspn(scalars, " "); *scalars; scalars += strspn(scalars, " ")) {
        const size_t length = strcspn(scalars, " ");
        char *word = strndup(scalars, length), *value = strchr(word, '=');
        if (value && !has_word(shown, word)) {
            *value++ = '\0';
            add_value(fold, word, value);
        }
        free(word);
        scalars += length;
    }
}

void folded_print(FILE *out) {
    for (size_t i = 0; i < folds.count; i++) {
        const struct fold *fold = &folds.all[i];
        fprintf(out, "and %zu more of %s", fold->count, fold->kernel);
        for (size_t r = 0; r < fold->range_count; r++) {
            const struct range *range = &fold->ranges[r];
            fprintf(out, "%s %s: %s", r ? "," : " with other", range->name, range->low);
            if (strcmp(range->low, range->high) != 0)
                fprintf(out, " to %s", range->high);
        }
        fputc('\n', out);
    }
}
