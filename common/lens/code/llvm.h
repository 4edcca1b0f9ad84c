/* llvm: LLVM's text form of a kernel file, and where its instructions are in the
 * source.
 *
 *     %x = load float, ptr %p, align 4, !dbg !41
 *     !41 = !DILocation(line: 15, column: 16, scope: !40, inlinedAt: !52)
 *     !40 = distinct !DILexicalBlock(scope: !9, file: !6, line: 14, column: 5)
 *     !6 = !DIFile(filename: "kernels/step03_dot_coalesced.cl", directory: "...")
 *
 * Source: LLVM Language Reference Manual, "Metadata". */
#ifndef LLVM_H
#define LLVM_H

#include <stddef.h>

struct text {
    char **lines;
    size_t count;
    char **metadata; /* by number, from behind it on; NULL: there is none */
    size_t metadata_count;
};

/* Splits a text in place; its lines are parts of it, empty ones are left out. */
struct text llvm_split(char *text);
void llvm_free(struct text *text);

/* The number behind a name: 15 for "line: ".  It is `otherwise` where `line` is NULL or
 * has no such name. */
size_t llvm_number(const char *line, const char *name, size_t otherwise);

/* The metadata that "scope: !40" refers to, with the name "scope: !"; NULL: none. */
const char *llvm_refers(const struct text *text, const char *line, const char *name);

/* A name as it is written in the source, a copy: LLVM writes a letter beyond ASCII as
 * in "gr\C3\B6sse", and puts what has one into quotes. */
char *llvm_name(const char *text, size_t length);

/* The name of the file of a location, as many bytes as `length`; NULL: it has none. */
const char *llvm_file(const struct text *text, const char *location, size_t *length);

/* The first of these characters that is outside of all brackets, as the comma in
 * "{ i32, [2 x float] } %x, ptr getelementptr ([4 x i32], ptr @table, i64 0, i64 1)".
 */
const char *llvm_outside_brackets(const char *text, const char *characters);

#endif
