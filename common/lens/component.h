/* component: loads that the source does not have.  To set some components of a vector,
 * clang loads all of it, puts them in, and stores it back to where it was. */
#ifndef COMPONENT_H
#define COMPONENT_H

#include <stdbool.h>

/* Is the first of these lines of LLVM's language such a load?
 * The lines of its function follow; "}" is the last. */
bool component_load(char *const *lines);

/* Does anything in the function use what the first of these lines results in? */
bool result_is_used(char *const *lines);

#endif
