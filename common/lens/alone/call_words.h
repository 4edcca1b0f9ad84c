/* call_words: a launch in the form in which it can be typed. */
#ifndef CALL_WORDS_H
#define CALL_WORDS_H

#include "arguments_given.h"

/* "sum(x[n]=random, n)", as it was given or guessed; or with the numbers of the last
 * launch.  One argument of it. */
void call_print(const struct single *single, FILE *out, bool as_given);
void call_print_slot(const struct single *single, FILE *out, const struct slot *slot,
                     bool as_given);

/* A line with what of it was guessed, where it is launched with many sizes. */
void call_print_guesses(const struct single *single, FILE *out);

/* The launch's range as options, " --global 4096 --local 256", or in CUDA's words
 * " --grid 16 --block 256"; one of them. */
void call_print_range(const struct single *single, FILE *out);
void call_print_global(const struct single *single, FILE *out);
void call_print_local(const struct single *single, FILE *out);

#endif
