/* utf8: text as a page may hold it, whatever bytes a kernel file has.  What is no
 * UTF-8 becomes U+FFFD. */
#ifndef UTF8_H
#define UTF8_H

#include <stdio.h>

/* Writes one character; returns the place behind it. */
const char *page_character(FILE *out, const char *text);

/* With quotes around it, as JSON inside of a script element: no `<` ends the element.
 */
void page_json(FILE *out, const char *text);

/* As it is: it has tags of its own. */
void page_plain(FILE *out, const char *text);

#endif
