/* utf8: text that may be no UTF-8, such as that of a kernel file. */
#ifndef TEXT_UTF8_H
#define TEXT_UTF8_H

#include <stdio.h>

/* What takes the place of a byte that is no UTF-8: the character U+FFFD. */
#define UTF8_UNKNOWN "\xef\xbf\xbd"

/* Writes the character that begins here, or UTF8_UNKNOWN for its first byte; returns
 * the place behind what was read.  There has to be one: `text` is not "". */
const char *utf8_character(FILE *out, const char *text);

#endif
