/* Accesses of a warp to local memory, and what they cost, counted by hand for 32 lanes.
 * A pass takes a word from each of 32 banks and moves one register of each lane, so
 * that 8 bytes are moved for 16 lanes at a time, and 16 bytes for 8.  Loads move them
 * for twice as many lanes if lanes n and n ^ 1, or n and n ^ 2, want the same. */

/* Own: 32 x 16 bytes, 4 parts of 8 lanes with 32 words: 4 passes.  Pairs: two parts of
 * 16 lanes, 8 x 4 words each: 2.  One for all: two parts of 4 words: 2, not 1.  Halves:
 * lanes n and n + 16 want the same, which does not help: 4 parts of 32 words: 4.  Every
 * second: 8 lanes want 32 words in 16 banks: 4 parts of 2 passes, 8. */
kernel void loads_of_16(local float4 *t, global float4 *out) {
    const uint i = get_local_id(0);
    for (uint k = i; k < 64; k += 32)
        t[k] = k; /* own: 4 passes */
    barrier(CLK_LOCAL_MEM_FENCE);
    const float4 own = t[i];
    const float4 pairs = t[i / 2];
    const float4 one = t[0];
    const float4 halves = t[i % 16];
    const float4 seconds = t[2 * i];
    out[i] = own + pairs + one + halves + seconds;
}

/* Own: 2 parts of 16 lanes: 2.  Lanes n and n ^ 2 the same: 1 part of 32 words, 1.
 * Lanes n and n ^ 4: 2.  Pairs in the first half of the warp only: 2. */
kernel void loads_of_8(local float2 *t, global float2 *out) {
    const uint i = get_local_id(0);
    t[i] = i;
    barrier(CLK_LOCAL_MEM_FENCE);
    const float2 own = t[i];
    const float2 seconds = t[(i & 1) | i >> 2 << 1];
    const float2 fourths = t[(i & 3) | i >> 3 << 2];
    const float2 first_half = t[i < 16 ? i / 2 : i];
    out[i] = own + seconds + fourths + first_half;
}

/* Stores are not made for more lanes at a time: all lanes store one float4, in 4 parts:
 * 4 passes, and one float2 in 2. */
kernel void stores_in_one_place(local float4 *t, local float2 *u, global float4 *out) {
    t[0] = 1;
    u[0] = 2;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_local_id(0)] = t[0] + u[0].x;
}

/* The L1 has the same banks, and looks up four lines at a time.  Neighbours: 1 pass.
 * 32 floats apart: 32 lines, all in bank 0: 32 passes.  33 apart: 32 lines, each lane
 * in a bank of its own: the lookups decide, 8. */
kernel void loads_through_l1(global const float *x, global float *out) {
    const uint i = get_local_id(0);
    const float near = x[i];
    const float rows = x[32 * i];
    const float padded = x[33 * i];
    out[i] = near + rows + padded;
}
