/* sources: what a program says in several texts, as the one text that is replayed; and
 * what keeps texts from us. */
#ifndef SOURCES_H
#define SOURCES_H

#include <stddef.h>

/* A text that other texts include by this name. */
struct header {
    const char *name, *text;
};

/* Replaces each line that includes one of these headers by its text, with #line, so
 * that all lines keep their names.  The caller frees what comes back. */
char *sources_include(const char *source, const struct header *headers, size_t count);

/* One text behind the other; from the second on they are called part2.cl and so on. */
char *sources_join(const char *const *parts, size_t count);

/* A source without comments, needless blanks, and directives that only number lines.
 * Each directive has a line of its own; all between two of them is one line. */
char *sources_plain(const char *source);

/* Says, once and if PyOpenCL is in this program, that start.c has switched its cache of
 * binaries off, in which no source is seen. */
void sources_tell_cache(void);

#endif
