/* print: what a kernel's printf() makes, while a kernel without a program is replayed.
 * (Under a program the device prints the same.) */
#ifndef PRINT_H
#define PRINT_H

#include <stdio.h>

/* What an argument is, in LLVM's text form. */
enum { PRINTED_WHOLE, PRINTED_REAL, PRINTED_POINTER };

/* The largest: 16 doubles. */
enum { PRINTED_BYTES = 128 };

/* From here on, what is printed is kept; what was kept before is dropped. */
void print_begin(void);

/* Writes what was kept, which ends with a newline; nothing if nothing was printed. */
void print_end(FILE *out);

#endif
