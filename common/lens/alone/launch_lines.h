/* launch_lines: the lines of a kernel file that say how to launch it,
 *
 *     // lens: dot(x[4096]=random, y=1, n=4096) --global 4096 --local 256
 *
 * The comment begins its line, and "lens:" is its first word; behind that stand the
 * words that would follow `lens kernel FILE`.  A block comment may hold such lines,
 * too. Blanks are between words, but not within (), [] and <>; and quotation marks and
 * backslashes do what they do in a shell, where nothing else has a meaning. */
#ifndef LAUNCH_LINES_H
#define LAUNCH_LINES_H

#include <stddef.h>

struct launch_line {
    const char *file;
    unsigned number; /* of the line */
    char *text;      /* behind "lens:" */
    char **words;    /* the same, taken apart; behind the last is NULL */
    size_t word_count;
};

struct launch_lines {
    struct launch_line *all;
    size_t count;
};

/* Adds those of a file.  One that cannot be taken apart is an error, and so is a file
 * that cannot be read or has none. */
void launch_lines_add(struct launch_lines *lines, const char *file);

/* What stands behind "lens:", without blanks around it; NULL: this line of a file is
 * none of these.  The caller frees it. */
char *launch_line_text(const char *line);

/* Takes a text apart; returns what is wrong with it, or NULL: nothing is. */
const char *launch_line_split(struct launch_line *line);

#endif
