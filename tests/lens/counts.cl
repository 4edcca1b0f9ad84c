/* What the lens counts, one claim for each kernel, worked out by hand.
 *
 * A warp has 32 lanes.  Global memory moves in sectors of 32 bytes; four of them are a
 * line of 128.  Buffers begin at a line.  Local memory has 32 banks, each a word of 4
 * bytes wide.  Unless a comment says otherwise, a launch is one group of 64 work-items:
 * two warps.  tests/lens/counts.bats launches the kernels and checks each number. */

/* ---- Which sectors a warp touches. */

/* 32 lanes x 4 bytes = 128 bytes side by side: 4 sectors, 1 line.
 *
 * In two groups of 48 items, each has a warp of 32 and one of 16 lanes: 24 on average;
 * 4 and 2 sectors, so 3.  Group 1 begins at byte 192, so that its first warp reaches
 * from 192 to 319, over a line's end: 1 + 1 + 2 + 1 lines, 1.25 on average.
 *
 * With 8, 16 and 64 lanes in a warp: 32, 64 and 256 bytes, so 1, 2 and 8 sectors. */
kernel void coalesced(global const float *in, global float *out) {
    const uint i = get_global_id(0);
    out[i] = in[i];
}

/* Lanes that are 2 elements apart reach over 32 x 8 = 256 bytes: 8 sectors, 2 lines.
 * From 8 elements on, which are 32 bytes, each lane has a sector of its own, and from
 * 32 elements on a line of its own.
 *
 * In the L1, word w is in bank w mod 32.  2 elements apart, lanes 0 and 16 want words 0
 * and 32 of bank 0, lanes 1 and 17 words 2 and 34 of bank 2: 2 passes.  4 apart, each
 * bank that is wanted has 4 words: 4 passes; 8 apart, 8; and 32 apart all lanes want
 * bank 0: 32 passes. */
kernel void strides(global const float *in, global float *out) {
    const uint i = get_global_id(0);
    float sum = in[2 * i];
    sum += in[4 * i];
    sum += in[8 * i];
    sum += in[32 * i];
    out[i] = sum;
}

/* 4 bytes further on: bytes 4 to 131 lie in sectors 0 to 4, and in 2 lines. */
kernel void misaligned(global const float *in, global float *out) {
    const uint i = get_global_id(0);
    out[i] = in[i + 1];
}

/* A page has 4096 bytes, or 1024 floats.  Lanes that are 1024 elements apart have a
 * page each: 32 pages.  512 apart, two lanes share one: 16.  Neighbouring lanes from
 * element 1008 on touch bytes 4032 to 4159: 2 lines, and 2 pages. */
kernel void pages(global const float *in, global float *out) {
    const uint i = get_global_id(0);
    float sum = in[1024 * i];
    sum += in[512 * i];
    sum += in[1008 + i];
    out[i] = sum;
}

/* All lanes want the same 4 bytes: 1 sector, of which 4 bytes in 32 are used. */
kernel void broadcast(global const float *in, global float *out) {
    const uint i = get_global_id(0);
    out[i] = in[7];
}

/* The order within a warp does not matter: the same 128 bytes, 4 sectors. */
kernel void permuted(global const float *in, global float *out) {
    const uint i = get_global_id(0);
    const float back = in[63 - i];
    out[i] = back + in[i ^ 21];
}

/* 32 lanes x 1 byte = 32 bytes: 1 sector. */
kernel void bytes(global const char *in, global char *out) {
    const uint i = get_global_id(0);
    out[i] = in[i];
}

/* 32 lanes x 16 bytes = 512 bytes: 16 sectors, 4 lines; 16 is the ideal, too. */
kernel void float4s(global const float4 *in, global float4 *out) {
    const uint i = get_global_id(0);
    out[i] = in[i];
}

/* 32 lanes x 64 bytes = 2048 bytes: 64 sectors, 16 lines, vload16() or not. */
kernel void float16s(global const float16 *in, global float16 *out) {
    const uint i = get_global_id(0);
    const float16 aligned = in[i];
    out[i] = aligned + vload16(i, (global const float *)in);
}

/* A float3 takes up 16 bytes: 512 bytes, 16 sectors.  vload3() reads floats that lie 12
 * bytes apart from lane to lane, in 384 bytes.  It is three loads, and each touches all
 * 12 sectors of them, for 128 bytes. */
kernel void float3s(global const float3 *in, global float *out) {
    const uint i = get_global_id(0);
    const float3 wide = in[i];
    const float3 tight = vload3(i, (global const float *)in);
    out[i] = wide.x + wide.y + wide.z + tight.x + tight.y + tight.z;
}

struct body { /* 32 bytes, a sector each */
    float mass, x, y, z, vx, vy, vz, charge;
};

/* One field of each: 32 sectors for 32 x 4 bytes, 12.5 % are used. */
kernel void one_field(global const struct body *bodies, global float *out) {
    const uint i = get_global_id(0);
    out[i] = bodies[i].mass;
}

/* All of each: 32 sectors, all used. */
kernel void whole_struct(global const struct body *bodies, global struct body *out) {
    const uint i = get_global_id(0);
    out[i] = bodies[i];
}

/* ---- Groups of two and three dimensions.  Lanes are counted along x first. */

float cell(global const float *picture, uint row, uint column) {
    return picture[row * 64 + column]; /* rows of 256 bytes */
}

/* 16 x 16: a warp is 2 rows of 16 lanes, 64 bytes each: 2 x 2 sectors in 2 lines. */
kernel void wide_16(global const float *picture, global float *out) {
    out[get_local_id(1) * 16 + get_local_id(0)] =
        cell(picture, get_global_id(1), get_global_id(0));
}

/* With x and y exchanged, 16 rows with 2 lanes side by side in each: 16 sectors. */
kernel void tall_16(global const float *picture, global float *out) {
    out[get_local_id(1) * 16 + get_local_id(0)] =
        cell(picture, get_global_id(0), get_global_id(1));
}

/* 8 x 8: a warp is 4 rows of 8 lanes, 32 bytes each: 4 sectors in 4 lines. */
kernel void wide_8(global const float *picture, global float *out) {
    out[get_local_id(1) * 8 + get_local_id(0)] =
        cell(picture, get_global_id(1), get_global_id(0));
}

/* Exchanged, 8 rows with 4 lanes side by side: 8 sectors in 8 lines. */
kernel void tall_8(global const float *picture, global float *out) {
    out[get_local_id(1) * 8 + get_local_id(0)] =
        cell(picture, get_global_id(0), get_global_id(1));
}

/* 4 x 4 x 4, in a box 8 wide and 8 high: a warp is 2 layers of 4 rows of 4 lanes.  A
 * row uses 16 bytes of a sector: 8 sectors.  A layer takes 256 bytes, and its first 4
 * rows are one line: 2 lines. */
kernel void box(global const float *in, global float *out) {
    const uint x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    out[(z * 4 + y) * 4 + x] = in[(z * 8 + y) * 8 + x];
}

/* ---- Which lanes are busy. */

/* In each of 4 rounds, 8 lanes have 0 turns, 8 have 1, 8 have 2 and 8 have 3.  So the
 * inner loop runs with 24, 16 and 8 lanes: 3 loads x 4 rounds x 2 warps = 24, with 16
 * lanes on average.  Its branch is executed by 32, 24, 16 and 8 lanes: 4 x 4 x 2 = 32
 * times, and parts them but for the last time in a round: 24 times.
 *
 *     lanes with    0 turns  1 turn  2 turns  3 turns
 *     1st load         .        8       8        8        24
 *     2nd load         .        .       8        8        16
 *     3rd load         .        .       .        8         8
 *
 * After each round they meet again: every round begins with 32 lanes. */
kernel void nested(global const float *in, global float *out) {
    const uint i = get_global_id(0);
    float sum = 0.0f;
    for (uint round = 0; round < 4; round++) {
        sum += in[256 + round];
        for (uint turn = 0; turn < (i + round) % 4; turn++)
            sum += in[turn * 64 + i];
    }
    out[i] = sum;
}

float element(global const float *in, uint i) {
    return in[i + 64]; /* one line, whoever asks */
}

/* Called twice: 4 sectors in 1 line, then 8 in 2.  The mean of both is 6 in 1.5. */
kernel void called_twice(global const float *in, global float *out) {
    const uint i = get_global_id(0);
    out[i] = element(in, i) + element(in, 2 * i);
}

/* 40 of 64 items go on: 32 lanes of warp 0, and 8 of warp 1: 20 on average.  Only warp
 * 1 diverges.  128 bytes and 32 bytes: 4 sectors and 1, so 2.5. */
kernel void early_return(global const float *in, global float *out) {
    const uint i = get_global_id(0);
    if (i >= 40)
        return;
    out[i] = in[i];
}

/* Four cases, 8 lanes each.  They are 16 bytes apart: 4 sectors, one quarter used. */
kernel void four_cases(global const float *in, global float *out) {
    const uint i = get_global_id(0);
    switch (i % 4) {
    case 0:
        out[i] = in[i] + 10.0f;
        break;
    case 1:
        out[i] = in[i] * 11.0f;
        break;
    case 2:
        out[i] = in[i] - 12.0f;
        break;
    default:
        out[i] = 13.0f / in[i];
    }
}

/* Odd and even lanes part: 16 each, in all 4 sectors, half of them used. */
kernel void if_else(global const float *in, global float *out) {
    const uint i = get_global_id(0);
    if (i % 2)
        out[i] = in[i] + 20.0f;
    else
        out[i] = in[i] * 21.0f;
}

/* Lanes with i % 4 == 0, 1, 2, 3 break out of the loop in turn 1, 2, 3, 4.  Its first
 * branch is executed by 32, 24, 16 and 8 lanes, and diverges each time except the last.
 * Of the lanes that stay, every turn sends half on with `continue`: 3 more branches,
 * which all diverge.  The load is done by 12, 8 and 4 lanes: 8 on average.  Two warps
 * execute all of this: 8 and 6 branches, 6 loads. */
kernel void while_true(global const float *in, global float *out) {
    const uint i = get_global_id(0);
    float sum = 0.0f;
    uint turn = 0;
    while (true) {
        turn++;
        if (turn > i % 4)
            break;
        if ((turn + i / 4) % 2)
            continue;
        sum += in[turn * 64 + i];
    }
    out[i] = sum;
}

/* The right side is only asked where the left one leaves it open: by 16 lanes behind
 * &&, and by 8 behind ||.  All elements are above 0, so 16 and then all 32 lanes store.
 *
 * Behind || the 24 lanes that know enough go on, and the 8 that ask come later: lanes
 * meet again where all ways meet, which is behind the store.  24 and 8 lanes: 16 in the
 * mean of 2 stores a warp. */
kernel void and_or(global const float *in, global float *out) {
    const uint i = get_global_id(0), lane = i % 32;
    if (lane < 16 && in[i] > 0.0f)
        out[i] = 30.0f;
    if (lane < 24 || in[i + 64] > 0.0f)
        out[i + 64] = 31.0f;
}

/* ---- Local memory: passes over its 32 banks.  A launch is one warp. */

/* Word w lies in bank w % 32.  Lanes 1 apart have a bank each: 1 pass.  2 apart: only
 * the 16 even banks, 2 words each: 2 passes.  32 apart: all in bank 0: 32 passes.  33
 * apart, lane l is in bank l again: 1 pass.  All on one word: 1 pass. */
kernel void local_strides(local float *t, global float *out) {
    const uint l = get_local_id(0);
    t[l] = 1.0f;
    t[2 * l] = 2.0f;
    t[32 * l] = 3.0f;
    t[33 * l] = 4.0f;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = t[0];
}

/* 32 lanes x 4 words = 128 words, and 32 fit into a pass: 4 passes, which is ideal. */
kernel void local_float4(local float4 *t, global const float4 *in, global float4 *out) {
    const uint l = get_local_id(0);
    t[l] = in[l];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = t[31 - l];
}

/* A tree over 256 items, 8 warps.  In step s, 128 / s items work, on words 2 s apart:
 *
 *     s                       1    2    4    8   16   32   64  128
 *     items at work         128   64   32   16    8    4    2    1    255 in all
 *     accesses, by warps      4    2    1    1    1    1    1    1     12 in all
 *     passes of each          2    4    8    8    8    4    2    1
 *     passes of all           8    8    8    8    8    4    2    1     47 in all
 *
 * From s = 8 on, all words are in the banks 0 and 16, then in bank 0 alone, and there
 * are fewer and fewer of them.  47 / 12 = 3.92 passes, 255 / 12 = 21.25 lanes, the same
 * for both loads and the store.  There is a barrier before the tree, and one in each of
 * its 8 steps. */
kernel void tree_interleaved(global const float *in, global float *sums) {
    local float t[256];
    const uint l = get_local_id(0);
    t[l] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint s = 1; s < 256; s *= 2) {
        const uint i = 2 * s * l;
        if (i < 256)
            t[i] += t[i + s];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0)
        sums[get_group_id(0)] = t[0];
}

/* As many accesses and lanes, but those at work are neighbours: 1 pass each. */
kernel void tree_sequential(global const float *in, global float *sums) {
    local float t[256];
    const uint l = get_local_id(0);
    t[l] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint s = 128; s > 0; s /= 2) {
        if (l < s)
            t[l] += t[l + s];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0)
        sums[get_group_id(0)] = t[0];
}

/* A group of 32 x 32 writes rows and reads columns of a tile.  A column's words are 32
 * apart: 32 passes; with a word more in every row they are 33 apart: 1 pass. */
kernel void transpose(global const float *in, global float *out) {
    local float tile[32][32];
    const uint x = get_local_id(0), y = get_local_id(1);
    tile[y][x] = in[y * 32 + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[y * 32 + x] = tile[x][y];
}

kernel void transpose_padded(global const float *in, global float *out) {
    local float tile[32][33];
    const uint x = get_local_id(0), y = get_local_id(1);
    tile[y][x] = in[y * 32 + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[y * 32 + x] = tile[x][y];
}

/* ---- Atomics: 1024 items in 4 groups of 256, so 32 warps. */

/* Each item once, all on one address; in a warp, 32 lanes at a time. */
kernel void count_in_one(global int *count) {
    atomic_inc(count);
}

/* Each lane of a warp has an address of its own, and meets 31 other warps there. */
kernel void count_in_32(global int *counts) {
    atomic_inc(&counts[get_global_id(0) % 32]);
}

/* First in the group: 1024 operations, 256 on the one address that a group has.  Then
 * one for each group: 4. */
kernel void count_in_groups(global int *count) {
    local int in_group;
    if (get_local_id(0) == 0)
        in_group = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_inc(&in_group);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0)
        atomic_add(count, in_group);
}

/* One warp.  All 32 lanes read the sum, and one of them is the first to change it; the
 * other 31 come too late, and try again.  Then 30, 29 ...: 32 rounds, 32 + 31 + ... + 1
 * = 528 operations, 16.5 lanes on average.  Each branch diverges except the last. */
kernel void compare_exchange(volatile global uint *sum) {
    uint old;
    do {
        old = *sum;
    } while (atomic_cmpxchg(sum, old, old + 2) != old);
}

/* ---- Kinds of memory. */

/* What is volatile is read each time, even when nothing can have changed it. */
kernel void read_twice(volatile global const float *in, global float *out) {
    const uint i = get_global_id(0);
    out[i] = in[i] - in[i];
}

constant float weights[4] = {1.0f, 2.0f, 4.0f, 8.0f};

/* Four floats of the file: 4 addresses where 1 would do; 64 items read two of the
 * argument's, all lanes of a warp the same one. */
kernel void constants(constant float *table, global float *out) {
    const uint i = get_global_id(0);
    out[i] = weights[i % 4] * table[i / 32];
}

/* A private array is the item's own: no row, however it is indexed. */
kernel void private_array(global const int *in, global int *out) {
    const int i = (int)get_global_id(0), number = in[i];
    int digits[8];
    for (int d = 0; d < 8; d++)
        digits[d] = number >> d;
    out[i] = digits[number % 8];
}

struct range {
    uint first, step;
};

/* By value: no row either.  Elements 64, 66, 68 ...: 8 sectors, 2 lines. */
kernel void by_value(global const float *in, global float *out, struct range range) {
    const uint i = get_global_id(0);
    out[i] = in[range.first + i * range.step];
}

/* The replay works on copies, in silence: the device counts from 0, and prints once. */
kernel void prints(global int *count) {
    printf("count was %d\n", atomic_inc(count));
}
