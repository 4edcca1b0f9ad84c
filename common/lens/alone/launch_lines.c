/* launch_lines: finds such lines, and takes their words apart. */
#define _GNU_SOURCE /* getline, open_memstream, strndup */
#include "launch_lines.h"
#include "base/memory.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char blanks[] = " \t\r\n";

/* ---- Which lines. */

/* Behind what begins a comment, or goes on with one; NULL: nothing does. */
static const char *behind_comment_mark(const char *line) {
    static const char *const marks[] = {"//", "/*", "*"};
    line += strspn(line, blanks);
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (strncmp(line, marks[i], strlen(marks[i])) == 0)
            return line + strlen(marks[i]);
    return NULL;
}

char *launch_line_text(const char *line) {
    static const char word[] = "lens:";
    const char *mark = behind_comment_mark(line);
    const char *begin = mark ? mark + strspn(mark, blanks) : "";
    if (strncmp(begin, word, strlen(word)) != 0)
        return NULL;
    begin += strlen(word);
    begin += strspn(begin, blanks);
    const char *end = begin + strlen(begin), *close = strstr(begin, "*/");
    if (close && mark[-1] == '*')
        end = close;
    while (end > begin && strchr(blanks, end[-1]))
        end--;
    return strndup(begin, (size_t)(end - begin));
}

/* ---- Their words. */
struct splitting {
    const char *next;
    char open[64]; /* brackets that are open, by what will close them */
    size_t depth;
    FILE *word;
};

/* Copies what stands in quotation marks; false: their end is missing. */
static bool copy_quoted(struct splitting *at) {
    const char mark = *at->next++;
    for (; *at->next && *at->next != mark; at->next++) {
        if (mark == '"' && *at->next == '\\' && at->next[1])
            at->next++;
        fputc(*at->next, at->word);
    }
    return *at->next != '\0';
}

/* What is wrong with a bracket; NULL: nothing is.  Only the call's name has those of
 * templates, so that '>' and '<' in a value are none. */
static const char *follow_bracket(struct splitting *at, bool in_name) {
    static const char opening[] = "([<", closing[] = ")]>";
    const char c = *at->next;
    const char *opens = strchr(opening, c), *closes = strchr(closing, c);
    if ((c == '<' || c == '>') && !in_name)
        return NULL;
    if (opens && at->depth == sizeof at->open)
        return "there are too many brackets";
    if (opens)
        at->open[at->depth++] = closing[opens - opening];
    else if (closes && (at->depth == 0 || at->open[--at->depth] != c))
        return "a bracket closes that was not open";
    return NULL;
}

/* Copies a word, up to a blank outside of brackets. */
static const char *copy_word(struct splitting *at) {
    const bool is_option = *at->next == '-';
    bool in_name = !is_option;
    for (; *at->next && (at->depth > 0 || !strchr(blanks, *at->next)); at->next++) {
        in_name &= *at->next != '(';
        if (*at->next == '\'' || *at->next == '"') {
            if (!copy_quoted(at))
                return "a quotation mark is missing";
            continue;
        }
        const bool is_escaped = *at->next == '\\' && at->next[1];
        at->next += is_escaped;
        const char *wrong = is_escaped ? NULL : follow_bracket(at, in_name);
        if (wrong)
            return wrong;
        fputc(*at->next, at->word);
    }
    return at->depth > 0 ? "a bracket is not closed" : NULL;
}

const char *launch_line_split(struct launch_line *line) {
    struct splitting at = {.next = line->text};
    const char *wrong = *line->text ? NULL : "it says no launch";
    for (; *at.next && !wrong; at.next += strspn(at.next, blanks)) {
        char *word = NULL;
        size_t bytes = 0;
        at.word = open_memstream(&word, &bytes);
        wrong = copy_word(&at);
        fclose(at.word);
        *GROW(line->words, line->word_count) = word;
    }
    *GROW(line->words, line->word_count) = NULL;
    line->word_count--;
    return wrong;
}

/* ---- A file. */
void launch_lines_add(struct launch_lines *lines, const char *path) {
    const size_t before = lines->count;
    char *line = NULL, *text;
    size_t room = 0;
    unsigned number = 0;
    errno = 0;
    FILE *file = fopen(path, "r");
    while (file && getline(&line, &room, file) > 0) {
        number++;
        if (!(text = launch_line_text(line)))
            continue;
        struct launch_line *found = GROW(lines->all, lines->count);
        *found = (struct launch_line){.file = path, .number = number, .text = text};
        const char *wrong = launch_line_split(found);
        if (wrong)
            lens_die("%s:%u: %s: '%s'" HINT "behind `lens:` stands what would follow "
                     "`kernel FILE`, as in // lens: dot(x[4096], n=4096) --global 4096",
                     path, number, wrong, text);
    }
    if (!file || ferror(file))
        lens_die("cannot read %s: %s" HINT "give the path of a kernel file", path,
                 strerror(errno));
    fclose(file);
    free(line);
    if (lines->count == before)
        lens_die("%s does not say how to launch a kernel" HINT
                 "add a line for each launch, such as // lens: NAME(x[4096], n=4096) "
                 "--global 4096 --local 256",
                 path);
}
