/* against: the same launch with the kernel of another file, before it was changed. */
#ifndef AGAINST_H
#define AGAINST_H

#include "arguments_given.h"

/* Reads the file that --against names, and finds the kernel of the same name. Arguments
 * that are not the same are an error; but either kernel may have local memory of its
 * own. */
void against_open(struct single *before, const struct single *after);

/* Makes that launch, once the other one is made: with the same range, in groups of
 * another size only if this kernel requires them, and with the same data.  run_end()
 * releases what came out. */
struct run against_launch(struct single *before, const struct single *after,
                          const struct call *call);

/* Says which files they are; and what was launched of the first one, if the call is
 * not the same. */
void against_print(const struct single *before, const struct single *after, FILE *out);

#endif
