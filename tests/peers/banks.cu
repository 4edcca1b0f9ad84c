/* What one access of a warp costs a GPU, for patterns of addresses that are taken apart
 * by their banks and lines; see banks.sh.
 *
 *     banks            a line for each case, with the cycles of an access: the least of
 *                      all units, each with 32 warps that make 1,024 accesses
 *     banks --once     makes each access once, by one warp, for the profiler
 *
 * The last column, passes, is what the lens counts: its common/lens/watch/banks.c is linked. */
#include <cstdio>
#include <cstdlib>
#include <cstring>

extern "C" {
#include "lens/banks.h"
}

enum { WARP = 32, CASES = 80, TABLE = 16 * 1024 + 512, UNROLLED = 16, ROUNDS = 64, GROUP = 1024 };
enum kind { SHARED_LOAD, SHARED_STORE, GLOBAL_LOAD, GLOBAL_STORE };
static const char *const memories[] = {"local", "local", "global", "global"};
static const char *const accesses[] = {"load", "store", "load", "store"};

/* Which element each lane takes; -1: the lane takes no part. */
struct pattern {
    const char *name;
    int at[WARP];
};

__constant__ int at_of[CASES][WARP];

template <int BYTES, int KIND> __device__ void access(unsigned *sum, unsigned near, const char *far) {
#define LOAD(where, space, address)                                                    \
    if (BYTES == 4)                                                                    \
        asm volatile("ld." where ".u32 %0, [%1];" : "=r"(a) : space(address));          \
    else if (BYTES == 8)                                                               \
        asm volatile("ld." where ".v2.u32 {%0, %1}, [%2];"                              \
                     : "=r"(a), "=r"(b) : space(address));                             \
    else                                                                               \
        asm volatile("ld." where ".v4.u32 {%0, %1, %2, %3}, [%4];"                      \
                     : "=r"(a), "=r"(b), "=r"(c), "=r"(d) : space(address));
#define STORE(where, space, address)                                                   \
    if (BYTES == 4)                                                                    \
        asm volatile("st." where ".u32 [%1], %0;" ::"r"(*sum), space(address) : "memory"); \
    else if (BYTES == 8)                                                               \
        asm volatile("st." where ".v2.u32 [%1], {%0, %0};" ::"r"(*sum), space(address) : "memory"); \
    else                                                                               \
        asm volatile("st." where ".v4.u32 [%1], {%0, %0, %0, %0};" ::"r"(*sum), space(address) : "memory");
    unsigned a = 0, b = 0, c = 0, d = 0;
    if (KIND == SHARED_LOAD) {
        LOAD("shared", "r", near)
    } else if (KIND == SHARED_STORE) {
        STORE("shared", "r", near)
    } else if (KIND == GLOBAL_LOAD) {
        LOAD("global.ca", "l", far)
    } else {
        STORE("global", "l", far)
    }
    *sum ^= a ^ b ^ c ^ d;
}

/* The table is the whole of the block's shared memory, or it lies in global memory. */
template <int BYTES, int KIND> __global__ void once(int pattern, char *table, unsigned *out) {
    __shared__ __align__(128) char near[TABLE];
    const int at = at_of[pattern][threadIdx.x];
    unsigned sum = pattern;
    if (at >= 0)
        access<BYTES, KIND>(&sum, (unsigned)__cvta_generic_to_shared(near + at * BYTES),
                            table + at * BYTES);
    if (sum == 12345)
        *out = sum;
}

template <int BYTES, int KIND>
__global__ void many(int pattern, char *table, unsigned *out, long long *cycles, unsigned step) {
    __shared__ __align__(128) char near[TABLE];
    const int at = at_of[pattern][threadIdx.x % WARP];
    unsigned place = (unsigned)__cvta_generic_to_shared(near + at * BYTES);
    const char *far = table + at * BYTES;
    unsigned sum = threadIdx.x;
    for (int i = threadIdx.x; i < TABLE / 4; i += blockDim.x) {
        ((unsigned *)near)[i] = i;
        sum ^= ((volatile unsigned *)table)[i];
    }
    __syncthreads();
    const long long begin = clock64();
    if (at >= 0)
        for (int round = 0; round < ROUNDS; round++)
#pragma unroll
            for (int i = 0; i < UNROLLED; i++)
                access<BYTES, KIND>(&sum, place += step, far += step);
    __syncthreads();
    if (threadIdx.x == 0)
        cycles[blockIdx.x] = clock64() - begin;
    if (sum == 12345)
        *out = sum;
}

static void check(cudaError_t status) {
    if (status == cudaSuccess)
        return;
    fprintf(stderr, "error: %s\n", cudaGetErrorString(status));
    exit(2);
}

static struct pattern patterns[CASES];
static int pattern_count;

static int *add(const char *name) {
    patterns[pattern_count].name = name;
    return patterns[pattern_count++].at;
}

#define ADD(name, element)                                                             \
    do {                                                                               \
        int *at = add(name);                                                           \
        for (int n = 0; n < WARP; n++)                                                 \
            at[n] = element;                                                           \
    } while (0)

static unsigned next_random(unsigned *state) {
    *state = *state * 1664525u + 1013904223u;
    return *state >> 16;
}

static void make_patterns(void) {
    unsigned state = 1;
    ADD("own: n", n);
    ADD("pairs: n / 2", n / 2);
    ADD("quads: n / 4", n / 4);
    ADD("eights: n / 8", n / 8);
    ADD("rows: n / 16", n / 16);
    ADD("same: 0", 0);
    ADD("halves: n % 16", n % 16);
    ADD("quarters: n % 8", n % 8);
    ADD("n and n ^ 2 the same", (n & 1) | n >> 2 << 1);
    ADD("n and n ^ 4 the same", (n & 3) | n >> 3 << 2);
    ADD("n and n ^ 3 the same", (n ^ n >> 1) & 1 | n >> 2 << 1);
    ADD("pairs in lanes 0 to 15; else own", n < 16 ? n / 2 : n);
    ADD("pairs in lanes 0 to 7; else own", n < 8 ? n / 2 : n);
    ADD("pairs in lanes 0 to 15; n ^ 2 in the others", n < 16 ? n / 2 : ((n & 1) | n >> 2 << 1));
    ADD("pairs in lanes 0 to 7; n ^ 2 in the others", n < 8 ? n / 2 : ((n & 1) | n >> 2 << 1));
    ADD("all pairs but one", n == 31 ? 0 : n / 2);
    ADD("backwards: 31 - n", 31 - n);
    ADD("rotated: (n + 5) % 32", (n + 5) % 32);
    ADD("stride 2", 2 * n);
    ADD("stride 3", 3 * n);
    ADD("stride 4", 4 * n);
    ADD("stride 5", 5 * n);
    ADD("stride 6", 6 * n);
    ADD("stride 8", 8 * n);
    ADD("stride 9", 9 * n);
    ADD("stride 16", 16 * n);
    ADD("stride 17", 17 * n);
    ADD("stride 32", 32 * n);
    ADD("stride 33", 33 * n);
    ADD("pairs; stride 32", n / 2 * 32);
    ADD("rows of four places: 4 (n % 8) + n / 8", n % 8 * 4 + n / 8);
    ADD("the same; swizzled", (n % 8 * 4 + n / 8) ^ (n % 8));
    ADD("own; even lanes only", n % 2 ? -1 : n);
    ADD("n / 2; even lanes only", n % 2 ? -1 : n / 2);
    ADD("pairs without n ^ 2: n % 4 < 2 only", n % 4 < 2 ? (n & 1) | n >> 2 << 1 : -1);
    ADD("pairs; all but lane 31", n < 31 ? n / 2 : -1);
    ADD("own; lanes 0 to 15 only", n < 16 ? n : -1);
    ADD("own; lanes 0 to 7 only", n < 8 ? n : -1);
    ADD("own; lanes 16 to 31 only", n < 16 ? -1 : n);
    ADD("own; n % 4 < 2 only", n % 4 < 2 ? n : -1);
    ADD("own; every fourth lane", n % 4 ? -1 : n);
    ADD("own; all but lane 31", n < 31 ? n : -1);
    ADD("lane 0 only", n ? -1 : 0);
    ADD("stride 32; even lanes only", n % 2 ? -1 : 32 * n);
    ADD("two far places", n % 2 * 96);
    static char names[12][24];
    for (int r = 0; r < 12; r++) {
        snprintf(names[r], sizeof names[r], "at random; %d", r + 1);
        ADD(names[r], (int)(next_random(&state) % (r < 4 ? 32 : r < 8 ? 256 : 1024)));
    }
}

static int by_offset(const void *one, const void *other) {
    const struct touch *a = (const struct touch *)one, *b = (const struct touch *)other;
    return a->offset < b->offset ? -1 : a->offset > b->offset;
}

static uint64_t lens_passes(const struct pattern *pattern, size_t bytes, int kind, int lines) {
    struct touch touches[WARP];
    size_t lanes = 0;
    for (unsigned n = 0; n < WARP; n++)
        if (pattern->at[n] >= 0)
            touches[lanes++] = {(uint64_t)pattern->at[n] * bytes, bytes, n};
    qsort(touches, lanes, sizeof *touches, by_offset);
    const uint64_t passes = banks_passes(touches, lanes, kind == SHARED_LOAD).is;
    const uint64_t lookups = kind == GLOBAL_LOAD ? (lines + 3) / 4 : 0;
    return passes > lookups ? passes : lookups;
}

static int count_lines(const struct pattern *pattern, size_t bytes) {
    bool seen[TABLE / 128 + 1] = {false};
    int lines = 0;
    for (int n = 0; n < WARP; n++)
        if (pattern->at[n] >= 0 && !seen[pattern->at[n] * bytes / 128]) {
            seen[pattern->at[n] * bytes / 128] = true;
            lines++;
        }
    return lines;
}

/* The least of five launches; a store to global memory waits for more than the L1. */
template <int BYTES, int KIND>
static double cycles_of(int p, int units, char *table, unsigned *out, long long *cycles) {
    static long long taken[1024];
    long long least = 0;
    for (int i = 0; i < 5; i++) {
        many<BYTES, KIND><<<units, GROUP>>>(p, table, out, cycles, 0);
        check(cudaMemcpy(taken, cycles, units * sizeof *taken, cudaMemcpyDeviceToHost));
        for (int unit = 0; unit < units; unit++)
            least = least == 0 || taken[unit] < least ? taken[unit] : least;
    }
    return (double)least / (GROUP / WARP * ROUNDS * UNROLLED);
}

template <int BYTES, int KIND>
static void launch(int p, bool only_once, int units, char *table, unsigned *out, long long *cycles) {
    if (only_once) {
        once<BYTES, KIND><<<1, WARP>>>(p, table, out);
        check(cudaDeviceSynchronize());
        return;
    }
    printf("%s,%s,%d,\"%s\",", memories[KIND], accesses[KIND], BYTES, patterns[p].name);
    for (int n = 0; n < WARP; n++)
        printf(n ? " %d" : "%d", patterns[p].at[n]);
    const int lines = count_lines(&patterns[p], BYTES);
    printf(",%d,", lines);
    if (KIND != GLOBAL_STORE)
        printf("%.2f", cycles_of<BYTES, KIND>(p, units, table, out, cycles));
    printf(",%d\n", (int)lens_passes(&patterns[p], BYTES, KIND, lines));
}

template <int KIND>
static void all(bool only_once, int units, char *table, unsigned *out, long long *cycles) {
    for (int p = 0; p < pattern_count; p++)
        launch<4, KIND>(p, only_once, units, table, out, cycles);
    for (int p = 0; p < pattern_count; p++)
        launch<8, KIND>(p, only_once, units, table, out, cycles);
    for (int p = 0; p < pattern_count; p++)
        launch<16, KIND>(p, only_once, units, table, out, cycles);
}

int main(int argc, char **argv) {
    const bool only_once = argc > 1 && strcmp(argv[1], "--once") == 0;
    make_patterns();
    static int host[CASES][WARP];
    for (int p = 0; p < pattern_count; p++)
        memcpy(host[p], patterns[p].at, sizeof host[p]);
    check(cudaMemcpyToSymbol(at_of, host, sizeof host));

    cudaDeviceProp device;
    check(cudaGetDeviceProperties(&device, 0));
    const int units = device.multiProcessorCount;
    char *table;
    unsigned *out;
    long long *cycles;
    check(cudaMalloc(&table, TABLE * 4));
    check(cudaMalloc(&out, sizeof *out));
    check(cudaMalloc(&cycles, units * sizeof *cycles));
    check(cudaMemset(table, 1, TABLE * 4));

    all<SHARED_LOAD>(only_once, units, table, out, cycles);
    all<SHARED_STORE>(only_once, units, table, out, cycles);
    all<GLOBAL_LOAD>(only_once, units, table, out, cycles);
    all<GLOBAL_STORE>(only_once, units, table, out, cycles);
    return 0;
}
