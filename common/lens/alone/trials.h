/* trials: which of the guesses of `lens kernel` a mistake may come from. */
#ifndef TRIALS_H
#define TRIALS_H

#include "arguments_given.h"

#include <stdio.h>

/* Launches the kernel again with other guesses than those with which it made mistakes,
 * and prints a line for each with which it does not make them.  `global_guessed`: so
 * was the number of its work-items.  What was filled or bound for the launch is lost.
 */
void trials_print(struct single *single, FILE *out, const struct run *run,
                  const struct call *call, bool global_guessed);

#endif
