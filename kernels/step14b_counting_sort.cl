/* Step 14b: pairs of a key and a value, sorted by some bits of the key, in equal keys'
 * order of arrival.  Eight keys of 2 bits:
 *
 *     key                2  0  3  0  2  1  0  2
 *
 *     bin                0  1  2  3
 *     counts             3  1  3  1
 *     begins             0  3  4  7         the exclusive prefix sums of the counts
 *
 *     before it in bin   0  0  0  1  1  0  2  2
 *     place              4  0  7  1  5  3  2  6     begins[key] + before it in its bin
 *
 * The array is cut into parts, for a work-item or for a group each.  In `counts` come
 * all parts' counts of bin 0, then those of bin 1, and so on. */
#include "simd.clh"

/* Functions that receive a pointer to local memory are inlined (step 06 says why). */
#define INLINE static inline __attribute__((always_inline))

/* A group has GROUP work-items at most, with EACH keys each.  A bin has BITS bits at
 * most, and where each work-item has counters, ITEM_BITS. */
enum { GROUP = 256, EACH = 16, BITS = 8, ITEM_BITS = 4 };
enum { TILE = GROUP * EACH, BINS = 1 << BITS, ITEM_BINS = 1 << ITEM_BITS };

/* Registers have no index, so a private array lies in them only if the rounds of a loop
 * are written out.  On a CPU that would take long to compile. */
#if SIMD_WAY == SIMD_BY_PTX
#define UNROLL _Pragma("unroll")
#else
#define UNROLL
#endif

/* SIMD groups of a group, at most: sub-groups may have as few as 8 lanes. */
#if SIMD_WAY == SIMD_BY_LOCAL_MEMORY
enum { SIMD_GROUPS = (GROUP + SIMD_LANES - 1) / SIMD_LANES };
#else
enum { SIMD_GROUPS = SIMD_WAY == SIMD_BY_PTX ? GROUP / 32 : GROUP / 8 };
#endif

INLINE uint bin_of(uint key, uint shift, uint bins) {
    return key >> shift & (bins - 1);
}

/* ---- A part for each work-item, which works alone on neighbouring keys ---- */

INLINE uint2 block_of(uint n) {
    const uint item = get_global_id(0), items = get_global_size(0);
    const uint length = n / items + (n % items > 0), begin = min(item * length, n);
    return (uint2)(begin, min(begin + length, n));
}

kernel void count_alone(global const uint *keys, global uint *counts, uint n,
                        uint shift, uint bins) {
    const uint item = get_global_id(0), items = get_global_size(0);
    const uint2 block = block_of(n);
    for (uint bin = 0; bin < bins; bin++)
        counts[bin * items + item] = 0;
    for (uint i = block.x; i < block.y; i++)
        counts[bin_of(keys[i], shift, bins) * items + item]++;
}

kernel void counting_sort_alone(global const uint *keys, global const uint *values,
                                global uint *counts, global const uint *begins,
                                global uint *keys_out, global uint *values_out, uint n,
                                uint shift, uint bins) {
    const uint item = get_global_id(0), items = get_global_size(0);
    const uint2 block = block_of(n);
    for (uint i = block.x; i < block.y; i++) {
        const uint bin = bin_of(keys[i], shift, bins);
        const uint place = begins[bin] + counts[bin * items + item]++;
        keys_out[place] = keys[i];
        values_out[place] = values[i];
    }
}

/* ---- A part for each group: a tile, counted with atomics as in step 09c ---- */

kernel void count_tile(global const uint *keys, global uint *counts, uint n, uint shift,
                       uint bins) {
    local uint bin_counts[BINS];
    const uint tile = get_group_id(0), tiles = get_num_groups(0);
    const uint id = get_local_id(0), items = get_local_size(0);
    for (uint bin = id; bin < bins; bin += items)
        bin_counts[bin] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);

    uint key[EACH]; /* all loads are in flight before the first key is counted */
    const uint first = tile * items * EACH + id;
    UNROLL for (uint k = 0; k < EACH; k++)
        key[k] = first + k * items < n ? keys[first + k * items] : 0;
    UNROLL for (uint k = 0; k < EACH; k++)
        if (first + k * items < n)
            atomic_inc(&bin_counts[bin_of(key[k], shift, bins)]);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint bin = id; bin < bins; bin += items)
        counts[bin * tiles + tile] = bin_counts[bin];
}

/* ---- Exclusive prefix sums, as in step 07b: x[0], x[1] ... become 0, x[0] ... ---- */

/* A run for each work-item; returns the sum of all. */
INLINE uint running_sums(local uint *simd_memory, local uint *x, uint count,
                         local uint *sums) {
    const uint id = get_local_id(0), items = get_local_size(0);
    const uint run = (count + items - 1) / items;
    const uint first = min(id * run, count), end = min(first + run, count);
    uint own = 0;
    for (uint i = first; i < end; i++)
        own += x[i];
    barrier(CLK_LOCAL_MEM_FENCE); /* for PoCL 6, see step 07 */
    uint sum = simd_prefix_exclusive_sum(own);
    if (simd_lane() == simd_lanes() - 1)
        sums[simd_group()] = sum + own;
    barrier(CLK_LOCAL_MEM_FENCE);

    uint all = 0;
    for (uint i = 0; i < simd_groups(); i++) {
        sum += i < simd_group() ? sums[i] : 0;
        all += sums[i];
    }
    for (uint i = first; i < end; i++) {
        const uint here = x[i];
        x[i] = sum;
        sum += here;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    return all;
}

/* A group for each row of `length` numbers: its sums, and what it adds up to.  First,
 * the counts of each bin are a row; then the totals of all bins are the only row. */
kernel void sum_rows(global uint *rows, uint length, global uint *totals) {
    SIMD_MEMORY;
    local uint x[TILE], sums[GROUP];
    const uint id = get_local_id(0), items = get_local_size(0);
    global uint *row = rows + get_group_id(0) * length;
    uint in_front = 0;
    for (uint first = 0; first < length; first += items * EACH) {
        const uint count = min(items * EACH, length - first);
        for (uint i = id; i < count; i += items)
            x[i] = row[first + i];
        barrier(CLK_LOCAL_MEM_FENCE);
        const uint all = running_sums(simd_memory, x, count, sums);
        for (uint i = id; i < count; i += items)
            row[first + i] = in_front + x[i];
        in_front += all;
    } /* no barrier: each work-item reloads its own x[i] */
    if (id == 0 && get_num_groups(0) > 1)
        totals[get_group_id(0)] = in_front;
}

/* ---- Places within a tile: a counter for each bin and work-item ---- */

/* A work-item has EACH keys that arrived one after another.  counters[] holds bin 0 of
 * all work-items, then bin 1; the running sums make places in the tile of it. */
kernel void counting_sort_by_items(global const uint *keys, global const uint *values,
                                   global const uint *counts, global const uint *begins,
                                   global uint *keys_out, global uint *values_out,
                                   uint n, uint shift, uint bins) {
    SIMD_MEMORY;
    local uint counters[ITEM_BINS * GROUP], sums[GROUP];
    local uint to[ITEM_BINS]; /* from a place in the tile to one in the array: a sum */
    const uint tile = get_group_id(0), tiles = get_num_groups(0);
    const uint id = get_local_id(0), items = get_local_size(0);
    const uint first = tile * items * EACH, end = min(first + items * EACH, n);
    for (uint i = id; i < bins * items; i += items)
        counters[i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE); /* for the exercise: here each clears its own */

    /* exercise { */
    const uint begin = first + id * EACH;
    for (uint i = begin; i < min(begin + EACH, end); i++)
        counters[bin_of(keys[i], shift, bins) * items + id]++;
    /* } exercise */
    barrier(CLK_LOCAL_MEM_FENCE);
    running_sums(simd_memory, counters, bins * items, sums);
    for (uint bin = id; bin < bins; bin += items)
        to[bin] = begins[bin] + counts[bin * tiles + tile] - counters[bin * items];
    barrier(CLK_LOCAL_MEM_FENCE);
    /* exercise { */
    for (uint i = begin; i < min(begin + EACH, end); i++) {
        const uint bin = bin_of(keys[i], shift, bins);
        const uint place = to[bin] + counters[bin * items + id]++;
        keys_out[place] = keys[i];
        values_out[place] = values[i];
    }
    /* } exercise */
}

/* ---- Places within a tile: a counter for each bin and SIMD group ---- */

/* How many lanes have the same bin: those before this lane, and all.  NVIDIA's lanes
 * vote on each bit of the bin: those that voted as this lane did have the same bit. */
#if SIMD_WAY == SIMD_BY_PTX
INLINE uint2 peers_of(local uint *bins, uint bin) {
    uint peers = simd_mask();
    for (uint bit = 0; bit < BITS; bit++) {
        uint votes;
        asm volatile("{ .reg .pred p; setp.ne.u32 p, %1, 0;\n\t"
                     "vote.sync.ballot.b32 %0, p, %2; }"
                     : "=r"(votes)
                     : "r"(bin >> bit & 1), "r"(simd_mask()));
        peers &= bin >> bit & 1 ? votes : ~votes;
    }
    (void)bins;
    return (uint2)(popcount(peers & ((1u << simd_lane()) - 1)), popcount(peers));
}
#define SIMD_BARRIER asm volatile("bar.warp.sync %0;" ::"r"(simd_mask()) : "memory")
#else
INLINE uint2 peers_of(local uint *bins, uint bin) {
    local uint *of_lanes = bins + simd_group() * simd_lanes_most();
    of_lanes[simd_lane()] = bin;
    barrier(CLK_LOCAL_MEM_FENCE);
    uint before = 0, all = 0;
    for (uint lane = 0; lane < simd_lanes(); lane++) {
        const uint same = of_lanes[lane] == bin;
        before += lane < simd_lane() ? same : 0;
        all += same;
    }
    return (uint2)(before, all);
}
#define SIMD_BARRIER barrier(CLK_LOCAL_MEM_FENCE)
#endif

/* The first key of this lane, in the array; the next ones follow simd_lanes() apart. */
INLINE uint first_of_lane(void) {
    const uint before = simd_group() * simd_lanes_most() * EACH;
    return get_group_id(0) * get_local_size(0) * EACH + before + simd_lane();
}

/* All loads are in flight together.  Beyond n come keys of the last bin: behind all
 * others, they change the place of none. */
INLINE void load(global const uint *array, uint n, uint element[EACH]) {
    UNROLL for (uint k = 0; k < EACH; k++) {
        const uint i = first_of_lane() + k * simd_lanes();
        element[k] = i < n ? array[i] : ~0u;
    }
}

/* before[k] becomes how many keys of the same bin are in front of key[k] in its tile,
 * and own_bins[bin] how many the tile has. */
INLINE void rank_keys(const uint key[EACH], uint shift, uint bins,
                      volatile local uint *counters, local uint *own_bins,
                      local uint *slots, uint before[EACH]) {
    const uint id = get_local_id(0), items = get_local_size(0);
    volatile local uint *own = counters + simd_group() * bins;
    for (uint i = id; i < bins * simd_groups(); i += items)
        counters[i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    UNROLL for (uint k = 0; k < EACH; k++) {
        const uint bin = bin_of(key[k], shift, bins);
        const uint2 peers = peers_of(slots, bin);
        before[k] = own[bin] + peers.x;
        SIMD_BARRIER; /* all lanes have read; then the first of the peers writes */
        if (peers.x == 0)
            own[bin] += peers.y;
        SIMD_BARRIER; /* for votes; other peers_of() have a barrier in front of reads */
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint bin = id; bin < bins; bin += items) {
        uint sum = 0;
        for (uint i = 0; i < simd_groups(); i++) {
            const uint here = counters[i * bins + bin];
            counters[i * bins + bin] = sum;
            sum += here;
        }
        own_bins[bin] = sum;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    UNROLL for (uint k = 0; k < EACH; k++)
        before[k] += own[bin_of(key[k], shift, bins)];
}

/* Each pair goes where it belongs. */
kernel void counting_sort_direct(global const uint *keys, global const uint *values,
                                 global const uint *counts, global const uint *begins,
                                 global uint *keys_out, global uint *values_out, uint n,
                                 uint shift, uint bins) {
    local uint counters[SIMD_GROUPS * BINS], to[BINS], slots[GROUP];
    const uint tile = get_group_id(0), tiles = get_num_groups(0);
    uint key[EACH], value[EACH], before[EACH];
    load(keys, n, key);
    rank_keys(key, shift, bins, counters, to, slots, before);
    load(values, n, value);
    for (uint bin = get_local_id(0); bin < bins; bin += get_local_size(0))
        to[bin] = begins[bin] + counts[bin * tiles + tile];
    barrier(CLK_LOCAL_MEM_FENCE);
    UNROLL for (uint k = 0; k < EACH; k++) {
        const uint place = to[bin_of(key[k], shift, bins)] + before[k];
        if (first_of_lane() + k * simd_lanes() < n) {
            keys_out[place] = key[k];
            values_out[place] = value[k];
        }
    }
}

/* The tile is sorted in local memory first, so that neighbours go to neighbours. */
kernel void counting_sort_tiles(global const uint *keys, global const uint *values,
                                global const uint *counts, global const uint *begins,
                                global uint *keys_out, global uint *values_out, uint n,
                                uint shift, uint bins) {
    SIMD_MEMORY;
    local uint counters[SIMD_GROUPS * BINS], to[BINS], slots[TILE];
    local uint starts[BINS]; /* of the bins, in the tile */
    const uint tile = get_group_id(0), tiles = get_num_groups(0);
    const uint id = get_local_id(0), items = get_local_size(0);
    const uint first = tile * items * EACH, end = min(first + items * EACH, n);
    uint key[EACH], value[EACH], place[EACH], target[EACH];
    load(keys, n, key);
    rank_keys(key, shift, bins, counters, starts, slots, place);
    running_sums(simd_memory, starts, bins, slots);
    for (uint bin = id; bin < bins; bin += items)
        to[bin] = begins[bin] + counts[bin * tiles + tile] - starts[bin];

    UNROLL for (uint k = 0; k < EACH; k++) {
        place[k] += starts[bin_of(key[k], shift, bins)];
        slots[place[k]] = key[k];
    }
    load(values, n, value);
    barrier(CLK_LOCAL_MEM_FENCE);
    UNROLL for (uint k = 0; k < EACH; k++) {
        const uint i = k * items + id, sorted = slots[i];
        target[k] = to[bin_of(sorted, shift, bins)] + i;
        if (first + i < end)
            keys_out[target[k]] = sorted;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    UNROLL for (uint k = 0; k < EACH; k++)
        slots[place[k]] = value[k];
    barrier(CLK_LOCAL_MEM_FENCE);
    UNROLL for (uint k = 0; k < EACH; k++)
        if (first + k * items + id < end)
            values_out[target[k]] = slots[k * items + id];
}
