/* matmul_plain: a product of matrices in plain C, in blocks that stay in a cache, on
 * one core.  A peer for step 18:
 *
 *     cc -O2 -shared -fPIC -o build/matmul_plain.so tests/peers/matmul_plain.c
 *     make step18 run ARGS="--peer build/matmul_plain.so"
 */
#include "matmul.h"

#include <stdlib.h>
#include <string.h>

enum { BLOCK = 128 }; /* rows of B, of which a block stays in the cache */

static unsigned rows, columns, depth;
static float *a, *b, *c;

static float *copy_of(const float *numbers, size_t count) {
    float *copy = malloc(count * sizeof *copy);
    if (!copy)
        abort();
    return memcpy(copy, numbers, count * sizeof *copy);
}

const char *peer_name(void) {
    return "C in blocks";
}

void peer_open(unsigned m, unsigned n, unsigned k, const float *A, const float *B) {
    rows = m;
    columns = n;
    depth = k;
    a = copy_of(A, (size_t)m * k);
    b = copy_of(B, (size_t)k * n);
    c = malloc((size_t)m * n * sizeof *c);
    if (!c)
        abort();
}

static void multiply(size_t first, size_t end) {
    for (size_t row = 0; row < rows; row++)
        for (size_t i = first; i < end; i++)
            for (size_t j = 0; j < columns; j++)
                c[row * columns + j] += a[row * depth + i] * b[i * columns + j];
}

void peer_multiply(unsigned times) {
    for (unsigned t = 0; t < times; t++) {
        memset(c, 0, (size_t)rows * columns * sizeof *c);
        for (size_t first = 0; first < depth; first += BLOCK)
            multiply(first, first + BLOCK < depth ? first + BLOCK : depth);
    }
}

void peer_read(float *C) {
    memcpy(C, c, (size_t)rows * columns * sizeof *c);
}

void peer_close(void) {
    free(c);
    free(b);
    free(a);
}
