/* uniform: which values are the same for all work-items of any launch, by how the
 * kernel computes them. */
#ifndef UNIFORM_H
#define UNIFORM_H

#include <stdbool.h>
#include <stddef.h>

/* The names of such values in the function at hand, of LLVM's text form. */
struct uniform {
    const char **names;
    size_t count;
};

void uniform_begin(struct uniform *uniform); /* a new function begins */
void uniform_end(struct uniform *uniform);

/* Takes in an instruction; lines come in their order.  `given`: it reads an argument
 * of the kernel. */
void uniform_line(struct uniform *uniform, const char *line, bool given);

/* Are all values that are named in this piece of an instruction such? */
bool uniform_are(const struct uniform *uniform, const char *text, const char *end);

#endif
