/* words: what the command line says. */
#ifndef WORDS_H
#define WORDS_H

#include <stdbool.h>

/* The lines of settings.def, as in OPTION_all_sizes. */
enum option_id {
#define OPTION(whose, name, value, kind, take, choices, help) OPTION_##name,
#define ANSWER(whose, name, help) OPTION_##name,
#define REMARK(whose, name, left, help) OPTION_##name,
#include "settings.def"
    OPTIONS
};

/* Who has an option; settings.def says more. */
enum whose { EITHER, PROGRAMS, MAINLY_PROGRAMS, KERNELS };

/* The name by which the lens was called. */
const char *words_called(void);

/* Passes the options on in the environment, up to the first word that is none, which
 * `optind` counts.  `of_kernel`: it is `lens kernel`, which has a help of its own.  A
 * wrong option, or a wrong value, is an error. */
void words_read(int argc, char **argv, bool of_kernel);

/* The option's value, not empty if it has none; NULL: the option was not given. */
const char *option_given(enum option_id id);

/* If the option was given, or one that only these have, that is an error. */
void option_refuse(enum option_id id, const char *hint);
void options_refuse(enum whose whose, const char *hint);

#endif
