// CUDA C++'s own words, for the processor that replays a kernel: what a .cu file uses
// without including anything.  Written from NVIDIA's CUDA C++ Programming Guide.
//
// clang compiles the device's half of the file for this processor.  Functions here are
// inlined without debug information, so that what they do counts for the kernel's line.
// One that knows the thread, or waits for others, calls lens_something(), as
// builtins.cl does for OpenCL C.

#pragma once
#pragma clang system_header

#include "operations.h"

#define __global__ __attribute__((global, section("lens_kernel")))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant, annotate("constant memory")))
#define __managed__ __attribute__((device))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __forceinline__ inline
#define __noinline__
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __attribute__((aligned(n)))
#define __grid_constant__
#define __cluster_dims__(...)

// For everything below: a built-in of the device.
#define LENS_BUILTIN                                                                   \
    static __device__ inline __attribute__((always_inline, nodebug, unused))
#define LENS_MEMBER __device__ inline __attribute__((always_inline, nodebug))
#define LENS_PURE __attribute__((const))
#define LENS_CONVERGENT __attribute__((convergent, noduplicate))

#define __CUDA_ARCH__ 900
#define __CUDACC__ 1
#define __CUDACC_VER_MAJOR__ 12
#define __CUDACC_VER_MINOR__ 0
#define CUDA_VERSION 12000
#define CUDART_VERSION 12000
#define __CUDA_RUNTIME_H__ // other headers ask whether these were included
#define __DRIVER_TYPES_H__

// Of C's own headers, what CUDA's bring along.
#include <float.h>
#include <limits.h>
#include <stddef.h>
typedef __INT8_TYPE__ int8_t;
typedef __INT16_TYPE__ int16_t;
typedef __INT32_TYPE__ int32_t;
typedef __INT64_TYPE__ int64_t;
typedef __UINT8_TYPE__ uint8_t;
typedef __UINT16_TYPE__ uint16_t;
typedef __UINT32_TYPE__ uint32_t;
typedef __UINT64_TYPE__ uint64_t;
typedef __INTPTR_TYPE__ intptr_t;
typedef __UINTPTR_TYPE__ uintptr_t;
typedef unsigned short ushort;
typedef unsigned uint;
typedef unsigned long ulong;
#define INFINITY __builtin_inff()
#define NAN __builtin_nanf("")
#define HUGE_VALF __builtin_inff()
#define HUGE_VAL __builtin_inf()
#define M_E 2.7182818284590452354
#define M_LOG2E 1.4426950408889634074
#define M_LOG10E 0.43429448190325182765
#define M_LN2 0.69314718055994530942
#define M_LN10 2.30258509299404568402
#define M_PI 3.14159265358979323846
#define M_PI_2 1.57079632679489661923
#define M_PI_4 0.78539816339744830962
#define M_1_PI 0.31830988618379067154
#define M_2_PI 0.63661977236758134308
#define M_2_SQRTPI 1.12837916709551257390
#define M_SQRT2 1.41421356237309504880
#define M_SQRT1_2 0.70710678118654752440

extern "C" {
__device__ LENS_PURE unsigned long lens_local_id(unsigned);
__device__ LENS_PURE unsigned long lens_group_id(unsigned);
__device__ LENS_PURE unsigned long lens_local_size(unsigned);
__device__ LENS_PURE unsigned long lens_num_groups(unsigned);
__device__ LENS_PURE unsigned lens_max_sub_group_size(void);
__device__ LENS_PURE unsigned lens_sub_group_local_id(void);
__device__ LENS_CONVERGENT void lens_barrier(unsigned flags);
__device__ LENS_CONVERGENT unsigned lens_barrier_count(unsigned flags, unsigned is);
__device__ LENS_CONVERGENT void lens_sub_group_barrier(unsigned flags);
__device__ void lens_fence(unsigned flags);
__device__ LENS_CONVERGENT unsigned lens_sub_group_32(unsigned what, unsigned type,
                                                      unsigned bits, unsigned lane);
__device__ LENS_CONVERGENT unsigned long
lens_sub_group_64(unsigned what, unsigned type, unsigned long bits, unsigned lane);
__device__ unsigned lens_atomic(unsigned long address, unsigned operation,
                                unsigned value, unsigned expected);
__device__ unsigned long lens_atomic_long(unsigned long address, unsigned operation,
                                          unsigned long value, unsigned long expected);
__device__ unsigned long lens_clock(void);
__device__ LENS_CONVERGENT void lens_masked(unsigned long mask, unsigned bits);
}

// ---- Vectors ----

#define LENS_VECTORS(name, T, two, four)                                               \
    struct name##1 {                                                                   \
        T x;                                                                           \
    };                                                                                 \
    struct __attribute__((aligned(two))) name##2 {                                     \
        T x, y;                                                                        \
    };                                                                                 \
    struct name##3 {                                                                   \
        T x, y, z;                                                                     \
    };                                                                                 \
    struct __attribute__((aligned(four))) name##4 {                                    \
        T x, y, z, w;                                                                  \
    };                                                                                 \
    __host__ LENS_BUILTIN name##1 make_##name##1(T x) {                                \
        return {x};                                                                    \
    }                                                                                  \
    __host__ LENS_BUILTIN name##2 make_##name##2(T x, T y) {                           \
        return {x, y};                                                                 \
    }                                                                                  \
    __host__ LENS_BUILTIN name##3 make_##name##3(T x, T y, T z) {                      \
        return {x, y, z};                                                              \
    }                                                                                  \
    __host__ LENS_BUILTIN name##4 make_##name##4(T x, T y, T z, T w) {                 \
        return {x, y, z, w};                                                           \
    }
LENS_VECTORS(char, signed char, 2, 4)
LENS_VECTORS(uchar, unsigned char, 2, 4)
LENS_VECTORS(short, short, 4, 8)
LENS_VECTORS(ushort, unsigned short, 4, 8)
LENS_VECTORS(int, int, 8, 16)
LENS_VECTORS(uint, unsigned, 8, 16)
LENS_VECTORS(long, long, 16, 16)
LENS_VECTORS(ulong, unsigned long, 16, 16)
LENS_VECTORS(longlong, long long, 16, 16)
LENS_VECTORS(ulonglong, unsigned long long, 16, 16)
LENS_VECTORS(float, float, 8, 16)
LENS_VECTORS(double, double, 16, 16)

struct dim3 {
    unsigned x, y, z;
    __host__ LENS_MEMBER constexpr dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1)
        : x(x), y(y), z(z) {
    }
    __host__ LENS_MEMBER constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {
    }
    __host__ LENS_MEMBER operator uint3() const {
        return {x, y, z};
    }
};

// ---- Threads ----

#define LENS_ASKED(name, ask, whole)                                                   \
    struct lens_##name {                                                               \
        __declspec(property(get = get_x)) unsigned x;                                  \
        __declspec(property(get = get_y)) unsigned y;                                  \
        __declspec(property(get = get_z)) unsigned z;                                  \
        static LENS_MEMBER unsigned get_x() {                                          \
            return (unsigned)ask(0);                                                   \
        }                                                                              \
        static LENS_MEMBER unsigned get_y() {                                          \
            return (unsigned)ask(1);                                                   \
        }                                                                              \
        static LENS_MEMBER unsigned get_z() {                                          \
            return (unsigned)ask(2);                                                   \
        }                                                                              \
        LENS_MEMBER operator whole() const {                                           \
            return {get_x(), get_y(), get_z()};                                        \
        }                                                                              \
    };                                                                                 \
    extern const __device__ lens_##name name;
LENS_ASKED(threadIdx, lens_local_id, uint3)
LENS_ASKED(blockIdx, lens_group_id, uint3)
LENS_ASKED(blockDim, lens_local_size, dim3)
LENS_ASKED(gridDim, lens_num_groups, dim3)

struct lens_warp_size {
    LENS_MEMBER operator int() const {
        return (int)lens_max_sub_group_size();
    }
};
extern const __device__ lens_warp_size warpSize;

enum { LENS_LOCAL_FENCE = 1, LENS_GLOBAL_FENCE = 2 };

LENS_BUILTIN void __syncthreads() {
    lens_barrier(LENS_LOCAL_FENCE | LENS_GLOBAL_FENCE);
}
LENS_BUILTIN int __syncthreads_count(int is) {
    return (int)lens_barrier_count(LENS_LOCAL_FENCE | LENS_GLOBAL_FENCE, is != 0);
}
LENS_BUILTIN int __syncthreads_or(int is) {
    return __syncthreads_count(is) > 0;
}
LENS_BUILTIN int __syncthreads_and(int is) {
    return __syncthreads_count(!is) == 0;
}

// A mask has a bit for each lane.
#ifdef LENS_HIP
typedef unsigned long long lens_mask;
#define LENS_WIDTH warpSize
#else
typedef unsigned lens_mask;
#define LENS_WIDTH 32
#endif
enum { LENS_MASK_BITS = 8 * sizeof(lens_mask) };
const lens_mask LENS_ALL_LANES = ~(lens_mask)0;

LENS_BUILTIN void __syncwarp(lens_mask mask = LENS_ALL_LANES) {
    lens_sub_group_barrier(LENS_LOCAL_FENCE | LENS_GLOBAL_FENCE);
    lens_masked(mask, LENS_MASK_BITS);
}
LENS_BUILTIN void __threadfence_block() {
    lens_fence(LENS_LOCAL_FENCE | LENS_GLOBAL_FENCE);
}
LENS_BUILTIN void __threadfence() {
    lens_fence(LENS_LOCAL_FENCE | LENS_GLOBAL_FENCE);
}
LENS_BUILTIN void __threadfence_system() {
    lens_fence(LENS_LOCAL_FENCE | LENS_GLOBAL_FENCE);
}
LENS_BUILTIN long long clock64() {
    return (long long)lens_clock();
}
LENS_BUILTIN long clock() {
    return (long)lens_clock();
}

// ---- Lanes: a value travels as bits ----

#define LENS_ACROSS(T, U, type, bits)                                                  \
    LENS_BUILTIN T lens_lanes(lens_mask mask, unsigned what, T x, unsigned lane) {     \
        const U sent = __builtin_bit_cast(U, x);                                       \
        const U received = lens_sub_group_##bits(what, type, sent, lane);              \
        lens_masked(mask, LENS_MASK_BITS);                                             \
        return __builtin_bit_cast(T, received);                                        \
    }
LENS_ACROSS(int, unsigned, LENS_INT, 32)
LENS_ACROSS(unsigned, unsigned, LENS_UINT, 32)
LENS_ACROSS(long, unsigned long, LENS_LONG, 64)
LENS_ACROSS(unsigned long, unsigned long, LENS_ULONG, 64)
LENS_ACROSS(long long, unsigned long, LENS_LONG, 64)
LENS_ACROSS(unsigned long long, unsigned long, LENS_ULONG, 64)
LENS_ACROSS(float, unsigned, LENS_FLOAT, 32)
LENS_ACROSS(double, unsigned long, LENS_DOUBLE, 64)

// Within segments of `width` lanes; a lane that would ask outside of its own keeps what
// it has.
#define LENS_SHUFFLES(T)                                                               \
    LENS_BUILTIN T __shfl_sync(lens_mask mask, T x, int from,                          \
                               int width = LENS_WIDTH) {                               \
        const unsigned self = lens_sub_group_local_id(), last = (unsigned)width - 1;   \
        return lens_lanes(mask, LENS_SHUFFLE, x,                                       \
                          (self & ~last) | ((unsigned)from & last));                   \
    }                                                                                  \
    LENS_BUILTIN T __shfl_up_sync(lens_mask mask, T x, unsigned by,                    \
                                  int width = LENS_WIDTH) {                            \
        const unsigned self = lens_sub_group_local_id(), last = (unsigned)width - 1;   \
        return lens_lanes(mask, LENS_SHUFFLE, x,                                       \
                          (self & last) < by ? self : self - by);                      \
    }                                                                                  \
    LENS_BUILTIN T __shfl_down_sync(lens_mask mask, T x, unsigned by,                  \
                                    int width = LENS_WIDTH) {                          \
        const unsigned self = lens_sub_group_local_id(), last = (unsigned)width - 1;   \
        return lens_lanes(mask, LENS_SHUFFLE, x,                                       \
                          (self & last) + by > last ? self : self + by);               \
    }                                                                                  \
    LENS_BUILTIN T __shfl_xor_sync(lens_mask mask, T x, int by,                        \
                                   int width = LENS_WIDTH) {                           \
        const unsigned self = lens_sub_group_local_id(), last = (unsigned)width - 1;   \
        const unsigned other = self ^ (unsigned)by;                                    \
        return lens_lanes(mask, LENS_SHUFFLE, x,                                       \
                          other > (self | last) ? self : other);                       \
    }
LENS_SHUFFLES(int)
LENS_SHUFFLES(unsigned)
LENS_SHUFFLES(long)
LENS_SHUFFLES(unsigned long)
LENS_SHUFFLES(long long)
LENS_SHUFFLES(unsigned long long)
LENS_SHUFFLES(float)
LENS_SHUFFLES(double)
#define __shfl(...) __shfl_sync(__activemask(), __VA_ARGS__)
#define __shfl_up(...) __shfl_up_sync(__activemask(), __VA_ARGS__)
#define __shfl_down(...) __shfl_down_sync(__activemask(), __VA_ARGS__)
#define __shfl_xor(...) __shfl_xor_sync(__activemask(), __VA_ARGS__)

LENS_BUILTIN lens_mask __ballot_sync(lens_mask mask, int is) {
    const unsigned long bit = (unsigned long)(is != 0) << lens_sub_group_local_id();
    return (lens_mask)lens_lanes(mask, LENS_REDUCE_OR, bit, 0) & mask;
}
LENS_BUILTIN int __any_sync(lens_mask mask, int is) {
    return lens_lanes(mask, LENS_ANY, is != 0, 0);
}
LENS_BUILTIN int __all_sync(lens_mask mask, int is) {
    return lens_lanes(mask, LENS_ALL, is != 0, 0);
}
LENS_BUILTIN lens_mask __activemask() {
    const unsigned long bit = 1ul << lens_sub_group_local_id();
    return (lens_mask)lens_sub_group_64(LENS_REDUCE_OR, LENS_ULONG, bit, 0);
}
// Before masks, those that were together took part.
#define __ballot(is) __ballot_sync(__activemask(), is)
#define __any(is) __any_sync(__activemask(), is)
#define __all(is) __all_sync(__activemask(), is)

// Of the lanes that are named, those with the same bits.
template <typename T> LENS_BUILTIN lens_mask __match_any_sync(lens_mask mask, T x) {
    lens_mask same = 0;
    for (unsigned lane = 0; lane < LENS_MASK_BITS; lane++)
        if (mask >> lane & 1)
            same |= (lens_mask)(__shfl_sync(mask, x, (int)lane) == x) << lane;
    return same;
}
template <typename T>
LENS_BUILTIN lens_mask __match_all_sync(lens_mask mask, T x, int *are_all) {
    *are_all = __all_sync(mask, __match_any_sync(mask, x) == mask);
    return *are_all ? mask : 0;
}

#define LENS_REDUCES(T)                                                                \
    LENS_BUILTIN T __reduce_add_sync(lens_mask mask, T x) {                            \
        return lens_lanes(mask, LENS_REDUCE_ADD, x, 0);                                \
    }                                                                                  \
    LENS_BUILTIN T __reduce_min_sync(lens_mask mask, T x) {                            \
        return lens_lanes(mask, LENS_REDUCE_MIN, x, 0);                                \
    }                                                                                  \
    LENS_BUILTIN T __reduce_max_sync(lens_mask mask, T x) {                            \
        return lens_lanes(mask, LENS_REDUCE_MAX, x, 0);                                \
    }
LENS_REDUCES(int)
LENS_REDUCES(unsigned)
LENS_BUILTIN unsigned __reduce_and_sync(lens_mask mask, unsigned x) {
    return lens_lanes(mask, LENS_REDUCE_AND, x, 0);
}
LENS_BUILTIN unsigned __reduce_or_sync(lens_mask mask, unsigned x) {
    return lens_lanes(mask, LENS_REDUCE_OR, x, 0);
}
LENS_BUILTIN unsigned __reduce_xor_sync(lens_mask mask, unsigned x) {
    return lens_lanes(mask, LENS_REDUCE_XOR, x, 0);
}

// ---- The same bits, as another type ----

#define LENS_BITS(name, T, U)                                                          \
    LENS_BUILTIN T name(U x) {                                                         \
        return __builtin_bit_cast(T, x);                                               \
    }
LENS_BITS(__float_as_int, int, float)
LENS_BITS(__float_as_uint, unsigned, float)
LENS_BITS(__int_as_float, float, int)
LENS_BITS(__uint_as_float, float, unsigned)
LENS_BITS(__double_as_longlong, long long, double)
LENS_BITS(__longlong_as_double, double, long long)

// ---- Atomics: all return what was there before ----

#define LENS_ATOMIC(T, bits, name, operation)                                          \
    LENS_BUILTIN T name(T *p, T x) {                                                   \
        return (T)lens_change_##bits(p, operation, x, 0);                              \
    }
#define lens_change_32(p, operation, x, expected)                                      \
    lens_atomic((unsigned long)(p), operation, (unsigned)(x), (unsigned)(expected))
#define lens_change_64(p, operation, x, expected)                                      \
    lens_atomic_long((unsigned long)(p), operation, (unsigned long)(x),                \
                     (unsigned long)(expected))
#define LENS_ATOMICS(T, bits, least, most)                                             \
    LENS_ATOMIC(T, bits, atomicAdd, LENS_ADD)                                          \
    LENS_ATOMIC(T, bits, atomicSub, LENS_SUB)                                          \
    LENS_ATOMIC(T, bits, atomicExch, LENS_EXCHANGE)                                    \
    LENS_ATOMIC(T, bits, atomicMin, least)                                             \
    LENS_ATOMIC(T, bits, atomicMax, most)                                              \
    LENS_ATOMIC(T, bits, atomicAnd, LENS_AND)                                          \
    LENS_ATOMIC(T, bits, atomicOr, LENS_OR)                                            \
    LENS_ATOMIC(T, bits, atomicXor, LENS_XOR)                                          \
    LENS_BUILTIN T atomicCAS(T *p, T expected, T x) {                                  \
        return (T)lens_change_##bits(p, LENS_COMPARE_EXCHANGE, x, expected);           \
    }
LENS_ATOMICS(int, 32, LENS_MIN, LENS_MAX)
LENS_ATOMICS(unsigned, 32, LENS_UMIN, LENS_UMAX)
LENS_ATOMICS(long long, 64, LENS_MIN, LENS_MAX)
LENS_ATOMICS(unsigned long long, 64, LENS_UMIN, LENS_UMAX)
LENS_BUILTIN unsigned atomicInc(unsigned *p, unsigned most) {
    return lens_atomic((unsigned long)p, LENS_INCREASE, most, 0);
}
LENS_BUILTIN unsigned atomicDec(unsigned *p, unsigned most) {
    return lens_atomic((unsigned long)p, LENS_DECREASE, most, 0);
}
LENS_BUILTIN float atomicAdd(float *p, float x) {
    return __uint_as_float(lens_change_32(p, LENS_ADD_REAL, __float_as_uint(x), 0));
}
LENS_BUILTIN double atomicAdd(double *p, double x) {
    const long long bits = __double_as_longlong(x);
    return __longlong_as_double((long long)lens_change_64(p, LENS_ADD_REAL, bits, 0));
}
LENS_BUILTIN float atomicExch(float *p, float x) {
    return __uint_as_float(lens_change_32(p, LENS_EXCHANGE, __float_as_uint(x), 0));
}
#define atomicAdd_block atomicAdd
#define atomicAdd_system atomicAdd

// ---- Numbers ----

// Where PTX would find it in shared memory.
template <typename T> LENS_BUILTIN size_t __cvta_generic_to_shared(const T *p) {
    return (size_t)p;
}

// Through whichever cache.
#define LENS_LOADED(name)                                                              \
    template <typename T> LENS_BUILTIN T name(const T *p) {                            \
        return *p;                                                                     \
    }
LENS_LOADED(__ldg)
LENS_LOADED(__ldcg)
LENS_LOADED(__ldca)
LENS_LOADED(__ldcs)
LENS_LOADED(__ldlu)
LENS_LOADED(__ldcv)
template <typename T> struct lens_self {
    typedef T type;
};
template <typename T> using lens_itself = typename lens_self<T>::type;
#define LENS_STORED(name)                                                              \
    template <typename T> LENS_BUILTIN void name(T *p, lens_itself<T> x) {             \
        *p = x;                                                                        \
    }
LENS_STORED(__stwb)
LENS_STORED(__stcg)
LENS_STORED(__stcs)
LENS_STORED(__stwt)

LENS_BUILTIN int __popc(unsigned x) {
    return __builtin_popcount(x);
}
LENS_BUILTIN int __popcll(unsigned long long x) {
    return __builtin_popcountll(x);
}
LENS_BUILTIN int __clz(int x) {
    return x ? __builtin_clz((unsigned)x) : 32;
}
LENS_BUILTIN int __clzll(long long x) {
    return x ? __builtin_clzll((unsigned long long)x) : 64;
}
LENS_BUILTIN int __ffs(int x) {
    return __builtin_ffs(x);
}
LENS_BUILTIN int __ffsll(long long x) {
    return __builtin_ffsll(x);
}
LENS_BUILTIN unsigned __brev(unsigned x) {
    return __builtin_bitreverse32(x);
}
LENS_BUILTIN unsigned long long __brevll(unsigned long long x) {
    return __builtin_bitreverse64(x);
}
LENS_BUILTIN int __mul24(int x, int y) {
    return x * y;
}
LENS_BUILTIN unsigned __umul24(unsigned x, unsigned y) {
    return x * y;
}
LENS_BUILTIN int __mulhi(int x, int y) {
    return (int)((long)x * y >> 32);
}
LENS_BUILTIN unsigned __umulhi(unsigned x, unsigned y) {
    return (unsigned)((unsigned long)x * y >> 32);
}
LENS_BUILTIN unsigned long long __umul64hi(unsigned long long x, unsigned long long y) {
    return (unsigned long long)((unsigned __int128)x * y >> 64);
}
LENS_BUILTIN unsigned __sad(int x, int y, unsigned z) {
    return z + (x < y ? (unsigned)y - (unsigned)x : (unsigned)x - (unsigned)y);
}
LENS_BUILTIN unsigned __usad(unsigned x, unsigned y, unsigned z) {
    return z + (x < y ? y - x : x - y);
}
// Each of four digits of 4 bits chooses one of the eight bytes; with an 8, its sign.
LENS_BUILTIN unsigned __byte_perm(unsigned low, unsigned high, unsigned digits) {
    const unsigned long bytes = (unsigned long)high << 32 | low;
    unsigned result = 0;
    for (unsigned i = 0; i < 4; i++) {
        const unsigned digit = digits >> 4 * i, byte = bytes >> 8 * (digit & 7) & 0xff;
        result |= (digit & 8 ? (byte >> 7) * 0xff : byte) << 8 * i;
    }
    return result;
}
#define LENS_DOT_OF_BYTES(T, Byte)                                                     \
    LENS_BUILTIN T __dp4a(T x, T y, T sum) {                                           \
        for (unsigned i = 0; i < 4; i++)                                               \
            sum += (T)(Byte)(x >> 8 * i) * (T)(Byte)(y >> 8 * i);                      \
        return sum;                                                                    \
    }
LENS_DOT_OF_BYTES(int, signed char)
LENS_DOT_OF_BYTES(unsigned, unsigned char)
LENS_BUILTIN float __saturatef(float x) {
    return __builtin_fminf(__builtin_fmaxf(x, 0.0f), 1.0f);
}
LENS_BUILTIN unsigned __funnelshift_l(unsigned low, unsigned high, unsigned by) {
    return (unsigned)((((unsigned long)high << 32 | low) << (by & 31)) >> 32);
}
LENS_BUILTIN unsigned __funnelshift_r(unsigned low, unsigned high, unsigned by) {
    return (unsigned)(((unsigned long)high << 32 | low) >> (by & 31));
}

#define LENS_LIMITS(T)                                                                 \
    __host__ LENS_BUILTIN T min(T x, T y) {                                            \
        return y < x ? y : x;                                                          \
    }                                                                                  \
    __host__ LENS_BUILTIN T max(T x, T y) {                                            \
        return x < y ? y : x;                                                          \
    }
LENS_LIMITS(int)
LENS_LIMITS(unsigned)
LENS_LIMITS(long)
LENS_LIMITS(unsigned long)
LENS_LIMITS(long long)
LENS_LIMITS(unsigned long long)
LENS_BUILTIN unsigned umin(unsigned x, unsigned y) {
    return y < x ? y : x;
}
LENS_BUILTIN unsigned umax(unsigned x, unsigned y) {
    return x < y ? y : x;
}
__host__ LENS_BUILTIN float min(float x, float y) {
    return __builtin_fminf(x, y);
}
__host__ LENS_BUILTIN float max(float x, float y) {
    return __builtin_fmaxf(x, y);
}
__host__ LENS_BUILTIN double min(double x, double y) {
    return __builtin_fmin(x, y);
}
__host__ LENS_BUILTIN double max(double x, double y) {
    return __builtin_fmax(x, y);
}

// Of two types, as CUDA chooses: the one without a sign, the wider one, a real one.
#define LENS_LIMITS_MIXED(T, U, as)                                                    \
    __host__ LENS_BUILTIN as min(T x, U y) {                                           \
        return min((as)x, (as)y);                                                      \
    }                                                                                  \
    __host__ LENS_BUILTIN as min(U x, T y) {                                           \
        return min((as)x, (as)y);                                                      \
    }                                                                                  \
    __host__ LENS_BUILTIN as max(T x, U y) {                                           \
        return max((as)x, (as)y);                                                      \
    }                                                                                  \
    __host__ LENS_BUILTIN as max(U x, T y) {                                           \
        return max((as)x, (as)y);                                                      \
    }
LENS_LIMITS_MIXED(int, unsigned, unsigned)
LENS_LIMITS_MIXED(long, unsigned long, unsigned long)
LENS_LIMITS_MIXED(long long, unsigned long long, unsigned long long)
LENS_LIMITS_MIXED(float, double, double)

#define CUDART_INF_F __builtin_inff()
#define CUDART_INF __builtin_inf()
#define CUDART_NAN_F __builtin_nanf("")
#define CUDART_NAN __builtin_nan("")
#define CUDART_PI_F 3.141592654f
#define CUDART_PI 3.1415926535897931e+0
#define CUDART_SQRT_HALF_F 0.707106781f
#define CUDART_MAX_NORMAL_F FLT_MAX

LENS_BUILTIN void *memcpy(void *to, const void *from, unsigned long bytes) {
    return __builtin_memcpy(to, from, bytes);
}
LENS_BUILTIN void *memset(void *to, int value, unsigned long bytes) {
    return __builtin_memset(to, value, bytes);
}

// The functions of C's mathematics, by the names that C's library has for them: of the
// host, of the device, and of the device for float without an f.
#define LENS_MATHS_1(name)                                                             \
    extern "C" double name(double) noexcept;                                           \
    extern "C" float name##f(float) noexcept;                                          \
    extern "C" __device__ LENS_PURE double name(double) noexcept;                      \
    extern "C" __device__ LENS_PURE float name##f(float) noexcept;                     \
    LENS_BUILTIN float name(float x) {                                                 \
        return name##f(x);                                                             \
    }
#define LENS_MATHS_2(name)                                                             \
    extern "C" double name(double, double) noexcept;                                   \
    extern "C" float name##f(float, float) noexcept;                                   \
    extern "C" __device__ LENS_PURE double name(double, double) noexcept;              \
    extern "C" __device__ LENS_PURE float name##f(float, float) noexcept;              \
    LENS_BUILTIN float name(float x, float y) {                                        \
        return name##f(x, y);                                                          \
    }
LENS_MATHS_1(sin)
LENS_MATHS_1(cos)
LENS_MATHS_1(tan)
LENS_MATHS_1(asin)
LENS_MATHS_1(acos)
LENS_MATHS_1(atan)
LENS_MATHS_1(sinh)
LENS_MATHS_1(cosh)
LENS_MATHS_1(tanh)
LENS_MATHS_1(asinh)
LENS_MATHS_1(acosh)
LENS_MATHS_1(atanh)
LENS_MATHS_1(exp)
LENS_MATHS_1(exp2)
LENS_MATHS_1(expm1)
LENS_MATHS_1(log)
LENS_MATHS_1(log2)
LENS_MATHS_1(log10)
LENS_MATHS_1(log1p)
LENS_MATHS_1(sqrt)
LENS_MATHS_1(cbrt)
LENS_MATHS_1(erf)
LENS_MATHS_1(erfc)
LENS_MATHS_1(tgamma)
LENS_MATHS_1(lgamma)
LENS_MATHS_1(round)
LENS_MATHS_2(pow)
LENS_MATHS_2(atan2)
LENS_MATHS_2(fmod)
LENS_MATHS_2(remainder)
LENS_MATHS_2(hypot)
LENS_MATHS_2(fdim)
#define LENS_BY_CLANG_1(name)                                                          \
    extern "C" double name(double) noexcept;                                           \
    extern "C" float name##f(float) noexcept;                                          \
    LENS_BUILTIN double name(double x) {                                               \
        return __builtin_##name(x);                                                    \
    }                                                                                  \
    LENS_BUILTIN float name(float x) {                                                 \
        return __builtin_##name##f(x);                                                 \
    }                                                                                  \
    LENS_BUILTIN float name##f(float x) {                                              \
        return __builtin_##name##f(x);                                                 \
    }
LENS_BY_CLANG_1(floor)
LENS_BY_CLANG_1(ceil)
LENS_BY_CLANG_1(trunc)
LENS_BY_CLANG_1(rint)
LENS_BY_CLANG_1(nearbyint)
LENS_BY_CLANG_1(fabs)
#define LENS_BY_CLANG_2(name)                                                          \
    extern "C" double name(double, double) noexcept;                                   \
    extern "C" float name##f(float, float) noexcept;                                   \
    LENS_BUILTIN double name(double x, double y) {                                     \
        return __builtin_##name(x, y);                                                 \
    }                                                                                  \
    LENS_BUILTIN float name(float x, float y) {                                        \
        return __builtin_##name##f(x, y);                                              \
    }                                                                                  \
    LENS_BUILTIN float name##f(float x, float y) {                                     \
        return __builtin_##name##f(x, y);                                              \
    }
LENS_BY_CLANG_2(fmin)
LENS_BY_CLANG_2(fmax)
LENS_BY_CLANG_2(copysign)
#define LENS_ASKED_OF(name, ask)                                                       \
    LENS_BUILTIN bool name(float x) {                                                  \
        return ask(x) != 0;                                                            \
    }                                                                                  \
    LENS_BUILTIN bool name(double x) {                                                 \
        return ask(x) != 0;                                                            \
    }
LENS_ASKED_OF(isnan, __builtin_isnan)
LENS_ASKED_OF(isinf, __builtin_isinf_sign)
LENS_ASKED_OF(isfinite, __builtin_isfinite)
LENS_ASKED_OF(signbit, __builtin_signbit)
extern "C" __device__ LENS_PURE double ldexp(double, int) noexcept;
extern "C" __device__ LENS_PURE float ldexpf(float, int) noexcept;
extern "C" __device__ LENS_PURE int ilogb(double) noexcept;
extern "C" __device__ LENS_PURE int ilogbf(float) noexcept;
// f: what their names for float end in.
#define LENS_PARTS(T, f)                                                               \
    LENS_BUILTIN T frexp##f(T x, int *exponent) {                                      \
        const bool whole = x - x == 0 && x != 0;                                       \
        *exponent = whole ? ilogb##f(x) + 1 : 0;                                       \
        return whole ? ldexp##f(x, -*exponent) : x;                                    \
    }                                                                                  \
    LENS_BUILTIN T modf##f(T x, T *whole) {                                            \
        *whole = __builtin_trunc##f(x);                                                \
        return __builtin_copysign##f(*whole == x ? 0 : x - *whole, x);                 \
    }                                                                                  \
    LENS_BUILTIN T scalbn##f(T x, int exponent) {                                      \
        return ldexp##f(x, exponent);                                                  \
    }                                                                                  \
    LENS_BUILTIN T exp10##f(T x) {                                                     \
        return pow##f(10, x);                                                          \
    }                                                                                  \
    LENS_BUILTIN T rcbrt##f(T x) {                                                     \
        return 1 / cbrt##f(x);                                                         \
    }                                                                                  \
    LENS_BUILTIN T sinpi##f(T x) {                                                     \
        return sin##f(x * (T)CUDART_PI);                                               \
    }                                                                                  \
    LENS_BUILTIN T cospi##f(T x) {                                                     \
        return cos##f(x * (T)CUDART_PI);                                               \
    }                                                                                  \
    LENS_BUILTIN T normcdf##f(T x) {                                                   \
        return erfc##f(x * -(T)0.70710678118654752440) / 2;                            \
    }                                                                                  \
    LENS_BUILTIN long lround##f(T x) {                                                 \
        return (long)round##f(x);                                                      \
    }                                                                                  \
    LENS_BUILTIN long lrint##f(T x) {                                                  \
        return (long)__builtin_rint##f(x);                                             \
    }                                                                                  \
    LENS_BUILTIN long long llrint##f(T x) {                                            \
        return (long long)__builtin_rint##f(x);                                        \
    }
LENS_PARTS(float, f)
LENS_PARTS(double, )
LENS_BUILTIN int abs(int x) {
    return __builtin_abs(x);
}
LENS_BUILTIN float abs(float x) {
    return __builtin_fabsf(x);
}
LENS_BUILTIN double abs(double x) {
    return __builtin_fabs(x);
}
LENS_BUILTIN float fmaf(float x, float y, float z) {
    return __builtin_fmaf(x, y, z);
}
LENS_BUILTIN double fma(double x, double y, double z) {
    return __builtin_fma(x, y, z);
}
LENS_BUILTIN float fma(float x, float y, float z) {
    return __builtin_fmaf(x, y, z);
}
LENS_BUILTIN float rsqrtf(float x) {
    return 1.0f / sqrtf(x);
}
LENS_BUILTIN double rsqrt(double x) {
    return 1.0 / sqrt(x);
}
LENS_BUILTIN void sincosf(float x, float *sine, float *cosine) {
    *sine = sinf(x);
    *cosine = cosf(x);
}
LENS_BUILTIN float __fdividef(float x, float y) {
    return x / y;
}
LENS_BUILTIN float __fmaf_rn(float x, float y, float z) {
    return __builtin_fmaf(x, y, z);
}
LENS_BUILTIN float __fadd_rn(float x, float y) {
    return x + y;
}
LENS_BUILTIN float __fmul_rn(float x, float y) {
    return x * y;
}
LENS_BUILTIN float __fsub_rn(float x, float y) {
    return x - y;
}
LENS_BUILTIN float __fdiv_rn(float x, float y) {
    return x / y;
}
LENS_BUILTIN double __dadd_rn(double x, double y) {
    return x + y;
}
LENS_BUILTIN double __dsub_rn(double x, double y) {
    return x - y;
}
LENS_BUILTIN double __dmul_rn(double x, double y) {
    return x * y;
}
LENS_BUILTIN double __ddiv_rn(double x, double y) {
    return x / y;
}
LENS_BUILTIN double __fma_rn(double x, double y, double z) {
    return __builtin_fma(x, y, z);
}
LENS_BUILTIN float __frcp_rn(float x) {
    return 1.0f / x;
}
LENS_BUILTIN float __frsqrt_rn(float x) {
    return 1.0f / sqrtf(x);
}
LENS_BUILTIN float __fsqrt_rn(float x) {
    return sqrtf(x);
}
LENS_BUILTIN float __expf(float x) {
    return expf(x);
}
LENS_BUILTIN float __exp10f(float x) {
    return powf(10.0f, x);
}
LENS_BUILTIN float __logf(float x) {
    return logf(x);
}
LENS_BUILTIN float __log2f(float x) {
    return log2f(x);
}
LENS_BUILTIN float __log10f(float x) {
    return log10f(x);
}
LENS_BUILTIN float __powf(float x, float y) {
    return powf(x, y);
}
extern "C" __device__ LENS_PURE float lens_native_sinf(float);
extern "C" __device__ LENS_PURE float lens_native_cosf(float);
LENS_BUILTIN float __sinf(float x) {
    return lens_native_sinf(x);
}
LENS_BUILTIN float __cosf(float x) {
    return lens_native_cosf(x);
}
LENS_BUILTIN float __tanf(float x) {
    return __sinf(x) / __cosf(x);
}
LENS_BUILTIN void __sincosf(float x, float *sine, float *cosine) {
    *sine = __sinf(x);
    *cosine = __cosf(x);
}
#define LENS_ROUNDED(name, T, U, expression)                                           \
    LENS_BUILTIN T name(U x) {                                                         \
        return (T)(expression);                                                        \
    }
LENS_ROUNDED(__float2int_rn, int, float, __builtin_rintf(x))
LENS_ROUNDED(__float2int_rd, int, float, __builtin_floorf(x))
LENS_ROUNDED(__float2int_ru, int, float, __builtin_ceilf(x))
LENS_ROUNDED(__float2int_rz, int, float, x)
LENS_ROUNDED(__float2uint_rn, unsigned, float, __builtin_rintf(x))
LENS_ROUNDED(__float2uint_rd, unsigned, float, __builtin_floorf(x))
LENS_ROUNDED(__float2uint_ru, unsigned, float, __builtin_ceilf(x))
LENS_ROUNDED(__float2uint_rz, unsigned, float, x)
LENS_ROUNDED(__float2ll_rn, long long, float, __builtin_rintf(x))
LENS_ROUNDED(__double2int_rn, int, double, __builtin_rint(x))
LENS_ROUNDED(__double2int_rd, int, double, __builtin_floor(x))
LENS_ROUNDED(__double2int_ru, int, double, __builtin_ceil(x))
LENS_ROUNDED(__double2int_rz, int, double, x)
LENS_ROUNDED(__double2float_rn, float, double, x)
LENS_ROUNDED(__int2double_rn, double, int, x)
LENS_ROUNDED(__uint2double_rn, double, unsigned, x)
LENS_ROUNDED(__ll2float_rn, float, long long, x)
LENS_ROUNDED(__int2float_rn, float, int, x)
LENS_ROUNDED(__uint2float_rn, float, unsigned, x)

// Where a kernel prints, waits, and gives up.
LENS_BUILTIN void __nanosleep(unsigned) {
}
extern "C" __device__ int printf(const char *, ...) __asm__("lens_p");
extern "C" __device__ void lens_assert_failed(const char *condition);
extern "C" LENS_MEMBER void __assert_fail(const char *condition, const char *file,
                                          unsigned line,
                                          const char *function) noexcept {
    lens_assert_failed(condition);
}
LENS_BUILTIN void __trap() {
    lens_assert_failed("__trap()");
}

// ---- What has a header of its own in CUDA ----

#include "half.cuh"

#include "cooperative.cuh"

// ---- The host's part of the file, which is read and not used ----

typedef int cudaError_t;
typedef struct lens_stream *cudaStream_t;
typedef struct lens_event *cudaEvent_t;
typedef struct lens_blas *cublasHandle_t;
enum cudaErrors { cudaSuccess, cudaErrorInvalidValue, cudaErrorNotReady };
enum cudaDeviceAttr {
    cudaDevAttrComputeMode,
    cudaDevAttrComputeCapabilityMajor,
    cudaDevAttrComputeCapabilityMinor,
    cudaDevAttrClockRate,
    cudaDevAttrMultiProcessorCount,
    cudaDevAttrIntegrated,
    cudaDevAttrMaxThreadsPerBlock,
    cudaDevAttrMaxSharedMemoryPerBlock,
    cudaDevAttrWarpSize,
    cudaDevAttrCooperativeLaunch,
    cudaDevAttrUnifiedAddressing
};
enum cudaComputeMode {
    cudaComputeModeDefault,
    cudaComputeModeExclusive,
    cudaComputeModeProhibited
};
enum cudaStreamFlags { cudaStreamDefault, cudaStreamNonBlocking };
enum cudaHostFlags { cudaHostAllocDefault, cudaHostAllocMapped, cudaHostAllocPortable };
enum cudaAttachFlags { cudaMemAttachGlobal = 1, cudaMemAttachHost };
enum cudaFuncCache {
    cudaFuncCachePreferNone,
    cudaFuncCachePreferShared,
    cudaFuncCachePreferL1,
    cudaFuncCachePreferEqual
};
enum cudaFuncAttribute {
    cudaFuncAttributeMaxDynamicSharedMemorySize,
    cudaFuncAttributePreferredSharedMemoryCarveout
};
struct cudaFuncAttributes {
    unsigned long sharedSizeBytes, constSizeBytes, localSizeBytes;
    int maxThreadsPerBlock, numRegs, ptxVersion, binaryVersion;
};
enum cudaMemcpyKind {
    cudaMemcpyHostToHost,
    cudaMemcpyHostToDevice,
    cudaMemcpyDeviceToHost,
    cudaMemcpyDeviceToDevice,
    cudaMemcpyDefault
};
struct cudaDeviceProp {
    char name[256];
    unsigned long totalGlobalMem, sharedMemPerBlock, totalConstMem;
    int warpSize, maxThreadsPerBlock, maxThreadsDim[3], maxGridSize[3], clockRate,
        major, minor, multiProcessorCount, memoryClockRate, memoryBusWidth, l2CacheSize,
        maxThreadsPerMultiProcessor, regsPerBlock, unifiedAddressing, canMapHostMemory,
        concurrentKernels, integrated, deviceOverlap, asyncEngineCount;
};
#define LENS_OF_HOST(name) template <typename... T> cudaError_t name(T &&...);
LENS_OF_HOST(cudaMalloc)
LENS_OF_HOST(cudaMallocHost)
LENS_OF_HOST(cudaMallocManaged)
LENS_OF_HOST(cudaMallocPitch)
LENS_OF_HOST(cudaHostAlloc)
LENS_OF_HOST(cudaFree)
LENS_OF_HOST(cudaFreeHost)
LENS_OF_HOST(cudaMemcpy)
LENS_OF_HOST(cudaMemcpy2D)
LENS_OF_HOST(cudaMemcpyAsync)
LENS_OF_HOST(cudaMemcpyToSymbol)
LENS_OF_HOST(cudaMemcpyFromSymbol)
LENS_OF_HOST(cudaMemset)
LENS_OF_HOST(cudaMemsetAsync)
LENS_OF_HOST(cudaMemPrefetchAsync)
LENS_OF_HOST(cudaMemGetInfo)
LENS_OF_HOST(cudaDeviceSynchronize)
LENS_OF_HOST(cudaThreadSynchronize)
LENS_OF_HOST(cudaDeviceReset)
LENS_OF_HOST(cudaDeviceSetCacheConfig)
LENS_OF_HOST(cudaDeviceGetAttribute)
LENS_OF_HOST(cudaSetDevice)
LENS_OF_HOST(cudaGetDevice)
LENS_OF_HOST(cudaGetDeviceCount)
LENS_OF_HOST(cudaGetDeviceProperties)
LENS_OF_HOST(cudaGetLastError)
LENS_OF_HOST(cudaPeekAtLastError)
LENS_OF_HOST(cudaStreamCreate)
LENS_OF_HOST(cudaStreamCreateWithFlags)
LENS_OF_HOST(cudaStreamWaitEvent)
LENS_OF_HOST(cudaEventCreateWithFlags)
LENS_OF_HOST(cudaEventQuery)
LENS_OF_HOST(cudaFuncGetAttributes)
LENS_OF_HOST(cudaLaunchCooperativeKernel)
LENS_OF_HOST(cudaHostGetDevicePointer)
LENS_OF_HOST(cudaHostRegister)
LENS_OF_HOST(cudaHostUnregister)
LENS_OF_HOST(cudaMemcpyToSymbolAsync)
LENS_OF_HOST(cudaGetSymbolAddress)
LENS_OF_HOST(cudaDriverGetVersion)
LENS_OF_HOST(cudaRuntimeGetVersion)
LENS_OF_HOST(cudaProfilerStart)
LENS_OF_HOST(cudaProfilerStop)
LENS_OF_HOST(cudaStreamDestroy)
LENS_OF_HOST(cudaStreamSynchronize)
LENS_OF_HOST(cudaEventCreate)
LENS_OF_HOST(cudaEventDestroy)
LENS_OF_HOST(cudaEventRecord)
LENS_OF_HOST(cudaEventSynchronize)
LENS_OF_HOST(cudaEventElapsedTime)
LENS_OF_HOST(cudaFuncSetAttribute)
LENS_OF_HOST(cudaFuncSetCacheConfig)
LENS_OF_HOST(cudaOccupancyMaxActiveBlocksPerMultiprocessor)
LENS_OF_HOST(cudaLaunchKernel)
// Of the host's functions, those that CUDA's own header brings.
extern "C" {
void *malloc(unsigned long) noexcept;
void free(void *) noexcept;
void *memset(void *, int, unsigned long) noexcept;
void *memcpy(void *, const void *, unsigned long) noexcept;
void exit(int) noexcept;
int rand(void) noexcept;
void srand(unsigned) noexcept;
}
const char *cudaGetErrorString(cudaError_t);
const char *cudaGetErrorName(cudaError_t);
// What <<<blocks, threads>>> is for clang, in one form or another.
extern "C" unsigned __cudaPushCallConfiguration(dim3, dim3, unsigned long = 0,
                                                void * = nullptr);
extern "C" int cudaConfigureCall(dim3, dim3, unsigned long = 0, void * = nullptr);

#ifdef LENS_HIP
#include "hip.cuh"
#endif

// ---- The way in: a kernel's arguments, each behind a pointer ----

template <int I, typename F> struct lens_argument;
template <typename T, typename... U> struct lens_argument<0, void (*)(T, U...)> {
    typedef T type;
};
template <int I, typename T, typename... U> struct lens_argument<I, void (*)(T, U...)> {
    typedef typename lens_argument<I - 1, void (*)(U...)>::type type;
};
