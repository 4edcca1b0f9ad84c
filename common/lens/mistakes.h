/* mistakes: what races.c found, in words. */
#ifndef MISTAKES_H
#define MISTAKES_H

#include "races.h"

/* The first line of what is printed about a mistake; the caller frees it. */
char *mistake_title(const struct replay *replay, const struct mistake *mistake);

/* Prints the mistakes of a launch, each with its source lines and a hint. */
void mistakes_report(const struct replay *replay);

#endif
