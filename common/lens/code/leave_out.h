/* leave_out: makes a file in CUDA compile whose host part does not, as far as a kernel
 * does not need that. */
#ifndef LEAVE_OUT_H
#define LEAVE_OUT_H

#include "code.h"

/* The file, of which kernel.cl and main.cl lie in this folder, did not compile, and why
 * is in "log".  If leaving out what the kernel does not need changes that, the source
 * gets a new text, and a sentence on what is left out, both of which stay.
 * Included files are part of the text then, and a file that is not found is an empty
 * one.  True: it compiles now, to kernel.ll, with the further options.  False: "log"
 * says what is left to say. */
bool leave_out(const char *folder, struct source *source, const char *also);

#endif
