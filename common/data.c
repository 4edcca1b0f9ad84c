#include "data.h"

#include "check.h"

#include <stdint.h>
#include <stdlib.h>

void *allocate(size_t count, size_t bytes) {
    void *memory = calloc(count, bytes);
    if (!memory)
        die("the host has no room for %zu elements of %zu bytes" HINT
            "try a smaller --size",
            count, bytes);
    return memory;
}

/* A linear congruential generator (constants: Numerical Recipes, section 7.1). */
float *small_numbers(size_t count, unsigned seed) {
    float *numbers = allocate(count, sizeof *numbers);
    uint32_t state = seed;
    for (size_t i = 0; i < count; i++) {
        state = state * 1664525u + 1013904223u;
        const int eighth = (int)(state >> 29); /* the high bits are the good ones */
        numbers[i] = (float)(eighth < 4 ? eighth - 4 : eighth - 3);
    }
    return numbers;
}

float *reciprocals(size_t count) {
    float *numbers = allocate(count, sizeof *numbers);
    for (size_t i = 0; i < count; i++)
        numbers[i] = 1.0f / (float)(i + 1);
    return numbers;
}
