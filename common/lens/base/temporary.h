/* temporary: a folder for what is compiled, which is deleted at once. */
#ifndef TEMPORARY_H
#define TEMPORARY_H

enum { TEMPORARY_PATH = 4096, TEMPORARY_FOLDER = TEMPORARY_PATH - 64 }; /* lengths */

/* Makes one, in $TMPDIR or in /tmp; no room is an error.  What a lens left there that
 * was killed is removed first. */
void temporary_make(char folder[TEMPORARY_FOLDER]);

/* Removes it with all that a compiler may have made in it. */
void temporary_remove(const char *folder);

#endif
