#include "data.h"

#include "check.h"

#include <stdlib.h>

void *allocate(size_t count, size_t bytes) {
    void *memory = calloc(count, bytes);
    if (!memory)
        die("the host has no room for %zu elements of %zu bytes" HINT
            "try a smaller --size",
            count, bytes);
    return memory;
}

uint32_t random_next(uint32_t *state) {
    return *state = *state * 1664525u + 1013904223u;
}

float *small_numbers(size_t count, unsigned seed) {
    float *numbers = allocate(count, sizeof *numbers);
    uint32_t state = seed;
    for (size_t i = 0; i < count; i++)
        numbers[i] = (float)(random_next(&state) >> 29) - 3.5f;
    return numbers;
}

float *reciprocals(size_t count) {
    float *numbers = allocate(count, sizeof *numbers);
    for (size_t i = 0; i < count; i++)
        numbers[i] = 1.0f / (float)(i + 1);
    return numbers;
}
