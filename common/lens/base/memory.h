/* memory: the lens's own memory and its own errors. */
#ifndef MEMORY_H
#define MEMORY_H

#include <stddef.h>

/* Ends the program with status 2 and a message in the project's form: what cannot be
 * done, then HINT and what the user can do about it. */
_Noreturn void lens_die(const char *format, ...) __attribute__((format(printf, 1, 2)));
#define HINT "\n  hint    "

/* Prints a line "note: ..." to stderr. */
void lens_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Memory for `count` elements, all zero; no memory is an error. */
void *lens_allocate(size_t count, size_t bytes);

/* One more element at the end of an array, which doubles when it is full. */
#define GROW(array, count)                                                             \
    ((array) = lens_grow((array), (count), sizeof *(array)), &(array)[(count)++])
void *lens_grow(void *array, size_t count, size_t bytes);

#endif
