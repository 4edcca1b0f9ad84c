/* Step 07c: one launch, in which a tile looks back at the tiles before it.
 *
 * What is known of a tile is one word of 64 bits: a mark above, a sum below.
 *
 *     nothing   of an earlier launch, or 0    wait, or add the tile up instead
 *     TOTAL     what the tile adds up to      add it, and look farther back
 *     PREFIX    the sum up to its end         add it: that is all
 *
 * A tile is loaded, added up and stored as in step 07b. */
#include "step07b_prefix_sum.cl"

#ifdef cl_khr_int64_base_atomics
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable

/* ---- The status word ---- */

/* A work-item that reads the word gets both mark and sum or neither, so no fence is
 * needed.  `launch` makes the words of earlier launches smaller than all words of this
 * one. */
enum { TOTAL = 1, PREFIX = 2 };

INLINE ulong status(uint launch, uint what, uint sum) {
    return (ulong)(launch + what) << 32 | sum;
}

INLINE void publish(volatile global ulong *tile, uint launch, uint what, uint sum) {
    atom_xchg(tile, status(launch, what, sum));
}

INLINE bool is_known(ulong word, uint launch) {
    return word >> 32 > launch;
}

INLINE ulong wait_for(volatile global ulong *tile, uint launch) {
    ulong word;
    do
        word = atom_add(tile, 0);
    while (!is_known(word, launch));
    return word;
}

INLINE bool is_prefix(ulong word) {
    return word >> 32 & PREFIX;
}

/* A group takes the number of its tile when it begins, so all earlier tiles have begun
 * before: it never waits for a group that does not run yet.  The counter, which
 * follows the words of the tiles, is never set back, so that launches differ. */
INLINE uint take_number(volatile global ulong *words, local uint *number,
                        uint *launch) {
    const uint tiles = get_num_groups(0);
    if (get_local_id(0) == 0) {
        const ulong taken = atom_inc(&words[tiles]);
        number[0] = (uint)(taken % tiles);
        number[1] = (uint)(taken / tiles) * 4;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    *launch = number[1];
    return number[0];
}

/* ---- A tile waits for earlier tiles ---- */

/* Waits until the tile before knows its prefix. */
INLINE uint wait_in_chain(volatile global ulong *words, uint launch, uint tile,
                          uint all, local uint *in_front) {
    if (get_local_id(0) == 0) {
        *in_front = tile > 0 ? (uint)wait_for(&words[tile - 1], launch) : 0;
        publish(&words[tile], launch, PREFIX, *in_front + all);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    return *in_front;
}

kernel void prefix_sum_chained(global const uint4 *x, volatile global ulong *words,
                               global uint4 *sums, uint n, local uint *slots) {
    SIMD_MEMORY;
    local uint number[2], front;
    uint launch;
    const uint tile = take_number(words, number, &launch);
    uint4 four[ROWS];
    uint before[ROWS];
    load_tile(x, tile, n, four);
    const uint all = scan_tile(simd_memory, slots, four, before);
    const uint in_front = wait_in_chain(words, launch, tile, all, &front);
    store_tile(sums, tile, n, true, four, before, in_front);
}

/* Looks back over the earlier tiles, LOOK of them at a time, to the nearest one that
 * knows its prefix; of the tiles on the way it adds the totals. */
enum { LOOK = 32 };
INLINE uint look_back(volatile global ulong *words, uint launch, uint tile,
                      local uint *nearest, local uint *in_front) {
    const uint id = get_local_id(0), looks = min((uint)LOOK, (uint)get_local_size(0));
    if (id == 0)
        *in_front = 0;
    bool found = false;
    for (uint end = tile; !found; end -= looks) {
        if (id == 0)
            *nearest = looks;
        barrier(CLK_LOCAL_MEM_FENCE);
        ulong word = 0;
        if (id < looks && id < end) {
            word = wait_for(&words[end - 1 - id], launch);
            if (is_prefix(word))
                atomic_min(nearest, id);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        /* exercise { */
        if (id <= *nearest) /* those farther off are in the nearest prefix already */
            atomic_add(in_front, (uint)word);
        found = *nearest < looks;
        /* } exercise */
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    return *in_front;
}

kernel void prefix_sum_look_back(global const uint4 *x, volatile global ulong *words,
                                 global uint4 *sums, uint n, local uint *slots) {
    SIMD_MEMORY;
    local uint number[2], nearest, front;
    uint launch;
    const uint tile = take_number(words, number, &launch);
    uint4 four[ROWS];
    uint before[ROWS];
    load_tile(x, tile, n, four);
    const uint all = scan_tile(simd_memory, slots, four, before);

    uint in_front = 0;
    if (tile > 0) {
        if (get_local_id(0) == 0)
            publish(&words[tile], launch, TOTAL, all);
        in_front = look_back(words, launch, tile, &nearest, &front);
    }
    if (get_local_id(0) == 0)
        publish(&words[tile], launch, PREFIX, in_front + all);
    store_tile(sums, tile, n, true, four, before, in_front);
}

/* ---- A tile never only waits ---- */

/* Looks at a tile's word a number of times, and returns what it saw last. */
enum { PATIENCE = 64 };
INLINE ulong look_at(volatile global ulong *tile, uint launch) {
    ulong word = atom_add(tile, 0);
    for (uint look = 1; look < PATIENCE && !is_known(word, launch); look++)
        word = atom_add(tile, 0);
    return word;
}

/* Adds up a tile of another group and says so, unless its word has changed. */
INLINE void add_up(global const uint4 *x, uint n, volatile global ulong *words,
                   uint launch, uint tile, ulong seen, local uint *total) {
    uint4 sum = 0;
    uint i = first_of(tile);
    for (uint row = 0; row < ROWS; row++, i += simd_lanes())
        sum += load4(x, i, n);
    atomic_add(total, sum.x + sum.y + sum.z + sum.w);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0)
        atom_cmpxchg(&words[tile], seen,
                     status(launch, tile > 0 ? TOTAL : PREFIX, *total));
}

/* As look_back().  But if a tile on the way to the nearest prefix has not said
 * anything, the group adds it up itself and looks again. */
INLINE uint fall_back(global const uint4 *x, uint n, volatile global ulong *words,
                      uint launch, uint tile, local uint *nearest, local uint *missing,
                      local ulong *seen, local uint *total, local uint *in_front) {
    const uint id = get_local_id(0), looks = min((uint)LOOK, (uint)get_local_size(0));
    if (id == 0)
        *in_front = 0;
    bool found = false;
    for (uint end = tile; !found;) {
        if (id == 0) {
            *nearest = *missing = looks;
            *total = 0;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        ulong word = 0;
        if (id < looks && id < end) {
            word = look_at(&words[end - 1 - id], launch);
            if (!is_known(word, launch))
                atomic_min(missing, id);
            else if (is_prefix(word))
                atomic_min(nearest, id);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        const uint gap = *missing;
        if (gap < *nearest) {
            if (id == gap)
                *seen = word;
            barrier(CLK_LOCAL_MEM_FENCE);
            add_up(x, n, words, launch, end - 1 - gap, *seen, total);
            continue;
        }
        if (id <= *nearest)
            atomic_add(in_front, (uint)word);
        found = *nearest < looks;
        end -= looks;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    return *in_front;
}

/* The tile is the group's own number: it does not matter who begins first. */
kernel void prefix_sum_fall_back(global const uint4 *x, volatile global ulong *words,
                                 global uint4 *sums, uint n, local uint *slots) {
    SIMD_MEMORY;
    local uint number[2], nearest, missing, total, front;
    local ulong seen;
    uint launch;
    take_number(words, number, &launch);
    const uint tile = get_group_id(0);
    uint4 four[ROWS];
    uint before[ROWS];
    load_tile(x, tile, n, four);
    const uint all = scan_tile(simd_memory, slots, four, before);

    uint in_front = 0;
    if (tile > 0) {
        if (get_local_id(0) == 0)
            publish(&words[tile], launch, TOTAL, all);
        in_front = fall_back(x, n, words, launch, tile, &nearest, &missing, &seen,
                             &total, &front);
    }
    if (get_local_id(0) == 0)
        publish(&words[tile], launch, PREFIX, in_front + all);
    store_tile(sums, tile, n, true, four, before, in_front);
}

#endif
