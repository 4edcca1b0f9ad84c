/* vocabulary: what is said of OpenCL C and of CUDA, beside each other. */
#include "vocabulary.h"

#include <stddef.h>
#include <string.h>

static bool is_cuda;

static const struct {
    const char *opencl, *cuda;
} terms[] = {
    {"item", "thread"},
    {"items", "threads"},
    {"work-item", "thread"},
    {"work-items", "threads"},
    {"group", "block"},
    {"groups", "blocks"},
    {"in groups of", "in blocks of"},
    {"; groups of", "; blocks of"},
    {", the number of work-items", ", the number of threads"},
    {"--local", "--block"},
    {"local", "shared"},
    {"local memory", "shared memory"},
    {"an access takes more passes over the banks of local memory than it needs",
     "an access takes more passes over the banks of shared memory than it needs"},
    {"passes of local", "passes of shared"},
    {"passes of local memory", "passes of shared memory"},
    {"In a pass, each bank of local memory serves one word of 4 bytes.",
     "In a pass, each bank of shared memory serves one word of 4 bytes."},
    {"Atomics on local memory are counted, too.",
     "Atomics on shared memory are counted, too."},
    {"A column is a bank of local memory, and a row is a pass.",
     "A column is a bank of shared memory, and a row is a pass."},
    {"write it first; local memory is uninitialised in each group",
     "write it first; shared memory is uninitialised in each block"},
    {"every work-item of a group must reach the same barrier",
     "every thread of a block must reach the same __syncthreads()"},
    {"put a barrier between them, or use atomics",
     "put __syncthreads() between them, or use atomics"},
    {"put a barrier between them, or sub_group_barrier(); or let "
     "sub_group_reduce_add() add up",
     "put __syncthreads() between them, or __syncwarp(); or let __shfl_down_sync() add "
     "up"},
    {"does the index lack the group, get_group_id()? if all mean this element, use an "
     "atomic",
     "does the index lack the block, blockIdx? if all mean this element, use an "
     "atomic"},
    {"groups run in no order: use an atomic, or a second launch",
     "blocks run in no order: use an atomic, or a second launch"},
    {"missing fence: write, then a global fence, then the atomic",
     "missing fence: write, then __threadfence(), then the atomic"},
    {"groups may run one after the other: an atomic counter gives them numbers in the "
     "order in which they begin",
     "blocks may run one after the other: an atomic counter gives them numbers in the "
     "order in which they begin"},
    {"it waits for another group, which need not run beside this one",
     "it waits for another block, which need not run beside this one"},
    {"no work-item is left that could end it", "no thread is left that could end it"},
    {"try a smaller problem; or does it wait for another group?",
     "try a smaller problem; or does it wait for another block?"},
    {"too much local memory", "too much shared memory"},
    {"the banks of local memory", "the banks of shared memory"},
    {"number of work-items", "number of threads"},
    {"how long its loops go on depends on other groups",
     "how long its loops go on depends on other blocks"},
    {"too few of its groups were replayed", "too few of its blocks were replayed"},
    {"does it end? OpenCL does not promise that another warp or group goes on while "
     "one "
     "waits for it",
     "does it end? CUDA does not promise that another block goes on while one waits "
     "for "
     "it"},
    {"put some into a buffer", "put some into a structure"},
    {"a kernel begins with `kernel void NAME(`",
     "a kernel begins with `__global__ void NAME(`"},
    {"docs/lens.md says what is not modelled",
     "docs/cllens.md says what is modelled of CUDA"},
    {"it has atomics that are not OpenCL 1.2's",
     "it has atomics of C++, which are not modelled"},
    {"-D NAME=VALUE defines what a program would; --build -cl-std=CL2.0 has more "
     "functions",
     "-D NAME=VALUE defines what a program would, and -I FOLDER says where headers "
     "are"},
    {"a pointer to a type must be a multiple of its size; vloadn and vstoren need that "
     "of an element",
     "a pointer to a type must be a multiple of its size"},
    {"bring the angle near 0 first, or call sin() and cos()",
     "bring the angle near 0 first, or call sinf() and cosf()"},
    {"OpenCL promises 32768 bytes, and most GPUs have at most 65536",
     "a block gets 49152 bytes, and more only if the host asks for it"},
    {"compare the divisor with 0 first: OpenCL gives the quotient any value",
     "compare the divisor with 0 first: CUDA gives the quotient any value"},
    {"its type does not hold the quotient: OpenCL gives that any value",
     "its type does not hold the quotient: CUDA gives that any value"},
    {"OpenCL C has no recursion (specification 1.2, 6.9 i): write a loop",
     "the lens does not follow recursion: write a loop"},
    {"most devices forgive that, OpenCL does not",
     "CUDA allows that in one instruction of a warp, and nowhere else"},
    {"change --global or --local, or give --build -cl-std=CL2.0",
     "give --grid, which counts blocks, in place of --global"},
};

void vocabulary_use(bool of_cuda) {
    is_cuda = of_cuda;
}

const char *term(const char *opencl) {
    for (size_t i = 0; is_cuda && i < sizeof terms / sizeof *terms; i++)
        if (strcmp(terms[i].opencl, opencl) == 0)
            return terms[i].cuda;
    return opencl;
}

bool vocabulary_is_cuda(void) {
    return is_cuda;
}
