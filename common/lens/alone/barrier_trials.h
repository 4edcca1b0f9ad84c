/* barrier_trials: where one more barrier would prevent races. */
#ifndef BARRIER_TRIALS_H
#define BARRIER_TRIALS_H

#include "arguments_given.h"

/* The kernel with one barrier more, or with two. */
struct barred {
    struct version version;
    unsigned lines[2]; /* behind which they are */
    size_t count;      /* 0: none was found */
    size_t left;       /* mistakes that the launch still makes */
};

/* After a launch in which work-items of a group race: compiles the kernel with a
 * barrier in several places, and launches that.  Found are barriers which all
 * work-items of the group reach, and which leave fewer mistakes and make no new one.
 * What was filled for the launch is lost. */
struct barred barrier_trials(struct single *single, const struct run *run);

/* Prints a line for them; nothing if there are none. */
void barrier_trials_print(FILE *out, const struct barred *barred,
                          const struct run *run);

#endif
