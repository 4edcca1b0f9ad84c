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
#define __constant__ __attribute__((constant))
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

extern "C" {
__device__ LENS_PURE unsigned long lens_local_id(unsigned);
__device__ LENS_PURE unsigned long lens_group_id(unsigned);
__device__ LENS_PURE unsigned long lens_local_size(unsigned);
__device__ LENS_PURE unsigned long lens_num_groups(unsigned);
__device__ LENS_PURE unsigned lens_max_sub_group_size(void);
__device__ LENS_PURE unsigned lens_sub_group_local_id(void);
__device__ LENS_CONVERGENT void lens_barrier(unsigned flags);
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

template <typename T> LENS_BUILTIN T __ldg(const T *p) {
    return *p;
}

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

#define CUDART_INF_F __builtin_inff()
#define CUDART_INF __builtin_inf()
#define CUDART_NAN_F __builtin_nanf("")
#define CUDART_PI_F 3.141592654f
#define CUDART_PI 3.1415926535897931e+0

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
LENS_ROUNDED(__float2uint_rz, unsigned, float, x)
LENS_ROUNDED(__int2float_rn, float, int, x)
LENS_ROUNDED(__uint2float_rn, float, unsigned, x)

// Where a kernel prints, and where it gives up.
extern "C" __device__ int printf(const char *, ...) __asm__("lens_p");
extern "C" __device__ void lens_assert_failed(const char *condition);
extern "C" LENS_MEMBER void __assert_fail(const char *condition, const char *file,
                                          unsigned line,
                                          const char *function) noexcept {
    lens_assert_failed(condition);
}

// ---- Numbers of 16 bits ----

typedef _Float16 __half;
typedef __half half;
struct __attribute__((aligned(4))) __half2 {
    __half x, y;
};
typedef __half2 half2;
LENS_BUILTIN __half __float2half(float x) {
    return (__half)x;
}
LENS_BUILTIN __half __float2half_rn(float x) {
    return (__half)x;
}
LENS_BUILTIN float __half2float(__half x) {
    return (float)x;
}
LENS_BUILTIN __half __int2half_rn(int x) {
    return (__half)x;
}
LENS_BUILTIN int __half2int_rn(__half x) {
    return (int)__builtin_rintf((float)x);
}
LENS_BUILTIN __half __hfma(__half x, __half y, __half z) {
    return (__half)__builtin_fmaf((float)x, (float)y, (float)z);
}
#define LENS_OF_HALVES(name, sign)                                                     \
    LENS_BUILTIN __half __h##name(__half x, __half y) {                                \
        return x sign y;                                                               \
    }                                                                                  \
    LENS_BUILTIN __half2 __h##name##2(__half2 x, __half2 y) {                          \
        return {(__half)(x.x sign y.x), (__half)(x.y sign y.y)};                       \
    }                                                                                  \
    LENS_BUILTIN __half2 operator sign(__half2 x, __half2 y) {                         \
        return {(__half)(x.x sign y.x), (__half)(x.y sign y.y)};                       \
    }
LENS_OF_HALVES(add, +)
LENS_OF_HALVES(sub, -)
LENS_OF_HALVES(mul, *)
LENS_OF_HALVES(div, /)
#define LENS_COMPARED(name, sign)                                                      \
    LENS_BUILTIN bool __h##name(__half x, __half y) {                                  \
        return x sign y;                                                               \
    }
LENS_COMPARED(eq, ==)
LENS_COMPARED(ne, !=)
LENS_COMPARED(lt, <)
LENS_COMPARED(le, <=)
LENS_COMPARED(gt, >)
LENS_COMPARED(ge, >=)
LENS_BUILTIN __half __hmax(__half x, __half y) {
    return x < y ? y : x;
}
LENS_BUILTIN __half __hmin(__half x, __half y) {
    return y < x ? y : x;
}
LENS_BUILTIN __half2 __hfma2(__half2 x, __half2 y, __half2 z) {
    return {__hfma(x.x, y.x, z.x), __hfma(x.y, y.y, z.y)};
}
LENS_BUILTIN __half2 __halves2half2(__half x, __half y) {
    return {x, y};
}
LENS_BUILTIN __half2 make_half2(__half x, __half y) {
    return {x, y};
}
LENS_BUILTIN __half2 __half2half2(__half x) {
    return {x, x};
}
LENS_BUILTIN __half2 __float2half2_rn(float x) {
    return {(__half)x, (__half)x};
}
LENS_BUILTIN __half2 __floats2half2_rn(float x, float y) {
    return {(__half)x, (__half)y};
}
LENS_BUILTIN __half2 __float22half2_rn(float2 x) {
    return {(__half)x.x, (__half)x.y};
}
LENS_BUILTIN float2 __half22float2(__half2 x) {
    return {(float)x.x, (float)x.y};
}
LENS_BUILTIN __half __low2half(__half2 x) {
    return x.x;
}
LENS_BUILTIN __half __high2half(__half2 x) {
    return x.y;
}
LENS_BUILTIN float __low2float(__half2 x) {
    return (float)x.x;
}
LENS_BUILTIN float __high2float(__half2 x) {
    return (float)x.y;
}

// ---- Cooperative groups: a block, and tiles of a warp ----

namespace cooperative_groups {
struct thread_block {
    static LENS_MEMBER void sync() {
        __syncthreads();
    }
    static LENS_MEMBER unsigned thread_rank() {
        const unsigned row = threadIdx.z * blockDim.y + threadIdx.y;
        return row * blockDim.x + threadIdx.x;
    }
    static LENS_MEMBER unsigned size() {
        return blockDim.x * blockDim.y * blockDim.z;
    }
    static LENS_MEMBER unsigned num_threads() {
        return size();
    }
    static LENS_MEMBER dim3 group_index() {
        return uint3(blockIdx);
    }
    static LENS_MEMBER dim3 thread_index() {
        return uint3(threadIdx);
    }
    static LENS_MEMBER dim3 group_dim() {
        return blockDim;
    }
};
LENS_BUILTIN thread_block this_thread_block() {
    return {};
}

// What a tile sends; a structure goes word by word.
#define LENS_INLINED __attribute__((always_inline))
template <typename T, typename F> LENS_BUILTIN T lens_sent(T x, const F &shuffle) {
    if constexpr (__is_class(T)) {
        static_assert(sizeof(T) % sizeof(unsigned) == 0, "words of 4 bytes travel");
        unsigned words[sizeof(T) / sizeof(unsigned)];
        __builtin_memcpy(words, &x, sizeof x);
        for (unsigned &word : words)
            word = shuffle(word);
        __builtin_memcpy(&x, words, sizeof x);
        return x;
    } else {
        return shuffle(x);
    }
}

template <unsigned N, typename Parent = void> struct thread_block_tile {
    static LENS_MEMBER unsigned thread_rank() {
        return lens_sub_group_local_id() & (N - 1);
    }
    static LENS_MEMBER lens_mask mask() {
        const unsigned first = lens_sub_group_local_id() & ~(N - 1);
        return (LENS_ALL_LANES >> (LENS_MASK_BITS - N)) << first;
    }
    static constexpr LENS_MEMBER unsigned size() {
        return N;
    }
    static constexpr LENS_MEMBER unsigned num_threads() {
        return N;
    }
    static LENS_MEMBER unsigned meta_group_rank() {
        return thread_block::thread_rank() / N;
    }
    static LENS_MEMBER unsigned meta_group_size() {
        return (thread_block::size() + N - 1) / N;
    }
    static LENS_MEMBER void sync() {
        __syncwarp(mask());
    }
    template <typename T> static LENS_MEMBER T shfl(T x, int from) {
        return lens_sent(x, [m = mask(), from](auto sent) LENS_INLINED {
            return __shfl_sync(m, sent, from, N);
        });
    }
    template <typename T> static LENS_MEMBER T shfl_up(T x, unsigned by) {
        return lens_sent(x, [m = mask(), by](auto sent) LENS_INLINED {
            return __shfl_up_sync(m, sent, by, N);
        });
    }
    template <typename T> static LENS_MEMBER T shfl_down(T x, unsigned by) {
        return lens_sent(x, [m = mask(), by](auto sent) LENS_INLINED {
            return __shfl_down_sync(m, sent, by, N);
        });
    }
    template <typename T> static LENS_MEMBER T shfl_xor(T x, unsigned by) {
        return lens_sent(x, [m = mask(), by](auto sent) LENS_INLINED {
            return __shfl_xor_sync(m, sent, (int)by, N);
        });
    }
    static LENS_MEMBER int any(int is) {
        return ballot(is) != 0;
    }
    static LENS_MEMBER int all(int is) {
        return ballot(is) == LENS_ALL_LANES >> (LENS_MASK_BITS - N);
    }
    static LENS_MEMBER lens_mask ballot(int is) {
        const unsigned first = lens_sub_group_local_id() & ~(N - 1);
        return __ballot_sync(mask(), is) >> first;
    }
};
template <unsigned N, typename Parent>
LENS_BUILTIN thread_block_tile<N> tiled_partition(const Parent &) {
    return {};
}
template <typename Group> LENS_BUILTIN void sync(const Group &group) {
    group.sync();
}

template <typename T> struct plus {
    LENS_MEMBER T operator()(T x, T y) const {
        return x + y;
    }
};
template <typename T> struct less {
    LENS_MEMBER T operator()(T x, T y) const {
        return y < x ? y : x;
    }
};
template <typename T> struct greater {
    LENS_MEMBER T operator()(T x, T y) const {
        return x < y ? y : x;
    }
};
template <unsigned N, typename T, typename F>
LENS_BUILTIN T reduce(const thread_block_tile<N> &tile, T x, const F &combine) {
    for (unsigned by = N / 2; by > 0; by /= 2)
        x = combine(x, tile.shfl_xor(x, by));
    return x;
}
} // namespace cooperative_groups

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
