/* changes: compares two kernel files definition by definition.
 *
 *     #define SIGN(x) ...             named SIGN
 *     constant float weights[] ...    has no name here
 *     float slope(float x) {...}      named slope
 *     kernel void edges(...) {...}    named edges
 *
 * If the two files differ in nothing but the texts of some named pieces, a kernel is
 * the same in both unless its text names one of these, or names a piece that does, and
 * so on.  What has no name may be used by any kernel.  In all other cases, and wherever
 * this simple reading of C might be mistaken, the kernels count as different: that
 * costs time, but it is never wrong. */
#define _GNU_SOURCE /* open_memstream */
#include "changes.h"
#include "base/memory.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct piece {
    char *name;   /* NULL: it has none */
    char *macros; /* of a function that defines some: " EIGHT ROW " */
    char *text;
};

struct pieces {
    struct piece *all;
    size_t count;
    bool unclear; /* braces do not match: the pieces mean nothing */
};

static bool is_word(char c) {
    return isalnum((unsigned char)c) || c == '_';
}

static size_t word_length(const char *text) {
    size_t length = 0;
    while (is_word(text[length]))
        length++;
    return length;
}

static bool starts(const char *text, const char *with) {
    return strncmp(text, with, strlen(with)) == 0;
}

/* ---- Without comments, needless blanks, and directives that only number the lines. */

/* Behind a comment that begins here; or NULL. */
static const char *comment_end(const char *text) {
    if (starts(text, "//"))
        return text + strcspn(text, "\n");
    if (!starts(text, "/*"))
        return NULL;
    const char *end = strstr(text + 2, "*/");
    return end ? end + 2 : text + strlen(text);
}

/* Behind a text in quotes. */
static const char *quotes_end(const char *text) {
    const char quote = *text++;
    while (*text && *text != quote && *text != '\n')
        text += *text == '\\' && text[1] ? 2 : 1;
    return *text ? text + 1 : text;
}

/* Lines that end in a backslash go on, for clang even if blanks are behind it. */
static char *join_lines(const char *source) {
    char *joined = lens_allocate(strlen(source) + 1, 1), *end = joined;
    for (; *source; source++) {
        const char *next = source + 1 + strspn(source + 1, " \t\r\f\v");
        if (*source == '\\' && *next == '\n')
            source = next;
        else
            *end++ = *source;
    }
    return joined;
}

/* A directive keeps a line of its own; all else becomes one long line. */
char *plain_text(const char *source) {
    char *joined = join_lines(source), *plain = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&plain, &bytes);
    bool blank = false, line_begins = true, directive = false;
    for (const char *p = joined; *p;) {
        const char *end = comment_end(p);
        if (end || isspace((unsigned char)*p)) {
            if (!end && *p == '\n') {
                if (directive)
                    fputc('\n', out);
                directive = false;
                line_begins = true;
            }
            blank = true;
            p = end ? end : p + 1;
            continue;
        }
        if (*p == '#' && line_begins) {
            const char *word = p + 1 + strspn(p + 1, " \t");
            if (starts(word, "line") && !is_word(word[4])) {
                p += strcspn(p, "\n");
                continue;
            }
            directive = true;
            fputc('\n', out);
        } else if (blank) {
            fputc(' ', out);
        }
        end = *p == '"' || *p == '\'' ? quotes_end(p) : p + 1;
        fwrite(p, 1, (size_t)(end - p), out);
        p = end;
        blank = line_begins = false;
    }
    fclose(out);
    free(joined);
    return plain;
}

/* ---- Pieces. */
static void add_piece(struct pieces *pieces, const char *begin, const char *end,
                      char *name, char *macros) {
    while (begin < end && isspace((unsigned char)*begin))
        begin++;
    if (begin < end)
        *GROW(pieces->all, pieces->count) =
            (struct piece){name, macros, strndup(begin, (size_t)(end - begin))};
}

/* Where the identifier begins that ends here, blanks aside. */
static const char *word_before(const char *begin, const char *end) {
    while (end > begin && end[-1] == ' ')
        end--;
    while (end > begin && is_word(end[-1]))
        end--;
    return end;
}

/* "uint f(uint x) __attribute__((const)) ": the name in front of the parameters; NULL:
 * no parameters are at the end of the text. */
static const char *function_name(const char *begin, const char *end) {
    for (;;) {
        int depth = 0;
        while (end > begin && end[-1] == ' ')
            end--;
        if (end == begin || end[-1] != ')')
            return NULL;
        do {
            end--;
            depth += (*end == ')') - (*end == '(');
        } while (end > begin && depth > 0);
        end = word_before(begin, end);
        if (!starts(end, "__attribute__"))
            return word_length(end) ? end : NULL;
    }
}

/* Behind the brace that closes the one at `text`; NULL: none does, or lines between
 * them depend on conditions.  `macros` gets the names that are defined there. */
static const char *braces_end(const char *text, char **macros) {
    int depth = 0;
    size_t bytes = 0;
    bool conditions = false;
    FILE *out = open_memstream(macros, &bytes);
    do {
        if (*text == '"' || *text == '\'') {
            text = quotes_end(text);
        } else if (*text == '\n' && text[1] == '#') {
            const char *word = text + 2 + strspn(text + 2, " "),
                       *end = word + strcspn(word, "\n"); /* maybe the text's */
            const bool defines = starts(word, "define ") || starts(word, "undef ");
            conditions |= !defines && !starts(word, "pragma");
            word += strcspn(word, " \n");
            if (defines)
                fprintf(out, " %.*s ", (int)word_length(word + 1), word + 1);
            text = end;
        } else {
            depth += (*text == '{') - (*text == '}');
            text++;
        }
    } while (*text && depth > 0);
    fclose(out);
    if (conditions) {
        free(*macros);
        *macros = NULL;
    }
    return depth > 0 ? NULL : text;
}

/* "#define NAME ..." has a name.  Braces in it that do not match would mislead us. */
static void add_directive(struct pieces *pieces, const char *begin, const char *end) {
    const char *word = begin + 1 + strspn(begin + 1, " ");
    char *name = NULL;
    int depth = 0;
    for (const char *p = begin; p < end; p++)
        depth += (*p == '{') - (*p == '}');
    pieces->unclear |= depth != 0;
    if (starts(word, "define "))
        name = strndup(word + strlen("define "), word_length(word + strlen("define ")));
    add_piece(pieces, begin, end, name, NULL);
}

static struct pieces pieces_of(const char *source) {
    struct pieces pieces = {.unclear = false};
    char *text = plain_text(source);
    const char *begin = text;
    for (const char *p = text; *p && !pieces.unclear;) {
        if (*p == '\n' && p[1] == '#') {
            const char *end = p + 1 + strcspn(p + 1, "\n");
            add_piece(&pieces, begin, p, NULL, NULL);
            add_directive(&pieces, p + 1, end);
            p = begin = end;
        } else if (*p == '"' || *p == '\'') {
            p = quotes_end(p);
        } else if (*p == ';') {
            add_piece(&pieces, begin, ++p, NULL, NULL);
            begin = p;
        } else if (*p == '{') {
            char *macros;
            const char *name = function_name(begin, p), *end = braces_end(p, &macros);
            pieces.unclear |= !end || (!name && (!macros || *macros));
            p = end ? end : p + 1;
            if (name) { /* the text before it may be the use of a macro */
                add_piece(&pieces, begin, name, NULL, NULL);
                add_piece(&pieces, name, p,
                          macros ? strndup(name, word_length(name)) : NULL, macros);
                begin = p;
            } else {
                free(macros);
            }
        } else {
            pieces.unclear |= *p == '}';
            p++;
        }
    }
    add_piece(&pieces, begin, begin + strlen(begin), NULL, NULL);
    free(text);
    return pieces;
}

static void pieces_free(struct pieces *pieces) {
    for (size_t i = 0; i < pieces->count; i++) {
        free(pieces->all[i].name);
        free(pieces->all[i].macros);
        free(pieces->all[i].text);
    }
    free(pieces->all);
}

/* ---- What a piece may use. */

/* In a macro, "reduce_##T" may become any name with "reduce_" in it. */
static bool may_name(const char *word, bool pasted, const struct piece *piece) {
    if (piece->name &&
        (pasted ? strstr(piece->name, word) != NULL : strcmp(piece->name, word) == 0))
        return true;
    if (!piece->macros || !*piece->macros)
        return false;
    char macro[256];
    snprintf(macro, sizeof macro, pasted ? "%s" : " %s ", word);
    return strstr(piece->macros, macro) != NULL;
}

/* Marks the pieces that a text names. */
static void mark_used(const struct pieces *pieces, const char *text, bool *used) {
    bool pasted = false; /* to the text before it */
    for (const char *p = text; *p;) {
        const size_t length = word_length(p);
        if (!length) {
            pasted = starts(p, "##") || (pasted && (*p == ' ' || *p == '#'));
            p++;
            continue;
        }
        char *word = strndup(p, length);
        p += length;
        pasted |= starts(p + strspn(p, " "), "##");
        for (size_t i = 0; i < pieces->count; i++)
            used[i] = used[i] || may_name(word, pasted, &pieces->all[i]);
        pasted = false;
        free(word);
    }
}

/* Do the pieces that a kernel may use have the same texts? */
static bool uses_same(const struct pieces *one, const struct pieces *other,
                      const char *kernel) {
    bool *used = lens_allocate(one->count, sizeof *used),
         *seen = lens_allocate(one->count, sizeof *seen), same = true;
    for (size_t i = 0; i < one->count; i++)
        used[i] = !one->all[i].name || strcmp(one->all[i].name, kernel) == 0;
    for (size_t i = 0; i < one->count && same; i++) {
        if (!used[i] || seen[i])
            continue;
        seen[i] = true;
        same = strcmp(one->all[i].text, other->all[i].text) == 0;
        mark_used(one, one->all[i].text, used);
        i = SIZE_MAX; /* from the first one again */
    }
    free(used);
    free(seen);
    return same;
}

static bool same_name(const char *one, const char *other) {
    return one && other ? strcmp(one, other) == 0 : one == other;
}

static bool same_names(const struct pieces *one, const struct pieces *other) {
    for (size_t i = 0; i < one->count && i < other->count; i++) {
        const struct piece *a = &one->all[i], *b = &other->all[i];
        if (!same_name(a->name, b->name) || !same_name(a->macros, b->macros))
            return false;
    }
    return one->count == other->count;
}

/* "#define NAME(x, y) ...": is this word one of x and y? */
static bool is_parameter(const char *macro, const char *word, size_t length) {
    const char *p = strchr(macro, '('), *end = p ? strchr(p, ')') : NULL;
    while (p && p < end) {
        const size_t own = word_length(p);
        if (own == length && own > 0 && strncmp(p, word, own) == 0)
            return true;
        p += own ? own : 1;
    }
    return false;
}

/* Does a macro put a name together from its parameters alone?  It may be any name. */
static bool is_elusive(const char *macro) {
    for (const char *p = macro; (p = strstr(p, "##")); p += 2) {
        const char *end = p, *right = p + 2 + strspn(p + 2, " ");
        while (end > macro && end[-1] == ' ')
            end--;
        const char *left = end;
        while (left > macro && is_word(left[-1]))
            left--;
        if ((left == end || is_parameter(macro, left, (size_t)(end - left))) &&
            (!word_length(right) || is_parameter(macro, right, word_length(right))))
            return true;
    }
    return false;
}

/* Also, what says its own line or file differs wherever that does. */
static bool is_clear(const struct pieces *pieces) {
    for (size_t i = 0; i < pieces->count; i++) {
        const char *text = pieces->all[i].text;
        if ((*text == '#' && is_elusive(text)) || strstr(text, "__LINE__") ||
            strstr(text, "__FILE__") || strstr(text, "__COUNTER__"))
            return false;
    }
    return !pieces->unclear;
}

bool same_code(const char *one, const char *other, const char *kernel) {
    struct pieces a = pieces_of(one), b = pieces_of(other);
    const bool same =
        is_clear(&a) && is_clear(&b) && same_names(&a, &b) && uses_same(&a, &b, kernel);
    pieces_free(&a);
    pieces_free(&b);
    return same;
}

bool names_word(const char *source, const char *word) {
    char *text = plain_text(source);
    bool found = false;
    for (const char *p = text; *p && !found; p += *p != '\0') {
        const size_t length = word_length(p);
        found = length == strlen(word) && strncmp(p, word, length) == 0;
        p += length;
    }
    free(text);
    return found;
}
