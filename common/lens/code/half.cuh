// CUDA's numbers of 16 bits, __half and __nv_bfloat16, and pairs of them: what
// cuda_fp16.h and cuda_bf16.h declare.  Written from NVIDIA's CUDA Math API.
//
// builtins.cuh includes this.

#pragma once
#pragma clang system_header

typedef _Float16 __half;
typedef __half half;
struct __attribute__((aligned(4))) __half2 {
    __half x, y;
};
typedef __half2 half2;

// The upper half of a float: what it lacks is rounded to the nearest, or to the even one.
struct __nv_bfloat16 {
    unsigned short bits;

    __nv_bfloat16() = default;
    __host__ LENS_MEMBER __nv_bfloat16(float x) {
        const unsigned all = __builtin_bit_cast(unsigned, x);
        bits = x == x ? (unsigned short)((all + 0x7fff + (all >> 16 & 1)) >> 16) : 0x7fff;
    }
#define LENS_FROM(T)                                                                   \
    __host__ LENS_MEMBER __nv_bfloat16(T x) : __nv_bfloat16((float)x) {                \
    }
    LENS_FROM(double)
    LENS_FROM(__half)
    LENS_FROM(short)
    LENS_FROM(unsigned short)
    LENS_FROM(int)
    LENS_FROM(unsigned)
    LENS_FROM(long)
    LENS_FROM(unsigned long)
    LENS_FROM(long long)
    LENS_FROM(unsigned long long)
#undef LENS_FROM
    __host__ LENS_MEMBER operator float() const {
        return __builtin_bit_cast(float, (unsigned)bits << 16);
    }
};
typedef __nv_bfloat16 nv_bfloat16;
struct __attribute__((aligned(4))) __nv_bfloat162 {
    __nv_bfloat16 x, y;
};
typedef __nv_bfloat162 nv_bfloat162;

// ---- Arithmetic ----

#define LENS_OF_BFLOATS(sign)                                                          \
    __host__ LENS_BUILTIN __nv_bfloat16 operator sign(__nv_bfloat16 x,                 \
                                                      __nv_bfloat16 y) {               \
        return (float)x sign(float) y;                                                 \
    }                                                                                  \
    __host__ LENS_BUILTIN __nv_bfloat16 &operator sign##=(__nv_bfloat16 &x,            \
                                                          __nv_bfloat16 y) {           \
        return x = x sign y;                                                           \
    }
LENS_OF_BFLOATS(+)
LENS_OF_BFLOATS(-)
LENS_OF_BFLOATS(*)
LENS_OF_BFLOATS(/)
LENS_BUILTIN __nv_bfloat16 operator-(__nv_bfloat16 x) {
    return -(float)x;
}

// The functions and operators that take one T or several, or pairs of them, "two".
#define LENS_CALCULATED(T, two, name, sign)                                            \
    LENS_BUILTIN T __h##name(T x, T y) {                                               \
        return x sign y;                                                               \
    }                                                                                  \
    LENS_BUILTIN T __h##name##_rn(T x, T y) {                                          \
        return x sign y;                                                               \
    }                                                                                  \
    LENS_BUILTIN two operator sign(two x, two y) {                                     \
        return {(T)(x.x sign y.x), (T)(x.y sign y.y)};                                 \
    }                                                                                  \
    LENS_BUILTIN two &operator sign##=(two &x, two y) {                                \
        return x = x sign y;                                                           \
    }                                                                                  \
    LENS_BUILTIN two __h##name##2(two x, two y) {                                      \
        return x sign y;                                                               \
    }                                                                                  \
    LENS_BUILTIN two __h##name##2_rn(two x, two y) {                                   \
        return x sign y;                                                               \
    }
#define LENS_COMPARED(T, two, name, sign)                                              \
    LENS_BUILTIN bool __h##name(T x, T y) {                                            \
        return (float)x sign(float) y;                                                 \
    }                                                                                  \
    LENS_BUILTIN two __h##name##2(two x, two y) {                                      \
        return {(T)(float)__h##name(x.x, y.x), (T)(float)__h##name(x.y, y.y)};         \
    }                                                                                  \
    LENS_BUILTIN bool __hb##name##2(two x, two y) {                                    \
        return __h##name(x.x, y.x) && __h##name(x.y, y.y);                             \
    }
#define LENS_CHANGED(T, two, one, pair, expression)                                    \
    LENS_BUILTIN T one(T h) {                                                          \
        const float x = (float)h;                                                      \
        return (T)(expression);                                                        \
    }                                                                                  \
    LENS_BUILTIN two pair(two h) {                                                     \
        return {one(h.x), one(h.y)};                                                   \
    }
#define LENS_FUNCTION(T, two, name, expression)                                        \
    LENS_CHANGED(T, two, h##name, h2##name, expression)
// A NaN beside a number: the number is the result; with _nan, the NaN.
#define LENS_CHOSEN(T, two, name, choose)                                              \
    LENS_BUILTIN T __h##name(T x, T y) {                                               \
        return (T)choose((float)x, (float)y);                                          \
    }                                                                                  \
    LENS_BUILTIN T __h##name##_nan(T x, T y) {                                         \
        return __hisnan(x) ? x : __hisnan(y) ? y : __h##name(x, y);                    \
    }                                                                                  \
    LENS_BUILTIN two __h##name##2(two x, two y) {                                      \
        return {__h##name(x.x, y.x), __h##name(x.y, y.y)};                             \
    }                                                                                  \
    LENS_BUILTIN two __h##name##2_nan(two x, two y) {                                  \
        return {__h##name##_nan(x.x, y.x), __h##name##_nan(x.y, y.y)};                 \
    }
#define LENS_SMALL(T, two)                                                             \
    LENS_CALCULATED(T, two, add, +)                                                    \
    LENS_CALCULATED(T, two, sub, -)                                                    \
    LENS_CALCULATED(T, two, mul, *)                                                    \
    LENS_CALCULATED(T, two, div, /)                                                    \
    LENS_COMPARED(T, two, eq, ==)                                                      \
    LENS_COMPARED(T, two, ne, !=)                                                      \
    LENS_COMPARED(T, two, lt, <)                                                       \
    LENS_COMPARED(T, two, le, <=)                                                      \
    LENS_COMPARED(T, two, gt, >)                                                       \
    LENS_COMPARED(T, two, ge, >=)                                                      \
    LENS_BUILTIN bool __hisnan(T x) {                                                  \
        return __builtin_isnan((float)x);                                              \
    }                                                                                  \
    LENS_BUILTIN int __hisinf(T x) {                                                   \
        return __builtin_isinf_sign((float)x);                                         \
    }                                                                                  \
    LENS_CHOSEN(T, two, max, __builtin_fmaxf)                                          \
    LENS_CHOSEN(T, two, min, __builtin_fminf)                                          \
    LENS_CHANGED(T, two, __habs, __habs2, __builtin_fabsf(x))                          \
    LENS_CHANGED(T, two, __hneg, __hneg2, -x)                                          \
    LENS_FUNCTION(T, two, sqrt, sqrtf(x))                                              \
    LENS_FUNCTION(T, two, rsqrt, 1.0f / sqrtf(x))                                      \
    LENS_FUNCTION(T, two, rcp, 1.0f / x)                                               \
    LENS_FUNCTION(T, two, exp, expf(x))                                                \
    LENS_FUNCTION(T, two, exp2, exp2f(x))                                              \
    LENS_FUNCTION(T, two, exp10, powf(10.0f, x))                                       \
    LENS_FUNCTION(T, two, log, logf(x))                                                \
    LENS_FUNCTION(T, two, log2, log2f(x))                                              \
    LENS_FUNCTION(T, two, log10, log10f(x))                                            \
    LENS_FUNCTION(T, two, sin, sinf(x))                                                \
    LENS_FUNCTION(T, two, cos, cosf(x))                                                \
    LENS_FUNCTION(T, two, tanh, tanhf(x))                                              \
    LENS_FUNCTION(T, two, floor, __builtin_floorf(x))                                  \
    LENS_FUNCTION(T, two, ceil, __builtin_ceilf(x))                                    \
    LENS_FUNCTION(T, two, trunc, __builtin_truncf(x))                                  \
    LENS_FUNCTION(T, two, rint, __builtin_rintf(x))                                    \
    LENS_BUILTIN T __hfma(T x, T y, T z) {                                             \
        return (T)__builtin_fmaf((float)x, (float)y, (float)z);                        \
    }                                                                                  \
    LENS_BUILTIN two __hfma2(two x, two y, two z) {                                    \
        return {__hfma(x.x, y.x, z.x), __hfma(x.y, y.y, z.y)};                         \
    }                                                                                  \
    LENS_BUILTIN T __hfma_relu(T x, T y, T z) {                                        \
        return __hmax(__hfma(x, y, z), (T)0.0f);                                       \
    }                                                                                  \
    LENS_BUILTIN two operator-(two x) {                                                \
        return {(T)(-x.x), (T)(-x.y)};                                                 \
    }                                                                                  \
    LENS_BUILTIN bool operator==(two x, two y) {                                       \
        return __hbeq2(x, y);                                                          \
    }                                                                                  \
    LENS_BUILTIN bool operator!=(two x, two y) {                                       \
        return __hbne2(x, y);                                                          \
    }                                                                                  \
    LENS_BUILTIN float __low2float(two x) {                                            \
        return (float)x.x;                                                             \
    }                                                                                  \
    LENS_BUILTIN float __high2float(two x) {                                           \
        return (float)x.y;                                                             \
    }
LENS_SMALL(__half, __half2)
LENS_SMALL(__nv_bfloat16, __nv_bfloat162)

// ---- Lanes: 16 bits travel as 32 ----

#define LENS_SENT_SMALL(T, U, name, Lane)                                              \
    LENS_BUILTIN T name(lens_mask mask, T x, Lane lane, int width = LENS_WIDTH) {       \
        const unsigned sent = __builtin_bit_cast(U, x);                                \
        return __builtin_bit_cast(T, (U)name(mask, sent, lane, width));                \
    }
#define LENS_SHUFFLES_SMALL(T, U)                                                      \
    LENS_SENT_SMALL(T, U, __shfl_sync, int)                                            \
    LENS_SENT_SMALL(T, U, __shfl_up_sync, unsigned)                                    \
    LENS_SENT_SMALL(T, U, __shfl_down_sync, unsigned)                                  \
    LENS_SENT_SMALL(T, U, __shfl_xor_sync, int)
LENS_SHUFFLES_SMALL(__half, unsigned short)
LENS_SHUFFLES_SMALL(__half2, unsigned)
LENS_SHUFFLES_SMALL(__nv_bfloat16, unsigned short)
LENS_SHUFFLES_SMALL(__nv_bfloat162, unsigned)

// ---- Conversions ----

#define LENS_AS(name, T, U)                                                            \
    __host__ LENS_BUILTIN T name(U x) {                                                \
        return (T)x;                                                                   \
    }
// "half" in names, of T: from other numbers and to them.
#define LENS_CONVERSIONS(half, T)                                                      \
    LENS_AS(__float2##half, T, float)                                                  \
    LENS_AS(__float2##half##_rn, T, float)                                             \
    LENS_AS(__double2##half, T, double)                                                \
    LENS_AS(__short2##half##_rn, T, short)                                             \
    LENS_AS(__ushort2##half##_rn, T, unsigned short)                                   \
    LENS_AS(__int2##half##_rn, T, int)                                                 \
    LENS_AS(__uint2##half##_rn, T, unsigned)                                           \
    LENS_AS(__ll2##half##_rn, T, long long)                                            \
    LENS_AS(__ull2##half##_rn, T, unsigned long long)                                  \
    LENS_AS(__##half##2float, float, T)                                                \
    LENS_ROUNDED(__##half##2int_rn, int, T, __builtin_rintf((float)x))                 \
    LENS_ROUNDED(__##half##2int_rz, int, T, (float)x)                                  \
    LENS_ROUNDED(__##half##2int_rd, int, T, __builtin_floorf((float)x))                \
    LENS_ROUNDED(__##half##2int_ru, int, T, __builtin_ceilf((float)x))                 \
    LENS_ROUNDED(__##half##2uint_rn, unsigned, T, __builtin_rintf((float)x))           \
    LENS_ROUNDED(__##half##2uint_rz, unsigned, T, (float)x)                            \
    LENS_ROUNDED(__##half##2short_rn, short, T, __builtin_rintf((float)x))             \
    LENS_ROUNDED(__##half##2short_rz, short, T, (float)x)                              \
    LENS_ROUNDED(__##half##2ushort_rn, unsigned short, T, __builtin_rintf((float)x))   \
    LENS_ROUNDED(__##half##2ushort_rz, unsigned short, T, (float)x)                    \
    LENS_BITS(__##half##_as_ushort, unsigned short, T)                                 \
    LENS_BITS(__##half##_as_short, short, T)                                           \
    LENS_BITS(__ushort_as_##half, T, unsigned short)                                   \
    LENS_BITS(__short_as_##half, T, short)
LENS_CONVERSIONS(half, __half)
LENS_CONVERSIONS(bfloat16, __nv_bfloat16)

// "half2" and "half" in names, of pairs and of what they are of.
#define LENS_PAIRED(half2, half, two, T)                                               \
    __host__ LENS_BUILTIN two make_##half2(T x, T y) {                                 \
        return {x, y};                                                                 \
    }                                                                                  \
    LENS_BUILTIN two __halves2##half2(T x, T y) {                                      \
        return {x, y};                                                                 \
    }                                                                                  \
    LENS_BUILTIN two __##half##2##half2(T x) {                                         \
        return {x, x};                                                                 \
    }                                                                                  \
    LENS_BUILTIN two __float2##half2##_rn(float x) {                                   \
        return {(T)x, (T)x};                                                           \
    }                                                                                  \
    LENS_BUILTIN two __floats2##half2##_rn(float x, float y) {                         \
        return {(T)x, (T)y};                                                           \
    }                                                                                  \
    LENS_BUILTIN two __float22##half2##_rn(float2 x) {                                 \
        return {(T)x.x, (T)x.y};                                                       \
    }                                                                                  \
    LENS_BUILTIN float2 __##half2##2float2(two x) {                                    \
        return {(float)x.x, (float)x.y};                                               \
    }                                                                                  \
    LENS_BUILTIN T __low2##half(two x) {                                               \
        return x.x;                                                                    \
    }                                                                                  \
    LENS_BUILTIN T __high2##half(two x) {                                              \
        return x.y;                                                                    \
    }                                                                                  \
    LENS_BUILTIN two __low2##half2(two x) {                                            \
        return {x.x, x.x};                                                             \
    }                                                                                  \
    LENS_BUILTIN two __high2##half2(two x) {                                           \
        return {x.y, x.y};                                                             \
    }                                                                                  \
    LENS_BUILTIN two __lows2##half2(two x, two y) {                                    \
        return {x.x, y.x};                                                             \
    }                                                                                  \
    LENS_BUILTIN two __highs2##half2(two x, two y) {                                   \
        return {x.y, y.y};                                                             \
    }                                                                                  \
    LENS_BUILTIN two __lowhigh2highlow(two x) {                                        \
        return {x.y, x.x};                                                             \
    }
LENS_PAIRED(half2, half, __half2, __half)
LENS_PAIRED(bfloat162, bfloat16, __nv_bfloat162, __nv_bfloat16)
