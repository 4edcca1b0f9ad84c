/* uniform: which values are the same for all work-items of any launch, by how the
 * kernel computes them. */
#ifndef UNIFORM_H
#define UNIFORM_H

#include "code.h"

/* Such values of the function at hand, of LLVM's text form, with their names. */
struct uniform {
    struct same {
        const char *name;
        enum stored value;
    } * all;
    size_t count;
};

void uniform_begin(struct uniform *uniform); /* a new function begins */
void uniform_end(struct uniform *uniform);

/* Takes in an instruction; lines come in their order.  `given`: it reads an argument
 * of the kernel. */
void uniform_line(struct uniform *uniform, const char *line, bool given);

/* What is known of all values that are named in this piece of an instruction. */
enum stored uniform_of(const struct uniform *uniform, const char *text,
                       const char *end);

#endif
