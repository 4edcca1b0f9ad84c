/* source_lines: the text of source lines, and what reports call memory and accesses. */
#ifndef SOURCE_LINES_H
#define SOURCE_LINES_H

#include "code.h"

/* The text of a line of the kernel's source, or of a file that it includes; "" if there
 * is none.  It is valid until the next call. */
const char *source_line(const char *source, struct place place);

/* At most `most` characters of it, and no blanks at its end.  Of a longer line it is
 * the beginning; or "... " and the statement at the place's column, if that lies
 * behind. */
enum { MAX_EXCERPT = 160 };
const char *source_excerpt(const char *source, struct place place, size_t most);

/* The same without the blanks in front, which do not count. */
const char *source_text(const char *source, struct place place, size_t most);

/* By enum kind, "load"; by enum space, "global". */
extern const char *const kind_names[], *const space_names[];

#endif
