/* digests: a number for each function of a kernel file, by which the same code is known
 * in another file. */
#ifndef DIGESTS_H
#define DIGESTS_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct digest {
    char *function; /* its name, of a kernel as well */
    uint64_t number;
};

struct digests {
    struct digest *all;
    size_t count;
};

/* Those of a text of LLVM's language, as clang makes it before it is optimised.  A
 * number depends on the function, on all functions, arrays, types and properties that
 * it uses, and on what these use; not on where they stand in the source. */
struct digests digests_of(const char *text);

/* NULL: there is no such function. */
const struct digest *digests_find(const struct digests *digests, const char *function);

/* Writes them, a line for each, and reads what was written. */
void digests_write(const struct digests *digests, FILE *out);
struct digests digests_read(const char *lines);

void digests_free(struct digests *digests);

#endif
