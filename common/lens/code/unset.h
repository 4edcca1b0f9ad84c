/* unset: follows what private variables hold that nothing was ever put in. */
#ifndef UNSET_H
#define UNSET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* LLVM's text of a kernel file that is not optimised yet, in which clang fills private
 * variables with a pattern.  Returns it with calls in place of the pattern, which no
 * step of the compiler can see through.  The caller frees it; `raw` is taken apart. */
char *unset_mark(char *raw);

/* A line of that text begins with this where no pattern is left: then a constant of the
 * same bits is the reader's own. */
#define UNSET_ALL "!lens.unset"

/* The values of the function at hand that may be such. */
struct unset {
    char **names;
    size_t count;
};

void unset_begin(struct unset *unset, char *const *lines, size_t begin, size_t end);
void unset_end(struct unset *unset);

/* Is any value that is named in this piece of a line such? */
bool unset_is_any(const struct unset *unset, const char *text, const char *end);

/* Writes what asks the replay, before something is done with these values at a site;
 * `place` is the pointer that is stored to, or "null". */
void unset_ask(const struct unset *unset, const char *text, const char *end,
               const char *place, int place_length, unsigned site, FILE *out);

/* Writes, behind an instruction, whether its result is such. */
void unset_follow(const struct unset *unset, const char *line, FILE *out);

/* And what declares the function that is asked. */
extern const char unset_declarations[];

#endif
