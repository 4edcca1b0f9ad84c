/* source: the text of a kernel file, with what it includes. */
#ifndef SOURCE_H
#define SOURCE_H

#include <stdbool.h>

/* The text of the file at `path`, which the caller frees; `name` is its name in
 * messages.  Each line #include "FILE" is replaced by the text of kernels/FILE.  This
 * is not left to the compiler, because PoCL 3.1 takes no folder with a blank in its
 * name, and NVIDIA's cache does not notice that an included file has changed.  With
 * `lines`, the text contains #line, so that a compiler's messages name our files and
 * their source lines.  A file that cannot be read is an error. */
char *source_read(const char *path, const char *name, bool lines);

#endif
