/* changes: what two kernel files have in common. */
#ifndef CHANGES_H
#define CHANGES_H

#include <stdbool.h>

/* Is the code of this kernel the same in both sources, and the code of all that it may
 * use?  True only if that is certain; comments and blanks do not count. */
bool same_code(const char *one, const char *other, const char *kernel);

/* Does a source name this word anywhere but in comments? */
bool names_word(const char *source, const char *word);

/* A source without comments, needless blanks, and directives that only number lines.
 * Each directive has a line of its own; all between two of them is one line. */
char *plain_text(const char *source);

#endif
