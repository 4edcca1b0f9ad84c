/* The limits of this CPU in plain C: what step 00 should find through OpenCL.
 *
 * One thread per core reads, copies or fills its own block of memory, or multiplies and
 * adds in registers.  Prints a line "name rate" for each: GB/s, and GFLOP/s. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { MOST_THREADS = 256, TRIES = 15, CHAINS = 10, ROUNDS = 1 << 23, LANES = 16 };

typedef float lanes __attribute__((vector_size(4 * LANES)));

/* One thread's share of the work. */
struct block {
    lanes *in, *out;
    size_t count; /* vectors */
    float result; /* so that no work can be left out */
};

static void *read_block(void *argument) {
    struct block *block = argument;
    lanes a = {0}, b = {0}, c = {0}, d = {0};
    for (size_t i = 0; i < block->count; i += 4) {
        a += block->in[i];
        b += block->in[i + 1];
        c += block->in[i + 2];
        d += block->in[i + 3];
    }
    a += b + c + d;
    block->result = a[0] + a[LANES - 1];
    return NULL;
}

static void *copy_block(void *argument) {
    struct block *block = argument;
    for (size_t i = 0; i < block->count; i++)
        block->out[i] = block->in[i];
    return NULL;
}

static void *fill_block(void *argument) {
    struct block *block = argument;
    for (size_t i = 0; i < block->count; i++)
        block->out[i] = block->in[0];
    return NULL;
}

static void *multiply_add(void *argument) {
    struct block *block = argument;
    lanes sums[CHAINS], factor = block->in[0], term = block->in[1];
    for (int chain = 0; chain < CHAINS; chain++)
        sums[chain] = block->in[chain];
    for (int round = 0; round < ROUNDS; round++)
        for (int chain = 0; chain < CHAINS; chain++)
            sums[chain] = sums[chain] * factor + term;
    for (int chain = 1; chain < CHAINS; chain++)
        sums[0] += sums[chain];
    block->result = sums[0][0] + sums[0][LANES - 1];
    return NULL;
}

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* The fastest of several tries, in seconds. */
static double fastest(void *(*work)(void *), struct block *blocks, int threads) {
    double best = 1e9;
    for (int i = 0; i < TRIES; i++) {
        pthread_t ids[MOST_THREADS];
        const double begin = seconds();
        for (int t = 0; t < threads; t++)
            pthread_create(&ids[t], NULL, work, &blocks[t]);
        for (int t = 0; t < threads; t++)
            pthread_join(ids[t], NULL);
        const double taken = seconds() - begin;
        best = taken < best ? taken : best;
    }
    return best;
}

int main(void) {
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    const int threads = cores < MOST_THREADS ? (int)cores : MOST_THREADS;
    const size_t count =
        ((size_t)1 << 23) / (size_t)threads / 4 * 4; /* 512 MiB in all */
    const size_t bytes = count * sizeof(lanes);
    struct block blocks[MOST_THREADS];
    for (int t = 0; t < threads; t++) {
        blocks[t] = (struct block){aligned_alloc(64, bytes), aligned_alloc(64, bytes),
                                   count, 0.0f};
        if (!blocks[t].in || !blocks[t].out)
            return 2;
        for (size_t i = 0; i < count * LANES; i++)
            ((float *)blocks[t].in)[i] = (float)(i % 9) / 9.0f;
        memset(blocks[t].out, 0, bytes);
    }
    const double all = (double)bytes * threads;
    printf("read %g\n", all * 1e-9 / fastest(read_block, blocks, threads));
    printf("copy %g\n", 2 * all * 1e-9 / fastest(copy_block, blocks, threads));
    printf("fill %g\n", all * 1e-9 / fastest(fill_block, blocks, threads));
    printf("multiply-add %g\n", 2.0 * CHAINS * LANES * ROUNDS * threads * 1e-9 /
                                    fastest(multiply_add, blocks, threads));
    for (int t = 0; t < threads; t++)
        if (blocks[t].result == 12345.5f)
            puts(""); /* nobody may drop the results */
}
