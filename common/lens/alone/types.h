/* types: what a compiler tells debuggers of a type, in LLVM's text form:
 *
 *     !22 = !DICompositeType(tag: DW_TAG_structure_type, name: "pair", size: 64, ...)
 *     !26 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
 *
 * Source: LLVM Language Reference Manual, "Specialized Metadata Nodes". */
#ifndef TYPES_H
#define TYPES_H

#include <stdbool.h>
#include <stddef.h>

enum { TYPES_DEEPEST = 32 }; /* no type refers to others so often */

/* Has it this tag, as "pointer_type"? */
bool type_is(const char *type, const char *tag);

/* What OpenCL C calls a number of this type, as "uint"; NULL: it has none of this size.
 */
const char *type_of_number(const char *type);

/* What is between the quotes behind `name: "`, into `room` bytes; false: nothing is. */
bool type_copy_name(char *copy, size_t room, const char *type);

#endif
