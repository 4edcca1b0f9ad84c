/* Kernels whose counts are known by heart: each shows the lens one thing.
 *
 * lens_ncu.cu compiles this very file as CUDA, so that ncu can count the same; see
 * ncu.sh.  No count depends on what is in the buffers. */

/* ---- Global memory: how many sectors of 32 bytes does an access touch? */

/* One float behind a boundary, 32 floats lie in 5 sectors, not in 4. */
kernel void load_misaligned(global const float *x, global float *out) {
    const uint i = get_global_id(0);
    out[i] = x[i + 1];
}

/* All lanes read one address: 1 sector. */
kernel void load_broadcast(global const float *x, global float *out, uint n) {
    const uint i = get_global_id(0);
    out[i] = x[n];
}

/* 32 lanes of 16 bytes: 16 sectors in one access. */
kernel void load_float4(global const float4 *x, global float *out) {
    const uint i = get_global_id(0);
    const float4 v = x[i];
    out[i] = v.x + v.y + v.z + v.w;
}

/* 32 lanes of 1 byte: 1 sector. */
kernel void copy_bytes(global const uchar *x, global uchar *out) {
    const uint i = get_global_id(0);
    out[i] = x[i];
}

/* As if by chance, but always the same: a number of sectors nobody guesses. */
kernel void load_gathered(global const float *x, global float *out, uint n) {
    const uint i = get_global_id(0);
    out[i] = x[i * i * 7 % n];
}

/* Neighbours store `n` floats apart. */
kernel void store_strided(global float *out, uint n) {
    const uint i = get_global_id(0);
    out[i * n] = (float)i;
}

/* The last warp that has work has it for some of its lanes. */
kernel void guard(global const float *x, global float *out, uint n) {
    const uint i = get_global_id(0);
    if (i >= n)
        return;
    out[i] = x[i];
}

/* ---- Lanes that part. */

/* Four ways, and next to nothing to do: compilers choose without a branch. */
kernel void fizzbuzz(global int *out) {
    const uint i = get_global_id(0);
    if (i % 15 == 0)
        out[i] = -15;
    else if (i % 5 == 0)
        out[i] = -5;
    else if (i % 3 == 0)
        out[i] = -3;
    else
        out[i] = (int)i;
}

/* Four ways, each with a loop of its own: these branches stay. */
kernel void fizzbuzz_loops(global int *out, uint n) {
    const uint i = get_global_id(0);
    uint value = i;
    if (i % 15 == 0) {
        for (uint k = 0; k < n; k++)
            value = value * 5 + k;
    } else if (i % 5 == 0) {
        for (uint k = 0; k < n; k++)
            value = value * 7 ^ k;
    } else if (i % 3 == 0) {
        for (uint k = 0; k < n; k++)
            value = (value ^ k) * 11;
    } else {
        for (uint k = 0; k < n; k++)
            value = value * value + k;
    }
    out[i] = (int)value;
}

/* Two ways, but whole warps go one way: nothing diverges. */
kernel void warps_part(global int *out, uint n) {
    const uint i = get_global_id(0);
    uint value = i;
    if (i / 32 % 2 == 0) {
        for (uint k = 0; k < n; k++)
            value = value * 5 + k;
    } else {
        for (uint k = 0; k < n; k++)
            value = (value ^ k) * 11;
    }
    out[i] = (int)value;
}

/* Lane l goes round l times, and reads its column of x. */
kernel void lane_loop(global const float *x, global float *out) {
    const uint i = get_global_id(0), items = get_global_size(0);
    float sum = 0.0f;
    for (uint k = 0; k < i % 32; k++)
        sum += x[k * items + i];
    out[i] = sum;
}

/* How often until 1?  Nobody knows a formula for it. */
kernel void collatz(global int *out) {
    const uint i = get_global_id(0);
    uint value = i + 1;
    int steps = 0;
    while (value > 1) {
        value = value % 2 == 0 ? value / 2 : 3 * value + 1;
        steps++;
    }
    out[i] = steps;
}

/* ---- Local memory: how many passes over its 32 banks? */

/* Neighbours read `n` floats apart: 1 pass for 0 (all the same), 1 and 3; 8 for 8. */
kernel void local_strided(global const float *x, global float *out, uint n) {
    local float tile[1024];
    const uint i = get_local_id(0);
    tile[i] = x[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = tile[i * n % 1024];
}

/* Written by rows, read by columns: all 32 lanes want one bank. */
kernel void transpose(global const float *x, global float *out) {
    local float tile[32 * 32];
    const uint row = get_local_id(0) / 32, column = get_local_id(0) % 32;
    tile[row * 32 + column] = x[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = tile[column * 32 + row];
}

/* One more float in each row, and the columns lie in different banks. */
kernel void transpose_padded(global const float *x, global float *out) {
    local float tile[32 * 33];
    const uint row = get_local_id(0) / 32, column = get_local_id(0) % 32;
    tile[row * 33 + column] = x[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = tile[column * 33 + row];
}

/* 16 bytes a lane, and `n` neighbours read the same: 512 / n bytes, 128 in a pass. */
kernel void local_float4(global const float4 *x, global float *out, uint n) {
    local float4 tile[256];
    const uint i = get_local_id(0);
    tile[i] = x[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    const float4 v = tile[i / n];
    out[get_global_id(0)] = v.x + v.y + v.z + v.w;
}

/* ---- Atomics. */

/* All lanes count at one address. */
kernel void atomic_one(global int *out) {
    atomic_inc(out);
}

/* All lanes exchange at one address: no compiler can do it for all of them at once. */
kernel void exchange_one(global int *out) {
    atomic_xchg(out, (int)get_global_id(0));
}

/* Each lane counts at its own address. */
kernel void atomic_own(global int *out) {
    atomic_inc(out + get_global_id(0));
}

/* 32 lanes count at 4 addresses of local memory. */
kernel void atomic_local(global int *out) {
    local int bins[4];
    const uint i = get_local_id(0);
    if (i < 4)
        bins[i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_inc(&bins[i % 4]);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i < 4)
        atomic_add(out + i, bins[i]);
}
