/* Step 07b: every element receives the sum of all elements up to itself.
 *
 * A group adds up a tile of neighbouring elements.  Here eight lanes in two warps have
 * one element each; in the kernels each lane has 4 * ROWS of them.
 *
 *     x                3   1   2   2     4   0   1   5
 *     in the warp      3   4   6   8     4   4   5  10     simd_prefix_inclusive_sum()
 *     slots            8                10                 the sum of each warp
 *     in the tile      3   4   6   8    12  12  13  18     plus earlier slots
 *
 * In the array the sum of all earlier tiles is added, which other groups have. */
#include "simd.clh"

/* Functions that receive a pointer to local memory are inlined (step 06 says why). */
#define INLINE static inline __attribute__((always_inline))

/* A warp has ROWS rows of its tile, one after the other.  In each row a lane has 4
 * neighbouring elements, and the next lane has the next 4.  (The chapter's example has
 * one row, by -D ROWS=1.) */
#ifndef ROWS
#define ROWS 4
#endif

/* ---- A tile: load, add up, store ---- */

/* The place of this lane's elements in row 0 of its warp, counted in fours. */
INLINE uint first_of(uint tile) {
    const uint warp = simd_group() * simd_lanes_most() * ROWS;
    return tile * get_local_size(0) * ROWS + warp + simd_lane();
}

/* Elements 4 * i to 4 * i + 3, with 0 for those that are beyond the last one. */
INLINE uint4 load4(global const uint4 *x, uint i, uint n) {
    global const uint *one = (global const uint *)x + 4 * i;
    if (4 * i + 3 < n)
        return x[i];
    uint4 part = 0;
    if (4 * i < n)
        part.x = one[0];
    if (4 * i + 1 < n)
        part.y = one[1];
    if (4 * i + 2 < n)
        part.z = one[2];
    return part;
}

INLINE void store4(global uint4 *sums, uint i, uint n, uint4 four) {
    global uint *one = (global uint *)sums + 4 * i;
    if (4 * i + 3 < n) {
        sums[i] = four;
        return;
    }
    if (4 * i < n)
        one[0] = four.x;
    if (4 * i + 1 < n)
        one[1] = four.y;
    if (4 * i + 2 < n)
        one[2] = four.z;
}

/* What this lane adds up of a tile.  (PoCL 6 needs the barrier, too, as in step 07.) */
INLINE void load_tile(global const uint4 *x, uint tile, uint n, uint4 four[ROWS]) {
    uint i = first_of(tile);
    for (uint row = 0; row < ROWS; row++, i += simd_lanes())
        four[row] = load4(x, i, n);
    barrier(CLK_LOCAL_MEM_FENCE); /* all have read the slots of an earlier tile */
}

/* before[row] becomes the sum of all elements of the tile that come before this lane's
 * four in that row.  Returns the sum of the tile. */
INLINE uint scan_tile(local uint *simd_memory, local uint *slots,
                      const uint4 four[ROWS], uint before[ROWS]) {
    uint warp_sum = 0; /* of the rows so far */
    for (uint row = 0; row < ROWS; row++) {
        const uint own = four[row].x + four[row].y + four[row].z + four[row].w;
        const uint sum = simd_prefix_inclusive_sum(own);
        before[row] = warp_sum + sum - own;
        warp_sum += simd_broadcast(sum, simd_lanes() - 1);
    }
    if (simd_lane() == 0)
        slots[simd_group()] = warp_sum;
    barrier(CLK_LOCAL_MEM_FENCE);

    uint earlier = 0, all = 0;
    for (uint i = 0; i < simd_groups(); i++) {
        earlier += i < simd_group() ? slots[i] : 0;
        all += slots[i];
    }
    for (uint row = 0; row < ROWS; row++)
        before[row] += earlier;
    return all;
}

/* Adds the sum of all earlier tiles, and stores inclusive or exclusive sums. */
INLINE void store_tile(global uint4 *sums, uint tile, uint n, bool inclusive,
                       const uint4 four[ROWS], const uint before[ROWS], uint earlier) {
    uint i = first_of(tile);
    for (uint row = 0; row < ROWS; row++, i += simd_lanes()) {
        const uint4 x = four[row];
        uint4 sum = earlier + before[row];
        sum += (uint4)(0, x.x, x.x + x.y, x.x + x.y + x.z);
        store4(sums, i, n, inclusive ? sum + x : sum);
    }
}

/* ---- Three launches ---- */

kernel void prefix_sum_totals(global const uint4 *x, global uint *totals, uint n,
                              local uint *slots) {
    SIMD_MEMORY;
    uint4 four[ROWS];
    uint before[ROWS];
    load_tile(x, get_group_id(0), n, four);
    const uint all = scan_tile(simd_memory, slots, four, before);
    if (get_local_id(0) == 0)
        totals[get_group_id(0)] = all;
}

/* One group: each total becomes the sum of all earlier totals. */
kernel void prefix_sum_of_totals(global uint4 *totals, uint n, local uint *slots) {
    SIMD_MEMORY;
    /* exercise { */
    const uint tile_size = 4 * ROWS * get_local_size(0);
    uint earlier = 0;
    for (uint tile = 0; tile * tile_size < n; tile++) {
        uint4 four[ROWS];
        uint before[ROWS];
        load_tile(totals, tile, n, four);
        const uint all = scan_tile(simd_memory, slots, four, before);
        store_tile(totals, tile, n, false, four, before, earlier);
        earlier += all;
    }
    /* } exercise */
}

kernel void prefix_sum_from_totals(global const uint4 *x, global const uint *totals,
                                   global uint4 *sums, uint n, local uint *slots) {
    SIMD_MEMORY;
    uint4 four[ROWS];
    uint before[ROWS];
    load_tile(x, get_group_id(0), n, four);
    scan_tile(simd_memory, slots, four, before);
    store_tile(sums, get_group_id(0), n, true, four, before, totals[get_group_id(0)]);
}

/* ---- As suits a CPU: a work-item and one long block for each core ---- */

/* The first element of this work-item's block, and the first one after the block. */
INLINE uint2 block_of(uint n) {
    const uint item = get_global_id(0), items = get_global_size(0);
    const uint length = n / items + (n % items > 0), begin = min(item * length, n);
    return (uint2)(begin, min(begin + length, n));
}

kernel void prefix_sum_block_totals(global const uint *x, global uint *totals, uint n) {
    const uint2 block = block_of(n);
    uint16 sum16 = 0;
    uint i = block.x;
    for (; i + 16 <= block.y; i += 16)
        sum16 += vload16(0, x + i);
    const uint8 sum8 = sum16.lo + sum16.hi;
    const uint4 sum4 = sum8.lo + sum8.hi;
    uint sum = sum4.x + sum4.y + sum4.z + sum4.w;
    for (; i < block.y; i++)
        sum += x[i];
    totals[get_global_id(0)] = sum;
}

kernel void prefix_sum_blocks(global const uint *x, global const uint *totals,
                              global uint *sums, uint n) {
    const uint2 block = block_of(n);
    uint sum = totals[get_global_id(0)];
    for (uint i = block.x; i < block.y; i++)
        sums[i] = sum += x[i];
}

// lens: prefix_sum_totals(x[n / 4], totals[groups], n=16384, slots[local / 32]) --global 1024 --local 256
// lens: prefix_sum_of_totals(totals[n / 4]=1..99, n=256, slots[local / 32]) --global 256 --local 256
// lens: prefix_sum_from_totals(x[n / 4], totals[groups], sums[n / 4], n=16384, slots[local / 32]) --global 1024 --local 256
// lens: prefix_sum_block_totals(x[n], totals[items], n=16384) --global 32 --local 32
// lens: prefix_sum_blocks(x[n], totals[items], sums[n], n=16384) --global 32 --local 32
