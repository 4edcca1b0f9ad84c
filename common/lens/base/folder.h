/* folder: where the files of the lens lie that it needs when it runs. */
#ifndef FOLDER_H
#define FOLDER_H

#include <stdbool.h>

/* The folder of liblens.so, builtins.cl and operations.h, without a slash at its end.
 * In the library that is its own folder; in the program its own, or ../lib/cllens where
 * it was installed.  It is an error if there is none. */
const char *lens_folder(void);

/* In the program: was it installed, rather than built and left where it is? */
bool lens_is_installed(void);

#endif
