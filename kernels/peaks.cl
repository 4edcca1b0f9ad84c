/* peaks: small kernels, each of which one part of a device limits; see common/profile/.
 *
 * In all of them `rounds` says how often the work is repeated.  What is repeated
 * depends on arguments, so that no compiler can leave it out or move it out of its
 * loop, and on the work-item, so that no compiler can do it once for a whole warp.  The
 * result depends on every operation, and the host checks it. */
#define TIMES_4(work) work work work work
#define TIMES_16(work) TIMES_4(TIMES_4(work))

enum {
    SPAN = 1024,            /* a round begins somewhere in so many words */
    WORDS = 3 * SPAN,       /* 12 KiB, which the first level of a cache holds */
    VECTOR_SPAN = SPAN / 2, /* the same for vectors */
    VECTORS = VECTOR_SPAN + 32 + 7 * 32,
    CELLS = 1024 /* elements that a group stores to, twice */
};

/* What a table holds. */
uint entry(uint i) {
    return i * 2654435761u + 1u;
}

uint4 entry_vector(uint i) {
    return (uint4)(entry(4 * i), entry(4 * i + 1), entry(4 * i + 2), entry(4 * i + 3));
}

uint fold(uint hash, uint bits) {
    return hash * 31u + bits;
}

uint fold_4(uint hash, uint4 v) {
    return fold(fold(fold(fold(hash, v.x), v.y), v.z), v.w);
}

uint fold_8(uint hash, uint8 v) {
    return fold_4(fold_4(hash, v.lo), v.hi);
}

/* Does nothing, because the number of its only work-item is 0. */
kernel void nothing(uint rounds, global uint *out) {
    if (get_global_id(0) > rounds)
        *out = 0;
}

/* ---- Arithmetic: 512 operations in a round; special 128, double 256. */

#define BEGIN ((float)(get_local_id(0) % 4))
#define BEGIN_8 (BEGIN + (float8)(0, 1, 2, 3, 4, 5, 6, 7))
#define BEGIN_INTEGERS                                                                 \
    ((uint)get_local_id(0) % 4u + (uint8)(1, 3, 5, 7, 11, 13, 17, 19))

kernel void many_fma(uint rounds, global uint *out, float factor, float addend) {
    const float16 f = factor, g = addend;
    float16 s = (float16)(BEGIN_8, BEGIN_8 + 8.0f);
    for (uint r = 0; r < rounds; r++) {
        TIMES_16(s = fma(s, f, g); s = fma(s, f, g);)
    }
    out[get_global_id(0)] = fold_8(fold_8(0, as_uint8(s.lo)), as_uint8(s.hi));
}

kernel void many_add(uint rounds, global uint *out, float addend) {
    const float16 g = addend;
    float16 s = (float16)(BEGIN_8, BEGIN_8 + 8.0f);
    for (uint r = 0; r < rounds; r++) {
        TIMES_16(s += g; s += g;)
    }
    out[get_global_id(0)] = fold_8(fold_8(0, as_uint8(s.lo)), as_uint8(s.hi));
}

/* No two neighbouring operations are one instruction of a GPU: that has an exclusive or
 * of three numbers, and a sum of three, but none of both. */
kernel void many_integer(uint rounds, global uint *out, uint pattern, uint addend) {
    uint8 x = BEGIN_INTEGERS;
    for (uint r = 0; r < rounds; r++) {
        TIMES_16(x ^= pattern; x += addend; x ^= pattern; x += addend;)
    }
    out[get_global_id(0)] = fold_8(0, x);
}

kernel void many_rotate(uint rounds, global uint *out, uint pattern, uint places) {
    const uint8 bits = places;
    uint8 x = BEGIN_INTEGERS;
    for (uint r = 0; r < rounds; r++) {
        TIMES_16(x ^= pattern; x = rotate(x, bits); x ^= pattern; x = rotate(x, bits);)
    }
    out[get_global_id(0)] = fold_8(0, x);
}

/* One integer operation for each multiply-add, and then one for three. */
kernel void issue_1(uint rounds, global uint *out, float factor, float addend,
                    uint pattern, uint count) {
    const float8 f = factor, g = addend;
    float8 s = BEGIN_8;
    uint8 x = BEGIN_INTEGERS;
    for (uint r = 0; r < rounds; r++) {
        TIMES_16(s = fma(s, f, g); x ^= pattern; s = fma(s, f, g); x += count;)
    }
    out[get_global_id(0)] = fold_8(fold_8(0, as_uint8(s)), x);
}

kernel void issue_3(uint rounds, global uint *out, float factor, float addend,
                    uint pattern, uint count) {
    const float8 f = factor, g = addend;
    float8 s = BEGIN_8;
    uint8 x = BEGIN_INTEGERS;
    for (uint r = 0; r < rounds; r++) {
        TIMES_4(s = fma(s, f, g); s = fma(s, f, g); s = fma(s, f, g); x ^= pattern;
                s = fma(s, f, g); s = fma(s, f, g); s = fma(s, f, g); x += count;
                s = fma(s, f, g); s = fma(s, f, g); s = fma(s, f, g); x ^= pattern;
                s = fma(s, f, g); s = fma(s, f, g); s = fma(s, f, g); x += count;)
    }
    out[get_global_id(0)] = fold_8(fold_8(0, as_uint8(s)), x);
}

/* Sines go to 0, powers of two to 0.64, and roots to 1.  All of them are added up. */
#define SPECIAL(NAME, NEXT)                                                            \
    kernel void special_##NAME(uint rounds, global uint *out) {                        \
        float8 x = 0.5f + 0.125f * BEGIN_8;                                            \
        for (uint r = 0; r < rounds; r++) {                                            \
            TIMES_16(x = NEXT;)                                                        \
        }                                                                              \
        const float4 half_sum = x.lo + x.hi;                                           \
        const float sum = half_sum.x + half_sum.y + half_sum.z + half_sum.w;           \
        out[get_global_id(0)] = as_uint(sum);                                          \
    }
SPECIAL(sin, native_sin(x))
SPECIAL(exp2, native_exp2(-x))
SPECIAL(rsqrt, native_rsqrt(x))

#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
kernel void many_double(uint rounds, global uint *out, float factor, float addend) {
    const double8 f = factor, g = addend;
    double8 s = convert_double8(BEGIN_8);
    for (uint r = 0; r < rounds; r++) {
        TIMES_16(s = fma(s, f, g); s = fma(s, f, g);)
    }
    const uint16 bits = as_uint16(s);
    out[get_global_id(0)] = fold_8(fold_8(0, bits.lo), bits.hi);
}
#endif

/* One chain, of which each operation waits for the one before it: 128 in a round. */
kernel void chain_fma(uint rounds, global uint *out, float factor, float addend) {
    float s = BEGIN;
    for (uint r = 0; r < rounds; r++) {
        TIMES_16(TIMES_4(s = fma(s, factor, addend); s = fma(s, factor, addend);))
    }
    out[get_global_id(0)] = as_uint(s);
}

kernel void chain_add(uint rounds, global uint *out, float addend) {
    float s = BEGIN;
    for (uint r = 0; r < rounds; r++) {
        TIMES_16(TIMES_4(s += addend; s += addend;))
    }
    out[get_global_id(0)] = as_uint(s);
}

/* ---- Local memory, and the first level of the cache. */

/* 16 loads of a word.  Lane n reads word n * apart of a part of the table that begins
 * at a multiple of `step`: of 32, so that the banks stay the same. */
#define LOAD_16(p)                                                                     \
    a += (p)[0], b += (p)[64], c += (p)[128], d += (p)[192], a += (p)[256];            \
    b += (p)[320], c += (p)[384], d += (p)[448], a += (p)[512], b += (p)[576];         \
    c += (p)[640], d += (p)[704], a += (p)[768], b += (p)[832], c += (p)[896];         \
    d += (p)[960];

kernel void local_words(uint rounds, global uint *out, uint apart, uint step,
                        local uint *table) {
    const uint id = get_local_id(0);
    for (uint i = id; i < WORDS; i += get_local_size(0))
        table[i] = entry(i);
    barrier(CLK_LOCAL_MEM_FENCE);
    local const uint *lane = table + id % 32 * apart;
    uint a = 0, b = 0, c = 0, d = 0;
    for (uint r = 0; r < rounds; r++) {
        local const uint *p = lane + (r * step & (SPAN - 1));
        LOAD_16(p)
    }
    out[get_global_id(0)] = a + b + c + d;
}

kernel void global_words(uint rounds, global uint *restrict out, uint apart, uint step,
                         global const uint *restrict table) {
    global const uint *lane = table + get_local_id(0) % 32 * apart;
    uint a = 0, b = 0, c = 0, d = 0;
    for (uint r = 0; r < rounds; r++) {
        global const uint *p = lane + (r * step & (SPAN - 1));
        LOAD_16(p)
    }
    out[get_global_id(0)] = a + b + c + d;
}

/* The same 16 loads out of each, in turns. */
#define LOAD_BOTH(i)                                                                   \
    a += p[i], b += q[i], c += p[i + 64], d += q[i + 64];                              \
    a += p[i + 128], b += q[i + 128], c += p[i + 192], d += q[i + 192];

kernel void both_words(uint rounds, global uint *restrict out, uint apart, uint step,
                       global const uint *restrict far, local uint *near) {
    const uint id = get_local_id(0);
    for (uint i = id; i < WORDS; i += get_local_size(0))
        near[i] = entry(i);
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint lane = id % 32 * apart;
    uint a = 0, b = 0, c = 0, d = 0;
    for (uint r = 0; r < rounds; r++) {
        const uint begin = lane + (r * step & (SPAN - 1));
        local const uint *p = near + begin;
        global const uint *q = far + begin;
        LOAD_BOTH(0) LOAD_BOTH(256) LOAD_BOTH(512) LOAD_BOTH(768)
    }
    out[get_global_id(0)] = a + b + c + d;
}

/* 8 loads of 16 bytes.  Lane n reads vector (n >> shift) & mask of such a part. */
#define LOAD_8(p)                                                                      \
    a += (p)[0], b += (p)[32], a += (p)[64], b += (p)[96];                             \
    a += (p)[128], b += (p)[160], a += (p)[192], b += (p)[224];

kernel void local_vectors(uint rounds, global uint *out, uint shift, uint mask,
                          uint step, local uint4 *table) {
    const uint id = get_local_id(0);
    for (uint i = id; i < VECTORS; i += get_local_size(0))
        table[i] = entry_vector(i);
    barrier(CLK_LOCAL_MEM_FENCE);
    local const uint4 *lane = table + (id % 32 >> shift & mask);
    uint4 a = 0, b = 0;
    for (uint r = 0; r < rounds; r++) {
        local const uint4 *p = lane + (r * step & (VECTOR_SPAN - 1));
        LOAD_8(p)
    }
    out[get_global_id(0)] = fold_4(0, a + b);
}

kernel void global_vectors(uint rounds, global uint *restrict out, uint shift,
                           uint mask, uint step, global const uint4 *restrict table) {
    global const uint4 *lane = table + (get_local_id(0) % 32 >> shift & mask);
    uint4 a = 0, b = 0;
    for (uint r = 0; r < rounds; r++) {
        global const uint4 *p = lane + (r * step & (VECTOR_SPAN - 1));
        LOAD_8(p)
    }
    out[get_global_id(0)] = fold_4(0, a + b);
}

/* 8 stores to local memory.  Lane n of warp w has element n * lanes + w * warps of each
 * of the two halves, which are `step` elements apart.  No item stores to another's. */
#define STORE_8(T, value)                                                              \
    for (uint r = 0; r < rounds; r++) {                                                \
        const uint n = r * step;                                                       \
        mine[n & CELLS] = value, mine[n + step & CELLS] = value;                       \
        mine[n + 2 * step & CELLS] = value, mine[n + 3 * step & CELLS] = value;        \
        mine[n + 4 * step & CELLS] = value, mine[n + 5 * step & CELLS] = value;        \
        mine[n + 6 * step & CELLS] = value, mine[n + 7 * step & CELLS] = value;        \
    }

kernel void store_words(uint rounds, global uint *out, uint lanes, uint warps,
                        uint step, local uint *cells) {
    const uint id = get_local_id(0), last = get_local_size(0) - 1;
    const uint place = id % 32 * lanes + id / 32 * warps, value = entry(id);
    local uint *mine = cells + place;
    for (uint i = id; i < 2 * CELLS; i += get_local_size(0))
        cells[i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    STORE_8(uint, value)
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint other = last - id, there = other % 32 * lanes + other / 32 * warps;
    out[get_global_id(0)] = fold(cells[there], cells[there + CELLS]);
}

kernel void store_vectors(uint rounds, global uint *out, uint lanes, uint warps,
                          uint step, local uint4 *cells) {
    const uint id = get_local_id(0), last = get_local_size(0) - 1;
    const uint place = id % 32 * lanes + id / 32 * warps;
    const uint4 value = entry_vector(id);
    local uint4 *mine = cells + place;
    for (uint i = id; i < 2 * CELLS; i += get_local_size(0))
        cells[i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    STORE_8(uint4, value)
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint other = last - id, there = other % 32 * lanes + other / 32 * warps;
    out[get_global_id(0)] = fold_4(fold_4(0, cells[there]), cells[there + CELLS]);
}

/* ---- Memory, and the second level of the cache. */

/* Vector i of the memory; neighbouring chunks, of 1 << bits vectors, differ. */
float4 content(uint i, uint bits) {
    return (float)(1 + (i & 7) + 8 * (i >> bits & 7));
}

float sum_4(float4 v) {
    return v.x + v.y + v.z + v.w;
}

kernel void memory_fill(uint rounds, global float4 *out, uint n, uint bits) {
    for (uint r = 0; r < rounds; r++)
        for (uint i = get_global_id(0); i < n; i += get_global_size(0))
            out[i] = content(i, bits);
}

/* Here and below `n` is a multiple of four times the work-items. */
kernel void memory_read(uint rounds, global float *restrict out,
                        global const float4 *restrict in, uint n) {
    const uint items = get_global_size(0);
    float4 a = 0.0f, b = 0.0f, c = 0.0f, d = 0.0f;
    for (uint r = 0; r < rounds; r++)
        for (uint i = get_global_id(0); i < n; i += 4 * items) {
            a += in[i];
            b += in[i + items];
            c += in[i + 2 * items];
            d += in[i + 3 * items];
        }
    out[get_global_id(0)] = sum_4(a + b + c + d);
}

kernel void memory_copy(uint rounds, global float4 *restrict out,
                        global const float4 *restrict in, uint n) {
    const uint items = get_global_size(0);
    for (uint r = 0; r < rounds; r++)
        for (uint i = get_global_id(0); i < n; i += 4 * items) {
            const float4 a = in[i], b = in[i + items], c = in[i + 2 * items],
                         d = in[i + 3 * items];
            out[i] = a;
            out[i + items] = b;
            out[i + 2 * items] = c;
            out[i + 3 * items] = d;
        }
}

/* As little as a work-item can do with memory. */
kernel void refill(uint rounds, global uint *restrict out,
                   global const uint *restrict in) {
    const size_t id = get_global_id(0);
    out[id] = in[id] + rounds;
}

/* A group reads one chunk after another, each four vectors for a work-item, `step` of
 * `chunks` apart: so what it reads was read by other units before, and by its own only
 * long ago. */
kernel void cache_read(uint rounds, global float *restrict out,
                       global const float4 *restrict in, uint chunks, uint step) {
    const uint id = get_local_id(0), size = get_local_size(0);
    uint chunk = get_group_id(0) % chunks;
    float4 a = 0.0f, b = 0.0f, c = 0.0f, d = 0.0f;
    for (uint r = 0; r < rounds; r++) {
        global const float4 *p = in + chunk * 4 * size + id;
        a += p[0];
        b += p[size];
        c += p[2 * size];
        d += p[3 * size];
        chunk += step;
        chunk -= chunk < chunks ? 0 : chunks;
    }
    out[get_global_id(0)] = sum_4(a + b + c + d);
}

/* One address, because `mask` is 0, which no compiler can know ... */
kernel void atomic_word(uint rounds, global uint *counters, uint mask) {
    const uint id = get_global_id(0);
    for (uint r = 0; r < rounds; r++)
        atomic_inc(counters + (id + r & mask));
}

/* ... and one that every compiler can see is the same for all. */
kernel void atomic_warp(uint rounds, global uint *counters) {
    for (uint r = 0; r < rounds; r++)
        atomic_inc(counters);
}

kernel void atomic_own(uint rounds, global uint *counters, uint apart) {
    global uint *mine = counters + get_global_id(0) * apart;
    for (uint r = 0; r < rounds; r++)
        atomic_inc(mine);
}

/* ---- Latencies.  A word holds the place, in bytes, of the next one to read. */

kernel void chase_fill(global uint *next, uint places, uint step, uint words) {
    for (uint i = get_global_id(0); i < places; i += get_global_size(0))
        next[i * words] = (i + step) % places * words * 4;
}

kernel void chase_global(uint rounds, global uint *out, global const uchar *next,
                         uint at) {
    for (uint r = 0; r < rounds; r++) {
        TIMES_16(at = *(global const uint *)(next + at);)
    }
    *out = at;
}

kernel void chase_local(uint rounds, global uint *out, uint step, uint at) {
    local uint next[SPAN];
    for (uint i = get_local_id(0); i < SPAN; i += get_local_size(0))
        next[i] = (i + step) % SPAN * 4;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint r = 0; r < rounds; r++) {
        TIMES_16(at = *(local const uint *)((local const uchar *)next + at);)
    }
    out[get_global_id(0)] = at;
}

kernel void barriers(uint rounds, global uint *out, uint factor) {
    uint v = get_local_id(0);
    for (uint r = 0; r < rounds; r++) {
        TIMES_16(v = v * factor + 1; barrier(CLK_LOCAL_MEM_FENCE);)
    }
    out[get_global_id(0)] = v;
}

/* Each group counts itself in, looks so many times how many there are, and goes.  The
 * one that went first has seen those that were there together. */
kernel void resident(uint rounds, volatile global uint *counters) {
    if (get_local_id(0) == 0) {
        uint seen = atomic_inc(counters);
        for (uint r = 0; r < rounds; r++)
            seen = max(seen, counters[0]);
        atomic_min(counters + 1, max(seen, atomic_add(counters, 0)));
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}

// lens: nothing(rounds=1, out[1]) --global 1
// lens: many_fma(rounds=4, out[items], factor=0.5, addend=1) --global 1024 --local 256
// lens: many_add(rounds=4, out[items], addend=1) --global 1024 --local 256
// lens: many_integer(rounds=4, out[items], pattern=5, addend=3) --global 1024 --local 256
// lens: many_rotate(rounds=4, out[items], pattern=5, places=3) --global 1024 --local 256
// lens: issue_1(rounds=4, out[items], factor=0.5, addend=1, pattern=5, count=3) --global 1024 --local 256
// lens: issue_3(rounds=4, out[items], factor=0.5, addend=1, pattern=5, count=3) --global 1024 --local 256
// lens: special_sin(rounds=4, out[items]) --global 1024 --local 256
// lens: special_exp2(rounds=4, out[items]) --global 1024 --local 256
// lens: special_rsqrt(rounds=4, out[items]) --global 1024 --local 256
// lens: many_double(rounds=4, out[items], factor=0.5, addend=1) --global 1024 --local 256
// lens: chain_fma(rounds=4, out[items], factor=0.5, addend=1) --global 1024 --local 256
// lens: chain_add(rounds=4, out[items], addend=1) --global 1024 --local 256
// lens: local_words(rounds=16, out[items], apart=1, step=32, table[3072]) --global 1024 --local 256
// lens: global_words(rounds=16, out[items], apart=1, step=32, table[3072]) --global 1024 --local 256
// lens: both_words(rounds=16, out[items], apart=1, step=32, far[3072], near[3072]) --global 1024 --local 256
// lens: local_vectors(rounds=16, out[items], shift=0, mask=31, step=32, table[768]) --global 1024 --local 256
// lens: global_vectors(rounds=16, out[items], shift=0, mask=31, step=32, table[768]) --global 1024 --local 256
// lens: store_words(rounds=16, out[items], lanes=1, warps=32, step=1024, cells[2048]) --global 1024 --local 256
// lens: store_vectors(rounds=16, out[items], lanes=1, warps=32, step=1024, cells[2048]) --global 1024 --local 256
// lens: memory_fill(rounds=1, out[n], n=16384, bits=8) --global 4096 --local 256
// lens: memory_read(rounds=1, out[items], in[n], n=16384) --global 4096 --local 256
// lens: memory_copy(rounds=1, out[n], in[n], n=16384) --global 4096 --local 256
// lens: refill(rounds=1, out[items], in[items]) --global 4096 --local 256
// lens: cache_read(rounds=16, out[items], in[chunks * 4 * local], chunks=4, step=1) --global 1024 --local 256
// lens: atomic_word(rounds=4, counters[1], mask=0) --global 1024 --local 256
// lens: atomic_warp(rounds=4, counters[1]) --global 1024 --local 256
// lens: atomic_own(rounds=4, counters[items], apart=1) --global 1024 --local 256
// lens: chase_fill(next[places * words], places=1024, step=33, words=8) --global 256 --local 256
// lens: chase_global(rounds=16, out[1], next[4], at=0) --global 1
// lens: chase_local(rounds=16, out[items], step=33, at=0) --global 1
// lens: barriers(rounds=4, out[items], factor=3) --global 1024 --local 256
// lens: resident(rounds=4, counters[2]) --global 1024 --local 256
