/* quit: the only way in which common/ ends a program before its main does. */
#ifndef QUIT_H
#define QUIT_H

/* exit(status).  A program that has to do something first, such as one that ends the
 * others which wait for it (ranks.h), defines quit() itself: the linker takes that one
 * in place of the library's. */
_Noreturn void quit(int status);

#endif
