/* operations: the numbers of operations and types that the lens's C code shares with
 * builtins.cl and builtins.cuh.  C, OpenCL C and CUDA C++ include them. */
#ifndef LENS_OPERATIONS_H
#define LENS_OPERATIONS_H

/* Atomics. */
enum {
    LENS_ADD,
    LENS_SUB,
    LENS_EXCHANGE,
    LENS_COMPARE_EXCHANGE,
    LENS_MIN,
    LENS_MAX,
    LENS_UMIN,
    LENS_UMAX,
    LENS_AND,
    LENS_OR,
    LENS_XOR,
    LENS_INCREASE,
    LENS_DECREASE,
    LENS_ADD_REAL
};

/* Functions over the lanes of a warp.  Reductions and scans are in the same order. */
enum {
    LENS_BROADCAST,
    LENS_SHUFFLE,
    LENS_SHUFFLE_XOR,
    LENS_ANY,
    LENS_ALL,
    LENS_REDUCE_ADD,
    LENS_REDUCE_MIN,
    LENS_REDUCE_MAX,
    LENS_REDUCE_MUL,
    LENS_REDUCE_AND,
    LENS_REDUCE_OR,
    LENS_REDUCE_XOR,
    LENS_INCLUSIVE_ADD,
    LENS_INCLUSIVE_MIN,
    LENS_INCLUSIVE_MAX,
    LENS_EXCLUSIVE_ADD,
    LENS_EXCLUSIVE_MIN,
    LENS_EXCLUSIVE_MAX
};

/* What a kernel asks of an image. */
enum { LENS_WIDTH, LENS_HEIGHT, LENS_DEPTH, LENS_LAYERS, LENS_ORDER, LENS_TYPE };

/* The types of their values, and of texels. */
enum { LENS_INT, LENS_UINT, LENS_LONG, LENS_ULONG, LENS_FLOAT, LENS_DOUBLE };

/* What printf() is given, and how long it is at most: 16 doubles. */
enum { PRINTED_WHOLE, PRINTED_REAL, PRINTED_POINTER, PRINTED_BYTES = 128 };

#endif
