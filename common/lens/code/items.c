/* items: reads C++ as far as to know where a declaration ends and which names it has.
 * Where it errs, it joins items, and a joined item is needed if one of its parts is. */
#define _GNU_SOURCE /* strndup, tdestroy */
#include "items.h"
#include "base/memory.h"
#include "base/starts.h"

#include <ctype.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

/* ---- Tokens. */
enum token { END, NAME, LITERAL, SIGN };

struct lexer {
    struct items *items;
    const char *at;
    const char *file;
    unsigned line;
    bool of_system;
    const char *begin; /* of the token that was read last */
    size_t length;
};

static const char *file_named(struct items *items, const char *name, size_t length) {
    for (size_t i = 0; i < items->file_count; i++)
        if (strlen(items->files[i]) == length &&
            strncmp(items->files[i], name, length) == 0)
            return items->files[i];
    return *GROW(items->files, items->file_count) = strndup(name, length);
}

/* "# 12 "file" 1 3": what follows is line 12 of this file, and 3 says that it is the
 * system's.  Of other directives nothing is left but pragmas. */
static void read_marker(struct lexer *lexer) {
    const char *end = lexer->at + strcspn(lexer->at, "\n");
    char *rest;
    const unsigned long line = strtoul(lexer->at + 1, &rest, 10);
    if (rest > lexer->at + 1 && starts(rest, " \"")) {
        const char *name = rest + 2, *quote = name + strcspn(name, "\"\n");
        lexer->file = file_named(lexer->items, name, (size_t)(quote - name));
        lexer->line = (unsigned)line;
        lexer->of_system = memchr(quote, '3', (size_t)(end - quote)) != NULL;
        end += *end == '\n';
    }
    lexer->at = end;
}

static void skip_blanks(struct lexer *lexer) {
    bool line_begins = lexer->line == 0;
    for (;;) {
        if (*lexer->at == '\n') {
            lexer->line++;
            lexer->at++;
            line_begins = true;
        } else if (line_begins && *lexer->at == '#') {
            read_marker(lexer);
        } else if (isspace((unsigned char)*lexer->at)) {
            lexer->at++;
        } else {
            return;
        }
    }
}

static bool is_letter(char c) {
    return isalnum((unsigned char)c) || c == '_' || c == '$' || (unsigned char)c >= 128;
}

static const char *literal_end(const char *begin) {
    const char quote = *begin;
    const char *p = begin + 1;
    while (*p && *p != quote && *p != '\n')
        p += *p == '\\' && p[1] ? 2 : 1;
    return p + (*p == quote);
}

/* R"mark(...)mark" may have quotes and lines in it. */
static const char *raw_literal_end(const char *quote, unsigned *lines) {
    char mark[32] = ")";
    const size_t length = strcspn(quote + 1, "(");
    if (length > sizeof mark - 3)
        return literal_end(quote);
    strncat(mark, quote + 1, length);
    strcat(mark, "\"");
    const char *end = strstr(quote, mark);
    end = end ? end + strlen(mark) : quote + strlen(quote);
    for (const char *p = quote; p < end; p++)
        *lines += *p == '\n';
    return end;
}

static enum token next_token(struct lexer *lexer) {
    skip_blanks(lexer);
    const char *p = lexer->begin = lexer->at;
    enum token token = SIGN;
    if (!*p)
        return END;
    if (isdigit((unsigned char)*p)) {
        token = LITERAL;
        while (is_letter(*p) || *p == '.' || (*p == '\'' && is_letter(p[1])))
            p++;
    } else if (is_letter(*p)) {
        token = NAME;
        while (is_letter(*p))
            p++;
        if (*p == '"') {
            token = LITERAL;
            p = p[-1] == 'R' ? raw_literal_end(p, &lexer->line) : literal_end(p);
        }
    } else if (*p == '"' || *p == '\'') {
        token = LITERAL;
        p = literal_end(p);
    } else {
        p += starts(p, "::") ? 2 : 1;
    }
    lexer->length = (size_t)(p - lexer->begin);
    lexer->at = p;
    return token;
}

static bool is(const struct lexer *lexer, const char *text) {
    return strlen(text) == lexer->length &&
           strncmp(lexer->begin, text, lexer->length) == 0;
}

static bool is_any(const struct lexer *lexer, const char *const *texts) {
    for (; *texts; texts++)
        if (is(lexer, *texts))
            return true;
    return false;
}

/* ---- Items. */

/* What is known of an item before its end. */
struct reading {
    struct item item;
    size_t tokens;
    unsigned depth, braces;    /* of all brackets; of braces among them */
    unsigned attribute;        /* inside __attribute__: its depth + 1 */
    bool no_parameters;        /* the next bracket has none: an attribute's */
    unsigned angles;           /* in the head of a template */
    bool template_head;        /* it may come next */
    bool is_function, is_type; /* as its tokens look */
    bool is_enum, is_alias, is_operator, is_constant, is_template;
    bool has_value; /* behind "=" */
    bool all_names; /* whatever it has, it may declare */
};

static const char *const keywords[] = {
    "const",    "constexpr", "static",   "inline",   "extern", "template", "typename",
    "typedef",  "using",     "struct",   "class",    "union",  "enum",     "namespace",
    "unsigned", "signed",    "int",      "long",     "short",  "char",     "bool",
    "float",    "double",    "void",     "auto",     "size_t", "volatile", "public",
    "private",  "protected", "noexcept", "operator", "friend", "final",    NULL};
static const char *const without_parameters[] = {
    "__attribute__", "alignas", "__declspec", "decltype", "noexcept", "explicit", NULL};
static const char *const types[] = {"class", "struct", "union", "enum", NULL};
static const char *const device_attributes[] = {"device", "global", "shared",
                                                "constant", NULL};

/* Behind a name comes another one that it only leads to, as in std::vector<int>. */
static bool leads_on(const struct lexer *lexer) {
    const char *next = lexer->at + strspn(lexer->at, " ");
    return starts(next, "::") || *next == '<';
}

static void add_name(struct reading *reading, const struct lexer *lexer) {
    const bool outside = reading->depth == 0 && !reading->angles && !reading->has_value,
               may_lead = !reading->is_template && !reading->is_type,
               declares = reading->all_names ||
                          (reading->is_enum && !reading->angles) ||
                          (outside && !(may_lead && leads_on(lexer)));
    *GROW(reading->item.words, reading->item.word_count) =
        (struct word){lexer->begin, lexer->length,
                      declares && !reading->attribute && !is_any(lexer, keywords) &&
                          !is_any(lexer, without_parameters)};
}

static void read_name(struct reading *reading, const struct lexer *lexer) {
    const bool outside = reading->depth == 0 && !reading->angles;
    reading->no_parameters = is_any(lexer, without_parameters);
    if (is(lexer, "__attribute__"))
        reading->attribute = reading->depth + 1;
    reading->item.of_device |=
        reading->attribute && reading->braces == 0 && is_any(lexer, device_attributes);
    add_name(reading, lexer);
    if (!outside)
        return;
    reading->template_head = is(lexer, "template");
    reading->is_template |= reading->template_head;
    reading->is_alias |=
        reading->tokens == 0 && (is(lexer, "typedef") || is(lexer, "using"));
    reading->is_type |= !reading->is_function && is_any(lexer, types);
    reading->is_enum |= is(lexer, "enum");
    reading->is_operator |= is(lexer, "operator");
    reading->is_constant |= is(lexer, "constexpr") || is(lexer, "consteval");
}

/* A function declares its own name alone: the one in front of this bracket, unless that
 * has arguments or is a part of another. */
static void name_function(struct reading *reading, const struct lexer *lexer) {
    struct item *item = &reading->item;
    if (item->word_count == 0)
        return;
    const struct word *name = &item->words[item->word_count - 1];
    const char *end = name->text + name->length;
    const bool is_plain = end + strspn(end, " \n") == lexer->begin &&
                          name->text > item->words->text && name->text[-1] != ':';
    for (size_t i = 0; is_plain && i + 1 < item->word_count; i++)
        item->words[i].declares = false;
}

/* "(" outside of all others: of a function's parameters, if a name is before it that
 * is no attribute; in `void (*f)(int)`, it holds the name itself. */
static void begin_parameters(struct reading *reading, const struct lexer *lexer) {
    const char *next = lexer->at + strspn(lexer->at, " ");
    if (reading->no_parameters || reading->is_alias || reading->has_value)
        return;
    if (*next == '*' || *next == '&') {
        reading->all_names = true;
        return;
    }
    if (!reading->is_function && !reading->is_type)
        name_function(reading, lexer);
    reading->is_function = true;
}

static void open_bracket(struct reading *reading, const struct lexer *lexer) {
    if (*lexer->begin == '(' && reading->depth == 0 && !reading->angles)
        begin_parameters(reading, lexer);
    reading->no_parameters = false;
    reading->depth++;
    reading->braces += *lexer->begin == '{';
}

/* Does the item end here, behind a brace or a semicolon? */
static bool close_bracket(struct reading *reading, const struct lexer *lexer) {
    const bool is_brace = *lexer->begin == '}';
    if (reading->depth == 0)
        return is_brace; /* more than were opened: a namespace's */
    reading->depth--;
    reading->braces -= is_brace && reading->braces > 0;
    if (reading->attribute == reading->depth + 1)
        reading->attribute = 0;
    if (!is_brace || reading->depth > 0 || !reading->is_function)
        return false;
    struct lexer ahead = *lexer;
    skip_blanks(&ahead); /* a constructor may go on: "a{1}, b{2} {" */
    return *ahead.at != ',' && *ahead.at != '{';
}

static bool read_sign(struct reading *reading, const struct lexer *lexer) {
    const char sign = *lexer->begin;
    const bool outside = reading->depth == 0;
    if (outside && sign == '<' && (reading->template_head || reading->angles))
        reading->angles++;
    else if (outside && sign == '>' && reading->angles)
        reading->angles--;
    else if (strchr("([{", sign))
        open_bracket(reading, lexer);
    else if (strchr(")]}", sign))
        return close_bracket(reading, lexer);
    else if (outside && sign == '=' && !reading->angles && !reading->is_operator)
        reading->has_value = true;
    else if (outside && sign == ',' && !reading->is_alias)
        reading->has_value = false;
    reading->template_head = false;
    return outside && sign == ';';
}

static void end_item(struct items *items, struct reading *reading) {
    struct item *item = &reading->item;
    const bool is_function = reading->is_function && !reading->is_type;
    item->of_host = is_function && !item->of_device && !reading->is_constant;
    item->needed = !item->of_host && reading->is_operator;
    if (reading->tokens > 0)
        *GROW(items->all, items->count) = *item;
    *reading = (struct reading){.tokens = 0};
}

/* "namespace a {" or `extern "C" {`: what is in it counts as if it were outside.  True:
 * it is that, and has been read. */
static bool read_opening(struct lexer *lexer, enum token token) {
    struct lexer ahead = *lexer;
    if (token != NAME)
        return false;
    if (is(&ahead, "inline") && next_token(&ahead) != NAME)
        return false;
    if (is(&ahead, "extern")) {
        if (next_token(&ahead) != LITERAL || next_token(&ahead) != SIGN)
            return false;
    } else if (is(&ahead, "namespace")) {
        do {
            token = next_token(&ahead);
        } while (token == NAME || (token == SIGN && is(&ahead, "::")));
    } else {
        return false;
    }
    if (!is(&ahead, "{"))
        return false;
    *lexer = ahead;
    return true;
}

struct items items_read(const char *preprocessed) {
    struct items items = {.count = 0};
    struct lexer lexer = {.items = &items, .at = preprocessed};
    struct reading reading = {.tokens = 0};
    lexer.file = file_named(&items, "", 0);
    for (enum token token; (token = next_token(&lexer)) != END;) {
        if (lexer.of_system)
            continue;
        if (reading.tokens == 0) {
            if (is(&lexer, ";") || is(&lexer, "}") || read_opening(&lexer, token))
                continue;
            reading.item.file = lexer.file;
            reading.item.first = lexer.line;
        }
        bool ends = false;
        if (token == NAME)
            read_name(&reading, &lexer);
        else if (token == SIGN)
            ends = read_sign(&reading, &lexer);
        reading.tokens++;
        if (lexer.file == reading.item.file)
            reading.item.last = lexer.line;
        if (ends)
            end_item(&items, &reading);
    }
    reading.is_operator = true; /* it has no end: better keep it */
    reading.item.of_device = true;
    end_item(&items, &reading);
    return items;
}

/* ---- What a kernel needs. */
static int compare_words(const void *one, const void *other) {
    const struct word *a = one, *b = other;
    const int order =
        strncmp(a->text, b->text, a->length < b->length ? a->length : b->length);
    return order ? order : (a->length > b->length) - (a->length < b->length);
}

static void use_words(void **used, const struct word *words, size_t count) {
    for (size_t i = 0; i < count; i++)
        tsearch(&words[i], used, compare_words);
}

static bool declares_any(const struct item *item, void **used) {
    for (size_t i = 0; i < item->word_count; i++)
        if (item->words[i].declares && tfind(&item->words[i], used, compare_words))
            return true;
    return false;
}

static void keep_words(void *word) {
    (void)word; /* an item's */
}

void items_find_needed(struct items *items, const char *kernel) {
    struct items asked = {.count = 0};
    struct lexer lexer = {.items = &asked, .at = kernel ? kernel : "", .line = 1};
    struct reading names = {.all_names = true};
    void *used = NULL;
    bool found = false;
    for (enum token token; (token = next_token(&lexer)) != END;)
        if (token == NAME)
            add_name(&names, &lexer);
    use_words(&used, names.item.words, names.item.word_count);
    for (size_t i = 0; i < items->count; i++)
        found |= items->all[i].of_device && declares_any(&items->all[i], &used);
    for (size_t i = 0; i < items->count; i++) {
        struct item *item = &items->all[i];
        item->needed |= !found && item->of_device;
        if (item->needed)
            use_words(&used, item->words, item->word_count);
    }
    for (bool grows = true; grows;) {
        grows = false;
        for (size_t i = 0; i < items->count; i++) {
            struct item *item = &items->all[i];
            if (item->needed || item->of_host || !declares_any(item, &used))
                continue;
            item->needed = grows = true;
            use_words(&used, item->words, item->word_count);
        }
    }
    tdestroy(used, keep_words);
    free(names.item.words);
}

void items_free(struct items *items) {
    for (size_t i = 0; i < items->count; i++)
        free(items->all[i].words);
    for (size_t i = 0; i < items->file_count; i++)
        free(items->files[i]);
    free(items->all);
    free(items->files);
}
