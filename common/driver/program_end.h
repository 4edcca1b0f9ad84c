/* program_end: the only way in which common/ ends a program before its main does. */
#ifndef PROGRAM_END_H
#define PROGRAM_END_H

/* exit(status).  A program that has to do something first, such as one that ends the
 * others which wait for it (step 22's ranks), defines program_end() itself: the linker
 * takes that one in place of the library's. */
_Noreturn void program_end(int status);

#endif
