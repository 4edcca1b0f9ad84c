/* memory: allocates, and ends the program where that is not possible. */
#include "memory.h"
#include "progress.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void lens_say(const char *format, ...) {
    va_list facts;
    progress_erase();
    va_start(facts, format);
    fputs("note: ", stderr);
    vfprintf(stderr, format, facts);
    va_end(facts);
}

void lens_die(const char *format, ...) {
    va_list facts;
    va_start(facts, format);
    progress_erase();
    fflush(NULL);
    fputs("error: ", stderr);
    vfprintf(stderr, format, facts);
    fputc('\n', stderr);
    _Exit(2);
}

void *lens_allocate(size_t count, size_t bytes) {
    void *memory = calloc(count ? count : 1, bytes);
    if (!memory)
        lens_die("no memory for %zu elements of %zu bytes" HINT "try a smaller problem",
                 count, bytes);
    return memory;
}

/* Capacities are powers of two, so a count that is one means that the array is full. */
void *lens_grow(void *array, size_t count, size_t bytes) {
    if (count & (count - 1))
        return array;
    array = realloc(array, (count ? 2 * count : 1) * bytes);
    if (!array)
        lens_die("no memory for %zu elements of %zu bytes" HINT "try a smaller problem",
                 2 * count, bytes);
    return array;
}
