/* against: the same launch with the kernel of another file, before it was changed. */
#ifndef AGAINST_H
#define AGAINST_H

#include "arguments_given.h"

/* What the kernel of `after` is called in a file of this language. */
void against_name(char name[MAX_NAME], const struct single *after, enum language in);

/* Arguments that are not the same are an error; but either kernel may have local memory
 * of its own. */
void against_check(const struct single *before, const struct single *after);

/* Gives the launch before the range of the other one, in groups of another size only if
 * this kernel requires them.  `build` has options of clBuildProgram, or is NULL. */
void against_range(struct single *before, const struct single *after,
                   const char *build);

/* And the same data, once its arguments are bound. */
void against_data(struct single *before, const struct single *after);

/* Says which files they are; and what was launched of the first one, if the call is
 * not the same. */
void against_print(const struct single *before, const struct single *after, FILE *out);

#endif
