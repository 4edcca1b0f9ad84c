/* gaps: reads a kernel file as far as it takes to tell code from comments, strings and
 * directives.  A statement fits behind a line whose code ends in `;`, `{` or `}`: but
 * not within brackets, as in the head of a loop that takes several lines. */
#include "gaps.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

struct reading {
    const char *text, *at;
    struct code_line *lines;
    size_t count;
    struct code_line now; /* no end: it has no code so far */
    int braces, brackets; /* that are open */
    bool is_directive, has_numbers;
};

static void end_line(struct reading *reading) {
    const size_t end = reading->now.end;
    const char last = end > 0 ? reading->text[end - 1] : '\0';
    if (end > 0 && !reading->is_directive) {
        reading->now.is_gap =
            strchr(";{}", last) && reading->brackets == 0 && reading->braces > 0;
        *GROW(reading->lines, reading->count) = reading->now;
    }
    reading->is_directive &= last == '\\';
    reading->now = (struct code_line){.line = reading->now.line + 1};
}

/* Goes to the first of these characters, or to the text's end. */
static void skip_to(struct reading *reading, const char *stops) {
    reading->at += strcspn(reading->at, stops);
}

static void read_comment(struct reading *reading) {
    for (reading->at += 2; *reading->at; reading->at++) {
        if (*reading->at == '\n')
            end_line(reading);
        if (reading->at[0] == '*' && reading->at[1] == '/') {
            reading->at += 2;
            return;
        }
    }
}

/* Comes to its last character, or to that of its line. */
static void read_string(struct reading *reading) {
    const char quote = *reading->at;
    for (reading->at++; *reading->at && *reading->at != quote; reading->at++) {
        if (reading->at[1] == '\n')
            return;
        if (*reading->at == '\\' && reading->at[1])
            reading->at++;
    }
}

/* "#line 1" may be the text's first line. */
static void read_directive(struct reading *reading) {
    const char *word = reading->at + 1 + strspn(reading->at + 1, " \t");
    const bool counts = strncmp(word, "line", 4) == 0 || (*word >= '0' && *word <= '9');
    reading->is_directive = true;
    if (counts && reading->at == reading->text)
        reading->now.line = 0;
    else
        reading->has_numbers |= counts;
}

static void read_code(struct reading *reading) {
    const char c = *reading->at;
    if (reading->now.end == 0 && c == '#')
        read_directive(reading);
    if (c == '"' || c == '\'')
        read_string(reading);
    if (!reading->is_directive) {
        reading->braces += (c == '{') - (c == '}');
        reading->brackets += (c == '(' || c == '[') - (c == ')' || c == ']');
    }
    if (*reading->at)
        reading->at++;
    reading->now.end = (size_t)(reading->at - reading->text);
}

size_t gaps_find(const char *text, struct code_line **lines) {
    struct reading reading = {.text = text, .at = text, .now = {.line = 1}};
    while (*reading.at) {
        const char *at = reading.at;
        if (*at == '\n') {
            end_line(&reading);
            reading.at++;
        } else if (at[0] == '/' && at[1] == '*') {
            read_comment(&reading);
        } else if (at[0] == '/' && at[1] == '/') {
            skip_to(&reading, "\n");
        } else if (strchr(" \t\r\f\v", *at)) {
            reading.at++;
        } else {
            read_code(&reading);
        }
    }
    end_line(&reading);
    *lines = reading.lines;
    return reading.has_numbers ? 0 : reading.count;
}
