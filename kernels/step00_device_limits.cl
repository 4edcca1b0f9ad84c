/* Step 00: kernels that do one thing each, as fast as the device can.
 *
 * Each comes in the shape that a GPU likes (many work-items, neighbours touching
 * neighbouring memory) and in the one that a CPU likes (`_blocks`: few work-items, wide
 * vectors, one long block for each).  The program launches the shape that suits its
 * device. */

/* Does nothing, because the id of its only work-item is 0.  But the compiler cannot
 * know that, so it has to make a kernel. */
kernel void limit_launch(global float *out) {
    if (get_global_id(0) > 0)
        *out = 0.0f;
}

/* Read `n` vectors and add them up, so that no load can be left out.  Each work-item
 * knows beforehand how many rounds it has, so several of its loads can be in flight at
 * a time.  `n` is a multiple of the number of work-items. */
kernel void limit_read(global const float4 *in, global float *out, uint n) {
    const uint item = get_global_id(0), items = get_global_size(0), rounds = n / items;
    float4 sum = 0.0f;
    for (uint round = 0; round < rounds; round++)
        sum += in[round * items + item];
    out[item] = sum.x + sum.y + sum.z + sum.w;
}

kernel void limit_read_blocks(global const float16 *in, global float *out, uint n) {
    const uint item = get_global_id(0), block = n / get_global_size(0);
    float16 sum16 = 0.0f;
    for (uint i = 0; i < block; i++)
        sum16 += in[item * block + i];
    const float8 sum8 = sum16.lo + sum16.hi;
    const float4 sum4 = sum8.lo + sum8.hi;
    out[item] = sum4.x + sum4.y + sum4.z + sum4.w;
}

/* Copy and fill `n` vectors. */
kernel void limit_copy(global const float4 *in, global float4 *out, uint n) {
    const uint item = get_global_id(0), items = get_global_size(0), rounds = n / items;
    for (uint round = 0; round < rounds; round++)
        out[round * items + item] = in[round * items + item];
}

kernel void limit_copy_blocks(global const float16 *in, global float16 *out, uint n) {
    const uint item = get_global_id(0), block = n / get_global_size(0);
    for (uint i = 0; i < block; i++)
        out[item * block + i] = in[item * block + i];
}

kernel void limit_fill(global float4 *out, float value, uint n) {
    const uint item = get_global_id(0), items = get_global_size(0), rounds = n / items;
    for (uint round = 0; round < rounds; round++)
        out[round * items + item] = value;
}

kernel void limit_fill_blocks(global float16 *out, float value, uint n) {
    const uint item = get_global_id(0), block = n / get_global_size(0);
    for (uint i = 0; i < block; i++)
        out[item * block + i] = value;
}

/* `rounds` fused multiply-adds on each of many sums.  A result takes several cycles to
 * arrive, so no sum may wait for another one: a work-item of a GPU has 16 sums, and one
 * of a CPU, whose registers hold up to 16 floats each, has 16 times CHAINS.  The
 * program relies on CHAINS, and on sums that begin with 0, 1, 2 ... */
#define LANES ((float16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15))
#define CHAINS 10

kernel void limit_fma(global float *out, float factor, uint rounds) {
    float16 sum16 = LANES;
    for (uint round = 0; round < rounds; round++)
        sum16 = fma(sum16, (float16)factor, (float16)1.0f);
    const float8 sum8 = sum16.lo + sum16.hi;
    const float4 sum4 = sum8.lo + sum8.hi;
    out[get_global_id(0)] = sum4.x + sum4.y + sum4.z + sum4.w;
}

kernel void limit_fma_blocks(global float *out, float factor, uint rounds) {
    float16 sums[CHAINS], sum16 = 0.0f;
#pragma unroll
    for (uint chain = 0; chain < CHAINS; chain++)
        sums[chain] = LANES + (float)(16 * chain); /* no two chains are the same */
    for (uint round = 0; round < rounds; round++)
#pragma unroll
        for (uint chain = 0; chain < CHAINS; chain++)
            sums[chain] = fma(sums[chain], (float16)factor, (float16)1.0f);
#pragma unroll
    for (uint chain = 0; chain < CHAINS; chain++)
        sum16 += sums[chain];
    const float8 sum8 = sum16.lo + sum16.hi;
    const float4 sum4 = sum8.lo + sum8.hi;
    out[get_global_id(0)] = sum4.x + sum4.y + sum4.z + sum4.w;
}

// lens: limit_launch(out[1]) --global 1
// lens: limit_read(in[n], out[items], n=16384) --global 4096 --local 256
// lens: limit_read_blocks(in[n], out[items], n=8192) --global 32 --local 32
// lens: limit_copy(in[n], out[n], n=16384) --global 4096 --local 256
// lens: limit_copy_blocks(in[n], out[n], n=8192) --global 32 --local 32
// lens: limit_fill(out[n], value=1, n=16384) --global 4096 --local 256
// lens: limit_fill_blocks(out[n], value=1, n=8192) --global 32 --local 32
// lens: limit_fma(out[items], factor=0.5, rounds=64) --global 4096 --local 256
// lens: limit_fma_blocks(out[items], factor=0.5, rounds=64) --global 32 --local 32
