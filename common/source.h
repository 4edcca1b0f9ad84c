/* source: the text of a kernel file, with what it includes. */
#ifndef SOURCE_H
#define SOURCE_H

#include <stdbool.h>

/* The text of the file at `path`, to be freed; `name` is what messages shall call it.
 * In place of each line #include "FILE" stands kernels/FILE.  That is not left to the
 * compiler: PoCL 3.1 takes no folder with a blank in its name, and NVIDIA's cache does
 * not notice that an included file has changed. With `lines`, #line keeps a compiler's
 * messages to our files and their lines. A file that cannot be read is an error. */
char *source_read(const char *path, const char *name, bool lines);

#endif
