/* The kernels of steps 03 and 05, and those of lens_ncu.cl, as CUDA, which ncu sees.
 *
 *     lens_ncu          launches each row of the table once
 *     lens_ncu --list   only prints the rows, as tests/lens/launch.c wants them:
 *                       FILE KERNEL ITEMS GROUP ARGUMENT ...
 *
 * The kernel files stay unchanged: macros make CUDA's words of OpenCL's.  -DROLLED
 * keeps every loop as it is written; else nvcc unrolls, and a branch is executed less
 * often than the source says.  Loads and stores stay the same, but in `lane_loop`. */
#include <cstdio>
#include <cstdlib>
#include <cstring>

/* CUDA's __global__ is a macro, too, and has the word `global` in it. */
#undef __global__
#define kernel extern "C" __attribute__((__global__))
#define global
#define local __shared__
#define uint unsigned
#define uchar unsigned char
#define get_global_id(dimension) (blockIdx.x * blockDim.x + threadIdx.x)
#define get_global_size(dimension) (gridDim.x * blockDim.x)
#define get_local_id(dimension) (threadIdx.x)
#define barrier(fence) __syncthreads()
#define atomic_inc(address) atomicAdd(address, 1)
#define atomic_add(address, value) atomicAdd(address, value)
#define atomic_xchg(address, value) atomicExch(address, value)
#ifdef ROLLED
#define for _Pragma("unroll 1") for
#endif

#include "../../kernels/step03_dot_coalesced.cl"
#define dot_coalesced dot_coalesced_05 /* step 03 has a kernel of that name, too */
#include "../../kernels/step05_dot_strided.cl"
#undef dot_coalesced
#include "lens_ncu.cl"

#undef for

/* One launch; the letters of its arguments are those of tests/lens/launch.c. */
static const struct launch {
    const char *file, *name;
    const void *function;
    unsigned items, group;
    const char *arguments;
} launches[] = {
#define STEP03(name) "kernels/step03_dot_coalesced.cl", #name, (const void *)name
#define STEP05(name, function)                                                         \
    "kernels/step05_dot_strided.cl", name, (const void *)function
#define MORE(name) "tests/peers/lens_ncu.cl", #name, (const void *)name
    /* As `make step03 lens` has them, and the kernels of step 05. */
    {STEP03(dot_single), 1, 1, "f16384 f16384 f32 n=16384"},
    {STEP03(dot_coalesced), 32, 32, "f16384 f16384 f32 n=16384"},
    {STEP05("dot_coalesced", dot_coalesced_05), 4096, 256, "f1048576 f1048576 f4096 n=1048576"},
    {STEP05("dot_contiguous", dot_contiguous), 4096, 256, "f1048576 f1048576 f4096 n=1048576"},
    {STEP05("dot_coalesced", dot_coalesced_05), 262144, 256, "f1048576 f1048576 f262144 n=1048576"},
    {STEP05("dot_contiguous", dot_contiguous), 262144, 256, "f1048576 f1048576 f262144 n=1048576"},
    {STEP05("dot_strided", dot_strided), 16384, 256, "f1048576 f1048576 f16384 n=1048576 n=1"},
    {STEP05("dot_strided", dot_strided), 16384, 256, "f1048576 f1048576 f16384 n=1048576 n=2"},
    {STEP05("dot_strided", dot_strided), 16384, 256, "f1048576 f1048576 f16384 n=1048576 n=4"},
    {STEP05("dot_strided", dot_strided), 16384, 256, "f1048576 f1048576 f16384 n=1048576 n=8"},
    {STEP05("dot_strided", dot_strided), 16384, 256, "f1048576 f1048576 f16384 n=1048576 n=32"},

    {MORE(load_misaligned), 4096, 256, "f4097 f4096"},
    {MORE(load_broadcast), 4096, 256, "f4096 f4096 n=5"},
    {MORE(load_float4), 4096, 256, "f16384 f4096"},
    {MORE(copy_bytes), 4096, 256, "i1024 i1024"},
    {MORE(load_gathered), 4096, 256, "f4096 f4096 n=4093"},
    {MORE(store_strided), 4096, 256, "f12288 n=3"},
    {MORE(guard), 4096, 256, "f4096 f4096 n=3990"},

    {MORE(fizzbuzz), 4096, 256, "i4096"},
    {MORE(fizzbuzz_loops), 4096, 256, "i4096 n=100"},
    {MORE(warps_part), 4096, 256, "i4096 n=100"},
    {MORE(lane_loop), 4096, 256, "f131072 f4096"},
    {MORE(collatz), 4096, 256, "i4096"},

    {MORE(local_strided), 4096, 1024, "f4096 f4096 n=0"},
    {MORE(local_strided), 4096, 1024, "f4096 f4096 n=1"},
    {MORE(local_strided), 4096, 1024, "f4096 f4096 n=2"},
    {MORE(local_strided), 4096, 1024, "f4096 f4096 n=3"},
    {MORE(local_strided), 4096, 1024, "f4096 f4096 n=8"},
    {MORE(transpose), 4096, 1024, "f4096 f4096"},
    {MORE(transpose_padded), 4096, 1024, "f4096 f4096"},
    {MORE(local_float4), 4096, 256, "f16384 f4096 n=1"},
    {MORE(local_float4), 4096, 256, "f16384 f4096 n=2"},
    {MORE(local_float4), 4096, 256, "f16384 f4096 n=32"},

    {MORE(atomic_one), 4096, 256, "z1"},
    {MORE(exchange_one), 4096, 256, "z1"},
    {MORE(atomic_own), 4096, 256, "z4096"},
    {MORE(atomic_local), 4096, 256, "z4"},
};

static void check(cudaError_t status, const char *what) {
    if (status == cudaSuccess)
        return;
    fprintf(stderr, "error: %s: %s\n", what, cudaGetErrorString(status));
    exit(2);
}

/* Buffers hold zeros: no count depends on what is in them. */
static void run(const struct launch *launch) {
    enum { MOST = 8 };
    union {
        void *buffer;
        unsigned number;
    } values[MOST];
    void *pointers[MOST];
    bool is_buffer[MOST];
    int count = 0;
    char words[128];
    snprintf(words, sizeof words, "%s", launch->arguments);
    for (char *word = strtok(words, " "); word; word = strtok(NULL, " "), count++) {
        pointers[count] = &values[count];
        is_buffer[count] = *word != 'n';
        if (is_buffer[count]) {
            const size_t bytes = strtoul(word + 1, NULL, 10) * 4;
            check(cudaMalloc(&values[count].buffer, bytes), word);
            check(cudaMemset(values[count].buffer, 0, bytes), word);
        } else {
            values[count].number = (unsigned)strtoul(word + strlen("n="), NULL, 10);
        }
    }

    const dim3 groups(launch->items / launch->group), group(launch->group);
    check(cudaLaunchKernel(launch->function, groups, group, pointers, 0, NULL),
          launch->name);
    check(cudaGetLastError(), launch->name);
    check(cudaDeviceSynchronize(), launch->name);
    for (int i = 0; i < count; i++)
        if (is_buffer[i])
            check(cudaFree(values[i].buffer), "cudaFree");
}

int main(int argc, char **argv) {
    const bool list = argc > 1 && strcmp(argv[1], "--list") == 0;
    for (const struct launch &launch : launches) {
        printf("%s %s %u %u %s\n", launch.file, launch.name, launch.items, launch.group,
               launch.arguments);
        if (!list)
            run(&launch);
    }
    return 0;
}
