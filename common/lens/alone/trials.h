/* trials: which of the guesses of `lens kernel` a mistake may come from. */
#ifndef TRIALS_H
#define TRIALS_H

#include "call.h"
#include "replay/replay.h"

#include <stdio.h>

/* Launches the kernel again with other guesses than those with which it made mistakes,
 * and prints a line for each with which it does not make them.  What was filled or
 * bound for the launch is lost. */
void trials_print(FILE *out, const struct replay *replay, const struct call *call);

#endif
