/* print: what a kernel's printf() makes, while a kernel without a program is replayed.
 * (Under a program the device prints the same.) */
#ifndef PRINT_H
#define PRINT_H

#include <stdbool.h>
#include <stdio.h>

/* From here on, what is printed is kept; what was kept before is dropped. */
void print_begin(void);

/* Nothing is kept while it is paused: a launch that was made before prints the same. */
void print_pause(bool paused);

/* Writes what was kept, which ends with a newline; nothing if nothing was printed. */
void print_end(FILE *out);

#endif
