// OpenCL C's built-in functions, for the processor that replays a kernel. clang knows
// their declarations; these are definitions, so that the lens can watch what they do:
//
// - One that knows the work-item, or waits for others, calls lens_something().
// - One that touches memory is one load or store of the whole vector, as on a GPU.
// - One that only computes has no branches; C's library does the mathematics.
//
// All are inlined without debug information of their own: what they do counts for the
// kernel's line. A function here costs the compiler 20 to 60 microseconds, used or not,
// and there would be 6000. So most built-ins are macros around a few functions: one,
// lens_each, applies sin or any other to each element of a vector.

#pragma clang system_header
#pragma clang diagnostic ignored "-Wpsabi" // about calls, and all are inlined
#pragma OPENCL EXTENSION __cl_clang_function_pointers : enable
#pragma OPENCL EXTENSION cl_khr_fp16 : enable

#define BUILTIN static __attribute__((overloadable, always_inline, nodebug))
#define PURE __attribute__((const))
#define CONVERGENT __attribute__((convergent, noduplicate))

#include "operations.h"

// ---- Families of types ----

// DEFINE(T, U, S) for T and its vectors, U of the same size, and S, the scalar.
#define FOR_VECTORS_OF(T, U, DEFINE)                                                   \
    DEFINE(T##2, U##2, T)                                                              \
    DEFINE(T##3, U##3, T)                                                              \
    DEFINE(T##4, U##4, T)                                                              \
    DEFINE(T##8, U##8, T)                                                              \
    DEFINE(T##16, U##16, T)
#define FOR_SIZES_OF(T, U, DEFINE)                                                     \
    DEFINE(T, U, T)                                                                    \
    FOR_VECTORS_OF(T, U, DEFINE)
#define ALONE(T, U, DEFINE) DEFINE(T, U, T)
#define FOR_SIGNED(FOR, DEFINE)                                                        \
    FOR(char, uchar, DEFINE)                                                           \
    FOR(short, ushort, DEFINE)                                                         \
    FOR(int, uint, DEFINE)                                                             \
    FOR(long, ulong, DEFINE)
#define FOR_UNSIGNED(FOR, DEFINE)                                                      \
    FOR(uchar, uchar, DEFINE)                                                          \
    FOR(ushort, ushort, DEFINE)                                                        \
    FOR(uint, uint, DEFINE)                                                            \
    FOR(ulong, ulong, DEFINE)
#define FOR_INTEGERS(FOR, DEFINE)                                                      \
    FOR_SIGNED(FOR, DEFINE)                                                            \
    FOR_UNSIGNED(FOR, DEFINE)
#define FOR_FLOATS(FOR, DEFINE)                                                        \
    FOR(half, short, DEFINE)                                                           \
    FOR(float, int, DEFINE)                                                            \
    FOR(double, long, DEFINE)

// ---- Calls: clang's own declarations say which are legal, and of which type ----

// (f) is no call of the macro f, but of what clang declares, with all its overloads. It
// is not evaluated: only its type counts, lens_t, or that clang calls it ambiguous. The
// result is made of the arguments lens_x, lens_y and lens_z.
#define LENS_CALL_1(f, x, result)                                                      \
    ({                                                                                 \
        __auto_type lens_x = (x);                                                      \
        typedef __typeof__((f)(lens_x)) lens_t;                                        \
        result;                                                                        \
    })
#define LENS_CALL_2(f, x, y, result)                                                   \
    ({                                                                                 \
        __auto_type lens_x = (x);                                                      \
        __auto_type lens_y = (y);                                                      \
        typedef __typeof__((f)(lens_x, lens_y)) lens_t;                                \
        result;                                                                        \
    })
#define LENS_CALL_3(f, x, y, z, result)                                                \
    ({                                                                                 \
        __auto_type lens_x = (x);                                                      \
        __auto_type lens_y = (y);                                                      \
        __auto_type lens_z = (z);                                                      \
        typedef __typeof__((f)(lens_x, lens_y, lens_z)) lens_t;                        \
        result;                                                                        \
    })
#define LENS_X ((lens_t)lens_x)
#define LENS_Y ((lens_t)lens_y)
#define LENS_Z ((lens_t)lens_z)

// A scalar beside a vector is one of its type.
#define LENS_VECTOR_OF(x, y) __typeof__(__builtin_choose_expr(vec_step(x) == 1, y, x))

// ---- Limits ----

#define LENS_LIMITED(x, least, most)                                                   \
    __builtin_elementwise_min(__builtin_elementwise_max(x, least), most)
// Where a scalar is declared, true is 1; (char4)true is -1.
#define LENS_NUMBER(y) ((lens_t)(+(y)))
#define LENS_NUMBERS(y, other)                                                         \
    ((lens_t)__builtin_choose_expr(vec_step(y) * vec_step(other) == 1, +(y), y))
#define min(x, y)                                                                      \
    LENS_CALL_2(min, x, y, __builtin_elementwise_min(LENS_X, LENS_NUMBER(lens_y)))
#define max(x, y)                                                                      \
    LENS_CALL_2(max, x, y, __builtin_elementwise_max(LENS_X, LENS_NUMBER(lens_y)))
#define clamp(x, least, most)                                                          \
    LENS_CALL_3(clamp, x, least, most,                                                 \
                LENS_LIMITED(LENS_X, LENS_NUMBERS(lens_y, lens_z),                     \
                             LENS_NUMBERS(lens_z, lens_y)))

// ---- Work-items ----

#define ASKS_LENS(name)                                                                \
    PURE size_t lens_##name(uint dimension);                                           \
    BUILTIN size_t get_##name(uint dimension) { return lens_##name(dimension); }

ASKS_LENS(global_id) ASKS_LENS(local_id) ASKS_LENS(group_id) ASKS_LENS(global_size)
ASKS_LENS(local_size) ASKS_LENS(enqueued_local_size) ASKS_LENS(num_groups)
ASKS_LENS(global_offset)

PURE uint lens_work_dim(void);
BUILTIN uint get_work_dim(void) { return lens_work_dim(); }

BUILTIN size_t lens_global_linear_id(void) {
    size_t x = get_global_id(0) - get_global_offset(0);
    size_t y = get_global_id(1) - get_global_offset(1);
    size_t z = get_global_id(2) - get_global_offset(2);
    return (z * get_global_size(1) + y) * get_global_size(0) + x;
}
BUILTIN size_t lens_local_linear_id(void) {
    size_t row = get_local_id(2) * get_local_size(1) + get_local_id(1);
    return row * get_local_size(0) + get_local_id(0);
}
#if __OPENCL_C_VERSION__ >= 200 // before, a kernel may have its own
#define get_global_linear_id lens_global_linear_id
#define get_local_linear_id lens_local_linear_id
#endif

CONVERGENT void lens_barrier(uint flags);
BUILTIN void barrier(uint flags) { lens_barrier(flags); }
BUILTIN void work_group_barrier(uint flags) { lens_barrier(flags); }
#if __OPENCL_C_VERSION__ >= 200
BUILTIN void work_group_barrier(uint flags, memory_scope scope) { lens_barrier(flags); }
#endif

void lens_fence(uint flags);
BUILTIN void mem_fence(uint flags) { lens_fence(flags); }
BUILTIN void read_mem_fence(uint flags) { lens_fence(flags); }
BUILTIN void write_mem_fence(uint flags) { lens_fence(flags); }

// ---- Sub-groups: a value travels as bits ----

// What kernels ask for; in OpenCL C 1.2 clang does not define them.
#define cl_khr_subgroups 1
#define cl_khr_subgroup_shuffle 1
#define cl_khr_subgroup_non_uniform_arithmetic 1

#define ASKS_LENS_ALONE(name)                                                          \
    PURE uint lens_##name(void);                                                       \
    BUILTIN uint get_##name(void) { return lens_##name(); }

ASKS_LENS_ALONE(sub_group_size) ASKS_LENS_ALONE(max_sub_group_size)
ASKS_LENS_ALONE(num_sub_groups) ASKS_LENS_ALONE(sub_group_id)
ASKS_LENS_ALONE(sub_group_local_id)

CONVERGENT void lens_sub_group_barrier(uint flags);
BUILTIN void sub_group_barrier(uint flags) { lens_sub_group_barrier(flags); }
#if __OPENCL_C_VERSION__ >= 200
BUILTIN void sub_group_barrier(uint flags, memory_scope scope) {
    lens_sub_group_barrier(flags);
}
#endif

// Two of them, since to make one value of the other is an instruction that counts.
CONVERGENT uint lens_sub_group_32(uint what, uint type, uint bits, uint lane);
CONVERGENT ulong lens_sub_group_64(uint what, uint type, ulong bits, uint lane);

#define ACROSS_LANES(T, U, type, bits)                                                 \
    BUILTIN T lens_lanes(uint what, T x, uint lane) {                                  \
        return as_##T(lens_sub_group_##bits(what, type, as_##U(x), lane));             \
    }
ACROSS_LANES(int, uint, LENS_INT, 32)
ACROSS_LANES(uint, uint, LENS_UINT, 32)
ACROSS_LANES(long, ulong, LENS_LONG, 64)
ACROSS_LANES(ulong, ulong, LENS_ULONG, 64)
ACROSS_LANES(float, uint, LENS_FLOAT, 32)
ACROSS_LANES(double, ulong, LENS_DOUBLE, 64)

#define sub_group_any(x) lens_lanes(LENS_ANY, (int)(x), 0)
#define sub_group_all(x) lens_lanes(LENS_ALL, (int)(x), 0)
#define sub_group_broadcast(x, lane) lens_lanes(LENS_BROADCAST, x, lane)
#define sub_group_shuffle(x, lane) lens_lanes(LENS_SHUFFLE, x, lane)
#define sub_group_shuffle_xor(x, mask) lens_lanes(LENS_SHUFFLE_XOR, x, mask)
#define intel_sub_group_shuffle(x, lane) lens_lanes(LENS_SHUFFLE, x, lane)
#define intel_sub_group_shuffle_xor(x, mask) lens_lanes(LENS_SHUFFLE_XOR, x, mask)
#define sub_group_reduce_add(x) lens_lanes(LENS_REDUCE_ADD, x, 0)
#define sub_group_reduce_min(x) lens_lanes(LENS_REDUCE_MIN, x, 0)
#define sub_group_reduce_max(x) lens_lanes(LENS_REDUCE_MAX, x, 0)
#define sub_group_non_uniform_reduce_add(x) lens_lanes(LENS_REDUCE_ADD, x, 0)
#define sub_group_non_uniform_reduce_min(x) lens_lanes(LENS_REDUCE_MIN, x, 0)
#define sub_group_non_uniform_reduce_max(x) lens_lanes(LENS_REDUCE_MAX, x, 0)
#define sub_group_non_uniform_reduce_mul(x) lens_lanes(LENS_REDUCE_MUL, x, 0)
#define sub_group_non_uniform_reduce_and(x) lens_lanes(LENS_REDUCE_AND, x, 0)
#define sub_group_non_uniform_reduce_or(x) lens_lanes(LENS_REDUCE_OR, x, 0)
#define sub_group_non_uniform_reduce_xor(x) lens_lanes(LENS_REDUCE_XOR, x, 0)
#define sub_group_scan_inclusive_add(x) lens_lanes(LENS_INCLUSIVE_ADD, x, 0)
#define sub_group_scan_inclusive_min(x) lens_lanes(LENS_INCLUSIVE_MIN, x, 0)
#define sub_group_scan_inclusive_max(x) lens_lanes(LENS_INCLUSIVE_MAX, x, 0)
#define sub_group_scan_exclusive_add(x) lens_lanes(LENS_EXCLUSIVE_ADD, x, 0)
#define sub_group_scan_exclusive_min(x) lens_lanes(LENS_EXCLUSIVE_MIN, x, 0)
#define sub_group_scan_exclusive_max(x) lens_lanes(LENS_EXCLUSIVE_MAX, x, 0)

// ---- Atomics: all return what was there before ----

uint lens_atomic(size_t address, uint operation, uint value, uint expected);
ulong lens_atomic_long(size_t address, uint operation, ulong value, ulong expected);

#define ATOMIC(T, lens_atomic, MIN, MAX)                                               \
    BUILTIN T lens_change(size_t p, uint operation, T x, T expected) {                 \
        uint other = operation == LENS_MAX ? MAX : operation;                          \
        return lens_atomic(p, operation == LENS_MIN ? MIN : other, x, expected);       \
    }
ATOMIC(int, lens_atomic, LENS_MIN, LENS_MAX)
ATOMIC(uint, lens_atomic, LENS_UMIN, LENS_UMAX)
ATOMIC(long, lens_atomic_long, LENS_MIN, LENS_MAX)
ATOMIC(ulong, lens_atomic_long, LENS_UMIN, LENS_UMAX)
BUILTIN float lens_change(size_t p, uint operation, float x, float expected) {
    return as_float(lens_atomic(p, operation, as_uint(x), 0));
}

// A pointer's address space does not matter here, only what it points to.
#define LENS_CHANGE(operation, x, expected)                                            \
    lens_change((size_t)lens_x, operation, (lens_t)(x), (lens_t)(expected))
#define LENS_ATOMIC_1(f, p, operation) LENS_CALL_1(f, p, LENS_CHANGE(operation, 1, 0))
#define LENS_ATOMIC_2(f, p, x, operation)                                              \
    LENS_CALL_2(f, p, x, LENS_CHANGE(operation, lens_y, 0))
#define LENS_ATOMIC_3(f, p, expected, x)                                               \
    LENS_CALL_3(f, p, expected, x,                                                     \
                LENS_CHANGE(LENS_COMPARE_EXCHANGE, lens_z, lens_y))

#define atomic_add(p, x) LENS_ATOMIC_2(atomic_add, p, x, LENS_ADD)
#define atomic_sub(p, x) LENS_ATOMIC_2(atomic_sub, p, x, LENS_SUB)
#define atomic_inc(p) LENS_ATOMIC_1(atomic_inc, p, LENS_ADD)
#define atomic_dec(p) LENS_ATOMIC_1(atomic_dec, p, LENS_SUB)
#define atomic_min(p, x) LENS_ATOMIC_2(atomic_min, p, x, LENS_MIN)
#define atomic_max(p, x) LENS_ATOMIC_2(atomic_max, p, x, LENS_MAX)
#define atomic_and(p, x) LENS_ATOMIC_2(atomic_and, p, x, LENS_AND)
#define atomic_or(p, x) LENS_ATOMIC_2(atomic_or, p, x, LENS_OR)
#define atomic_xor(p, x) LENS_ATOMIC_2(atomic_xor, p, x, LENS_XOR)
#define atomic_xchg(p, x) LENS_ATOMIC_2(atomic_xchg, p, x, LENS_EXCHANGE)
#define atomic_cmpxchg(p, expected, x) LENS_ATOMIC_3(atomic_cmpxchg, p, expected, x)
#define atom_add(p, x) LENS_ATOMIC_2(atom_add, p, x, LENS_ADD)
#define atom_sub(p, x) LENS_ATOMIC_2(atom_sub, p, x, LENS_SUB)
#define atom_inc(p) LENS_ATOMIC_1(atom_inc, p, LENS_ADD)
#define atom_dec(p) LENS_ATOMIC_1(atom_dec, p, LENS_SUB)
#define atom_min(p, x) LENS_ATOMIC_2(atom_min, p, x, LENS_MIN)
#define atom_max(p, x) LENS_ATOMIC_2(atom_max, p, x, LENS_MAX)
#define atom_and(p, x) LENS_ATOMIC_2(atom_and, p, x, LENS_AND)
#define atom_or(p, x) LENS_ATOMIC_2(atom_or, p, x, LENS_OR)
#define atom_xor(p, x) LENS_ATOMIC_2(atom_xor, p, x, LENS_XOR)
#define atom_xchg(p, x) LENS_ATOMIC_2(atom_xchg, p, x, LENS_EXCHANGE)
#define atom_cmpxchg(p, expected, x) LENS_ATOMIC_3(atom_cmpxchg, p, expected, x)

// ---- Vectors in memory: one access, aligned as an element is; for three, three ----

#define LENS_IN_MEMORY(n, p, action)                                                   \
    ({                                                                                 \
        typedef __typeof__(({ __auto_type lens_value = *(p); lens_value; })) lens_one; \
        typedef lens_one lens_many __attribute__((ext_vector_type(n)));                \
        typedef lens_many lens_packed __attribute__((aligned(sizeof(lens_one))));      \
        action;                                                                        \
    })
#define LENS_AT(i, n, p) ((lens_one *)(size_t)(p) + n * (size_t)(i))
#define LENS_VLOAD(n, i, p)                                                            \
    LENS_CALL_2(vload##n, i, p,                                                        \
                LENS_IN_MEMORY(n, lens_y,                                              \
                               (lens_many)*(lens_packed *)LENS_AT(lens_x, n, lens_y)))
// Where p points to other numbers of the same size, x is stored as it is.
#define LENS_VSTORE(n, x, i, p)                                                        \
    LENS_CALL_3(vstore##n, x, i, p,                                                    \
                LENS_IN_MEMORY(n, lens_z,                                              \
                               typedef LENS_VECTOR_OF(lens_x, (lens_many)0) lens_kept; \
                               typedef lens_kept lens_stored                           \
                               __attribute__((aligned(sizeof(lens_one))));             \
                               *(lens_stored *)LENS_AT(lens_y, n, lens_z) =            \
                                   (lens_kept)lens_x))

#define vload2(i, p) LENS_VLOAD(2, i, p)
#define vload4(i, p) LENS_VLOAD(4, i, p)
#define vload8(i, p) LENS_VLOAD(8, i, p)
#define vload16(i, p) LENS_VLOAD(16, i, p)
#define vload3(i, p)                                                                   \
    LENS_CALL_2(vload3, i, p,                                                          \
                LENS_IN_MEMORY(3, lens_y,                                              \
                               lens_one *lens_p = LENS_AT(lens_x, 3, lens_y);          \
                               (lens_many)(lens_p[0], lens_p[1], lens_p[2])))
#define vstore2(x, i, p) LENS_VSTORE(2, x, i, p)
#define vstore4(x, i, p) LENS_VSTORE(4, x, i, p)
#define vstore8(x, i, p) LENS_VSTORE(8, x, i, p)
#define vstore16(x, i, p) LENS_VSTORE(16, x, i, p)
#define vstore3(x, i, p)                                                               \
    LENS_CALL_3(vstore3, x, i, p,                                                      \
                LENS_IN_MEMORY(3, lens_z,                                              \
                               lens_one *lens_p = LENS_AT(lens_y, 3, lens_z);          \
                               LENS_VECTOR_OF(lens_x, (lens_many)0) lens_kept =        \
                                   (__typeof__(lens_kept))lens_x;                      \
                               lens_p[0] = lens_kept.s0; lens_p[1] = lens_kept.s1;     \
                               lens_p[2] = lens_kept.s2))

#define prefetch(p, count) LENS_CALL_2(prefetch, p, count, (void)0)

// A copy by the whole group: each work-item copies its share, then all wait.  Where
// mistakes are looked for, the first one copies all, and async.c watches over it.
BUILTIN size_t lens_step(const global void *p, size_t step) { return step; }
BUILTIN size_t lens_step(const local void *p, size_t step) { return 1; }
#ifdef LENS_RACES
CONVERGENT event_t lens_async_copy(size_t to, size_t from, size_t count, size_t bytes,
                                   size_t to_step, size_t from_step, event_t event);
CONVERGENT void lens_wait(size_t count, size_t events);
#define async_work_group_strided_copy(to, from, count, step, event)                    \
    ({                                                                                 \
        __auto_type lens_to = (to);                                                    \
        __auto_type lens_from = (from);                                                \
        size_t lens_one_step = (step);                                                 \
        lens_async_copy((size_t)lens_to, (size_t)lens_from, (count), sizeof *lens_to,  \
                        lens_step(lens_to, lens_one_step),                             \
                        lens_step(lens_from, lens_one_step), (event));                 \
    })
#else
#define async_work_group_strided_copy(to, from, count, step, event)                    \
    ({                                                                                 \
        __auto_type lens_to = (to);                                                    \
        __auto_type lens_from = (from);                                                \
        size_t lens_count = (count), lens_one_step = (step);                           \
        size_t lens_to_step = lens_step(lens_to, lens_one_step);                       \
        size_t lens_from_step = lens_step(lens_from, lens_one_step);                   \
        size_t lens_items = get_local_size(0) * get_local_size(1) * get_local_size(2); \
        size_t lens_i = lens_local_linear_id();                                        \
        for (; lens_i < lens_count; lens_i += lens_items)                              \
            lens_to[lens_i * lens_to_step] = lens_from[lens_i * lens_from_step];       \
        (event_t)0;                                                                    \
    })
#endif
#define async_work_group_copy(to, from, count, event)                                  \
    async_work_group_strided_copy(to, from, count, 1, event)
BUILTIN void wait_group_events(int count, event_t *events) {
#ifdef LENS_RACES
    lens_wait(count, (size_t)events);
#else
    lens_barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
#endif
}

// ---- Conversions ----

// Whole numbers of 128 bits: no sum, product or limit of the others overflows in them.
typedef __int128 lens_wide;
#define WIDE_VECTOR(n)                                                                 \
    typedef lens_wide lens_wide##n __attribute__((ext_vector_type(n)));
WIDE_VECTOR(2) WIDE_VECTOR(3) WIDE_VECTOR(4) WIDE_VECTOR(8) WIDE_VECTOR(16)

#define WIDEN_ONE(T)                                                                   \
    BUILTIN lens_wide lens_widen(T x) { return x; }
#define WIDEN_VECTOR(T, wide, S)                                                       \
    BUILTIN wide lens_widen(T x) { return __builtin_convertvector(x, wide); }
#define WIDEN_INTEGER(T, wide, DEFINE)                                                 \
    WIDEN_ONE(T)                                                                       \
    FOR_VECTORS_OF(T, lens_wide, WIDEN_VECTOR)
FOR_INTEGERS(WIDEN_INTEGER, unused)

// A real number's whole part, the nearest that some integer has; 0 for not-a-number.
BUILTIN lens_wide lens_widen(double x) {
    ulong above = LENS_LIMITED(x, 0.0, 0x1.fffffffffffffp63);
    long below = LENS_LIMITED(x, -0x1p63, 0.0);
    return (lens_wide)above + below + (x >= 0x1p64) * 2047;
}
BUILTIN lens_wide lens_widen(float x) { return lens_widen((double)x); }
BUILTIN lens_wide lens_widen(half x) { return lens_widen((double)x); }
#define WIDEN_BY_HALVES(T, a, b)                                                       \
    BUILTIN lens_wide##T lens_widen(half##T x) {                                       \
        return (lens_wide##T)(lens_widen(x.a), lens_widen(x.b));                       \
    }                                                                                  \
    BUILTIN lens_wide##T lens_widen(float##T x) {                                      \
        return (lens_wide##T)(lens_widen(x.a), lens_widen(x.b));                       \
    }                                                                                  \
    BUILTIN lens_wide##T lens_widen(double##T x) {                                     \
        return (lens_wide##T)(lens_widen(x.a), lens_widen(x.b));                       \
    }
WIDEN_BY_HALVES(2, x, y)
WIDEN_BY_HALVES(3, xy, z)
WIDEN_BY_HALVES(4, lo, hi)
WIDEN_BY_HALVES(8, lo, hi)
WIDEN_BY_HALVES(16, lo, hi)

#define LENS_LOWEST(T) ((T)-1 > 0 ? 0 : -((lens_wide)1 << (8 * sizeof(T) - 1)))
#define LENS_HIGHEST(T) (((lens_wide)1 << (8 * sizeof(T) - ((T)-1 < 0))) - 1)
#define LENS_LIMIT(x, T)                                                               \
    ((T)LENS_LIMITED(lens_widen(x), (lens_wide)LENS_LOWEST(T), LENS_HIGHEST(T)))
#define LENS_TO(x, T) __builtin_convertvector(x, T)
#define LENS_LIMITS(x, T, n)                                                           \
    LENS_TO(LENS_LIMITED(lens_widen(x), (lens_wide##n)LENS_LOWEST(T),                  \
                         (lens_wide##n)LENS_HIGHEST(T)), T##n)

#define convert_char(x) ((char)(x))
#define convert_char2(x) LENS_TO(x, char2)
#define convert_char3(x) LENS_TO(x, char3)
#define convert_char4(x) LENS_TO(x, char4)
#define convert_char8(x) LENS_TO(x, char8)
#define convert_char16(x) LENS_TO(x, char16)
#define convert_uchar(x) ((uchar)(x))
#define convert_uchar2(x) LENS_TO(x, uchar2)
#define convert_uchar3(x) LENS_TO(x, uchar3)
#define convert_uchar4(x) LENS_TO(x, uchar4)
#define convert_uchar8(x) LENS_TO(x, uchar8)
#define convert_uchar16(x) LENS_TO(x, uchar16)
#define convert_short(x) ((short)(x))
#define convert_short2(x) LENS_TO(x, short2)
#define convert_short3(x) LENS_TO(x, short3)
#define convert_short4(x) LENS_TO(x, short4)
#define convert_short8(x) LENS_TO(x, short8)
#define convert_short16(x) LENS_TO(x, short16)
#define convert_ushort(x) ((ushort)(x))
#define convert_ushort2(x) LENS_TO(x, ushort2)
#define convert_ushort3(x) LENS_TO(x, ushort3)
#define convert_ushort4(x) LENS_TO(x, ushort4)
#define convert_ushort8(x) LENS_TO(x, ushort8)
#define convert_ushort16(x) LENS_TO(x, ushort16)
#define convert_int(x) ((int)(x))
#define convert_int2(x) LENS_TO(x, int2)
#define convert_int3(x) LENS_TO(x, int3)
#define convert_int4(x) LENS_TO(x, int4)
#define convert_int8(x) LENS_TO(x, int8)
#define convert_int16(x) LENS_TO(x, int16)
#define convert_uint(x) ((uint)(x))
#define convert_uint2(x) LENS_TO(x, uint2)
#define convert_uint3(x) LENS_TO(x, uint3)
#define convert_uint4(x) LENS_TO(x, uint4)
#define convert_uint8(x) LENS_TO(x, uint8)
#define convert_uint16(x) LENS_TO(x, uint16)
#define convert_long(x) ((long)(x))
#define convert_long2(x) LENS_TO(x, long2)
#define convert_long3(x) LENS_TO(x, long3)
#define convert_long4(x) LENS_TO(x, long4)
#define convert_long8(x) LENS_TO(x, long8)
#define convert_long16(x) LENS_TO(x, long16)
#define convert_ulong(x) ((ulong)(x))
#define convert_ulong2(x) LENS_TO(x, ulong2)
#define convert_ulong3(x) LENS_TO(x, ulong3)
#define convert_ulong4(x) LENS_TO(x, ulong4)
#define convert_ulong8(x) LENS_TO(x, ulong8)
#define convert_ulong16(x) LENS_TO(x, ulong16)
#define convert_float(x) ((float)(x))
#define convert_float2(x) LENS_TO(x, float2)
#define convert_float3(x) LENS_TO(x, float3)
#define convert_float4(x) LENS_TO(x, float4)
#define convert_float8(x) LENS_TO(x, float8)
#define convert_float16(x) LENS_TO(x, float16)
#define convert_double(x) ((double)(x))
#define convert_double2(x) LENS_TO(x, double2)
#define convert_double3(x) LENS_TO(x, double3)
#define convert_double4(x) LENS_TO(x, double4)
#define convert_double8(x) LENS_TO(x, double8)
#define convert_double16(x) LENS_TO(x, double16)
#define convert_char_sat(x) LENS_LIMIT(x, char)
#define convert_char2_sat(x) LENS_LIMITS(x, char, 2)
#define convert_char3_sat(x) LENS_LIMITS(x, char, 3)
#define convert_char4_sat(x) LENS_LIMITS(x, char, 4)
#define convert_char8_sat(x) LENS_LIMITS(x, char, 8)
#define convert_char16_sat(x) LENS_LIMITS(x, char, 16)
#define convert_uchar_sat(x) LENS_LIMIT(x, uchar)
#define convert_uchar2_sat(x) LENS_LIMITS(x, uchar, 2)
#define convert_uchar3_sat(x) LENS_LIMITS(x, uchar, 3)
#define convert_uchar4_sat(x) LENS_LIMITS(x, uchar, 4)
#define convert_uchar8_sat(x) LENS_LIMITS(x, uchar, 8)
#define convert_uchar16_sat(x) LENS_LIMITS(x, uchar, 16)
#define convert_short_sat(x) LENS_LIMIT(x, short)
#define convert_short2_sat(x) LENS_LIMITS(x, short, 2)
#define convert_short3_sat(x) LENS_LIMITS(x, short, 3)
#define convert_short4_sat(x) LENS_LIMITS(x, short, 4)
#define convert_short8_sat(x) LENS_LIMITS(x, short, 8)
#define convert_short16_sat(x) LENS_LIMITS(x, short, 16)
#define convert_ushort_sat(x) LENS_LIMIT(x, ushort)
#define convert_ushort2_sat(x) LENS_LIMITS(x, ushort, 2)
#define convert_ushort3_sat(x) LENS_LIMITS(x, ushort, 3)
#define convert_ushort4_sat(x) LENS_LIMITS(x, ushort, 4)
#define convert_ushort8_sat(x) LENS_LIMITS(x, ushort, 8)
#define convert_ushort16_sat(x) LENS_LIMITS(x, ushort, 16)
#define convert_int_sat(x) LENS_LIMIT(x, int)
#define convert_int2_sat(x) LENS_LIMITS(x, int, 2)
#define convert_int3_sat(x) LENS_LIMITS(x, int, 3)
#define convert_int4_sat(x) LENS_LIMITS(x, int, 4)
#define convert_int8_sat(x) LENS_LIMITS(x, int, 8)
#define convert_int16_sat(x) LENS_LIMITS(x, int, 16)
#define convert_uint_sat(x) LENS_LIMIT(x, uint)
#define convert_uint2_sat(x) LENS_LIMITS(x, uint, 2)
#define convert_uint3_sat(x) LENS_LIMITS(x, uint, 3)
#define convert_uint4_sat(x) LENS_LIMITS(x, uint, 4)
#define convert_uint8_sat(x) LENS_LIMITS(x, uint, 8)
#define convert_uint16_sat(x) LENS_LIMITS(x, uint, 16)
#define convert_long_sat(x) LENS_LIMIT(x, long)
#define convert_long2_sat(x) LENS_LIMITS(x, long, 2)
#define convert_long3_sat(x) LENS_LIMITS(x, long, 3)
#define convert_long4_sat(x) LENS_LIMITS(x, long, 4)
#define convert_long8_sat(x) LENS_LIMITS(x, long, 8)
#define convert_long16_sat(x) LENS_LIMITS(x, long, 16)
#define convert_ulong_sat(x) LENS_LIMIT(x, ulong)
#define convert_ulong2_sat(x) LENS_LIMITS(x, ulong, 2)
#define convert_ulong3_sat(x) LENS_LIMITS(x, ulong, 3)
#define convert_ulong4_sat(x) LENS_LIMITS(x, ulong, 4)
#define convert_ulong8_sat(x) LENS_LIMITS(x, ulong, 8)
#define convert_ulong16_sat(x) LENS_LIMITS(x, ulong, 16)

#define floor(x) LENS_CALL_1(floor, x, __builtin_elementwise_floor(LENS_X))
#define ceil(x) LENS_CALL_1(ceil, x, __builtin_elementwise_ceil(LENS_X))
#define trunc(x) LENS_CALL_1(trunc, x, __builtin_elementwise_trunc(LENS_X))
#define rint(x) LENS_CALL_1(rint, x, __builtin_elementwise_roundeven(LENS_X))
#define fabs(x) LENS_CALL_1(fabs, x, __builtin_elementwise_abs(LENS_X))

#include "conversions.cl"

// ---- Integers: in 128 bits, with the type's size and limits ----

typedef lens_wide lens_arithmetic(lens_wide x, lens_wide y, uint bits,
                                  lens_wide lowest);
typedef lens_wide lens_arithmetic3(lens_wide x, lens_wide y, lens_wide z, uint bits,
                                   lens_wide lowest);

#define WHOLE(T, U, S)                                                                 \
    BUILTIN T lens_whole(lens_arithmetic f, T x) {                                     \
        return f(x, 0, 8 * sizeof(T), LENS_LOWEST(T));                                 \
    }                                                                                  \
    BUILTIN T lens_whole(lens_arithmetic f, T x, T y) {                                \
        return f(x, y, 8 * sizeof(T), LENS_LOWEST(T));                                 \
    }                                                                                  \
    BUILTIN T lens_whole(lens_arithmetic3 f, T x, T y, T z) {                          \
        return f(x, y, z, 8 * sizeof(T), LENS_LOWEST(T));                              \
    }
#define WHOLE_BY_HALVES(T, a, b)                                                       \
    BUILTIN T lens_whole(lens_arithmetic f, T x) {                                     \
        return (T)(lens_whole(f, x.a), lens_whole(f, x.b));                            \
    }                                                                                  \
    BUILTIN T lens_whole(lens_arithmetic f, T x, T y) {                                \
        return (T)(lens_whole(f, x.a, y.a), lens_whole(f, x.b, y.b));                  \
    }                                                                                  \
    BUILTIN T lens_whole(lens_arithmetic3 f, T x, T y, T z) {                          \
        return (T)(lens_whole(f, x.a, y.a, z.a), lens_whole(f, x.b, y.b, z.b));        \
    }
#define WHOLE_VECTORS(T, U, S)                                                         \
    WHOLE(T, U, S)                                                                     \
    WHOLE_BY_HALVES(T##2, x, y)                                                        \
    WHOLE_BY_HALVES(T##3, xy, z)                                                       \
    WHOLE_BY_HALVES(T##4, lo, hi)                                                      \
    WHOLE_BY_HALVES(T##8, lo, hi)                                                      \
    WHOLE_BY_HALVES(T##16, lo, hi)
FOR_INTEGERS(ALONE, WHOLE_VECTORS)

#define ARITHMETIC(name)                                                               \
    BUILTIN lens_wide lens_##name(lens_wide x, lens_wide y, uint bits, lens_wide lowest)
#define BITS_OF(x) ((ulong)(x) & (ULONG_MAX >> (64 - bits)))
#define HIGHEST (lowest + (((lens_wide)1 << bits) - 1))

ARITHMETIC(add_sat) { return LENS_LIMITED(x + y, lowest, HIGHEST); }
ARITHMETIC(sub_sat) { return LENS_LIMITED(x - y, lowest, HIGHEST); }
ARITHMETIC(hadd) { return (x + y) >> 1; }
ARITHMETIC(rhadd) { return (x + y + 1) >> 1; }
ARITHMETIC(mul_hi) { return (unsigned __int128)x * (unsigned __int128)y >> bits; }
ARITHMETIC(rotate) {
    uint left = (uint)y & (bits - 1);
    return BITS_OF(x) << left | BITS_OF(x) >> ((bits - left) & (bits - 1));
}
ARITHMETIC(popcount) { return __builtin_popcountl(BITS_OF(x)); }
ARITHMETIC(clz) {
    ulong none = BITS_OF(x) == 0;
    return __builtin_clzl(BITS_OF(x) | none) + none - (64 - bits);
}
ARITHMETIC(ctz) {
    ulong none = BITS_OF(x) == 0;
    return __builtin_ctzl(BITS_OF(x) | none << (bits - 1)) + none;
}

// A product of two ulongs needs all 128 bits.
BUILTIN lens_wide lens_mad_sat(lens_wide x, lens_wide y, lens_wide z, uint bits,
                               lens_wide lowest) {
    unsigned __int128 sum = (unsigned __int128)x * (unsigned __int128)y + z;
    lens_wide least = __builtin_elementwise_min(sum, (unsigned __int128)HIGHEST);
    return lowest ? LENS_LIMITED((lens_wide)sum, lowest, HIGHEST) : least;
}

#define LENS_WHOLE_1(f, x) LENS_CALL_1(f, x, lens_whole(lens_##f, LENS_X))
#define LENS_WHOLE_2(f, x, y)                                                          \
    LENS_CALL_2(f, x, y, lens_whole(lens_##f, LENS_X, LENS_Y))
#define add_sat(x, y) LENS_WHOLE_2(add_sat, x, y)
#define sub_sat(x, y) LENS_WHOLE_2(sub_sat, x, y)
#define hadd(x, y) LENS_WHOLE_2(hadd, x, y)
#define rhadd(x, y) LENS_WHOLE_2(rhadd, x, y)
#define mul_hi(x, y) LENS_WHOLE_2(mul_hi, x, y)
#define mad_hi(x, y, z)                                                                \
    LENS_CALL_3(mad_hi, x, y, z,                                                       \
                (lens_t)(lens_whole(lens_mul_hi, LENS_X, LENS_Y) + LENS_Z))
#define mad_sat(x, y, z)                                                               \
    LENS_CALL_3(mad_sat, x, y, z, lens_whole(lens_mad_sat, LENS_X, LENS_Y, LENS_Z))
#define rotate(x, left) LENS_WHOLE_2(rotate, x, left)
#define popcount(x) LENS_WHOLE_1(popcount, x)
#define clz(x) LENS_WHOLE_1(clz, x)
#if __OPENCL_C_VERSION__ >= 200 // before, a kernel may have its own
#define ctz(x) LENS_WHOLE_1(ctz, x)
#endif
#define mul24(x, y) LENS_CALL_2(mul24, x, y, LENS_X *LENS_Y)
#define mad24(x, y, z) LENS_CALL_3(mad24, x, y, z, LENS_X *LENS_Y + LENS_Z)

// abs and abs_diff have an unsigned result, and so their own functions.
#define ABSOLUTE(T, U, S)                                                              \
    BUILTIN U abs(T x) {                                                               \
        return __builtin_astype((T)__builtin_elementwise_abs(x), U);                   \
    }
#define ABSOLUTE_ITSELF(T, U, S)                                                       \
    BUILTIN T abs(T x) { return x; }
#define ABSOLUTE_DIFFERENCE(T, U, S)                                                   \
    BUILTIN U abs_diff(T x, T y) {                                                     \
        T most = __builtin_elementwise_max(x, y);                                      \
        T least = __builtin_elementwise_min(x, y);                                     \
        return __builtin_astype(most, U) - __builtin_astype(least, U);                 \
    }
FOR_SIGNED(FOR_SIZES_OF, ABSOLUTE)
FOR_UNSIGNED(FOR_SIZES_OF, ABSOLUTE_ITSELF)
FOR_INTEGERS(FOR_SIZES_OF, ABSOLUTE_DIFFERENCE)

// Two halves become a number of twice the size.
#define UPSAMPLE(T, U, W, S)                                                           \
    BUILTIN W upsample(T high, U low) {                                                \
        return __builtin_convertvector(high, W) << (W)(8 * sizeof(S)) |                \
               __builtin_convertvector(low, W);                                        \
    }
#define UPSAMPLES(T, U, W)                                                             \
    BUILTIN W upsample(T high, U low) { return (W)high << 8 * sizeof(T) | low; }       \
    UPSAMPLE(T##2, U##2, W##2, T)                                                      \
    UPSAMPLE(T##3, U##3, W##3, T)                                                      \
    UPSAMPLE(T##4, U##4, W##4, T)                                                      \
    UPSAMPLE(T##8, U##8, W##8, T)                                                      \
    UPSAMPLE(T##16, U##16, W##16, T)
UPSAMPLES(char, uchar, short)
UPSAMPLES(uchar, uchar, ushort)
UPSAMPLES(short, ushort, int)
UPSAMPLES(ushort, ushort, uint)
UPSAMPLES(int, uint, long)
UPSAMPLES(uint, uint, ulong)

// ---- Elements of vectors, in another order ----

#define LENS_PICK(i, element)                                                          \
    if (i < vec_step(lens_mask))                                                       \
        lens_result[i] = element(lens_mask[i]);
#define LENS_SHUFFLED(x, mask, element)                                                \
    ({                                                                                 \
        __auto_type lens_from = (x);                                                   \
        __auto_type lens_mask = (mask);                                                \
        __auto_type lens_first = lens_from.s0;                                         \
        typedef __typeof__(({ lens_first; })) lens_one;                                \
        typedef lens_one lens_many                                                     \
            __attribute__((ext_vector_type(vec_step(lens_mask))));                     \
        lens_many lens_result;                                                         \
        LENS_PICK(0, element) LENS_PICK(1, element) LENS_PICK(2, element)              \
        LENS_PICK(3, element) LENS_PICK(4, element) LENS_PICK(5, element)              \
        LENS_PICK(6, element) LENS_PICK(7, element) LENS_PICK(8, element)              \
        LENS_PICK(9, element) LENS_PICK(10, element) LENS_PICK(11, element)            \
        LENS_PICK(12, element) LENS_PICK(13, element) LENS_PICK(14, element)           \
        LENS_PICK(15, element)                                                         \
        lens_result;                                                                   \
    })
#define LENS_OF(i, lens_from) lens_from[(i) & (vec_step(lens_from) - 1)]
#define LENS_OF_ONE(i) LENS_OF(i, lens_from)
#define LENS_OF_TWO(i)                                                                 \
    ((i) & vec_step(lens_from) ? LENS_OF(i, lens_other) : LENS_OF(i, lens_from))
#define shuffle(x, mask)                                                               \
    LENS_CALL_2(shuffle, x, mask, LENS_SHUFFLED(lens_x, lens_y, LENS_OF_ONE))
#define LENS_SHUFFLED_2                                                                \
    ({                                                                                 \
        typedef LENS_VECTOR_OF(lens_x, lens_y) lens_both;                              \
        lens_both lens_other = (lens_both)lens_y;                                      \
        LENS_SHUFFLED((lens_both)lens_x, lens_z, LENS_OF_TWO);                         \
    })
#define shuffle2(x, y, mask) LENS_CALL_3(shuffle2, x, y, mask, LENS_SHUFFLED_2)

// ---- Common functions ----

#define BLEND(T, I, S)                                                                 \
    BUILTIN T mix(T x, T y, T part) { return x + (y - x) * part; }                     \
    BUILTIN T step(T edge, T x) { return x < edge ? (T)0 : (T)1; }                     \
    BUILTIN T smoothstep(T from, T to, T x) {                                          \
        T part = LENS_LIMITED((x - from) / (to - from), (T)0, (T)1);                   \
        return part * part * ((S)3 - (S)2 * part);                                     \
    }                                                                                  \
    BUILTIN T sign(T x) {                                                              \
        T one = x > 0 ? (T)1 : x < 0 ? (T)-1 : x;                                      \
        return x == x ? one : (T)0;                                                    \
    }                                                                                  \
    BUILTIN T degrees(T x) { return x * (S)(180 / M_PI); }                             \
    BUILTIN T radians(T x) { return x * (S)(M_PI / 180); }
#define BLEND_BY_SCALAR(T, I, S)                                                       \
    BUILTIN T mix(T x, T y, S part) { return x + (y - x) * part; }                     \
    BUILTIN T step(S edge, T x) { return x < edge ? (T)0 : (T)1; }                     \
    BUILTIN T smoothstep(S from, S to, T x) { return smoothstep((T)from, (T)to, x); }
FOR_FLOATS(FOR_SIZES_OF, BLEND)
FOR_FLOATS(FOR_VECTORS_OF, BLEND_BY_SCALAR)

// ---- Relations: 1 for true of numbers, -1 of a vector's elements ----

#define RELATION(T, R, I, SMALLEST)                                                    \
    BUILTIN R isequal(T x, T y) { return x == y; }                                     \
    BUILTIN R isnotequal(T x, T y) { return x != y; }                                  \
    BUILTIN R isgreater(T x, T y) { return x > y; }                                    \
    BUILTIN R isgreaterequal(T x, T y) { return x >= y; }                              \
    BUILTIN R isless(T x, T y) { return x < y; }                                       \
    BUILTIN R islessequal(T x, T y) { return x <= y; }                                 \
    BUILTIN R islessgreater(T x, T y) { return (x < y) | (x > y); }                    \
    BUILTIN R isordered(T x, T y) { return (x == x) & (y == y); }                      \
    BUILTIN R isunordered(T x, T y) { return (x != x) | (y != y); }                    \
    BUILTIN R isnan(T x) { return x != x; }                                            \
    BUILTIN R isinf(T x) { return fabs(x) == (T)INFINITY; }                            \
    BUILTIN R isfinite(T x) { return fabs(x) < (T)INFINITY; }                          \
    BUILTIN R isnormal(T x) {                                                          \
        return (fabs(x) < (T)INFINITY) & (fabs(x) >= SMALLEST);                        \
    }                                                                                  \
    BUILTIN R signbit(T x) { return __builtin_astype(x, I) < (I)0; }
#define RELATION_OF_HALVES(T, I, S) RELATION(T, I, I, 0x1p-14h)
#define RELATION_OF_FLOATS(T, I, S) RELATION(T, I, I, FLT_MIN)
#define RELATION_OF_DOUBLES(T, I, S) RELATION(T, I, I, DBL_MIN)
RELATION(half, int, short, 0x1p-14h)
RELATION(float, int, int, FLT_MIN)
RELATION(double, int, long, DBL_MIN)
FOR_VECTORS_OF(half, short, RELATION_OF_HALVES)
FOR_VECTORS_OF(float, int, RELATION_OF_FLOATS)
FOR_VECTORS_OF(double, long, RELATION_OF_DOUBLES)

#define ANY_OR_ALL(T, U, S)                                                            \
    BUILTIN int any(T x) { return __builtin_reduce_or(x) < 0; }                        \
    BUILTIN int all(T x) { return __builtin_reduce_and(x) < 0; }
#define ANY_OR_ALL_OF_ONE(T, U, S)                                                     \
    BUILTIN int any(T x) { return x < 0; }                                             \
    BUILTIN int all(T x) { return x < 0; }
FOR_SIGNED(ALONE, ANY_OR_ALL_OF_ONE)
FOR_SIGNED(FOR_VECTORS_OF, ANY_OR_ALL)

// Both values are computed, then one is chosen: in a vector, each by its first bit.
#define SELECT(T, I, U)                                                                \
    BUILTIN T select(T x, T y, I c) { return c ? y : x; }                              \
    BUILTIN T select(T x, T y, U c) { return c ? y : x; }
#define SELECT_ONE(T, T2, I, I2, U)                                                    \
    BUILTIN T select(T x, T y, I c) { return ((I2)-(c != 0) ? (T2)y : (T2)x).x; }      \
    BUILTIN T select(T x, T y, U c) { return ((I2)-(c != 0) ? (T2)y : (T2)x).x; }
#define SELECTS(T, I, U)                                                               \
    SELECT_ONE(T, T##2, I, I##2, U)                                                    \
    SELECT(T##2, I##2, U##2)                                                           \
    SELECT(T##3, I##3, U##3)                                                           \
    SELECT(T##4, I##4, U##4)                                                           \
    SELECT(T##8, I##8, U##8)                                                           \
    SELECT(T##16, I##16, U##16)
SELECTS(char, char, uchar)
SELECTS(uchar, char, uchar)
SELECTS(short, short, ushort)
SELECTS(ushort, short, ushort)
SELECTS(int, int, uint)
SELECTS(uint, int, uint)
SELECTS(long, long, ulong)
SELECTS(ulong, long, ulong)
SELECTS(half, short, ushort)
SELECTS(float, int, uint)
SELECTS(double, long, ulong)

#define BITSELECT(T, U, S)                                                             \
    BUILTIN T bitselect(T x, T y, T mask) { return (x & ~mask) | (y & mask); }
#define BITSELECT_AS(T, I, S)                                                          \
    BUILTIN T bitselect(T x, T y, T mask) {                                            \
        I a = __builtin_astype(x, I), b = __builtin_astype(y, I);                      \
        I chosen = bitselect(a, b, __builtin_astype(mask, I));                         \
        return __builtin_astype(chosen, T);                                            \
    }
FOR_INTEGERS(FOR_SIZES_OF, BITSELECT)
FOR_FLOATS(FOR_SIZES_OF, BITSELECT_AS)

// ---- Mathematics: lens_sinf and lens_sin are sinf and sin of C's library ----

#define OF_ONE(name)                                                                   \
    PURE float lens_##name##f(float) __asm__(#name "f");                               \
    PURE double lens_##name(double) __asm__(#name);
#define OF_TWO(name)                                                                   \
    PURE float lens_##name##f(float, float) __asm__(#name "f");                        \
    PURE double lens_##name(double, double) __asm__(#name);

// As exact as the others, but known by a name of their own: GPUs have a unit for them.
#define OF_NATIVE(name)                                                                \
    PURE float lens_native_##name##f(float) __asm__("lens_native_" #name "f");         \
    PURE double lens_native_##name(double) __asm__("lens_native_" #name);

OF_ONE(sin) OF_ONE(cos) OF_ONE(tan) OF_ONE(asin) OF_ONE(acos) OF_ONE(atan) OF_ONE(sinh)
OF_ONE(cosh) OF_ONE(tanh) OF_ONE(asinh) OF_ONE(acosh) OF_ONE(atanh) OF_ONE(exp)
OF_ONE(exp2) OF_ONE(exp10) OF_ONE(expm1) OF_ONE(log) OF_ONE(log2) OF_ONE(log10)
OF_ONE(log1p) OF_ONE(logb) OF_ONE(sqrt) OF_ONE(cbrt) OF_ONE(erf) OF_ONE(erfc)
OF_ONE(tgamma) OF_ONE(lgamma) OF_ONE(round)
OF_NATIVE(sin) OF_NATIVE(cos) OF_NATIVE(tan)
OF_TWO(pow) OF_TWO(atan2) OF_TWO(fmod) OF_TWO(remainder) OF_TWO(hypot) OF_TWO(fmin)
OF_TWO(fmax) OF_TWO(fdim) OF_TWO(copysign) OF_TWO(nextafter)
PURE float lens_fmaf(float, float, float) __asm__("fmaf");
PURE double lens_fma(double, double, double) __asm__("fma");
PURE float lens_ldexpf(float, int) __asm__("ldexpf");
PURE double lens_ldexp(double, int) __asm__("ldexp");
PURE int lens_ilogbf(float) __asm__("ilogbf");
PURE int lens_ilogb(double) __asm__("ilogb");

// OpenCL has these, but C has not: for T, f is the end of the names of C's functions.
#define HALF_TURNS(x) ((x) - 2 * rint((x) / 2))
#define ONLY_OPENCL(T, I, f, LARGEST_BELOW_ONE)                                        \
    BUILTIN T lens_rsqrt##f(T x) { return 1 / lens_sqrt((double)x); }                  \
    BUILTIN T lens_sinpi##f(T x) { return lens_sin(M_PI * HALF_TURNS((double)x)); }    \
    BUILTIN T lens_cospi##f(T x) { return lens_cos(M_PI * HALF_TURNS((double)x)); }    \
    BUILTIN T lens_tanpi##f(T x) { return lens_tan(M_PI * HALF_TURNS((double)x)); }    \
    BUILTIN T lens_asinpi##f(T x) { return lens_asin((double)x) / M_PI; }              \
    BUILTIN T lens_acospi##f(T x) { return lens_acos((double)x) / M_PI; }              \
    BUILTIN T lens_atanpi##f(T x) { return lens_atan((double)x) / M_PI; }              \
    BUILTIN T lens_atan2pi##f(T y, T x) {                                              \
        return lens_atan2((double)y, (double)x) / M_PI;                                \
    }                                                                                  \
    BUILTIN T lens_pown##f(T x, int n) { return lens_pow((double)x, n); }              \
    BUILTIN T lens_rootn##f(T x, int n) {                                              \
        long odd = n & 1;                                                              \
        double base = select((double)x, fabs((double)x), odd);                         \
        double root = lens_pow(base, 1.0 / n);                                         \
        return select(root, lens_copysign(root, (double)x), odd);                      \
    }                                                                                  \
    BUILTIN T lens_maxmag##f(T x, T y) {                                               \
        T larger = select(max(x, y), y, (I)(fabs(y) > fabs(x)));                       \
        return select(larger, x, (I)(fabs(x) > fabs(y)));                              \
    }                                                                                  \
    BUILTIN T lens_minmag##f(T x, T y) {                                               \
        T smaller = select(min(x, y), y, (I)(fabs(y) < fabs(x)));                      \
        return select(smaller, x, (I)(fabs(x) < fabs(y)));                             \
    }                                                                                  \
    BUILTIN T lens_fract##f(T x) { return min(x - floor(x), LARGEST_BELOW_ONE); }      \
    BUILTIN T lens_modf##f(T x) {                                                      \
        T rest = x - trunc(x);                                                         \
        return lens_copysign##f(fabs(x) == (T)INFINITY ? 0 : rest, x);                 \
    }                                                                                  \
    BUILTIN int lens_exponent##f(T x) {                                                \
        return ((x != 0) & (fabs(x) < (T)INFINITY)) * (lens_ilogb##f(x) + 1);          \
    }                                                                                  \
    BUILTIN int lens_gamma_sign##f(T x) {                                              \
        T below = floor(x);                                                            \
        return (x < 0) & (below != x) & (below != 2 * floor(below / 2)) ? -1 : 1;      \
    }                                                                                  \
    BUILTIN int lens_quotient##f(T x, T y) { /* the last seven bits of it */           \
        T part = lens_fmod##f(fabs(x), 128 * fabs(y));                                 \
        T size = (part - lens_remainder##f(part, fabs(y))) / fabs(y);                  \
        int bits = (int)rint(size == size ? size : 0) & 127;                           \
        return signbit(x) != signbit(y) ? -bits : bits;                                \
    }
ONLY_OPENCL(float, int, f, 0x1.fffffep-1f)
ONLY_OPENCL(double, long, , 0x1.fffffffffffffp-1)

// lens_each(f, d, ...) applies f to each float, or d to each double, of one to three
// operands: lens_each_n if the second is an integer, lens_each_to_n if the result is.
typedef float lens_f1(float), lens_f2(float, float), lens_f3(float, float, float);
typedef double lens_d1(double), lens_d2(double, double);
typedef double lens_d3(double, double, double);
typedef float lens_fn(float, int);
typedef double lens_dn(double, int);
typedef int lens_nf(float), lens_nd(double);
typedef int lens_nf2(float, float), lens_nd2(double, double);

#define EACH(T, f_or_d)                                                                \
    BUILTIN T lens_each(lens_f1 f, lens_d1 d, T x) { return f_or_d(x); }               \
    BUILTIN T lens_each(lens_f2 f, lens_d2 d, T x, T y) { return f_or_d(x, y); }       \
    BUILTIN T lens_each(lens_f3 f, lens_d3 d, T x, T y, T z) {                         \
        return f_or_d(x, y, z);                                                        \
    }                                                                                  \
    BUILTIN T lens_each_n(lens_fn f, lens_dn d, T x, int n) { return f_or_d(x, n); }   \
    BUILTIN int lens_each_to_n(lens_nf f, lens_nd d, T x) { return f_or_d(x); }        \
    BUILTIN int lens_each_to_n(lens_nf2 f, lens_nd2 d, T x, T y) {                     \
        return f_or_d(x, y);                                                           \
    }
#define EACH_BY_HALVES(T, I, a, b)                                                     \
    BUILTIN T lens_each(lens_f1 f, lens_d1 d, T x) {                                   \
        return (T)(lens_each(f, d, x.a), lens_each(f, d, x.b));                        \
    }                                                                                  \
    BUILTIN T lens_each(lens_f2 f, lens_d2 d, T x, T y) {                              \
        return (T)(lens_each(f, d, x.a, y.a), lens_each(f, d, x.b, y.b));              \
    }                                                                                  \
    BUILTIN T lens_each(lens_f3 f, lens_d3 d, T x, T y, T z) {                         \
        return (T)(lens_each(f, d, x.a, y.a, z.a), lens_each(f, d, x.b, y.b, z.b));    \
    }                                                                                  \
    BUILTIN T lens_each_n(lens_fn f, lens_dn d, T x, I n) {                            \
        return (T)(lens_each_n(f, d, x.a, n.a), lens_each_n(f, d, x.b, n.b));          \
    }                                                                                  \
    BUILTIN T lens_each_n(lens_fn f, lens_dn d, T x, int n) {                          \
        return lens_each_n(f, d, x, (I)n);                                             \
    }                                                                                  \
    BUILTIN I lens_each_to_n(lens_nf f, lens_nd d, T x) {                              \
        return (I)(lens_each_to_n(f, d, x.a), lens_each_to_n(f, d, x.b));              \
    }                                                                                  \
    BUILTIN I lens_each_to_n(lens_nf2 f, lens_nd2 d, T x, T y) {                       \
        return (I)(lens_each_to_n(f, d, x.a, y.a), lens_each_to_n(f, d, x.b, y.b));    \
    }
#define EACH_OF(T, f_or_d)                                                             \
    EACH(T, f_or_d)                                                                    \
    EACH_BY_HALVES(T##2, int2, x, y)                                                   \
    EACH_BY_HALVES(T##3, int3, xy, z)                                                  \
    EACH_BY_HALVES(T##4, int4, lo, hi)                                                 \
    EACH_BY_HALVES(T##8, int8, lo, hi)                                                 \
    EACH_BY_HALVES(T##16, int16, lo, hi)
EACH_OF(half, f) // one rounding more: a float has twice as many bits
EACH_OF(float, f)
EACH_OF(double, d)

#define LENS_EACH(name, ...) lens_each(lens_##name##f, lens_##name, __VA_ARGS__)
#define LENS_EACH_1(f, x) LENS_CALL_1(f, x, LENS_EACH(f, LENS_X))
#define LENS_EACH_2(f, x, y) LENS_CALL_2(f, x, y, LENS_EACH(f, LENS_X, LENS_Y))
#define LENS_EACH_3(f, x, y, z)                                                        \
    LENS_CALL_3(f, x, y, z, LENS_EACH(f, LENS_X, LENS_Y, LENS_Z))
#define LENS_EACH_N(name, x, n)                                                        \
    LENS_CALL_2(name, x, n, lens_each_n(lens_##name##f, lens_##name, LENS_X, lens_y))
#define LENS_EACH_TO_N(name, x) lens_each_to_n(lens_##name##f, lens_##name, x)

#define sin(x) LENS_EACH_1(sin, x)
#define cos(x) LENS_EACH_1(cos, x)
#define tan(x) LENS_EACH_1(tan, x)
#define asin(x) LENS_EACH_1(asin, x)
#define acos(x) LENS_EACH_1(acos, x)
#define atan(x) LENS_EACH_1(atan, x)
#define sinh(x) LENS_EACH_1(sinh, x)
#define cosh(x) LENS_EACH_1(cosh, x)
#define tanh(x) LENS_EACH_1(tanh, x)
#define asinh(x) LENS_EACH_1(asinh, x)
#define acosh(x) LENS_EACH_1(acosh, x)
#define atanh(x) LENS_EACH_1(atanh, x)
#define sinpi(x) LENS_EACH_1(sinpi, x)
#define cospi(x) LENS_EACH_1(cospi, x)
#define tanpi(x) LENS_EACH_1(tanpi, x)
#define asinpi(x) LENS_EACH_1(asinpi, x)
#define acospi(x) LENS_EACH_1(acospi, x)
#define atanpi(x) LENS_EACH_1(atanpi, x)
#define exp(x) LENS_EACH_1(exp, x)
#define exp2(x) LENS_EACH_1(exp2, x)
#define exp10(x) LENS_EACH_1(exp10, x)
#define expm1(x) LENS_EACH_1(expm1, x)
#define log(x) LENS_EACH_1(log, x)
#define log2(x) LENS_EACH_1(log2, x)
#define log10(x) LENS_EACH_1(log10, x)
#define log1p(x) LENS_EACH_1(log1p, x)
#define logb(x) LENS_EACH_1(logb, x)
#define sqrt(x) LENS_EACH_1(sqrt, x)
#define rsqrt(x) LENS_EACH_1(rsqrt, x)
#define cbrt(x) LENS_EACH_1(cbrt, x)
#define erf(x) LENS_EACH_1(erf, x)
#define erfc(x) LENS_EACH_1(erfc, x)
#define tgamma(x) LENS_EACH_1(tgamma, x)
#define lgamma(x) LENS_EACH_1(lgamma, x)
#define round(x) LENS_EACH_1(round, x)
#define pow(x, y) LENS_EACH_2(pow, x, y)
#define atan2(x, y) LENS_EACH_2(atan2, x, y)
#define atan2pi(x, y) LENS_EACH_2(atan2pi, x, y)
#define fmod(x, y) LENS_EACH_2(fmod, x, y)
#define remainder(x, y) LENS_EACH_2(remainder, x, y)
#define hypot(x, y) LENS_EACH_2(hypot, x, y)
#define fmin(x, y)                                                                     \
    LENS_CALL_2(fmin, x, y, LENS_EACH(fmin, LENS_X, LENS_NUMBER(lens_y)))
#define fmax(x, y)                                                                     \
    LENS_CALL_2(fmax, x, y, LENS_EACH(fmax, LENS_X, LENS_NUMBER(lens_y)))
#define fdim(x, y) LENS_EACH_2(fdim, x, y)
#define copysign(x, y) LENS_EACH_2(copysign, x, y)
#define nextafter(x, y) LENS_EACH_2(nextafter, x, y)
#define maxmag(x, y) LENS_EACH_2(maxmag, x, y)
#define minmag(x, y) LENS_EACH_2(minmag, x, y)
#define powr(x, y) LENS_CALL_2(powr, x, y, LENS_EACH(pow, LENS_X, LENS_Y))
#define fma(x, y, z) LENS_EACH_3(fma, x, y, z)
#define mad(x, y, z) LENS_CALL_3(mad, x, y, z, LENS_X *LENS_Y + LENS_Z)
#define pown(x, n) LENS_EACH_N(pown, x, n)
#define rootn(x, n) LENS_EACH_N(rootn, x, n)
#define ldexp(x, n) LENS_EACH_N(ldexp, x, n)
#define ilogb(x) LENS_CALL_1(ilogb, x, LENS_EACH_TO_N(ilogb, lens_x))

// Those with a second result, stored where p points.
#define LENS_TWO(f, x, p, second, first)                                               \
    LENS_CALL_2(f, x, p, *lens_y = second; first)
#define sincos(x, p)                                                                   \
    LENS_TWO(sincos, x, p, LENS_EACH(cos, LENS_X), LENS_EACH(sin, LENS_X))
#define fract(x, p)                                                                    \
    LENS_TWO(fract, x, p, __builtin_elementwise_floor(LENS_X), LENS_EACH(fract, LENS_X))
#define modf(x, p)                                                                     \
    LENS_TWO(modf, x, p, __builtin_elementwise_trunc(LENS_X), LENS_EACH(modf, LENS_X))
#define lgamma_r(x, p)                                                                 \
    LENS_TWO(lgamma_r, x, p, LENS_EACH_TO_N(gamma_sign, LENS_X),                       \
             LENS_EACH(lgamma, LENS_X))
#define LENS_QUOTIENT lens_each_to_n(lens_quotientf, lens_quotient, LENS_X, LENS_Y)
#define remquo(x, y, p)                                                                \
    LENS_CALL_3(remquo, x, y, p, *lens_z = LENS_QUOTIENT;                              \
                LENS_EACH(remainder, LENS_X, LENS_Y))
#define LENS_EXPONENT LENS_EACH_TO_N(exponent, LENS_X)
#define frexp(x, p)                                                                    \
    LENS_TWO(frexp, x, p, LENS_EXPONENT,                                               \
             lens_each_n(lens_ldexpf, lens_ldexp, LENS_X, -LENS_EXPONENT))

#define NOT_A_NUMBER(T, U, S)                                                          \
    BUILTIN T nan(U payload) {                                                         \
        U bits = payload | __builtin_astype((T)NAN, U);                                \
        return __builtin_astype(bits, T);                                              \
    }
FOR_SIZES_OF(half, ushort, NOT_A_NUMBER)
FOR_SIZES_OF(float, uint, NOT_A_NUMBER)
FOR_SIZES_OF(double, ulong, NOT_A_NUMBER)

// A device may be quick about these; here they are exact.  Of a large angle a GPU knows
// little: where mistakes are looked for, that is noted (of a vector, for two of them).
#ifdef LENS_RACES
void lens_angle(float angle);
BUILTIN float lens_angles(float x) {
    lens_angle(x);
    return x;
}
#define LENS_ANGLES(T, U, S)                                                           \
    BUILTIN T lens_angles(T x) {                                                       \
        lens_angle(x.s0);                                                              \
        lens_angle(x.s1);                                                              \
        return x;                                                                      \
    }
FOR_VECTORS_OF(float, int, LENS_ANGLES)
#define LENS_ANGLE lens_angles(LENS_X)
#else
#define LENS_ANGLE LENS_X
#endif
#define native_cos(x) LENS_CALL_1(native_cos, x, LENS_EACH(native_cos, LENS_ANGLE))
#define native_exp(x) LENS_CALL_1(native_exp, x, LENS_EACH(exp, LENS_X))
#define native_exp2(x) LENS_CALL_1(native_exp2, x, LENS_EACH(exp2, LENS_X))
#define native_exp10(x) LENS_CALL_1(native_exp10, x, LENS_EACH(exp10, LENS_X))
#define native_log(x) LENS_CALL_1(native_log, x, LENS_EACH(log, LENS_X))
#define native_log2(x) LENS_CALL_1(native_log2, x, LENS_EACH(log2, LENS_X))
#define native_log10(x) LENS_CALL_1(native_log10, x, LENS_EACH(log10, LENS_X))
#define native_powr(x, y) LENS_CALL_2(native_powr, x, y, LENS_EACH(pow, LENS_X, LENS_Y))
#define native_rsqrt(x) LENS_CALL_1(native_rsqrt, x, LENS_EACH(rsqrt, LENS_X))
#define native_sin(x) LENS_CALL_1(native_sin, x, LENS_EACH(native_sin, LENS_ANGLE))
#define native_sqrt(x) LENS_CALL_1(native_sqrt, x, LENS_EACH(sqrt, LENS_X))
#define native_tan(x) LENS_CALL_1(native_tan, x, LENS_EACH(native_tan, LENS_ANGLE))
#define native_divide(x, y) LENS_CALL_2(native_divide, x, y, LENS_X / LENS_Y)
#define native_recip(x) LENS_CALL_1(native_recip, x, 1 / LENS_X)
#define half_cos(x) LENS_CALL_1(half_cos, x, LENS_EACH(cos, LENS_X))
#define half_exp(x) LENS_CALL_1(half_exp, x, LENS_EACH(exp, LENS_X))
#define half_exp2(x) LENS_CALL_1(half_exp2, x, LENS_EACH(exp2, LENS_X))
#define half_exp10(x) LENS_CALL_1(half_exp10, x, LENS_EACH(exp10, LENS_X))
#define half_log(x) LENS_CALL_1(half_log, x, LENS_EACH(log, LENS_X))
#define half_log2(x) LENS_CALL_1(half_log2, x, LENS_EACH(log2, LENS_X))
#define half_log10(x) LENS_CALL_1(half_log10, x, LENS_EACH(log10, LENS_X))
#define half_powr(x, y) LENS_CALL_2(half_powr, x, y, LENS_EACH(pow, LENS_X, LENS_Y))
#define half_rsqrt(x) LENS_CALL_1(half_rsqrt, x, LENS_EACH(rsqrt, LENS_X))
#define half_sin(x) LENS_CALL_1(half_sin, x, LENS_EACH(sin, LENS_X))
#define half_sqrt(x) LENS_CALL_1(half_sqrt, x, LENS_EACH(sqrt, LENS_X))
#define half_tan(x) LENS_CALL_1(half_tan, x, LENS_EACH(tan, LENS_X))
#define half_divide(x, y) LENS_CALL_2(half_divide, x, y, LENS_X / LENS_Y)
#define half_recip(x) LENS_CALL_1(half_recip, x, 1 / LENS_X)

// ---- Geometry ----

#define GEOMETRY(T, S, DOT)                                                            \
    BUILTIN S dot(T x, T y) { return DOT; }                                            \
    BUILTIN S length(T x) { return sqrt(dot(x, x)); }                                  \
    BUILTIN S distance(T x, T y) { return length(x - y); }                             \
    BUILTIN T normalize(T x) {                                                         \
        S size = length(x);                                                            \
        return x / (size == 0 ? 1 : size);                                             \
    }
#define CROSS(T, S, ...)                                                               \
    BUILTIN T cross(T x, T y) {                                                        \
        return (T)(x.yzx * y.zxy - x.zxy * y.yzx __VA_ARGS__);                         \
    }
#define GEOMETRY_OF(T)                                                                 \
    GEOMETRY(T, T, x * y)                                                              \
    GEOMETRY(T##2, T, x.x * y.x + x.y * y.y)                                           \
    GEOMETRY(T##3, T, x.x * y.x + x.y * y.y + x.z * y.z)                               \
    GEOMETRY(T##4, T, x.x * y.x + x.y * y.y + x.z * y.z + x.w * y.w)                   \
    CROSS(T##3, T)                                                                     \
    CROSS(T##4, T, , 0)
GEOMETRY_OF(half)
GEOMETRY_OF(float)
GEOMETRY_OF(double)

#define FAST_GEOMETRY(T)                                                               \
    BUILTIN float fast_length(T x) { return length(x); }                               \
    BUILTIN float fast_distance(T x, T y) { return distance(x, y); }                   \
    BUILTIN T fast_normalize(T x) { return normalize(x); }
FAST_GEOMETRY(float) FAST_GEOMETRY(float2) FAST_GEOMETRY(float3) FAST_GEOMETRY(float4)

// ---- Half precision in memory: floats elsewhere, to the nearest, ties to even ----

#define HALF(n)                                                                        \
    BUILTIN float##n lens_from_half(ushort##n half_bits) {                             \
        uint##n bits = convert_uint##n(half_bits), size = (bits & 0x7fff) << 13;       \
        uint##n finite = as_uint##n(as_float##n(size) * 0x1p112f);                     \
        uint##n number = size < 0x0f800000 ? finite : size | 0x7f800000;               \
        return as_float##n(number | (bits & 0x8000) << 16);                            \
    }                                                                                  \
    BUILTIN ushort##n lens_to_half##n(float##n x) {                                    \
        uint##n bits = as_uint##n(x), size = bits & 0x7fffffff;                        \
        uint##n normal = (size - 0x38000000 + 0xfff + (size >> 13 & 1)) >> 13;         \
        uint##n small = as_uint##n(as_float##n(size) + 0.5f) - 0x3f000000;             \
        uint##n finite = size < 0x38800000 ? small : min(normal, (uint##n)0x7c00);     \
        uint##n number = size > 0x7f800000 ? (uint##n)0x7e00 : finite;                 \
        return convert_ushort##n(number | (bits >> 16 & 0x8000));                      \
    }
HALF(2) HALF(3) HALF(4) HALF(8) HALF(16)

BUILTIN float lens_from_half(ushort bits) { return lens_from_half((ushort2)bits).x; }
BUILTIN ushort lens_to_half(float x) { return lens_to_half2((float2)x).x; }

#define LENS_HALVES(p) ((ushort *)(size_t)(p))
#define LENS_VSTORE_HALF(f, x, i, p, bits)                                             \
    LENS_CALL_3(f, x, i, p, LENS_HALVES(lens_z)[(size_t)lens_y] = bits; (void)0)
#define vload_half(i, p)                                                               \
    LENS_CALL_2(vload_half, i, p, lens_from_half(LENS_HALVES(lens_y)[(size_t)lens_x]))
#define vstore_half(x, i, p)                                                           \
    LENS_VSTORE_HALF(vstore_half, x, i, p, lens_to_half(lens_x))
#define vload_half2(i, p) lens_from_half(vload2(i, LENS_HALVES(p)))
#define vload_half3(i, p) lens_from_half(vload3(i, LENS_HALVES(p)))
#define vload_half4(i, p) lens_from_half(vload4(i, LENS_HALVES(p)))
#define vload_half8(i, p) lens_from_half(vload8(i, LENS_HALVES(p)))
#define vload_half16(i, p) lens_from_half(vload16(i, LENS_HALVES(p)))
#define vstore_half2(x, i, p) vstore2(lens_to_half2(x), i, LENS_HALVES(p))
#define vstore_half3(x, i, p) vstore3(lens_to_half3(x), i, LENS_HALVES(p))
#define vstore_half4(x, i, p) vstore4(lens_to_half4(x), i, LENS_HALVES(p))
#define vstore_half8(x, i, p) vstore8(lens_to_half8(x), i, LENS_HALVES(p))
#define vstore_half16(x, i, p) vstore16(lens_to_half16(x), i, LENS_HALVES(p))
#define vloada_half2 vload_half2
#define vloada_half4 vload_half4
#define vloada_half8 vload_half8
#define vloada_half16 vload_half16
#define vstorea_half2 vstore_half2
#define vstorea_half4 vstore_half4
#define vstorea_half8 vstore_half8
#define vstorea_half16 vstore_half16

// Three that are aligned take the room of four.
#define vloada_half3(i, p) lens_from_half(vload3(0, LENS_HALVES(p) + 4 * (size_t)(i)))
#define LENS_VSTOREA3(x, i, p) vstore3(x, 0, LENS_HALVES(p) + 4 * (size_t)(i))
#define vstorea_half3(x, i, p) LENS_VSTOREA3(lens_to_half3(x), i, p)

// In one direction, and of doubles. A float that is odd where it is not exact keeps all
// that decides how a half is rounded.
BUILTIN ushort lens_half_of(uint way, double x) {
    float towards_zero = lens_directed(0.0f, LENS_RTZ, x);
    float odd = as_float(as_int(towards_zero) | (towards_zero != x));
    ushort nearest = lens_to_half(odd);
    double is = lens_from_half(nearest);
    int steps = lens_steps(way, is > x, is < x, x > 0);
    return nearest + (nearest & 0x8000 ? -steps : steps);
}
#define HALF_OF(n, a, b)                                                               \
    BUILTIN ushort##n lens_half_of(uint way, double##n x) {                            \
        return (ushort##n)(lens_half_of(way, x.a), lens_half_of(way, x.b));            \
    }
HALF_OF(2, x, y) HALF_OF(3, xy, z) HALF_OF(4, lo, hi) HALF_OF(8, lo, hi)
HALF_OF(16, lo, hi)
#define HALF_OF_DOUBLES(n)                                                             \
    BUILTIN ushort##n lens_to_half##n(double##n x) { return lens_half_of(LENS_RTE, x); }
HALF_OF_DOUBLES() HALF_OF_DOUBLES(2) HALF_OF_DOUBLES(3) HALF_OF_DOUBLES(4)
HALF_OF_DOUBLES(8) HALF_OF_DOUBLES(16)

#define LENS_HALF(way, x, n)                                                           \
    lens_half_of(LENS_##way, LENS_TO(lens_doubles(x), double##n))
#define LENS_HALF_OF_ONE(way) lens_half_of(LENS_##way, lens_doubles(lens_x))
#define vstore_half_rte vstore_half
#define vstore_half2_rte vstore_half2
#define vstore_half3_rte vstore_half3
#define vstore_half4_rte vstore_half4
#define vstore_half8_rte vstore_half8
#define vstore_half16_rte vstore_half16
#define vstorea_half2_rte vstore_half2_rte
#define vstorea_half3_rte vstorea_half3
#define vstorea_half4_rte vstore_half4_rte
#define vstorea_half8_rte vstore_half8_rte
#define vstorea_half16_rte vstore_half16_rte
#define vstore_half_rtz(x, i, p)                                                       \
    LENS_VSTORE_HALF(vstore_half_rtz, x, i, p, LENS_HALF_OF_ONE(RTZ))
#define vstore_half2_rtz(x, i, p) vstore2(LENS_HALF(RTZ, x, 2), i, LENS_HALVES(p))
#define vstore_half3_rtz(x, i, p) vstore3(LENS_HALF(RTZ, x, 3), i, LENS_HALVES(p))
#define vstore_half4_rtz(x, i, p) vstore4(LENS_HALF(RTZ, x, 4), i, LENS_HALVES(p))
#define vstore_half8_rtz(x, i, p) vstore8(LENS_HALF(RTZ, x, 8), i, LENS_HALVES(p))
#define vstore_half16_rtz(x, i, p) vstore16(LENS_HALF(RTZ, x, 16), i, LENS_HALVES(p))
#define vstorea_half2_rtz vstore_half2_rtz
#define vstorea_half3_rtz(x, i, p) LENS_VSTOREA3(LENS_HALF(RTZ, x, 3), i, p)
#define vstorea_half4_rtz vstore_half4_rtz
#define vstorea_half8_rtz vstore_half8_rtz
#define vstorea_half16_rtz vstore_half16_rtz
#define vstore_half_rtp(x, i, p)                                                       \
    LENS_VSTORE_HALF(vstore_half_rtp, x, i, p, LENS_HALF_OF_ONE(RTP))
#define vstore_half2_rtp(x, i, p) vstore2(LENS_HALF(RTP, x, 2), i, LENS_HALVES(p))
#define vstore_half3_rtp(x, i, p) vstore3(LENS_HALF(RTP, x, 3), i, LENS_HALVES(p))
#define vstore_half4_rtp(x, i, p) vstore4(LENS_HALF(RTP, x, 4), i, LENS_HALVES(p))
#define vstore_half8_rtp(x, i, p) vstore8(LENS_HALF(RTP, x, 8), i, LENS_HALVES(p))
#define vstore_half16_rtp(x, i, p) vstore16(LENS_HALF(RTP, x, 16), i, LENS_HALVES(p))
#define vstorea_half2_rtp vstore_half2_rtp
#define vstorea_half3_rtp(x, i, p) LENS_VSTOREA3(LENS_HALF(RTP, x, 3), i, p)
#define vstorea_half4_rtp vstore_half4_rtp
#define vstorea_half8_rtp vstore_half8_rtp
#define vstorea_half16_rtp vstore_half16_rtp
#define vstore_half_rtn(x, i, p)                                                       \
    LENS_VSTORE_HALF(vstore_half_rtn, x, i, p, LENS_HALF_OF_ONE(RTN))
#define vstore_half2_rtn(x, i, p) vstore2(LENS_HALF(RTN, x, 2), i, LENS_HALVES(p))
#define vstore_half3_rtn(x, i, p) vstore3(LENS_HALF(RTN, x, 3), i, LENS_HALVES(p))
#define vstore_half4_rtn(x, i, p) vstore4(LENS_HALF(RTN, x, 4), i, LENS_HALVES(p))
#define vstore_half8_rtn(x, i, p) vstore8(LENS_HALF(RTN, x, 8), i, LENS_HALVES(p))
#define vstore_half16_rtn(x, i, p) vstore16(LENS_HALF(RTN, x, 16), i, LENS_HALVES(p))
#define vstorea_half2_rtn vstore_half2_rtn
#define vstorea_half3_rtn(x, i, p) LENS_VSTOREA3(LENS_HALF(RTN, x, 3), i, p)
#define vstorea_half4_rtn vstore_half4_rtn
#define vstorea_half8_rtn vstore_half8_rtn
#define vstorea_half16_rtn vstore_half16_rtn

// Halves that are computed with: a double holds all other numbers below their limit.
#define LENS_HALVES_OF(way, x, n)                                                      \
    as_half##n(lens_half_of(LENS_##way, LENS_TO(x, double##n)))
#define convert_half(x) ((half)(double)(x))
#define convert_half2(x) LENS_TO(LENS_TO(x, double2), half2)
#define convert_half3(x) LENS_TO(LENS_TO(x, double3), half3)
#define convert_half4(x) LENS_TO(LENS_TO(x, double4), half4)
#define convert_half8(x) LENS_TO(LENS_TO(x, double8), half8)
#define convert_half16(x) LENS_TO(LENS_TO(x, double16), half16)
#define convert_half_rte convert_half
#define convert_half2_rte convert_half2
#define convert_half3_rte convert_half3
#define convert_half4_rte convert_half4
#define convert_half8_rte convert_half8
#define convert_half16_rte convert_half16
#define convert_half_rtz(x) as_half(lens_half_of(LENS_RTZ, (double)(x)))
#define convert_half2_rtz(x) LENS_HALVES_OF(RTZ, x, 2)
#define convert_half3_rtz(x) LENS_HALVES_OF(RTZ, x, 3)
#define convert_half4_rtz(x) LENS_HALVES_OF(RTZ, x, 4)
#define convert_half8_rtz(x) LENS_HALVES_OF(RTZ, x, 8)
#define convert_half16_rtz(x) LENS_HALVES_OF(RTZ, x, 16)
#define convert_half_rtp(x) as_half(lens_half_of(LENS_RTP, (double)(x)))
#define convert_half2_rtp(x) LENS_HALVES_OF(RTP, x, 2)
#define convert_half3_rtp(x) LENS_HALVES_OF(RTP, x, 3)
#define convert_half4_rtp(x) LENS_HALVES_OF(RTP, x, 4)
#define convert_half8_rtp(x) LENS_HALVES_OF(RTP, x, 8)
#define convert_half16_rtp(x) LENS_HALVES_OF(RTP, x, 16)
#define convert_half_rtn(x) as_half(lens_half_of(LENS_RTN, (double)(x)))
#define convert_half2_rtn(x) LENS_HALVES_OF(RTN, x, 2)
#define convert_half3_rtn(x) LENS_HALVES_OF(RTN, x, 3)
#define convert_half4_rtn(x) LENS_HALVES_OF(RTN, x, 4)
#define convert_half8_rtn(x) LENS_HALVES_OF(RTN, x, 8)
#define convert_half16_rtn(x) LENS_HALVES_OF(RTN, x, 16)

// ---- Images: texels.c finds the texels, whatever the image's format and layout ----

// Which function of texels.c it is depends on the coordinates alone.
#define LENS_IMAGE __attribute__((overloadable))
#define LENS_CALLS(name) __asm__("lens_image_" #name)
#define READS(image, coordinates, FLOATS, INTS, PLAIN)                                 \
    LENS_IMAGE PURE_READ uint4 lens_read(uint type, read_only image i, sampler_t s,    \
                                         float##coordinates c) LENS_CALLS(FLOATS);     \
    LENS_IMAGE PURE_READ uint4 lens_read(uint type, read_only image i, sampler_t s,    \
                                         int##coordinates c) LENS_CALLS(INTS);         \
    LENS_IMAGE PURE_READ uint4 lens_read(uint type, read_only image i,                 \
                                         int##coordinates c) LENS_CALLS(PLAIN);
#define WRITES(access, image, coordinates, PUT)                                        \
    LENS_IMAGE void lens_write(uint type, access image i, int##coordinates c, uint4 x) \
        LENS_CALLS(PUT);
#define ASKS(access, image)                                                            \
    LENS_IMAGE PURE int lens_asked(access image i, uint what) LENS_CALLS(asked);
#define FOR_IMAGES(access, DEFINE)                                                     \
    DEFINE(access, image1d_t)                                                          \
    DEFINE(access, image1d_buffer_t)                                                   \
    DEFINE(access, image1d_array_t)                                                    \
    DEFINE(access, image2d_t)                                                          \
    DEFINE(access, image2d_array_t)                                                    \
    DEFINE(access, image3d_t)
#define PURE_READ __attribute__((pure))

#pragma OPENCL EXTENSION cl_khr_3d_image_writes : enable
READS(image1d_t, , read_f1, read_i1, read_1)
READS(image1d_array_t, 2, read_f2, read_i2, read_2)
READS(image2d_t, 2, read_f2, read_i2, read_2)
READS(image2d_array_t, 4, read_f4, read_i4, read_4)
READS(image3d_t, 4, read_f4, read_i4, read_4)
LENS_IMAGE PURE_READ uint4 lens_read(uint type, read_only image1d_buffer_t i, int c)
    LENS_CALLS(read_1);
WRITES(write_only, image1d_t, , write_1)
WRITES(write_only, image1d_buffer_t, , write_1)
WRITES(write_only, image1d_array_t, 2, write_2)
WRITES(write_only, image2d_t, 2, write_2)
WRITES(write_only, image2d_array_t, 4, write_4)
WRITES(write_only, image3d_t, 4, write_4)
FOR_IMAGES(read_only, ASKS)
FOR_IMAGES(write_only, ASKS)

#define read_imagef(...) as_float4(lens_read(LENS_FLOAT, __VA_ARGS__))
#define read_imagei(...) as_int4(lens_read(LENS_INT, __VA_ARGS__))
#define read_imageui(...) lens_read(LENS_UINT, __VA_ARGS__)
#define write_imagef(i, c, x) lens_write(LENS_FLOAT, i, c, as_uint4((float4)(x)))
#define write_imagei(i, c, x) lens_write(LENS_INT, i, c, as_uint4((int4)(x)))
#define write_imageui(i, c, x) lens_write(LENS_UINT, i, c, (uint4)(x))
#define get_image_width(i) lens_asked(i, LENS_WIDTH)
#define get_image_height(i) lens_asked(i, LENS_HEIGHT)
#define get_image_depth(i) lens_asked(i, LENS_DEPTH)
#define get_image_array_size(i) ((size_t)lens_asked(i, LENS_LAYERS))
#define get_image_channel_order(i) lens_asked(i, LENS_ORDER)
#define get_image_channel_data_type(i) lens_asked(i, LENS_TYPE)

#define PLANE(access, image)                                                           \
    BUILTIN int2 get_image_dim(access image i) {                                       \
        return (int2)(get_image_width(i), get_image_height(i));                        \
    }
#define SOLID(access, image)                                                           \
    BUILTIN int4 get_image_dim(access image i) {                                       \
        return (int4)(get_image_width(i), get_image_height(i), get_image_depth(i), 0); \
    }
PLANE(read_only, image2d_t) PLANE(write_only, image2d_t)
PLANE(read_only, image2d_array_t) PLANE(write_only, image2d_array_t)
SOLID(read_only, image3d_t) SOLID(write_only, image3d_t)

#undef BUILTIN
#undef PURE
#undef CONVERGENT
#undef HIGHEST
