/* command: another program that the lens runs, such as clang. */
#ifndef COMMAND_H
#define COMMAND_H

#include <stddef.h>

struct command {
    char **words; /* copies */
    size_t count;
};

/* Adds one word; or the words of a text, in which quotes hold blanks together. */
void command_add(struct command *command, const char *word);
void command_add_words(struct command *command, const char *text);

enum { MAX_WORD = 4096 };
/* Copies the next word of a text, without its quotes; returns what follows it, or NULL
 * if there is none. */
const char *next_word(const char *text, char word[MAX_WORD]);

/* Runs it and releases its words; what it says goes to the file `log`, and if a signal
 * ends it, so does a line with these words.  0: it ended well; below 0: it did not;
 * above 0: the errno for which it could not be started. */
#define COMMAND_CRASHED "was ended by signal "
int command_run(struct command *command, const char *log);

void command_release(struct command *command);

#endif
