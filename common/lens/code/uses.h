/* uses: what becomes of the value that an instruction results in.  The first of the
 * lines, of LLVM's language, is the instruction; its function is around it, and ends
 * with "}". */
#ifndef USES_H
#define USES_H

#include <stdbool.h>

/* Does it load a vector only to set some of its components?  The source has no such
 * load. */
bool uses_for_component(char *const *lines);

/* Does anything in the function use the value? */
bool uses_any(char *const *lines);

#endif
