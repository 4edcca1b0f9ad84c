/* environment: the variables in which the program build/lens tells the library, clang
 * and the program what to do.  If there is no room for one, that is an error. */
#ifndef ENVIRONMENT_H
#define ENVIRONMENT_H

#include <stdbool.h>

void set_variable(const char *name, const char *value);

/* Adds a line to those that are there. */
void add_line(const char *name, const char *value);

/* Adds a word to a list that has colons between its words, behind those there are. */
void add_word(const char *name, const char *word);

/* Removes what the caller's environment says in the name of options: it was not
 * checked.
 */
void forget_options(void);

/* Does the shell find this program? */
bool is_in_path(const char *name);

#endif
