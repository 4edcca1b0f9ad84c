#include "data.h"

#include "check.h"

#include <stdlib.h>
#include <string.h>

void *allocate(size_t count, size_t bytes) {
    void *memory = calloc(count, bytes);
    if (!memory)
        die("the host has no room for %zu elements of %zu bytes" HINT
            "try a smaller --size",
            count, bytes);
    return memory;
}

/* Capacities are powers of two, so a count that is one means that the array is full. */
void *grow(void *array, size_t count, size_t bytes) {
    if (count & (count - 1))
        return array;
    array = realloc(array, (count ? 2 * count : 1) * bytes);
    if (!array)
        die("the host has no room for %zu elements of %zu bytes" HINT
            "end other programs: this list is a short one",
            2 * count, bytes);
    return array;
}

const char *without_mark(const char *text) {
    return strncmp(text, "\xef\xbb\xbf", 3) == 0 ? text + 3 : text;
}

uint32_t random_next(uint32_t *state) {
    return *state = *state * 1664525u + 1013904223u;
}

/* Times this fraction of 2^32 (the square root of 2, less 1), no two of a million seeds
 * are nearer to each other than 1000, so the y of one is never the x of another. */
unsigned mix_seed(size_t number) {
    return (unsigned)number * 1779033703u;
}

float *small_numbers(size_t count, unsigned seed) {
    float *numbers = allocate(count, sizeof *numbers);
    uint32_t state = seed;
    for (size_t i = 0; i < count; i++)
        numbers[i] = 0.5f * (float)(random_next(&state) >> 29) - 1.75f;
    return numbers;
}

void make_tiny(float *numbers, size_t count) {
    for (size_t i = 0; i < count; i++)
        numbers[i] *= TINY;
}
