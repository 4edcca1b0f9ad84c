/* Step 07c: one launch, in which each group learns the sum of all earlier tiles.
 *
 * Each tile has a status word of 64 bits: a mark in the upper half, a sum in the lower.
 *
 *     mark      sum                            what a reader does
 *     older     of an earlier launch, or 0     waits, or adds up the tile itself
 *     TOTAL     of the tile's own elements     adds it, and looks farther back
 *     PREFIX    of all up to the tile's end    adds it, and has all that it needs
 *
 * A tile is loaded, added up and stored as in step 07b. */
#include "step07b_prefix_sum.cl"

#ifdef cl_khr_int64_base_atomics
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable

/* ---- The status word ---- */

/* Mark and sum are written together, so no fence is needed between them.  `launch` is
 * 0, 4, 8 ...: it makes every mark of this launch larger than all marks of earlier
 * ones. */
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
 * by then, and no group waits for a group that has not begun.  The counter follows the
 * status words.  It is never set back: it counts the tiles of all launches. */
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

/* ---- A group waits for earlier tiles ---- */

/* Waits for the prefix of the previous tile, and returns it. */
INLINE uint wait_in_chain(volatile global ulong *words, uint launch, uint tile,
                          uint total, local uint *earlier) {
    if (get_local_id(0) == 0) {
        *earlier = tile > 0 ? (uint)wait_for(&words[tile - 1], launch) : 0;
        publish(&words[tile], launch, PREFIX, *earlier + total);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    return *earlier;
}

kernel void prefix_sum_chained(global const uint4 *x, volatile global ulong *words,
                               global uint4 *sums, uint n, local uint *slots) {
    SIMD_MEMORY;
    local uint number[2], sum;
    uint launch;
    const uint tile = take_number(words, number, &launch);
    uint4 four[ROWS];
    uint before[ROWS];
    load_tile(x, tile, n, four);
    const uint total = scan_tile(simd_memory, slots, four, before);
    const uint earlier = wait_in_chain(words, launch, tile, total, &sum);
    store_tile(sums, tile, n, true, four, before, earlier);
}

/* Work-item `id` has read the status word of one tile: 0 of the nearest tile, 1 of the
 * next one farther back, and so on.  `*nearest` is the lowest id that has found a
 * prefix, or `looks` if there was none.  Adds to `earlier` what belongs to the sum of
 * all earlier tiles, and returns whether the sum is complete. */
INLINE bool add_words(ulong word, uint id, uint looks, local const uint *nearest,
                      local uint *earlier) {
    /* exercise { */
    if (id <= *nearest) /* tiles farther back are in the nearest prefix already */
        atomic_add(earlier, (uint)word);
    return *nearest < looks;
    /* } exercise */
}

/* Looks back over the earlier tiles, LOOK of them at a time, as far as the nearest
 * prefix, and returns their sum. */
enum { LOOK = 32 };
INLINE uint look_back(volatile global ulong *words, uint launch, uint tile,
                      local uint *nearest, local uint *earlier) {
    const uint id = get_local_id(0), looks = min((uint)LOOK, (uint)get_local_size(0));
    if (id == 0)
        *earlier = 0;
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
        found = add_words(word, id, looks, nearest, earlier);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    return *earlier;
}

kernel void prefix_sum_look_back(global const uint4 *x, volatile global ulong *words,
                                 global uint4 *sums, uint n, local uint *slots) {
    SIMD_MEMORY;
    local uint number[2], nearest, sum;
    uint launch;
    const uint tile = take_number(words, number, &launch);
    uint4 four[ROWS];
    uint before[ROWS];
    load_tile(x, tile, n, four);
    const uint total = scan_tile(simd_memory, slots, four, before);

    uint earlier = 0;
    if (tile > 0) {
        if (get_local_id(0) == 0)
            publish(&words[tile], launch, TOTAL, total);
        earlier = look_back(words, launch, tile, &nearest, &sum);
    }
    if (get_local_id(0) == 0)
        publish(&words[tile], launch, PREFIX, earlier + total);
    store_tile(sums, tile, n, true, four, before, earlier);
}

/* ---- A group that need not wait ---- */

/* Looks at a status word until it is known, but at most PATIENCE times, and returns
 * what it saw last. */
enum { PATIENCE = 64 };
INLINE ulong look_at(volatile global ulong *tile, uint launch) {
    ulong word = atom_add(tile, 0);
    for (uint look = 1; look < PATIENCE && !is_known(word, launch); look++)
        word = atom_add(tile, 0);
    return word;
}

/* Adds up a tile of another group, and publishes the total, unless the tile's word has
 * changed since it was `seen`. */
INLINE void add_up_tile(global const uint4 *x, uint n, volatile global ulong *words,
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

/* As look_back().  But if a tile on the way to the nearest prefix has published
 * nothing, the group adds it up itself, and looks again. */
INLINE uint fall_back(global const uint4 *x, uint n, volatile global ulong *words,
                      uint launch, uint tile, local uint *nearest, local uint *missing,
                      local ulong *seen, local uint *total, local uint *earlier) {
    const uint id = get_local_id(0), looks = min((uint)LOOK, (uint)get_local_size(0));
    if (id == 0)
        *earlier = 0;
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
            add_up_tile(x, n, words, launch, end - 1 - gap, *seen, total);
            continue;
        }
        found = add_words(word, id, looks, nearest, earlier);
        end -= looks;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    return *earlier;
}

/* The tile is the group's own number, because it does not matter which group begins
 * first. */
kernel void prefix_sum_fall_back(global const uint4 *x, volatile global ulong *words,
                                 global uint4 *sums, uint n, local uint *slots) {
    SIMD_MEMORY;
    local uint number[2], nearest, missing, missing_total, sum;
    local ulong seen;
    uint launch;
    take_number(words, number, &launch);
    const uint tile = get_group_id(0);
    uint4 four[ROWS];
    uint before[ROWS];
    load_tile(x, tile, n, four);
    const uint total = scan_tile(simd_memory, slots, four, before);

    uint earlier = 0;
    if (tile > 0) {
        if (get_local_id(0) == 0)
            publish(&words[tile], launch, TOTAL, total);
        earlier = fall_back(x, n, words, launch, tile, &nearest, &missing, &seen,
                            &missing_total, &sum);
    }
    if (get_local_id(0) == 0)
        publish(&words[tile], launch, PREFIX, earlier + total);
    store_tile(sums, tile, n, true, four, before, earlier);
}

#endif

// lens: prefix_sum_chained(x[n / 4], words[groups + 1], sums[n / 4], n=16384, slots[local / 32]) --global 1024 --local 256 -D cl_khr_int64_base_atomics
// lens: prefix_sum_look_back(x[n / 4], words[groups + 1], sums[n / 4], n=16384, slots[local / 32]) --global 1024 --local 256 -D cl_khr_int64_base_atomics
// lens: prefix_sum_fall_back(x[n / 4], words[groups + 1], sums[n / 4], n=16384, slots[local / 32]) --global 1024 --local 256 -D cl_khr_int64_base_atomics
