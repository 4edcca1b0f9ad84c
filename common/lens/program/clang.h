/* clang: which clang compiles kernels, and where what it has made is kept. */
#ifndef CLANG_H
#define CLANG_H

/* Chooses the oldest clang that will do, unless LENS_CLANG names one; it is an error if
 * there is none.  What it makes is kept beside this program, or if that was installed
 * in the user's own cache, unless LENS_CACHE names a folder. */
void choose_compiler(void);

#endif
