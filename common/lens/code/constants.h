/* constants: what is known of a kernel file, as constants in the library that is made
 * of it: loading the library is all it takes to know it. */
#ifndef CONSTANTS_H
#define CONSTANTS_H

#include "code.h"

/* What a code points to while it is put together. */
struct constants {
    char **texts; /* each once */
    size_t text_count;
    struct place *calls; /* of functions, by number; without a file: there is none */
    size_t call_count;
    char **memory; /* of each object, its base and its bytes in LLVM's language */
    size_t memory_count;
};

/* A copy of a text; the same one for the same text. */
const char *constants_text(struct constants *constants, const char *text);

/* Writes the code in LLVM's language, behind all else of the kernel file. */
void constants_write(const struct code *code, struct constants *constants, FILE *out);

/* Releases what the code was put together from, and the code's own parts. */
void constants_free(struct code *code, struct constants *constants);

/* Finds the code in a library, of which it stays a part; false: the library has none,
 * or one in which other things are known. */
bool constants_read(struct code *code, void *library);

#endif
